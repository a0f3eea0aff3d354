//! New places for the corners of a tree that keeps its shape.
//!
//! From the last node to the first: leaves are written anew, and each box becomes the one around what is below it. Nodes
//! and blocks stand depth first, so a subtree is a stretch of both, and large ones are done in parallel.
//!
//! A triangle whose corners come together stays in its leaf, where no ray hits it and no box holds it, and is back when
//! they part. One that was left out of the tree because they were together has no place there: see [`Bvh::keeps`].

use alloc::vec::Vec;

use super::item::Hull;
use super::layout::{Layout, corners_of, put};
use super::node::{Bounds, Child, LeafRef, Node, WIDTH};
use super::parallel::each;
use super::wear::{Surfaces, Wear, half_surface};
use super::{Bvh, Kind, repeats_a_corner};
use crate::mesh::MeshCounts;
use crate::simd::row::{Row, flatten_mut};

/// Subtrees of up to this many nodes are done by one thread.
const ALONE: usize = 1024;

impl Bvh {
    /// Whether all triangles that can be hit are in the tree when the vertices are these.
    pub fn keeps(&self, vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> bool {
        self.absent.iter().all(|&prim| repeats_a_corner(corners_of(vertices, triangles, prim)))
    }

    /// Makes it the tree of the same triangles, all of which it [`keeps`](Self::keeps), between other vertices. Gives also how
    /// many times as much it costs as when it was built.
    pub fn refit(&mut self, vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> (MeshCounts, f64) {
        let built = self.built.unwrap_or_else(|| self.wear());
        self.built = Some(built);
        let whole = Stretch { nodes: self.nodes.to_mut(), node: 0, rows: self.rows.to_mut(), row: 0 };
        let found = Refit { layout: self.layout, vertices, triangles }.subtree(whole);
        self.bounds = found.hull.bounds();
        let counts = MeshCounts {
            triangles: triangles.len(),
            repeated_corner: self.absent.len() + found.repeated_corner,
            zero_area: found.zero_area,
        };
        let wear = found.surfaces.wear(&self.bounds, self.nodes.len());
        (counts, wear.over(&built))
    }

    /// What it costs as it stands.
    fn wear(&self) -> Wear {
        let mut surfaces = Surfaces::NONE;
        for node in self.nodes.iter().rev() {
            let (mut around, mut below) = (Bounds::EMPTY, 0.0);
            for place in node.occupied() {
                let bounds = node.child_bounds(place);
                around.grow(&bounds);
                below += half_surface(&bounds);
            }
            surfaces.node(&around, below);
        }
        surfaces.wear(&self.bounds, self.nodes.len())
    }
}

/// A subtree: its nodes and blocks, and the numbers of the first ones.
#[derive(Default)]
struct Stretch<'a> {
    nodes: &'a mut [Node],
    node: usize,
    rows: &'a mut [Row],
    row: usize,
}

/// What is in a subtree.
struct Found {
    hull: Hull,
    repeated_corner: usize,
    zero_area: usize,
    surfaces: Surfaces,
}

impl Found {
    const NOTHING: Found =
        Found { hull: Hull::EMPTY, repeated_corner: 0, zero_area: 0, surfaces: Surfaces::NONE };
}

struct Refit<'a> {
    layout: Layout,
    vertices: &'a [[f32; 3]],
    triangles: &'a [[u32; 3]],
}

