//! Many rays at once, on all cores with the feature `rayon`. Each answer is that of the single query, bit for bit.

use alloc::vec::Vec;
use core::ops::Range;

use super::lists::{self, HitLists};
use super::record::ClosestRecord;
use super::{
    AnyHit, Closest, ClosestHit, Occluded, Single, Sink, Target, all_hits::EveryHit, ask_all,
    first_n::FirstHits,
};
use crate::bvh::group::blocks::line_length;
use crate::bvh::parallel::{in_tasks, threads};
use crate::filter::Filter;
use crate::heightfield::Heightfield;
use crate::hit::{Hit, HitRecord};
use crate::mesh::Mesh;
use crate::ray::Ray;
use crate::scene::Scene;
use crate::simd::lanes::Lanes;
use crate::simd::pages::reserve;
use crate::watch::Job;

/// Most questions that one task answers: enough for rays to find others that go along with them.
const TASK: usize = 1024;
/// Most rays of four lines of a picture that are one task; one thread looks at no more before the others begin.
const LINES: usize = 32 * TASK;
/// The same of lists, whose crossings are kept for several tasks at once.
pub(super) const LISTED_LINES: usize = 4 * TASK;
/// Least, but for the last: enough to outweigh the hand-over.
const LEAST: usize = 128;

/// How many of so many questions one task answers: few enough to share the work evenly.
pub(super) fn task(questions: usize) -> usize {
    part(questions, TASK)
}

/// How many of these rays one task answers: where they are a picture line by line, four lines of no more than `most`, so that they make
/// squares. Not where that would leave threads without a task; and where somebody watches, who is told and may end it after each task, no
/// more than of others.
pub(super) fn task_of(rays: &[Ray], most: usize, job: &Job<'_>) -> usize {
    let most = if job.is_watched() { TASK } else { most };
    match line_length(&rays[..rays.len().min(most)]).map(|line| 4 * line) {
        Some(lines) if threads() == 1 || rays.len() >= 4 * threads() * lines => lines,
        _ => task(rays.len()),
    }
}

/// How many rays are asked before what they found is put into lists: those of one task where there is one thread, or of so many that few
/// threads wait for the last one's end.
pub(super) fn stretch_of(task: usize) -> usize {
    match threads() {
        1 => task,
        threads => (16 * threads * TASK).next_multiple_of(task),
    }
}

/// The same for tasks of at most so many.
pub(super) fn part(questions: usize, most: usize) -> usize {
    match threads() {
        1 => questions.clamp(1, most),
        threads => questions.div_ceil(4 * threads).clamp(LEAST, most),
    }
}

/// Answers for each question, in their order.
pub(super) fn each<Q: Sync, A: Send>(questions: &[Q], answer: impl Fn(&Q) -> A + Sync) -> Vec<A> {
    each_by(questions, &answer)
}

/// The same, compiled once for all that answer with the same: what shares out the work is larger than most questions.
fn each_by<Q: Sync, A: Send>(questions: &[Q], answer: &(dyn Fn(&Q) -> A + Sync)) -> Vec<A> {
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        let mut answers = Vec::new();
        questions.par_iter().with_min_len(task(questions.len())).map(answer).collect_into_vec(&mut answers);
        answers
    }
    #[cfg(not(feature = "rayon"))]
    questions.iter().map(answer).collect()
}

