//! Shapes that a ray can be tested against one at a time, in `f64` world space.
//!
//! A shape that exists is sound: its numbers are finite, those that it is made of at most 2^100 (only a plane may lie farther
//! from the origin of coordinates), its normal points somewhere, its radius is positive, its box has a volume. What is not is
//! refused by the constructor with a [`ShapeError`] that names the value, so
//! the tests in [`intersect`](crate::intersect) cannot fail.
//!
//! ```
//! use hitscan::intersect::ray_sphere;
//! use hitscan::shape::{ShapeError, Sphere};
//! use hitscan::Ray;
//!
//! let can = Sphere::new([0.0, 0.0, 0.0], 0.5)?;
//! let bullet = Ray::between([-3.0, 0.0, 0.0], [3.0, 0.0, 0.0])?;
//! assert!(ray_sphere(&bullet, &can).is_some());
//! assert_eq!(Sphere::new([0.0; 3], -1.0), Err(ShapeError::Radius { radius: -1.0 }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aabb;
mod capsule;
pub(crate) mod convex;
mod error;
pub(crate) mod frustum;
mod hull;
mod obb;
pub(crate) mod plane;
mod sphere;
mod triangle;

pub use aabb::Aabb;
pub use capsule::Capsule;
pub use convex::ConvexHull;
#[cfg(feature = "std")]
pub(crate) use convex::HullParts;
pub use error::ShapeError;
pub use frustum::Frustum;
pub use obb::Obb;
pub use plane::Plane;
pub use sphere::Sphere;
pub use triangle::Triangle;

use glam::DVec3;

use crate::ray::MAX_COORDINATE;

/// A point whose coordinates are numbers within 2^100; `what` is what errors call it.
pub(crate) fn checked_point(point: impl Into<[f64; 3]>, what: &'static str) -> Result<DVec3, ShapeError> {
    let point: [f64; 3] = point.into();
    for (axis, value) in ['x', 'y', 'z'].into_iter().zip(point) {
        let in_range = value.abs() <= MAX_COORDINATE; // false for NaN
        if !in_range {
            return Err(ShapeError::Coordinate { what, axis, value });
        }
    }
    Ok(point.into())
}
