//! Plane: a unit normal and a signed distance.

use glam::DVec3;

use super::{ShapeError, checked_point};
use crate::root::sqrt;

/// The points `p` with `normal . p + offset = 0`. The side to which the normal points is the front.
///
/// ```
/// use hitscan::shape::Plane;
/// let ground = Plane::new([0.0, 2.0, 0.0], [5.0, 1.0, -3.0])?; // any length, through any of its points
/// assert_eq!((ground.normal().y, ground.offset()), (1.0, -1.0));
/// assert_eq!(ground.signed_distance([7.0, 4.0, 7.0]), 3.0);
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
#[doc(alias = "D3DXPLANE")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    normal: DVec3,
    offset: f64,
}

impl Plane {
    /// The plane through `point` at right angles to `normal`, which has any length and is normalised.
    ///
    /// # Errors
    /// Coordinates that are not finite or beyond 2^100, and a normal of length zero.
    ///
    /// ```
    /// use hitscan::shape::Plane;
    /// let wall = Plane::new([0.0, 0.0, -9.0], [1.0, 2.0, 3.0])?; // a normal of any length
    /// assert_eq!((wall.normal().z, wall.offset()), (-1.0, 3.0));
    /// let error = Plane::new([0.0; 3], [1.0; 3]).unwrap_err();
    /// assert_eq!(error.to_string(), "the normal is (0e0, 0e0, 0e0); a plane needs a normal that points somewhere");
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn new(normal: impl Into<[f64; 3]>, point: impl Into<[f64; 3]>) -> Result<Plane, ShapeError> {
        let point = checked_point(point, "the plane's point")?;
        let normal = unit(checked_point(normal, "the normal")?)?;
        Ok(Plane::through(normal, point))
    }

    /// What follows from a plane that exists: the normal is of length 1, the point may be a little farther away.
    /// The plane with this normal, as it is, where its length is 1 but for rounding and the offset finite.
    #[cfg(feature = "std")]
    pub(crate) fn of_parts(normal: DVec3, offset: f64) -> Option<Plane> {
        let is_unit = (normal.length_squared() - 1.0).abs() <= 1e-9; // false for NaN
        (is_unit && offset.is_finite()).then_some(Plane { normal, offset })
    }

    pub(crate) fn through(normal: DVec3, point: DVec3) -> Plane {
        Plane { normal, offset: -normal.dot(point) }
    }

    /// The plane `A x + B y + C z + D = 0`. `A, B, C` have any length; all four are divided by it.
    ///
    /// # Errors
    /// As [`Plane::new`], and [`ShapeError::Offset`] where `D` is not finite, or is no more when divided. Otherwise it may be
    /// of any size: such a plane lies beyond all other shapes.
    ///
    /// ```
    /// use hitscan::shape::Plane;
    /// let plane = Plane::from_equation([0.0, 0.0, 4.0], 8.0)?;
    /// assert_eq!((plane.normal().z, plane.offset()), (1.0, 2.0));
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn from_equation(abc: impl Into<[f64; 3]>, d: f64) -> Result<Plane, ShapeError> {
        let abc = checked_point(abc, "the normal")?;
        let normal = unit(abc)?;
        let length = length(abc);
        let offset = d / length;
        if offset.is_finite() { Ok(Plane { normal, offset }) } else { Err(ShapeError::Offset { d, length }) }
    }

    /// The plane through three points; its front is the side from which they run counter-clockwise.
    ///
    /// # Errors
    /// As [`Plane::new`], and [`ShapeError::Collinear`] where the cross product of two sides comes out as 0. Points that are
    /// on a line but for a rounding error have a plane, whose normal says little.
    ///
    /// ```
    /// use hitscan::shape::{Plane, ShapeError};
    /// let plane = Plane::from_points([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])?;
    /// assert_eq!(plane.normal().to_array(), [0.0, 0.0, 1.0]);
    /// let line = Plane::from_points([0.0; 3], [1.0; 3], [2.0; 3]);
    /// assert_eq!(line, Err(ShapeError::Collinear { a: [0.0; 3], b: [1.0; 3], c: [2.0; 3] }));
    /// # Ok::<(), ShapeError>(())
    /// ```
    #[doc(alias = "D3DXPlaneFromPoints")]
    pub fn from_points(
        a: impl Into<[f64; 3]>,
        b: impl Into<[f64; 3]>,
        c: impl Into<[f64; 3]>,
    ) -> Result<Plane, ShapeError> {
        let a = checked_point(a, "the first point")?;
        let b = checked_point(b, "the second point")?;
        let c = checked_point(c, "the third point")?;
        let collinear = ShapeError::Collinear { a: a.to_array(), b: b.to_array(), c: c.to_array() };
        let normal = unit_normal(b - a, c - a).ok_or(collinear)?;
        Ok(Plane { normal, offset: -normal.dot(a) })
    }

