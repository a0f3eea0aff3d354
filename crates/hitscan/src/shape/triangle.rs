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
    ///
    /// ```
    /// use hitscan::shape::Triangle;
    /// assert!(Triangle::new([0.0; 3], [1.0; 3], [2.0; 3]).is_ok()); // without area, but a triangle
    /// let error = Triangle::new([0.0; 3], [1.0, f64::INFINITY, 0.0], [0.0, 1.0, 0.0]).unwrap_err();
    /// assert_eq!(error.to_string(), "corner B: y is inf; a shape needs finite coordinates of at most 2^100");
    /// ```
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

    /// Of corners that follow from shapes that exist, and may lie a little farther out than theirs.
    pub(crate) fn derived(corners: [DVec3; 3]) -> Triangle {
        Triangle { corners }
    }

    /// A, B and C.
    ///
    /// ```
    /// use hitscan::shape::Triangle;
    /// let t = Triangle::new([1.0, 0.0, 0.0], [5.0, 0.0, 0.0], [1.0, 3.0, 0.0])?;
    /// assert_eq!(t.corners()[2].to_array(), [1.0, 3.0, 0.0]);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    #[doc(alias = "Vertex")]
    pub fn corners(&self) -> [DVec3; 3] {
        self.corners
    }

    /// From A to B, from B to C, from C to A.
    ///
    /// ```
    /// use hitscan::shape::Triangle;
    /// let t = Triangle::new([1.0, 0.0, 0.0], [5.0, 0.0, 0.0], [1.0, 3.0, 0.0])?;
    /// assert_eq!(t.edges().map(|edge| edge.length()), [4.0, 5.0, 3.0]);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn edges(&self) -> [DVec3; 3] {
        let [a, b, c] = self.corners;
        [b - a, c - b, a - c]
    }

    /// `(B - A) x (C - A)`: along the normal, twice the area long.
    ///
    /// ```
    /// use hitscan::shape::Triangle;
    /// let t = Triangle::new([1.0, 0.0, 0.0], [5.0, 0.0, 0.0], [1.0, 3.0, 0.0])?;
    /// assert_eq!(t.cross().to_array(), [0.0, 0.0, 12.0]);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn cross(&self) -> DVec3 {
        let [a, b, c] = self.corners;
        (b - a).cross(c - a)
    }

    /// The unit normal of the front, for triangles of any size; `None` where the corners lie on a line: where the cross
    /// product of two edges comes out as 0. Of corners that are on a line but for a rounding error it says little.
    ///
    /// ```
    /// use hitscan::shape::Triangle;
    /// let t = Triangle::new([1.0, 0.0, 0.0], [5.0, 0.0, 0.0], [1.0, 3.0, 0.0])?;
    /// assert_eq!(t.normal().map(|n| n.to_array()), Some([0.0, 0.0, 1.0]));
    /// assert_eq!(Triangle::new([0.0; 3], [1.0; 3], [2.0; 3])?.normal(), None);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn normal(&self) -> Option<DVec3> {
        let [a, b, c] = self.corners;
        unit_normal(b - a, c - a)
    }

    /// The unit normal of the side on which a point lies, the front for a point in the plane; `None` where the
    /// corners lie on a line.
    ///
    /// ```
    /// use hitscan::shape::Triangle;
    /// let t = Triangle::new([1.0, 0.0, 0.0], [5.0, 0.0, 0.0], [1.0, 3.0, 0.0])?;
    /// let z = |point: [f64; 3]| t.normal_facing(point).map(|n| n.z);
    /// assert_eq!((z([0.0, 0.0, 9.0]), z([0.0, 0.0, -9.0]), z([7.0, 7.0, 0.0])), (Some(1.0), Some(-1.0), Some(1.0)));
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
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
    ///
    /// ```
    /// use hitscan::shape::{ShapeError, Triangle};
    /// let t = Triangle::new([1.0, 0.0, 2.0], [5.0, 0.0, 2.0], [1.0, 3.0, 2.0])?;
    /// assert_eq!(t.plane()?.signed_distance([0.0, 0.0, 5.0]), 3.0);
    /// let line = Triangle::new([0.0; 3], [1.0; 3], [2.0; 3])?;
    /// assert!(matches!(line.plane(), Err(ShapeError::Collinear { .. })));
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    #[doc(alias = "support plane")]
    pub fn plane(&self) -> Result<Plane, ShapeError> {
        let [a, b, c] = self.corners;
        Plane::from_points(a, b, c)
    }

    /// The area, in square units of the world; 0 where it is too small for `f64`.
    ///
    /// ```
    /// use hitscan::shape::Triangle;
    /// let t = Triangle::new([1.0, 0.0, 0.0], [5.0, 0.0, 0.0], [1.0, 3.0, 0.0])?;
    /// assert_eq!(t.area(), 6.0);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn area(&self) -> f64 {
        0.5 * length(self.cross())
    }

    /// The lowest and the highest corner of the smallest box around it, which is flat where the triangle lies across an axis.
    ///
    /// ```
    /// use hitscan::shape::Triangle;
    /// let t = Triangle::new([1.0, 0.0, 0.0], [5.0, 0.0, 0.0], [1.0, 3.0, 0.0])?;
    /// let (low, high) = t.bounds();
    /// assert_eq!((low.to_array(), high.to_array()), ([1.0, 0.0, 0.0], [5.0, 3.0, 0.0]));
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let [a, b, c] = self.corners;
        (a.min(b).min(c), a.max(b).max(c))
    }

    /// `(1 - u - v) A + u B + v C`: on the triangle where `u`, `v` and their rest to 1 are in `[0, 1]`, else elsewhere in its
    /// plane.
    ///
    /// ```
    /// use hitscan::shape::Triangle;
    /// let t = Triangle::new([1.0, 0.0, 0.0], [5.0, 0.0, 0.0], [1.0, 3.0, 0.0])?;
    /// assert_eq!(t.point(0.5, 0.25).to_array(), [3.0, 0.75, 0.0]);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn point(&self, u: f64, v: f64) -> DVec3 {
        let [a, b, c] = self.corners;
        a * ((1.0 - u) - v) + b * u + c * v
    }
}
