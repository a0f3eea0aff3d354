//! The one way into a mesh: a world ray becomes an `f32` ray in the mesh's own frame.
//!
//! The ray is moved in `f64` to where it passes the mesh before it is rounded, so a shooter at 1e8 times the
//! mesh's size loses no more than one beside it (measured: at most 2^-21 of the mesh's reach). Every query of
//! every path enters here, so that all of them see the same `f32` numbers.

/// A ray in the frame of one mesh, ready for the recipe of
/// [`ray_triangle`](crate::intersect::ray_triangle).
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalRay {
    pub origin: [f32; 3],
    pub dir: [f32; 3],
    /// World `t` of `origin`, in units of `dir` (see `scale`).
    pub t0: f64,
    /// World `t` for one unit of local `t`: a power of two, 1 for all directions of sane length.
    pub scale: f64,
    /// `1 / scale`, exactly.
    pub unscale: f64,
    pub shear: Shear,
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
    fn new(dir: [f32; 3]) -> Shear {
        let size = dir.map(f32::abs);
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

impl LocalRay {
    /// `p` and `q` are origin and direction in the mesh's frame, `reach` its largest absolute coordinate.
    pub fn new(p: [f64; 3], q: [f64; 3], reach: f64) -> LocalRay {
        let largest = |v: [f64; 3]| v[0].abs().max(v[1].abs()).max(v[2].abs());
        let mut q = q;
        let mut q_size = largest(q);
        let (mut scale, mut unscale) = (1.0, 1.0);
        if !PLAIN.contains(&q_size) {
            unscale = power_of_two_below(q_size);
            scale = 1.0 / unscale;
            q = q.map(|c| c * scale);
            q_size *= scale;
        }
        let t0 = if largest(p) > 4.0 * reach {
            let dot = |a: [f64; 3], b: [f64; 3]| (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
            -dot(p, q) / dot(q, q) - 2.0 * reach / q_size
        } else {
            0.0
        };
        let origin = core::array::from_fn(|i| (p[i] + t0 * q[i]) as f32);
        let dir = q.map(|c| c as f32);
        LocalRay { origin, dir, t0, scale, unscale, shear: Shear::new(dir) }
    }

    /// World `t` of a local one.
    pub fn world_t(&self, t: f64) -> f64 {
        (self.t0 + t) * self.scale
    }
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
        let ray = LocalRay::new([1.0, 2.0, 3.0], [0.0, 0.0, -3.0], 1.0);
        assert_eq!((ray.origin, ray.dir), ([1.0, 2.0, 3.0], [0.0, 0.0, -3.0]));
        assert_eq!((ray.t0, ray.scale), (0.0, 1.0));
        assert_eq!((ray.shear.kx, ray.shear.ky, ray.shear.kz), (1, 0, 2), "a negative axis swaps the others");
    }

    #[test]
    fn a_far_ray_is_moved_to_the_mesh() {
        let ray = LocalRay::new([1e9, 0.5, 0.0], [-2.0, 0.0, 0.0], 1.0);
        assert_eq!(ray.t0, 5e8 - 1.0);
        assert_eq!(ray.origin, [2.0, 0.5, 0.0]);
        assert_eq!(ray.world_t(1.5), 5e8 + 0.5);
    }

    #[test]
    fn extreme_directions_are_scaled_by_a_power_of_two() {
        let long = LocalRay::new([0.0; 3], [0.0, 3.0e50, 1.0e50], 1.0);
        let short = LocalRay::new([0.0; 3], [0.0, 3.0e-50, 1.0e-50], 1.0);
        for (ray, size) in [(long, 3.0e50), (short, 3.0e-50)] {
            assert!(ray.dir[1] >= 1.0 && ray.dir[1] < 2.0);
            let local = size * ray.scale;
            assert_eq!(ray.dir[1], local as f32);
            assert_eq!(ray.scale.log2().fract(), 0.0, "a power of two");
        }
    }
}
