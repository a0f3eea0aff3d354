//! The one way into a mesh: a world ray becomes an `f32` ray in the mesh's own frame.
//!
//! The ray is moved in `f64` to where it passes the mesh before it is rounded, so a shooter at 1e8 times the
//! mesh's size loses no more than one beside it (measured: at most 2^-21 of the mesh's reach). Every query of
//! every path enters here, so that all of them see the same `f32` numbers.

use glam::Vec3A;

use crate::bvh::slab::Slope;
use crate::ray::Ray;
use crate::simd::block::{Axis, Turn};
use crate::simd::lanes::Lanes;
use crate::transform::Transform;

/// A direction in the frame of a mesh, and what box tests want of it: instances that are turned and scaled alike share it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heading {
    dir: Vec3A,
    /// Of the absolute components of `dir`.
    largest: f32,
    /// World `t` for one unit of local `t`: a power of two, 1 for all directions of sane length.
    scale: f64,
    /// `1 / scale`, exactly.
    unscale: f64,
    slope: Slope,
}

/// A ray in the frame of one mesh, ready for the recipe of
/// [`ray_triangle`](crate::intersect::watertight).
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalRay {
    /// Its origin along `kx`, `ky`, `kz`.
    pub turned: [f32; 3],
    pub shear: Shear,
    t0: f64,
    scale: f64,
}

/// A ray in the frame of one mesh as the law rounds it, to become a [`LocalRay`] once it comes to a triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounded {
    pub origin: Vec3A,
    dir: Vec3A,
    /// Of the absolute components of `dir`.
    largest: f32,
    /// World `t` of `origin`, before the scale, which is that of the [`Heading`].
    pub t0: f64,
    scale: f64,
}

/// A ray that has come into the frame of a mesh, as box tests want to know it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub rounded: Rounded,
    /// The largest absolute coordinate of its origin where that may be more than four times the mesh's reach, else 0.
    pub away: f32,
    /// As in [`Heading`].
    pub unscale: f64,
    pub slope: Slope,
}

/// The map that turns the ray into the z axis: `x = a[kx] - sx * a[kz]`, `y = a[ky] - sy * a[kz]`, `z = a[kz]`
/// for `a = corner - origin` (Woop, Benthin, Wald: Watertight Ray/Triangle Intersection, 2013).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shear {
    pub turn: Turn,
    pub sx: f32,
    pub sy: f32,
    /// `dir[kz]`, which turns sheared depth into `t`.
    pub depth: f64,
}

impl Turn {
    /// `largest` is that of the absolute components.
    #[inline(always)]
    pub fn new(dir: Vec3A, largest: f32) -> Turn {
        let longest = dir.abs().cmpeq(Vec3A::splat(largest)).bitmask();
        TURNS[((longest & 7) | (dir.is_negative_bitmask() & 7) << 3) as usize]
    }
}

/// By the bits of the components whose size is the largest, and eight times those that are negative: `kz` is the lowest of the
/// first, the others follow it around, swapped where it runs backwards.
static TURNS: [Turn; 64] = {
    let [x, y, z] = Axis::ALL;
    let mut turns = [Turn::to(x, y, z); 64];
    let mut bits = 0;
    while bits < 64 {
        let (kx, ky, kz, axis) = match bits & 7 {
            1 | 3 | 5 | 7 => (y, z, x, 0),
            2 | 6 => (z, x, y, 1),
            _ => (x, y, z, 2),
        };
        let backwards = bits >> 3 >> axis & 1 == 1;
        turns[bits] = if backwards { Turn::to(ky, kx, kz) } else { Turn::to(kx, ky, kz) };
        bits += 1;
    }
    turns
};

impl Shear {
    /// `largest` is that of the absolute components.
    #[inline(always)]
    fn new<L: Lanes>(lanes: L, dir: Vec3A, largest: f32) -> Shear {
        let turn = Turn::new(dir, largest);
        let along = lanes.turn(&turn, dir).z;
        // By the size of the longest component, which is known before it is known which that is, and then by its sign: the same bits.
        let slopes = lanes.turn(&turn, dir / Vec3A::splat(largest)) * Vec3A::splat(1f32.copysign(along));
        Shear { turn, sx: slopes.x, sy: slopes.y, depth: f64::from(along) }
    }
}

