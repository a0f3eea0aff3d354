//! Neighbouring rays through meshes that stand at one place: made ready once, they go on from the tree above parts into the meshes.

use super::bundle::Bundle;
use super::instances::{InMesh, InTree};
use super::kept::Wanted;
use super::probes::Probes;
use super::rays::{InWorld, Rays};
use super::{Below, Group, RAYS};
use crate::bvh::node::Child;
use crate::query::Collector;
use crate::simd::Task;
use crate::simd::lanes::Lanes;
use crate::transform::Transform;
use crate::world::slots::Slots;
use crate::world::top::joined::{Ask, Joined, Standing};

/// What makes rays ready for all meshes, as work for a function of its own.
pub(super) struct AtOnePlace<'a> {
    pub world: &'a InWorld,
    pub wanted: &'a Wanted,
    pub place: &'a Transform,
    pub joined: &'a Joined,
}

impl Task for AtOnePlace<'_> {
    type Output = Option<(Rays, Bundle)>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let AtOnePlace { world, wanted, place, joined } = self;
        let rays = Rays::joined(lanes.sixteen(), world, wanted, place, joined)?;
        let bundle = Bundle::new(lanes, &rays);
        Some((rays, bundle))
    }
}

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
        match self.lanes.apart(in_mesh) {
            Some(live) => self.take_over(active & self.wanted.live, live),
            None => self.one_by_one(&standing, active & self.wanted.live),
        }
    }

    /// The same, one ray after the other.
    #[inline(always)]
    fn one_by_one(&mut self, standing: &Standing<'_>, active: u32) {
        let (mut rest, mut live) = (active, active);
        while rest != 0 {
            let ray = rest.trailing_zeros() as usize % RAYS;
            rest &= rest - 1;
            let probe = self.below.probes.probe(ray);
            if self.lanes.apart(Ask { standing, probe, meter: &mut () }).is_break() {
                live &= !(1 << ray);
            }
        }
        self.take_over(active, live);
    }

    /// Looks no farther than what is wanted by those of these rays that still are live.
    #[inline(always)]
    fn take_over(&mut self, rays: u32, live: u32) {
        self.below.probes.tell(self.wanted, rays, live);
        self.look_less_far();
    }
}
