//! The triangles of a heightfield by their boxes, for questions that are not rays.

use super::block::{Block, Field};
use super::sample::Sample;
use super::{Data, Heightfield, Heights};
use crate::bvh::leaf::{Place, Stored};
use crate::bvh::nearest::Search;
use crate::bvh::node::{Child, Node, WIDTH};
use crate::source::Source;

impl Heightfield {
    /// Shows the search every triangle that it may want, those in nearer boxes first.
    pub(crate) fn search(&self, search: &mut impl Search) {
        let Data { ground, holes, heights, .. } = &*self.data;
        match heights {
            Heights::U16(relief) => search_field(&Field { ground, holes, relief }, search),
            Heights::F32(relief) => search_field(&Field { ground, holes, relief }, search),
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

fn search_field<S: Sample>(field: &Field<'_, S>, search: &mut impl Search) {
    let root = Child::from_word(field.relief.pyramid.root());
    search_below(field, root, search);
}

fn search_below<S: Sample>(field: &Field<'_, S>, child: Child, search: &mut impl Search) {
    let number = match child.split() {
        Ok(payload) => return show(field, payload, search),
        Err(number) => number,
    };
    let mut node = Node::empty();
    field.relief.pyramid.open(field.ground, &field.relief.scale, number as u32, &mut node);
    let mut found = [(0.0, 0); WIDTH];
    let mut count = 0;
    for place in 0..WIDTH {
        let bounds = node.child_bounds(place);
        // Without cells.
        if (0..3).any(|axis| bounds.low[axis] > bounds.high[axis]) {
            continue;
        }
        if let Some(bound) = search.bound(&bounds) {
            found[count] = (bound, place);
            count += 1;
        }
    }
    found[..count].sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    for &(bound, place) in &found[..count] {
        if search.wants(bound) {
            search_below(field, node.children[place], search);
        }
    }
}

/// The triangles of a leaf.
fn show<S: Sample>(field: &Field<'_, S>, payload: u32, search: &mut impl Search) {
    let wanted = field.fill(payload, &mut Block::new());
    for lane in (0..WIDTH as u32).filter(|lane| wanted >> lane & 1 == 1) {
        let place = Place { payload, lane };
        search.visit(&Stored { corners: field.corners(place), prim: field.prim(place) });
    }
}
