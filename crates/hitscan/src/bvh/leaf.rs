//! Leaf blocks: up to eight triangles, plane by plane, and their test.
//!
//! The eight-lane `f32` test may only refuse; what it leaves goes through the one recipe of
//! [`ray_triangle`](crate::intersect::watertight), one triangle at a time (about one a ray is left).

use glam::Vec3A;

use super::item::Item;
use super::node::LeafRef;
use super::repeats_a_corner;
use crate::entry::Shear;
use crate::simd::block::{Axis, BLOCK_ROWS, Stride, Turn, corner, load_corner};
use crate::simd::lanes::Lanes;
use crate::simd::row::{Row, flatten, flatten_mut, numbers};

/// Corners of one triangle and its row in the mesh's list.
#[derive(Clone, Copy)]
pub(crate) struct Stored {
    pub corners: [[f32; 3]; 3],
    pub prim: u32,
}

/// The plane of a block that has the triangles' numbers: behind three coordinates of three corners.
pub(crate) const PRIMS: usize = 9;

/// Where a triangle stands among the leaves: the payload of its leaf, and its lane there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub payload: u32,
    pub lane: u32,
}

impl Place {
    /// The triangle there.
    #[inline(always)]
    pub fn triangle(self, rows: &[Row]) -> Stored {
        Stored { corners: self.corners(rows), prim: self.prim(rows) }
    }

    /// Its corners.
    #[inline(always)]
    pub fn corners(self, rows: &[Row]) -> [[f32; 3]; 3] {
        let leaf = LeafRef::from_payload(self.payload);
        let block = kernel_block(rows, leaf);
        [
            self.corner::<0>(block, leaf.stride()),
            self.corner::<1>(block, leaf.stride()),
            self.corner::<2>(block, leaf.stride()),
        ]
    }

    #[inline(always)]
    fn corner<const CORNER: usize>(self, block: &[f32; 8 * BLOCK_ROWS], stride: Stride) -> [f32; 3] {
        Axis::ALL.map(|axis| corner::<CORNER>(block, axis, stride, self.lane as usize))
    }

    /// Its row in the mesh's list.
    #[inline(always)]
    pub fn prim(self, rows: &[Row]) -> u32 {
        let leaf = LeafRef::from_payload(self.payload);
        flatten(rows)[8 * leaf.row + PRIMS * leaf.stride().numbers() + self.lane as usize].to_bits()
    }
}

/// Writes the block of a leaf, whose rows are numbered from `row` on, and gives its payload.
pub(crate) fn store(
    items: &[Item],
    vertices: &[[f32; 3]],
    triangles: &[[u32; 3]],
    row: usize,
    rows: &mut [Row],
) -> u32 {
    let leaf = LeafRef { row, count: items.len() };
    let block = flatten_mut(rows);
    let stride = leaf.stride().numbers();
    for (lane, item) in items.iter().enumerate() {
        let corners = triangles[item.id() as usize].map(|i| vertices[i as usize]);
        for (plane, value) in corners.as_flattened().iter().enumerate() {
            block[plane * stride + lane] = *value;
        }
        // Numbers stay below 2^25, whose bits are a plain `f32`, never one that is not a number.
        block[PRIMS * stride + lane] = f32::from_bits(item.id());
    }
    leaf.payload()
}

/// The triangles of a leaf that can be hit.
pub(crate) fn triangles(rows: &[Row], leaf: LeafRef) -> impl Iterator<Item = Stored> {
    stored(rows, leaf).filter(|triangle| !repeats_a_corner(triangle.corners))
}

/// All triangles of a leaf, also those that a refit left with two corners at one position.
pub(crate) fn stored(rows: &[Row], leaf: LeafRef) -> impl Iterator<Item = Stored> {
    (0..leaf.count as u32).map(move |lane| Place { payload: leaf.payload(), lane }.triangle(rows))
}

/// A block as kernels see it.
#[inline(always)]
pub(crate) fn kernel_block(rows: &[Row], leaf: LeafRef) -> &[f32; 8 * BLOCK_ROWS] {
    numbers(rows[leaf.row..].first_chunk().expect("the arena ends with room for a whole block"))
}

/// Rows behind the last block, so that a block of four can be read like one of eight.
pub(crate) const SPARE_ROWS: usize = BLOCK_ROWS - 5;

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
    pub fn new(
        lanes: L,
        shear: &Shear,
        turned: [f32; 3],
        block: &[f32; 8 * BLOCK_ROWS],
        leaf: LeafRef,
    ) -> Across<L> {
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
pub(crate) fn depths(
    shear: &Shear,
    turned: [f32; 3],
    block: &[f32; 8 * BLOCK_ROWS],
    leaf: LeafRef,
    lane: usize,
) -> [f32; 3] {
    let (kz, [.., z]) = (shear.turn.kz, turned);
    (corners(block, kz, leaf.stride(), lane) - Vec3A::splat(z)).to_array()
}

/// One coordinate of the three corners of one triangle.
#[inline(always)]
fn corners(block: &[f32; 8 * BLOCK_ROWS], axis: Axis, stride: Stride, lane: usize) -> Vec3A {
    Vec3A::new(
        corner::<0>(block, axis, stride, lane),
        corner::<1>(block, axis, stride, lane),
        corner::<2>(block, axis, stride, lane),
    )
}

/// The lowest and the highest coordinate of each triangle of a block along an axis.
#[inline(always)]
pub(crate) fn extent<L: Lanes>(
    lanes: L,
    block: &[f32; 8 * BLOCK_ROWS],
    axis: Axis,
    stride: Stride,
) -> [L::F; 2] {
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
    block: &[f32; 8 * BLOCK_ROWS],
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
