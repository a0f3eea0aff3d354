//! The one way into a mesh: a world ray becomes an `f32` ray in the mesh's own frame.
//!
//! The ray is moved in `f64` to where it passes the mesh before it is rounded, so a shooter at 1e8 times the
//! mesh's size loses no more than one beside it (measured: at most 2^-21 of the mesh's reach). Every query of
//! every path enters here, so that all of them see the same `f32` numbers.

use crate::bvh::slab::Slope;
use crate::ray::Ray;
use crate::transform::Transform;

/// A direction in the frame of a mesh, and all that follows from it alone: instances that are turned and scaled alike
/// share it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heading {
    q: [f64; 3],
    /// The largest component of `q`.
    size: f64,
    /// World `t` for one unit of local `t`: a power of two, 1 for all directions of sane length.
    pub scale: f64,
    /// `1 / scale`, exactly.
    pub unscale: f64,
    pub shear: Shear,
    pub slope: Slope,
}

/// A ray in the frame of one mesh, ready for the recipe of
/// [`ray_triangle`](crate::intersect::watertight).
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalRay<'a> {
    pub origin: [f32; 3],
    /// World `t` of `origin`, before the heading's scale.
    pub t0: f64,
    pub heading: &'a Heading,
}

/// The map that turns the ray into the z axis: `x = a[kx] - sx * a[kz]`, `y = a[ky] - sy * a[kz]`, `z = a[kz]`
/// for `a = corner - origin` (Woop, Benthin, Wald: Watertight Ray/Triangle Intersection, 2013).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shear {
    pub kx: usize,
    pub ky: usize,
    pub kz: usize,
    pub sx: f32,
    pub sy: f32,
    /// `dir[kz]`, which turns sheared depth into `t`.
    pub depth: f64,
}

impl Shear {
    #[inline(always)]
    fn new(dir: [f32; 3]) -> Shear {
        let size = [dir[0].abs(), dir[1].abs(), dir[2].abs()];
        let mut kz = 0;
        for axis in 1..3 {
            if size[axis] > size[kz] {
                kz = axis;
            }
        }
        let (mut kx, mut ky) = ((kz + 1) % 3, (kz + 2) % 3);
        if dir[kz] < 0.0 {
            (kx, ky) = (ky, kx);
        }
        Shear { kx, ky, kz, sx: dir[kx] / dir[kz], sy: dir[ky] / dir[kz], depth: f64::from(dir[kz]) }
    }
}

/// Directions whose largest local component lies in this range are rounded to `f32` as they are; others are
/// scaled by a power of two first, which changes no bit that `f32` could have held.
const PLAIN: core::ops::RangeInclusive<f64> = 1.0 / (1u128 << 100) as f64..=(1u128 << 100) as f64;

impl Heading {
    /// Of a ray that asks a mesh directly, in its own frame.
    #[inline(always)]
    pub fn of(ray: &Ray) -> Heading {
        Heading::new(Transform::IDENTITY.inverse_vector(ray.dir().to_array()))
    }

    /// `q` is the direction in the mesh's frame.
    #[inline(always)]
    pub fn new(q: [f64; 3]) -> Heading {
        let mut q = q;
        let mut size = largest(q);
        let (mut scale, mut unscale) = (1.0, 1.0);
        if !PLAIN.contains(&size) {
            unscale = power_of_two_below(size);
            scale = 1.0 / unscale;
            q = [q[0] * scale, q[1] * scale, q[2] * scale];
            size *= scale;
        }
        let dir = [q[0] as f32, q[1] as f32, q[2] as f32];
        Heading { q, size, scale, unscale, shear: Shear::new(dir), slope: Slope::new(dir) }
    }
}

impl<'a> LocalRay<'a> {
    /// Of a ray that asks a mesh directly; `heading` is the ray's, `reach` the mesh's.
    #[inline(always)]
    pub fn of(ray: &Ray, heading: &'a Heading, reach: f64) -> LocalRay<'a> {
        LocalRay::new(Transform::IDENTITY.inverse_point(ray.origin().to_array()), heading, reach)
    }

    /// `p` is the origin in the mesh's frame, `reach` the mesh's largest absolute coordinate.
    #[inline(always)]
    pub fn new(p: [f64; 3], heading: &'a Heading, reach: f64) -> LocalRay<'a> {
        let q = heading.q;
        let t0 =
            if largest(p) > 4.0 * reach { -dot(p, q) / dot(q, q) - 2.0 * reach / heading.size } else { 0.0 };
        let origin = [(p[0] + t0 * q[0]) as f32, (p[1] + t0 * q[1]) as f32, (p[2] + t0 * q[2]) as f32];
        LocalRay { origin, t0, heading }
    }

    /// World `t` of a local one.
    #[inline(always)]
    pub fn world_t(&self, t: f64) -> f64 {
        (self.t0 + t) * self.heading.scale
    }
}

#[inline(always)]
fn largest(v: [f64; 3]) -> f64 {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
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

    #[test]
    fn a_near_ray_is_taken_as_it_is() {
        let heading = Heading::new([0.0, 0.0, -3.0]);
        let ray = LocalRay::new([1.0, 2.0, 3.0], &heading, 1.0);
        assert_eq!((ray.origin, heading.shear.depth), ([1.0, 2.0, 3.0], -3.0));
        assert_eq!((ray.t0, heading.scale), (0.0, 1.0));
        let Shear { kx, ky, kz, .. } = heading.shear;
        assert_eq!((kx, ky, kz), (1, 0, 2), "a negative axis swaps the others");
    }

    #[test]
    fn a_far_ray_is_moved_to_the_mesh() {
        let heading = Heading::new([-2.0, 0.0, 0.0]);
        let ray = LocalRay::new([1e9, 0.5, 0.0], &heading, 1.0);
        assert_eq!(ray.t0, 5e8 - 1.0);
        assert_eq!(ray.origin, [2.0, 0.5, 0.0]);
        assert_eq!(ray.world_t(1.5), 5e8 + 0.5);
    }

    #[test]
    fn extreme_directions_are_scaled_by_a_power_of_two() {
        for size in [3.0e50, 3.0e-50] {
            let heading = Heading::new([0.0, size, size / 3.0]);
            assert!((1.0..2.0).contains(&heading.shear.depth));
            assert_eq!(heading.shear.depth, f64::from((size * heading.scale) as f32));
            assert_eq!(heading.scale.log2().fract(), 0.0, "a power of two");
            assert_eq!(heading.scale * heading.unscale, 1.0);
        }
    }
}
