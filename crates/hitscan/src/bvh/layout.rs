//! How the leaves of a tree hold their triangles: with their corners, or by their numbers alone.
//!
//! Kernels test blocks of up to eight triangles, plane by plane. A tree whose leaves are such blocks hands them out where they
//! lie. One of the compact layout has a row of numbers for each leaf, and a block is put together from the mesh's own lists when a
//! walk comes to it: the same corners, and so the same answers.

use core::mem::MaybeUninit;

use super::Bvh;
use super::item::Item;
use super::node::{LeafRef, WIDTH};
use super::repeats_a_corner;
use crate::mesh::MeshData;
use crate::simd::block::{Axis, BLOCK_ROWS, Stride, corner};
use crate::simd::lanes::{Lanes, ones};
use crate::simd::row::{Row, flatten, flatten_mut, numbers};

/// A block as kernels see it.
pub(crate) type Block = [f32; 8 * BLOCK_ROWS];

/// Room for a block that is put together.
pub(crate) type Room = MaybeUninit<[Row; BLOCK_ROWS]>;

/// What the leaves of a tree hold of their triangles; its number is how many planes stand before theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Corners and numbers: a block of nine planes (corner A's x, y, z, then B's, then C's) and the triangles' numbers, each as many
    /// numbers as [`LeafRef::stride`] says.
    Whole = 9,
    /// A row of numbers.
    Compact = 0,
}

impl Layout {
    /// Rows of a leaf of so many triangles.
    #[inline]
    pub fn rows(self, count: usize) -> usize {
        match self {
            Layout::Whole if count <= 4 => 5,
            Layout::Whole => 10,
            Layout::Compact => 1,
        }
    }

    /// Rows that are read of a leaf: a block of four triangles is read like one of eight.
    #[inline]
    pub fn rows_read(self, count: usize) -> usize {
        match self {
            Layout::Whole => self.rows(count).max(BLOCK_ROWS),
            Layout::Compact => 1,
        }
    }

    /// Rows behind the last leaf, so that it can be read like the others.
    pub fn spare_rows(self) -> usize {
        self.rows_read(1) - self.rows(1)
    }

    /// Where the numbers of a leaf's triangles begin among those of its rows: behind so many planes.
    #[inline(always)]
    pub fn first_prim(self, stride: Stride) -> usize {
        self as usize * stride.numbers()
    }

    /// Writes a leaf, whose rows are numbered from `row` on, and gives its payload.
    pub fn store(
        self,
        items: &[Item],
        vertices: &[[f32; 3]],
        triangles: &[[u32; 3]],
        row: usize,
        rows: &mut [Row],
    ) -> u32 {
        let leaf = LeafRef { row, count: items.len() };
        let (block, first) = (flatten_mut(rows), self.first_prim(leaf.stride()));
        for (lane, item) in items.iter().enumerate() {
            if self == Layout::Whole {
                put(block, leaf.stride(), lane, corners_of(vertices, triangles, item.id()));
            }
            // Numbers stay below 2^25, whose bits are a plain `f32`, never one that is not a number.
            block[first + lane] = f32::from_bits(item.id());
        }
        leaf.payload()
    }
}

/// Writes the corners of a triangle to a block.
#[inline(always)]
pub(super) fn put(block: &mut [f32], stride: Stride, lane: usize, corners: [[f32; 3]; 3]) {
    for (plane, value) in corners.as_flattened().iter().enumerate() {
        block[plane * stride.numbers() + lane] = *value;
    }
}

/// The corners of a triangle, out of a mesh's lists.
#[inline(always)]
pub(super) fn corners_of(vertices: &[[f32; 3]], triangles: &[[u32; 3]], prim: u32) -> [[f32; 3]; 3] {
    triangles[prim as usize].map(|i| vertices[i as usize])
}

/// Corners of one triangle and its row in the mesh's list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stored {
    pub corners: [[f32; 3]; 3],
    pub prim: u32,
}

/// Where a triangle stands among the leaves: the payload of its leaf, and its lane there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub payload: u32,
    pub lane: u32,
}

/// The leaves of a tree with what they need to be read.
#[derive(Clone, Copy)]
pub(crate) struct Leaves<'a> {
    pub rows: &'a [Row],
    pub layout: Layout,
    pub vertices: &'a [[f32; 3]],
    pub triangles: &'a [[u32; 3]],
}

impl Bvh {
    /// Its leaves, which are over these lists.
    #[inline(always)]
    pub fn leaves<'a>(&'a self, vertices: &'a [[f32; 3]], triangles: &'a [[u32; 3]]) -> Leaves<'a> {
        Leaves { rows: &self.rows, layout: self.layout, vertices, triangles }
    }
}

impl MeshData {
    /// The leaves of its tree.
    #[inline(always)]
    pub fn leaves(&self) -> Leaves<'_> {
        self.tree.leaves(&self.vertices, &self.triangles)
    }
}