/// Directions whose largest local component, rounded to `f32`, lies in this range are rounded as they are; others are
/// scaled by a power of two first, which changes no bit that `f32` could have held.
pub(crate) const PLAIN: core::ops::RangeInclusive<f32> = 1.0 / (1u128 << 100) as f32..=(1u128 << 100) as f32;

/// Whether a number lies there: bits of positive numbers are in their order, and no other number's are among them.
#[inline(always)]
fn is_plain(largest: f32) -> bool {
    let (least, most) = (PLAIN.start().to_bits(), PLAIN.end().to_bits());
    largest.to_bits().wrapping_sub(least) <= most - least
}

impl Heading {
    /// Of a ray that asks a mesh directly, in its own frame. The law's way through an identity matrix could only turn the
    /// sign of a zero, which no answer shows.
    #[inline(always)]
    pub fn of(ray: &Ray) -> Heading {
        Heading::new(ray.dir().to_array())
    }

    /// `q` is the direction in the mesh's frame.
    #[inline(always)]
    pub fn new(q: [f64; 3]) -> Heading {
        let mut dir = narrow(q);
        let mut largest = dir.abs().max_element();
        let (mut scale, mut unscale) = (1.0, 1.0);
        if !is_plain(largest) {
            (scale, unscale) = sane_scale(q);
            dir = narrow(q.map(|c| c * scale));
            largest = dir.abs().max_element();
        }
        Heading { dir, largest, scale, unscale, slope: Slope::new(dir, largest) }
    }
}

/// The power of two that brings the largest component between 1 and 2, and its inverse.
#[cold]
fn sane_scale(q: [f64; 3]) -> (f64, f64) {
    let unscale = power_of_two_below(largest(q));
    (1.0 / unscale, unscale)
}

/// Where a ray starts in the frame of a mesh: as in [`Arrival`].
pub(crate) struct Start {
    pub origin: Vec3A,
    pub away: f32,
    pub t0: f64,
}

impl Start {
    /// `p` and `q` are the origin and the direction in the mesh's frame, `scale` is that of the direction's [`Heading`].
    #[inline(always)]
    pub fn new(p: [f64; 3], q: [f64; 3], scale: f64, reach: f64) -> Start {
        let origin = narrow(p);
        if origin.abs().max_element() < surely_near(reach) {
            return Start { origin, away: 0.0, t0: 0.0 };
        }
        let (origin, t0) = moved(p, q.map(|c| c * scale), reach);
        Start { origin, away: origin.abs().max_element(), t0 }
    }
}

impl Arrival {
    /// Of a ray that asks a mesh directly; `reach` is the mesh's.
    #[inline(always)]
    pub fn of(ray: &Ray, reach: f64) -> Arrival {
        Arrival::new(ray.origin().to_array(), ray.dir().to_array(), Heading::of(ray), reach)
    }

    /// `p` and `q` are the origin and the direction in the mesh's frame, `heading` is that of `q`, `reach` the mesh's largest
    /// absolute coordinate.
    #[inline(always)]
    pub fn new(p: [f64; 3], q: [f64; 3], heading: Heading, reach: f64) -> Arrival {
        let Heading { dir, largest, scale, unscale, slope } = heading;
        let Start { origin, away, t0 } = Start::new(p, q, scale, reach);
        Arrival { rounded: Rounded { origin, dir, largest, t0, scale }, away, unscale, slope }
    }

    /// The largest coordinate of its origin. `None` where that was moved, or is as far as that.
    #[inline(always)]
    pub fn farthest(&self) -> Option<f32> {
        (self.away == 0.0).then(|| self.rounded.origin.abs().max_element())
    }

    /// Of a ray in the world that asks a mesh at a place of its own.
    #[inline(always)]
    pub fn placed(ray: &Ray, transform: &Transform, reach: f64) -> Arrival {
        let q = transform.inverse_vector(ray.dir().to_array());
        Arrival::new(transform.inverse_point(ray.origin().to_array()), q, Heading::new(q), reach)
    }
}

