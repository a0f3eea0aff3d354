//! Oriented bounding box.

use glam::{DMat3, DVec3};

use super::{ShapeError, checked_point};
use crate::ray::MAX_COORDINATE;

/// A box whose sides lie along three axes of its own; its surface belongs to it.
///
/// ```
/// use hitscan::glam::{DMat3, DVec3};
/// use hitscan::shape::Obb;
/// let turned = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z); // a quarter turn
/// let plank = Obb::new([0.0; 3], turned, [2.0, 0.5, 0.1])?;
/// assert!(plank.contains([0.0, 1.9, 0.0]) && !plank.contains([1.9, 0.0, 0.0]));
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
#[doc(alias = "OOBB")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb {
    centre: DVec3,
    /// Columns.
    axes: DMat3,
    half: DVec3,
}

/// How far the dot products of the axes may be from those of perfect ones: what a rotation made in `f32` has.
const TOLERANCE: f64 = 1e-6;

impl Obb {
    /// The box around `centre` that reaches `half` along each of the axes, the columns of `axes`. They are of length 1 and
    /// at right angles, up to the rounding of a rotation made in `f32`; left-handed ones are allowed.
    ///
    /// # Errors
    /// [`ShapeError::Coordinate`], [`ShapeError::Axes`] and [`ShapeError::HalfSize`].
    ///
    /// ```
    /// use hitscan::glam::{DMat3, DVec3};
    /// use hitscan::shape::Obb;
    /// let turned = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z); // a quarter turn
    /// assert!(Obb::new([0.0; 3], turned, [2.0, 0.5, 0.1]).is_ok());
    /// let flat = Obb::new([0.0; 3], turned, [2.0, 0.0, 0.1]).unwrap_err().to_string();
    /// assert_eq!(flat, "half the size along axis 1 is 0.0; an oriented box needs sizes above 0 and at most 2^100");
    /// let slanted = DMat3::from_cols(DVec3::X, DVec3::ONE, DVec3::Z);
    /// assert!(Obb::new([0.0; 3], slanted, [1.0; 3]).is_err());
    /// ```
    pub fn new(
        centre: impl Into<[f64; 3]>,
        axes: DMat3,
        half: impl Into<[f64; 3]>,
    ) -> Result<Obb, ShapeError> {
        let centre = checked_point(centre, "the centre")?;
        let columns = [axes.x_axis, axes.y_axis, axes.z_axis];
        for (column, name) in columns.into_iter().zip(["axis 0", "axis 1", "axis 2"]) {
            checked_point(column, name)?;
        }
        for first in 0..3 {
            for second in first..3 {
                let dot = columns[first].dot(columns[second]);
                let expected = if first == second { 1.0 } else { 0.0 };
                let right = (dot - expected).abs() <= TOLERANCE; // false for NaN
                if !right {
                    return Err(ShapeError::Axes { first, second, dot });
                }
            }
        }
        let half: [f64; 3] = half.into();
        for (axis, half) in half.into_iter().enumerate() {
            if !(half > 0.0 && half <= MAX_COORDINATE) {
                return Err(ShapeError::HalfSize { axis, half });
            }
        }
        Ok(Obb { centre, axes, half: half.into() })
    }

    /// The middle.
    ///
    /// ```
    /// use hitscan::glam::{DMat3, DVec3};
    /// use hitscan::shape::Obb;
    /// let turned = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z); // a quarter turn
    /// let plank = Obb::new([7.0, 0.0, 0.0], turned, [2.0, 0.5, 0.1])?;
    /// assert_eq!(plank.centre().to_array(), [7.0, 0.0, 0.0]);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn centre(&self) -> DVec3 {
        self.centre
    }

    /// The axes, as columns.
    ///
    /// ```
    /// use hitscan::glam::{DMat3, DVec3};
    /// use hitscan::shape::Obb;
    /// let turned = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z); // a quarter turn
    /// let plank = Obb::new([7.0, 0.0, 0.0], turned, [2.0, 0.5, 0.1])?;
    /// assert_eq!(plank.axes().x_axis, DVec3::Y); // its first axis
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn axes(&self) -> DMat3 {
        self.axes
    }

    /// Half the size along each axis.
    ///
    /// ```
    /// use hitscan::glam::{DMat3, DVec3};
    /// use hitscan::shape::Obb;
    /// let turned = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z); // a quarter turn
    /// let plank = Obb::new([7.0, 0.0, 0.0], turned, [2.0, 0.5, 0.1])?;
    /// assert_eq!(plank.half().to_array(), [2.0, 0.5, 0.1]);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn half(&self) -> DVec3 {
        self.half
    }

    /// A point in the frame of the box: its centre is the origin, and each coordinate the dot product with an axis.
    ///
    /// ```
    /// use hitscan::glam::{DMat3, DVec3};
    /// use hitscan::shape::Obb;
    /// let turned = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z); // a quarter turn
    /// let plank = Obb::new([7.0, 0.0, 0.0], turned, [2.0, 0.5, 0.1])?;
    /// assert_eq!(plank.local([7.0, 2.0, 0.1]).to_array(), [2.0, 0.0, 0.1]); // on its first face
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn local(&self, point: impl Into<[f64; 3]>) -> DVec3 {
        self.axes.transpose() * (DVec3::from(point.into()) - self.centre)
    }
}
