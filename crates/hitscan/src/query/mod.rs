//! The questions, one a file, in single and batch form.
//!
//! Each question is a [`Collector`]: what it keeps of the crossings that the walk offers, and up to which `t` it
//! still wants to see any. The walk itself is in [`bvh`](crate::bvh), once for all of them.

mod all_hits;
mod batch;
mod boundary;
mod bounded;
mod buffer;
mod closest;
mod closest_point;
mod columns;
mod contains;
mod contains_batch;
mod contains_by;
mod cost;
mod edges;
mod explain;
mod first_n;
mod ground;
mod intervals;
mod lists;
mod near_miss;
mod occluded;
mod open_edge;
mod overlap_box;
mod overlap_frustum;
mod overlap_sphere;
mod pick;
mod record;
mod scene;
mod signed_distance;
mod sweep_capsule;
mod sweep_sphere;
mod touching;
mod watched;
mod winding_number;

pub(crate) use all_hits::AllHits;
pub(crate) use boundary::Boundary;
pub use bounded::{Bounded, OutOfSteps};
pub use buffer::Buffer;
pub(crate) use closest::{Closest, ClosestHit};
pub use closest_point::ClosestPoint;
pub use contains::Containment;
pub use contains_by::Rule;
pub use explain::{Explanation, Outcome};
pub use intervals::Interval;
pub use lists::HitLists;
pub use near_miss::NearMiss;
pub(crate) use occluded::{AnyHit, Occluded};
pub(crate) use open_edge::Closed;
pub use open_edge::OpenEdge;
pub(crate) use overlap_box::{reach_of_obb, reaching};
pub use pick::Picked;
pub(crate) use record::describe_shape;
pub use scene::Overlap;
pub use sweep_sphere::SweepHit;
pub use watched::Watched;

use alloc::vec::Vec;
use core::mem;
use core::ops::{ControlFlow, Range};

use crate::bvh::border::Borders;
use crate::bvh::group::Kept;
use crate::bvh::layout::{Block, Place, Room};
use crate::bvh::leaf::{Across, depths};
use crate::bvh::meter::Meter;
use crate::bvh::node::LeafRef;
use crate::entry::LocalRay;
use crate::filter::{Candidate, Filter, Verdict};
use crate::hit::{Face, Hit, HitRecord, InstanceId};
use crate::intersect::watertight::{Crossing, Touch, sheared, touch};
use crate::mesh::MeshData;
use crate::ray::Ray;
use crate::simd::lanes::{Edges, Lanes, lowest};
use crate::simd::stack::Order;
use crate::simd::{Kernel, Task};
use crate::source::Source;
use buffer::Memory;
use lists::Many;

/// A crossing that counts: what order and description need of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Found {
    pub t: f64,
    pub prim: u32,
    pub instance: InstanceId,
    pub facing: Face,
    /// The barycentrics, before the divisions that most crossings never need.
    pub crossing: Crossing,
    /// Where the leaf that the walk found it in keeps its corners, which are still at hand there.
    pub place: Place,
}

impl Found {
    /// What is known of it without looking at its triangle.
    #[inline(always)]
    pub fn record(&self) -> HitRecord {
        let (u, v) = self.crossing.barycentrics();
        HitRecord { t: self.t, u, v, prim: self.prim, instance: self.instance, facing: self.facing }
    }

    /// Whether it comes before the other: by `t`, then by instance, then by triangle or face; last, where a ray only touches
    /// one face of a shape, in before out.
    pub fn before(&self, other: &Found) -> bool {
        self.t < other.t || (self.t == other.t && self.tie() < other.tie())
    }

    /// The same as an ordering; `t` is never NaN.
    pub fn order(&self, other: &Found) -> core::cmp::Ordering {
        self.t.total_cmp(&other.t).then_with(|| self.tie().cmp(&other.tie()))
    }

