//! The first thing in a scene that a moving sphere or capsule meets.

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec3;

use super::{admits, side};
use crate::bvh::nearest::{Boxes, Corners};
use crate::bvh::node::WIDTH;
use crate::filter::Filter;
use crate::hit::Face;
use crate::intersect::{
    Ahead, Motion, Sweep, sweep_capsule_capsule, sweep_capsule_plane, sweep_capsule_polytope,
    sweep_capsule_sphere, sweep_capsule_triangle,
};
use crate::query::SweepHit;
use crate::query::batch::each;
use crate::scene::Scene;
use crate::shape::{Capsule, Sphere, Triangle};
use crate::simd::stack::NearestFirst;
use crate::world::placing::Solid;
use crate::world::top::search::{At, WorldSearch};

/// The first so far.
struct First<'a> {
    /// Where the end A starts.
    about: DVec3,
    /// As seen from there.
    capsule: Capsule,
    filter: &'a Filter<'a>,
    ahead: Ahead<'a>,
    best: Option<SweepHit>,
}

/// Covers what the sum of two radii is rounded by: 1 + 2^-40.
const ROOM: f64 = 1.0 + 1.0 / (1u64 << 40) as f64;

impl First<'_> {
    /// Takes what is met at an instance, if it is wanted and comes first.
    fn offer(&mut self, at: &At<'_>, prim: u32, facing: Face, sweep: Sweep) {
        if !admits(self.filter, at, prim, facing, sweep.t(), [0.0; 2]) {
            return;
        }
        let found = SweepHit { prim, instance: at.id, material: at.instance.material_of(prim), sweep };
        if self.best.is_none_or(|best| found.order(&best) == Ordering::Less) {
            self.best = Some(found);
        }
    }
}

impl WorldSearch for First<'_> {
    type Order = NearestFirst;

    fn about(&self) -> DVec3 {
        self.about
    }

    fn filter(&self) -> &Filter<'_> {
        self.filter
    }

    #[inline(always)]
    fn bounds(&self, boxes: &Boxes<f64>) -> [f64; WIDTH] {
        self.ahead.boxes(boxes)
    }

    #[inline(always)]
    fn bounds_of_triangles(&self, corners: &Corners<f64>) -> [f64; WIDTH] {
        self.ahead.triangles(corners)
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.ahead.limit(self.best.as_ref().map(|best| &best.sweep))
    }

    fn triangle(&mut self, at: &At<'_>, prim: u32, triangle: &Triangle) {
        if let Some(sweep) = sweep_capsule_triangle(&self.capsule, self.ahead.motion, triangle) {
            self.offer(at, prim, side(triangle, sweep.normal()), sweep.at(self.about + sweep.position()));
        }
    }

    fn solid(&mut self, at: &At<'_>, solid: &Solid<'_>) {
        let Some(sweep) = sweep_solid(&self.capsule, self.ahead.motion, solid) else { return };
        let facing = match solid {
            Solid::Flat(plane) if plane.normal().dot(sweep.normal()) < 0.0 => Face::Back,
            _ => Face::Front,
        };
        let face = at.instance.face_at(self.about, sweep.position());
        self.offer(at, face, facing, sweep.at(self.about + sweep.position()));
    }
}

/// A capsule that moves against a shape in its place.
pub(super) fn sweep_solid(capsule: &Capsule, motion: &Motion, solid: &Solid<'_>) -> Option<Sweep> {
    match solid {
        Solid::Ball(sphere) => sweep_capsule_sphere(capsule, motion, sphere),
        Solid::Pill(target) => sweep_capsule_capsule(capsule, motion, target),
        Solid::Uneven(target) => target.swept(capsule, motion),
        Solid::Flat(plane) => sweep_capsule_plane(capsule, motion, plane),
        Solid::Block(block) => sweep_capsule_polytope(capsule, motion, block),
    }
}

