//! Questions that may take only so much work: for scenes and rays of strangers.

use alloc::vec::Vec;

use super::all_hits::EveryHit;
use super::batch::each;
use super::first_n::FirstHits;
use super::{AnyHit, Buffer, ClosestHit, Listed, Single, Target, ask_list_metered, ask_metered};
use crate::bvh::meter::{Meter, Tally};
use crate::filter::Filter;
use crate::heightfield::Heightfield;
use crate::hit::Hit;
use crate::mesh::Mesh;
use crate::ray::Ray;
use crate::scene::Scene;

/// The questions of a [`Mesh`], a [`Heightfield`] or a [`Scene`], each within so many steps: see [`Scene::bounded`].
///
/// A step is a look at one instance, or at one part of it where a scene's meshes all stand at one place, one node of a tree, one leaf of up to eight triangles or one triangle: some nanoseconds, or some
/// tens where memory is far; where a ray meets a triangle exactly on an edge or at a corner, its neighbours there are looked for, until one
/// decides or all are known, and that search is counted too. One at a convex hull takes longer: it goes through its faces. A question that would take more ends with [`OutOfSteps`], which is no miss: nothing is known. Whether it
/// does depends on the scene, the ray, the tree and the instruction set alone, and what is answered has the same bits as without a bound, on all of them.
/// Instruction sets differ by some steps: in which of two boxes comes first that begin equally far away, as those around the ray's
/// origin do, and so in which triangle at a corner, and in boxes that a ray meets or misses by a rounding error.
///
/// ```
/// use hitscan::{Filter, Mesh, OutOfSteps, Ray};
/// let pile = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0u32, 1, 2]; 100_000])?;
/// let ray = Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0])?;
/// assert_eq!(pile.bounded(1000).all_hits(&ray, &Filter::ALL), Err(OutOfSteps { steps: 1000 }));
/// assert_eq!(pile.bounded(1_000_000).all_hits(&ray, &Filter::ALL)?.len(), 100_000);
/// assert!(pile.bounded(1000).occluded(&ray, &Filter::ALL)?); // the first one will do
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Bounded<'a, T> {
    target: &'a T,
    steps: u64,
}

/// A question that was given up after so many steps: there may be a hit or none.
///
/// ```
/// use hitscan::OutOfSteps;
/// assert_eq!(OutOfSteps { steps: 1000 }.to_string(), "no answer within 1000 steps");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfSteps {
    /// What it was allowed.
    pub steps: u64,
}

impl core::fmt::Display for OutOfSteps {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "no answer within {} steps", self.steps)
    }
}

impl core::error::Error for OutOfSteps {}

fn ask<Q: Single>(
    bounded: &Bounded<'_, impl Target>,
    question: Q,
    ray: &Ray,
    filter: &Filter<'_>,
) -> Result<Q::Answer, OutOfSteps> {
    let mut tally = Tally::within(bounded.steps);
    let answer = ask_metered(bounded.target, question, ray, filter, &mut tally);
    if tally.is_spent() { Err(OutOfSteps { steps: bounded.steps }) } else { Ok(answer) }
}

fn list<Q: Listed>(
    bounded: &Bounded<'_, impl Target>,
    question: Q,
    ray: &Ray,
    filter: &Filter<'_>,
) -> Result<Vec<Q::Item>, OutOfSteps> {
    let (mut tally, mut list) = (Tally::within(bounded.steps), Buffer::new());
    ask_list_metered(bounded.target, question, ray, filter, &mut tally, &mut list);
    if tally.is_spent() { Err(OutOfSteps { steps: bounded.steps }) } else { Ok(list.into_vec()) }
}

