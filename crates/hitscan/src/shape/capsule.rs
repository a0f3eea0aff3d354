//! Capsule.

use glam::DVec3;

use super::{ShapeError, checked_point};
use crate::ray::MAX_COORDINATE;

/// The points within `radius` of the segment from `a` to `b`; its surface belongs to it. Where both ends are at one
/// place it is a sphere.
///
/// ```
/// use hitscan::shape::Capsule;
/// let walker = Capsule::new([0.0, 0.5, 0.0], [0.0, 1.5, 0.0], 0.5)?; // 2 high, 1 wide
/// assert!(walker.contains([0.0, 2.0, 0.0]) && walker.contains([0.5, 1.0, 0.0]));
/// assert!(!walker.contains([0.5, 2.0, 0.0]));
/// assert!(Capsule::new([0.0; 3], [1.0; 3], 0.0).is_err());
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
#[doc(alias = "swept sphere")]
#[doc(alias = "sphylinder")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    a: DVec3,
    b: DVec3,
    radius: f64,
}

impl Capsule {
    /// The capsule around the segment from `a` to `b`.
    ///
    /// # Errors
    /// [`ShapeError::Coordinate`], and [`ShapeError::Radius`] for a radius that is NaN, infinite, beyond 2^100 or not
    /// above 0.
    ///
    /// ```
    /// use hitscan::shape::Capsule;
    /// assert!(Capsule::new([0.0; 3], [0.0; 3], 1.0).is_ok()); // a sphere
    /// let error = Capsule::new([0.0; 3], [0.0, f64::NAN, 0.0], 1.0).unwrap_err();
    /// assert_eq!(error.to_string(), "the end B: y is NaN; a shape needs finite coordinates of at most 2^100");
    /// ```
    pub fn new(a: impl Into<[f64; 3]>, b: impl Into<[f64; 3]>, radius: f64) -> Result<Capsule, ShapeError> {
        let a = checked_point(a, "the end A")?;
        let b = checked_point(b, "the end B")?;
        if radius > 0.0 && radius <= MAX_COORDINATE {
            Ok(Capsule { a, b, radius })
        } else {
            Err(ShapeError::Radius { radius })
        }
    }

    /// What follows from shapes that exist, with a radius that may be a little larger than theirs.
    pub(crate) fn derived(a: DVec3, b: DVec3, radius: f64) -> Capsule {
        Capsule { a, b, radius }
    }

    /// The first end of the segment, the centre of one cap.
    ///
    /// ```
    /// use hitscan::shape::Capsule;
    /// assert_eq!(Capsule::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], 0.5)?.a().to_array(), [1.0, 2.0, 3.0]);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn a(&self) -> DVec3 {
        self.a
    }

    /// The other end of the segment, the centre of the other cap.
    ///
    /// ```
    /// use hitscan::shape::Capsule;
    /// assert_eq!(Capsule::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], 0.5)?.b().to_array(), [4.0, 5.0, 6.0]);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn b(&self) -> DVec3 {
        self.b
    }

    /// In units of the world, above 0.
    ///
    /// ```
    /// use hitscan::shape::Capsule;
    /// assert_eq!(Capsule::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], 0.5)?.radius(), 0.5);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn radius(&self) -> f64 {
        self.radius
    }
}
