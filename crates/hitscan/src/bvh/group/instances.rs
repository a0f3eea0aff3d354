//! Neighbouring rays through a scene: side by side through the tree over its instances, and through each mesh that enough of them
//! come to, whose frame they enter together. What waits for memory on the way into an instance does so once for all of them.

use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::Range;

use super::blocks::{Blocks, FEW};
use super::bundle::Bundle;
use super::joined::Parts;
use super::kept::{Kept, Wanted};
use super::probes::Probes;
use super::rays::{InWorld, Rays};
use super::{Below, END, Entered, Group, RAYS, Triangles, fetch_behind};
use crate::bvh::node::Child;
use crate::filter::Filter;
use crate::hit::InstanceId;
use crate::mesh::MeshData;
use crate::query::{Collector, Probe, Question, Sink, Target};
use crate::ray::Ray;
use crate::simd::lanes::Lanes;
use crate::simd::stack::Stack;
use crate::simd::{Flow, Task};
use crate::transform::Transform;
use crate::world::top::{Top, ask_instance};
use crate::world::{Geometry, Instance};

/// Answers the question for those rays that leave side by side, and gives the ranges of the others.
#[inline(always)]
pub(crate) fn groups_of_instances<'a, L: Lanes, T: Target, Q: Question>(
    lanes: L,
    top: &Top,
    target: &T,
    question: Q,
    rays: &'a [Ray],
    filter: &'a Filter<'a>,
    answers: &mut impl Sink<Q>,
) -> Vec<Range<usize>> {
    let mut probes = Probes::new(filter);
    let mut stack = Stack::<<Q::Collector as Collector>::Order>::new(END);
    let mut blocks = Blocks::new(rays);
    while let Some(group) = blocks.next() {
        let mut room = None;
        let (all, live) = (group.together(&mut room), group.bits());
        let (world, mut wanted) = (InWorld::new(all), Wanted::new(lanes, all, live));
        if let Some(joined) = top.joined()
            && let Some(place) = joined.place(top.slots())
            && let (reach, margin) = (joined.reach(), joined.frame().margin())
            && let Some((rays, bundle)) = &mut lanes.apart(InPlace {
                world: &world,
                wanted: &wanted,
                place,
                reach,
                margin,
                may_move: false,
            })
        {
            fetch_behind(lanes, group);
            probes.begin(question, group);
            stack.restart(END);
            let farthest = rays.farthest(lanes);
            let below = Parts { joined, slots: top.slots(), world: &world, farthest, probes: &mut probes };
            let (nodes, bundle, wanted) = (joined.nodes(), *bundle, &mut wanted);
            Group { lanes, nodes, rays, bundle, wanted, below }.walk(&mut stack);
            probes.all_over(target, answers);
            continue;
        }
        let mut set_up = lanes.apart(OverTop { world: &world, wanted: &wanted, top });
        let Some((rays, bundle)) = &mut set_up else {
            blocks.refuse(group);
            continue;
        };
        fetch_behind(lanes, group);
        probes.begin(question, group);
        stack.restart(END);
        let below = Instances { top, world: &world, probes: &mut probes };
        let (bundle, wanted) = (*bundle, &mut wanted);
        let mut walk = Group { lanes, nodes: top.nodes(), rays, bundle, wanted, below };
        for slot in top.endless() {
            walk.instance(slot, live);
        }
        walk.walk(&mut stack);
        probes.all_over(target, answers);
    }
    blocks.others
}

/// What makes rays ready for a scene's tree: a function of its own, since it is long and the same for all questions. For meshes alone
/// that took 5 ns a ray.
struct OverTop<'a> {
    world: &'a InWorld,
    wanted: &'a Wanted,
    top: &'a Top,
}

impl Task for OverTop<'_> {
    type Output = Option<(Rays, Bundle)>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let rays = Rays::over(lanes.sixteen(), self.world, self.wanted, self.top)?;
        let bundle = Bundle::new(lanes, &rays);
        Some((rays, bundle))
    }
}

/// What makes rays ready that have come to a mesh in its place, or to all meshes at one place.
pub(super) struct InPlace<'a> {
    pub world: &'a InWorld,
    pub wanted: &'a Wanted,
    pub place: &'a Transform,
    /// The largest coordinate there, and by how much boxes are larger.
    pub reach: f32,
    pub margin: f32,
    /// Whether rays from far away are moved there first.
    pub may_move: bool,
}

impl Task for InPlace<'_> {
    type Output = Option<(Rays, Bundle)>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let InPlace { world, wanted, place, reach, margin, may_move } = self;
        let rays = Rays::placed(lanes.sixteen(), world, wanted, place, [reach, margin], may_move)?;
        let bundle = Bundle::new(lanes, &rays);
        Some((rays, bundle))
    }
}