impl Scene {
    /// The first thing that a moving sphere meets: a thick bullet, a rolling ball. `None` where it meets none.
    ///
    /// A contact at the start comes first, and the deepest of several; then the earliest hit; of equal ones the lowest instance,
    /// then the lowest `prim`. Triangles are surfaces, and judged as by [`sweep_sphere_triangle`](crate::intersect::sweep_sphere_triangle) after
    /// their corners were put in their places, rounded to `f64` as seen from the sphere's centre; solids as by the test of
    /// [`intersect`](crate::intersect) for the pair, but that boxes and hulls are the triangles between their corners. No tree changes the
    /// answer by a bit. A sphere or a capsule that its transform stretches unevenly is met to about 2^-24 of the sizes; by less than
    /// 2^-20 of itself it counts as round, and as large as where it is largest. What is as seen from the start beyond 2^102 is not met.
    ///
    /// Of the [`Filter`], the mask counts, what is skipped (a shape as a whole, whichever face is named), facing by the side that the sphere
    /// touches, and the closure, which gets that side and `t` of the contact; to end at something, [`Verdict::Stop`](crate::Verdict::Stop) is the same as `Accept`.
    ///
    /// Where instances move during the frame as well, ask for one of them with the [relative motion](Motion::relative_to).
    ///
    /// ```
    /// use hitscan::intersect::{Motion, Sweep};
    /// use hitscan::shape::{Aabb, Plane, Sphere};
    /// use hitscan::{Filter, World};
    /// let mut world = World::new();
    /// let ground = world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
    /// let crate_ = world.insert(Aabb::new([4.0, 0.0, -1.0], [6.0, 2.0, 1.0])?);
    /// let scene = world.commit();
    ///
    /// let ball = Sphere::new([0.0, 0.5, 0.0], 0.5)?;
    /// let roll = scene.sweep_sphere(&ball, &Motion::new([7.0, 0.0, 0.0])?, &Filter::ALL).expect("the crate");
    /// assert_eq!((roll.instance, roll.sweep.t()), (crate_, 0.5)); // the ground does not stop it
    /// let bounce = Sphere::new([0.0, 4.5, 0.0], 0.5)?;
    /// let fall = scene.sweep_sphere(&bounce, &Motion::new([0.0, -8.0, 0.0])?, &Filter::ALL).expect("the ground");
    /// assert!(matches!(fall.sweep, Sweep::Hit { t: 0.5, normal, .. } if normal.y == 1.0));
    /// assert_eq!(fall.instance, ground);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "shapecast")]
    #[doc(alias = "spherecast")]
    pub fn sweep_sphere(&self, sphere: &Sphere, motion: &Motion, filter: &Filter<'_>) -> Option<SweepHit> {
        let capsule = Capsule::derived(sphere.centre(), sphere.centre(), sphere.radius());
        self.sweep_capsule(&capsule, motion, filter)
    }

    /// The first thing that a moving capsule meets: a character that walks. As [`Scene::sweep_sphere`], seen from the capsule's end A and
    /// by [`sweep_capsule_triangle`] and its like.
    ///
    /// ```
    /// use hitscan::intersect::{Motion, Sweep};
    /// use hitscan::shape::{Capsule, Sphere};
    /// use hitscan::{Filter, Instance, Transform, World};
    /// let mut world = World::new();
    /// let post = Instance::new(Sphere::new([0.0; 3], 1.0)?).at(Transform::translation([5.0, 1.0, 0.0])?);
    /// let post = world.insert(post);
    /// let walker = Capsule::new([0.0, 0.5, 0.0], [0.0, 1.5, 0.0], 0.5)?;
    /// let hit = world.commit().sweep_capsule(&walker, &Motion::new([7.0, 0.0, 0.0])?, &Filter::ALL).expect("the post");
    /// assert_eq!((hit.instance, hit.sweep.t()), (post, 0.5));
    /// assert!(matches!(hit.sweep, Sweep::Hit { position, .. } if position.to_array() == [4.0, 1.0, 0.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "capsulecast")]
    pub fn sweep_capsule(&self, capsule: &Capsule, motion: &Motion, filter: &Filter<'_>) -> Option<SweepHit> {
        let about = capsule.a();
        let seen = Capsule::derived(DVec3::ZERO, capsule.b() - about, capsule.radius());
        let roomy = Capsule::derived(seen.a(), seen.b(), seen.radius() * ROOM);
        let ahead = Ahead::new(&roomy, motion);
        let mut search = First { about, capsule: seen, filter, ahead, best: None };
        self.top.search(self.kernel, &mut search);
        search.best
    }

    /// [`Scene::sweep_sphere`] for each sphere and its motion, on all cores with the feature `rayon`.
    ///
    /// ```
    /// use hitscan::intersect::Motion;
    /// use hitscan::shape::{Plane, Sphere};
    /// use hitscan::{Filter, World};
    /// let mut world = World::new();
    /// world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
    /// let ball = Sphere::new([0.0, 3.0, 0.0], 1.0)?;
    /// let motions = [Motion::new([0.0, -4.0, 0.0])?, Motion::new([0.0, 4.0, 0.0])?];
    /// let hits = world.commit().sweep_sphere_batch(&motions.map(|motion| (ball, motion)), &Filter::ALL);
    /// assert!(hits[0].is_some() && hits[1].is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sweep_sphere_batch(
        &self,
        sweeps: &[(Sphere, Motion)],
        filter: &Filter<'_>,
    ) -> Vec<Option<SweepHit>> {
        each(sweeps, |(sphere, motion)| self.sweep_sphere(sphere, motion, filter))
    }

    /// [`Scene::sweep_capsule`] for each capsule and its motion, on all cores with the feature `rayon`.
    ///
    /// ```
    /// use hitscan::intersect::Motion;
    /// use hitscan::shape::{Capsule, Plane};
    /// use hitscan::{Filter, World};
    /// let mut world = World::new();
    /// world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
    /// let walker = Capsule::new([0.0, 3.0, 0.0], [0.0, 4.0, 0.0], 1.0)?;
    /// let motions = [Motion::new([0.0, -4.0, 0.0])?, Motion::new([0.0, 4.0, 0.0])?];
    /// let hits = world.commit().sweep_capsule_batch(&motions.map(|motion| (walker, motion)), &Filter::ALL);
    /// assert!(hits[0].is_some() && hits[1].is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sweep_capsule_batch(
        &self,
        sweeps: &[(Capsule, Motion)],
        filter: &Filter<'_>,
    ) -> Vec<Option<SweepHit>> {
        each(sweeps, |(capsule, motion)| self.sweep_capsule(capsule, motion, filter))
    }
}
