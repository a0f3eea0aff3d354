//! Moving sphere and oriented box.

use super::polytope::leads_inwards;
use super::solid::{corners_of_obb, sweep_box};
use super::{Motion, Sweep};
use crate::shape::plane::{length, unit};
use crate::shape::{Obb, Sphere};

/// When a moving sphere meets a solid oriented box at rest, and where; see [`Sweep`].
///
/// A centre inside of the box, or on its surface but for rounding, touches it, and the normal is that of the nearest face, by the first
/// axis and its negative end first. Otherwise the box is met at its surface, the triangles between its eight corners, which are rounded to `f64`; from there
/// on as exact as [`sweep_sphere_triangle`](super::sweep_sphere_triangle). Axes that are a little off from right angles make
/// the box that [`Obb::contains`] knows.
///
/// ```
/// use hitscan::glam::{DMat3, DVec3};
/// use hitscan::intersect::{Motion, Sweep, sweep_sphere_obb};
/// use hitscan::shape::{Obb, Sphere};
/// let turned = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z); // a quarter turn
/// let plank = Obb::new([0.0; 3], turned, [2.0, 0.5, 0.5])?;
/// let ball = Sphere::new([0.0, 5.0, 0.0], 1.0)?;
/// let Some(Sweep::Hit { t, position, normal }) = sweep_sphere_obb(&ball, &Motion::new([0.0, -4.0, 0.0])?, &plank)
/// else { panic!("onto its end") };
/// assert_eq!((t, position.to_array(), normal.to_array()), (0.5, [0.0, 2.0, 0.0], [0.0, 1.0, 0.0]));
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
pub fn sweep_sphere_obb(sphere: &Sphere, motion: &Motion, bounds: &Obb) -> Option<Sweep> {
    let (centre, radius) = (sphere.centre(), sphere.radius());
    if !bounds.contains(centre) {
        let first = sweep_box(sphere, motion, corners_of_obb(bounds));
        if !first.is_some_and(|first| leads_inwards(&first, radius, bounds)) {
            return first;
        }
    }
    let (axes, local) = (bounds.axes(), bounds.local(centre));
    let all = (0..3).flat_map(|axis| [-1.0, 1.0].map(|sign| (axis, sign)));
    let depth = |(axis, sign): (usize, f64)| {
        // The axis is a normal of the face, and of length 1 up to rounding.
        ((bounds.half()[axis] - local[axis] * sign) / length(axes.col(axis))).max(0.0)
    };
    let nearest = |best, other| if depth(other) < depth(best) { other } else { best };
    let (axis, sign) = all.reduce(nearest)?;
    let normal = unit(axes.col(axis)).ok()? * sign;
    let way = depth((axis, sign));
    Some(Sweep::Touching { depth: radius + way, position: centre + normal * way, normal })
}
