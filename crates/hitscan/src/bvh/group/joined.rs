//! Neighbouring rays through meshes that stand at one place: made ready once, they go on from the tree above parts into the meshes.

use super::instances::{InMesh, InTree};
use super::probes::Probes;
use super::rays::InWorld;
use super::{Below, Group};
use crate::bvh::node::Child;
use crate::query::Collector;
use crate::simd::lanes::Lanes;
use crate::world::slots::Slots;
use crate::world::top::joined::{Ask, Joined, Standing};

/// The leaves of the tree above parts.
pub(super) struct Parts<'a, 'b, C> {
    pub joined: &'b Joined,
    pub slots: &'b Slots,
    pub world: &'b InWorld,
    /// The largest coordinate of any origin.
    pub farthest: f32,
    pub probes: &'b mut Probes<'a, C>,
}

impl<L: Lanes, C: Collector> Below<L> for Parts<'_, '_, C> {
    type Order = C::Order;

    #[inline(always)]
    fn fetch(&self, lanes: L, child: Child) {
        self.joined.fetch(lanes, child);
    }

    #[inline(always)]
    fn leaf(group: &mut Group<'_, L, Self>, payload: u32, active: u32) {
        group.part(payload, active);
    }
}

impl<'a, L: Lanes, C: Collector> Group<'_, L, Parts<'a, '_, C>> {
    /// Offers those of these rays that want more what they cross in a part.
    #[inline(always)]
    fn part(&mut self, payload: u32, active: u32) {
        let Parts { joined, slots, world, farthest, probes } = &mut self.below;
        let Some(standing) = joined.part(slots, payload) else { return };
        let Standing { id, instance, mesh, part } = standing;
        if !probes.filter().admits_instance(id, instance.mask) {
            return;
        }
        if part.is_near(*farthest) {
            let (rays, bundle, wanted) = (&mut *self.rays, self.bundle, &mut *self.wanted);
            let in_tree = InTree { id, instance, mesh, child: part.child, rays, bundle, wanted, probes };
            self.bundle = self.lanes.apart(in_tree);
            return;
        }
        let mut wanted = self.wanted.of(self.lanes, active);
        let in_mesh = InMesh { world, probes, id, instance, child: part.child, wanted: &mut wanted };
        let (lanes, live, standing) = (self.lanes, active & self.wanted.live, &standing);
        match lanes.apart(in_mesh) {
            Some(left) => probes.tell(self.wanted, live, left),
            None => probes
                .one_by_one(self.wanted, live, |probe| lanes.apart(Ask { standing, probe, meter: &mut () })),
        }
        self.look_less_far();
    }
}
