//! Many rays at once, on all cores with the feature `rayon`. Each answer is that of the single query, bit for bit.

use alloc::vec::Vec;

use super::{AnyHit, ClosestHit, Question, Target, all_hits::EveryHit, ask_all, first_n::FirstHits};
use crate::filter::Filter;
use crate::hit::Hit;
use crate::mesh::Mesh;
use crate::ray::Ray;
use crate::scene::Scene;

/// Questions that one task answers: enough to outweigh the hand-over, few enough to share the work evenly.
#[cfg(feature = "rayon")]
const TASK: usize = 1024;

/// The hits of many rays, sorted by ray, then by `t`.
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
pub struct HitLists {
    /// Where each ray's hits begin in `hits`; one more at the end.
    offsets: Vec<usize>,
    hits: Vec<Hit>,
}

impl HitLists {
    fn new(lists: Vec<Vec<Hit>>) -> HitLists {
        let mut all = HitLists { offsets: Vec::with_capacity(lists.len() + 1), hits: Vec::new() };
        all.offsets.push(0);
        for list in lists {
            all.hits.extend(list);
            all.offsets.push(all.hits.len());
        }
        all
    }

    /// How many rays there are.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no rays.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The hits of one ray; empty where it missed.
    ///
    /// # Panics
    /// Where `ray` is not below [`HitLists::len`].
    pub fn get(&self, ray: usize) -> &[Hit] {
        &self.hits[self.offsets[ray]..self.offsets[ray + 1]]
    }

    /// The hits of each ray.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[Hit]> {
        self.offsets.windows(2).map(|ends| &self.hits[ends[0]..ends[1]])
    }

    /// Where each ray's hits begin in [`HitLists::hits`], and one more for the end of the last.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The hits of all rays, one after the other.
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }
}

/// Answers for each question, in their order.
pub(super) fn each<Q: Sync, A: Send>(questions: &[Q], answer: impl Fn(&Q) -> A + Send + Sync) -> Vec<A> {
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        questions.par_iter().with_min_len(TASK).map(answer).collect()
    }
    #[cfg(not(feature = "rayon"))]
    questions.iter().map(answer).collect()
}

/// Answers for each ray; `miss` is what a ray gets that hits nothing.
fn all<T: Target, Q: Question<Answer: Clone + Send>>(
    target: &T,
    question: Q,
    rays: &[Ray],
    filter: &Filter<'_>,
    miss: Q::Answer,
) -> Vec<Q::Answer> {
    let mut answers = Vec::new();
    fill(target, question, rays, filter, miss, &mut answers);
    answers
}

/// The same into a list whose memory is used again.
pub(super) fn fill<T: Target, Q: Question<Answer: Clone + Send>>(
    target: &T,
    question: Q,
    rays: &[Ray],
    filter: &Filter<'_>,
    miss: Q::Answer,
    answers: &mut Vec<Q::Answer>,
) {
    answers.clear();
    answers.resize(rays.len(), miss);
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        let tasks = rays.par_chunks(TASK).zip(answers.par_chunks_mut(TASK));
        tasks.for_each(|(rays, answers)| ask_all(target, question, rays, filter, answers));
    }
    #[cfg(not(feature = "rayon"))]
    ask_all(target, question, rays, filter, answers);
}

/// The batch forms of one type that has the single ones.
macro_rules! batch_forms {
    ($target:ident) => {
        impl $target {
            #[doc = concat!("[`", stringify!($target), "::closest`] for each ray.")]
            pub fn closest_batch(&self, rays: &[Ray], filter: &Filter<'_>) -> Vec<Option<Hit>> {
                all(self, ClosestHit, rays, filter, None)
            }

            #[doc = concat!("[`", stringify!($target), "::occluded`] for each ray.")]
            pub fn occluded_batch(&self, rays: &[Ray], filter: &Filter<'_>) -> Vec<bool> {
                all(self, AnyHit, rays, filter, false)
            }

            #[doc = concat!("[`", stringify!($target), "::all_hits`] for each ray.")]
            pub fn all_hits_batch(&self, rays: &[Ray], filter: &Filter<'_>) -> HitLists {
                HitLists::new(all(self, EveryHit, rays, filter, Vec::new()))
            }

            #[doc = concat!("[`", stringify!($target), "::first_n`] for each ray.")]
            pub fn first_n_batch(&self, rays: &[Ray], filter: &Filter<'_>, n: usize) -> HitLists {
                HitLists::new(all(self, FirstHits { n }, rays, filter, Vec::new()))
            }
        }
    };
}

batch_forms!(Mesh);
batch_forms!(Scene);
