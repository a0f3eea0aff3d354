//! What the rays of a group want, and where what they cross goes.

use super::Entered;
use super::RAYS;
use super::blocks::{Chosen, Together};
use super::rays::upper_of;
use crate::bvh::layout::Place;
use crate::bvh::slab::T_ROUNDING;
use crate::filter::Filter;
use crate::hit::Face;
use crate::intersect::watertight::Crossing;
use crate::mesh::MeshData;
use crate::query::{Collector, Question, Sink, Target};
use crate::simd::lanes::Lanes;
use crate::simd::sixteen::Row16;

/// One number of each of eight rays.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Eight(pub [f64; 8]);

impl Eight {
    pub const ZERO: Eight = Eight([0.0; 8]);
}

/// As far as a ray looks that wants nothing more.
const OVER: f64 = f32::MIN as f64;

/// A limit as box tests want it: not minus infinity, which would make reaches that are no numbers, by which all rays of a group
/// would miss what comes next. It is below all boxes in any case.
#[inline(always)]
fn finite_below(end: f64) -> f32 {
    let end = end as f32;
    if end < f32::MIN { f32::MIN } else { end }
}

/// From where to where each ray still wants crossings, in world `t`, both ends included.
pub(crate) struct Wanted {
    pub begin: [Eight; 2],
    pub end: [Eight; 2],
    /// Bits of the rays whose question is not answered yet.
    pub live: u32,
}

impl Wanted {
    /// Of those rays that are live; the others want nothing.
    #[inline(always)]
    pub fn new<L: Lanes>(lanes: L, rays: Together<'_>, live: u32) -> Wanted {
        let mut wanted = Wanted { begin: [Eight::ZERO; 2], end: [Eight::ZERO; 2], live };
        for i in 0..RAYS {
            wanted.begin[i / 8].0[i % 8] = rays.ray(i).t_min();
            wanted.end[i / 8].0[i % 8] = rays.ray(i).t_max();
        }
        wanted.of(lanes, live)
    }

    /// How far each ray still looks, as box tests want it.
    #[inline(always)]
    pub fn reach(&self) -> Row16 {
        let mut reach = Row16::ZERO;
        for half in 0..2 {
            for i in 0..8 {
                reach.0[8 * half + i] = upper_of(finite_below(self.end[half].0[i]));
            }
        }
        reach
    }

    /// The same of rays that start elsewhere.
    #[inline(never)]
    pub fn reach_from(&self, t0: &[Eight; 2]) -> Row16 {
        let mut reach = Row16::ZERO;
        for i in 0..RAYS {
            let (end, t0) = (self.end[i / 8].0[i % 8], t0[i / 8].0[i % 8]);
            reach.0[i] = upper_of(finite_below((end - t0) + t0.abs() * T_ROUNDING));
        }
        reach
    }

    /// What those rays want of these bits that are live; the others want nothing.
    #[inline(always)]
    pub fn of<L: Lanes>(&self, lanes: L, rays: u32) -> Wanted {
        let live = self.live & rays;
        let mut wanted = Wanted { begin: self.begin, end: self.end, live };
        for (half, end) in wanted.end.iter_mut().enumerate() {
            lanes.put_doubles(!live >> (8 * half), &[OVER; 8], &mut end.0);
        }
        wanted
    }

    /// From where to where one ray wants crossings.
    #[inline(always)]
    pub fn range(&self, ray: usize) -> (f64, f64) {
        (self.begin[ray / 8 % 2].0[ray % 8], self.end[ray / 8 % 2].0[ray % 8])
    }

    /// Ends one ray earlier.
    #[inline(always)]
    pub fn look_to(&mut self, ray: usize, end: f64) {
        self.end[ray / 8 % 2].0[ray % 8] = end;
    }

    /// Ends the question of one ray.
    #[inline(always)]
    pub fn finish(&mut self, ray: usize) {
        self.live &= !(1 << ray);
        self.look_to(ray, OVER);
    }

    /// Ends the questions of these rays of a half.
    #[inline(always)]
    pub fn finish_all<L: Lanes>(&mut self, lanes: L, half: usize, rays: u32) {
        self.live &= !(rays << (half % 2 * 8));
        lanes.put_doubles(rays, &[OVER; 8], &mut self.end[half % 2].0);
    }

    /// Whether a ray wants a crossing at this `t`; not where it is not a number.
    #[inline(always)]
    pub fn wants(&self, ray: usize, t: f64) -> bool {
        (t >= self.begin[ray / 8 % 2].0[ray % 8]) & (t <= self.end[ray / 8 % 2].0[ray % 8])
    }
}

/// One triangle's crossings with eight rays.
pub(crate) struct Crossings {
    /// Which eight: the first half or the second.
    pub half: usize,
    pub place: Place,
    /// Values of the edges opposite of A, of B and of C.
    pub edges: [Eight; 3],
    pub t: Eight,
    /// Bits of the rays that cross it where they want to, and of those that see its corners clockwise.
    pub through: u32,
    pub clockwise: u32,
}

impl Crossings {
    /// That of one of the eight.
    #[inline(always)]
    pub fn single(&self, lane: usize) -> Single {
        let (lane, [u, v, w]) = (lane % 8, &self.edges);
        Single {
            ray: 8 * self.half + lane,
            place: self.place,
            t: self.t.0[lane],
            crossing: Crossing::of_edges([u.0[lane], v.0[lane], w.0[lane]]),
            clockwise: self.clockwise >> lane & 1 == 1,
        }
    }
}

/// A triangle's crossing with one ray.
pub(crate) struct Single {
    pub ray: usize,
    pub place: Place,
    pub t: f64,
    pub crossing: Crossing,
    pub clockwise: bool,
}

/// The bits of rays whose crossings count, of those that see them from the front and of those that see them from behind.
#[derive(Clone, Copy)]
pub(super) struct Sides {
    front: u32,
    back: u32,
}

impl Sides {
    pub fn of(filter: &Filter<'_>) -> Sides {
        let all = |face| if filter.admits_side(face) { u32::MAX } else { 0 };
        Sides { front: all(Face::Front), back: all(Face::Back) }
    }

    #[inline(always)]
    pub fn admit(self, clockwise: u32) -> u32 {
        self.front & !clockwise | self.back & clockwise
    }
}

/// Where what the rays of a group cross goes.
pub(crate) trait Kept<'a>: Sized {
    /// What answers are made of.
    type Collector: Collector;
    /// Whether it is only for plain filters, and meshes without holes.
    const PLAIN: bool;

    fn new(filter: &'a Filter<'a>) -> Self;

    /// Begins with the rays of a group.
    fn begin<Q: Question<Collector = Self::Collector>>(&mut self, question: Q, rays: Chosen<'a>);

    /// Takes crossings of several rays. As the next two, says whether any ray may look less far now.
    fn take<L: Lanes>(&mut self, lanes: L, mesh: &MeshData, wanted: &mut Wanted, found: &Crossings) -> bool;

    /// Takes the crossing of one ray.
    fn take_single(&mut self, mesh: &MeshData, wanted: &mut Wanted, found: &Single) -> bool;

    /// Looks closer at a triangle whose outline a ray may touch.
    fn touch(&mut self, entered: &Entered<'_>, wanted: &mut Wanted, ray: usize, place: Place) -> bool;

    /// Hands over the answers of the rays.
    fn hand_over<L: Lanes, T: Target, Q: Question<Collector = Self::Collector>>(
        &mut self,
        lanes: L,
        target: &T,
        wanted: &Wanted,
        answers: &mut impl Sink<Q>,
    );
}
