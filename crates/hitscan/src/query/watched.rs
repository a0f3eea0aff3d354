//! Batches that somebody watches: how far they are, and an end to them before they are done.

use alloc::vec::Vec;

use super::all_hits::EveryHit;
use super::batch::{Asked, fill};
use super::first_n::FirstHits;
use super::lists::{self, HitLists};
use super::record::ClosestRecord;
use super::{AnyHit, ClosestHit, Target};
use crate::filter::Filter;
use crate::heightfield::Heightfield;
use crate::hit::{Hit, HitRecord};
use crate::mesh::Mesh;
use crate::ray::Ray;
use crate::scene::Scene;
use crate::watch::{Cancelled, Job, Watch};

/// The batches of a [`Mesh`], a [`Heightfield`] or a [`Scene`], watched: see [`Scene::watched`]. The same answers, and as fast, but for
/// pictures line by line of more than 256 rays a line: others take four of their lines at a time.
///
/// Each batch stops within 50 ms of a [`cancel`](crate::Cancel::cancel), as long as a thousand rays together take no longer and there are no more than some million, and then
/// gives [`Cancelled`] and no answers; lists that are used again are left empty.
///
/// ```
/// use hitscan::{Cancel, Cancelled, Filter, Mesh, Ray, Watch};
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
/// let rays = vec![Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0])?; 1000];
/// let cancel = Cancel::new();
/// let watched = mesh.watched(Watch::new().cancel(&cancel));
/// assert_eq!(watched.occluded_batch(&rays, &Filter::ALL)?, [true; 1000]);
/// cancel.cancel();
/// assert_eq!(watched.occluded_batch(&rays, &Filter::ALL), Err(Cancelled));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Watched<'a, T> {
    target: &'a T,
    watch: Watch<'a>,
}

/// Answers for each ray, or none.
fn all<T: Target, Q: Asked>(
    watched: &Watched<'_, T>,
    question: Q,
    rays: &[Ray],
    filter: &Filter<'_>,
    answers: &mut Vec<Q::Answer>,
) -> Result<(), Cancelled> {
    let job = Job::new(watched.watch, rays.len());
    fill(watched.target, question, rays, filter, answers, &job);
    job.go_on().inspect_err(|_| answers.clear())
}