    /// What decides at equal `t`.
    fn tie(&self) -> (InstanceId, u32, Face) {
        (self.instance, self.prim, self.facing)
    }
}

/// What a question keeps.
pub(crate) trait Collector: Sized {
    /// Whether near crossings should come first, since they let the rest be skipped.
    type Order: Order;
    /// What the rays of a group keep in a mesh, where the filter is plain.
    type SideBySide<'a>: Kept<'a, Collector = Self>;
    /// Crossings beyond this world `t` are of no interest; at exactly this `t` they still are.
    fn limit(&self) -> f64;
    /// Takes a crossing within the limit; says whether that is another now. `Break` ends the query.
    fn offer(&mut self, found: Found) -> ControlFlow<(), bool>;
    /// Whether there was a crossing, of questions that one answers.
    fn has_found(&self) -> Option<bool> {
        None
    }
    /// Nothing behind this crossing counts, which was offered before. To questions that want no more than one it says
    /// nothing new.
    fn stop_at(&mut self, _last: &Found) {}
}

/// A question under way: the ray, the filter and what was found, with the instance that is being walked.
pub(crate) struct Probe<'a, C> {
    pub ray: &'a Ray,
    pub filter: &'a Filter<'a>,
    pub collector: C,
    instance: InstanceId,
    mirrored: bool,
    borders: Borders,
}

impl<'a, C: Collector> Probe<'a, C> {
    #[inline(always)]
    pub fn new(ray: &'a Ray, filter: &'a Filter<'a>, collector: C) -> Self {
        Probe {
            ray,
            filter,
            collector,
            instance: InstanceId::first(0),
            mirrored: false,
            borders: Borders::default(),
        }
    }

    /// Turns to another ray, for which the collector was made ready.
    #[inline(always)]
    pub fn turn_to(&mut self, ray: &'a Ray) {
        self.ray = ray;
        self.borders = Borders::default();
    }

    /// Turns to another instance.
    pub fn enter(&mut self, instance: InstanceId, mirrored: bool) {
        self.instance = instance;
        self.mirrored = mirrored;
    }

    /// The exact test of a leaf's triangles; says whether the collector's limit may have changed.
    #[inline(always)]
    pub fn leaf<L: Lanes, M: Meter>(
        &mut self,
        lanes: L,
        mesh: &MeshData,
        local: &LocalRay,
        payload: u32,
        meter: &mut M,
    ) -> ControlFlow<(), bool> {
        meter.leaf();
        let leaf = LeafRef::from_payload(payload);
        let mut room = Room::uninit();
        self.block(lanes, mesh, local, payload, mesh.leaves().block(leaf, &mut room), leaf, u32::MAX, meter)
    }

    /// The same of triangles in a block that may have come from elsewhere; those of the lanes that are wanted.
    #[inline(always)]
    pub fn block<L: Lanes, M: Meter>(
        &mut self,
        lanes: L,
        source: &impl Source,
        local: &LocalRay,
        payload: u32,
        block: &Block,
        leaf: LeafRef,
        wanted: u32,
        meter: &mut M,
    ) -> ControlFlow<(), bool> {
        let shear = &local.shear;
        let across = Across::new(lanes, shear, local.turned, block, leaf);
        let mut maybe = across.candidates & wanted;
        let mut nearer = false;
        while maybe != 0 {
            let lane = lowest(maybe);
            maybe &= maybe - 1;
            meter.test();
            let place = Place { payload, lane: lane as u32 };
            let [x, y] = across.of(lanes, lane);
            let z = depths(shear, local.turned, block, leaf, lane);
            let Edges { values, above, below } = lanes.edges(x, y);
            let crossing = Crossing::of_edges(values);
            let t = local.world_t(crossing.t_of(z, shear.depth));
            // Without branches of their own: which side is seen, whether it is hit and whether before what was found changes
            // from triangle to triangle.
            let through = (above == 7) | (below == 7);
            if through & (t >= self.ray.t_min()) & (t <= self.collector.limit()) {
                nearer |= self.crossing(source, place, t, crossing, below == 7, |_| true)?;
            } else if !through & ((above == 0) | (below == 0)) {
                nearer |= self.outline(source, local, place, meter)?;
            }
        }
        ControlFlow::Continue(nearer)
    }

