//! Instances by their boxes, for questions that are not rays.

use glam::DVec3;

use super::Top;
use crate::hit::InstanceId;
use crate::world::Instance;

/// What is looked for among the instances.
pub(crate) trait Near {
    /// Whether something in a box may be wanted.
    fn wants(&self, low: DVec3, high: DVec3) -> bool;
    /// Looks at an instance.
    fn visit(&mut self, id: InstanceId, instance: &Instance);
}

impl Top {
    /// Shows every instance whose box, and whose every parent's box, is wanted, and those without a box.
    pub fn search(&self, search: &mut impl Near) {
        for &slot in &self.endless {
            self.show(slot, search);
        }
        if !self.nodes.is_empty() {
            self.search_below(0, search);
        }
    }

    fn search_below(&self, index: usize, search: &mut impl Near) {
        let node = &self.nodes[index];
        for place in node.occupied() {
            match node.children[place].split() {
                // A box of its own in `f64`, where that of the tree may be cut off.
                Ok(slot) => {
                    if self.boxes[slot as usize].is_some_and(|(low, high)| search.wants(low, high)) {
                        self.show(slot, search);
                    }
                }
                Err(inner) => {
                    let bounds = node.child_bounds(place);
                    let corner =
                        |[x, y, z, _]: [f32; 4]| DVec3::new(x.into(), y.into(), z.into()) + self.centre;
                    let (low, high) = (corner(bounds.low), corner(bounds.high));
                    // Sums with the centre round, and a box may be cut off.
                    let (low, high) = (low.map(f64::next_down), high.map(f64::next_up));
                    if self.slack == f64::INFINITY || search.wants(low, high) {
                        self.search_below(inner, search);
                    }
                }
            }
        }
    }

    fn show(&self, slot: u32, search: &mut impl Near) {
        if let Some((id, instance)) = self.slots.at(slot) {
            search.visit(id, instance);
        }
    }
}
