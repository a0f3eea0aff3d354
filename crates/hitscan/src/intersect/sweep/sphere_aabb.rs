//! Moving sphere and axis-aligned box.

use glam::DVec3;

use super::solid::{corners_of_aabb, sweep_box};
use super::{Motion, Sweep};
use crate::shape::plane::unit;
use crate::shape::{Aabb, Sphere};

/// When a moving sphere meets a solid box at rest, and where; see [`Sweep`].
///
/// A centre inside of the box touches it, and the normal is that of the nearest face, by the lowest axis and its lower end
/// first. Otherwise the box is met at its surface, as exactly as [`sweep_sphere_triangle`](super::sweep_sphere_triangle) says.
///
/// Source: Ericson, Real-Time Collision Detection, 2005, section 5.5.7.
///
/// ```
/// use hitscan::intersect::{Motion, Sweep, sweep_sphere_aabb};
/// use hitscan::shape::{Aabb, Sphere};
/// let crate_ = Aabb::new([0.0; 3], [2.0; 3])?;
/// let ball = Sphere::new([1.0, 4.0, 1.0], 0.5)?;
/// let Some(Sweep::Hit { t, position, normal }) = sweep_sphere_aabb(&ball, &Motion::new([0.0, -3.0, 0.0])?, &crate_)
/// else { panic!("onto the lid") };
/// assert_eq!((t, position.to_array(), normal.to_array()), (0.5, [1.0, 2.0, 1.0], [0.0, 1.0, 0.0]));
/// // Past a corner, which the grown box would have met.
/// let beside = Sphere::new([-0.375, 4.0, -0.375], 0.5)?;
/// assert!(sweep_sphere_aabb(&beside, &Motion::new([0.0, -8.0, 0.0])?, &crate_).is_none());
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
pub fn sweep_sphere_aabb(sphere: &Sphere, motion: &Motion, bounds: &Aabb) -> Option<Sweep> {
    let (low, high, centre) = (bounds.low(), bounds.high(), sphere.centre());
    if bounds.contains(centre) {
        let ways = [(centre - low, -1.0), (high - centre, 1.0)];
        let all = (0..3).flat_map(|axis| ways.map(|(way, sign)| (way[axis], axis, sign)));
        let (way, axis, sign) = all.reduce(|best, other| if other.0 < best.0 { other } else { best })?;
        let normal = DVec3::AXES[axis] * sign;
        let mut position = centre;
        position[axis] = if sign < 0.0 { low[axis] } else { high[axis] };
        return Some(Sweep::Touching { depth: sphere.radius() + way, position, normal });
    }
    // Where it is known when, the box itself says where: without the seams of its triangles.
    let at = |centre: DVec3, normal: DVec3| {
        let position = centre.clamp(low, high);
        (position, unit(centre - position).unwrap_or(normal))
    };
    Some(match sweep_box(sphere, motion, corners_of_aabb(bounds))? {
        Sweep::Hit { t, normal, .. } => {
            let (position, own) = at(centre + motion.by() * t, normal);
            // So near that rounding says on which side it is, it is on the one from which it comes.
            let normal = if own.dot(motion.by()) > 0.0 { normal } else { own };
            Sweep::Hit { t, position, normal }
        }
        Sweep::Touching { depth, normal, .. } => {
            let (position, normal) = at(centre, normal);
            Sweep::Touching { depth, position, normal }
        }
    })
}
