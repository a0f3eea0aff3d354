//! Every crossing, where nothing but its side tells whether it counts: put into its ray's list as it is found.

use super::Entered;
use super::blocks::Chosen;
use super::kept::{Crossings, Kept, Sides, Single, Wanted};
use super::probes::Probes;
use crate::bvh::layout::Place;
use crate::filter::Filter;
use crate::hit::{Face, InstanceId};
use crate::mesh::MeshData;
use crate::query::{AllHits, Found, Question, Sink, Target};
use crate::simd::lanes::Lanes;

/// All crossings. No ray ever looks less far.
pub(crate) struct Every<'a> {
    sides: Sides,
    /// The lists, and what outlines need.
    probes: Probes<'a, AllHits>,
}

impl Every<'_> {
    #[inline(always)]
    fn keep(&mut self, found: &Single, prim: u32) {
        let Single { ray, place, t, crossing, clockwise } = *found;
        let facing = if clockwise { Face::Back } else { Face::Front };
        let found = Found { t, prim, instance: InstanceId::first(0), facing, crossing, place };
        self.probes.probe(ray).collector.keep(found);
    }
}

impl<'a> Kept<'a> for Every<'a> {
    type Collector = AllHits;
    const PLAIN: bool = true;

    fn new(filter: &'a Filter<'a>) -> Self {
        Every { sides: Sides::of(filter), probes: Probes::new(filter) }
    }

    #[inline(always)]
    fn begin<Q: Question<Collector = AllHits>>(&mut self, question: Q, rays: Chosen<'a>) {
        self.probes.begin(question, rays);
    }

    #[inline(always)]
    fn take<L: Lanes>(&mut self, _: L, mesh: &MeshData, _: &mut Wanted, found: &Crossings) -> bool {
        let prim = mesh.leaves().prim(found.place);
        let mut rest = found.through & self.sides.admit(found.clockwise);
        while rest != 0 {
            self.keep(&found.single(rest.trailing_zeros() as usize), prim);
            rest &= rest - 1;
        }
        false
    }

    #[inline(always)]
    fn take_single(&mut self, mesh: &MeshData, _: &mut Wanted, found: &Single) -> bool {
        if self.sides.admit(u32::from(found.clockwise)) & 1 == 1 {
            self.keep(found, mesh.leaves().prim(found.place));
        }
        false
    }

    #[cold]
    fn touch(&mut self, entered: &Entered<'_>, wanted: &mut Wanted, ray: usize, place: Place) -> bool {
        self.probes.touch(entered, wanted, ray, place)
    }

    #[inline(always)]
    fn hand_over<L: Lanes, T: Target, Q: Question<Collector = AllHits>>(
        &mut self,
        lanes: L,
        target: &T,
        wanted: &Wanted,
        answers: &mut impl Sink<Q>,
    ) {
        self.probes.hand_over(lanes, target, wanted, answers);
    }
}
