//! Moving capsule and capsule.

use super::{Motion, Sweep, sweep_capsule_triangle};
use crate::shape::{Capsule, Triangle};

/// When a moving capsule meets one at rest, and where; see [`Sweep`]. Two that both move: [`Motion::relative_to`].
///
/// A capsule of both radii together, whose sum is rounded to `f64`, moves against the other's segment; otherwise as exact as
/// [`sweep_capsule_triangle`], of a triangle that is the segment. Where both segments cross, the normal is one across both.
///
/// ```
/// use hitscan::intersect::{Motion, Sweep, sweep_capsule_capsule};
/// use hitscan::shape::Capsule;
/// let sword = Capsule::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.25)?;
/// let other = Capsule::new([0.0, -1.0, 2.0], [0.0, 1.0, 2.0], 0.25)?;
/// let Some(Sweep::Hit { t, position, .. }) = sweep_capsule_capsule(&sword, &Motion::new([0.0, 0.0, 3.0])?, &other)
/// else { panic!("they cross") };
/// assert_eq!((t, position.to_array()), (0.5, [0.0, 0.0, 1.75]));
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
pub fn sweep_capsule_capsule(capsule: &Capsule, motion: &Motion, target: &Capsule) -> Option<Sweep> {
    let grown = Capsule::derived(capsule.a(), capsule.b(), capsule.radius() + target.radius());
    let segment = Triangle::derived([target.a(), target.b(), target.b()]);
    Some(sweep_capsule_triangle(&grown, motion, &segment)?.lifted(target.radius()))
}
