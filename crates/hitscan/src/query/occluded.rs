//! Whether anything is in the way.

use core::ops::ControlFlow;

use super::{Collector, Found, Question, Single, Target, ask};
use crate::bvh::group::Blocked;
use crate::filter::Filter;
use crate::heightfield::Heightfield;
use crate::mesh::Mesh;
use crate::ray::Ray;
use crate::scene::Scene;
use crate::simd::stack::AnyOrder;

/// Ends at the first crossing that comes along, whichever it is.
pub(crate) struct Occluded {
    limit: f64,
    found: bool,
}

impl Occluded {
    /// As it stands at the end.
    #[inline(always)]
    pub fn answered(found: bool) -> Occluded {
        Occluded { limit: f64::NEG_INFINITY, found }
    }
}

impl Collector for Occluded {
    type Order = AnyOrder;
    type SideBySide<'a> = Blocked<'a>;
    #[inline(always)]
    fn limit(&self) -> f64 {
        self.limit
    }
    #[inline(always)]
    fn offer(&mut self, _: Found) -> ControlFlow<(), bool> {
        self.found = true;
        ControlFlow::Break(())
    }
    #[inline(always)]
    fn has_found(&self) -> Option<bool> {
        Some(self.found)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct AnyHit;

impl Question for AnyHit {
    type Collector = Occluded;
    #[inline(always)]
    fn begin(self, ray: &Ray) -> Occluded {
        Occluded { limit: ray.t_max(), found: false }
    }
}

impl Single for AnyHit {
    type Answer = bool;
    #[inline(always)]
    fn answer<T: Target>(self, _: &T, _: &Ray, kept: &mut Occluded) -> bool {
        kept.found
    }
}

impl Mesh {
    /// Whether there is any crossing in `[t_min, t_max]`: exactly when [`Mesh::closest`] finds one, but faster.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    /// let sight = Ray::between([0.2, 0.2, 1.0], [0.2, 0.2, -1.0]).unwrap();
    /// assert!(mesh.occluded(&sight, &Filter::ALL));
    /// ```
    pub fn occluded(&self, ray: &Ray, filter: &Filter<'_>) -> bool {
        ask(self, AnyHit, ray, filter)
    }
}

impl Heightfield {
    /// Whether there is any crossing in `[t_min, t_max]`: exactly when [`Heightfield::closest`] finds one, but faster.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// use hitscan::{Filter, Ray};
    /// let ridge = Heightfield::builder(3, 2).build_f32([0.0, 1.0, 0.0, 0.0, 1.0, 0.0])?;
    /// let [low, high] = [0.5, 1.5].map(|y| Ray::between([-1.0, y, 0.5], [3.0, y, 0.5]));
    /// assert!(ridge.occluded(&low?, &Filter::ALL) && !ridge.occluded(&high?, &Filter::ALL));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn occluded(&self, ray: &Ray, filter: &Filter<'_>) -> bool {
        ask(self, AnyHit, ray, filter)
    }
}

impl Scene {
    /// Whether there is any crossing in `[t_min, t_max]`: exactly when [`Scene::closest`] finds one, but faster.
    ///
    /// ```
    /// use hitscan::{Filter, Ray, World};
    /// let sight = Ray::between([0.0; 3], [1.0, 0.0, 0.0]).unwrap();
    /// assert!(!World::new().commit().occluded(&sight, &Filter::ALL)); // nothing is there
    /// ```
    pub fn occluded(&self, ray: &Ray, filter: &Filter<'_>) -> bool {
        ask(self, AnyHit, ray, filter)
    }
}