/// A question with one answer, as many rays are asked at once.
pub(super) trait Asked: Single<Answer: Clone + Send> {
    /// The answer of a ray that hits nothing.
    const MISS: Self::Answer;
    /// Answers for the rays of one task, each in its ray's place.
    fn ask<T: Target>(self, target: &T, rays: &[Ray], filter: &Filter<'_>, answers: &mut [Self::Answer]);
}

impl Asked for ClosestHit {
    const MISS: Option<Hit> = None;
    fn ask<T: Target>(self, target: &T, rays: &[Ray], filter: &Filter<'_>, answers: &mut [Option<Hit>]) {
        ask_all(target, ClosestHit, rays, filter, &mut First::Hits(answers));
    }
}

impl Asked for ClosestRecord {
    const MISS: HitRecord = HitRecord::MISS;
    fn ask<T: Target>(self, target: &T, rays: &[Ray], filter: &Filter<'_>, answers: &mut [HitRecord]) {
        ask_all(target, ClosestHit, rays, filter, &mut First::Records(answers));
    }
}

impl Asked for AnyHit {
    const MISS: bool = false;
    fn ask<T: Target>(self, target: &T, rays: &[Ray], filter: &Filter<'_>, answers: &mut [bool]) {
        ask_all(target, AnyHit, rays, filter, &mut InTheWay(answers));
    }
}

/// First crossings, whole or as records: one type, so that all that finds them is compiled once.
enum First<'a> {
    Hits(&'a mut [Option<Hit>]),
    Records(&'a mut [HitRecord]),
}

impl Sink<ClosestHit> for First<'_> {
    #[inline(always)]
    fn put<T: Target>(&mut self, target: &T, number: usize, ray: &Ray, kept: &mut Closest) {
        match self {
            First::Hits(hits) => hits[number] = ClosestHit.answer(target, ray, kept),
            First::Records(records) => records[number] = ClosestRecord.answer(target, ray, kept),
        }
    }

    #[inline(always)]
    fn fetch<L: Lanes>(&self, lanes: L, number: usize) {
        match self {
            First::Hits(hits) => fetch(lanes, hits, number),
            First::Records(records) => fetch(lanes, records, number),
        }
    }

    #[inline(always)]
    fn records(&mut self, rays: Range<usize>) -> Option<&mut [HitRecord]> {
        match self {
            First::Hits(_) => None,
            First::Records(records) => records.get_mut(rays),
        }
    }
}

/// Asks for the memory of one of a list, of two cache lines or three.
#[inline(always)]
fn fetch<L: Lanes, A>(lanes: L, list: &[A], number: usize) {
    let first = list.as_ptr().wrapping_add(number).cast::<u8>();
    for line in 0..size_of::<A>().div_ceil(64) {
        lanes.prefetch(first.wrapping_add(64 * line));
    }
    lanes.prefetch(first.wrapping_add(size_of::<A>() - 1));
}

/// Whether anything is in the way.
struct InTheWay<'a>(&'a mut [bool]);

impl Sink<AnyHit> for InTheWay<'_> {
    #[inline(always)]
    fn put<T: Target>(&mut self, target: &T, number: usize, ray: &Ray, kept: &mut Occluded) {
        self.0[number] = AnyHit.answer(target, ray, kept);
    }
}

/// Answers for each ray.
fn all<T: Target, Q: Asked>(target: &T, question: Q, rays: &[Ray], filter: &Filter<'_>) -> Vec<Q::Answer> {
    let mut answers = Vec::new();
    fill(target, question, rays, filter, &mut answers, &Job::unwatched());
    answers
}

/// The same into a list whose memory is used again. Once the job is stopped, what the rest of the rays get means nothing.
pub(super) fn fill<T: Target, Q: Asked>(
    target: &T,
    question: Q,
    rays: &[Ray],
    filter: &Filter<'_>,
    answers: &mut Vec<Q::Answer>,
    job: &Job<'_>,
) {
    // What is there already is written over: each ray gets an answer.
    answers.truncate(rays.len());
    reserve(answers, rays.len() - answers.len());
    answers.resize(rays.len(), Q::MISS);
    in_tasks(rays, answers, task_of(rays, LINES, job), &|rays, answers| {
        if !job.stopped() {
            question.ask(target, rays, filter, answers);
            job.advance(rays.len());
        }
    });
}

