//! One ray through meshes at one place.

use super::{Joined, Standing};
use crate::bvh::meter::Meter;
use crate::bvh::node::Child;
use crate::bvh::slab::Slab;
use crate::bvh::walk::{Inside, Leaves, Reach, Triangles, walk, walk_from};
use crate::entry::Arrival;
use crate::query::{Collector, Probe};
use crate::simd::lanes::Lanes;
use crate::simd::{Flow, Task};
use crate::world::slots::Slots;

impl Joined {
    /// Offers the collector every crossing with any of them that it still wants. `None` for a ray that comes from so far away that it is moved
    /// first: it is moved to another place for each mesh, and what that rounds is in no margin here.
    #[inline(always)]
    pub fn walk<L: Lanes, M: Meter, C: Collector>(
        &self,
        lanes: L,
        slots: &Slots,
        probe: &mut Probe<'_, C>,
        meter: &mut M,
    ) -> Option<Flow> {
        let arrival = Arrival::placed(probe.ray, self.place(slots)?, f64::from(self.reach));
        let farthest = arrival.farthest()?;
        let mut inside = Inside::new(&arrival, &self.frame, probe.ray.t_min());
        let (begin, mut reach) = (inside.begin, inside.reach(probe.collector.limit()));
        let mut parts = Parts { lanes, joined: self, slots, inside: &mut inside, farthest, probe };
        Some(walk(lanes, &self.nodes, begin, &mut reach, meter, &mut parts))
    }
}

/// The leaves of the tree above parts.
struct Parts<'a, 'b, L: Lanes, C> {
    lanes: L,
    joined: &'a Joined,
    slots: &'a Slots,
    inside: &'a mut Inside,
    farthest: f32,
    probe: &'a mut Probe<'b, C>,
}

impl<L: Lanes, M: Meter, C: Collector> Leaves<L, M> for Parts<'_, '_, L, C> {
    type Order = C::Order;

    #[inline(always)]
    fn slab(&self) -> &Slab {
        &self.inside.slab
    }

    #[inline(always)]
    fn fetch(&self, child: Child) {
        self.joined.fetch(self.lanes, child);
    }

    #[inline(always)]
    fn visit(&mut self, number: u32, reach: &mut Reach, meter: &mut M) -> Flow {
        let Some(standing) = self.joined.part(self.slots, number) else { return Flow::Continue(()) };
        let Standing { id, instance, mesh, part } = standing;
        if !self.probe.filter.admits_instance(id, instance.mask) {
            return Flow::Continue(());
        }
        meter.instance();
        if part.is_near(self.farthest) {
            self.probe.enter(id, instance.transform.mirrored());
            let begin = self.inside.begin;
            let mut leaves = Triangles::new(self.lanes, mesh, &mut *self.inside, self.probe);
            let nodes = &mut &mesh.tree.nodes[..];
            return walk_from(self.lanes, part.child, nodes, begin, reach, meter, &mut leaves);
        }
        let limit = self.probe.collector.limit();
        self.lanes.apart(Ask { standing: &standing, probe: self.probe, meter })?;
        if self.probe.collector.limit() != limit {
            *reach = self.inside.reach(self.probe.collector.limit());
        }
        Flow::Continue(())
    }
}

/// What asks one part with a ray that is made ready for its mesh alone, as work for a function of its own.
pub(crate) struct Ask<'a, 'b, 'c, C, M> {
    pub standing: &'c Standing<'a>,
    pub probe: &'c mut Probe<'b, C>,
    pub meter: &'c mut M,
}

impl<C: Collector, M: Meter> Task for Ask<'_, '_, '_, C, M> {
    type Output = Flow;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Flow {
        let Ask { standing, probe, meter } = self;
        let Standing { id, instance, mesh, part } = *standing;
        let arrival = Arrival::placed(probe.ray, &instance.transform, f64::from(mesh.reach));
        probe.enter(id, instance.transform.mirrored());
        let inside = Inside::new(&arrival, &mesh.frame, probe.ray.t_min());
        let mut leaves = Triangles::new(lanes, mesh, inside, probe);
        let (begin, mut reach) = (leaves.begin(), leaves.reach());
        walk_from(lanes, part.child, &mut &mesh.tree.nodes[..], begin, &mut reach, meter, &mut leaves)
    }
}
