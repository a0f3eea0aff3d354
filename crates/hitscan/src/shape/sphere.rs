//! Sphere.

use glam::DVec3;

use super::{ShapeError, checked_point};
use crate::ray::MAX_COORDINATE;

/// The points within `radius` of `centre`; its surface belongs to it.
///
/// ```
/// use hitscan::shape::Sphere;
/// let ball = Sphere::new([1.0, 0.0, 0.0], 2.0)?;
/// assert!(ball.contains([3.0, 0.0, 0.0]));
/// assert!(Sphere::new([0.0; 3], 0.0).is_err());
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
#[doc(alias = "BoundingSphere")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    centre: DVec3,
    radius: f64,
}

impl Sphere {
    /// The sphere around `centre`.
    ///
    /// # Errors
    /// [`ShapeError::Coordinate`], and [`ShapeError::Radius`] for a radius that is NaN, infinite, beyond 2^100 or not
    /// above 0.
    ///
    /// ```
    /// use hitscan::shape::Sphere;
    /// assert!(Sphere::new([1.0, 2.0, 3.0], 0.5).is_ok());
    /// let error = Sphere::new([0.0; 3], -2.0).unwrap_err();
    /// assert_eq!(error.to_string(), "the radius is -2.0; a sphere or a capsule needs one above 0 and at most 2^100");
    /// ```
    pub fn new(centre: impl Into<[f64; 3]>, radius: f64) -> Result<Sphere, ShapeError> {
        let centre = checked_point(centre, "the centre")?;
        if radius > 0.0 && radius <= MAX_COORDINATE {
            Ok(Sphere { centre, radius })
        } else {
            Err(ShapeError::Radius { radius })
        }
    }

    /// What follows from shapes that exist, with a radius that may be a little larger than theirs.
    pub(crate) fn derived(centre: DVec3, radius: f64) -> Sphere {
        Sphere { centre, radius }
    }

    /// The middle.
    ///
    /// ```
    /// use hitscan::shape::Sphere;
    /// assert_eq!(Sphere::new([1.0, 2.0, 3.0], 0.5)?.centre().to_array(), [1.0, 2.0, 3.0]);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn centre(&self) -> DVec3 {
        self.centre
    }

    /// In units of the world, above 0.
    ///
    /// ```
    /// use hitscan::shape::Sphere;
    /// assert_eq!(Sphere::new([0.0; 3], 0.5)?.radius(), 0.5);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn radius(&self) -> f64 {
        self.radius
    }
}