/// The batch forms of one type that has the single ones.
macro_rules! batch_forms {
    ($target:ident) => {
        impl $target {
            #[doc = concat!("[`", stringify!($target), "::closest`] for each ray.")]
            ///
            /// ```
            /// use hitscan::{Filter, Mesh, Ray};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let rays = [0.2, 3.0, 0.4].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
            /// let hits = mesh.closest_batch(&rays, &Filter::ALL);
            /// assert_eq!(hits.iter().map(|hit| hit.map(|hit| hit.t)).collect::<Vec<_>>(), [Some(1.0), None, Some(1.0)]);
            /// # Ok::<(), hitscan::MeshError>(())
            /// ```
            pub fn closest_batch(&self, rays: &[Ray], filter: &Filter<'_>) -> Vec<Option<Hit>> {
                all(self, ClosestHit, rays, filter)
            }

            #[doc = concat!("[`", stringify!($target), "::closest`] for each ray, into a list whose memory is used again; what it held is gone.")]
            ///
            /// ```
            /// use hitscan::{Filter, Mesh, Ray};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
            /// let mut hits = Vec::new();
            /// for x in [0.2, 3.0, 0.4] {
            ///     let rays = [Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap(); 5];
            ///     mesh.closest_batch_into(&rays, &Filter::ALL, &mut hits);
            ///     assert_eq!(hits, mesh.closest_batch(&rays, &Filter::ALL));
            /// }
            /// ```
            pub fn closest_batch_into(&self, rays: &[Ray], filter: &Filter<'_>, hits: &mut Vec<Option<Hit>>) {
                fill(self, ClosestHit, rays, filter, hits, &Job::unwatched());
            }

            #[doc = concat!("[`", stringify!($target), "::occluded`] for each ray.")]
            ///
            /// ```
            /// use hitscan::{Filter, Mesh, Ray};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let rays = [0.2, 3.0, 0.4].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
            /// assert_eq!(mesh.occluded_batch(&rays, &Filter::ALL), [true, false, true]);
            /// # Ok::<(), hitscan::MeshError>(())
            /// ```
            pub fn occluded_batch(&self, rays: &[Ray], filter: &Filter<'_>) -> Vec<bool> {
                all(self, AnyHit, rays, filter)
            }

            #[doc = concat!("[`", stringify!($target), "::occluded`] for each ray, into a list whose memory is used again; what it held is gone.")]
            ///
            /// ```
            /// use hitscan::{Filter, Mesh, Ray};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let rays = [0.2, 3.0, 0.4].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
            /// let mut occluded = Vec::new();
            /// mesh.occluded_batch_into(&rays, &Filter::ALL, &mut occluded);
            /// mesh.occluded_batch_into(&rays[1..], &Filter::ALL, &mut occluded); // in the same memory
            /// assert_eq!(occluded, [false, true]);
            /// # Ok::<(), hitscan::MeshError>(())
            /// ```
            pub fn occluded_batch_into(&self, rays: &[Ray], filter: &Filter<'_>, occluded: &mut Vec<bool>) {
                fill(self, AnyHit, rays, filter, occluded, &Job::unwatched());
            }

            #[doc = concat!("[`", stringify!($target), "::all_hits`] for each ray.")]
            ///
            /// ```
            /// use hitscan::{Filter, Mesh, Ray};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let rays = [0.2, 3.0, 0.4].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
            /// let lists = mesh.all_hits_batch(&rays, &Filter::ALL);
            /// assert_eq!(lists.offsets(), [0, 1, 1, 2]);
            /// assert_eq!(lists.get(2)[0].t, 1.0);
            /// # Ok::<(), hitscan::MeshError>(())
            /// ```
            pub fn all_hits_batch(&self, rays: &[Ray], filter: &Filter<'_>) -> HitLists {
                let mut lists = HitLists::default();
                self.all_hits_batch_into(rays, filter, &mut lists);
                lists
            }

            #[doc = concat!("[`", stringify!($target), "::all_hits`] for each ray, into lists that are used again.")]
            ///
            /// ```
            /// use hitscan::{Filter, HitLists, Mesh, Ray};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
            /// let mut lists = HitLists::default();
            /// for (x, hits) in [(0.2, 1), (3.0, 0), (0.4, 1)] {
            ///     let rays = [Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap(); 5];
            ///     mesh.all_hits_batch_into(&rays, &Filter::ALL, &mut lists);
            ///     assert_eq!((lists.len(), lists.hits().len()), (5, 5 * hits));
            /// }
            /// ```
            pub fn all_hits_batch_into(&self, rays: &[Ray], filter: &Filter<'_>, lists: &mut HitLists) {
                lists::hits(self, EveryHit, rays, filter, lists, &Job::unwatched());
            }

            #[doc = concat!("[`", stringify!($target), "::all_hits`] for each ray, as records, into lists that are used again.")]
            ///
            /// ```
            /// use hitscan::{Filter, HitLists, Mesh, Ray};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let rays = [0.2, 3.0, 0.4].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
            /// let mut lists = HitLists::default();
            /// mesh.all_hits_records(&rays, &Filter::ALL, &mut lists);
            /// assert_eq!(lists.hits().iter().map(|record| (record.t, record.prim)).collect::<Vec<_>>(), [(1.0, 0), (1.0, 0)]);
            /// # Ok::<(), hitscan::MeshError>(())
            /// ```
            pub fn all_hits_records(
                &self,
                rays: &[Ray],
                filter: &Filter<'_>,
                lists: &mut HitLists<HitRecord>,
            ) {
                lists::records(self, EveryHit, rays, filter, lists, &Job::unwatched());
            }

            #[doc = concat!("[`", stringify!($target), "::first_n`] for each ray, as records, into lists that are used again.")]
            ///
            /// ```
            /// use hitscan::{Filter, HitLists, Mesh, Ray};
            /// let pile = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]; 9])?;
            /// let rays = [0.2, 3.0, 0.4].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
            /// let mut lists = HitLists::default();
            /// pile.first_n_records(&rays, &Filter::ALL, 2, &mut lists);
            /// assert_eq!(lists.hits().iter().map(|record| record.prim).collect::<Vec<_>>(), [0, 1, 0, 1]);
            /// # Ok::<(), hitscan::MeshError>(())
            /// ```
            pub fn first_n_records(
                &self,
                rays: &[Ray],
                filter: &Filter<'_>,
                n: usize,
                lists: &mut HitLists<HitRecord>,
            ) {
                lists::records(self, FirstHits { n }, rays, filter, lists, &Job::unwatched());
            }

            #[doc = concat!("[`", stringify!($target), "::first_n`] for each ray.")]
            ///
            /// ```
            /// use hitscan::{Filter, Mesh, Ray};
            /// let pile = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]; 9])?;
            /// let rays = [0.2, 3.0, 0.4].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
            /// let lists = pile.first_n_batch(&rays, &Filter::ALL, 2);
            /// assert_eq!(lists.iter().map(<[_]>::len).collect::<Vec<_>>(), [2, 0, 2]);
            /// # Ok::<(), hitscan::MeshError>(())
            /// ```
            pub fn first_n_batch(&self, rays: &[Ray], filter: &Filter<'_>, n: usize) -> HitLists {
                let mut lists = HitLists::default();
                self.first_n_batch_into(rays, filter, n, &mut lists);
                lists
            }

            #[doc = concat!("[`", stringify!($target), "::first_n`] for each ray, into lists that are used again.")]
            ///
            /// ```
            /// use hitscan::{Filter, HitLists, Mesh, Ray};
            /// let pile = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]; 9])?;
            /// let rays = [0.2, 3.0, 0.4].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
            /// let mut lists = HitLists::default();
            /// for n in [1, 4] {
            ///     pile.first_n_batch_into(&rays, &Filter::ALL, n, &mut lists);
            ///     assert_eq!(lists.hits().len(), 2 * n);
            /// }
            /// # Ok::<(), hitscan::MeshError>(())
            /// ```
            pub fn first_n_batch_into(
                &self,
                rays: &[Ray],
                filter: &Filter<'_>,
                n: usize,
                lists: &mut HitLists,
            ) {
                lists::hits(self, FirstHits { n }, rays, filter, lists, &Job::unwatched());
            }
        }
    };
}

