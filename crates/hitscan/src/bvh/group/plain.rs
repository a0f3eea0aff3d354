//! The first crossing, or whether there is one, where nothing but its side tells whether a crossing counts: for all rays of
//! a group at once, without a branch for each.

use super::blocks::{Chosen, RUN, RUNS};
use super::kept::{Crossings, Eight, Kept, Sides, Single, Wanted};
use super::probes::Probes;
use super::{Entered, RAYS};
use crate::bvh::layout::Place;
use crate::filter::Filter;
use crate::hit::{Face, HitRecord, InstanceId};
use crate::intersect::watertight::Crossing;
use crate::mesh::MeshData;
use crate::query::{AnyHit, Closest, ClosestHit, Found, Occluded, Question, Sink, Target};
use crate::simd::lanes::Lanes;

/// The first crossings. Their `t` is as far as their rays still look.
pub(crate) struct Nearest<'a> {
    sides: Sides,
    rays: Chosen<'a>,
    edges: [[Eight; 3]; 2],
    /// The triangles, and where they stand.
    prims: [[u32; 8]; 2],
    payloads: [[u32; 8]; 2],
    lanes: [[u32; 8]; 2],
    /// Bits of the rays that cross any, and of those that see it clockwise.
    hit: u32,
    clockwise: u32,
    /// For outlines, made ready once a ray of the group touches one.
    probes: Probes<'a, Closest>,
}

impl Nearest<'_> {
    /// Where the triangle stands that a ray crosses first.
    #[inline(always)]
    fn place(&self, ray: usize) -> Place {
        Place { payload: self.payloads[ray / 8 % 2][ray % 8], lane: self.lanes[ray / 8 % 2][ray % 8] }
    }

    #[inline(always)]
    fn found(&self, wanted: &Wanted, ray: usize) -> Option<Found> {
        if self.hit >> ray & 1 == 0 {
            return None;
        }
        let (place, [u, v, w]) = (self.place(ray), &self.edges[ray / 8 % 2]);
        Some(Found {
            t: wanted.end[ray / 8 % 2].0[ray % 8],
            prim: self.prims[ray / 8 % 2][ray % 8],
            instance: InstanceId::first(0),
            facing: if self.clockwise >> ray & 1 == 1 { Face::Back } else { Face::Front },
            crossing: Crossing::of_edges([u.0[ray % 8], v.0[ray % 8], w.0[ray % 8]]),
            place,
        })
    }

    /// Of these rays of a half, those whose crossing so far comes before that with a triangle at the same `t`.
    #[cold]
    fn first_of_ties(&self, half: usize, rays: u32, prim: u32) -> u32 {
        let mut first = 0;
        for (lane, known) in self.prims[half].iter().enumerate() {
            first |= u32::from(*known <= prim) << lane;
        }
        first & rays
    }

    #[inline(always)]
    fn keep(&mut self, wanted: &mut Wanted, found: &Single, prim: u32) {
        let Single { ray, place, t, crossing, clockwise } = *found;
        let (half, lane) = (ray / 8 % 2, ray % 8);
        for (row, value) in self.edges[half].iter_mut().zip(crossing.edge_values()) {
            row.0[lane] = value;
        }
        self.prims[half][lane] = prim;
        (self.payloads[half][lane], self.lanes[half][lane]) = (place.payload, place.lane);
        self.hit |= 1 << ray;
        self.clockwise = self.clockwise & !(1 << ray) | u32::from(clockwise) << ray;
        wanted.look_to(ray, t);
    }

    /// Writes the records of all rays, eight at once, where they can be written at all.
    #[inline(always)]
    fn write<L: Lanes, Q: Question>(&self, lanes: L, wanted: &Wanted, answers: &mut impl Sink<Q>) -> bool {
        for half in 0..2 {
            let (hit, clockwise) = (self.hit >> (8 * half), self.clockwise >> (8 * half));
            let (mut t, [mut u, mut v]) = (wanted.end[half], barycentrics(&self.edges[half]));
            let mut prims = self.prims[half];
            let HitRecord { t: endless, u: none, prim: nothing, .. } = HitRecord::MISS;
            lanes.put_doubles(!hit, &[endless; 8], &mut t.0);
            lanes.put_doubles(!hit, &[none; 8], &mut u.0);
            lanes.put_doubles(!hit, &[none; 8], &mut v.0);
            lanes.put_word(!hit, nothing, &mut prims);
            for run in 0..2 {
                let numbers = self.rays.run(2 * half + run);
                if numbers.is_empty() {
                    return true;
                }
                let Some(records) = answers.records(numbers) else { return false };
                for (lane, record) in (4 * run..8).zip(records) {
                    *record = HitRecord {
                        t: t.0[lane],
                        u: u.0[lane],
                        v: v.0[lane],
                        prim: prims[lane],
                        instance: if hit >> lane & 1 == 1 { InstanceId::first(0) } else { InstanceId::NONE },
                        facing: if (hit & clockwise) >> lane & 1 == 1 { Face::Back } else { Face::Front },
                    };
                }
            }
        }
        true
    }
}

