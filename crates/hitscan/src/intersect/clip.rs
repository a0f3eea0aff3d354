//! A line against half-spaces, for solids that are an intersection of them: oriented boxes and convex hulls.
//!
//! The line is inside from the last plane that it crosses inwards to the first that it crosses outwards (Cyrus, Beck,
//! 1978). With the height `h` of the origin over a plane and the slope `s` of the direction, both times any one positive
//! factor, a plane is crossed at `t = -h / s`. All decisions are exact.

use core::cmp::Ordering;

use super::Span;
use crate::exact::{Big, Bounded, PRECISION, sign};
use crate::ray::Ray;

/// Half-spaces that enclose a volume. A height above zero is outside.
pub(crate) trait HalfSpaces {
    fn count(&self) -> usize;
    /// Height of the ray's origin over the plane and slope of its direction.
    fn quick(&self, plane: usize, ray: &Ray) -> (Bounded, Bounded);
    /// The same without rounding; the common factor may be another one.
    fn exact(&self, plane: usize, ray: &Ray) -> (Big, Big);
}

/// Where a line crosses one plane.
#[derive(Clone, Copy)]
struct Cut {
    plane: usize,
    t: f64,
    /// Of `t`; infinite where nothing is certain.
    error: f64,
}

impl Cut {
    #[inline]
    fn new(plane: usize, height: Bounded, slope: Bounded) -> Cut {
        let t = -height.value() / slope.value();
        let steep = slope.value().abs();
        // Where the slope is off by less than 2^-10 of itself, the factor covers that and the roundings here.
        let error = (height.error() + t.abs() * slope.error()) * (1.01 / steep) + t.abs() * f64::EPSILON;
        let sound = slope.error() < steep * (1.0 / 1024.0) && error < f64::INFINITY;
        Cut { plane, t, error: if sound { error + f64::MIN_POSITIVE } else { f64::INFINITY } }
    }

    /// Which of two cuts comes first.
    #[inline]
    fn cmp(&self, other: &Cut, solid: &impl HalfSpaces, ray: &Ray) -> Ordering {
        let gap = self.t - other.t;
        // Not where one of them is not a number.
        if gap.abs() > (self.error + other.error) * 1.01 {
            return gap.total_cmp(&0.0);
        }
        compare_exactly(solid, ray, self.plane, other.plane)
    }
}

/// Where the ray is inside, and the planes through which it enters and leaves: the lowest ones of several at one place.
///
/// `enter` and `exit` are within 2^-44 of themselves.
pub(crate) fn clip(solid: &impl HalfSpaces, ray: &Ray) -> Option<(Span, [usize; 2])> {
    let mut ends: [Option<Cut>; 2] = [None; 2];
    for plane in 0..solid.count() {
        let (height, slope) = solid.quick(plane, ray);
        let heading = sign(slope, || solid.exact(plane, ray).1);
        if heading == Ordering::Equal {
            if sign(height, || solid.exact(plane, ray).0) == Ordering::Greater {
                return None;
            }
            continue;
        }
        let cut = Cut::new(plane, height, slope);
        // The later of two entries counts, and the earlier of two exits.
        let (end, better) =
            if heading == Ordering::Less { (0, Ordering::Greater) } else { (1, Ordering::Less) };
        if ends[end].is_none_or(|best| cut.cmp(&best, solid, ray) == better) {
            ends[end] = Some(cut);
        }
    }
    // An enclosed volume is entered and left.
    let (enter, exit) = (ends[0]?, ends[1]?);
    if enter.cmp(&exit, solid, ray) == Ordering::Greater {
        return None;
    }
    let span = Span::within(precise(solid, ray, &enter), precise(solid, ray, &exit), ray)?;
    Some((span, [enter.plane, exit.plane]))
}

/// The order of the crossings of two planes.
#[cold]
fn compare_exactly(solid: &impl HalfSpaces, ray: &Ray, a: usize, b: usize) -> Ordering {
    let ((height_a, slope_a), (height_b, slope_b)) = (solid.exact(a, ray), solid.exact(b, ray));
    let order = (height_b * slope_a - height_a * slope_b).sign();
    if slope_a.sign() == slope_b.sign() { order } else { order.reverse() }
}

/// `t` of a cut, exactly computed where the quick one lost too many digits.
fn precise(solid: &impl HalfSpaces, ray: &Ray, cut: &Cut) -> f64 {
    if cut.error <= cut.t.abs() * PRECISION && cut.error < f64::INFINITY {
        return cut.t;
    }
    let (height, slope) = solid.exact(cut.plane, ray);
    (Big::from(0.0) - height).ratio(&slope)
}