impl Rounded {
    /// Ready for triangles.
    #[inline(always)]
    pub fn local<L: Lanes>(&self, lanes: L) -> LocalRay {
        let Rounded { origin, dir, largest, t0, scale } = *self;
        let shear = Shear::new(lanes, dir, largest);
        LocalRay { turned: lanes.turn(&shear.turn, origin).to_array(), shear, t0, scale }
    }
}

impl LocalRay {
    /// World `t` of a local one.
    #[inline(always)]
    pub fn world_t(&self, t: f64) -> f64 {
        (self.t0 + t) * self.scale
    }
}

#[inline(always)]
fn largest(v: [f64; 3]) -> f64 {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
}

/// What a rounded coordinate of an origin needs to be below for the law to take the origin as it is: rounded, it is at
/// most `u` off, and what is near by more than that is near in `f64` as well.
#[inline(always)]
pub(crate) fn surely_near(reach: f64) -> f32 {
    (4.0 * (1.0 - 1.0 / (1 << 20) as f64) * reach) as f32
}

/// A vector rounded to `f32`.
#[inline(always)]
fn narrow([x, y, z]: [f64; 3]) -> Vec3A {
    Vec3A::new(x as f32, y as f32, z as f32)
}

/// The origin of a ray, and its `t`, by the law: moved to where the ray passes the mesh, if it is far from there.
#[cold]
fn moved(p: [f64; 3], q: [f64; 3], reach: f64) -> (Vec3A, f64) {
    let far = largest(p) > 4.0 * reach;
    let t0 = if far { -dot(p, q) / dot(q, q) - 2.0 * reach / largest(q) } else { 0.0 };
    (narrow([p[0] + t0 * q[0], p[1] + t0 * q[1], p[2] + t0 * q[2]]), t0)
}

#[inline(always)]
fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
}

/// The power of two at or below a positive normal number.
fn power_of_two_below(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0x7ff0_0000_0000_0000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::scalar::Scalar;

    #[test]
    fn a_near_ray_is_taken_as_it_is() {
        let heading = Heading::new([0.0, 0.0, -3.0]);
        let ray = Arrival::new([1.0, 2.0, 3.0], [0.0, 0.0, -3.0], heading, 1.0).rounded;
        let LocalRay { turned, shear, .. } = ray.local(Scalar);
        assert_eq!((ray.origin.to_array(), shear.depth), ([1.0, 2.0, 3.0], -3.0));
        assert_eq!((ray.t0, ray.scale, turned), (0.0, 1.0, [2.0, 1.0, 3.0]));
        let Turn { kx, ky, kz, .. } = shear.turn;
        let [x, y, z] = Axis::ALL;
        assert_eq!((kx, ky, kz), (y, x, z), "a negative axis swaps the others");
    }

    #[test]
    fn a_far_ray_is_moved_to_the_mesh() {
        let heading = Heading::new([-2.0, 0.0, 0.0]);
        let ray = Arrival::new([1e9, 0.5, 0.0], [-2.0, 0.0, 0.0], heading, 1.0).rounded;
        assert_eq!(ray.t0, 5e8 - 1.0);
        assert_eq!(ray.origin.to_array(), [2.0, 0.5, 0.0]);
        assert_eq!(ray.local(Scalar).world_t(1.5), 5e8 + 0.5);
    }

    #[test]
    fn extreme_directions_are_scaled_by_a_power_of_two() {
        for size in [3.0e50, 3.0e-50] {
            let heading = Heading::new([0.0, size, size / 3.0]);
            let ray = Arrival::new([0.0; 3], [0.0, size, size / 3.0], heading, 1.0).rounded;
            let depth = ray.local(Scalar).shear.depth;
            assert!((1.0..2.0).contains(&depth));
            assert_eq!(depth, f64::from((size * heading.scale) as f32));
            assert_eq!(heading.scale.log2().fract(), 0.0, "a power of two");
            assert_eq!(heading.scale * heading.unscale, 1.0);
        }
    }
}
