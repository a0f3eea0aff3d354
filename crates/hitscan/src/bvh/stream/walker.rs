//! One ray under way.

use core::ops::ControlFlow;

use super::sieve::Crossed;
use super::way::{Entered, Way};
use crate::bvh::fetch::fetch;
use crate::bvh::layout::Place;
use crate::bvh::node::{Child, Node};
use crate::bvh::slab::Slab;
use crate::bvh::walk::Reach;
use crate::entry::LocalRay;
use crate::filter::Filter;
use crate::mesh::MeshData;
use crate::query::{Collector, Probe, Question};
use crate::ray::Ray;
use crate::simd::Flow;
use crate::simd::lanes::Lanes;
use crate::simd::stack::Stack;

/// Where a ray is on its way, and what it needs there. What each step needs lies together at the beginning of a cache line.
#[repr(C, align(64))]
pub(super) struct Walker<'a, 's, C: Collector, W: Way> {
    slab: Slab,
    begin: f32,
    reach: Reach,
    /// What it has come to; [`Child::EMPTY`] at the end of a tree.
    pub current: Child,
    /// Which tree it is in.
    pub within: W::In,
    /// Elsewhere: it is long, and hardly anything of it is ever written.
    stack: &'s mut Stack<C::Order>,
    /// Which ray it is.
    pub number: usize,
    pub local: LocalRay,
    /// The largest coordinate of its origin, where there are other trees than the mesh.
    farthest: Option<f32>,
    pub probe: Probe<'a, C>,
}

impl<'a, 's, C: Collector, W: Way> Walker<'a, 's, C, W> {
    #[inline(always)]
    pub fn new<L: Lanes, Q: Question<Collector = C>>(
        lanes: L,
        way: &W,
        question: Q,
        number: usize,
        ray: &'a Ray,
        filter: &'a Filter<'a>,
        stack: &'s mut Stack<C::Order>,
    ) -> Self {
        let arrival = way.arrival(ray);
        let (slab, local) = (Slab::new(&arrival, way.frame(), 0.0), arrival.rounded.local(lanes));
        let mut probe = Probe::new(ray, filter, question.begin(ray));
        way.begin(&mut probe);
        let reach = Reach::up_to(&slab, probe.collector.limit());
        let begin = slab.lower(ray.t_min());
        stack.restart(Child::EMPTY.word());
        let (current, within) = (Child::inner(0), way.outermost());
        let farthest = if W::LEADS_ON { arrival.farthest() } else { None };
        Walker { slab, begin, reach, current, within, number, local, farthest, probe, stack }
    }

    /// Starts with another ray.
    #[inline(always)]
    pub fn turn_to<L: Lanes, Q: Question<Collector = C>>(
        &mut self,
        lanes: L,
        way: &W,
        question: Q,
        number: usize,
        ray: &'a Ray,
    ) {
        question.again(ray, &mut self.probe.collector);
        self.probe.turn_to(ray);
        way.begin(&mut self.probe);
        self.number = number;
        let arrival = way.arrival(ray);
        self.slab = Slab::new(&arrival, way.frame(), 0.0);
        if W::LEADS_ON {
            (self.within, self.farthest) = (way.outermost(), arrival.farthest());
        }
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

    /// Goes into the tree that the leaf of the outermost one leads to which it has come to.
    #[inline(always)]
    pub fn enter<L: Lanes>(&mut self, lanes: L, way: &W) {
        match way.enter(lanes, self.leaf(), self.farthest.unwrap_or(f32::INFINITY), &mut self.probe) {
            Entered::Tree(within, child) => {
                self.stack.put_end(Child::EMPTY.word());
                (self.within, self.current) = (within, child);
            }
            Entered::Done(Flow::Continue(())) => {
                self.set_reach();
                self.pop(lanes);
            }
            Entered::Done(Flow::Break(())) => self.stop(),
        }
    }

    /// Goes back from the end of another tree to the outermost one.
    #[inline(always)]
    pub fn leave<L: Lanes>(&mut self, lanes: L, way: &W) {
        self.within = way.outermost();
        self.pop(lanes);
    }

    /// Asks for the memory of what it has come to.
    #[inline(always)]
    pub fn fetch<L: Lanes>(&self, lanes: L, way: &W) {
        fetch(lanes, way.nodes(self.within), way.rows(self.within), self.current);
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
            let nearer = self.probe.outline(mesh, &self.local, place, &mut ());
            self.after(nearer);
        }
    }

    /// Looks less far where the collector does, and no more where it wants nothing else.
    #[inline(always)]
    fn after(&mut self, nearer: ControlFlow<(), bool>) {
        match nearer {
            ControlFlow::Continue(false) => {}
            ControlFlow::Continue(true) => self.set_reach(),
            ControlFlow::Break(()) => self.stop(),
        }
    }

    #[inline(always)]
    fn stop(&mut self) {
        self.current = Child::EMPTY;
        self.stack.restart(Child::EMPTY.word());
        if W::LEADS_ON {
            // That of the tree within, which it goes back from.
            self.stack.put_end(Child::EMPTY.word());
        }
    }

    /// Looks as far as the collector still wants to.
    #[inline(always)]
    fn set_reach(&mut self) {
        self.reach = Reach::up_to(&self.slab, self.probe.collector.limit());
    }
}