    /// The unit normal.
    ///
    /// ```
    /// use hitscan::shape::Plane;
    /// let ground = Plane::new([0.0, 2.0, 0.0], [5.0, 1.0, -3.0])?;
    /// assert_eq!(ground.normal().to_array(), [0.0, 1.0, 0.0]);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    #[doc(alias = "vPlaneNormal")]
    pub fn normal(&self) -> DVec3 {
        self.normal
    }

    /// `D` of the equation: the distance of the origin, positive where it lies in front.
    ///
    /// ```
    /// use hitscan::shape::Plane;
    /// let ground = Plane::new([0.0, 2.0, 0.0], [5.0, 1.0, -3.0])?;
    /// assert_eq!(ground.offset(), -1.0); // y - 1 = 0
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// How far a point lies in front of the plane, in units of the world; negative behind it. Off by at most `4 * 2^-53` of the
    /// sizes of the three products and the offset together, so that of a point in the plane is seldom 0.
    ///
    /// ```
    /// use hitscan::shape::Plane;
    /// let ground = Plane::new([0.0, 2.0, 0.0], [5.0, 1.0, -3.0])?;
    /// assert_eq!((ground.signed_distance([0.0, 4.0, 0.0]), ground.signed_distance([9.0, 0.5, 9.0])), (3.0, -0.5));
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    #[doc(alias = "D3DXPlaneDotCoord")]
    pub fn signed_distance(&self, point: impl Into<[f64; 3]>) -> f64 {
        self.normal.dot(DVec3::from(point.into())) + self.offset
    }

    /// The plane with its front where its back was.
    ///
    /// ```
    /// use hitscan::shape::Plane;
    /// let ground = Plane::new([0.0, 2.0, 0.0], [5.0, 1.0, -3.0])?;
    /// assert_eq!(ground.flipped().signed_distance([0.0, 4.0, 0.0]), -3.0);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    #[must_use]
    pub fn flipped(&self) -> Plane {
        Plane { normal: -self.normal, offset: -self.offset }
    }
}

/// The unit vector along a vector of any length.
pub(crate) fn unit(v: DVec3) -> Result<DVec3, ShapeError> {
    let none = ShapeError::Normal { x: v.x, y: v.y, z: v.z };
    let largest = v.abs().max_element();
    if !(largest > 0.0 && largest.is_finite()) {
        return Err(none);
    }
    let scaled = sized(v);
    Ok(scaled / sqrt(scaled.dot(scaled)))
}

/// The vector times a power of two, so that products neither over- nor underflow.
pub(crate) fn sized(v: DVec3) -> DVec3 {
    v * (1.0 / power_of_two(v.abs().max_element()))
}

/// The unit vector along the cross product of two vectors of any lengths; `None` where they lie on a line.
pub(crate) fn unit_normal(a: DVec3, b: DVec3) -> Option<DVec3> {
    unit(sized(a).cross(sized(b))).ok()
}

/// The length of a vector, right for lengths whose square is beyond `f64`.
pub(crate) fn length(v: DVec3) -> f64 {
    let largest = v.abs().max_element();
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    let scale = power_of_two(largest);
    let scaled = v * (1.0 / scale);
    sqrt(scaled.dot(scaled)) * scale
}

/// A power of two near `x`, whose inverse is finite too; the least of them for 0.
#[inline]
pub(crate) fn power_of_two(x: f64) -> f64 {
    let exponent = (x.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    f64::from_bits(((exponent.clamp(-1020, 1020) + 1023) as u64) << 52)
}
