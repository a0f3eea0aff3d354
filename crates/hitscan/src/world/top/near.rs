//! The instances of a scene, whole, those in nearer boxes first: for questions that go into the frames of instances on their own.

use glam::DVec3;

use super::Top;
use super::search::ROUNDING;
use crate::bvh::nearest::TreeSearch;
use crate::bvh::node::Bounds;
use crate::hit::InstanceId;
use crate::world::Instance;

/// What is looked for among instances.
pub(crate) trait Near {
    /// The bound of a box in the world; `None` where nothing in it can be wanted.
    fn bound(&self, low: DVec3, high: DVec3) -> Option<f64>;
    /// Whether something of this bound can still be better than what was found, or as good.
    fn wants(&self, bound: f64) -> bool;
    /// Looks at an instance.
    fn visit(&mut self, id: InstanceId, instance: &Instance);
}

impl Top {
    /// Shows every instance that may be wanted, and those without a box.
    pub fn near(&self, near: &mut impl Near) {
        self.each_wanted(&mut Instances { top: self, near });
    }
}

struct Instances<'a, N> {
    top: &'a Top,
    near: &'a mut N,
}

impl<N: Near> TreeSearch for Instances<'_, N> {
    fn bound(&self, bounds: &Bounds) -> Option<f64> {
        // Boxes may be cut off then.
        if self.top.slack == f64::INFINITY {
            return Some(0.0);
        }
        let (low, high) = bounds.corners();
        // The sums round, as did the differences that the boxes were made of: also where little is left of both.
        let slack =
            ROUNDING * (low.abs().max(high.abs()).max_element() + self.top.centre.abs().max_element());
        self.near.bound(low + self.top.centre - slack, high + self.top.centre + slack)
    }

    fn wants(&self, bound: f64) -> bool {
        self.near.wants(bound)
    }

    fn open(&mut self, slot: u32) {
        if let Some((id, instance)) = self.top.slots.at(slot) {
            self.near.visit(id, instance);
        }
    }
}