    /// The rest of the test of a triangle with an edge value of zero.
    #[cold]
    pub fn outline(
        &mut self,
        source: &impl Source,
        local: &LocalRay,
        place: Place,
        meter: &mut dyn Meter,
    ) -> ControlFlow<(), bool> {
        let corners = source.corners(place);
        let sheared = sheared(local, &corners);
        let touch = touch(sheared);
        let (Touch::Inside(crossing) | Touch::OnEdge(crossing, ..) | Touch::OnCorner(crossing, _)) = touch
        else {
            return ControlFlow::Continue(false);
        };
        let t = local.world_t(crossing.t(sheared, local.shear.depth));
        let slot = self.instance.slot();
        let accept =
            |borders: &mut Borders| borders.accept(slot, source, place, local, &corners, &touch, meter);
        self.crossing(source, place, t, crossing, !crossing.counter_clockwise(), accept)
    }

    /// Offers the collector a crossing, if it is wanted, the borders allow it and it is not in a hole.
    #[inline(always)]
    pub fn crossing(
        &mut self,
        source: &impl Source,
        place: Place,
        t: f64,
        crossing: Crossing,
        clockwise: bool,
        borders: impl FnOnce(&mut Borders) -> bool,
    ) -> ControlFlow<(), bool> {
        // Written so that a `t` that is not a number is out of range.
        if !(t >= self.ray.t_min() && t <= self.collector.limit()) {
            return ControlFlow::Continue(false);
        }
        let facing = if clockwise == self.mirrored { Face::Front } else { Face::Back };
        let prim = source.prim(place);
        if !self.filter.admits_data(facing, self.instance, prim) || !borders(&mut self.borders) {
            return ControlFlow::Continue(false);
        }
        if source.cuts(prim, &crossing) && !self.filter.admits_everything() {
            return ControlFlow::Continue(false);
        }
        self.judge(Found { t, prim, instance: self.instance, facing, crossing, place })
    }

    /// Offers the collector a crossing with the surface of a shape, if it is wanted.
    pub fn surface(&mut self, t: f64, prim: u32, facing: Face) -> ControlFlow<(), bool> {
        let wanted = t >= self.ray.t_min() && t <= self.collector.limit();
        if !(wanted && self.filter.admits_data(facing, self.instance, prim)) {
            return ControlFlow::Continue(false);
        }
        let (crossing, place) = (Crossing::at_first_corner(), Place { payload: 0, lane: 0 });
        self.judge(Found { t, prim, instance: self.instance, facing, crossing, place })
    }

    /// Offers the collector a crossing that only the filter's closure could still refuse.
    #[inline(always)]
    fn judge(&mut self, found: Found) -> ControlFlow<(), bool> {
        let verdict = self.filter.judged(|| {
            let HitRecord { t, u, v, prim, instance, facing } = found.record();
            Candidate { t, u, v, prim, instance, facing }
        });
        if verdict == Verdict::Ignore {
            return ControlFlow::Continue(false);
        }
        let nearer = self.collector.offer(found)?;
        if verdict == Verdict::Stop {
            self.collector.stop_at(&found);
            return ControlFlow::Continue(true);
        }
        ControlFlow::Continue(nearer)
    }
}