macro_rules! bounded_forms {
    ($target:ident) => {
        impl $target {
            /// The questions of this one, each within so many steps.
            ///
            /// ```
            /// use hitscan::{Filter, Mesh, Ray};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let ray = Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0])?;
            /// assert_eq!(mesh.bounded(100).closest(&ray, &Filter::ALL), Ok(mesh.closest(&ray, &Filter::ALL)));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn bounded(&self, steps: u64) -> Bounded<'_, $target> {
                Bounded { target: self, steps }
            }
        }

        impl Bounded<'_, $target> {
            #[doc = concat!("[`", stringify!($target), "::closest`] within the steps.")]
            ///
            /// # Errors
            /// [`OutOfSteps`].
            ///
            /// ```
            /// use hitscan::{Filter, Mesh, OutOfSteps, Ray};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let ray = Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0])?;
            /// assert_eq!(mesh.bounded(100).closest(&ray, &Filter::ALL)?.map(|hit| hit.t), Some(1.0));
            /// assert_eq!(mesh.bounded(1).closest(&ray, &Filter::ALL), Err(OutOfSteps { steps: 1 }));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn closest(&self, ray: &Ray, filter: &Filter<'_>) -> Result<Option<Hit>, OutOfSteps> {
                ask(self, ClosestHit, ray, filter)
            }

            #[doc = concat!("[`", stringify!($target), "::occluded`] within the steps.")]
            ///
            /// # Errors
            /// [`OutOfSteps`].
            ///
            /// ```
            /// use hitscan::{Filter, Mesh, OutOfSteps, Ray};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let ray = Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0])?;
            /// assert_eq!(mesh.bounded(100).occluded(&ray, &Filter::ALL), Ok(true));
            /// assert_eq!(mesh.bounded(1).occluded(&ray, &Filter::ALL), Err(OutOfSteps { steps: 1 }));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn occluded(&self, ray: &Ray, filter: &Filter<'_>) -> Result<bool, OutOfSteps> {
                ask(self, AnyHit, ray, filter)
            }

            #[doc = concat!("[`", stringify!($target), "::all_hits`] within the steps.")]
            ///
            /// # Errors
            /// [`OutOfSteps`].
            ///
            /// ```
            /// use hitscan::{Filter, Mesh, OutOfSteps, Ray};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let ray = Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0])?;
            /// assert_eq!(mesh.bounded(100).all_hits(&ray, &Filter::ALL)?.len(), 1);
            /// assert_eq!(mesh.bounded(1).all_hits(&ray, &Filter::ALL), Err(OutOfSteps { steps: 1 }));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn all_hits(&self, ray: &Ray, filter: &Filter<'_>) -> Result<Vec<Hit>, OutOfSteps> {
                list(self, EveryHit, ray, filter)
            }

            #[doc = concat!("[`", stringify!($target), "::first_n`] within the steps.")]
            ///
            /// # Errors
            /// [`OutOfSteps`].
            ///
            /// ```
            /// use hitscan::{Filter, Mesh, OutOfSteps, Ray};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let ray = Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0])?;
            /// assert_eq!(mesh.bounded(100).first_n(&ray, &Filter::ALL, 3)?.len(), 1);
            /// assert_eq!(mesh.bounded(1).first_n(&ray, &Filter::ALL, 3), Err(OutOfSteps { steps: 1 }));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn first_n(&self, ray: &Ray, filter: &Filter<'_>, n: usize) -> Result<Vec<Hit>, OutOfSteps> {
                list(self, FirstHits { n }, ray, filter)
            }

            /// `closest` within the steps, for each ray, on all cores with the feature `rayon`. One ray after the other: without
            /// a bound, [`closest_batch`](Scene::closest_batch) is faster.
            ///
            /// ```
            /// use hitscan::{Filter, Mesh, Ray};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let rays = [0.2, 3.0].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
            /// let hits = mesh.bounded(100).closest_batch(&rays, &Filter::ALL);
            /// assert_eq!(hits.iter().map(|hit| hit.map(|hit| hit.is_some())).collect::<Vec<_>>(), [Ok(true), Ok(false)]);
            /// # Ok::<(), hitscan::MeshError>(())
            /// ```
            pub fn closest_batch(
                &self,
                rays: &[Ray],
                filter: &Filter<'_>,
            ) -> Vec<Result<Option<Hit>, OutOfSteps>> {
                each(rays, |ray| self.closest(ray, filter))
            }

            /// `occluded` within the steps, for each ray, on all cores with the feature `rayon`.
            ///
            /// ```
            /// use hitscan::{Filter, Mesh, Ray};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let rays = [0.2, 3.0].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
            /// assert_eq!(mesh.bounded(100).occluded_batch(&rays, &Filter::ALL), [Ok(true), Ok(false)]);
            /// # Ok::<(), hitscan::MeshError>(())
            /// ```
            pub fn occluded_batch(&self, rays: &[Ray], filter: &Filter<'_>) -> Vec<Result<bool, OutOfSteps>> {
                each(rays, |ray| self.occluded(ray, filter))
            }

            /// `all_hits` within the steps, for each ray, on all cores with the feature `rayon`.
            ///
            /// ```
            /// use hitscan::{Filter, Mesh, Ray};
            /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
            /// let rays = [0.2, 3.0].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
            /// let hits = mesh.bounded(100).all_hits_batch(&rays, &Filter::ALL);
            /// assert_eq!(hits.iter().map(|hits| hits.as_ref().map(Vec::len)).collect::<Vec<_>>(), [Ok(1), Ok(0)]);
            /// # Ok::<(), hitscan::MeshError>(())
            /// ```
            pub fn all_hits_batch(
                &self,
                rays: &[Ray],
                filter: &Filter<'_>,
            ) -> Vec<Result<Vec<Hit>, OutOfSteps>> {
                each(rays, |ray| self.all_hits(ray, filter))
            }
        }
    };
}

bounded_forms!(Mesh);
bounded_forms!(Heightfield);
bounded_forms!(Scene);
