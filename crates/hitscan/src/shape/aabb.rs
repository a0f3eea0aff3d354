//! Axis-aligned bounding box.

use glam::DVec3;

use super::{ShapeError, checked_point};

/// The box between two corners, sides along the axes; its surface belongs to it.
///
/// ```
/// use hitscan::shape::Aabb;
/// let crate_ = Aabb::new([0.0, 0.0, 0.0], [2.0, 1.0, 1.0])?;
/// assert!(crate_.contains([2.0, 0.5, 0.0])); // on a face
/// assert_eq!(crate_.centre().to_array(), [1.0, 0.5, 0.5]);
/// assert!(Aabb::new([0.0; 3], [1.0, -1.0, 1.0]).is_err());
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
#[doc(alias = "AABB")]
#[doc(alias = "BoundingBox")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    low: DVec3,
    high: DVec3,
}

impl Aabb {
    /// The box from `low` to `high`.
    ///
    /// # Errors
    /// [`ShapeError::Coordinate`], and [`ShapeError::Bounds`] where it would be flat or inside out.
    ///
    /// ```
    /// use hitscan::shape::Aabb;
    /// assert!(Aabb::new([0.0; 3], [1.0, 2.0, 3.0]).is_ok());
    /// let inverted = Aabb::new([0.0, 5.0, 0.0], [1.0, 2.0, 3.0]).unwrap_err();
    /// assert_eq!(inverted.to_string(), "y goes from 5.0 to 2.0; a box needs low < high on each axis");
    /// ```
    pub fn new(low: impl Into<[f64; 3]>, high: impl Into<[f64; 3]>) -> Result<Aabb, ShapeError> {
        let low = checked_point(low, "the low corner")?;
        let high = checked_point(high, "the high corner")?;
        for (i, axis) in ['x', 'y', 'z'].into_iter().enumerate() {
            if low[i] >= high[i] {
                return Err(ShapeError::Bounds { axis, low: low[i], high: high[i] });
            }
        }
        Ok(Aabb { low, high })
    }

    /// The lowest corner.
    ///
    /// ```
    /// use hitscan::shape::Aabb;
    /// let bounds = Aabb::new([0.0, 1.0, 2.0], [4.0, 5.0, 8.0])?;
    /// assert_eq!(bounds.low().to_array(), [0.0, 1.0, 2.0]);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn low(&self) -> DVec3 {
        self.low
    }

    /// The highest corner.
    ///
    /// ```
    /// use hitscan::shape::Aabb;
    /// let bounds = Aabb::new([0.0, 1.0, 2.0], [4.0, 5.0, 8.0])?;
    /// assert_eq!(bounds.high().to_array(), [4.0, 5.0, 8.0]);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn high(&self) -> DVec3 {
        self.high
    }

    /// The middle.
    ///
    /// ```
    /// use hitscan::shape::Aabb;
    /// let bounds = Aabb::new([0.0, 1.0, 2.0], [4.0, 5.0, 8.0])?;
    /// assert_eq!(bounds.centre().to_array(), [2.0, 3.0, 5.0]);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn centre(&self) -> DVec3 {
        self.low + (self.high - self.low) * 0.5
    }
}