impl<'a> Kept<'a> for Nearest<'a> {
    type Collector = Closest;
    const PLAIN: bool = true;

    fn new(filter: &'a Filter<'a>) -> Self {
        Nearest {
            sides: Sides::of(filter),
            rays: Chosen::NONE,
            edges: [[Eight::ZERO; 3]; 2],
            prims: [[0; 8]; 2],
            payloads: [[0; 8]; 2],
            lanes: [[0; 8]; 2],
            hit: 0,
            clockwise: 0,
            probes: Probes::new(filter),
        }
    }

    #[inline(always)]
    fn begin<Q: Question<Collector = Closest>>(&mut self, _: Q, rays: Chosen<'a>) {
        (self.rays, self.hit) = (rays, 0);
        self.probes.forget();
    }

    #[inline(always)]
    fn take<L: Lanes>(&mut self, lanes: L, mesh: &MeshData, wanted: &mut Wanted, found: &Crossings) -> bool {
        let Crossings { half, place, edges, t, through, clockwise } = found;
        let (half, shift) = (half % 2, half % 2 * 8);
        let mut taken = through & self.sides.admit(*clockwise);
        let end = &mut wanted.end[half].0;
        // The others stand before what was found.
        let ties = taken & self.hit >> shift & lanes.le_doubles(end, &t.0);
        let prim = mesh.leaves().prim(*place);
        if ties != 0 {
            taken &= !self.first_of_ties(half, ties, prim);
        }
        lanes.put_doubles(taken, &t.0, end);
        for (row, edge) in self.edges[half].iter_mut().zip(edges) {
            lanes.put_doubles(taken, &edge.0, &mut row.0);
        }
        lanes.put_word(taken, prim, &mut self.prims[half]);
        lanes.put_word(taken, place.payload, &mut self.payloads[half]);
        lanes.put_word(taken, place.lane, &mut self.lanes[half]);
        self.hit |= taken << shift;
        self.clockwise = self.clockwise & !(taken << shift) | (clockwise & taken) << shift;
        taken != 0
    }

    #[inline(always)]
    fn take_single(&mut self, mesh: &MeshData, wanted: &mut Wanted, found: &Single) -> bool {
        let Single { ray, place, t, clockwise, .. } = *found;
        if self.sides.admit(u32::from(clockwise)) & 1 == 0 {
            return false;
        }
        let tie = self.hit >> ray & 1 == 1 && t == wanted.end[ray / 8 % 2].0[ray % 8];
        let prim = mesh.leaves().prim(place);
        let first = !tie || prim < self.prims[ray / 8 % 2][ray % 8];
        if first {
            self.keep(wanted, found, prim);
        }
        first
    }

    #[cold]
    fn touch(&mut self, entered: &Entered<'_>, wanted: &mut Wanted, ray: usize, place: Place) -> bool {
        self.probes.begin_once(ClosestHit, self.rays);
        let best = self.found(wanted, ray);
        self.probes.probe(ray).collector.go_on_from(wanted.end[ray / 8 % 2].0[ray % 8], best);
        let nearer = self.probes.touch(entered, wanted, ray, place);
        if let Some(Found { t, prim, facing, crossing, place, .. }) = self.probes.probe(ray).collector.best {
            self.keep(wanted, &Single { ray, place, t, crossing, clockwise: facing == Face::Back }, prim);
        }
        nearer
    }

    #[inline(always)]
    fn hand_over<L: Lanes, T: Target, Q: Question<Collector = Closest>>(
        &mut self,
        lanes: L,
        target: &T,
        wanted: &Wanted,
        answers: &mut impl Sink<Q>,
    ) {
        if self.write(lanes, wanted, answers) {
            return;
        }
        for (i, ray) in self.rays.rays().enumerate().take(RAYS) {
            let mut kept = Closest::new(ray);
            kept.best = self.found(wanted, i);
            answers.put(target, self.rays.number(i), ray, &mut kept);
        }
    }
}

