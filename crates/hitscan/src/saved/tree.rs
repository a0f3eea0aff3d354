//! What has to hold of nodes from a file, so that no walk leaves them, ends late or runs out of stack.
//!
//! Boxes are not compared with what is below them: those that are too small hide what they hold, as an edited mesh would,
//! and [`Scene::check`](crate::Scene::check) finds them.

use super::bytes::Flaw;
use crate::bvh::layout::Layout;
use crate::bvh::node::{Child, LeafRef, Node, WIDTH};
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
    let full = node.children.iter().all(|&child| child != Child::EMPTY);
    let place = if near && full { None } else { (0..WIDTH).find(|&place| !is_sound(node, place, largest)) };
    if let Some(place) = place {
        let found = format_args!(
            "node {number}, place {place}: a box without end, of no numbers, or of an empty place"
        )
        .to_string();
        return Err(Flaw::new(found, format_args!("planes of at most {largest:?}, or those of nothing")));
    }
    if node.children[0] == Child::EMPTY {
        return Err(Flaw::new(format_args!("node {number} without a first child"), "one in each node"));
    }
    Ok(())
}

/// Whether a box is near enough, or that of nothing; that of an empty place, which walks may not enter, has to be.
fn is_sound(node: &Node, place: usize, largest: f32) -> bool {
    let bounds = node.child_bounds(place);
    let near = |corner: [f32; 4]| corner.iter().all(|c| c.abs() <= largest);
    bounds.is_empty() || (node.children[place] != Child::EMPTY && near(bounds.low) && near(bounds.high))
}

/// Verifies the leaves of a mesh: one behind the other inside of the rows, triangles that are there, and as many as
/// there are, with those that are absent. Whether one is in two leaves and another in none is not looked for.
pub(super) struct Leaves<'a> {
    rows: &'a [Row],
    layout: Layout,
    free: usize,
    triangles: usize,
    /// How many are still to come.
    left: usize,
}

impl<'a> Leaves<'a> {
    pub fn new(rows: &'a [Row], layout: Layout, triangles: usize, absent: usize) -> Leaves<'a> {
        Leaves { rows, layout, free: 0, triangles, left: triangles - absent }
    }

    /// The next leaf.
    #[inline]
    pub fn leaf(&mut self, payload: u32) -> Result<(), Flaw> {
        let leaf = LeafRef::from_payload(payload);
        let is_inside =
            leaf.row >= self.free && leaf.row + self.layout.rows_read(leaf.count) <= self.rows.len();
        if !is_inside || leaf.count > self.left {
            return Err(self.misplaced(leaf));
        }
        self.free = leaf.row + self.layout.rows(leaf.count);
        self.left -= leaf.count;
        let first = self.layout.first_prim(leaf.stride());
        let numbers = &flatten(&self.rows[leaf.row..self.free])[first..][..leaf.count];
        let highest = numbers.iter().fold(0, |highest, number| number.to_bits().max(highest));
        if highest as usize >= self.triangles {
            return Err(self.missing(highest));
        }
        Ok(())
    }

    #[cold]
    fn misplaced(&self, leaf: LeafRef) -> Flaw {
        let found = format_args!("a leaf of {} triangles in row {}", leaf.count, leaf.row).to_string();
        let Leaves { free, rows, left, .. } = self;
        Flaw::new(
            found,
            format_args!("one from {free} on that ends before {}, of at most {left}", rows.len()),
        )
    }

    #[cold]
    fn missing(&self, prim: u32) -> Flaw {
        Flaw::new(format_args!("triangle {prim}"), format_args!("one of {}", self.triangles))
    }

    /// Whether all came.
    pub fn end(self) -> Result<(), Flaw> {
        match self.left {
            0 => Ok(()),
            lost => Err(Flaw::new(format_args!("{lost} triangles in no leaf"), "each in one, or absent")),
        }
    }
}
