//! Ray and axis-aligned box, by slabs and by Woo's three steps.
//!
//! A plane of the box is crossed at `t = (plane - origin) / dir`, two roundings. Which of two planes comes first is
//! decided by these numbers where they differ by more than they err, else without rounding, so hit or miss and the faces
//! are those of exact arithmetic, and both algorithms agree on every input.

use core::cmp::Ordering;

use glam::DVec3;

use super::Span;
use crate::exact::{Number, sign_of};
use crate::ray::Ray;
use crate::shape::Aabb;

/// A face of a box, by the axis that its outward normal follows.
///
/// ```
/// use hitscan::intersect::BoxFace;
/// assert_eq!(BoxFace::ALL.map(BoxFace::axis), [0, 0, 1, 1, 2, 2]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoxFace {
    /// The face at the lowest x; its normal is `(-1, 0, 0)`.
    LowX,
    /// The face at the highest x.
    HighX,
    /// The face at the lowest y.
    LowY,
    /// The face at the highest y.
    HighY,
    /// The face at the lowest z.
    LowZ,
    /// The face at the highest z.
    HighZ,
}

impl BoxFace {
    /// All six, the lower face of an axis before the higher.
    ///
    /// ```
    /// use hitscan::intersect::BoxFace;
    /// assert_eq!((BoxFace::ALL[0], BoxFace::ALL[5]), (BoxFace::LowX, BoxFace::HighZ));
    /// ```
    pub const ALL: [BoxFace; 6] =
        [BoxFace::LowX, BoxFace::HighX, BoxFace::LowY, BoxFace::HighY, BoxFace::LowZ, BoxFace::HighZ];

    /// 0 for x, 1 for y, 2 for z.
    ///
    /// ```
    /// use hitscan::intersect::BoxFace;
    /// assert_eq!((BoxFace::LowX.axis(), BoxFace::HighZ.axis()), (0, 2));
    /// ```
    pub fn axis(self) -> usize {
        self as usize / 2
    }

    /// The outward unit normal, in the frame of the box.
    ///
    /// ```
    /// use hitscan::intersect::BoxFace;
    /// assert_eq!(BoxFace::LowY.normal().to_array(), [0.0, -1.0, 0.0]);
    /// assert_eq!(BoxFace::HighZ.axis(), 2);
    /// ```
    pub fn normal(self) -> DVec3 {
        let outward = if (self as usize).is_multiple_of(2) { -1.0 } else { 1.0 };
        DVec3::AXES[self.axis()] * outward
    }

    fn of(axis: usize, high: bool) -> BoxFace {
        BoxFace::ALL[2 * axis + usize::from(high)]
    }
}

/// A line through a box: where, and through which faces.
///
/// ```
/// use hitscan::intersect::{BoxFace, ray_aabb};
/// use hitscan::shape::Aabb;
/// use hitscan::Ray;
/// let unit = Aabb::new([0.0; 3], [1.0; 3])?;
/// let falling = Ray::new([0.5, 3.0, 0.5], [0.0, -1.0, 0.0])?;
/// let through = ray_aabb(&falling, &unit).expect("straight through");
/// assert_eq!((through.entry_face, through.exit_face), (BoxFace::HighY, BoxFace::LowY));
/// assert_eq!(through.span.length(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThroughBox {
    /// Where it is inside.
    pub span: Span,
    /// The face that it enters; on an edge or a corner that of the lowest axis.
    pub entry_face: BoxFace,
    /// The face that it leaves; on an edge or a corner that of the lowest axis.
    pub exit_face: BoxFace,
}

/// Where the line crosses one plane of the box.
#[derive(Clone, Copy)]
struct Cut {
    t: f64,
    axis: usize,
    plane: f64,
}

impl Cut {
    fn new(ray: &Ray, axis: usize, plane: f64) -> Cut {
        Cut { t: (plane - ray.origin()[axis]) / ray.dir()[axis], axis, plane }
    }

    /// Which of two cuts comes first along the ray, in exact arithmetic.
    fn cmp(&self, other: &Cut, ray: &Ray) -> Ordering {
        let (gap, size) = (self.t - other.t, self.t.abs().max(other.t.abs()));
        // Each is off by less than 2^-51 of itself, unless it is so small that it underflows. A gap that is not a number
        // fails, and so does one between infinities.
        if gap.abs() > size * MARGIN && size > SAFE && size < f64::INFINITY {
            return gap.total_cmp(&0.0);
        }
        self.cmp_exact(other, ray)
    }

