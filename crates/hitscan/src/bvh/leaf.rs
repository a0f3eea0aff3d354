//! Leaf blocks: up to eight triangles, plane by plane, and their test.
//!
//! The eight-lane `f32` test may only refuse; what it leaves goes through the one recipe of
//! [`ray_triangle`](crate::intersect::watertight), one triangle at a time (about one a ray is left).

use super::item::Item;
use super::node::LeafRef;
use crate::entry::{LocalRay, Shear};
use crate::simd::lanes::Lanes;
use crate::simd::row::{Row, flatten, flatten_mut};

/// Corners of one triangle, its row in the mesh's list, and where it is stored.
pub(crate) struct Stored {
    pub corners: [[f32; 3]; 3],
    pub prim: u32,
    pub place: Place,
}

/// Where a triangle stands among the leaves: the payload of its leaf, and its lane there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    payload: u32,
    lane: u8,
}

impl Place {
    /// The corners of the triangle there.
    pub fn corners(self, rows: &[Row]) -> [[f32; 3]; 3] {
        let leaf = LeafRef::from_payload(self.payload);
        stored(block(rows, leaf), leaf, usize::from(self.lane)).corners
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
    let stride = leaf.stride();
    for (lane, item) in items.iter().enumerate() {
        let corners = triangles[item.id() as usize].map(|i| vertices[i as usize]);
        for (plane, value) in corners.as_flattened().iter().enumerate() {
            block[plane * stride + lane] = *value;
        }
        // Numbers stay below 2^25, whose bits are a plain `f32`, never one that is not a number.
        block[9 * stride + lane] = f32::from_bits(item.id());
    }
    leaf.payload()
}

/// The numbers of a leaf's block.
#[inline(always)]
pub(crate) fn block(rows: &[Row], leaf: LeafRef) -> &[f32] {
    flatten(&rows[leaf.row..leaf.row + leaf.rows()])
}

/// One triangle of a block.
#[inline(always)]
pub(crate) fn stored(block: &[f32], leaf: LeafRef, lane: usize) -> Stored {
    let stride = leaf.stride();
    let at = |plane: usize| block[plane * stride + lane];
    Stored {
        corners: [[at(0), at(1), at(2)], [at(3), at(4), at(5)], [at(6), at(7), at(8)]],
        prim: at(9).to_bits(),
        place: Place { payload: leaf.payload(), lane: lane as u8 },
    }
}

/// All triangles of a leaf.
pub(crate) fn triangles(rows: &[Row], leaf: LeafRef) -> impl Iterator<Item = Stored> {
    let block = block(rows, leaf);
    (0..leaf.count).map(move |lane| stored(block, leaf, lane))
}

/// What the eight-lane test needs of a ray.
#[derive(Clone, Copy)]
pub(crate) struct LaneRay<L: Lanes> {
    /// Along `kx`, `ky`, `kz`.
    origin: [L::F; 3],
    sx: L::F,
    sy: L::F,
    axes: [usize; 3],
}

impl<L: Lanes> LaneRay<L> {
    #[inline(always)]
    pub fn new(lanes: L, ray: &LocalRay<'_>) -> Self {
        let Shear { kx, ky, kz, sx, sy, .. } = ray.heading.shear;
        let o = ray.origin;
        LaneRay {
            origin: [lanes.splat(o[kx]), lanes.splat(o[ky]), lanes.splat(o[kz])],
            sx: lanes.splat(sx),
            sy: lanes.splat(sy),
            axes: [kx, ky, kz],
        }
    }

    /// Bits of the triangles that may be hit: those without two edge values of strictly opposite sign. Rounding
    /// keeps the order of products, so an `f32` edge value never has the opposite of its exact sign.
    #[inline(always)]
    pub fn candidates(&self, lanes: L, block: &[f32], leaf: LeafRef) -> u32 {
        let mask = if leaf.count <= 4 { self.test::<4>(lanes, block) } else { self.test::<8>(lanes, block) };
        mask & ((2 << (leaf.count - 1)) - 1)
    }

    #[inline(always)]
    fn test<const STRIDE: usize>(&self, lanes: L, block: &[f32]) -> u32 {
        let a = self.corner::<STRIDE>(lanes, block, 0);
        let b = self.corner::<STRIDE>(lanes, block, 1);
        let c = self.corner::<STRIDE>(lanes, block, 2);
        let (u, v, w) = (edge(lanes, c, b), edge(lanes, a, c), edge(lanes, b, a));
        let zero = lanes.splat(0.0);
        let some_negative = lanes.lt(lanes.min(lanes.min(u, v), w), zero);
        let some_positive = lanes.lt(zero, lanes.max(lanes.max(u, v), w));
        !(some_negative & some_positive) & 0xff
    }

    /// One corner of each triangle, across the ray.
    #[inline(always)]
    fn corner<const STRIDE: usize>(&self, lanes: L, block: &[f32], corner: usize) -> (L::F, L::F) {
        let [kx, ky, kz] = self.axes;
        let first = 3 * corner;
        let z = lanes.sub(lanes.load(plane::<STRIDE>(block, first + kz)), self.origin[2]);
        let x = lanes.sub(lanes.load(plane::<STRIDE>(block, first + kx)), self.origin[0]);
        let y = lanes.sub(lanes.load(plane::<STRIDE>(block, first + ky)), self.origin[1]);
        (lanes.sub(x, lanes.mul(self.sx, z)), lanes.sub(y, lanes.mul(self.sy, z)))
    }
}

/// Eight numbers from the start of a plane. With a stride of 4 the upper ones belong to the next plane, and the
/// count masks them out.
#[inline(always)]
fn plane<const STRIDE: usize>(block: &[f32], plane: usize) -> &[f32; 8] {
    block[plane * STRIDE..].first_chunk().expect("a block has ten planes, of which nine are loaded")
}

#[inline(always)]
fn edge<L: Lanes>(lanes: L, p: (L::F, L::F), q: (L::F, L::F)) -> L::F {
    lanes.sub(lanes.mul(p.0, q.1), lanes.mul(p.1, q.0))
}
