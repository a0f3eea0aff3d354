//! The first few crossings along a ray.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::buffer::{Buffer, Memory};
use super::lists::Many;
use super::{Collector, Found, Listed, Question, Target, ask_list, describe_all};
use crate::bvh::group::Probes;
use crate::filter::Filter;
use crate::heightfield::Heightfield;
use crate::hit::Hit;
use crate::mesh::Mesh;
use crate::ray::Ray;
use crate::scene::Scene;
use crate::simd::stack::NearestFirst;

/// Keeps the first `n` crossings; the last of those that are in order is the limit once there are `n`.
pub(crate) struct FirstN {
    limit: f64,
    n: usize,
    /// Nothing behind it counts.
    last: Option<Found>,
    /// In order up to here; what comes behind would have made room among many.
    ordered: usize,
    found: Vec<Found>,
}

/// So many make room for one.
const FEW: usize = 64;

impl FirstN {
    /// Puts one by. Half as many as are in order are put in order at once, so that none is moved by each that comes before it. Says
    /// whether the limit has changed.
    #[cold]
    fn put_by(&mut self, found: Found) -> bool {
        self.found.push(found);
        self.found.len() - self.ordered > self.ordered / 2 && self.put_in_order()
    }

    /// The same for all that were put by.
    fn put_in_order(&mut self) -> bool {
        if self.found.len() == self.ordered {
            return false;
        }
        self.found.sort_unstable_by(Found::order);
        self.found.truncate(self.n);
        self.ordered = self.found.len();
        let full = self.ordered == self.n;
        if full {
            self.limit = self.limit.min(self.found[self.n - 1].t);
        }
        full
    }
}

impl Many for FirstN {
    fn found(&mut self) -> &mut Vec<Found> {
        &mut self.found
    }
    #[inline(always)]
    fn sorted(&mut self) -> &[Found] {
        self.put_in_order();
        &self.found
    }
}