    #[cold]
    fn cmp_exact(&self, other: &Cut, ray: &Ray) -> Ordering {
        let d = ray.dir();
        let order = sign_of!(self.behind(other, ray));
        if (d[self.axis] < 0.0) == (d[other.axis] < 0.0) { order } else { order.reverse() }
    }

    /// How much later than another one it comes, times what the ray goes along the axes of both.
    fn behind<N: Number>(&self, other: &Cut, ray: &Ray) -> N {
        let (o, d) = (ray.origin(), ray.dir());
        let ahead = |cut: &Cut| N::from(cut.plane) - N::from(o[cut.axis]);
        ahead(self) * N::from(d[other.axis]) - ahead(other) * N::from(d[self.axis])
    }

    fn face(&self, bounds: &Aabb) -> BoxFace {
        BoxFace::of(self.axis, self.plane == bounds.high()[self.axis])
    }
}

/// More than two cuts err by together, relative to the larger: 2^-51.
const MARGIN: f64 = 2.0 * f64::EPSILON;

/// Above it nothing in a quotient has underflowed by an amount that matters.
const SAFE: f64 = f64::MIN_POSITIVE / f64::EPSILON;

/// The planes across an axis, in the order in which the ray meets them.
fn planes(ray: &Ray, bounds: &Aabb, axis: usize) -> [Cut; 2] {
    let (low, high) = (bounds.low()[axis], bounds.high()[axis]);
    let ordered = if ray.dir()[axis] < 0.0 { [high, low] } else { [low, high] };
    ordered.map(|plane| Cut::new(ray, axis, plane))
}

/// Whether the origin lies between the two planes of an axis, or on one.
fn between(ray: &Ray, bounds: &Aabb, axis: usize) -> bool {
    (bounds.low()[axis]..=bounds.high()[axis]).contains(&ray.origin()[axis])
}

/// The part of a ray in an axis-aligned box, by slabs: the line is in the box from the last of the three planes that it
/// enters to the first of those that it leaves. Touching a face, an edge or a corner counts, and so does a start inside.
///
/// Whether the line meets the closed box, and through which faces, is exact. `enter` and `exit` are within 2^-51 of
/// themselves, equal to the exact ones where those need no rounding, and compared with `t_min` and `t_max` as they are
/// returned. A zero in `dir` asks whether the origin lies in that slab; there is no 0 times infinity.
///
/// The default for this pair: the answers are those of [`ray_aabb_woo`], in two thirds of its time (27.9 to 41.4 ns, by the table of
/// `hitscan bench --tests` in `docs/performance.md`).
///
/// Source: Kay, Kajiya: Ray Tracing Complex Scenes, 1986.
///
/// ```
/// use hitscan::intersect::{BoxFace, ray_aabb};
/// use hitscan::shape::Aabb;
/// use hitscan::Ray;
/// let crate_ = Aabb::new([1.0, 0.0, 0.0], [2.0, 1.0, 1.0])?;
/// let shot = Ray::new([0.0, 0.5, 0.5], [0.5, 0.0, 0.0])?;
/// let hit = ray_aabb(&shot, &crate_).expect("straight through");
/// assert_eq!((hit.span.enter, hit.span.exit), (2.0, 4.0));
/// assert_eq!((hit.entry_face, hit.exit_face), (BoxFace::LowX, BoxFace::HighX));
/// let along_a_face = Ray::new([0.0, 1.0, 0.5], [1.0, 0.0, 0.0])?;
/// assert!(ray_aabb(&along_a_face, &crate_).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "slab")]
pub fn ray_aabb(ray: &Ray, bounds: &Aabb) -> Option<ThroughBox> {
    let (origin, dir) = (ray.origin(), ray.dir());
    // Plain slabs first: what misses by more than they err, misses.
    let (a, b) = ((bounds.low() - origin) / dir, (bounds.high() - origin) / dir);
    let (enter, exit) = (a.min(b).max_element(), a.max(b).min_element());
    // Not numbers and infinities, which zeros in the direction make, are left to what follows.
    if enter - exit > (enter.abs() + exit.abs()) * MARGIN + SAFE && (enter - exit).is_finite() {
        return None;
    }
    let pairs = [0, 1, 2].map(|axis| (dir[axis] != 0.0).then(|| planes(ray, bounds, axis)));
    let mut ends: Option<[Cut; 2]> = None;
    for (axis, pair) in pairs.iter().enumerate() {
        let Some([mut first, mut last]) = *pair else {
            if !between(ray, bounds, axis) {
                return None;
            }
            continue;
        };
        if let Some([enter, exit]) = ends {
            if enter.cmp(&first, ray) != Ordering::Less {
                first = enter;
            }
            if exit.cmp(&last, ray) != Ordering::Greater {
                last = exit;
            }
        }
        ends = Some([first, last]);
    }
    let [enter, exit] = ends?; // a ray has a direction
    if enter.cmp(&exit, ray) == Ordering::Greater {
        return None;
    }
    through(ray, bounds, &enter, &exit)
}

