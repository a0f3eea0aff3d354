//! The test of a leaf's block: up to eight triangles, plane by plane.
//!
//! The eight-lane `f32` test may only refuse; what it leaves goes through the one recipe of
//! [`ray_triangle`](crate::intersect::watertight), one triangle at a time (about one a ray is left).

use glam::Vec3A;

use super::layout::Block;
use super::node::LeafRef;
use crate::entry::Shear;
use crate::simd::block::{Axis, Stride, Turn, corner, load_corner};
use crate::simd::lanes::Lanes;

/// The triangles of a block across the ray, eight at once.
pub(crate) struct Across<L: Lanes> {
    /// Of the corners A, B, C.
    pub x: [L::F; 3],
    pub y: [L::F; 3],
    pub z: [L::F; 3],
    /// Bits of those that may be hit: without two edge values of strictly opposite sign. Rounding keeps the order of products, so an
    /// `f32` edge value never has the opposite of its exact sign.
    pub candidates: u32,
}

impl<L: Lanes> Across<L> {
    #[inline(always)]
    pub fn new(lanes: L, shear: &Shear, turned: [f32; 3], block: &Block, leaf: LeafRef) -> Across<L> {
        let a = across::<0, L>(lanes, shear, turned, block, leaf);
        let b = across::<1, L>(lanes, shear, turned, block, leaf);
        let c = across::<2, L>(lanes, shear, turned, block, leaf);
        let (u, v, w) = (edge(lanes, c, b), edge(lanes, a, c), edge(lanes, b, a));
        let zero = lanes.splat(0.0);
        let some_negative = lanes.lt(lanes.min(lanes.min(u, v), w), zero);
        let some_positive = lanes.lt(zero, lanes.max(lanes.max(u, v), w));
        let candidates = !(some_negative & some_positive) & leaf.lanes();
        Across { x: [a[0], b[0], c[0]], y: [a[1], b[1], c[1]], z: [a[2], b[2], c[2]], candidates }
    }

    /// The corners A, B, C of one triangle in the frame of the ray: `x` and `y` of all three.
    #[inline(always)]
    pub fn of(&self, lanes: L, lane: usize) -> [Vec3A; 2] {
        [lanes.pick(self.x, lane), lanes.pick(self.y, lane)]
    }
}

/// The `z` of the corners A, B, C of one triangle in the frame of the ray, out of the block: walks that ask for them only once
/// they know that the ray goes through have no registers for those of all eight.
#[inline(always)]
pub(crate) fn depths(shear: &Shear, turned: [f32; 3], block: &Block, leaf: LeafRef, lane: usize) -> [f32; 3] {
    let (kz, [.., z]) = (shear.turn.kz, turned);
    (corners(block, kz, leaf.stride(), lane) - Vec3A::splat(z)).to_array()
}

/// One coordinate of the three corners of one triangle.
#[inline(always)]
fn corners(block: &Block, axis: Axis, stride: Stride, lane: usize) -> Vec3A {
    Vec3A::new(
        corner::<0>(block, axis, stride, lane),
        corner::<1>(block, axis, stride, lane),
        corner::<2>(block, axis, stride, lane),
    )
}

/// The lowest and the highest coordinate of each triangle of a block along an axis.
#[inline(always)]
pub(crate) fn extent<L: Lanes>(lanes: L, block: &Block, axis: Axis, stride: Stride) -> [L::F; 2] {
    let a = load_corner::<0, L>(lanes, block, axis, stride);
    let b = load_corner::<1, L>(lanes, block, axis, stride);
    let c = load_corner::<2, L>(lanes, block, axis, stride);
    [lanes.min(lanes.min(a, b), c), lanes.max(lanes.max(a, b), c)]
}

/// One corner of each triangle, across the ray.
#[inline(always)]
fn across<const CORNER: usize, L: Lanes>(
    lanes: L,
    shear: &Shear,
    turned: [f32; 3],
    block: &Block,
    leaf: LeafRef,
) -> [L::F; 3] {
    let Shear { turn: Turn { kx, ky, kz, .. }, sx, sy, .. } = *shear;
    let [x, y, z] = turned;
    let z = lanes.sub(load_corner::<CORNER, L>(lanes, block, kz, leaf.stride()), lanes.splat(z));
    let x = lanes.sub(load_corner::<CORNER, L>(lanes, block, kx, leaf.stride()), lanes.splat(x));
    let y = lanes.sub(load_corner::<CORNER, L>(lanes, block, ky, leaf.stride()), lanes.splat(y));
    [lanes.sub(x, lanes.mul(lanes.splat(sx), z)), lanes.sub(y, lanes.mul(lanes.splat(sy), z)), z]
}

#[inline(always)]
fn edge<L: Lanes>(lanes: L, [px, py, _]: [L::F; 3], [qx, qy, _]: [L::F; 3]) -> L::F {
    lanes.sub(lanes.mul(px, qy), lanes.mul(py, qx))
}
