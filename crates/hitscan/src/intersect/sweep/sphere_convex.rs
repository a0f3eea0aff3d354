//! Moving sphere and convex hull.

use super::polytope::leads_inwards;
use super::{Motion, Sweep, sweep_sphere_triangle};
use crate::shape::{ConvexHull, Sphere, Triangle};

/// When a moving sphere meets a solid convex hull at rest, and where; see [`Sweep`].
///
/// A centre inside of the hull, or on its surface but for rounding, touches it, and the normal is that of the nearest face, the first of
/// several. Otherwise the hull is met at its surface, which is triangles: for a hull of points between these very points, as exact as
/// [`sweep_sphere_triangle`]. That of a hull of planes is off by what rounding moves them, about `2^-46` of their distance from the origin of coordinates;
/// a corner of planes that meet at a small angle by as much more along them as that is small.
///
/// ```
/// use hitscan::intersect::{Motion, Sweep, sweep_sphere_convex};
/// use hitscan::shape::{ConvexHull, Sphere};
/// let tent = ConvexHull::from_points([
///     [-1.0, 0.0, -1.0], [1.0, 0.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [0.0, 2.0, 0.0],
/// ])?;
/// let ball = Sphere::new([0.0, 5.0, 0.0], 1.0)?;
/// let Some(Sweep::Hit { t, position, normal }) = sweep_sphere_convex(&ball, &Motion::new([0.0, -4.0, 0.0])?, &tent)
/// else { panic!("onto the tip") };
/// assert_eq!((t, position.to_array(), normal.to_array()), (0.5, [0.0, 2.0, 0.0], [0.0, 1.0, 0.0]));
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
pub fn sweep_sphere_convex(sphere: &Sphere, motion: &Motion, hull: &ConvexHull) -> Option<Sweep> {
    let (centre, radius) = (sphere.centre(), sphere.radius());
    if !hull.contains(centre) {
        let triangles = hull.surface().iter().map(|&corners| Triangle::derived(corners));
        let first =
            Sweep::first(triangles.filter_map(|triangle| sweep_sphere_triangle(sphere, motion, &triangle)));
        if !first.is_some_and(|first| leads_inwards(&first, radius, hull)) {
            return first;
        }
    }
    let depths = hull.planes().iter().map(|plane| ((-plane.signed_distance(centre)).max(0.0), plane));
    let (depth, plane) = depths.reduce(|best, other| if other.0 < best.0 { other } else { best })?;
    let normal = plane.normal();
    Some(Sweep::Touching { depth: radius + depth, position: centre + normal * depth, normal })
}
