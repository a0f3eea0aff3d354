//! Memory asked for before it is needed.

use super::node::{Child, Node};
use crate::mesh::MeshData;
use crate::simd::lanes::Lanes;
use crate::simd::row::Row;
use crate::world::Geometry;
use crate::world::top::Top;
use crate::world::top::joined::Joined;

/// Cache lines of a node; most leaves have one more.
const LINES: usize = 4;

/// Asks for the memory of a child in a tree of these nodes and leaves, so that it is there when its turn comes.
#[inline(always)]
pub(crate) fn fetch<L: Lanes>(lanes: L, nodes: &[Node], rows: &[Row], child: Child) {
    let word = child.word() as usize;
    let node = nodes.as_ptr().wrapping_add(word).cast::<u8>();
    let leaf = rows.as_ptr().wrapping_add((word & !(Child::LEAF as usize)) >> 3).cast::<u8>();
    // Nobody could foretell a branch here.
    let first = core::hint::select_unpredictable(child.is_leaf(), leaf, node);
    for line in 0..LINES {
        lanes.prefetch(first.wrapping_add(64 * line));
    }
    let rest = core::hint::select_unpredictable(child.is_leaf(), 64 * LINES, 0);
    lanes.prefetch(first.wrapping_add(rest));
}

impl MeshData {
    /// The same in the tree of a mesh.
    #[inline(always)]
    pub fn fetch<L: Lanes>(&self, lanes: L, child: Child) {
        fetch(lanes, &self.tree.nodes, &self.tree.rows, child);
    }
}

impl Joined {
    /// The same in the tree above parts.
    #[inline(always)]
    pub fn fetch<L: Lanes>(&self, lanes: L, child: Child) {
        fetch(lanes, self.nodes(), self.rows(), child);
    }
}

impl Top {
    /// The same of the tree over the instances, whose leaves lead to the first node of a mesh.
    #[inline(always)]
    pub fn fetch<L: Lanes>(&self, lanes: L, child: Child) {
        match child.split() {
            Err(index) => fetch_node(lanes, self.nodes().as_ptr().wrapping_add(index)),
            Ok(slot) => {
                if let Some((_, instance)) = self.slots().at(slot)
                    && let Geometry::Mesh(mesh) = &instance.geometry
                {
                    fetch_node(lanes, mesh.data.tree.nodes.as_ptr());
                }
            }
        }
    }
}

#[inline(always)]
fn fetch_node<L: Lanes>(lanes: L, node: *const Node) {
    for line in 0..LINES {
        lanes.prefetch(node.cast::<u8>().wrapping_add(64 * line));
    }
}
