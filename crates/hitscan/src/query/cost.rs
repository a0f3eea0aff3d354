//! Questions with the work that their answers took, counted: by the walk of single rays, which is the same walk
//! without the counts.

use alloc::vec::Vec;

use super::all_hits::EveryHit;
use super::buffer::Buffer;
use super::{AnyHit, ClosestHit, Single, Target, ask_list_metered, ask_metered};
use crate::bvh::Cost;
use crate::bvh::meter::Tally;
use crate::filter::Filter;
use crate::heightfield::Heightfield;
use crate::hit::Hit;
use crate::mesh::Mesh;
use crate::ray::Ray;
use crate::scene::Scene;

fn metered<Q: Single>(
    target: &impl Target,
    question: Q,
    ray: &Ray,
    filter: &Filter<'_>,
) -> (Q::Answer, Cost) {
    let mut tally = Tally::within(u64::MAX);
    (ask_metered(target, question, ray, filter, &mut tally), tally.cost)
}

fn all_hits_metered(target: &impl Target, ray: &Ray, filter: &Filter<'_>) -> (Vec<Hit>, Cost) {
    let (mut hits, mut tally) = (Buffer::new(), Tally::within(u64::MAX));
    ask_list_metered(target, EveryHit, ray, filter, &mut tally, &mut hits);
    (hits.into_vec(), tally.cost)
}

impl Mesh {
    /// [`Mesh::closest`] with the work that it took: to draw, and to judge trees without a clock.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    /// let ray = Ray::new([0.25, 0.25, 2.0], [0.0, 0.0, -1.0]).unwrap();
    /// let (hit, cost) = mesh.closest_cost(&ray, &Filter::ALL);
    /// assert_eq!(hit, mesh.closest(&ray, &Filter::ALL));
    /// assert_eq!((cost.nodes, cost.leaves, cost.tests), (1, 1, 1));
    /// ```
    pub fn closest_cost(&self, ray: &Ray, filter: &Filter<'_>) -> (Option<Hit>, Cost) {
        metered(self, ClosestHit, ray, filter)
    }

    /// [`Mesh::occluded`] with the work that it took.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    /// let ray = Ray::new([0.25, 0.25, 2.0], [0.0, 0.0, -1.0]).unwrap();
    /// let (blocked, cost) = mesh.occluded_cost(&ray, &Filter::ALL);
    /// assert!(blocked);
    /// assert_eq!((cost.leaves, cost.tests, cost.pops), (1, 1, 0)); // it ends at the hit
    /// ```
    pub fn occluded_cost(&self, ray: &Ray, filter: &Filter<'_>) -> (bool, Cost) {
        metered(self, AnyHit, ray, filter)
    }

    /// [`Mesh::all_hits`] with the work that it took, sorting not counted.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    /// let ray = Ray::new([0.25, 0.25, 2.0], [0.0, 0.0, -1.0]).unwrap();
    /// let (hits, cost) = mesh.all_hits_cost(&ray, &Filter::ALL);
    /// assert_eq!(hits, mesh.all_hits(&ray, &Filter::ALL));
    /// assert_eq!((cost.leaves, cost.tests), (1, 1));
    /// ```
    pub fn all_hits_cost(&self, ray: &Ray, filter: &Filter<'_>) -> (Vec<Hit>, Cost) {
        all_hits_metered(self, ray, filter)
    }
}

