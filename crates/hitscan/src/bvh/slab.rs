//! Ray against box, conservative over the triangle recipe.
//!
//! A box test must let through every box that holds a triangle which the recipe accepts. Let `u = 2^-24`, `D` be the
//! largest distance along one axis from the origin to a corner of the root box, and the direction's largest
//! component be 1. What may be off along each axis:
//!
//! | by | at most |
//! |---|---|
//! | the recipe's shear: `a` by `u D`, `sx * a[kz]` by `3 u D`, their difference by `2 u D`, `z` by `u D` | `7 u D` |
//! | its `f64` part | `u D` |
//! | the slab, fused: `r`, `c`, two sums | `2 u D + 2 u abs(o)` |
//! | the slab, rounded twice: one product more | `3 u D + 3 u abs(o)` |
//!
//! The need is `11 u D + 3 u abs(o)`; the margin is `16 u D + 4 u abs(o)`.
//!
//! The slab's own `t` counts in units in which the direction is as long as the mesh is large, so that
//! nothing overflows for meshes of 2^-100 or of 2^100.

use super::node::{Bounds, Node};
use crate::simd::lanes::Lanes;

/// 2^-24.
const U: f32 = 1.0 / (1 << 24) as f32;

/// The least component of a direction whose largest lies between 1 and 2: 2^-40. Raising a smaller one to it moves
/// the ray by at most 2^-40 D on its way through the root box, which the margin covers.
const LEAST: f32 = 1.0 / (1u64 << 40) as f32;

/// The same for `f64` sums of world `t`, which are rounded to nearest: 2^-51.
const T_ROUNDING: f64 = 1.0 / (1u64 << 51) as f64;

/// What the box test takes from a direction alone, with its largest component brought between 1 and 2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slope {
    /// One over each component.
    r: [f32; 3],
    /// Which of a node's planes is met first along each axis.
    first: [usize; 3],
    /// The direction was divided by two to this power.
    exponent: i32,
}

impl Slope {
    #[inline(always)]
    pub fn new(dir: [f32; 3]) -> Slope {
        let exponent = exponent(f64::from(dir[0].abs().max(dir[1].abs()).max(dir[2].abs())));
        let shrink = power_of_two(-exponent);
        let mut slope = Slope { r: [0.0; 3], first: [0; 3], exponent };
        for i in 0..3 {
            let d = (f64::from(dir[i]) * shrink) as f32;
            let d = if d.abs() < LEAST { LEAST.copysign(d) } else { d };
            slope.r[i] = 1.0 / d;
            slope.first[i] = if d < 0.0 { 3 + i } else { i };
        }
        slope
    }
}

/// A ray as the box test wants it: a plane `p` of axis `i` is met between `p * r[i] + near[i]` and `p * r[i] + far[i]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slab {
    r: [f32; 3],
    near: [f32; 3],
    far: [f32; 3],
    first: [usize; 3],
    /// Slab `t` for one unit of local `t`: a power of two.
    unit: f64,
}

impl Slab {
    /// For boxes inside `bounds`. `slack` is added to the margin: an error of positions, in mesh units.
    #[inline(always)]
    pub fn new(origin: [f32; 3], slope: &Slope, bounds: &Bounds, slack: f32) -> Slab {
        let size = |v: &[f32; 4]| v[0].abs().max(v[1].abs()).max(v[2].abs());
        let reach = size(&bounds.low).max(size(&bounds.high));
        // Between the exponents of 2^-80 and 2^102, so that `r` stays a normal number.
        let reach_exponent = exponent(f64::from(reach)).clamp(-80, 102);
        let shrink = power_of_two(-reach_exponent) as f32;
        let mut distance = 0.0f32;
        for i in 0..3 {
            distance =
                distance.max((bounds.low[i] - origin[i]).abs()).max((bounds.high[i] - origin[i]).abs());
        }
        // Products that underflow are off by less than 2^-149 each.
        distance += 1.0 / (1u128 << 120) as f32;
        let unit = power_of_two(slope.exponent - reach_exponent);
        let mut slab = Slab { r: [0.0; 3], near: [0.0; 3], far: [0.0; 3], first: slope.first, unit };
        for i in 0..3 {
            let r = slope.r[i] * shrink;
            let e = r.abs() * (U * (16.0 * distance + 4.0 * origin[i].abs()) + slack);
            let c = -origin[i] * r;
            slab.r[i] = r;
            // Where the sums overflow, the box is too far to be hit or the margin is all there is: stay open.
            slab.near[i] = if c - e >= -f32::MAX { (c - e).min(f32::MAX) } else { -f32::MAX };
            slab.far[i] = if c + e <= f32::MAX { (c + e).max(-f32::MAX) } else { f32::MAX };
        }
        slab
    }

