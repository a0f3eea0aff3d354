//! Triangle and box, axis-aligned or oriented: whether they share a point, by the axes that could part them.
//!
//! Two convex solids with flat faces are apart exactly when their projections are on a normal of one of their faces or on a
//! cross product of an edge of each: three sides of the box, the triangle's plane, and nine. The signs of all projections are exact.
//! An oriented box is an axis-aligned one in coordinates that are the dot products with its axes, which nothing rounds.

use core::cmp::Ordering;

use crate::exact::{Big, Bounded, Number, Vector, cross, difference, dot, vector};
use crate::shape::{Aabb, Obb, Triangle};

/// Whether a triangle and a solid box have a point in common. Touching counts, and so does a triangle inside. Exact; a triangle
/// whose corners lie on a line is the segment, or the point, that they are.
///
/// Source: Akenine-Möller, Fast 3D Triangle-Box Overlap Testing, 2001.
///
/// ```
/// use hitscan::intersect::triangle_aabb;
/// use hitscan::shape::{Aabb, Triangle};
/// let unit = Aabb::new([0.0; 3], [1.0; 3])?;
/// let cut = |x: f64| Triangle::new([x, 0.0, 0.0], [0.0, x, 0.0], [0.0, 0.0, x]);
/// assert!(triangle_aabb(&cut(2.5)?, &unit) && triangle_aabb(&cut(3.0)?, &unit)); // through it, and at its corner
/// assert!(!triangle_aabb(&cut(3.0f64.next_up())?, &unit));
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
pub fn triangle_aabb(triangle: &Triangle, bounds: &Aabb) -> bool {
    let (low, high) = triangle.bounds();
    if low.cmpgt(bounds.high()).any() || high.cmplt(bounds.low()).any() {
        return false;
    }
    if triangle.corners().iter().any(|&corner| bounds.contains(corner)) {
        return true;
    }
    !are_apart(&Straight { triangle, bounds })
}

/// The same for an oriented box: the points that [`Obb::contains`] knows.
///
/// ```
/// use hitscan::glam::{DMat3, DVec3};
/// use hitscan::intersect::triangle_obb;
/// use hitscan::shape::{Obb, Triangle};
/// let turned = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z); // a quarter turn
/// let plank = Obb::new([0.0; 3], turned, [2.0, 0.5, 0.1])?;
/// let pane = |y: f64| Triangle::new([-9.0, y, -9.0], [9.0, y, -9.0], [0.0, y, 9.0]);
/// assert!(triangle_obb(&pane(2.0)?, &plank) && !triangle_obb(&pane(2.0f64.next_up())?, &plank));
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
pub fn triangle_obb(triangle: &Triangle, bounds: &Obb) -> bool {
    triangle.corners().iter().any(|&corner| bounds.contains(corner))
        || !are_apart(&Turned { triangle, bounds })
}

/// A triangle and a box in coordinates along its sides.
struct Setting<N> {
    corners: [Vector<N>; 3],
    /// The box's lowest and highest corner.
    ends: [Vector<N>; 2],
}

trait Pair {
    fn setting<N: Number>(&self) -> Setting<N>;
}

struct Straight<'a> {
    triangle: &'a Triangle,
    bounds: &'a Aabb,
}

impl Pair for Straight<'_> {
    fn setting<N: Number>(&self) -> Setting<N> {
        let ends = [self.bounds.low(), self.bounds.high()];
        Setting { corners: self.triangle.corners().map(vector), ends: ends.map(vector) }
    }
}

struct Turned<'a> {
    triangle: &'a Triangle,
    bounds: &'a Obb,
}

impl Pair for Turned<'_> {
    fn setting<N: Number>(&self) -> Setting<N> {
        let axes: [Vector<N>; 3] = [0, 1, 2].map(|i| vector(self.bounds.axes().col(i)));
        let corners = self.triangle.corners().map(|corner| {
            let away = difference(corner, self.bounds.centre());
            axes.map(|axis| dot(&axis, &away))
        });
        Setting { corners, ends: [vector(-self.bounds.half()), vector(self.bounds.half())] }
    }
}

/// A number that knows its sign, or that it does not.
trait Signed: Number {
    fn certain_sign(&self) -> Option<Ordering>;
}

impl Signed for Bounded {
    fn certain_sign(&self) -> Option<Ordering> {
        self.sign()
    }
}

impl Signed for Big {
    fn certain_sign(&self) -> Option<Ordering> {
        Some(self.sign())
    }
}

/// The axes that could part a triangle and a box.
const AXES: usize = 13;

fn are_apart(pair: &impl Pair) -> bool {
    let quick: Setting<Bounded> = pair.setting();
    // Those that are in doubt wait: another one may part them for sure.
    let mut doubts = 0u32;
    for axis in 0..AXES {
        match quick.is_parted_by(axis) {
            Some(true) => return true,
            Some(false) => {}
            None => doubts |= 1 << axis,
        }
    }
    if doubts == 0 {
        return false;
    }
    let exact: Setting<Big> = pair.setting();
    (0..AXES).filter(|axis| doubts >> axis & 1 == 1).any(|axis| exact.is_parted_by(axis) == Some(true))
}

impl<N: Signed> Setting<N> {
    fn axis(&self, number: usize) -> Vector<N> {
        let side = |axis: usize| core::array::from_fn(|i| N::from(if i == axis { 1.0 } else { 0.0 }));
        let edge = |i: usize| minus(&self.corners[(i + 1) % 3], &self.corners[i]);
        match number {
            0..3 => side(number),
            3 => cross(&edge(0), &edge(1)),
            _ => cross(&edge((number - 4) / 3), &side((number - 4) % 3)),
        }
    }

    /// Whether the projections on an axis are apart, if that is certain.
    fn is_parted_by(&self, number: usize) -> Option<bool> {
        let axis = self.axis(number);
        let signs: [Ordering; 3] = {
            let [x, y, z] = axis.map(|c| c.certain_sign());
            [x?, y?, z?]
        };
        // The box's corner that lies farthest along the axis, and the one that lies farthest against it.
        let end = |last: bool| -> Vector<N> {
            core::array::from_fn(|i| self.ends[usize::from((signs[i] == Ordering::Greater) == last)][i])
        };
        let is_beyond = |last: bool| {
            let end = end(last);
            let outside = if last { Ordering::Greater } else { Ordering::Less };
            let mut doubt = false;
            for corner in &self.corners {
                match dot(&axis, &minus(corner, &end)).certain_sign() {
                    Some(sign) if sign == outside => {}
                    Some(_) => return Some(false),
                    None => doubt = true,
                }
            }
            if doubt { None } else { Some(true) }
        };
        match (is_beyond(true), is_beyond(false)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        }
    }
}

fn minus<N: Number>(a: &Vector<N>, b: &Vector<N>) -> Vector<N> {
    core::array::from_fn(|i| a[i] - b[i])
}