/// The part of a ray in an axis-aligned box by Woo's three steps, right from inside too: of the six planes, keep those that
/// face the ray, at most three; the farthest of them is where it enters, if it enters; test whether that point lies within
/// the box. From inside, that point lies behind the origin, and the plane that counts is the nearest of those that face
/// away: [`Span::crossings`] gives it.
///
/// The same answer as [`ray_aabb`] on every input, bit for bit.
///
/// Source: Woo: Fast Ray-Box Intersection, Graphics Gems, 1990; as Sanchez-Crespo describes it (Core Techniques and
/// Algorithms in Game Programming, 2003, chapter 22), it assumes a start outside and misses the box from inside.
///
/// ```
/// use hitscan::intersect::{BoxFace, ray_aabb, ray_aabb_woo};
/// use hitscan::shape::Aabb;
/// use hitscan::Ray;
/// let room = Aabb::new([0.0; 3], [4.0, 4.0, 3.0])?;
/// let from_inside = Ray::new([1.0, 1.0, 1.0], [0.0, -2.0, 0.0])?;
/// let hit = ray_aabb_woo(&from_inside, &room).expect("it starts there");
/// assert_eq!((hit.span.exit, hit.exit_face), (0.5, BoxFace::LowY));
/// assert_eq!(ray_aabb(&from_inside, &room), Some(hit));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "three-step box test")]
#[doc(alias = "Woo")]
pub fn ray_aabb_woo(ray: &Ray, bounds: &Aabb) -> Option<ThroughBox> {
    // Step one: the planes that face the ray, and those that face away from it.
    let pairs = [0, 1, 2].map(|axis| (ray.dir()[axis] != 0.0).then(|| planes(ray, bounds, axis)));
    // Step two: the farthest of the former.
    let mut facing = pairs.iter().flatten().map(|pair| pair[0]);
    let start = facing.next()?; // a ray has a direction
    let enter = facing.fold(start, |far, cut| if far.cmp(&cut, ray) == Ordering::Less { cut } else { far });
    // Step three: whether the line is there within the box's boundaries.
    for (axis, pair) in pairs.iter().enumerate() {
        if axis == enter.axis {
            continue;
        }
        let inside = match pair {
            Some([_, away]) => in_slab(ray, bounds, axis, enter.t)
                .unwrap_or_else(|| enter.cmp_exact(away, ray) != Ordering::Greater),
            None => between(ray, bounds, axis),
        };
        if !inside {
            return None;
        }
    }
    // From inside step one is turned around: the nearest of the planes that face away.
    let mut away = pairs.iter().flatten().map(|pair| pair[1]);
    let start = away.next()?;
    let exit =
        away.fold(start, |near, cut| if near.cmp(&cut, ray) == Ordering::Greater { cut } else { near });
    through(ray, bounds, &enter, &exit)
}

/// Whether the point at `t` lies between the planes of an axis; `None` where rounding could decide.
fn in_slab(ray: &Ray, bounds: &Aabb, axis: usize, t: f64) -> Option<bool> {
    let (origin, dir) = (ray.origin()[axis], ray.dir()[axis]);
    let along = t * dir;
    let point = origin + along;
    // A `t` that underflows is off by less than the least normal number, and a direction may be as long as 2^200.
    let margin = (origin.abs() + along.abs()) * (4.0 * f64::EPSILON) + SAFE + f64::MIN_POSITIVE * dir.abs();
    if bounds.low()[axis] + margin < point && point < bounds.high()[axis] - margin {
        return Some(true);
    }
    let outside = point < bounds.low()[axis] - margin || bounds.high()[axis] + margin < point;
    outside.then_some(false)
}

fn through(ray: &Ray, bounds: &Aabb, enter: &Cut, exit: &Cut) -> Option<ThroughBox> {
    let span = Span::within(enter.t, exit.t, ray)?;
    Some(ThroughBox { span, entry_face: enter.face(bounds), exit_face: exit.face(bounds) })
}