impl Heightfield {
    /// [`Heightfield::closest`] with the work that it took; nodes and leaves are those of the pyramid.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// use hitscan::{Filter, Ray};
    /// let plain = Heightfield::builder(3, 3).build_f32([0.0; 9])?;
    /// let ray = Ray::new([0.25, 1.0, 0.25], [0.0, -1.0, 0.0])?;
    /// let (hit, cost) = plain.closest_cost(&ray, &Filter::ALL);
    /// assert_eq!(hit, plain.closest(&ray, &Filter::ALL));
    /// assert_eq!((cost.nodes, cost.leaves, cost.tests), (1, 1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest_cost(&self, ray: &Ray, filter: &Filter<'_>) -> (Option<Hit>, Cost) {
        metered(self, ClosestHit, ray, filter)
    }

    /// [`Heightfield::occluded`] with the work that it took.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// use hitscan::{Filter, Ray};
    /// let plain = Heightfield::builder(3, 3).build_f32([0.0; 9])?;
    /// let (blocked, cost) = plain.occluded_cost(&Ray::new([0.25, 1.0, 0.25], [0.0, -1.0, 0.0])?, &Filter::ALL);
    /// assert_eq!((blocked, cost.tests), (true, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn occluded_cost(&self, ray: &Ray, filter: &Filter<'_>) -> (bool, Cost) {
        metered(self, AnyHit, ray, filter)
    }

    /// [`Heightfield::all_hits`] with the work that it took, sorting not counted.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// use hitscan::{Filter, Ray};
    /// let plain = Heightfield::builder(3, 3).build_f32([0.0; 9])?;
    /// let ray = Ray::new([0.25, 1.0, 0.25], [0.0, -1.0, 0.0])?;
    /// let (hits, cost) = plain.all_hits_cost(&ray, &Filter::ALL);
    /// assert_eq!((hits.len(), cost.tests), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all_hits_cost(&self, ray: &Ray, filter: &Filter<'_>) -> (Vec<Hit>, Cost) {
        all_hits_metered(self, ray, filter)
    }
}

impl Scene {
    /// [`Scene::closest`] with the work that it took: to draw, and to judge trees without a clock.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray, World};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    /// let mut world = World::new();
    /// world.insert(&mesh);
    /// let scene = world.commit();
    /// let ray = Ray::new([0.25, 0.25, 2.0], [0.0, 0.0, -1.0]).unwrap();
    /// let (hit, cost) = scene.closest_cost(&ray, &Filter::ALL);
    /// assert_eq!(hit, scene.closest(&ray, &Filter::ALL));
    /// assert_eq!(cost.instances, 1);
    /// assert_eq!((cost.leaves, cost.tests), (1, 1));
    /// ```
    pub fn closest_cost(&self, ray: &Ray, filter: &Filter<'_>) -> (Option<Hit>, Cost) {
        metered(self, ClosestHit, ray, filter)
    }

    /// [`Scene::occluded`] with the work that it took.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray, World};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    /// let mut world = World::new();
    /// world.insert(&mesh);
    /// let scene = world.commit();
    /// let ray = Ray::new([0.25, 0.25, 2.0], [0.0, 0.0, -1.0]).unwrap();
    /// let (blocked, cost) = scene.occluded_cost(&ray, &Filter::ALL);
    /// assert!(blocked);
    /// assert_eq!((cost.leaves, cost.tests, cost.pops), (1, 1, 0)); // it ends at the hit
    /// ```
    pub fn occluded_cost(&self, ray: &Ray, filter: &Filter<'_>) -> (bool, Cost) {
        metered(self, AnyHit, ray, filter)
    }

    /// [`Scene::all_hits`] with the work that it took, sorting not counted.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray, World};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    /// let mut world = World::new();
    /// world.insert(&mesh);
    /// let scene = world.commit();
    /// let ray = Ray::new([0.25, 0.25, 2.0], [0.0, 0.0, -1.0]).unwrap();
    /// let (hits, cost) = scene.all_hits_cost(&ray, &Filter::ALL);
    /// assert_eq!(hits, scene.all_hits(&ray, &Filter::ALL));
    /// assert_eq!((cost.leaves, cost.tests), (1, 1));
    /// ```
    pub fn all_hits_cost(&self, ray: &Ray, filter: &Filter<'_>) -> (Vec<Hit>, Cost) {
        all_hits_metered(self, ray, filter)
    }
}
