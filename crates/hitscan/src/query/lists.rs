//! Any number of hits for each of many rays, in one list.

use alloc::vec::Vec;

use super::batch::{LISTED_LINES, stretch_of, task_of};
use super::{Collector, Found, Question, Sink, Target, ask_all};
use crate::bvh::parallel;
use crate::filter::Filter;
use crate::hit::{Hit, HitRecord};
use crate::ray::Ray;
use crate::simd::Task;
use crate::simd::append::{Room, append};
use crate::simd::lanes::Lanes;
use crate::simd::pages::reserve;
use crate::watch::Job;

/// The hits of many rays, sorted by ray, then by `t`; as [`Hit`]s or as [`HitRecord`]s.
///
/// ```
/// use hitscan::{Filter, Mesh, Ray};
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
/// let rays = [0.2, 3.0, 0.4].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
/// let lists = mesh.all_hits_batch(&rays, &Filter::ALL);
/// assert_eq!(lists.iter().map(<[_]>::len).collect::<Vec<_>>(), [1, 0, 1]);
/// assert_eq!(lists.get(0)[0].t, 1.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HitLists<H = Hit> {
    /// Where each ray's hits begin in `hits`; one more at the end.
    offsets: Vec<usize>,
    hits: Vec<H>,
}

impl<H> HitLists<H> {
    /// How many rays there are.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// let rays = [0.2, 3.0, 0.4].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
    /// let lists = mesh.all_hits_batch(&rays, &Filter::ALL);
    /// assert_eq!(lists.len(), 3);
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no rays.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// let rays = [0.2, 3.0, 0.4].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
    /// let lists = mesh.all_hits_batch(&rays, &Filter::ALL);
    /// assert!(!lists.is_empty());
    /// assert!(mesh.all_hits_batch(&[], &Filter::ALL).is_empty());
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The hits of one ray; empty where it missed.
    ///
    /// # Panics
    /// Where `ray` is not below [`HitLists::len`].
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// let rays = [0.2, 3.0, 0.4].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
    /// let lists = mesh.all_hits_batch(&rays, &Filter::ALL);
    /// assert_eq!((lists.get(0).len(), lists.get(1).len()), (1, 0));
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn get(&self, ray: usize) -> &[H] {
        &self.hits[self.offsets[ray]..self.offsets[ray + 1]]
    }

    /// The hits of each ray.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// let rays = [0.2, 3.0, 0.4].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
    /// let lists = mesh.all_hits_batch(&rays, &Filter::ALL);
    /// assert_eq!(lists.iter().map(<[_]>::len).collect::<Vec<_>>(), [1, 0, 1]);
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[H]> {
        self.offsets.windows(2).map(|ends| &self.hits[ends[0]..ends[1]])
    }

    /// Where each ray's hits begin in [`HitLists::hits`], and one more for the end of the last.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// let rays = [0.2, 3.0, 0.4].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
    /// let lists = mesh.all_hits_batch(&rays, &Filter::ALL);
    /// assert_eq!(lists.offsets(), [0, 1, 1, 2]);
    /// assert_eq!(lists.hits()[lists.offsets()[2]], lists.get(2)[0]);
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// Makes these lists those of some of so many rays, in ascending order; all others have none.
    pub(super) fn spread(&mut self, rays: &[usize], count: usize) {
        let ends = core::mem::take(&mut self.offsets);
        self.offsets.reserve(count + 1);
        for (&ray, &first) in rays.iter().zip(&ends) {
            self.offsets.resize(ray + 1, first);
        }
        self.offsets.resize(count + 1, self.hits.len());
    }

    /// The hits of all rays, one after the other.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// let rays = [0.2, 3.0, 0.4].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
    /// let lists = mesh.all_hits_batch(&rays, &Filter::ALL);
    /// assert_eq!(lists.hits().iter().map(|hit| hit.t).collect::<Vec<_>>(), [1.0, 1.0]);
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn hits(&self) -> &[H] {
        &self.hits
    }
}

impl<H> Default for HitLists<H> {
    /// Those of no rays.
    fn default() -> Self {
        HitLists { offsets: alloc::vec![0], hits: Vec::new() }
    }
}

/// A collector that keeps more than one crossing.
pub(crate) trait Many: Collector {
    /// Where it keeps them.
    fn found(&mut self) -> &mut Vec<Found>;
    /// What it has kept, in order.
    fn sorted(&mut self) -> &[Found];
}

/// The crossings of the rays of one task, as they come; in memory that the next task uses again.
#[derive(Default)]
struct Flat {
    /// For each ray, where its crossings begin, and how many there are.
    places: Vec<(usize, usize)>,
    found: Vec<Found>,
}

impl<Q: Question<Collector: Many>> Sink<Q> for Flat {
    #[inline(always)]
    fn put<T: Target>(&mut self, _: &T, number: usize, _: &Ray, kept: &mut Q::Collector) {
        let sorted = kept.sorted();
        self.places[number] = (self.found.len(), sorted.len());
        self.found.extend_from_slice(sorted);
    }
}

