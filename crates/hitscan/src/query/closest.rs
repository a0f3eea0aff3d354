//! The first crossing along a ray.

use core::ops::ControlFlow;

use super::{Collector, Found, Question, Single, Target, ask};
use crate::bvh::group::Nearest;
use crate::filter::Filter;
use crate::heightfield::Heightfield;
use crate::hit::Hit;
use crate::mesh::Mesh;
use crate::ray::Ray;
use crate::scene::Scene;
use crate::simd::stack::NearestFirst;

/// Keeps the first crossing by `(t, instance, prim)`.
pub(crate) struct Closest {
    limit: f64,
    pub best: Option<Found>,
}

impl Closest {
    #[inline(always)]
    pub fn new(ray: &Ray) -> Closest {
        Closest { limit: ray.t_max(), best: None }
    }

    /// As it stands once this was found.
    pub fn go_on_from(&mut self, limit: f64, best: Option<Found>) {
        (self.limit, self.best) = (limit, best);
    }
}

impl Collector for Closest {
    type Order = NearestFirst;
    type SideBySide<'a> = Nearest<'a>;
    #[inline(always)]
    fn limit(&self) -> f64 {
        self.limit
    }
    #[inline(always)]
    fn offer(&mut self, found: Found) -> ControlFlow<(), bool> {
        let first = self.best.is_none_or(|best| found.before(&best));
        if first {
            self.limit = found.t;
            self.best = Some(found);
        }
        ControlFlow::Continue(first)
    }
    #[inline(always)]
    fn has_found(&self) -> Option<bool> {
        Some(self.best.is_some())
    }
}

#[derive(Clone, Copy)]
pub(crate) struct ClosestHit;

impl Question for ClosestHit {
    type Collector = Closest;
    #[inline(always)]
    fn begin(self, ray: &Ray) -> Closest {
        Closest::new(ray)
    }
}

impl Single for ClosestHit {
    type Answer = Option<Hit>;
    #[inline(always)]
    fn answer<T: Target>(self, target: &T, ray: &Ray, kept: &mut Closest) -> Option<Hit> {
        // Not by `map`: inside a closure the compiler would leave the kernel's instruction set behind.
        let found = kept.best?;
        Some(target.describe(ray, &found))
    }
}

impl Mesh {
    /// The first crossing in `[t_min, t_max]`, both ends included; `None` for a miss. At equal `t` the lower
    /// `prim` wins. The ray is in the mesh's own frame.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]; 2]).unwrap();
    /// let ray = Ray::new([0.25, 0.25, 2.0], [0.0, 0.0, -1.0]).unwrap();
    /// let hit = mesh.closest(&ray, &Filter::ALL).unwrap();
    /// assert_eq!((hit.t, hit.prim), (2.0, 0)); // both triangles are there
    /// assert!(mesh.closest(&ray.with_range(0.0, 1.5).unwrap(), &Filter::ALL).is_none());
    /// ```
    pub fn closest(&self, ray: &Ray, filter: &Filter<'_>) -> Option<Hit> {
        ask(self, ClosestHit, ray, filter)
    }
}

impl Heightfield {
    /// The first crossing in `[t_min, t_max]`, both ends included; `None` for a miss. At equal `t` the lower
    /// `prim` wins. The ray is in the heightfield's own frame.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// use hitscan::{Filter, Ray};
    /// let terrain = Heightfield::builder(3, 2).build_f32([0.0, 1.0, 0.0, 0.0, 1.0, 0.0])?;
    /// let ray = Ray::new([-1.0, 0.5, 0.25], [2.0, 0.0, 0.0])?;
    /// let hit = terrain.closest(&ray, &Filter::ALL).unwrap();
    /// assert_eq!((hit.t, hit.distance, hit.position.x, hit.prim), (0.75, 1.5, 0.5, 0));
    /// assert!(terrain.closest(&ray.with_range(0.0, 0.5)?, &Filter::ALL).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest(&self, ray: &Ray, filter: &Filter<'_>) -> Option<Hit> {
        ask(self, ClosestHit, ray, filter)
    }
}

impl Scene {
    /// The first crossing in `[t_min, t_max]`, both ends included; `None` for a miss. At equal `t` the lower
    /// instance wins, then the lower `prim`.
    ///
    /// ```
    /// use hitscan::{Filter, Instance, Mesh, Ray, Transform, World};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    /// let mut world = World::new();
    /// let near = world.insert(Instance::new(&mesh).at(Transform::translation([0.0, 0.0, 4.0]).unwrap()));
    /// world.insert(&mesh);
    /// let ray = Ray::new([0.25, 0.25, 8.0], [0.0, 0.0, -2.0]).unwrap();
    /// let hit = world.commit().closest(&ray, &Filter::ALL).unwrap();
    /// assert_eq!((hit.instance, hit.t, hit.distance), (near, 2.0, 4.0));
    /// ```
    pub fn closest(&self, ray: &Ray, filter: &Filter<'_>) -> Option<Hit> {
        ask(self, ClosestHit, ray, filter)
    }
}
