//! One ray under way.

use core::ops::ControlFlow;

use super::sieve::Crossed;
use crate::bvh::layout::Place;
use crate::bvh::node::{Child, Node};
use crate::bvh::slab::Slab;
use crate::bvh::walk::Reach;
use crate::entry::{Arrival, LocalRay};
use crate::filter::Filter;
use crate::hit::InstanceId;
use crate::mesh::MeshData;
use crate::query::{Collector, Probe, Question};
use crate::ray::Ray;
use crate::simd::lanes::Lanes;
use crate::simd::stack::Stack;
use crate::transform::Transform;

/// The way into a mesh: rays are in its own frame, or in that of a scene where it stands at a place.
pub(crate) struct Entry<'m> {
    pub mesh: &'m MeshData,
    pub place: Option<(InstanceId, &'m Transform)>,
}

impl Entry<'_> {
    /// A ray in the frame of the mesh.
    #[inline(always)]
    fn arrival(&self, ray: &Ray) -> Arrival {
        let reach = f64::from(self.mesh.reach);
        match self.place {
            None => Arrival::of(ray, reach),
            Some((_, transform)) => Arrival::placed(ray, transform, reach),
        }
    }
}

/// Where a ray is on its way, and what it needs there. What each step needs lies together at the beginning of a cache line.
#[repr(C, align(64))]
pub(super) struct Walker<'a, 's, C: Collector> {
    slab: Slab,
    begin: f32,
    reach: Reach,
    /// What it has come to; [`Child::EMPTY`] at the end.
    pub current: Child,
    /// Elsewhere: it is long, and hardly anything of it is ever written.
    stack: &'s mut Stack<C::Order>,
    /// Which ray it is.
    pub number: usize,
    pub local: LocalRay,
    pub probe: Probe<'a, C>,
}

impl<'a, 's, C: Collector> Walker<'a, 's, C> {
    #[inline(always)]
    pub fn new<L: Lanes, Q: Question<Collector = C>>(
        lanes: L,
        entry: &Entry<'_>,
        question: Q,
        number: usize,
        ray: &'a Ray,
        filter: &'a Filter<'a>,
        stack: &'s mut Stack<C::Order>,
    ) -> Self {
        let (mesh, arrival) = (entry.mesh, entry.arrival(ray));
        let (slab, local) = (Slab::new(&arrival, &mesh.frame, 0.0), arrival.rounded.local(lanes));
        let mut probe = Probe::new(ray, filter, question.begin(ray));
        if let Some((id, transform)) = entry.place {
            probe.enter(id, transform.mirrored());
        }
        let reach = Reach::up_to(&slab, probe.collector.limit());
        let begin = slab.lower(ray.t_min());
        stack.restart(Child::EMPTY.word());
        Walker { slab, begin, reach, current: Child::inner(0), number, local, probe, stack }
    }

    /// Starts with another ray.
    #[inline(always)]
    pub fn turn_to<L: Lanes, Q: Question<Collector = C>>(
        &mut self,
        lanes: L,
        entry: &Entry<'_>,
        question: Q,
        number: usize,
        ray: &'a Ray,
    ) {
        question.again(ray, &mut self.probe.collector);
        self.probe.turn_to(ray);
        self.number = number;
        let arrival = entry.arrival(ray);
        self.slab = Slab::new(&arrival, &entry.mesh.frame, 0.0);
        self.set_reach();
        self.local = arrival.rounded.local(lanes);
        self.begin = self.slab.lower(ray.t_min());
        self.stack.restart(Child::EMPTY.word());
        // Last, so that the compiler still knows where it is.
        self.current = Child::inner(0);
    }

    /// Tests the boxes of the node that the ray has come to, and goes on to what comes next.
    #[inline(always)]
    pub fn step<L: Lanes>(&mut self, lanes: L, nodes: &[Node]) {
        let node = &nodes[self.current.word() as usize];
        let (hits, near) = self.slab.test(lanes, node, self.begin, self.reach.far);
        let children = Child::words(&node.children);
        let next = self.stack.exchange(lanes, children, near, hits, self.reach.cull);
        self.current = Child::from_word(next);
    }

    /// Goes back to what was put aside.
    #[inline(always)]
    pub fn pop<L: Lanes>(&mut self, lanes: L) {
        self.current = Child::from_word(self.stack.pop_in_turn(lanes, self.reach.cull));
    }

    /// The payload of the leaf that the ray has come to.
    #[inline(always)]
    pub fn leaf(&self) -> u32 {
        self.current.word() & !Child::LEAF
    }

    /// Offers the collector what the ray crosses in that leaf.
    #[inline(always)]
    pub fn offer(&mut self, mesh: &MeshData, found: &Crossed) {
        let Crossed { lane, t, crossing, clockwise, .. } = *found;
        if self.current != Child::EMPTY {
            let place = Place { payload: self.leaf(), lane };
            let nearer = self.probe.crossing(mesh, place, t, crossing, clockwise, |_| true);
            self.after(nearer);
        }
    }

    /// The same of a triangle that it may only touch.
    #[cold]
    pub fn touch(&mut self, mesh: &MeshData, lane: u32) {
        if self.current != Child::EMPTY {
            let place = Place { payload: self.leaf(), lane };
            let nearer = self.probe.outline(mesh, &self.local, place);
            self.after(nearer);
        }
    }

    /// Looks less far where the collector does, and no more where it wants nothing else.
    #[inline(always)]
    fn after(&mut self, nearer: ControlFlow<(), bool>) {
        match nearer {
            ControlFlow::Continue(false) => {}
            ControlFlow::Continue(true) => self.set_reach(),
            ControlFlow::Break(()) => {
                self.current = Child::EMPTY;
                self.stack.restart(Child::EMPTY.word());
            }
        }
    }

    /// Looks as far as the collector still wants to.
    #[inline(always)]
    fn set_reach(&mut self) {
        self.reach = Reach::up_to(&self.slab, self.probe.collector.limit());
    }
}