    /// The ray along one axis, plane by plane.
    pub fn axis(&self, axis: usize) -> SlabAxis {
        SlabAxis {
            r: self.r[axis],
            near: self.near[axis],
            far: self.far[axis],
            backwards: self.first[axis] != axis,
        }
    }

    /// A bound of slab `t` that no hit with world `t >= t_min` lies below; `t0` and `unscale` are those of the ray's entry.
    #[inline(always)]
    pub fn lower(&self, t_min: f64, t0: f64, unscale: f64) -> f32 {
        let t_min = t_min * unscale;
        let local = (t_min - t0) - (t_min.abs() + t0.abs()) * T_ROUNDING;
        let t = local * self.unit;
        // Finite where it is positive, as the sums of the boxes are.
        ((t - t.abs() * f64::from(2.0 * U)) as f32).min(f32::MAX)
    }

    /// A bound of slab `t` that no hit with world `t <= t_max` lies above.
    #[inline(always)]
    pub fn upper(&self, t_max: f64, t0: f64, unscale: f64) -> f32 {
        // The lower bound of the ray that runs the other way.
        -self.lower(-t_max, -t0, unscale)
    }
}

/// A [`Slab`] along one axis, for a march from plane to plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlabAxis {
    r: f32,
    near: f32,
    far: f32,
    /// Higher planes are met first.
    pub backwards: bool,
}

impl SlabAxis {
    /// Where the ray meets a plane at the earliest.
    #[inline(always)]
    pub fn near(&self, plane: f32) -> f32 {
        plane * self.r + self.near
    }

    /// Where the ray meets a plane at the latest.
    #[inline(always)]
    pub fn far(&self, plane: f32) -> f32 {
        plane * self.r + self.far
    }
}

/// The slab in the lanes of one instruction set.
#[derive(Clone, Copy)]
pub(crate) struct LaneSlab<L: Lanes> {
    r: [L::F; 3],
    near: [L::F; 3],
    far: [L::F; 3],
    first: [usize; 3],
    t_min: L::F,
}

impl<L: Lanes> LaneSlab<L> {
    #[inline(always)]
    pub fn new(lanes: L, slab: &Slab, t_min: f32) -> Self {
        LaneSlab {
            r: splat(lanes, slab.r),
            near: splat(lanes, slab.near),
            far: splat(lanes, slab.far),
            first: slab.first,
            t_min: lanes.splat(t_min),
        }
    }

    /// Bits of the children whose boxes the ray meets between `t_min` and `t_max`, and where each begins.
    #[inline(always)]
    pub fn test(&self, lanes: L, node: &Node, t_max: L::F) -> (u32, L::F) {
        let mut near = self.t_min;
        let mut far = t_max;
        for axis in 0..3 {
            let first = self.first[axis];
            let last = if first == axis { axis + 3 } else { axis };
            let (first, last) = (lanes.load(&node.planes[first]), lanes.load(&node.planes[last]));
            near = lanes.max(lanes.mul_add_loose(first, self.r[axis], self.near[axis]), near);
            far = lanes.min(lanes.mul_add_loose(last, self.r[axis], self.far[axis]), far);
        }
        (lanes.le(near, far), near)
    }
}

#[inline(always)]
fn splat<L: Lanes>(lanes: L, [x, y, z]: [f32; 3]) -> [L::F; 3] {
    [lanes.splat(x), lanes.splat(y), lanes.splat(z)]
}

/// The exponent of the power of two at or below a positive number.
#[inline(always)]
fn exponent(x: f64) -> i32 {
    (x.to_bits() >> 52) as i32 - 1023
}

/// `2^exponent` for exponents within f64's normal range.
#[inline(always)]
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}