impl Refit<'_> {
    fn subtree(&self, stretch: Stretch<'_>) -> Found {
        if stretch.nodes.len() <= ALONE { self.alone(stretch) } else { self.shared_out(stretch) }
    }

    /// The root after its children, which are done at once.
    fn shared_out(&self, Stretch { nodes, node, mut rows, row }: Stretch<'_>) -> Found {
        let mut all = Found::NOTHING;
        let Some((root, mut nodes)) = nodes.split_first_mut() else { return all };
        let mut inner = Vec::with_capacity(WIDTH);
        let mut below = 0.0;
        // From the last one on, so that each ends where the one before it began.
        for (place, child) in root.children.into_iter().enumerate().rev() {
            if child == Child::EMPTY {
                continue;
            }
            match child.split() {
                Ok(payload) => {
                    let leaf = LeafRef::from_payload(payload);
                    let (before, block) = rows.split_at_mut(leaf.row - row);
                    let hull = self.leaf(leaf, block, &mut all);
                    let bounds = hull.bounds();
                    root.set(place, &bounds, child);
                    below += half_surface(&bounds);
                    all.hull.grow(&hull);
                    rows = before;
                }
                Err(index) => {
                    let (before, own) = nodes.split_at_mut(index - node - 1);
                    let first = first_row(own, index);
                    let (rows_before, own_rows) = rows.split_at_mut(first - row);
                    let stretch = Stretch { nodes: own, node: index, rows: own_rows, row: first };
                    inner.push((place, stretch, Found::NOTHING));
                    (nodes, rows) = (before, rows_before);
                }
            }
        }
        each(&mut inner, &|(_, stretch, found)| *found = self.subtree(core::mem::take(stretch)));
        for (place, _, found) in inner {
            let bounds = found.hull.bounds();
            root.set(place, &bounds, root.children[place]);
            below += half_surface(&bounds);
            all.hull.grow(&found.hull);
            all.surfaces.add(&found.surfaces);
            all.repeated_corner += found.repeated_corner;
            all.zero_area += found.zero_area;
        }
        all.surfaces.node(&all.hull.bounds(), below);
        all
    }

    /// One node after the other.
    fn alone(&self, Stretch { nodes, rows, row, .. }: Stretch<'_>) -> Found {
        let mut all = Found::NOTHING;
        // Boxes of nodes whose parents are still to come; those of a node's children are the last ones, the first child's
        // behind the others.
        let mut open: Vec<Hull> = Vec::new();
        for node in nodes.iter_mut().rev() {
            let (mut around, mut below) = (Hull::EMPTY, 0.0);
            for (place, child) in node.children.into_iter().enumerate() {
                if child == Child::EMPTY {
                    continue;
                }
                let hull = match child.split() {
                    Ok(payload) => {
                        let leaf = LeafRef::from_payload(payload);
                        self.leaf(leaf, &mut rows[leaf.row - row..], &mut all)
                    }
                    Err(_) => open.pop().unwrap_or(Hull::EMPTY),
                };
                let bounds = hull.bounds();
                node.set(place, &bounds, child);
                below += half_surface(&bounds);
                around.grow(&hull);
            }
            all.surfaces.node(&around.bounds(), below);
            open.push(around);
        }
        all.hull.grow(&open.pop().unwrap_or(Hull::EMPTY));
        all
    }

    /// Writes the corners of a leaf's triangles to its block, if it is one, and gives the box of those that can be hit.
    fn leaf(&self, leaf: LeafRef, rows: &mut [Row], found: &mut Found) -> Hull {
        let (block, first) = (flatten_mut(rows), self.layout.first_prim(leaf.stride()));
        let mut around = Hull::EMPTY;
        for lane in 0..leaf.count {
            let prim = block[first + lane].to_bits();
            let corners = corners_of(self.vertices, self.triangles, prim);
            if self.layout == Layout::Whole {
                put(block, leaf.stride(), lane, corners);
            }
            match Kind::of(corners) {
                Kind::RepeatedCorner => {
                    found.repeated_corner += 1;
                    continue;
                }
                Kind::ZeroArea => found.zero_area += 1,
                Kind::Proper => {}
            }
            around.grow(&Hull::of_triangle(corners));
        }
        around
    }
}

/// The first row of a subtree whose first node has this number: that of its first leaf.
fn first_row(nodes: &[Node], number: usize) -> usize {
    let mut at = 0;
    loop {
        match nodes[at].children[0].split() {
            Ok(payload) => return LeafRef::from_payload(payload).row,
            Err(child) => at = child - number,
        }
    }
}
