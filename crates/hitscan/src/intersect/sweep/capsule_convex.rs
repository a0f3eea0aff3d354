//! Moving capsule and convex hull.

use super::polytope::sweep_capsule_polytope;
use super::{Motion, Sweep};
use crate::shape::{Capsule, ConvexHull};

/// When a moving capsule meets a solid convex hull at rest, and where; see [`Sweep`].
///
/// As [`sweep_capsule_aabb`](super::sweep_capsule_aabb), against the triangles of the hull; of a hull of planes as
/// [`sweep_sphere_convex`](super::sweep_sphere_convex) says.
///
/// ```
/// use hitscan::intersect::{Motion, Sweep, sweep_capsule_convex};
/// use hitscan::shape::{Capsule, ConvexHull};
/// let tent = ConvexHull::from_points([
///     [-1.0, 0.0, -1.0], [1.0, 0.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [0.0, 2.0, 0.0],
/// ])?;
/// let pole = Capsule::new([-3.0, 5.0, 0.0], [3.0, 5.0, 0.0], 1.0)?;
/// let hit = sweep_capsule_convex(&pole, &Motion::new([0.0, -4.0, 0.0])?, &tent);
/// assert!(matches!(hit, Some(Sweep::Hit { t: 0.5, position, .. }) if position.to_array() == [0.0, 2.0, 0.0]));
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
pub fn sweep_capsule_convex(capsule: &Capsule, motion: &Motion, hull: &ConvexHull) -> Option<Sweep> {
    sweep_capsule_polytope(capsule, motion, hull)
}