batch_forms!(Mesh);
batch_forms!(Heightfield);
batch_forms!(Scene);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::{Cancel, Watch};

    fn picture(width: usize, height: usize) -> Vec<Ray> {
        let pixel = |i: usize| [(i % width) as f64 / 1e3, (i / width) as f64 / 1e3, -1.0];
        (0..width * height).map(|i| Ray::new([0.0; 3], pixel(i)).unwrap()).collect()
    }

    #[test]
    fn four_lines_are_a_task_unless_somebody_watches() {
        let height = 16 * threads();
        let (small, large, wide) = (picture(100, height), picture(600, height), picture(1200, height));
        let (nobody, cancel) = (Job::unwatched(), Cancel::new());
        for rays in [&small, &large, &wide] {
            assert_eq!(task_of(rays, LINES, &nobody), 4 * rays.len() / height);
        }
        assert_eq!(task_of(&large, LISTED_LINES, &nobody), 2400);
        assert_eq!(task_of(&wide, LISTED_LINES, &nobody), task(wide.len()));
        for watch in [Watch::new().cancel(&cancel), Watch::new().progress(&|_| {})] {
            let job = Job::new(watch, 1);
            assert_eq!(task_of(&small, LINES, &job), 400);
            assert_eq!(task_of(&large, LINES, &job), task(large.len()));
        }
        // A thread would have nothing to do.
        if threads() > 1 {
            assert_eq!(task_of(&large[..2400], LINES, &nobody), task(2400));
        }
        assert!(task(usize::MAX / 8) <= TASK && stretch_of(LISTED_LINES) >= LISTED_LINES);
    }
}
