//! How far something moves.

use glam::DVec3;

use crate::shape::ShapeError;
use crate::shape::checked_point;

/// A straight and steady motion, from where a shape is at `t = 0` to where it is at `t = 1`. It may be none at all.
///
/// ```
/// use hitscan::intersect::Motion;
/// let step = Motion::new([3.0, 0.0, -1.0])?;
/// assert_eq!(step.by().to_array(), [3.0, 0.0, -1.0]);
/// assert!(Motion::new([0.0; 3]).is_ok()); // at rest
/// assert_eq!(
///     Motion::new([0.0, f64::NAN, 0.0]).unwrap_err().to_string(),
///     "the motion: y is NaN; a shape needs finite coordinates of at most 2^100"
/// );
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    by: DVec3,
}

impl Motion {
    /// At rest.
    pub(crate) const NONE: Motion = Motion { by: DVec3::ZERO };

    /// From where it is to `by` beside it.
    ///
    /// # Errors
    /// [`ShapeError::Coordinate`].
    ///
    /// ```
    /// use hitscan::intersect::Motion;
    /// assert!(Motion::new([1.0, 2.0, 3.0]).is_ok());
    /// assert!(Motion::new([f64::INFINITY, 0.0, 0.0]).is_err());
    /// ```
    pub fn new(by: impl Into<[f64; 3]>) -> Result<Motion, ShapeError> {
        Ok(Motion { by: checked_point(by, "the motion")? })
    }

    /// How far it goes along each axis.
    ///
    /// ```
    /// use hitscan::intersect::Motion;
    /// assert_eq!(Motion::new([1.0, 2.0, 3.0])?.by().to_array(), [1.0, 2.0, 3.0]);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn by(&self) -> DVec3 {
        self.by
    }

    /// The motion as seen from something that moves too: where both move during a frame, sweep the one by this against the
    /// other at rest. The time of contact is the same; add what the other has moved by then to the position.
    ///
    /// # Errors
    /// [`ShapeError::Coordinate`] for a difference beyond 2^100.
    ///
    /// ```
    /// use hitscan::intersect::{Motion, Sweep, sweep_sphere_capsule};
    /// use hitscan::shape::{Capsule, Sphere};
    /// // A bullet flies along x, 400 m a frame; a can falls 2 m in it.
    /// let (bullet, flight) = (Sphere::new([-200.0, 0.0, 0.0], 0.0625)?, Motion::new([400.0, 0.0, 0.0])?);
    /// let (can, fall) = (Capsule::new([0.0, 0.875, 0.0], [0.0, 1.125, 0.0], 0.0625)?, Motion::new([0.0, -2.0, 0.0])?);
    /// assert_eq!(sweep_sphere_capsule(&bullet, &flight, &can), None); // where it was
    /// let hit = sweep_sphere_capsule(&bullet, &flight.relative_to(&fall)?, &can);
    /// let Some(Sweep::Hit { t, position, .. }) = hit else { panic!("halfway") };
    /// assert!((t - 0.5).abs() < 0.001);
    /// assert!((position + fall.by() * t).y.abs() < 0.07); // where it is hit
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    #[doc(alias = "relative velocity")]
    pub fn relative_to(&self, other: &Motion) -> Result<Motion, ShapeError> {
        Ok(Motion { by: checked_point(self.by - other.by, "the relative motion")? })
    }
}
