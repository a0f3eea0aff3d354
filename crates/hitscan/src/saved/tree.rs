//! What has to hold of nodes from a file, so that no walk leaves them, ends late or runs out of stack.
//!
//! Boxes are not compared with what is below them: those that are too small hide what they hold, as an edited mesh would,
//! and [`Scene::check`](crate::Scene::check) finds them.

use std::vec::Vec;

use super::bytes::Flaw;
use crate::bvh::leaf;
use crate::bvh::node::{Child, LeafRef, Node, WIDTH};
use crate::simd::block::BLOCK_ROWS;
use crate::simd::row::{Row, flatten};
use crate::simd::stack::MAX_DEPTH;

/// Verifies that nodes stand depth first, each with one parent, no deeper than stacks allow, the first place of each
/// occupied, and their planes numbers of at most `largest` or those of nothing. `leaf` is shown the leaves' payloads in
/// depth-first order.
pub(super) fn check_nodes(
    nodes: &[Node],
    largest: f32,
    leaf: &mut dyn FnMut(u32) -> Result<(), Flaw>,
) -> Result<(), Flaw> {
    if nodes.is_empty() {
        return Ok(());
    }
    // The nodes above the current one, and which of their places comes next.
    let mut open = [(0usize, 0usize); MAX_DEPTH];
    let mut depth = 1;
    let mut reached = 1;
    check_node(0, &nodes[0], largest)?;
    while depth > 0 {
        let (index, place) = &mut open[depth - 1];
        if *place == WIDTH {
            depth -= 1;
            continue;
        }
        let child = nodes[*index].children[*place];
        *place += 1;
        if child == Child::EMPTY {
            continue;
        }
        match child.split() {
            Ok(payload) => leaf(payload)?,
            Err(child) if child == reached && child < nodes.len() && depth < MAX_DEPTH => {
                check_node(child, &nodes[child], largest)?;
                open[depth] = (child, 0);
                depth += 1;
                reached += 1;
            }
            Err(child) => {
                let found = format_args!("node {index} names node {child} at depth {depth}").to_string();
                let expected =
                    format_args!("node {reached} of {}, at most {MAX_DEPTH} deep", nodes.len()).to_string();
                return Err(Flaw::new(found, expected));
            }
        }
    }
    match nodes.len() - reached {
        0 => Ok(()),
        lost => Err(Flaw::new(format_args!("{lost} nodes without a parent"), "one for each but the first")),
    }
}

fn check_node(number: usize, node: &Node, largest: f32) -> Result<(), Flaw> {
    let mut near = true;
    for plane in node.planes.as_flattened() {
        // False for what is not a number.
        near &= plane.abs() <= largest;
    }
    let place = if near { None } else { (0..WIDTH).find(|&place| !is_sound(node, place, largest)) };
    if let Some(place) = place {
        let found =
            format_args!("node {number}, place {place}: a box without end or of no numbers").to_string();
        return Err(Flaw::new(found, format_args!("planes of at most {largest:?}, or those of nothing")));
    }
    if node.children[0] == Child::EMPTY {
        return Err(Flaw::new(format_args!("node {number} without a first child"), "one in each node"));
    }
    Ok(())
}

/// Whether a box is near enough, or that of nothing.
fn is_sound(node: &Node, place: usize, largest: f32) -> bool {
    let bounds = node.child_bounds(place);
    let near = |corner: [f32; 4]| corner.iter().all(|c| c.abs() <= largest);
    bounds.is_empty() || (near(bounds.low) && near(bounds.high))
}

/// Verifies the leaves of a mesh: their blocks one behind the other inside of the rows, and each triangle in one of them
/// or among those that are absent.
pub(super) struct Leaves<'a> {
    rows: &'a [Row],
    free: usize,
    /// A bit for each triangle that was found.
    found: Vec<u64>,
    count: usize,
    triangles: usize,
}

impl<'a> Leaves<'a> {
    pub fn new(rows: &'a [Row], triangles: usize) -> Leaves<'a> {
        Leaves { rows, free: 0, found: vec![0; triangles.div_ceil(64)], count: 0, triangles }
    }

    /// The next leaf.
    pub fn leaf(&mut self, payload: u32) -> Result<(), Flaw> {
        let leaf = LeafRef::from_payload(payload);
        if leaf.row < self.free || leaf.row + BLOCK_ROWS.max(leaf.rows()) > self.rows.len() {
            let found = format_args!("a leaf of {} triangles in row {}", leaf.count, leaf.row).to_string();
            let expected = format_args!("one from {} on that ends before {}", self.free, self.rows.len());
            return Err(Flaw::new(found, expected));
        }
        self.free = leaf.row + leaf.rows();
        let stride = leaf.stride().numbers();
        let numbers = &flatten(&self.rows[leaf.row..self.free])[leaf::PRIMS * stride..][..leaf.count];
        numbers.iter().try_for_each(|number| self.triangle(number.to_bits()))
    }

    /// A triangle is in a leaf, or absent.
    pub fn triangle(&mut self, prim: u32) -> Result<(), Flaw> {
        let (word, bit) = (prim as usize / 64, 1 << (prim % 64));
        let is_new = (prim as usize) < self.triangles && self.found[word] & bit == 0;
        if !is_new {
            let expected = format_args!("each of {} once", self.triangles);
            return Err(Flaw::new(format_args!("triangle {prim}, or twice"), expected));
        }
        self.found[word] |= bit;
        self.count += 1;
        Ok(())
    }

    /// Whether all were found.
    pub fn end(self) -> Result<(), Flaw> {
        match self.triangles - self.count {
            0 => Ok(()),
            lost => Err(Flaw::new(format_args!("{lost} triangles in no leaf"), "each in one, or absent")),
        }
    }
}
