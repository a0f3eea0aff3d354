//! Moving sphere and convex hull.

use super::{Motion, Sweep, sweep_sphere_triangle};
use crate::shape::{ConvexHull, Sphere, Triangle};

/// When a moving sphere meets a solid convex hull at rest, and where; see [`Sweep`].
///
/// A centre inside of the hull touches it, and the normal is that of the nearest face, the first of several. Otherwise the hull is
/// met at its surface, which is triangles: for a hull of points between these very points, as exact as
/// [`sweep_sphere_triangle`]. The corners of a hull of planes are off by what rounding moves them, about `2^-46` of their distance from the origin of coordinates.
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
    let centre = sphere.centre();
    if hull.contains(centre) {
        let depths = hull.planes().iter().map(|plane| ((-plane.signed_distance(centre)).max(0.0), plane));
        let (depth, plane) = depths.reduce(|best, other| if other.0 < best.0 { other } else { best })?;
        let normal = plane.normal();
        let position = centre + normal * depth;
        return Some(Sweep::Touching { depth: sphere.radius() + depth, position, normal });
    }
    let surface = hull.surface();
    let triangles = surface.iter().map(|&corners| Triangle::derived(corners));
    Sweep::first(triangles.filter_map(|triangle| sweep_sphere_triangle(sphere, motion, &triangle)))
}