impl Flat {
    /// Asks; once the job is stopped, nothing is found.
    fn fill<T: Target, Q: Question<Collector: Many>>(
        &mut self,
        target: &T,
        question: Q,
        rays: &[Ray],
        filter: &Filter<'_>,
        job: &Job<'_>,
    ) {
        self.places.clear();
        self.places.resize(rays.len(), (0, 0));
        self.found.clear();
        if !job.stopped() {
            ask_all(target, question, rays, filter, self);
            job.advance(rays.len());
        }
    }

    /// The crossings of each ray, in the order of the rays.
    fn rays(&self) -> impl Iterator<Item = &[Found]> {
        self.places.iter().map(|&(first, count)| &self.found[first..first + count])
    }
}

impl Part for Flat {
    fn counts(&self) -> impl Iterator<Item = usize> {
        self.places.iter().map(|&(_, count)| count)
    }
    fn all(&self) -> usize {
        self.found.len()
    }
}

/// Whole answers.
pub(super) fn hits<T: Target, Q: Question<Collector: Many>>(
    target: &T,
    question: Q,
    rays: &[Ray],
    filter: &Filter<'_>,
    lists: &mut HitLists,
    job: &Job<'_>,
) {
    let ask = |rays: &[Ray], flat: &mut Flat| flat.fill(target, question, rays, filter, job);
    let describe = |rays: &[Ray], flat: &Flat, hits: &mut Room<'_, Hit>| {
        target.kernel().run(Describe { target, rays, flat, hits });
    };
    fill(rays, lists, ask, describe, job);
}

/// Records.
pub(super) fn records<T: Target, Q: Question<Collector: Many>>(
    target: &T,
    question: Q,
    rays: &[Ray],
    filter: &Filter<'_>,
    lists: &mut HitLists<HitRecord>,
    job: &Job<'_>,
) {
    let ask = |rays: &[Ray], flat: &mut Flat| flat.fill(target, question, rays, filter, job);
    let record = |_: &[Ray], flat: &Flat, records: &mut Room<'_, HitRecord>| {
        flat.rays().flatten().for_each(|found| records.push(found.record()));
    };
    fill(rays, lists, ask, record, job);
}

/// What was found for the rays of one task.
pub(super) trait Part: Default + Send + Sync {
    /// How many answers each ray has.
    fn counts(&self) -> impl Iterator<Item = usize>;
    /// How many all have.
    fn all(&self) -> usize;
}

/// Asks, and turns what was found into what the lists hold, in the order of the rays: a stretch of tasks at a time, so that what
/// they found does not stand beside all answers, in memory that the next stretch uses again. Once the job is stopped, the lists
/// end early.
pub(super) fn fill<P: Part, H: Copy + Send>(
    rays: &[Ray],
    lists: &mut HitLists<H>,
    ask: impl Fn(&[Ray], &mut P) + Sync,
    turn: impl Fn(&[Ray], &P, &mut Room<'_, H>) + Sync,
    job: &Job<'_>,
) {
    lists.offsets.clear();
    lists.offsets.push(0);
    lists.hits.clear();
    reserve(&mut lists.offsets, rays.len());
    let task = task_of(rays, LISTED_LINES, job);
    let mut parts: Vec<(&[Ray], P)> = Vec::new();
    for stretch in rays.chunks(stretch_of(task)) {
        if job.stopped() {
            break;
        }
        parts.resize_with(stretch.len().div_ceil(task), Default::default);
        parts.iter_mut().zip(stretch.chunks(task)).for_each(|(part, rays)| part.0 = rays);
        parallel::each(&mut parts, &|(rays, part)| ask(rays, part));
        parts.iter().for_each(|(_, part)| add(&mut lists.offsets, part.counts()));
        append(
            &mut lists.hits,
            &parts,
            [lists.offsets.len() - 1, rays.len()],
            |(_, part)| part.all(),
            |(rays, part), room| turn(rays, part, room),
        );
    }
}

/// Goes on with offsets by how many hits each ray has.
fn add(offsets: &mut Vec<usize>, counts: impl Iterator<Item = usize>) {
    let mut offset = offsets.last().copied().unwrap_or(0);
    offsets.extend(counts.map(|count| {
        offset += count;
        offset
    }));
}

/// Describes what was found for the rays of a task.
struct Describe<'a, 'b, T> {
    target: &'a T,
    rays: &'a [Ray],
    flat: &'a Flat,
    hits: &'a mut Room<'b, Hit>,
}

impl<T: Target> Task for Describe<'_, '_, T> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        for (ray, found) in self.rays.iter().zip(self.flat.rays()) {
            for found in found {
                self.hits.push(self.target.describe(ray, found));
            }
        }
    }
}
