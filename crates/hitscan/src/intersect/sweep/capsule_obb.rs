//! Moving capsule and oriented box.

use super::polytope::sweep_capsule_polytope;
use super::{Motion, Sweep};
use crate::shape::{Capsule, Obb};

/// When a moving capsule meets a solid oriented box at rest, and where; see [`Sweep`].
///
/// As [`sweep_capsule_aabb`](super::sweep_capsule_aabb), against the triangles between the box's eight corners, which are rounded to `f64`.
///
/// ```
/// use hitscan::glam::{DMat3, DVec3};
/// use hitscan::intersect::{Motion, Sweep, sweep_capsule_obb};
/// use hitscan::shape::{Capsule, Obb};
/// let turned = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z); // a quarter turn
/// let plank = Obb::new([0.0; 3], turned, [2.0, 0.5, 0.5])?;
/// let rod = Capsule::new([-3.0, 5.0, 0.0], [3.0, 5.0, 0.0], 1.0)?;
/// let hit = sweep_capsule_obb(&rod, &Motion::new([0.0, -4.0, 0.0])?, &plank);
/// assert!(matches!(hit, Some(Sweep::Hit { t: 0.5, normal, .. }) if normal == DVec3::Y));
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
pub fn sweep_capsule_obb(capsule: &Capsule, motion: &Motion, bounds: &Obb) -> Option<Sweep> {
    sweep_capsule_polytope(capsule, motion, bounds)
}
