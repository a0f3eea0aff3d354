//! Moving sphere and sphere.

use super::{Motion, Sweep, sweep_sphere_triangle};
use crate::shape::{Sphere, Triangle};

/// When a moving sphere meets one at rest, and where; see [`Sweep`]. Two balls that both move: [`Motion::relative_to`].
///
/// The centre moves against a ball of both radii together, whose sum is rounded to `f64`; otherwise as exact as
/// [`sweep_sphere_triangle`], of a triangle whose corners are all in the centre at rest. Where both centres are at one place,
/// the normal is some direction.
///
/// ```
/// use hitscan::intersect::{Motion, Sweep, sweep_sphere_sphere};
/// use hitscan::shape::Sphere;
/// let (cue, ball) = (Sphere::new([0.0; 3], 0.25)?, Sphere::new([2.0, 0.0, 0.0], 0.25)?);
/// let Some(Sweep::Hit { t, position, .. }) = sweep_sphere_sphere(&cue, &Motion::new([3.0, 0.0, 0.0])?, &ball)
/// else { panic!("head on") };
/// assert_eq!((t, position.to_array()), (0.5, [1.75, 0.0, 0.0]));
/// assert!(sweep_sphere_sphere(&cue, &Motion::new([-3.0, 0.0, 0.0])?, &ball).is_none());
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
pub fn sweep_sphere_sphere(sphere: &Sphere, motion: &Motion, target: &Sphere) -> Option<Sweep> {
    let grown = Sphere::derived(sphere.centre(), sphere.radius() + target.radius());
    let point = Triangle::derived([target.centre(); 3]);
    Some(sweep_sphere_triangle(&grown, motion, &point)?.lifted(target.radius()))
}
