//! Moving capsule and axis-aligned box.

use super::polytope::sweep_capsule_polytope;
use super::{Motion, Sweep};
use crate::shape::{Aabb, Capsule};

/// When a moving capsule meets a solid box at rest, and where; see [`Sweep`].
///
/// A capsule whose segment reaches into the box touches it; the depth is that of the shortest way out: through one of the faces, the first
/// by the lowest axis and its lower end, or, if that is shorter by more than `2^-36` of the sizes, over an edge, at right angles to it and
/// to the segment. The position is then the point of the box that is nearest to the segment once it is out. Otherwise the box is met at its
/// surface, which is triangles, as exactly as [`sweep_capsule_triangle`](super::sweep_capsule_triangle) says.
///
/// ```
/// use hitscan::intersect::{Motion, Sweep, sweep_capsule_aabb};
/// use hitscan::shape::{Aabb, Capsule};
/// let crate_ = Aabb::new([0.0; 3], [2.0; 3])?;
/// let walker = Capsule::new([-3.0, 0.5, 1.0], [-3.0, 1.5, 1.0], 0.5)?;
/// let Some(Sweep::Hit { t, normal, .. }) = sweep_capsule_aabb(&walker, &Motion::new([5.0, 0.0, 0.0])?, &crate_)
/// else { panic!("into its side") };
/// assert_eq!((t, normal.to_array()), (0.5, [-1.0, 0.0, 0.0]));
/// let stuck = Capsule::new([-1.0, 1.0, 1.0], [0.25, 1.0, 1.0], 0.5)?;
/// let contact = sweep_capsule_aabb(&stuck, &Motion::new([0.0; 3])?, &crate_);
/// assert!(matches!(contact, Some(Sweep::Touching { depth: 0.75, normal, .. }) if normal.x == -1.0));
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
pub fn sweep_capsule_aabb(capsule: &Capsule, motion: &Motion, bounds: &Aabb) -> Option<Sweep> {
    sweep_capsule_polytope(capsule, motion, bounds)
}
