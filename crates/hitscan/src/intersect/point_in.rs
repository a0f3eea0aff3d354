//! Whether a point lies in a shape: the `contains` methods. All are closed, so the surface belongs to the shape, and
//! exact: the answer is that of the point and the shape's own numbers, without rounding. A point with a coordinate that is
//! not a number or infinite lies in nothing.
//!
//! Concave solids are meshes: [`Mesh::contains`](crate::Mesh::contains).

use core::cmp::Ordering;

use glam::DVec3;

use super::sphere_triangle::segment_touches;
use crate::exact::{Number, Vector, collinear, cross, difference, dot, normal, side, sign, sign_of, vector};
use crate::ray::MAX_COORDINATE;
use crate::shape::{Aabb, Capsule, ConvexHull, Frustum, Obb, Sphere, Triangle};

/// The point, if it is not beyond all shapes: coordinates, radii and half sizes end at 2^100.
fn within_reach(point: impl Into<[f64; 3]>) -> Option<DVec3> {
    let point: [f64; 3] = point.into();
    let near = point.iter().all(|c| c.abs() <= 4.0 * MAX_COORDINATE); // false for NaN
    near.then(|| point.into())
}

impl Triangle {
    /// Whether a point lies on the triangle: exactly in its plane, and inside or on an edge or a corner. A triangle whose
    /// corners lie on a line contains nothing, as no ray hits it.
    ///
    /// Few points lie exactly in a slanted plane; for one that was computed to lie there ask
    /// [`covers`](Triangle::covers).
    ///
    /// ```
    /// use hitscan::shape::Triangle;
    /// let t = Triangle::new([0.0, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 4.0, 1.0])?;
    /// assert!(t.contains([1.0, 1.0, 1.0]) && t.contains([2.0, 2.0, 1.0]) && t.contains([4.0, 0.0, 1.0]));
    /// assert!(!t.contains([1.0, 1.0, 1.5]) && !t.contains([2.0, 2.1, 1.0]));
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    #[doc(alias = "point_in_triangle")]
    pub fn contains(&self, point: impl Into<[f64; 3]>) -> bool {
        let Some(p) = within_reach(point) else { return false };
        side(self.corners(), p) == Ordering::Equal && self.covers(p)
    }

    /// Whether the foot of a point on the triangle's plane lies in the triangle, edges and corners included: the
    /// inclusion test of a point that is taken to be in the plane. False where the corners lie on a line.
    ///
    /// ```
    /// use hitscan::shape::Triangle;
    /// let t = Triangle::new([0.0, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 4.0, 1.0])?;
    /// assert!(t.covers([1.0, 1.0, 7.0]) && t.covers([0.0, 3.0, -7.0]) && !t.covers([-0.1, 1.0, 1.0]));
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    #[doc(alias = "triangle inclusion test")]
    pub fn covers(&self, point: impl Into<[f64; 3]>) -> bool {
        let Some(p) = within_reach(point) else { return false };
        let [a, b, c] = self.corners();
        let left = |turned| sign_of!(left_of(turned, p)) != Ordering::Less;
        left([a, b, c]) && left([b, c, a]) && left([c, a, b]) && !collinear([a, b, c])
    }
}

/// Above zero where the foot of `p` lies to the left of the edge from the first corner to the second, seen from the
/// triangle's front.
pub(super) fn left_of<N: Number>([a, b, c]: [DVec3; 3], p: DVec3) -> N {
    let edge: Vector<N> = difference(b, a);
    dot(&normal([a, b, c]), &cross(&edge, &difference(p, a)))
}

impl Aabb {
    /// Whether a point lies in the box or on its surface.
    ///
    /// ```
    /// use hitscan::shape::Aabb;
    /// let unit = Aabb::new([0.0; 3], [1.0; 3])?;
    /// assert!(unit.contains([1.0, 0.5, 0.0]) && !unit.contains([1.0f64.next_up(), 0.5, 0.0]));
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    #[doc(alias = "point_in_aabb")]
    pub fn contains(&self, point: impl Into<[f64; 3]>) -> bool {
        let p = DVec3::from(point.into());
        self.low().cmple(p).all() && p.cmple(self.high()).all()
    }
}