impl Collector for FirstN {
    type Order = NearestFirst;
    type SideBySide<'a> = Probes<'a, Self>;
    #[inline(always)]
    fn limit(&self) -> f64 {
        self.limit
    }
    #[inline(always)]
    fn offer(&mut self, found: Found) -> ControlFlow<(), bool> {
        if self.n == 0 {
            return ControlFlow::Break(());
        }
        if self.last.is_some_and(|last| last.before(&found)) {
            return ControlFlow::Continue(false);
        }
        let place = self.found[..self.ordered].partition_point(|kept| kept.before(&found));
        if place == self.n {
            return ControlFlow::Continue(false);
        }
        if self.ordered - place > FEW || self.found.len() > self.ordered {
            return ControlFlow::Continue(self.put_by(found));
        }
        self.found.truncate(self.n - 1);
        self.found.insert(place, found);
        self.ordered = self.found.len();
        let full = self.found.len() == self.n;
        if full {
            self.limit = self.found[self.n - 1].t;
        }
        ControlFlow::Continue(full)
    }
    fn stop_at(&mut self, last: &Found) {
        if self.last.is_none_or(|known| last.before(&known)) {
            self.last = Some(*last);
            self.limit = self.limit.min(last.t);
            self.put_in_order();
            self.found.truncate(self.found.partition_point(|found| !last.before(found)));
            self.ordered = self.found.len();
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct FirstHits {
    pub n: usize,
}

impl Question for FirstHits {
    type Collector = FirstN;
    #[inline(always)]
    fn begin(self, ray: &Ray) -> FirstN {
        FirstN { limit: ray.t_max(), n: self.n, last: None, ordered: 0, found: Vec::new() }
    }
    #[inline(always)]
    fn again(self, ray: &Ray, kept: &mut FirstN) {
        (kept.limit, kept.last, kept.ordered) = (ray.t_max(), None, 0);
        kept.found.clear();
    }
}

impl Listed for FirstHits {
    type Item = Hit;
    #[inline(always)]
    fn list<T: Target>(self, target: &T, ray: &Ray, kept: &mut FirstN, _: &mut Memory, hits: &mut Vec<Hit>) {
        describe_all(target, ray, kept.sorted(), hits);
    }
}

impl Mesh {
    /// The first `n` of [`Mesh::all_hits`], found without looking at what lies behind them.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]; 5]).unwrap();
    /// let ray = Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap();
    /// assert_eq!(mesh.first_n(&ray, &Filter::ALL, 3), mesh.all_hits(&ray, &Filter::ALL)[..3]);
    /// ```
    pub fn first_n(&self, ray: &Ray, filter: &Filter<'_>, n: usize) -> Vec<Hit> {
        Buffer::filled(|hits| self.first_n_into(ray, filter, n, hits))
    }

    /// [`Mesh::first_n`] into memory that is used again.
    ///
    /// ```
    /// use hitscan::{Buffer, Filter, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]; 5])?;
    /// let ray = Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0])?;
    /// let mut hits = Buffer::new(); // one for all questions
    /// mesh.first_n_into(&ray, &Filter::ALL, 3, &mut hits);
    /// assert_eq!(hits.iter().map(|hit| hit.prim).collect::<Vec<_>>(), [0, 1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn first_n_into(&self, ray: &Ray, filter: &Filter<'_>, n: usize, hits: &mut Buffer) {
        ask_list(self, FirstHits { n }, ray, filter, hits);
    }
}

impl Heightfield {
    /// The first `n` of [`Heightfield::all_hits`], found without looking at what lies behind them.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// use hitscan::{Filter, Ray};
    /// let ridge = Heightfield::builder(3, 2).build_f32([0.0, 1.0, 0.0, 0.0, 1.0, 0.0])?;
    /// let ray = Ray::new([-1.0, 0.5, 0.25], [1.0, 0.0, 0.0])?;
    /// assert_eq!(ridge.first_n(&ray, &Filter::ALL, 1), ridge.all_hits(&ray, &Filter::ALL)[..1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn first_n(&self, ray: &Ray, filter: &Filter<'_>, n: usize) -> Vec<Hit> {
        Buffer::filled(|hits| self.first_n_into(ray, filter, n, hits))
    }

    /// [`Heightfield::first_n`] into memory that is used again.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// use hitscan::{Buffer, Filter, Ray};
    /// let ridge = Heightfield::builder(3, 2).build_f32([0.0, 1.0, 0.0, 0.0, 1.0, 0.0])?;
    /// let (ray, mut hits) = (Ray::new([-1.0, 0.5, 0.25], [1.0, 0.0, 0.0])?, Buffer::new());
    /// ridge.first_n_into(&ray, &Filter::ALL, 1, &mut hits);
    /// assert_eq!(hits.iter().map(|hit| hit.t).collect::<Vec<_>>(), [1.5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn first_n_into(&self, ray: &Ray, filter: &Filter<'_>, n: usize, hits: &mut Buffer) {
        ask_list(self, FirstHits { n }, ray, filter, hits);
    }
}

impl Scene {
    /// The first `n` of [`Scene::all_hits`], found without looking at what lies behind them.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray, World};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]; 5]).unwrap();
    /// let mut world = World::new();
    /// world.insert(&mesh);
    /// let ray = Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap();
    /// assert_eq!(world.commit().first_n(&ray, &Filter::ALL, 2).len(), 2);
    /// ```
    pub fn first_n(&self, ray: &Ray, filter: &Filter<'_>, n: usize) -> Vec<Hit> {
        Buffer::filled(|hits| self.first_n_into(ray, filter, n, hits))
    }

    /// [`Scene::first_n`] into memory that is used again.
    ///
    /// ```
    /// use hitscan::{Buffer, Filter, Ray, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// let (scene, mut hits) = (world.commit(), Buffer::new());
    /// let ray = Ray::new([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0])?;
    /// scene.first_n_into(&ray, &Filter::ALL, 1, &mut hits);
    /// assert_eq!(hits.iter().map(|hit| hit.t).collect::<Vec<_>>(), [4.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn first_n_into(&self, ray: &Ray, filter: &Filter<'_>, n: usize, hits: &mut Buffer) {
        ask_list(self, FirstHits { n }, ray, filter, hits);
    }
}
