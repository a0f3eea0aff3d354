//! Why a ray hit what it hit, or nothing.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::near_miss::NearMiss;
use super::{Buffer, Target, all_hits::EveryHit, ask_list};
use crate::bvh::Cost;
use crate::filter::{Candidate, Filter, Verdict};
use crate::hit::Hit;
use crate::mesh::Mesh;
use crate::ray::Ray;
use crate::scene::Scene;

/// Why a ray hit what it hit, or nothing: what [`Scene::explain`] tells.
///
/// ```
/// use hitscan::{Filter, Mesh, Outcome, Ray};
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
/// let short = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0])?.with_range(0.0, 0.5)?;
/// let why = mesh.explain(&short, &Filter::ALL);
/// assert!(why.hit.is_none());
/// assert_eq!(why.crossings.iter().map(|(hit, outcome)| (hit.t, *outcome)).collect::<Vec<_>>(), [(1.0, Outcome::BeyondRange)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// What [`Scene::closest`] answers.
    pub hit: Option<Hit>,
    /// The work that it took: boxes, leaves, triangles.
    pub cost: Cost,
    /// Every crossing of the ray's whole line with anything that is there, in the order of hits, and what became of it.
    pub crossings: Vec<(Hit, Outcome)>,
    /// Where nothing is hit, and nothing was refused: the triangle of a mesh that the ray passes nearest. `None` where
    /// there is no mesh.
    pub near_miss: Option<NearMiss>,
}

/// What became of one crossing: the first reason to refuse it, in this order.
///
/// ```
/// use hitscan::{Facing, Filter, Mesh, Outcome, Ray};
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
/// let ray = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0])?;
/// let outcome = |filter: Filter<'_>| mesh.explain(&ray, &filter).crossings[0].1;
/// assert_eq!(outcome(Filter::ALL), Outcome::Hit);
/// assert_eq!(outcome(Filter::new().facing(Facing::Back)), Outcome::Facing);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// It is a hit.
    Hit,
    /// Its `t` is below the ray's `t_min`.
    BeforeRange,
    /// Its `t` is above the ray's `t_max`.
    BeyondRange,
    /// Its instance and the filter have no bit of their masks in common.
    Mask,
    /// The filter wants the other side.
    Facing,
    /// The filter skips this triangle or face.
    Skipped,
    /// Its triangle has a hole there, by a [`Cutout`](crate::Cutout).
    Cutout,
    /// The filter's closure ignores it.
    Ignored,
    /// The filter's closure stopped the ray at an earlier one.
    BehindStop,
}

impl Outcome {
    /// What is said to people.
    ///
    /// ```
    /// assert_eq!(hitscan::Outcome::Mask.reason(), "masks have no bit in common");
    /// ```
    pub fn reason(self) -> &'static str {
        match self {
            Outcome::Hit => "hit",
            Outcome::BeforeRange => "before the ray begins",
            Outcome::BeyondRange => "beyond the ray's end",
            Outcome::Mask => "masks have no bit in common",
            Outcome::Facing => "seen from the side that the filter leaves out",
            Outcome::Skipped => "skipped by the filter",
            Outcome::Cutout => "through a hole of the triangle's cutout",
            Outcome::Ignored => "ignored by the filter's closure",
            Outcome::BehindStop => "behind the place where the filter's closure stopped the ray",
        }
    }
}

fn explain<T: Target>(
    target: &T,
    ray: &Ray,
    filter: &Filter<'_>,
    (hit, cost): (Option<Hit>, Cost),
    near_miss: impl FnOnce() -> Option<NearMiss>,
) -> Explanation {
    let mut stopped = false;
    let judge = |hit: &Hit| {
        let Hit { t, u, v, prim, instance, facing, .. } = *hit;
        if t < ray.t_min() {
            Outcome::BeforeRange
        } else if t > ray.t_max() {
            Outcome::BeyondRange
        } else if !filter.admits_mask(target.mask(instance)) {
            Outcome::Mask
        } else if !filter.admits_side(facing) {
            Outcome::Facing
        } else if !filter.admits_data(facing, instance, prim) {
            Outcome::Skipped
        } else if target.cuts(hit) {
            Outcome::Cutout
        } else {
            match filter.judged(|| Candidate { t, u, v, prim, instance, facing }) {
                Verdict::Ignore => Outcome::Ignored,
                _ if stopped => Outcome::BehindStop,
                verdict => {
                    stopped = verdict == Verdict::Stop;
                    Outcome::Hit
                }
            }
        }
    };
    let mut hits = Buffer::new();
    ask_list(target, EveryHit, &ray.endless(), &Filter::EVERYTHING, &mut hits);
    let outcomes: Vec<Outcome> = hits.iter().map(judge).collect();
    let crossings: Vec<(Hit, Outcome)> = hits.into_iter().zip(outcomes).collect();
    let nothing = crossings.is_empty();
    Explanation { hit, cost, crossings, near_miss: if nothing { near_miss() } else { None } }
}

impl Mesh {
    /// [`Scene::explain`] of a mesh in its own frame.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Outcome, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// let short = Ray::new([0.25, 0.25, 2.0], [0.0, 0.0, -1.0])?.with_range(0.0, 1.5)?;
    /// let why = mesh.explain(&short, &Filter::ALL);
    /// assert_eq!((why.hit, why.crossings[0].0.t, why.crossings[0].1), (None, 2.0, Outcome::BeyondRange));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&self, ray: &Ray, filter: &Filter<'_>) -> Explanation {
        let near_miss = || NearMiss::of_mesh(self, ray);
        explain(self, ray, filter, self.closest_cost(ray, filter), near_miss)
    }
}

impl Scene {
    /// Why a ray hits what it hits, or nothing: every crossing of its line, also before its start and beyond its end, with
    /// what the ray's range and the filter make of it; where there is none, the nearest triangle of a mesh that it passes, and by how much.
    /// For people who look for a mistake: it takes as long as a look at everything, and the closure is asked once more about
    /// each crossing within the range.
    ///
    /// ```
    /// use hitscan::shape::Sphere;
    /// use hitscan::{Filter, Instance, Mesh, Outcome, Ray, World};
    /// let mut world = World::new();
    /// world.insert(Instance::new(Sphere::new([0.0; 3], 1.0)?).mask(0b10));
    /// let shot = Ray::new([0.0, 0.0, 5.0], [0.0, 0.0, -1.0])?;
    /// let why = world.commit().explain(&shot, &Filter::new().mask(0b01));
    /// assert_eq!((why.hit, why.crossings[0].1), (None, Outcome::Mask));
    ///
    /// let mut world = World::new();
    /// world.insert(Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?);
    /// let beside = Ray::new([0.5, -0.25, 5.0], [0.0, 0.0, -1.0])?;
    /// let near = world.commit().explain(&beside, &Filter::ALL).near_miss.expect("a triangle");
    /// assert_eq!((near.gap, near.t, near.prim), (0.25, 5.0, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&self, ray: &Ray, filter: &Filter<'_>) -> Explanation {
        let near_miss = || {
            let all = self.iter().filter_map(|(id, instance)| NearMiss::of_instance(id, instance, ray));
            // The first of several at one distance.
            all.min_by(|a, b| a.gap.partial_cmp(&b.gap).unwrap_or(Ordering::Equal))
        };
        explain(self, ray, filter, self.closest_cost(ray, filter), near_miss)
    }
}
