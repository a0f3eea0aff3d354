//! The triangles of a heightfield, those in nearer boxes first.

use super::block::Field;
use super::sample::Sample;
use super::walk::Opened;
use super::{Data, Heightfield, Heights};
use crate::bvh::nearest::{Boxes, Search, TreeSearch, best_first, each_wanted};
use crate::bvh::node::{Child, Node, WIDTH};
use crate::simd::Kernel;

impl Heightfield {
    /// Shows the search every triangle that it may want, as the tree of a mesh does.
    pub(crate) fn search(&self, kernel: Kernel, search: &mut impl Search) {
        let Data { ground, holes, heights, .. } = &*self.data;
        match heights {
            Heights::U16(relief) => search_field(kernel, &Field { ground, holes, relief }, search),
            Heights::F32(relief) => search_field(kernel, &Field { ground, holes, relief }, search),
        }
    }

    /// The corners of a triangle, where it is there.
    pub(crate) fn corners_of(&self, prim: u32) -> Option<[[f32; 3]; 3]> {
        let Data { ground, holes, heights, .. } = &*self.data;
        let (cell, half) = (prim as usize / 2, prim as usize % 2);
        let [across, down] = ground.cells();
        if cell >= across * down || holes.has(cell) {
            return None;
        }
        let spot = [cell % across, cell / across];
        Some(match heights {
            Heights::U16(relief) => Field { ground, holes, relief }.triangle(spot, half),
            Heights::F32(relief) => Field { ground, holes, relief }.triangle(spot, half),
        })
    }
}

fn search_field<S: Sample>(kernel: Kernel, field: &Field<'_, S>, search: &mut impl Search) {
    let mut nodes = Opened { field, node: Node::empty() };
    let root = Child::from_word(field.relief.pyramid.root());
    best_first(kernel, &mut nodes, root, &mut Cells { kernel, field, search });
}

/// The leaves: blocks of cells.
struct Cells<'a, 'b, S: Sample, Q> {
    kernel: Kernel,
    field: &'a Field<'b, S>,
    search: &'a mut Q,
}

impl<S: Sample, Q: Search> TreeSearch for Cells<'_, '_, S, Q> {
    type Order = Q::Order;

    #[inline(always)]
    fn bounds(&self, boxes: &Boxes) -> [f64; WIDTH] {
        self.search.bounds(boxes)
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.search.limit()
    }

    fn open(&mut self, payload: u32) {
        each_wanted(self.kernel, self.field.each_in(payload), self.search);
    }
}