/// The leaves of a scene.
struct Instances<'a, 'b, C> {
    top: &'b Top,
    world: &'b InWorld,
    probes: &'b mut Probes<'a, C>,
}

impl<L: Lanes, C: Collector> Below<L> for Instances<'_, '_, C> {
    type Order = C::Order;

    #[inline(always)]
    fn fetch(&self, _: L, _: Child) {}

    #[inline(always)]
    fn leaf(group: &mut Group<'_, L, Self>, payload: u32, active: u32) {
        group.instance(payload, active);
    }
}

impl<'a, L: Lanes, C: Collector> Group<'_, L, Instances<'a, '_, C>> {
    /// Offers those of these rays that want more what they cross in an instance.
    #[inline(always)]
    fn instance(&mut self, slot: u32, active: u32) {
        let Instances { top, world, probes } = &mut self.below;
        let Some((id, instance)) = top.slots().at(slot) else { return };
        if !probes.filter().admits_instance(id, instance.mask) {
            return;
        }
        let mut wanted = self.wanted.of(self.lanes, active);
        let child = Child::inner(0);
        let in_mesh = InMesh { world, probes, id, instance, child, wanted: &mut wanted };
        let (lanes, live) = (self.lanes, active & self.wanted.live);
        match lanes.apart(in_mesh) {
            Some(left) => probes.tell(self.wanted, live, left),
            None => probes.one_by_one(self.wanted, live, |probe| lanes.apart(One { id, instance, probe })),
        }
        self.look_less_far();
    }
}

/// The way through a mesh, from a child on, that some rays enter together, as work for a function of its own. `None` where they do not.
pub(super) struct InMesh<'a, 'b, 'c, C> {
    pub world: &'c InWorld,
    pub probes: &'c mut Probes<'a, C>,
    pub id: InstanceId,
    pub instance: &'b Instance,
    pub child: Child,
    pub wanted: &'c mut Wanted,
}

impl<C: Collector> Task for InMesh<'_, '_, '_, C> {
    type Output = Option<u32>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Option<u32> {
        let InMesh { world, probes, id, instance, child, wanted } = self;
        let Geometry::Mesh(mesh) = &instance.geometry else { return None };
        if (wanted.live.count_ones() as usize) < FEW || mesh.data.tree.nodes.is_empty() {
            return None;
        }
        let place = &instance.transform;
        let (reach, margin) = (mesh.data.reach, mesh.data.frame.margin());
        let placed = InPlace { world, wanted, place, reach, margin, may_move: true };
        let mut set_up = lanes.apart(placed);
        let (rays, bundle) = set_up.as_mut()?;
        let (mesh, bundle) = (&*mesh.data, *bundle);
        lanes.apart(InTree { id, instance, mesh, child, rays, bundle, wanted: &mut *wanted, probes });
        Some(wanted.live)
    }
}

/// The way through the tree of a mesh, from a child on, of rays that are ready for it, likewise: by whatever way they came.
pub(super) struct InTree<'a, 'b, 'c, C> {
    pub id: InstanceId,
    pub instance: &'b Instance,
    pub mesh: &'b MeshData,
    pub child: Child,
    pub rays: &'c mut Rays,
    pub bundle: Bundle,
    pub wanted: &'c mut Wanted,
    pub probes: &'c mut Probes<'a, C>,
}

impl<C: Collector> Task for InTree<'_, '_, '_, C> {
    /// How far the rays look behind it.
    type Output = Bundle;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Bundle {
        let InTree { id, instance, mesh, child, rays, bundle, wanted, probes } = self;
        let place = &instance.transform;
        let mut rest = wanted.live;
        while rest != 0 {
            probes.probe(rest.trailing_zeros() as usize % RAYS).enter(id, place.mirrored());
            rest &= rest - 1;
        }
        let entered = Entered { mesh, place: Some(place) };
        let below = Triangles { entered, kept: probes, rays_of: PhantomData };
        let mut group = Group { lanes, nodes: &mesh.tree.nodes, rays, bundle, wanted, below };
        group.below(child);
        group.bundle
    }
}

/// One ray through an instance, likewise.
struct One<'a, 'b, 'c, C> {
    id: InstanceId,
    instance: &'b Instance,
    probe: &'c mut Probe<'a, C>,
}

impl<C: Collector> Task for One<'_, '_, '_, C> {
    type Output = Flow;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Flow {
        ask_instance(lanes, self.id, self.instance, self.probe)
    }
}
