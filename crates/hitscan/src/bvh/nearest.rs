//! The best of all triangles by some measure that has a bound on boxes: a distance, or the time of a first contact.
//!
//! Boxes of smaller bounds come first, and a box is left out once its bound is worse than the best that was found. What is
//! found does not depend on the tree as long as the measure of a triangle is never better than the bound of its own box, and
//! the bound of a box never worse than that of a box within it, rounding included.

use super::Bvh;
use super::leaf::{self, Stored};
use super::node::{Bounds, LeafRef, WIDTH};

/// What is looked for.
pub(crate) trait Search {
    /// The bound of a box; `None` where nothing in it can be wanted.
    fn bound(&self, bounds: &Bounds) -> Option<f64>;
    /// Whether something of this bound can still be better than what was found, or as good.
    fn wants(&self, bound: f64) -> bool;
    /// Looks at a triangle.
    fn visit(&mut self, triangle: &Stored);
}

impl Bvh {
    /// Shows the search every triangle that it may want, those in nearer boxes first.
    pub fn search(&self, search: &mut impl Search) {
        if !self.nodes.is_empty() {
            self.search_below(0, search);
        }
    }

    fn search_below(&self, index: usize, search: &mut impl Search) {
        let node = &self.nodes[index];
        let mut found = [(0.0, 0); WIDTH];
        let mut count = 0;
        for place in node.occupied() {
            let Some(bound) = search.bound(&node.child_bounds(place)) else { continue };
            let mut at = count;
            while at > 0 && found[at - 1].0 > bound {
                found[at] = found[at - 1];
                at -= 1;
            }
            found[at] = (bound, place);
            count += 1;
        }
        for &(bound, place) in &found[..count] {
            if !search.wants(bound) {
                continue;
            }
            match node.children[place].split() {
                Ok(payload) => {
                    let leaf = LeafRef::from_payload(payload);
                    leaf::triangles(&self.rows, leaf).for_each(|triangle| search.visit(&triangle));
                }
                Err(inner) => self.search_below(inner, search),
            }
        }
    }
}
