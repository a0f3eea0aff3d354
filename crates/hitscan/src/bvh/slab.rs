//! Ray against box, conservative over the triangle recipe.
//!
//! A box test must let through every box that holds a triangle which the recipe accepts. Let `u = 2^-24`, `R` the
//! largest coordinate of the mesh, `D` the largest distance along one axis from the origin to a corner of the box around
//! it, and the direction's largest component be 1. What may be off along each axis:
//!
//! | by | at most |
//! |---|---|
//! | the recipe's shear: `a` by `u D`, `sx * a[kz]` by `3 u D`, their difference by `2 u D`, `z` by `u D` | `7 u D` |
//! | its `f64` part | `u D` |
//! | the slab, fused: `r`, `c`, two sums | `2 u D + 2 u abs(o)` |
//! | the slab, rounded twice: one product more | `3 u D + 3 u abs(o)` |
//!
//! The need is `11 u D + 3 u abs(o)`. The entry into a mesh leaves the origin within `4 R`, so `D` is at most `5 R`, and
//! `67 u R` are enough, and `5 u R` more for the sum of origin and margin; the margin is `96 u R`, known before there is a
//! ray. From shooters beyond some `2^50 R` the entry itself rounds by more than `R`; where the origin lies outside of `4 R`,
//! `D` is at most `5/4` of it, and the margin is `24 u abs(o)`, which is the same at `4 R`.
//!
//! The slab's own `t` counts in units in which the direction is as long as the mesh is large, so that
//! nothing overflows for meshes of 2^-100 or of 2^100.

use glam::Vec3A;

use super::node::Node;
use crate::entry::Arrival;
use crate::simd::block::{Planes, load_plane};
use crate::simd::lanes::Lanes;

/// 2^-24.
pub(super) const U: f32 = 1.0 / (1 << 24) as f32;

/// The least component of a direction whose largest lies between 1 and 2: 2^-40. Raising a smaller one to it moves
/// the ray by at most 2^-40 D on its way through the root box, which the margin covers.
const LEAST: f32 = 1.0 / (1u64 << 40) as f32;

/// A margin or an origin from which on all boxes are let through, so that smaller ones leave sums finite: 2^60.
const OPEN: f32 = (1u64 << 60) as f32;

/// A little more than 1, for the sum of two margins.
const ROUNDED_UP: f32 = 1.0 + 1.0 / (1 << 20) as f32;

/// What world `t` may be off, for one unit of its parts: rounded sums of `f64`, with room. 2^-48.
pub(super) const T_ROUNDING: f64 = 1.0 / (1u64 << 48) as f64;

/// What the box test takes from a direction alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slope {
    /// One over each component of the direction with its largest one brought between 1 and 2.
    r: Vec3A,
    /// In which order a node's planes are met.
    planes: &'static Planes,
    /// Divided by two to this power, its largest component lies between 1 and 2.
    exponent: i32,
}

impl Slope {
    #[inline(always)]
    pub fn new(dir: Vec3A, largest: f32) -> Slope {
        let exponent = exponent(largest);
        // The division waits for nothing but the direction. A zero has an infinite inverse, and so has a component below 2^-128,
        // which is less than 2^-28 of the largest and moves the ray by less than `u D`.
        let r = dir.abs().recip() * power_of_two_below(largest);
        let r = r.min(Vec3A::splat(1.0 / LEAST)).copysign(dir);
        Slope { r, planes: Planes::new(dir.is_negative_bitmask()), exponent }
    }
}

/// How large the coordinates of a tree are, as far as the box test wants to know it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// A power of two that brings the largest coordinate near 1.
    shrink: f32,
    /// Of its inverse.
    exponent: i32,
    /// By how much a box is larger: `96 u R`.
    margin: f32,
}

impl Default for Frame {
    /// Of a tree of nothing.
    fn default() -> Frame {
        Frame::new(0.0)
    }
}

impl Frame {
    /// `reach` is the largest absolute coordinate; that of origins is at most four times as large.
    #[inline(always)]
    pub fn new(reach: f32) -> Frame {
        // Between the exponents of 2^-80 and 2^102, so that `r` stays a normal number.
        let exponent = exponent(reach).clamp(-80, 102);
        let shrink = power_of_two_f32(-exponent);
        // Products that underflow are off by less than 2^-149 each.
        let margin = 96.0 * U * reach + 1.0 / (1u128 << 120) as f32;
        Frame { shrink, exponent, margin }
    }

    /// By how much a box is larger, for origins that the entry left near.
    pub fn margin(&self) -> f32 {
        self.margin
    }
}

/// A ray as the box test wants it: a plane `p` of axis `i` is met between `p * r[i] + near[i]` and `p * r[i] + far[i]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slab {
    r: Vec3A,
    near: Vec3A,
    far: Vec3A,
    planes: &'static Planes,
    /// Slab `t` for one unit of world `t`: a power of two.
    unit: f64,
    /// Slab `t` of world `t = 0`, and what it may be off.
    zero: f64,
    zero_slack: f64,
}

