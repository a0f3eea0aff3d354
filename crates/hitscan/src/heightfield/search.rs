//! The triangles of a heightfield, those in nearer boxes first.

use super::Heightfield;
use super::block::Field;
use super::walk::Opened;
use crate::bvh::nearest::{Search, TreeSearch, best_first};
use crate::bvh::node::{Bounds, Child, Node};

impl Heightfield {
    /// Shows the search every triangle that it may want, as the tree of a mesh does.
    pub(crate) fn search(&self, search: &mut impl Search) {
        let field = Field::of(&self.data);
        let root = Child::from_word(field.heights.root());
        best_first(&mut Opened { field, node: Node::empty() }, root, &mut Cells { field, search });
    }

    /// The corners of a triangle, where it is there.
    pub(crate) fn corners_of(&self, prim: u32) -> Option<[[f32; 3]; 3]> {
        let field @ Field { ground, holes, .. } = Field::of(&self.data);
        let (cell, half) = (prim as usize / 2, prim as usize % 2);
        let [across, down] = ground.cells();
        if cell >= across * down || holes.has(cell) {
            return None;
        }
        Some(field.triangle([cell % across, cell / across], half))
    }
}

/// The leaves: blocks of cells.
struct Cells<'a, Q> {
    field: Field<'a>,
    search: &'a mut Q,
}

impl<Q: Search> TreeSearch for Cells<'_, Q> {
    fn bound(&self, bounds: &Bounds) -> Option<f64> {
        self.search.bound(bounds)
    }

    fn wants(&self, bound: f64) -> bool {
        self.search.wants(bound)
    }

    fn open(&mut self, payload: u32) {
        self.field.each_in(payload, |triangle| self.search.visit(triangle));
    }
}
