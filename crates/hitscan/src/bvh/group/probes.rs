//! A probe for each ray of a group: what any question and any filter wants.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::blocks::Chosen;
use super::kept::{Crossings, Kept, Single, Wanted};
use super::{Entered, RAYS};
use crate::bvh::layout::Place;
use crate::filter::Filter;
use crate::mesh::MeshData;
use crate::query::{Collector, Probe, Question, Sink, Target};
use crate::simd::Flow;
use crate::simd::lanes::Lanes;

/// The probes of a group's rays.
pub(crate) struct Probes<'a, C> {
    filter: &'a Filter<'a>,
    all: Vec<Probe<'a, C>>,
    /// The rays of the group, none before it begins; the other probes wait for a larger one.
    rays: Chosen<'a>,
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
        self.rays = Chosen::NONE;
    }

    /// Begins with the rays of a group, unless it has.
    pub fn begin_once<Q: Question<Collector = C>>(&mut self, question: Q, rays: Chosen<'a>) {
        if self.rays.len() == 0 {
            self.begin(question, rays);
        }
    }

    #[inline(always)]
    pub fn filter(&self) -> &'a Filter<'a> {
        self.filter
    }

    /// Hands over the answers of the rays.
    #[inline(always)]
    pub fn all_over<T: Target, Q: Question<Collector = C>>(
        &mut self,
        target: &T,
        answers: &mut impl Sink<Q>,
    ) {
        for (i, probe) in self.all[..self.rays.len()].iter_mut().enumerate() {
            answers.put(target, self.rays.number(i), probe.ray, &mut probe.collector);
        }
    }

    /// Says what is wanted by those of these rays that still are live, and that the others are at their end.
    #[inline(always)]
    pub fn tell(&self, wanted: &mut Wanted, rays: u32, live: u32) {
        let mut rest = rays;
        while rest != 0 {
            let ray = rest.trailing_zeros() as usize % RAYS;
            rest &= rest - 1;
            if live >> ray & 1 == 1 {
                wanted.look_to(ray, self.all[ray].collector.limit());
            } else {
                wanted.finish(ray);
            }
        }
    }

    /// Asks for each of these rays by itself, and says what is wanted then.
    #[inline(always)]
    pub fn one_by_one(
        &mut self,
        wanted: &mut Wanted,
        rays: u32,
        mut ask: impl for<'b> FnMut(&'b mut Probe<'a, C>) -> Flow,
    ) {
        let (mut rest, mut live) = (rays, rays);
        while rest != 0 {
            let ray = rest.trailing_zeros() as usize % RAYS;
            rest &= rest - 1;
            if ask(&mut self.all[ray]).is_break() {
                live &= !(1 << ray);
            }
        }
        self.tell(wanted, rays, live);
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
        Probes { filter, all: Vec::new(), rays: Chosen::NONE }
    }

    #[inline(always)]
    fn begin<Q: Question<Collector = C>>(&mut self, question: Q, rays: Chosen<'a>) {
        for (probe, ray) in self.all.iter_mut().zip(rays.rays()) {
            question.again(ray, &mut probe.collector);
            probe.turn_to(ray);
        }
        for ray in rays.rays().skip(self.all.len()) {
            self.all.push(Probe::new(ray, self.filter, question.begin(ray)));
        }
        self.rays = rays;
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
        let flow = probe.outline(entered.mesh, &entered.local(probe.ray), place, &mut ());
        Self::after(wanted, ray, probe, flow)
    }

    #[inline(always)]
    fn hand_over<L: Lanes, T: Target, Q: Question<Collector = C>>(
        &mut self,
        _: L,
        target: &T,
        _: &Wanted,
        answers: &mut impl Sink<Q>,
    ) {
        self.all_over(target, answers);
    }
}
