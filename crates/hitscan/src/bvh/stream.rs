//! Many rays at once through one mesh: several are under way, and each takes a step in turn, so that the machine works on
//! one while another waits for memory or for a chain of additions. In registers, a step has no branch on whether it hit none,
//! one or up to four boxes, since nobody could foretell it: what is left for later, and what comes next, are found with the
//! same instructions.

use alloc::vec::Vec;

use super::node::{Child, Node};
use super::slab::Slab;
use super::walk::Reach;
use crate::entry::LocalRay;
use crate::filter::Filter;
use crate::mesh::MeshData;
use crate::query::{Collector, Probe, Question, Sink, Target};
use crate::ray::Ray;
use crate::simd::Flow;
use crate::simd::lanes::Lanes;
use crate::simd::stack::Stack;

/// Rays under way at once.
const IN_FLIGHT: usize = 32;

/// Cache lines of most leaves; a node has one less, which the same instructions fetch.
const LINES: usize = 5;

/// One ray under way.
struct Walker<'a, C: Collector> {
    slab: Slab,
    begin: f32,
    reach: Reach,
    current: Child,
    /// Which ray it is.
    number: usize,
    local: LocalRay,
    probe: Probe<'a, C>,
    stack: Stack<C::Order>,
}

/// Answers the question for each ray.
#[inline(always)]
pub(crate) fn stream<'a, L: Lanes, T: Target, Q: Question>(
    lanes: L,
    mesh: &MeshData,
    target: &T,
    question: Q,
    mut waiting: impl Iterator<Item = (usize, &'a Ray)>,
    filter: &'a Filter<'a>,
    answers: &mut impl Sink<Q>,
) {
    let nodes = &mesh.tree.nodes;
    let mut walkers: Vec<Walker<'a, Q::Collector>> = Vec::with_capacity(IN_FLIGHT);
    for (number, ray) in waiting.by_ref().take(IN_FLIGHT) {
        walkers.push(Walker::new(mesh, question, number, ray, filter));
    }
    let walkers = &mut walkers[..];
    let (mut inner, mut outer) = (Queue::all(walkers.len()), Queue::all(0));
    while inner.len + outer.len > 0 {
        let at_nodes = core::mem::replace(&mut inner, Queue::all(0));
        for &at in at_nodes.entries() {
            let walker = &mut walkers[usize::from(at)];
            walker.step(lanes, nodes);
            walker.fetch(lanes, mesh);
            inner.push_if(at, !walker.current.is_leaf());
            outer.push_if(at, walker.current.is_leaf());
        }
        let at_leaves = core::mem::replace(&mut outer, Queue::all(0));
        for &at in at_leaves.entries() {
            let walker = &mut walkers[usize::from(at)];
            if walker.current == Child::EMPTY || walker.leaf(lanes, mesh).is_break() {
                let probe = &mut walker.probe;
                answers.put(target, walker.number, probe.ray, &mut probe.collector);
                let Some((number, ray)) = waiting.next() else { continue };
                walker.turn_to(mesh, question, number, ray);
            }
            walker.fetch(lanes, mesh);
            inner.push_if(at, !walker.current.is_leaf());
            outer.push_if(at, walker.current.is_leaf());
        }
    }
}

/// Rays that wait for the same kind of step.
struct Queue {
    at: [u8; IN_FLIGHT],
    len: usize,
}

impl Queue {
    /// The first so many rays.
    #[inline(always)]
    fn all(len: usize) -> Queue {
        Queue { at: core::array::from_fn(|i| i as u8), len }
    }

    #[inline(always)]
    fn entries(&self) -> &[u8] {
        &self.at[..self.len]
    }

    /// Without a branch: the place behind the last is written in any case. No ray is in a queue twice, so there is one.
    #[inline(always)]
    fn push_if(&mut self, at: u8, wanted: bool) {
        self.at[self.len & (IN_FLIGHT - 1)] = at;
        self.len += usize::from(wanted);
    }
}

impl<'a, C: Collector> Walker<'a, C> {
    #[inline(always)]
    fn new<Q: Question<Collector = C>>(
        mesh: &MeshData,
        question: Q,
        number: usize,
        ray: &'a Ray,
        filter: &'a Filter<'a>,
    ) -> Self {
        let local = LocalRay::of(ray, f64::from(mesh.reach));
        let slab = Slab::new(&local, &mesh.frame, 0.0);
        let probe = Probe::new(ray, filter, question.begin(ray));
        let reach = Reach::new(slab.upper(probe.collector.limit()));
        let (begin, stack) = (slab.lower(ray.t_min()), Stack::new(Child::EMPTY.word()));
        Walker { slab, begin, reach, current: Child::inner(0), number, local, probe, stack }
    }

    /// Starts with another ray.
    #[inline(always)]
    fn turn_to<Q: Question<Collector = C>>(
        &mut self,
        mesh: &MeshData,
        question: Q,
        number: usize,
        ray: &'a Ray,
    ) {
        question.again(ray, &mut self.probe.collector);
        self.probe.turn_to(ray);
        self.number = number;
        self.local = LocalRay::of(ray, f64::from(mesh.reach));
        self.slab = Slab::new(&self.local, &mesh.frame, 0.0);
        self.reach = Reach::new(self.slab.upper(self.probe.collector.limit()));
        self.begin = self.slab.lower(ray.t_min());
        self.current = Child::inner(0);
        self.stack.restart(Child::EMPTY.word());
    }

    /// Tests the boxes of the node that the ray has come to, and goes on to what comes next.
    #[inline(always)]
    fn step<L: Lanes>(&mut self, lanes: L, nodes: &[Node]) {
        let node = &nodes[self.current.word() as usize];
        let (hits, near) = self.slab.test(lanes, node, self.begin, self.reach.far);
        let children = Child::words(&node.children);
        let next = self.stack.exchange(lanes, &children, near, hits, self.reach.cull);
        self.current = Child::from_word(next);
    }

    /// Asks for the memory of what comes next, so that it is there when the ray's turn comes.
    #[inline(always)]
    fn fetch<L: Lanes>(&self, lanes: L, mesh: &MeshData) {
        let word = self.current.word() as usize;
        let node = mesh.tree.nodes.as_ptr().wrapping_add(word).cast::<u8>();
        let leaf = mesh.tree.rows.as_ptr().wrapping_add((word & !(Child::LEAF as usize)) >> 3).cast::<u8>();
        let first = core::hint::select_unpredictable(self.current.is_leaf(), leaf, node);
        for line in 0..LINES {
            lanes.prefetch(first.wrapping_add(64 * line));
        }
    }

    /// Tests the triangles of the leaf that the ray has come to, and goes on to what comes next.
    #[inline(always)]
    fn leaf<L: Lanes>(&mut self, lanes: L, mesh: &MeshData) -> Flow {
        let payload = self.current.word() & !Child::LEAF;
        if self.probe.leaf(lanes, mesh, &self.local, payload, &mut ())? {
            self.reach = Reach::new(self.slab.upper(self.probe.collector.limit()));
        }
        self.current = Child::from_word(self.stack.pop(self.reach.cull));
        Flow::Continue(())
    }
}