impl Obb {
    /// Whether a point lies in the box or on its surface: its distance from the centre along each axis, as a dot product
    /// with the axis as given, is at most half the size.
    ///
    /// ```
    /// use hitscan::glam::{DMat3, DVec3};
    /// use hitscan::shape::Obb;
    /// let turned = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z);
    /// let plank = Obb::new([0.0; 3], turned, [2.0, 0.5, 0.1])?;
    /// assert!(plank.contains([0.5, 2.0, 0.1]) && !plank.contains([0.5, 2.0, 0.1f64.next_up()]));
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    #[doc(alias = "point_in_obb")]
    pub fn contains(&self, point: impl Into<[f64; 3]>) -> bool {
        let Some(p) = within_reach(point) else { return false };
        (0..3).all(|axis| {
            [-1.0, 1.0].into_iter().all(|end| sign_of!(beyond(self, axis, end, p)) != Ordering::Greater)
        })
    }
}

/// How far a point lies beyond one end of an axis.
fn beyond<N: Number>(bounds: &Obb, axis: usize, end: f64, p: DVec3) -> N {
    let along: N = dot(&vector(bounds.axes().col(axis)), &difference(p, bounds.centre()));
    along * N::from(end) - N::from(bounds.half()[axis])
}

impl Sphere {
    /// Whether a point lies in the sphere or on its surface.
    ///
    /// ```
    /// use hitscan::shape::Sphere;
    /// let ball = Sphere::new([0.0; 3], 5.0)?;
    /// assert!(ball.contains([0.0, 3.0, -4.0]) && !ball.contains([0.0, 3.0, 4.0f64.next_up()]));
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    #[doc(alias = "Contains")]
    #[doc(alias = "point_in_sphere")]
    pub fn contains(&self, point: impl Into<[f64; 3]>) -> bool {
        let Some(p) = within_reach(point) else { return false };
        sign_of!(outside(self, p)) != Ordering::Greater
    }
}

/// The squared distance from the centre, less the squared radius.
fn outside<N: Number>(sphere: &Sphere, p: DVec3) -> N {
    let from_centre: Vector<N> = difference(p, sphere.centre());
    dot(&from_centre, &from_centre) - N::from(sphere.radius()) * N::from(sphere.radius())
}

impl Capsule {
    /// Whether a point lies in the capsule or on its surface.
    ///
    /// ```
    /// use hitscan::shape::Capsule;
    /// let pill = Capsule::new([0.0; 3], [0.0, 8.0, 0.0], 5.0)?;
    /// assert!(pill.contains([3.0, 12.0, 0.0]) && !pill.contains([3.0, 12.0f64.next_up(), 0.0]));
    /// assert!(pill.contains([5.0, 4.0, 0.0]) && !pill.contains([5.0f64.next_up(), 4.0, 0.0]));
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    #[doc(alias = "point_in_capsule")]
    pub fn contains(&self, point: impl Into<[f64; 3]>) -> bool {
        let Some(p) = within_reach(point) else { return false };
        segment_touches(&Sphere::derived(p, self.radius()), [self.a(), self.b()])
    }
}

impl ConvexHull {
    /// Whether a point lies in the hull or on its surface: behind or on every face, however far away planes at a small angle
    /// meet. Every point of which a hull was made is in it.
    ///
    /// ```
    /// use hitscan::shape::ConvexHull;
    /// let corner = ConvexHull::from_points([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])?;
    /// assert!(corner.contains([0.25, 0.25, 0.5]) && !corner.contains([0.25, 0.25, 0.5f64.next_up()]));
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    #[doc(alias = "point_in_hull")]
    pub fn contains(&self, point: impl Into<[f64; 3]>) -> bool {
        let p = DVec3::from(point.into());
        p.is_finite()
            && (0..self.planes().len()).all(|face| {
                sign(self.quick_height(face, p), || self.exact_height(face, p)) != Ordering::Greater
            })
    }
}

impl Frustum {
    /// Whether a point lies in the frustum or on its surface: on the inner side of every plane as `f64` has it, or in it. Nothing beyond
    /// 2^102 along an axis is in one, though it may have no end.
    ///
    /// ```
    /// use hitscan::Camera;
    /// let view = Camera::look_at([0.0; 3], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0], 90.0)?.view([480, 480])?;
    /// let right = view.frustum([240.0, 0.0], [480.0, 480.0])?; // where 0 <= x <= depth
    /// assert!(right.contains([0.0, 0.0, -4.0]) && !right.contains([-1e-300, 0.0, -4.0]));
    /// assert!(right.contains([0.0, 0.0, -1e30]) && !right.contains([0.0, 0.0, f64::NEG_INFINITY]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "point_in_frustum")]
    pub fn contains(&self, point: impl Into<[f64; 3]>) -> bool {
        let Some(p) = within_reach(point) else { return false };
        self.holds(p, self.about())
    }
}