macro_rules! watched_forms {
    ($target:ident) => {
        impl $target {
            /// The batches of this one under a [`Watch`], which is told how far they are and may end them.
            ///
            /// ```
            /// use hitscan::{Cancel, Cancelled, Filter, Mesh, Ray, Watch};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let rays = [0.2, 3.0].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
            /// let cancel = Cancel::new();
            /// let watched = mesh.watched(Watch::new().cancel(&cancel));
            /// assert_eq!(watched.occluded_batch(&rays, &Filter::ALL)?, [true, false]);
            /// cancel.cancel();
            /// assert_eq!(watched.occluded_batch(&rays, &Filter::ALL), Err(Cancelled));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn watched<'a>(&'a self, watch: Watch<'a>) -> Watched<'a, $target> {
                Watched { target: self, watch }
            }
        }

        impl Watched<'_, $target> {
            #[doc = concat!("[`", stringify!($target), "::closest_batch`], watched.")]
            ///
            /// # Errors
            /// [`Cancelled`].
            ///
            /// ```
            /// use hitscan::{Cancel, Filter, Mesh, Ray, Watch};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let rays = [0.2, 3.0].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
            /// let cancel = Cancel::new();
            /// let watched = mesh.watched(Watch::new().cancel(&cancel));
            /// assert_eq!(watched.closest_batch(&rays, &Filter::ALL)?, mesh.closest_batch(&rays, &Filter::ALL));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn closest_batch(
                &self,
                rays: &[Ray],
                filter: &Filter<'_>,
            ) -> Result<Vec<Option<Hit>>, Cancelled> {
                let mut hits = Vec::new();
                all(self, ClosestHit, rays, filter, &mut hits)?;
                Ok(hits)
            }

            #[doc = concat!("[`", stringify!($target), "::closest_records`], watched.")]
            ///
            /// # Errors
            /// [`Cancelled`]; the list is empty then.
            ///
            /// ```
            /// use hitscan::{Cancel, Filter, Mesh, Ray, Watch};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let rays = [0.2, 3.0].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
            /// let cancel = Cancel::new();
            /// let watched = mesh.watched(Watch::new().cancel(&cancel));
            /// let mut records = Vec::new();
            /// watched.closest_records(&rays, &Filter::ALL, &mut records)?;
            /// assert_eq!(records.iter().map(|record| record.is_hit()).collect::<Vec<_>>(), [true, false]);
            /// cancel.cancel();
            /// assert!(watched.closest_records(&rays, &Filter::ALL, &mut records).is_err() && records.is_empty());
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn closest_records(
                &self,
                rays: &[Ray],
                filter: &Filter<'_>,
                records: &mut Vec<HitRecord>,
            ) -> Result<(), Cancelled> {
                all(self, ClosestRecord, rays, filter, records)
            }

            #[doc = concat!("[`", stringify!($target), "::occluded_batch`], watched.")]
            ///
            /// # Errors
            /// [`Cancelled`].
            ///
            /// ```
            /// use hitscan::{Cancel, Filter, Mesh, Ray, Watch};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let rays = [0.2, 3.0].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
            /// let cancel = Cancel::new();
            /// let watched = mesh.watched(Watch::new().cancel(&cancel));
            /// assert_eq!(watched.occluded_batch(&rays, &Filter::ALL)?, [true, false]);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn occluded_batch(&self, rays: &[Ray], filter: &Filter<'_>) -> Result<Vec<bool>, Cancelled> {
                let mut answers = Vec::new();
                all(self, AnyHit, rays, filter, &mut answers)?;
                Ok(answers)
            }

            #[doc = concat!("[`", stringify!($target), "::all_hits_batch`], watched.")]
            ///
            /// # Errors
            /// [`Cancelled`].
            ///
            /// ```
            /// use hitscan::{Cancel, Filter, Mesh, Ray, Watch};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let rays = [0.2, 3.0].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
            /// let cancel = Cancel::new();
            /// let watched = mesh.watched(Watch::new().cancel(&cancel));
            /// assert_eq!(watched.all_hits_batch(&rays, &Filter::ALL)?, mesh.all_hits_batch(&rays, &Filter::ALL));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn all_hits_batch(&self, rays: &[Ray], filter: &Filter<'_>) -> Result<HitLists, Cancelled> {
                let job = Job::new(self.watch, rays.len());
                let mut lists = HitLists::default();
                lists::hits(self.target, EveryHit, rays, filter, &mut lists, &job);
                job.go_on().map(|()| lists)
            }

            #[doc = concat!("[`", stringify!($target), "::first_n_batch`], watched.")]
            ///
            /// # Errors
            /// [`Cancelled`].
            ///
            /// ```
            /// use hitscan::{Cancel, Filter, Mesh, Ray, Watch};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let rays = [0.2, 3.0].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
            /// let cancel = Cancel::new();
            /// let watched = mesh.watched(Watch::new().cancel(&cancel));
            /// assert_eq!(watched.first_n_batch(&rays, &Filter::ALL, 2)?.offsets(), [0, 1, 1]);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn first_n_batch(
                &self,
                rays: &[Ray],
                filter: &Filter<'_>,
                n: usize,
            ) -> Result<HitLists, Cancelled> {
                let job = Job::new(self.watch, rays.len());
                let mut lists = HitLists::default();
                lists::hits(self.target, FirstHits { n }, rays, filter, &mut lists, &job);
                job.go_on().map(|()| lists)
            }

            #[doc = concat!("[`", stringify!($target), "::all_hits_records`], watched.")]
            ///
            /// # Errors
            /// [`Cancelled`]; the lists are empty then.
            ///
            /// ```
            /// use hitscan::{Cancel, Filter, HitLists, Mesh, Ray, Watch};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let rays = [0.2, 3.0].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
            /// let cancel = Cancel::new();
            /// let watched = mesh.watched(Watch::new().cancel(&cancel));
            /// let mut lists = HitLists::default();
            /// watched.all_hits_records(&rays, &Filter::ALL, &mut lists)?;
            /// assert_eq!(lists.offsets(), [0, 1, 1]);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn all_hits_records(
                &self,
                rays: &[Ray],
                filter: &Filter<'_>,
                lists: &mut HitLists<HitRecord>,
            ) -> Result<(), Cancelled> {
                let job = Job::new(self.watch, rays.len());
                lists::records(self.target, EveryHit, rays, filter, lists, &job);
                job.go_on().inspect_err(|_| *lists = HitLists::default())
            }

            #[doc = concat!("[`", stringify!($target), "::first_n_records`], watched.")]
            ///
            /// # Errors
            /// [`Cancelled`]; the lists are empty then.
            ///
            /// ```
            /// use hitscan::{Cancel, Filter, HitLists, Mesh, Ray, Watch};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let rays = [0.2, 3.0].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
            /// let cancel = Cancel::new();
            /// let watched = mesh.watched(Watch::new().cancel(&cancel));
            /// let mut lists = HitLists::default();
            /// watched.first_n_records(&rays, &Filter::ALL, 2, &mut lists)?;
            /// assert_eq!(lists.offsets(), [0, 1, 1]);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn first_n_records(
                &self,
                rays: &[Ray],
                filter: &Filter<'_>,
                n: usize,
                lists: &mut HitLists<HitRecord>,
            ) -> Result<(), Cancelled> {
                let job = Job::new(self.watch, rays.len());
                lists::records(self.target, FirstHits { n }, rays, filter, lists, &job);
                job.go_on().inspect_err(|_| *lists = HitLists::default())
            }
        }
    };
}

watched_forms!(Mesh);
watched_forms!(Heightfield);
watched_forms!(Scene);
