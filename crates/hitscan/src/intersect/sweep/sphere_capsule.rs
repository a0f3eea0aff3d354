//! Moving sphere and capsule.

use super::{Motion, Sweep, sweep_sphere_triangle};
use crate::shape::{Capsule, Sphere, Triangle};

/// When a moving sphere meets a capsule at rest, and where; see [`Sweep`].
///
/// The centre moves against a capsule of both radii together, whose sum is rounded to `f64`; otherwise as exact as
/// [`sweep_sphere_triangle`], of a triangle that is the segment.
///
/// ```
/// use hitscan::intersect::{Motion, Sweep, sweep_sphere_capsule};
/// use hitscan::shape::{Capsule, Sphere};
/// let walker = Capsule::new([0.0, 0.5, 0.0], [0.0, 1.5, 0.0], 0.5)?;
/// let snowball = Sphere::new([-4.0, 1.0, 0.0], 0.25)?;
/// let Some(Sweep::Hit { t, position, normal }) = sweep_sphere_capsule(&snowball, &Motion::new([6.5, 0.0, 0.0])?, &walker)
/// else { panic!("in the chest") };
/// assert_eq!((t, position.to_array(), normal.to_array()), (0.5, [-0.5, 1.0, 0.0], [-1.0, 0.0, 0.0]));
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
pub fn sweep_sphere_capsule(sphere: &Sphere, motion: &Motion, target: &Capsule) -> Option<Sweep> {
    let grown = Sphere::derived(sphere.centre(), sphere.radius() + target.radius());
    let segment = Triangle::derived([target.a(), target.b(), target.b()]);
    Some(sweep_sphere_triangle(&grown, motion, &segment)?.lifted(target.radius()))
}
