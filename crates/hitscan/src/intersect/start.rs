//! Whether a ray starts exactly on a triangle that it goes through.
//!
//! The shear of the recipe is rounded, so the `t` of such a crossing would lie some `2^-24` of the triangle's size before or behind
//! the origin, and half of the rays that leave a surface would not meet it, depending on where they go. So `t` is 0 there, by exact
//! signs. A line that goes through a triangle which its origin lies on meets it nowhere else, so nothing that a box test relies on
//! is changed by it.

use core::cmp::Ordering;

use glam::{DVec3, Vec3A};

use crate::exact::{collinear, side};
use crate::shape::Triangle;
use crate::simd::block::Turn;

/// What the six products of three coordinates that make up the volume below may be off by, relative to `x z (x + z)`: with `u = 2^-24`, the
/// shear is off by `2 u x + 6 u z` across the ray and by `u z` along it, which makes `72 u`.
const SHEAR: f64 = 80.0 / (1 << 24) as f64;

/// The same of products in the shear that underflow by `2^-149`, relative to `x z`.
const UNDERFLOW: f64 = f32::MIN_POSITIVE as f64 / (1 << 19) as f64;

/// Whether a ray may start on a triangle of these sheared corners. `volume` is six times that between the origin and the corners, from the
/// sheared ones: it would be 0 without rounding. Rays that leave a surface from a little above it are hardly ever among these.
#[inline(always)]
pub(crate) fn may_start_on([x, y, z]: [Vec3A; 3], volume: f64) -> bool {
    let across = f64::from(x.abs().max(y.abs()).max_element());
    let along = f64::from(z.abs().max_element());
    volume.abs() <= (SHEAR * (across + along) + UNDERFLOW) * (across * along)
}

/// Whether a ray starts on a triangle, edges and corners included; where its corners lie on a line, on what lies between them. The origin
/// is given along the axes of the turn.
#[cold]
pub(crate) fn starts_on(turn: Turn, turned: [f32; 3], corners: [[f32; 3]; 3]) -> bool {
    let axes = [turn.kx, turn.ky, turn.kz];
    let wide = |p: [f32; 3]| DVec3::from(p.map(f64::from));
    let (point, corners) = (wide(turned), corners.map(|corner| wide(axes.map(|axis| corner[axis.number()]))));
    let [low, high] = [DVec3::min, DVec3::max].map(|of| of(of(corners[0], corners[1]), corners[2]));
    if !(low.cmple(point) & point.cmple(high)).all() || side(corners, point) != Ordering::Equal {
        return false;
    }
    let [a, b, c] = corners;
    Triangle::derived(corners).covers(point)
        || collinear(corners) && collinear([a, b, point]) && collinear([b, c, point])
}
