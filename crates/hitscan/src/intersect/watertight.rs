//! Ray and triangle, watertight: the one recipe that every query of every path follows.
//!
//! Corners are sheared in `f32` so that the ray becomes the z axis (Woop, Benthin, Wald: Watertight
//! Ray/Triangle Intersection, 2013); the rest is `f64` on those values, whose products are exact, so the signs
//! of the edge values are exact and zero means zero. A ray through an edge or a corner is decided as if it
//! had been moved by `(e, e^2)` for an infinitely small `e`, as rasterisers do (Edelsbrunner, Muecke: Simulation
//! of Simplicity, 1990), so exactly one of two triangles that share an edge takes it. No operation here may be fused or reordered.

use crate::entry::{LocalRay, Shear};
use crate::simd::block::Turn;

/// A corner relative to the ray: `x` and `y` across it, `z` along it.
pub(crate) type Sheared = [f32; 3];

/// What the geometry of one ray and one triangle says, before borders are looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Touch {
    /// Never hit, whatever the neighbours are.
    Miss,
    /// Hit by the ray or by the moved ray.
    Inside(Crossing),
    /// The ray lies exactly inside the edge between these two corners (0 to 2), and the moved ray misses.
    OnEdge(Crossing, usize, usize),
    /// The ray goes exactly through this corner, and the moved ray misses.
    OnCorner(Crossing, usize),
}

/// Where a ray crosses a triangle's plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Crossing {
    u: f64,
    v: f64,
    w: f64,
}

impl Crossing {
    #[inline(always)]
    pub fn new([a, b, c]: [Sheared; 3]) -> Crossing {
        Crossing { u: edge(c, b), v: edge(a, c), w: edge(b, a) }
    }

    /// From the values of the edges opposite of A, of B and of C.
    #[inline(always)]
    pub fn of_edges([u, v, w]: [f64; 3]) -> Crossing {
        Crossing { u, v, w }
    }

    /// Exactly at corner A, whose barycentrics are zero.
    pub fn at_first_corner() -> Crossing {
        Crossing { u: 1.0, v: 0.0, w: 0.0 }
    }

    /// The values of the edges opposite of A, of B and of C.
    #[inline(always)]
    pub fn edge_values(&self) -> [f64; 3] {
        [self.u, self.v, self.w]
    }

    /// Above 0 where the corners run counter-clockwise as the ray sees them.
    #[inline(always)]
    pub fn det(&self) -> f64 {
        (self.u + self.v) + self.w
    }

    /// Local `t`, never -0; `depth` is the direction along `kz`.
    #[inline(always)]
    pub fn t(&self, [a, b, c]: [Sheared; 3], depth: f64) -> f64 {
        self.t_of([a[2], b[2], c[2]], depth)
    }

    /// The same from `z` of the three corners.
    #[inline(always)]
    pub fn t_of(&self, [az, bz, cz]: [f32; 3], depth: f64) -> f64 {
        let [az, bz, cz] = [f64::from(az), f64::from(bz), f64::from(cz)];
        ((self.u * az + self.v * bz) + self.w * cz) / (self.det() * depth) + 0.0
    }

    /// Weights of the corners B and C, never -0.
    #[inline(always)]
    pub fn barycentrics(&self) -> (f64, f64) {
        let det = self.det();
        (self.v / det + 0.0, self.w / det + 0.0)
    }

    /// Whether the corners run counter-clockwise as the ray sees them.
    #[inline(always)]
    pub fn counter_clockwise(&self) -> bool {
        self.det() > 0.0
    }
}

/// One corner in the frame of the ray.
#[inline(always)]
pub(crate) fn shear(ray: &LocalRay, corner: [f32; 3]) -> Sheared {
    let Turn { kx, ky, kz, .. } = ray.shear.turn;
    shear_turned(ray, [corner[kx.number()], corner[ky.number()], corner[kz.number()]])
}

/// The corners of a triangle in the frame of the ray.
#[inline(always)]
pub(crate) fn sheared(ray: &LocalRay, &[a, b, c]: &[[f32; 3]; 3]) -> [Sheared; 3] {
    // Not by `map`, of which the compiler makes calls.
    [shear(ray, a), shear(ray, b), shear(ray, c)]
}

/// The same of a corner whose coordinates are those along `kx`, `ky`, `kz`.
#[inline(always)]
pub(crate) fn shear_turned(ray: &LocalRay, corner: [f32; 3]) -> Sheared {
    let Shear { sx, sy, .. } = ray.shear;
    let [x, y, z]: [f32; 3] = core::array::from_fn(|i| corner[i] - ray.turned[i]);
    [x - sx * z, y - sy * z, z]
}

/// The ray against the triangle of these sheared corners.
#[inline(always)]
pub(crate) fn touch(corners: [Sheared; 3]) -> Touch {
    let crossing = Crossing::new(corners);
    let Crossing { u, v, w, .. } = crossing;
    // Without branches of their own: which side is seen changes from triangle to triangle.
    let positive = (u > 0.0) & (v > 0.0) & (w > 0.0);
    let negative = (u < 0.0) & (v < 0.0) & (w < 0.0);
    if positive | negative {
        return Touch::Inside(crossing);
    }
    let some_positive = (u > 0.0) | (v > 0.0) | (w > 0.0);
    let some_negative = (u < 0.0) | (v < 0.0) | (w < 0.0);
    if some_positive & some_negative {
        return Touch::Miss;
    }
    touch_on_outline(corners, crossing)
}

/// The rare rest of [`touch`]: at least one edge value is zero (or not a number, which is a miss).
#[cold]
fn touch_on_outline([a, b, c]: [Sheared; 3], crossing: Crossing) -> Touch {
    let Crossing { u, v, w, .. } = crossing;
    let det = crossing.det();
    if det == 0.0 || det.is_nan() {
        return Touch::Miss;
    }
    let signs = [moved_sign(u, c, b), moved_sign(v, a, c), moved_sign(w, b, a)];
    if signs[0] != 0 && signs[0] == signs[1] && signs[1] == signs[2] {
        return Touch::Inside(crossing);
    }
    match (u == 0.0, v == 0.0, w == 0.0) {
        (true, false, false) => Touch::OnEdge(crossing, 1, 2),
        (false, true, false) => Touch::OnEdge(crossing, 0, 2),
        (false, false, true) => Touch::OnEdge(crossing, 0, 1),
        (false, true, true) => Touch::OnCorner(crossing, 0),
        (true, false, true) => Touch::OnCorner(crossing, 1),
        (true, true, false) => Touch::OnCorner(crossing, 2),
        _ => Touch::Miss,
    }
}

/// The value of the edge P->Q: positive where the origin of the sheared plane lies to its left. The
/// sign is exact.
#[inline(always)]
fn edge(p: Sheared, q: Sheared) -> f64 {
    f64::from(p[0]) * f64::from(q[1]) - f64::from(p[1]) * f64::from(q[0])
}

/// The sign of an edge value for the moved ray; 0 only where both ends are one point (or not a number).
fn moved_sign(value: f64, p: Sheared, q: Sheared) -> i32 {
    let sign = |x: f64| i32::from(x > 0.0) - i32::from(x < 0.0);
    let by_y = f64::from(p[1]) - f64::from(q[1]);
    let by_x = f64::from(q[0]) - f64::from(p[0]);
    [value, by_y, by_x].into_iter().map(sign).find(|&s| s != 0).unwrap_or(0)
}