/// The weights of the corners B and C for eight rays; of those that cross nothing they mean nothing.
#[inline(always)]
fn barycentrics([u, v, w]: &[Eight; 3]) -> [Eight; 2] {
    let mut weights = [Eight::ZERO; 2];
    for i in 0..8 {
        let (b, c) = Crossing::of_edges([u.0[i], v.0[i], w.0[i]]).barycentrics();
        (weights[0].0[i], weights[1].0[i]) = (b, c);
    }
    weights
}

/// Whether there is any. Rays that are blocked are over, and no others are.
pub(crate) struct Blocked<'a> {
    sides: Sides,
    rays: Chosen<'a>,
    /// As in [`Nearest`].
    probes: Probes<'a, Occluded>,
}

impl<'a> Kept<'a> for Blocked<'a> {
    type Collector = Occluded;
    const PLAIN: bool = true;

    fn new(filter: &'a Filter<'a>) -> Self {
        Blocked { sides: Sides::of(filter), rays: Chosen::NONE, probes: Probes::new(filter) }
    }

    #[inline(always)]
    fn begin<Q: Question<Collector = Occluded>>(&mut self, _: Q, rays: Chosen<'a>) {
        self.rays = rays;
        self.probes.forget();
    }

    #[inline(always)]
    fn take<L: Lanes>(&mut self, lanes: L, _: &MeshData, wanted: &mut Wanted, found: &Crossings) -> bool {
        let blocked = found.through & self.sides.admit(found.clockwise);
        wanted.finish_all(lanes, found.half, blocked);
        blocked != 0
    }

    #[inline(always)]
    fn take_single(&mut self, _: &MeshData, wanted: &mut Wanted, found: &Single) -> bool {
        let blocked = self.sides.admit(u32::from(found.clockwise)) & 1 == 1;
        if blocked {
            wanted.finish(found.ray);
        }
        blocked
    }

    #[cold]
    fn touch(&mut self, entered: &Entered<'_>, wanted: &mut Wanted, ray: usize, place: Place) -> bool {
        self.probes.begin_once(AnyHit, self.rays);
        self.probes.touch(entered, wanted, ray, place)
    }

    #[inline(always)]
    fn hand_over<L: Lanes, T: Target, Q: Question<Collector = Occluded>>(
        &mut self,
        _: L,
        target: &T,
        wanted: &Wanted,
        answers: &mut impl Sink<Q>,
    ) {
        for run in 0..RUNS {
            let first = self.rays.run(run).start;
            for (place, ray) in self.rays.rays_of(run).iter().enumerate() {
                let mut kept = Occluded::answered(wanted.live >> (RUN * run + place) & 1 == 0);
                answers.put(target, first + place, ray, &mut kept);
            }
        }
    }
}
