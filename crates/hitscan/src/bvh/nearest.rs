//! The best of all triangles by some measure that has a bound on boxes: a distance, or the time of a first contact.
//!
//! Boxes of smaller bounds come first, and a box is left out once its bound is worse than the best that was found. What is
//! found does not depend on the tree as long as the measure of a triangle is never better than the bound of its own box, and
//! the bound of a box never worse than that of a box within it, rounding included.

use super::Bvh;
use super::leaf::{self, Stored};
use super::node::{Bounds, Child, LeafRef, Node, WIDTH};
use super::walk::Nodes;
use crate::simd::row::Row;

/// What is looked for among triangles.
pub(crate) trait Search {
    /// The bound of a box; `None` where nothing in it can be wanted.
    fn bound(&self, bounds: &Bounds) -> Option<f64>;
    /// Whether something of this bound can still be better than what was found, or as good.
    fn wants(&self, bound: f64) -> bool;
    /// Looks at a triangle.
    fn visit(&mut self, triangle: &Stored);
}

/// The same in a tree of anything.
pub(crate) trait TreeSearch {
    fn bound(&self, bounds: &Bounds) -> Option<f64>;
    fn wants(&self, bound: f64) -> bool;
    /// Looks at a leaf.
    fn open(&mut self, payload: u32);
}

impl Bvh {
    /// Shows the search every triangle that it may want, those in nearer boxes first.
    pub fn search(&self, search: &mut impl Search) {
        if !self.nodes.is_empty() {
            let mut nodes: &[Node] = &self.nodes;
            best_first(&mut nodes, Child::inner(0), &mut Rows { rows: &self.rows, search });
        }
    }
}

/// Shows the search every leaf below an inner node that it may want, those in nearer boxes first.
pub(crate) fn best_first(nodes: &mut impl Nodes, node: Child, search: &mut impl TreeSearch) {
    let index = match node.split() {
        Ok(payload) => return search.open(payload),
        Err(index) => index,
    };
    let node = nodes.open(index);
    let mut found = [(0.0, Child::EMPTY); WIDTH];
    let mut count = 0;
    for place in node.occupied() {
        let bounds = node.child_bounds(place);
        if bounds.is_inside_out() {
            continue;
        }
        let Some(bound) = search.bound(&bounds) else { continue };
        let mut at = count;
        while at > 0 && found[at - 1].0 > bound {
            found[at] = found[at - 1];
            at -= 1;
        }
        found[at] = (bound, node.children[place]);
        count += 1;
    }
    for &(bound, child) in &found[..count] {
        if search.wants(bound) {
            best_first(nodes, child, search);
        }
    }
}

/// The leaves of a mesh.
struct Rows<'a, S> {
    rows: &'a [Row],
    search: &'a mut S,
}

impl<S: Search> TreeSearch for Rows<'_, S> {
    fn bound(&self, bounds: &Bounds) -> Option<f64> {
        self.search.bound(bounds)
    }

    fn wants(&self, bound: f64) -> bool {
        self.search.wants(bound)
    }

    fn open(&mut self, payload: u32) {
        let leaf = LeafRef::from_payload(payload);
        leaf::triangles(self.rows, leaf).for_each(|triangle| self.search.visit(&triangle));
    }
}
