//! New boxes for a tree that keeps its shape.

use alloc::vec::Vec;

use super::{Top, relative};
use crate::bvh::node::{Bounds, Child};

impl Top {
    /// Gives all nodes the boxes of what is below them now, and what the tree costs a ray: the surfaces of all boxes over
    /// that of the one around them. Infinite where a slot's box is not there any more; 0 for a tree of nothing.
    pub(super) fn refit(&mut self) -> f64 {
        // Boxes of nodes whose parents are still to come; those of a node's children are the last ones, the first child's
        // behind the others.
        let mut open: Vec<Bounds> = Vec::new();
        let mut surfaces = 0.0;
        for node in self.nodes.iter_mut().rev() {
            let mut around = Bounds::EMPTY;
            for (place, child) in node.children.into_iter().enumerate() {
                if child == Child::EMPTY {
                    continue;
                }
                let bounds = match child.split() {
                    Ok(slot) => match self.boxes.get(slot as usize) {
                        Some(Some(box_)) => relative(*box_, self.centre),
                        _ => return f64::INFINITY,
                    },
                    Err(_) => open.pop().unwrap_or(Bounds::EMPTY),
                };
                node.set(place, &bounds, child);
                around.grow(&bounds);
                surfaces += half_surface(&bounds);
            }
            open.push(around);
        }
        self.bounds = open.pop().unwrap_or(Bounds::EMPTY);
        let whole = half_surface(&self.bounds);
        if surfaces > 0.0 { surfaces / whole } else { 0.0 }
    }
}

/// Half the surface of a box; 0 for an empty one.
fn half_surface(bounds: &Bounds) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|i| (f64::from(bounds.high[i]) - f64::from(bounds.low[i])).max(0.0));
    x * (y + z) + y * z
}
