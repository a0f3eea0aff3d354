//! The triangles of a heightfield, those in nearer boxes first.

use super::block::Field;
use super::sample::Sample;
use super::walk::Opened;
use super::{Data, Heightfield, Heights};
use crate::bvh::nearest::{Leaves, Search, best_first, each_wanted};
use crate::bvh::node::{Child, Node};
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

fn search_field<S: Sample, Q: Search>(kernel: Kernel, field: &Field<'_, S>, search: &mut Q) {
    let mut nodes = Opened { field, node: Node::empty() };
    let root = Child::from_word(field.relief.pyramid.root());
    let open = |search: &mut Q, payload| each_wanted(kernel, field.each_in(payload), search);
    best_first(kernel, &mut nodes, root, &mut Leaves { search, open });
}
