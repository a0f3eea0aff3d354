//! Moving capsule and sphere.

use super::{Motion, Sweep, sweep_capsule_triangle};
use crate::shape::{Capsule, Sphere, Triangle};

/// When a moving capsule meets a sphere at rest, and where; see [`Sweep`].
///
/// A capsule of both radii together, whose sum is rounded to `f64`, moves against the sphere's centre; otherwise as exact as
/// [`sweep_capsule_triangle`], of a triangle whose corners are all there. Where the centre lies on the segment, the normal is
/// some direction across it.
///
/// ```
/// use hitscan::intersect::{Motion, Sweep, sweep_capsule_sphere};
/// use hitscan::shape::{Capsule, Sphere};
/// let bat = Capsule::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.25)?;
/// let ball = Sphere::new([0.5, 0.0, 2.0], 0.25)?;
/// let Some(Sweep::Hit { t, position, .. }) = sweep_capsule_sphere(&bat, &Motion::new([0.0, 0.0, 3.0])?, &ball)
/// else { panic!("in the middle") };
/// assert_eq!((t, position.to_array()), (0.5, [0.5, 0.0, 1.75]));
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
pub fn sweep_capsule_sphere(capsule: &Capsule, motion: &Motion, target: &Sphere) -> Option<Sweep> {
    let grown = Capsule::derived(capsule.a(), capsule.b(), capsule.radius() + target.radius());
    let point = Triangle::derived([target.centre(); 3]);
    Some(sweep_capsule_triangle(&grown, motion, &point)?.lifted(target.radius()))
}
