//! Batches of raw columns: each sound row is answered as its ray alone, and a bad one says so, without disturbing its
//! neighbours.

use alloc::vec;
use alloc::vec::Vec;

use super::all_hits::EveryHit;
use super::batch::{Asked, task};
use super::first_n::FirstHits;
use super::lists::{self, HitLists};
use super::record::ClosestRecord;
use super::{AnyHit, Many, Question, Target};
use crate::bvh::parallel::each;
use crate::columns::{Columns, Number, Status};
use crate::filter::Filter;
use crate::heightfield::Heightfield;
use crate::hit::HitRecord;
use crate::mesh::Mesh;
use crate::ray::Ray;
use crate::scene::Scene;
use crate::simd::pages::reserve;
use crate::watch::Job;

/// The rays among rows from `first` on, and which rows they are, counted from there.
fn sound<N: Number>(columns: &Columns<'_, N>, first: usize, count: usize) -> (Vec<Ray>, Vec<usize>) {
    let (mut rays, mut rows) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for row in 0..count {
        if let Some(ray) = columns.checked(first + row) {
            rays.push(ray);
            rows.push(row);
        }
    }
    (rays, rows)
}

/// An answer for each row, into a list whose memory is used again: `bad` where it is no ray.
fn fill<N: Number, T: Target, Q: Asked, A: Copy + Send + Sync>(
    target: &T,
    question: Q,
    columns: &Columns<'_, N>,
    filter: &Filter<'_>,
    bad: A,
    answers: &mut Vec<A>,
    told: impl Fn(Q::Answer) -> A + Sync,
) {
    answers.clear();
    reserve(answers, columns.len());
    answers.resize(columns.len(), bad);
    let size = task(columns.len());
    let mut tasks: Vec<(usize, &mut [A])> = answers.chunks_mut(size).enumerate().collect();
    each(&mut tasks, &|(number, answers)| {
        let (rays, rows) = sound(columns, *number * size, answers.len());
        let mut found = vec![Q::MISS; rays.len()];
        question.ask(target, &rays, filter, &mut found);
        for (row, answer) in rows.into_iter().zip(found) {
            answers[row] = told(answer);
        }
    });
}

/// A list for each row: an empty one where it is no ray.
fn fill_lists<N: Number, T: Target, Q: Question<Collector: Many>>(
    target: &T,
    question: Q,
    columns: &Columns<'_, N>,
    filter: &Filter<'_>,
    lists: &mut HitLists<HitRecord>,
    statuses: &mut Vec<Status>,
) {
    let (rays, rows) = sound(columns, 0, columns.len());
    lists::records(target, question, &rays, filter, lists, &Job::unwatched());
    statuses.clear();
    statuses.resize(columns.len(), Status::Invalid);
    for (&row, hits) in rows.iter().zip(lists.iter()) {
        statuses[row] = if hits.is_empty() { Status::Miss } else { Status::Hit };
    }
    lists.spread(&rows, columns.len());
}

/// The forms for columns of one type that has those for rays.
macro_rules! column_forms {
    ($target:ident) => {
        impl $target {
            #[doc = concat!("[`", stringify!($target), "::closest_records`] of raw [`Columns`]: a row that is no ray has [`HitRecord::INVALID`].")]
            ///
            /// ```
            /// use hitscan::{Columns, Filter, Mesh, Status};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let (x, at, none, down) = ([0.25f32, f32::NAN, 3.0], [0.25; 3], [0.0; 3], [-1.0; 3]);
            /// let rays = Columns::new([&x, &at, &[1.0; 3], &none, &none, &down])?;
            /// let mut records = Vec::new();
            /// mesh.closest_columns(&rays, &Filter::ALL, &mut records);
            /// assert_eq!(records.iter().map(|record| record.status()).collect::<Vec<_>>(), [Status::Hit, Status::Invalid, Status::Miss]);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn closest_columns<N: Number>(
                &self,
                rays: &Columns<'_, N>,
                filter: &Filter<'_>,
                records: &mut Vec<HitRecord>,
            ) {
                fill(self, ClosestRecord, rays, filter, HitRecord::INVALID, records, |record| record);
            }

            #[doc = concat!("[`", stringify!($target), "::occluded`] for each row of raw [`Columns`].")]
            ///
            /// ```
            /// use hitscan::{Columns, Filter, Mesh, Status};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let (at, up, none) = ([0.25f64; 2], [1.0, 0.0], [0.0; 2]);
            /// let mut statuses = Vec::new();
            /// let rays = Columns::new([&at, &at, &[-1.0; 2], &none, &none, &up])?; // the second has no direction
            /// mesh.occluded_columns(&rays, &Filter::ALL, &mut statuses);
            /// assert_eq!(statuses, [Status::Hit, Status::Invalid]);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn occluded_columns<N: Number>(
                &self,
                rays: &Columns<'_, N>,
                filter: &Filter<'_>,
                statuses: &mut Vec<Status>,
            ) {
                fill(self, AnyHit, rays, filter, Status::Invalid, statuses, |is_blocked| {
                    if is_blocked { Status::Hit } else { Status::Miss }
                });
            }

            #[doc = concat!("[`", stringify!($target), "::all_hits_records`] of raw [`Columns`]: a row that is no ray has no hits, and its status says so.")]
            ///
            /// ```
            /// use hitscan::{Columns, Filter, HitLists, Mesh, Status};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let (x, at, none, down) = ([0.25f32, f32::NAN, 3.0], [0.25; 3], [0.0; 3], [-1.0; 3]);
            /// let rays = Columns::new([&x, &at, &[1.0; 3], &none, &none, &down])?;
            /// let (mut lists, mut statuses) = (HitLists::default(), Vec::new());
            /// mesh.all_hits_columns(&rays, &Filter::ALL, &mut lists, &mut statuses);
            /// assert_eq!((lists.offsets(), &statuses[..]), (&[0, 1, 1, 1][..], &[Status::Hit, Status::Invalid, Status::Miss][..]));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn all_hits_columns<N: Number>(
                &self,
                rays: &Columns<'_, N>,
                filter: &Filter<'_>,
                lists: &mut HitLists<HitRecord>,
                statuses: &mut Vec<Status>,
            ) {
                fill_lists(self, EveryHit, rays, filter, lists, statuses);
            }

            #[doc = concat!("[`", stringify!($target), "::first_n_records`] of raw [`Columns`]: a row that is no ray has no hits, and its status says so.")]
            ///
            /// ```
            /// use hitscan::{Columns, Filter, HitLists, Mesh, Status};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]; 9])?;
            /// let (x, at, none, down) = ([0.25f32, f32::NAN, 3.0], [0.25; 3], [0.0; 3], [-1.0; 3]);
            /// let rays = Columns::new([&x, &at, &[1.0; 3], &none, &none, &down])?;
            /// let (mut lists, mut statuses) = (HitLists::default(), Vec::new());
            /// mesh.first_n_columns(&rays, &Filter::ALL, 2, &mut lists, &mut statuses);
            /// assert_eq!((lists.offsets(), statuses[1]), (&[0, 2, 2, 2][..], Status::Invalid));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn first_n_columns<N: Number>(
                &self,
                rays: &Columns<'_, N>,
                filter: &Filter<'_>,
                n: usize,
                lists: &mut HitLists<HitRecord>,
                statuses: &mut Vec<Status>,
            ) {
                fill_lists(self, FirstHits { n }, rays, filter, lists, statuses);
            }
        }
    };
}

column_forms!(Mesh);
column_forms!(Heightfield);
column_forms!(Scene);
