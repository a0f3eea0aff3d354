//! Every invariant that the walk relies on, verified.

use alloc::vec;
use alloc::vec::Vec;

use thiserror::Error;

use super::Bvh;
use super::leaf;
use super::node::{Bounds, LeafRef, Node};
use crate::simd::stack::MAX_DEPTH;

/// The first invariant of a tree that does not hold: a fault of this library, never of the input.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckError {
    /// A node names a child that does not exist or was reached before.
    #[error("node {node} names node {child}; children come behind their parent, and each has one parent")]
    Child {
        /// The parent.
        node: usize,
        /// The index found in it.
        child: usize,
    },
    /// The tree is deeper than the walk's stack allows.
    #[error("node {node} lies at depth {depth}; the walk has room for {}", MAX_DEPTH)]
    Depth {
        /// The node.
        node: usize,
        /// Its depth; the root's is 1.
        depth: usize,
    },
    /// A box does not enclose what is below it.
    #[error("node {node}, place {place}: the box does not hold what is below it; it needs to")]
    Box {
        /// The node.
        node: usize,
        /// The place in it, 0 to 7.
        place: usize,
    },
    /// A leaf's block lies outside the leaves' memory.
    #[error("node {node}, place {place}: the leaf's block lies outside the memory of leaves")]
    Block {
        /// The node.
        node: usize,
        /// The place in it, 0 to 7.
        place: usize,
    },
    /// A leaf's triangle is not what the mesh has in that row.
    #[error("a leaf holds triangle {prim} with corners that differ from the mesh's; they need to be equal")]
    Triangle {
        /// The row.
        prim: u32,
    },
    /// A triangle is in no leaf or in several, or one that can never be hit is in a leaf.
    #[error("triangle {prim} is in {found} leaves; it needs to be in {expected}")]
    Coverage {
        /// The row.
        prim: usize,
        /// Leaves that hold it.
        found: u32,
        /// 1, or 0 for a triangle with two corners at one position.
        expected: u32,
    },
    /// Nodes that no way from the root leads to.
    #[error("{unreached} nodes cannot be reached from the root; all need to be")]
    Unreached {
        /// How many.
        unreached: usize,
    },
}

/// A walk over all nodes that verifies what every tree of wide nodes must keep. `leaf` gives the box of what a leaf
/// holds.
pub(crate) fn check_nodes(
    nodes: &[Node],
    leaf: &mut dyn FnMut(usize, usize, u32) -> Result<Bounds, CheckError>,
) -> Result<(), CheckError> {
    let mut reached = vec![false; nodes.len()];
    if !nodes.is_empty() {
        below(nodes, 0, 1, &mut reached, leaf)?;
    }
    match reached.iter().filter(|&&r| !r).count() {
        0 => Ok(()),
        unreached => Err(CheckError::Unreached { unreached }),
    }
}

/// Verifies a subtree and gives the box of everything in it.
fn below(
    nodes: &[Node],
    index: usize,
    depth: usize,
    reached: &mut [bool],
    leaf: &mut dyn FnMut(usize, usize, u32) -> Result<Bounds, CheckError>,
) -> Result<Bounds, CheckError> {
    if depth > MAX_DEPTH {
        return Err(CheckError::Depth { node: index, depth });
    }
    reached[index] = true;
    let node = &nodes[index];
    let mut bounds = Bounds::EMPTY;
    for place in node.occupied() {
        let inside = match node.children[place].split() {
            Ok(payload) => leaf(index, place, payload)?,
            Err(child) if child > index && child < nodes.len() && !reached[child] => {
                below(nodes, child, depth + 1, reached, leaf)?
            }
            Err(child) => return Err(CheckError::Child { node: index, child }),
        };
        let own = node.child_bounds(place);
        if !own.contains(&inside) {
            return Err(CheckError::Box { node: index, place });
        }
        bounds.grow(&own);
    }
    Ok(bounds)
}

impl Bvh {
    pub(crate) fn check(&self, vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> Result<(), CheckError> {
        let corners = |prim: usize| triangles.get(prim).map(|t| t.map(|i| vertices[i as usize]));
        let mut found = vec![0u32; triangles.len()];
        check_nodes(&self.nodes, &mut |node, place, payload| {
            let at = LeafRef::from_payload(payload);
            if at.row + at.rows() > self.rows.len() {
                return Err(CheckError::Block { node, place });
            }
            let mut bounds = Bounds::EMPTY;
            for stored in leaf::triangles(&self.rows, at) {
                let prim = stored.prim;
                if corners(prim as usize) != Some(stored.corners) {
                    return Err(CheckError::Triangle { prim });
                }
                found[prim as usize] += 1;
                stored.corners.iter().for_each(|&[x, y, z]| bounds.grow_point([x, y, z, 0.0]));
            }
            Ok(bounds)
        })?;
        let expected: Vec<u32> = (0..triangles.len())
            .map(|prim| corners(prim).map_or(0, |[a, b, c]| u32::from(a != b && b != c && c != a)))
            .collect();
        match (0..triangles.len()).find(|&prim| found[prim] != expected[prim]) {
            Some(prim) => Err(CheckError::Coverage { prim, found: found[prim], expected: expected[prim] }),
            None => Ok(()),
        }
    }
}
