//! Triangle: three corners, and what follows from them.

use glam::DVec3;

use super::plane::{length, unit_normal};
use super::{Plane, ShapeError, checked_point};

/// Three corners. The front is the side from which they run counter-clockwise.
///
/// Corners on a line, or at one place, are allowed: such a triangle has an area of 0 and no normal, and rays do
/// not hit it.
///
/// ```
/// use hitscan::shape::Triangle;
/// let t = Triangle::new([0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 3.0, 0.0])?;
/// assert_eq!(t.area(), 6.0);
/// assert_eq!(t.normal().unwrap().to_array(), [0.0, 0.0, 1.0]);
/// assert_eq!(t.normal_facing([1.0, 1.0, -9.0]).unwrap().to_array(), [0.0, 0.0, -1.0]);
/// assert_eq!(t.edges()[1].to_array(), [-4.0, 3.0, 0.0]);
/// assert_eq!((t.cross().z, t.plane()?.offset()), (12.0, 0.0));
/// assert_eq!(t.point(0.5, 0.25).to_array(), [2.0, 0.75, 0.0]);
/// assert_eq!(t.bounds().1.to_array(), [4.0, 3.0, 0.0]);
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    corners: [DVec3; 3],
}

impl Triangle {
    /// The triangle of three corners.
    ///
    /// # Errors
    /// [`ShapeError::Coordinate`].
    pub fn new(
        a: impl Into<[f64; 3]>,
        b: impl Into<[f64; 3]>,
        c: impl Into<[f64; 3]>,
    ) -> Result<Triangle, ShapeError> {
        let a = checked_point(a, "corner A")?;
        let b = checked_point(b, "corner B")?;
        let c = checked_point(c, "corner C")?;
        Ok(Triangle { corners: [a, b, c] })
    }

    /// A, B and C.
    #[doc(alias = "Vertex")]
    pub fn corners(&self) -> [DVec3; 3] {
        self.corners
    }

    /// From A to B, from B to C, from C to A.
    pub fn edges(&self) -> [DVec3; 3] {
        let [a, b, c] = self.corners;
        [b - a, c - b, a - c]
    }

    /// `(B - A) x (C - A)`: along the normal, twice the area long.
    pub fn cross(&self) -> DVec3 {
        let [a, b, c] = self.corners;
        (b - a).cross(c - a)
    }

    /// The unit normal of the front, for triangles of any size; `None` where the corners lie on a line: where the cross
    /// product of two edges comes out as 0. Of corners that are on a line but for a rounding error it says little.
    pub fn normal(&self) -> Option<DVec3> {
        let [ab, _, ca] = self.edges();
        unit_normal(ab, -ca).ok()
    }

    /// The unit normal of the side on which a point lies, the front for a point in the plane; `None` where the
    /// corners lie on a line.
    #[doc(alias = "InverseNormal")]
    pub fn normal_facing(&self, point: impl Into<[f64; 3]>) -> Option<DVec3> {
        let normal = self.normal()?;
        let side = normal.dot(DVec3::from(point.into()) - self.corners[0]);
        Some(if side < 0.0 { -normal } else { normal })
    }

    /// The plane of the corners.
    ///
    /// # Errors
    /// [`ShapeError::Collinear`].
    #[doc(alias = "support plane")]
    pub fn plane(&self) -> Result<Plane, ShapeError> {
        let [a, b, c] = self.corners;
        Plane::from_points(a, b, c)
    }

    /// The area, in square units of the world; 0 where it is too small for `f64`.
    pub fn area(&self) -> f64 {
        0.5 * length(self.cross())
    }

    /// The lowest and the highest corner of the smallest box around it, which is flat where the triangle lies across an axis.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let [a, b, c] = self.corners;
        (a.min(b).min(c), a.max(b).max(c))
    }

    /// `(1 - u - v) A + u B + v C`: on the triangle where `u`, `v` and their rest to 1 are in `[0, 1]`, else elsewhere in its
    /// plane.
    pub fn point(&self, u: f64, v: f64) -> DVec3 {
        let [a, b, c] = self.corners;
        a * ((1.0 - u) - v) + b * u + c * v
    }
}
