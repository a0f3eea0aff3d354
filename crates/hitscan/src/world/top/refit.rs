//! New boxes for a tree that keeps its shape.

use alloc::vec::Vec;

use super::{Top, relative};
use crate::bvh::node::{Bounds, Child};

/// What a tree costs rays, counted in boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    /// The surfaces of all boxes over that of the one around all: for rays through everything.
    across: f64,
    /// The mean over the nodes of the surfaces of their children's boxes over that of their own: for rays that stay where
    /// things are crowded, of which one thing far away says nothing.
    within: f64,
}

/// A tree that costs rays so many times what it cost when it was built is worn.
const WORN: f64 = 1.3;

impl Cost {
    /// Whether it is time for a new tree.
    pub fn is_worn(&self, built: &Cost) -> bool {
        self.across > WORN * built.across || self.within > WORN * built.within
    }
}

impl Top {
    /// Gives all nodes the boxes of what is below them now, and what the tree costs then. Infinite where a slot's box is not
    /// there any more; 0 for a tree of nothing.
    pub(super) fn refit(&mut self) -> Cost {
        // Boxes of nodes whose parents are still to come; those of a node's children are the last ones, the first child's
        // behind the others.
        let mut open: Vec<Bounds> = Vec::new();
        let (mut surfaces, mut within) = (0.0, 0.0);
        for node in self.nodes.iter_mut().rev() {
            let (mut around, mut below) = (Bounds::EMPTY, 0.0);
            for (place, child) in node.children.into_iter().enumerate() {
                if child == Child::EMPTY {
                    continue;
                }
                let bounds = match child.split() {
                    Ok(slot) => match self.boxes.get(slot as usize) {
                        Some(Some(box_)) => relative(*box_, self.centre),
                        _ => return Cost { across: f64::INFINITY, within: f64::INFINITY },
                    },
                    Err(_) => open.pop().unwrap_or(Bounds::EMPTY),
                };
                node.set(place, &bounds, child);
                around.grow(&bounds);
                below += half_surface(&bounds);
            }
            surfaces += below;
            within += if below > 0.0 { below / half_surface(&around) } else { 0.0 };
            open.push(around);
        }
        self.bounds = open.pop().unwrap_or(Bounds::EMPTY);
        let across = if surfaces > 0.0 { surfaces / half_surface(&self.bounds) } else { 0.0 };
        Cost { across, within: within / self.nodes.len().max(1) as f64 }
    }
}

/// Half the surface of a box; 0 for an empty one.
fn half_surface(bounds: &Bounds) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|i| (f64::from(bounds.high[i]) - f64::from(bounds.low[i])).max(0.0));
    x * (y + z) + y * z
}