impl Slab {
    /// For boxes inside a frame. `slack` is added to the margin: an error of positions, in mesh units.
    #[inline(always)]
    pub fn new(ray: &Arrival, frame: &Frame, slack: f32) -> Slab {
        let (Slope { r, planes, exponent }, origin) = (ray.slope, ray.rounded.origin);
        let unit = power_of_two(exponent - frame.exponent);
        let r = r * frame.shrink;
        // A plane that is met first is met earlier by the margin, one that is met last later.
        let slabs = |margin: f32| {
            let aside = Vec3A::splat(margin).copysign(r);
            [(origin + aside) * -r, (origin - aside) * -r]
        };
        let t0 = ray.rounded.t0;
        let ([near, far], zero, zero_slack) = if ray.away == 0.0 && t0 == 0.0 && slack == 0.0 {
            // As most rays have it, in a third of the instructions.
            (slabs(frame.margin * ROUNDED_UP), 0.0, 0.0)
        } else {
            let own = if ray.away * (24.0 * U) > frame.margin { ray.away * (24.0 * U) } else { frame.margin };
            let margin = (own + slack) * ROUNDED_UP;
            let slabs = if margin * frame.shrink < OPEN && ray.away * frame.shrink < OPEN {
                slabs(margin)
            } else {
                // Whatever the box, it may be hit.
                [Vec3A::splat(-f32::MAX), Vec3A::splat(f32::MAX)]
            };
            let zero = -t0 * unit;
            (slabs, zero, zero.abs() * T_ROUNDING)
        };
        Slab { r, near, far, planes, unit: unit * ray.unscale, zero, zero_slack }
    }

    /// Bits of the children whose boxes the ray meets between `t_min` and `t_max`, and where each begins.
    #[inline(always)]
    pub fn test<L: Lanes>(&self, lanes: L, node: &Node, t_min: f32, t_max: f32) -> (u32, L::F) {
        self.spread(lanes, t_min).test(lanes, node, t_max)
    }

    /// For many boxes, each number in all lanes.
    #[inline(always)]
    pub fn spread<L: Lanes>(&self, lanes: L, t_min: f32) -> Spread<L> {
        let Slab { r, near, far, planes, .. } = *self;
        let begin = lanes.splat(t_min);
        Spread { r: all(lanes, r), near: all(lanes, near), far: all(lanes, far), planes, begin }
    }

    /// The ray along one axis, plane by plane.
    pub fn axis(&self, axis: usize) -> SlabAxis {
        SlabAxis {
            r: self.r[axis],
            near: self.near[axis],
            far: self.far[axis],
            backwards: self.r[axis] < 0.0,
        }
    }

    /// A bound of slab `t` that no hit with world `t >= t_min` lies below. Not a number where there can be no such hit.
    #[inline(always)]
    pub fn lower(&self, t_min: f64) -> f32 {
        // As most rays have it: what follows takes as long as all the rest of making a ray ready.
        if t_min == 0.0 && self.zero == 0.0 {
            return 0.0;
        }
        let t = ((t_min * self.unit + self.zero) - self.zero_slack) as f32;
        t - t.abs() * (4.0 * U)
    }

    /// A bound of slab `t` that no hit with world `t <= t_max` lies above. Not a number where there can be no such hit.
    #[inline(always)]
    pub fn upper(&self, t_max: f64) -> f32 {
        let t = ((t_max * self.unit + self.zero) + self.zero_slack) as f32;
        t + t.abs() * (4.0 * U)
    }
}

/// A [`Slab`] in all lanes, and from where on boxes count.
pub(crate) struct Spread<L: Lanes> {
    r: [L::F; 3],
    near: [L::F; 3],
    far: [L::F; 3],
    planes: &'static Planes,
    begin: L::F,
}

impl<L: Lanes> Spread<L> {
    /// Bits of the children whose boxes the ray meets up to `t_max`, and where each begins.
    #[inline(always)]
    pub fn test(&self, lanes: L, node: &Node, t_max: f32) -> (u32, L::F) {
        // In pairs, so that none waits for more than two others. All are numbers, infinite ones for empty places.
        let begin = lanes.max(
            lanes.max(self.enter(lanes, node, 0), self.enter(lanes, node, 1)),
            lanes.max(self.enter(lanes, node, 2), self.begin),
        );
        let end = lanes.min(
            lanes.min(self.leave(lanes, node, 0), self.leave(lanes, node, 1)),
            lanes.min(self.leave(lanes, node, 2), lanes.splat(t_max)),
        );
        (lanes.le(begin, end), begin)
    }

    /// Where the ray enters the children's slabs of one axis.
    #[inline(always)]
    fn enter(&self, lanes: L, node: &Node, axis: usize) -> L::F {
        let plane = load_plane(lanes, &node.planes, self.planes.first(axis));
        lanes.mul_add_loose(plane, self.r[axis], self.near[axis])
    }

    /// Where it leaves them.
    #[inline(always)]
    fn leave(&self, lanes: L, node: &Node, axis: usize) -> L::F {
        let plane = load_plane(lanes, &node.planes, self.planes.last(axis));
        lanes.mul_add_loose(plane, self.r[axis], self.far[axis])
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

/// The numbers of a vector, each in all lanes.
#[inline(always)]
fn all<L: Lanes>(lanes: L, v: Vec3A) -> [L::F; 3] {
    [lanes.splat(v.x), lanes.splat(v.y), lanes.splat(v.z)]
}

/// The exponent of the power of two at or below a positive normal number.
#[inline(always)]
fn exponent(x: f32) -> i32 {
    (x.to_bits() >> 23) as i32 - 127
}

/// The power of two at or below a positive normal number.
#[inline(always)]
fn power_of_two_below(x: f32) -> f32 {
    f32::from_bits(x.to_bits() & 0x7f80_0000)
}

/// `2^exponent` for exponents within `f32`'s normal range.
#[inline(always)]
fn power_of_two_f32(exponent: i32) -> f32 {
    f32::from_bits(((exponent + 127) as u32) << 23)
}

/// `2^exponent` for exponents within `f64`'s normal range.
#[inline(always)]
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}
