//! Moving capsule and plane.

use super::{Motion, Sweep, sweep_sphere_plane};
use crate::exact::sign_of;
use crate::shape::convex::height_over;
use crate::shape::{Capsule, Plane, Sphere};

/// When a moving capsule meets a plane, from whichever side, and where; see [`Sweep`].
///
/// Each end is a sphere, and the first that meets it decides, as exactly as [`sweep_sphere_plane`]; of two at once, A. Ends on
/// both sides touch the plane, which is exact too, and part from it on the side from which less of the capsule reaches
/// through; of equal ones its front.
///
/// ```
/// use hitscan::intersect::{Motion, Sweep, sweep_capsule_plane};
/// use hitscan::shape::{Capsule, Plane};
/// let ground = Plane::new([0.0, 1.0, 0.0], [0.0; 3])?;
/// let pole = Capsule::new([0.0, 5.0, 0.0], [2.0, 3.0, 0.0], 1.0)?;
/// let Some(Sweep::Hit { t, position, .. }) = sweep_capsule_plane(&pole, &Motion::new([0.0, -4.0, 0.0])?, &ground)
/// else { panic!("with its lower end") };
/// assert_eq!((t, position.to_array()), (0.5, [2.0, 0.0, 0.0]));
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
pub fn sweep_capsule_plane(capsule: &Capsule, motion: &Motion, plane: &Plane) -> Option<Sweep> {
    let ends = [capsule.a(), capsule.b()];
    let sides = ends.map(|end| sign_of!(height_over(plane, end)));
    if sides[0] != sides[1] {
        let heights = ends.map(|end| plane.signed_distance(end));
        let below = if heights[0] < heights[1] { [0, 1] } else { [1, 0] };
        let (up, down) = (-heights[below[0]], heights[below[1]]);
        let (way, end, normal) =
            if up <= down { (up, below[0], plane.normal()) } else { (down, below[1], -plane.normal()) };
        let position = ends[end] - plane.normal() * heights[end];
        // A height that is rounded may be on the other side.
        return Some(Sweep::Touching { depth: capsule.radius() + way.max(0.0), position, normal });
    }
    let spheres = ends.map(|end| Sphere::derived(end, capsule.radius()));
    Sweep::first(spheres.iter().filter_map(|sphere| sweep_sphere_plane(sphere, motion, plane)))
}
