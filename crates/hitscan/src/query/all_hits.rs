//! Every crossing along a ray, in order.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::buffer::{Buffer, Memory};
use super::lists::Many;
use super::{Collector, Found, Listed, Question, Target, ask_list, describe_all};
use crate::bvh::group::Every;
use crate::filter::Filter;
use crate::heightfield::Heightfield;
use crate::hit::Hit;
use crate::mesh::Mesh;
use crate::ray::Ray;
use crate::scene::Scene;
use crate::simd::stack::AnyOrder;

/// Keeps everything, up to where a filter stops.
pub(crate) struct AllHits {
    limit: f64,
    /// Nothing behind it counts.
    last: Option<Found>,
    found: Vec<Found>,
}

impl AllHits {
    #[inline(always)]
    pub fn keep(&mut self, found: Found) {
        self.found.push(found);
    }
}

impl Many for AllHits {
    fn found(&mut self) -> &mut Vec<Found> {
        &mut self.found
    }
    #[inline(always)]
    fn sorted(&mut self) -> &[Found] {
        if self.found.len() > 1 {
            self.found.sort_unstable_by(Found::order);
        }
        if let Some(last) = &self.last {
            self.found.truncate(self.found.partition_point(|found| !last.before(found)));
        }
        &self.found
    }
}

impl Collector for AllHits {
    type Order = AnyOrder;
    type SideBySide<'a> = Every<'a>;
    #[inline(always)]
    fn limit(&self) -> f64 {
        self.limit
    }
    #[inline(always)]
    fn offer(&mut self, found: Found) -> ControlFlow<(), bool> {
        self.keep(found);
        ControlFlow::Continue(false)
    }
    fn stop_at(&mut self, last: &Found) {
        if self.last.is_none_or(|known| last.before(&known)) {
            self.limit = last.t;
            self.last = Some(*last);
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct EveryHit;

impl Question for EveryHit {
    type Collector = AllHits;
    #[inline(always)]
    fn begin(self, ray: &Ray) -> AllHits {
        AllHits { limit: ray.t_max(), last: None, found: Vec::new() }
    }
    #[inline(always)]
    fn again(self, ray: &Ray, kept: &mut AllHits) {
        (kept.limit, kept.last) = (ray.t_max(), None);
        kept.found.clear();
    }
}

impl Listed for EveryHit {
    type Item = Hit;
    #[inline(always)]
    fn list<T: Target>(self, target: &T, ray: &Ray, kept: &mut AllHits, _: &mut Memory, hits: &mut Vec<Hit>) {
        describe_all(target, ray, kept.sorted(), hits);
    }
}

impl Mesh {
    /// Every crossing in `[t_min, t_max]`, sorted by `(t, prim)`; empty for a miss. A crossing of a shared edge or
    /// corner is one hit, so entries and exits of a closed mesh pair up.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let walls = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, -1.0], [4.0, 0.0, -1.0], [0.0, 4.0, -1.0]],
    ///     [[3u32, 4, 5], [0, 1, 2]],
    /// ).unwrap();
    /// let shot = Ray::new([1.0, 1.0, 1.0], [0.0, 0.0, -1.0]).unwrap();
    /// let hits = walls.all_hits(&shot, &Filter::ALL);
    /// assert_eq!(hits.iter().map(|hit| (hit.t, hit.prim)).collect::<Vec<_>>(), [(1.0, 1), (2.0, 0)]);
    /// ```
    pub fn all_hits(&self, ray: &Ray, filter: &Filter<'_>) -> Vec<Hit> {
        Buffer::filled(|hits| self.all_hits_into(ray, filter, hits))
    }

    /// [`Mesh::all_hits`] into memory that is used again.
    ///
    /// ```
    /// use hitscan::{Buffer, Filter, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// let ray = Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0])?;
    /// let mut hits = Buffer::new(); // one for all questions
    /// mesh.all_hits_into(&ray, &Filter::ALL, &mut hits);
    /// assert_eq!(&hits[..], mesh.all_hits(&ray, &Filter::ALL));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all_hits_into(&self, ray: &Ray, filter: &Filter<'_>, hits: &mut Buffer) {
        ask_list(self, EveryHit, ray, filter, hits);
    }
}

impl Heightfield {
    /// Every crossing in `[t_min, t_max]`, sorted by `(t, prim)`; empty for a miss. A crossing of a shared edge or
    /// corner is one hit.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// use hitscan::{Face, Filter, Ray};
    /// let ridge = Heightfield::builder(3, 2).build_f32([0.0, 1.0, 0.0, 0.0, 1.0, 0.0])?;
    /// let hits = ridge.all_hits(&Ray::new([-1.0, 0.5, 0.25], [1.0, 0.0, 0.0])?, &Filter::ALL);
    /// let hits: Vec<_> = hits.iter().map(|hit| (hit.t, hit.prim, hit.facing)).collect();
    /// assert_eq!(hits, [(1.5, 0, Face::Front), (2.5, 2, Face::Back)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all_hits(&self, ray: &Ray, filter: &Filter<'_>) -> Vec<Hit> {
        Buffer::filled(|hits| self.all_hits_into(ray, filter, hits))
    }

    /// [`Heightfield::all_hits`] into memory that is used again.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// use hitscan::{Buffer, Filter, Ray};
    /// let ridge = Heightfield::builder(3, 2).build_f32([0.0, 1.0, 0.0, 0.0, 1.0, 0.0])?;
    /// let (ray, mut hits) = (Ray::new([-1.0, 0.5, 0.25], [1.0, 0.0, 0.0])?, Buffer::new());
    /// ridge.all_hits_into(&ray, &Filter::ALL, &mut hits);
    /// assert_eq!(&hits[..], ridge.all_hits(&ray, &Filter::ALL));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all_hits_into(&self, ray: &Ray, filter: &Filter<'_>, hits: &mut Buffer) {
        ask_list(self, EveryHit, ray, filter, hits);
    }
}

impl Scene {
    /// Every crossing in `[t_min, t_max]`, sorted by `(t, instance, prim)`; empty for a miss. A crossing of a
    /// shared edge or corner is one hit, so entries and exits of a closed mesh pair up.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray, World};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    /// let mut world = World::new();
    /// world.insert(&mesh);
    /// world.insert(&mesh);
    /// let shot = Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap();
    /// let hits = world.commit().all_hits(&shot, &Filter::ALL);
    /// assert_eq!(hits.iter().map(|hit| hit.instance.slot()).collect::<Vec<_>>(), [0, 1]);
    /// ```
    pub fn all_hits(&self, ray: &Ray, filter: &Filter<'_>) -> Vec<Hit> {
        Buffer::filled(|hits| self.all_hits_into(ray, filter, hits))
    }

    /// [`Scene::all_hits`] into memory that is used again.
    ///
    /// ```
    /// use hitscan::{Buffer, Filter, Ray, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// let (scene, mut hits) = (world.commit(), Buffer::new());
    /// let ray = Ray::new([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0])?;
    /// scene.all_hits_into(&ray, &Filter::ALL, &mut hits);
    /// assert_eq!(hits.iter().map(|hit| hit.t).collect::<Vec<_>>(), [4.0, 6.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all_hits_into(&self, ray: &Ray, filter: &Filter<'_>, hits: &mut Buffer) {
        ask_list(self, EveryHit, ray, filter, hits);
    }
}
