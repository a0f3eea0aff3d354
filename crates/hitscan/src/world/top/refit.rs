//! New boxes for a tree that keeps its shape.

use alloc::vec::Vec;

use super::{Top, relative};
use crate::bvh::node::{Bounds, Child};
use crate::bvh::wear::{Surfaces, Wear, half_surface};

impl Top {
    /// Gives all nodes the boxes of what is below them now, and what the tree costs then. Infinite where a slot's box is not
    /// there any more; 0 for a tree of nothing.
    pub(super) fn refit(&mut self) -> Wear {
        // Boxes of nodes whose parents are still to come; those of a node's children are the last ones, the first child's
        // behind the others.
        let mut open: Vec<Bounds> = Vec::new();
        let mut surfaces = Surfaces::NONE;
        for node in self.nodes.iter_mut().rev() {
            let (mut around, mut below) = (Bounds::EMPTY, 0.0);
            for (place, child) in node.children.into_iter().enumerate() {
                if child == Child::EMPTY {
                    continue;
                }
                let bounds = match child.split() {
                    Ok(slot) => match self.boxes.get(slot as usize) {
                        Some(Some(box_)) => relative(box_.tight, self.centre),
                        _ => return Wear::UNKNOWN,
                    },
                    Err(_) => open.pop().unwrap_or(Bounds::EMPTY),
                };
                node.set(place, &bounds, child);
                around.grow(&bounds);
                below += half_surface(&bounds);
            }
            surfaces.node(&around, below);
            open.push(around);
        }
        self.bounds = open.pop().unwrap_or(Bounds::EMPTY);
        surfaces.wear(&self.bounds, self.nodes.len())
    }
}