/// Something that can be asked: a mesh in its own frame, or a scene.
pub(crate) trait Target: Sync + Sized {
    /// The instruction set that walks it.
    fn kernel(&self) -> Kernel;
    /// Offers the collector every crossing that counts and that it still wants.
    fn walk<L: Lanes, C: Collector, M: Meter>(&self, lanes: L, probe: &mut Probe<'_, C>, meter: &mut M);
    /// The whole answer for one crossing.
    fn describe(&self, ray: &Ray, found: &Found) -> Hit;

    /// The mask of an instance.
    fn mask(&self, _: InstanceId) -> u32 {
        u32::MAX
    }

    /// Whether a crossing goes through a hole that is painted on its triangle.
    fn cuts(&self, _: &Hit) -> bool {
        false
    }

    /// Whether a crossing leads into the solid: in its own frame, a mirror image is as solid as what it mirrors.
    fn enters(&self, found: &Found) -> bool {
        found.facing == Face::Front
    }

    /// The material at a crossing.
    fn material(&self, _: &Found) -> u32 {
        0
    }

    /// How far it is from the entry into a solid to the exit, in units of the ray's direction.
    fn length(&self, _: &Ray, entry: &Found, exit: &Found) -> f64 {
        exit.t - entry.t
    }

    /// Answers for each ray, where lanes are parallel.
    #[inline(always)]
    fn answer_all<L: Lanes, Q: Question>(
        &self,
        lanes: L,
        question: Q,
        rays: &[Ray],
        filter: &Filter<'_>,
        answers: &mut impl Sink<Q>,
    ) {
        one_by_one(lanes, self, question, rays.iter().enumerate(), filter, answers);
    }
}

/// Answers for numbered rays, each alone.
#[inline(always)]
pub(crate) fn one_by_one<'a, L: Lanes, T: Target, Q: Question>(
    lanes: L,
    target: &T,
    question: Q,
    rays: impl Iterator<Item = (usize, &'a Ray)>,
    filter: &Filter<'_>,
    answers: &mut impl Sink<Q>,
) {
    // No closure: the compiler would leave its instruction set behind.
    for (number, ray) in rays {
        let mut probe = Probe::new(ray, filter, question.begin(ray));
        target.walk(lanes, &mut probe, &mut ());
        answers.put(target, number, ray, &mut probe.collector);
    }
}

/// What is asked about a ray: what to keep on the way.
pub(crate) trait Question: Copy + Sync {
    type Collector: Collector;
    fn begin(self, ray: &Ray) -> Self::Collector;
    /// Begins again with what was used for another ray.
    #[inline(always)]
    fn again(self, ray: &Ray, kept: &mut Self::Collector) {
        *kept = self.begin(ray);
    }
}

/// A question with one answer.
pub(crate) trait Single: Question {
    type Answer;
    fn answer<T: Target>(self, target: &T, ray: &Ray, kept: &mut Self::Collector) -> Self::Answer;
}

/// A question whose answer is a list.
pub(crate) trait Listed: Question<Collector: Many> {
    type Item;
    /// Writes the list into one that is empty.
    fn list<T: Target>(
        self,
        target: &T,
        ray: &Ray,
        kept: &mut Self::Collector,
        memory: &mut Memory,
        list: &mut Vec<Self::Item>,
    );
}

/// Where the answers of many rays go, in whatever order they come.
pub(crate) trait Sink<Q: Question> {
    /// Takes what was kept for the ray of this number.
    fn put<T: Target>(&mut self, target: &T, number: usize, ray: &Ray, kept: &mut Q::Collector);

    /// Asks for the memory that the answer of this ray will go into.
    #[inline(always)]
    fn fetch<L: Lanes>(&self, _: L, _: usize) {}

