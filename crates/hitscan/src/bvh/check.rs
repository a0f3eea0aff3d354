//! Every invariant that the walk relies on, verified.

use alloc::vec;

use thiserror::Error;

use super::layout::Place;
use super::node::{Bounds, Child, LeafRef, Node, WIDTH};
use super::{Bvh, repeats_a_corner};
use crate::simd::stack::MAX_DEPTH;

/// The first invariant of a tree that does not hold: a fault of this library, or a saved file that was edited.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckError {
    /// A node names another child than the next one in depth-first order.
    #[error("node {node} names node {child}; nodes stand depth first, and each has one parent")]
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
    /// A leaf's block lies outside the leaves' memory, or not behind those before it.
    #[error(
        "node {node}, place {place}: the leaf's block lies outside the memory of leaves or before others"
    )]
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
    /// A triangle is in no leaf or in several, or one that was left out of the tree is in a leaf.
    #[error("triangle {prim} is in {found} leaves; it needs to be in {expected}")]
    Coverage {
        /// The row.
        prim: usize,
        /// Leaves that hold it.
        found: u32,
        /// 1, or 0 for a triangle that had two corners at one position when the tree was built.
        expected: u32,
    },
    /// A place without a child has a box that a ray could meet.
    #[error("node {node}: place {place} is empty, and its box is not; it needs to run from +inf to -inf")]
    EmptyPlace {
        /// The node.
        node: usize,
        /// 0 to 7.
        place: usize,
    },
    /// The box of the whole tree does not enclose the root's boxes.
    #[error("the box of the tree does not hold the root's boxes; it needs to")]
    Bounds,
    /// Nodes that no way from the root leads to.
    #[error("{unreached} nodes cannot be reached from the root; all need to be")]
    Unreached {
        /// How many.
        unreached: usize,
    },
}

/// A walk over all nodes that verifies what every tree of wide nodes must keep, inside the box of the whole. `leaf`
/// gives the box of what a leaf holds.
pub(crate) fn check_nodes(
    nodes: &[Node],
    whole: &Bounds,
    leaf: &mut dyn FnMut(usize, usize, u32) -> Result<Bounds, CheckError>,
) -> Result<(), CheckError> {
    let mut reached = 0;
    if !nodes.is_empty() && !whole.contains(&below(nodes, 0, 1, &mut reached, leaf)?) {
        return Err(CheckError::Bounds);
    }
    match nodes.len() - reached {
        0 => Ok(()),
        unreached => Err(CheckError::Unreached { unreached }),
    }
}

