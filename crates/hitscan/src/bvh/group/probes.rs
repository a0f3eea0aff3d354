//! A probe for each ray of a group: what any question and any filter wants.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::Entered;
use super::kept::{Crossings, Kept, Single, Wanted};
use crate::bvh::leaf::Place;
use crate::filter::Filter;
use crate::mesh::MeshData;
use crate::query::{Collector, Probe, Question, Sink, Target};
use crate::ray::Ray;
use crate::simd::lanes::Lanes;

/// The probes of a group's rays.
pub(crate) struct Probes<'a, C> {
    filter: &'a Filter<'a>,
    all: Vec<Probe<'a, C>>,
    /// How many of them the group has, 0 before it begins; the others wait for a larger one.
    count: usize,
}

impl<'a, C: Collector> Probes<'a, C> {
    #[inline(always)]
    fn after(wanted: &mut Wanted, ray: usize, probe: &Probe<'_, C>, flow: ControlFlow<(), bool>) -> bool {
        match flow {
            ControlFlow::Continue(false) => return false,
            ControlFlow::Continue(true) => wanted.look_to(ray, probe.collector.limit()),
            ControlFlow::Break(()) => wanted.finish(ray),
        }
        true
    }

    /// Forgets the group, whose rays hardly ever need one.
    #[inline(always)]
    pub fn forget(&mut self) {
        self.count = 0;
    }

    /// Begins with the rays of a group, unless it has.
    pub fn begin_once<Q: Question<Collector = C>>(&mut self, question: Q, rays: &'a [Ray]) {
        if self.count == 0 {
            self.begin(question, rays);
        }
    }

    #[inline(always)]
    pub fn filter(&self) -> &'a Filter<'a> {
        self.filter
    }

    /// Hands over the answers of the rays, whose numbers count from `first` on.
    #[inline(always)]
    pub fn all_over<T: Target, Q: Question<Collector = C>>(
        &mut self,
        target: &T,
        first: usize,
        answers: &mut impl Sink<Q>,
    ) {
        for (place, probe) in self.all[..self.count].iter_mut().enumerate() {
            answers.put(target, first + place, probe.ray, &mut probe.collector);
        }
    }

    /// The probe of a ray.
    #[inline(always)]
    pub fn probe(&mut self, ray: usize) -> &mut Probe<'a, C> {
        &mut self.all[ray]
    }
}

impl<'a, C: Collector> Kept<'a> for Probes<'a, C> {
    type Collector = C;
    const PLAIN: bool = false;

    fn new(filter: &'a Filter<'a>) -> Self {
        Probes { filter, all: Vec::new(), count: 0 }
    }

    #[inline(always)]
    fn begin<Q: Question<Collector = C>>(&mut self, question: Q, rays: &'a [Ray]) {
        for (probe, ray) in self.all.iter_mut().zip(rays) {
            question.again(ray, &mut probe.collector);
            probe.turn_to(ray);
        }
        for ray in rays.iter().skip(self.all.len()) {
            self.all.push(Probe::new(ray, self.filter, question.begin(ray)));
        }
        self.count = rays.len();
    }

    #[inline(always)]
    fn take<L: Lanes>(&mut self, _: L, mesh: &MeshData, wanted: &mut Wanted, found: &Crossings) -> bool {
        let (mut rest, mut nearer) = (found.through, false);
        while rest != 0 {
            nearer |= self.take_single(mesh, wanted, &found.single(rest.trailing_zeros() as usize));
            rest &= rest - 1;
        }
        nearer
    }

    #[inline(always)]
    fn take_single(&mut self, mesh: &MeshData, wanted: &mut Wanted, found: &Single) -> bool {
        let Single { ray, place, t, crossing, clockwise } = *found;
        let probe = &mut self.all[ray];
        let flow = probe.crossing(mesh, place, t, crossing, clockwise, |_| true);
        Self::after(wanted, ray, probe, flow)
    }

    #[cold]
    fn touch(&mut self, entered: &Entered<'_>, wanted: &mut Wanted, ray: usize, place: Place) -> bool {
        let probe = &mut self.all[ray];
        let flow = probe.outline(entered.mesh, &entered.local(probe.ray), place);
        Self::after(wanted, ray, probe, flow)
    }

    #[inline(always)]
    fn hand_over<L: Lanes, T: Target, Q: Question<Collector = C>>(
        &mut self,
        _: L,
        target: &T,
        _: &Wanted,
        first: usize,
        answers: &mut impl Sink<Q>,
    ) {
        self.all_over(target, first, answers);
    }
}