    /// The places of these rays' records, where the answers are nothing else: whoever has many side by side writes them there.
    #[inline(always)]
    fn records(&mut self, _rays: Range<usize>) -> Option<&mut [HitRecord]> {
        None
    }
}

/// The whole answers for crossings, in their order.
#[inline(always)]
fn describe_all<T: Target>(target: &T, ray: &Ray, found: &[Found], hits: &mut Vec<Hit>) {
    hits.reserve(found.len());
    // No closure: the compiler would leave its instruction set behind.
    for found in found {
        hits.push(target.describe(ray, found));
    }
}

/// Asks one question, in the kernel of the target from the first to the last step.
#[inline]
pub(crate) fn ask<T: Target, Q: Single>(
    target: &T,
    question: Q,
    ray: &Ray,
    filter: &Filter<'_>,
) -> Q::Answer {
    ask_metered(target, question, ray, filter, &mut ())
}

/// The same, with the work that it takes.
#[inline]
fn ask_metered<T: Target, Q: Single, M: Meter>(
    target: &T,
    question: Q,
    ray: &Ray,
    filter: &Filter<'_>,
    meter: &mut M,
) -> Q::Answer {
    target.kernel().run(Ask { target, question, ray, filter, meter })
}

struct Ask<'a, T, Q, M> {
    target: &'a T,
    question: Q,
    ray: &'a Ray,
    filter: &'a Filter<'a>,
    meter: &'a mut M,
}

impl<T: Target, Q: Single, M: Meter> Task for Ask<'_, T, Q, M> {
    type Output = Q::Answer;
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Q::Answer {
        let Ask { target, question, ray, filter, meter } = self;
        let mut probe = Probe::new(ray, filter, question.begin(ray));
        target.walk(lanes, &mut probe, meter);
        question.answer(target, ray, &mut probe.collector)
    }
}

/// Asks a question whose answer is a list, with memory that was used before.
#[inline]
fn ask_list<T: Target, Q: Listed>(
    target: &T,
    question: Q,
    ray: &Ray,
    filter: &Filter<'_>,
    buffer: &mut Buffer<Q::Item>,
) {
    ask_list_metered(target, question, ray, filter, &mut (), buffer);
}

/// The same, with the work that it takes.
#[inline]
fn ask_list_metered<T: Target, Q: Listed, M: Meter>(
    target: &T,
    question: Q,
    ray: &Ray,
    filter: &Filter<'_>,
    meter: &mut M,
    buffer: &mut Buffer<Q::Item>,
) {
    target.kernel().run(AskList { target, question, ray, filter, meter, buffer });
}

struct AskList<'a, T, Q: Listed, M> {
    target: &'a T,
    question: Q,
    ray: &'a Ray,
    filter: &'a Filter<'a>,
    meter: &'a mut M,
    buffer: &'a mut Buffer<Q::Item>,
}

impl<T: Target, Q: Listed, M: Meter> Task for AskList<'_, T, Q, M> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let AskList { target, question, ray, filter, meter, buffer } = self;
        let Buffer { answers, memory } = buffer;
        answers.clear();
        let mut probe = Probe::new(ray, filter, question.begin(ray));
        memory.found.clear();
        mem::swap(probe.collector.found(), &mut memory.found);
        target.walk(lanes, &mut probe, meter);
        question.list(target, ray, &mut probe.collector, memory, answers);
        mem::swap(probe.collector.found(), &mut memory.found);
    }
}

/// Asks the same of many rays, in the kernel of the target.
fn ask_all<T: Target, Q: Question>(
    target: &T,
    question: Q,
    rays: &[Ray],
    filter: &Filter<'_>,
    answers: &mut impl Sink<Q>,
) {
    target.kernel().run(AskAll { target, question, rays, filter, answers });
}

struct AskAll<'a, T, Q, S> {
    target: &'a T,
    question: Q,
    rays: &'a [Ray],
    filter: &'a Filter<'a>,
    answers: &'a mut S,
}

impl<T: Target, Q: Question, S: Sink<Q>> Task for AskAll<'_, T, Q, S> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let AskAll { target, question, rays, filter, answers } = self;
        if L::PARALLEL {
            target.answer_all(lanes, question, rays, filter, answers);
        } else {
            one_by_one(lanes, target, question, rays.iter().enumerate(), filter, answers);
        }
    }
}