/// Verifies a subtree and gives the box of everything in it. Nodes below `reached` are those that were met so far.
fn below(
    nodes: &[Node],
    index: usize,
    depth: usize,
    reached: &mut usize,
    leaf: &mut dyn FnMut(usize, usize, u32) -> Result<Bounds, CheckError>,
) -> Result<Bounds, CheckError> {
    if depth > MAX_DEPTH {
        return Err(CheckError::Depth { node: index, depth });
    }
    *reached += 1;
    let node = &nodes[index];
    let mut bounds = Bounds::EMPTY;
    for place in (0..WIDTH).filter(|&place| node.children[place] == Child::EMPTY) {
        if !node.child_bounds(place).is_empty() {
            return Err(CheckError::EmptyPlace { node: index, place });
        }
    }
    for place in node.occupied() {
        let inside = match node.children[place].split() {
            Ok(payload) => leaf(index, place, payload)?,
            Err(child) if child == *reached && child < nodes.len() => {
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
        let leaves = self.leaves(vertices, triangles);
        let mut free = 0;
        check_nodes(&self.nodes, &self.bounds, &mut |node, place, payload| {
            let at = LeafRef::from_payload(payload);
            if at.row < free || at.row + self.layout.rows_read(at.count) > self.rows.len() {
                return Err(CheckError::Block { node, place });
            }
            free = at.row + self.layout.rows(at.count);
            let mut bounds = Bounds::EMPTY;
            for place in (0..at.count as u32).map(|lane| Place { payload, lane }) {
                let prim = leaves.prim(place);
                // A compact leaf knows no other corners.
                let Some(expected) = corners(prim as usize).filter(|&c| c == leaves.corners(place)) else {
                    return Err(CheckError::Triangle { prim });
                };
                found[prim as usize] += 1;
                if !repeats_a_corner(expected) {
                    expected.iter().for_each(|&[x, y, z]| bounds.grow_point([x, y, z, 0.0]));
                }
            }
            Ok(bounds)
        })?;
        // A triangle without two equal corners has to be in a leaf; others may also have been left out.
        let expected = |prim: usize| {
            let hittable = corners(prim).is_some_and(|corners| !repeats_a_corner(corners));
            u32::from(hittable || self.absent.binary_search(&(prim as u32)).is_err())
        };
        match (0..triangles.len()).find(|&prim| found[prim] != expected(prim)) {
            Some(prim) => Err(CheckError::Coverage { prim, found: found[prim], expected: expected(prim) }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::super::{Preset, build};
    use super::*;
    use crate::watch::Watch;

    /// A strip of triangles in the plane `z = 0`, and its tree.
    fn strip() -> (Vec<[f32; 3]>, Vec<[u32; 3]>, Bvh) {
        let vertices: Vec<[f32; 3]> =
            (0..402u16).map(|i| [f32::from(i / 2), f32::from(i % 2), 0.0]).collect();
        let triangles: Vec<[u32; 3]> = (0..400).map(|i| [i, i + 1, i + 2]).collect();
        let (tree, _) = build(Preset::Balanced, &vertices, &triangles, Watch::new()).expect("nobody ends it");
        (vertices, triangles, tree)
    }

    /// What `check` says of the strip's tree after a change.
    fn broken(change: impl FnOnce(&mut Bvh)) -> CheckError {
        let (vertices, triangles, mut tree) = strip();
        assert_eq!(tree.check(&vertices, &triangles), Ok(()));
        change(&mut tree);
        tree.check(&vertices, &triangles).expect_err("the tree is broken")
    }

    /// A node and a place in it that holds a leaf, or an inner node.
    fn place_of(tree: &Bvh, leaf: bool) -> (usize, usize) {
        let places = |node: usize| tree.nodes[node].occupied().map(move |place| (node, place));
        (0..tree.nodes.len())
            .flat_map(places)
            .find(|&(node, place)| tree.nodes[node].children[place].split().is_ok() == leaf)
            .expect("the strip has both")
    }

    #[test]
    fn a_box_that_is_too_small_is_found() {
        let error = broken(|tree| {
            let (node, place) = place_of(tree, true);
            tree.nodes.to_mut()[node].planes[3][place] -= 0.5;
        });
        assert!(matches!(error, CheckError::Box { .. }), "{error}");
        let error = broken(|tree| tree.bounds.high[0] -= 0.5);
        assert_eq!(error, CheckError::Bounds);
    }

    #[test]
    fn a_wrong_child_is_found() {
        let error = broken(|tree| {
            let (node, place) = place_of(tree, false);
            tree.nodes.to_mut()[node].children[place] = Child::inner(node);
        });
        assert!(matches!(error, CheckError::Child { .. }), "{error}");
        let error = broken(|tree| {
            let (node, place) = place_of(tree, true);
            let outside = LeafRef { row: tree.rows.len(), count: WIDTH };
            tree.nodes.to_mut()[node].children[place] = Child::leaf(outside.payload());
        });
        assert!(matches!(error, CheckError::Block { .. }), "{error}");
    }

    #[test]
    fn a_lost_leaf_and_a_lost_node_are_found() {
        let error = broken(|tree| {
            let (node, place) = place_of(tree, true);
            tree.nodes.to_mut()[node].set(place, &Bounds::EMPTY, Child::EMPTY);
        });
        assert!(matches!(error, CheckError::Coverage { found: 0, expected: 1, .. }), "{error}");
        let error = broken(|tree| tree.nodes = [&tree.nodes[..], &[Node::empty()]].concat().into());
        assert_eq!(error, CheckError::Unreached { unreached: 1 });
    }

    #[test]
    fn an_empty_place_with_a_box_is_found() {
        let error = broken(|tree| {
            let (node, place) = place_of(tree, true);
            tree.nodes.to_mut()[node].children[place] = Child::EMPTY;
        });
        assert!(matches!(error, CheckError::EmptyPlace { .. }), "{error}");
    }

    #[test]
    fn a_moved_corner_is_found() {
        let error = broken(|tree| tree.rows.to_mut()[0].0[0] += 0.25);
        assert!(matches!(error, CheckError::Triangle { .. }), "{error}");
    }
}
