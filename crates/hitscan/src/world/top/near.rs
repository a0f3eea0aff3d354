//! The instances of a scene, whole, those in nearer boxes first: for questions that go into the frames of instances on their own.

use glam::DVec3;

use super::Top;
use super::search::moved;
use crate::bvh::nearest::{Boxes, TreeSearch, one_by_one};
use crate::bvh::node::WIDTH;
use crate::hit::InstanceId;
use crate::simd::Kernel;
use crate::simd::stack::NearestFirst;
use crate::world::Instance;

/// What is looked for among instances.
pub(crate) trait Near {
    /// The bound of a box in the world, at least 0; `None` where nothing in it can be wanted.
    fn bound(&self, low: DVec3, high: DVec3) -> Option<f64>;
    /// The largest bound of something that can still be better than what was found, or as good.
    fn limit(&self) -> f64;
    /// Looks at an instance.
    fn visit(&mut self, id: InstanceId, instance: &Instance);
}

impl Top {
    /// Shows every instance that may be wanted, and those without a box.
    pub fn near(&self, kernel: Kernel, near: &mut impl Near) {
        self.each_wanted(kernel, &mut Instances { top: self, near });
    }
}

struct Instances<'a, N> {
    top: &'a Top,
    near: &'a mut N,
}

impl<N: Near> TreeSearch for Instances<'_, N> {
    type Order = NearestFirst;

    fn bounds(&self, boxes: &Boxes) -> [f64; WIDTH] {
        // Boxes may be cut off then.
        if self.top.slack == f64::INFINITY {
            return [0.0; WIDTH];
        }
        let centre = self.top.centre;
        one_by_one(&moved(boxes, centre, centre.abs().max_element()), |low, high| {
            self.near.bound(low.into(), high.into())
        })
    }

    fn limit(&self) -> f64 {
        self.near.limit()
    }

    fn open(&mut self, slot: u32) {
        if let Some((id, instance)) = self.top.slots.at(slot) {
            self.near.visit(id, instance);
        }
    }
}