impl<'a> Leaves<'a> {
    /// A leaf's triangles, as kernels test them.
    #[inline(always)]
    pub fn block<'b>(&self, leaf: LeafRef, room: &'b mut Room) -> &'b Block
    where
        'a: 'b,
    {
        match self.layout {
            Layout::Whole => whole(self.rows, leaf),
            Layout::Compact => self.together(leaf, room),
        }
    }

    /// Puts a block together. Told to be cold, so that walks keep what they have in registers where leaves are blocks.
    #[cold]
    #[inline(never)]
    fn together<'b>(&self, leaf: LeafRef, room: &'b mut Room) -> &'b Block {
        let rows = room.write([Row([0.0; 8]); BLOCK_ROWS]);
        let block = flatten_mut(rows);
        for (lane, prim) in self.prims(leaf).iter().enumerate() {
            put(block, leaf.stride(), lane, corners_of(self.vertices, self.triangles, prim.to_bits()));
        }
        numbers(rows)
    }

    /// Asks for what the leaves of a batch name in the mesh's lists, so that it comes while others are still asked for: first all
    /// triangles, then all corners.
    #[cold]
    #[inline(never)]
    pub fn fetch<K: Lanes>(&self, lanes: K, leaves: impl Iterator<Item = LeafRef> + Clone) {
        let prims = leaves.flat_map(|leaf| self.prims(leaf)).map(|prim| prim.to_bits() as usize);
        for prim in prims.clone() {
            lanes.prefetch(self.triangles.as_ptr().wrapping_add(prim).cast());
        }
        for corner in prims.filter_map(|prim| self.triangles.get(prim)).flatten() {
            lanes.prefetch(self.vertices.as_ptr().wrapping_add(*corner as usize).cast());
        }
    }

    /// The numbers of a leaf's triangles, as the bits that they are.
    #[inline(always)]
    fn prims(&self, leaf: LeafRef) -> &'a [f32] {
        let first = 8 * leaf.row + self.layout.first_prim(leaf.stride());
        &flatten(self.rows)[first..][..leaf.count.min(WIDTH)]
    }

    /// The row of a triangle in the mesh's list.
    #[inline(always)]
    pub fn prim(&self, place: Place) -> u32 {
        let leaf = LeafRef::from_payload(place.payload);
        let first = 8 * leaf.row + self.layout.first_prim(leaf.stride());
        flatten(self.rows)[first + place.lane as usize].to_bits()
    }

    /// The corners of a triangle.
    #[inline(always)]
    pub fn corners(&self, place: Place) -> [[f32; 3]; 3] {
        if self.layout == Layout::Compact {
            return corners_of(self.vertices, self.triangles, self.prim(place));
        }
        let leaf = LeafRef::from_payload(place.payload);
        let (block, stride, lane) = (whole(self.rows, leaf), leaf.stride(), place.lane as usize);
        [
            Axis::ALL.map(|axis| corner::<0>(block, axis, stride, lane)),
            Axis::ALL.map(|axis| corner::<1>(block, axis, stride, lane)),
            Axis::ALL.map(|axis| corner::<2>(block, axis, stride, lane)),
        ]
    }

    /// A triangle.
    #[inline(always)]
    pub fn triangle(&self, place: Place) -> Stored {
        Stored { corners: self.corners(place), prim: self.prim(place) }
    }

    /// The triangles of a leaf that can be hit.
    pub fn triangles(self, payload: u32) -> impl Iterator<Item = Stored> + 'a {
        let count = LeafRef::from_payload(payload).count as u32;
        self.hittable(payload, 0..count)
    }

    /// Those of them that have a corner at a position.
    pub fn triangles_at(self, payload: u32, position: [f32; 3]) -> impl Iterator<Item = Stored> + 'a {
        let leaf = LeafRef::from_payload(payload);
        let mut room = Room::uninit();
        let block = self.block(leaf, &mut room);
        let lanes = match leaf.stride() {
            Stride::Four => lanes_at::<4>(block, position),
            Stride::Eight => lanes_at::<8>(block, position),
        };
        self.hittable(payload, ones(lanes & leaf.lanes()).map(|lane| lane as u32))
    }

    fn hittable(
        self,
        payload: u32,
        lanes: impl Iterator<Item = u32> + 'a,
    ) -> impl Iterator<Item = Stored> + 'a {
        // A refit leaves some with two corners at one position.
        lanes
            .map(move |lane| self.triangle(Place { payload, lane }))
            .filter(|triangle| !repeats_a_corner(triangle.corners))
    }
}

/// Bits of the lanes of a block, whose planes have so many numbers, that have a corner at a position.
fn lanes_at<const STRIDE: usize>(block: &Block, position: [f32; 3]) -> u32 {
    let (planes, _) = block.as_chunks::<STRIDE>();
    let mut lanes = 0;
    // All of each, without branches: several at once.
    for corner in planes[..9].chunks_exact(3) {
        for lane in 0..STRIDE {
            let is_there = (corner[0][lane] == position[0])
                & (corner[1][lane] == position[1])
                & (corner[2][lane] == position[2]);
            lanes |= u32::from(is_there) << lane;
        }
    }
    lanes
}

/// A leaf that is a block.
#[inline(always)]
fn whole(rows: &[Row], leaf: LeafRef) -> &Block {
    numbers(rows[leaf.row..].first_chunk().expect("the leaves end with room for a whole block"))
}
