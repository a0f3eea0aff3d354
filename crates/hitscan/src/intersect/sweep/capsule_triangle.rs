//! Moving capsule and triangle.

use super::drawn::Drawn;
use super::{Motion, Sweep, sweep_sphere_triangle};
use crate::shape::{Capsule, Sphere, Triangle};

/// When a moving capsule meets a triangle, and where: a character that walks, a bone, a stick. It keeps its direction while it
/// moves. A triangle whose corners lie on a line is the segment, or the point, that they are.
///
/// What touching, hitting and missing mean is said in [`Sweep`], and decided as [`sweep_sphere_triangle`] decides it: the capsule's end A
/// is the centre of a sphere that moves against all places at which the segment has a point on the triangle, a prism.
/// Its corners, those of the triangle less the way from A to B, are rounded to `f64`; from there on its
/// accuracy holds. Where the segment goes through the triangle at the start, which is exact, the depth is the shortest way that
/// parts them. Where they touch along a line, the position is one point of it.
///
/// ```
/// use hitscan::intersect::{Motion, Sweep, sweep_capsule_triangle};
/// use hitscan::shape::{Capsule, Triangle};
/// let step = Triangle::new([-9.0, 0.0, 9.0], [9.0, 0.0, 9.0], [0.0, 0.0, -9.0])?;
/// let walker = Capsule::new([0.0, 2.5, 0.0], [0.0, 3.5, 0.0], 0.5)?;
/// let Some(Sweep::Hit { t, position, normal }) = sweep_capsule_triangle(&walker, &Motion::new([0.0, -4.0, 0.0])?, &step)
/// else { panic!("onto its feet") };
/// assert_eq!((t, position.to_array(), normal.to_array()), (0.5, [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]));
/// let stuck = Capsule::new([0.0, -0.25, 0.0], [0.0, 0.75, 0.0], 0.5)?;
/// let contact = sweep_capsule_triangle(&stuck, &Motion::new([0.0; 3])?, &step);
/// assert!(matches!(contact, Some(Sweep::Touching { depth: 0.75, normal, .. }) if normal.y == 1.0));
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
pub fn sweep_capsule_triangle(capsule: &Capsule, motion: &Motion, triangle: &Triangle) -> Option<Sweep> {
    if capsule.a() == capsule.b() {
        return sweep_sphere_triangle(&Sphere::derived(capsule.a(), capsule.radius()), motion, triangle);
    }
    Drawn::new(capsule, triangle).swept(motion)
}
