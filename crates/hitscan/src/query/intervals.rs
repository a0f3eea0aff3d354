//! Where a ray is inside of something: entry, exit and thickness, solid by solid.

use alloc::vec::Vec;

use super::all_hits::{AllHits, EveryHit};
use super::lists::{HitLists, Many};
use super::{Collector, Found, Question, Target, ask, batch};
use crate::filter::{Facing, Filter};
use crate::hit::InstanceId;
use crate::mesh::{Mesh, length};
use crate::ray::Ray;
use crate::scene::Scene;
use crate::simd::Flow;
use crate::simd::stack::AnyOrder;

/// A piece of a ray that lies in one solid: the entry and the exit of a wound, a wall of a house, a layer of a part.
///
/// A solid is what one material of one instance encloses. See [`Scene::intervals`] for what open meshes enclose.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Interval {
    /// Where the ray goes in, in units of its direction; its `t_min` where it starts inside.
    pub enter: f64,
    /// Where it comes out; its `t_max` where it ends inside.
    pub exit: f64,
    /// How far it goes through, in world units. Of a whole sphere right to 2^-40 of itself, however far away and however
    /// short, which the difference of two `t` is not; 0 for a surface without a solid behind it.
    pub thickness: f64,
    /// Which instance of the world.
    pub instance: InstanceId,
    /// Of which material, as in [`Hit`](crate::Hit).
    pub material: u32,
}

/// Keeps all crossings of the whole line.
pub(super) struct Line {
    all: AllHits,
    /// Where the ray itself begins: a filter does not stop before it does.
    t_min: f64,
    /// Where a filter stopped, if it did.
    stop: f64,
}

impl Collector for Line {
    type Order = AnyOrder;
    #[inline(always)]
    fn limit(&self) -> f64 {
        self.all.limit()
    }
    #[inline(always)]
    fn offer(&mut self, found: Found) -> Flow {
        self.all.offer(found)
    }
    fn stop_at(&mut self, last: &Found) {
        if last.t >= self.t_min {
            self.stop = self.stop.min(last.t);
            self.all.stop_at(last);
        }
    }
}

/// The question about a line; what is known of the ray is its interval.
#[derive(Clone, Copy)]
struct Inside {
    t_min: f64,
    t_max: f64,
}

impl Question for Inside {
    type Collector = Line;
    type Answer = Vec<Interval>;
    fn begin(self, line: &Ray) -> Line {
        Line { all: EveryHit.begin(line), t_min: self.t_min, stop: f64::INFINITY }
    }
    fn answer<T: Target>(self, target: &T, line: &Ray, kept: &mut Line) -> Vec<Interval> {
        let stop = kept.stop;
        let mut crossings: Vec<(InstanceId, u32, Found)> =
            kept.all.sorted().iter().map(|found| (found.instance, target.material(found), *found)).collect();
        // A stable sort, which keeps the order along the ray.
        crossings.sort_by_key(|&(instance, material, _)| (instance, material));
        let unit = length(line.dir());
        let mut intervals = Vec::new();
        let mut put = |(instance, material): (InstanceId, u32), from: f64, to: f64, whole: f64| {
            let (enter, exit) = (from.max(self.t_min), to.min(self.t_max).min(stop.max(from)));
            if enter <= exit {
                let all = enter == from && exit == to;
                let thickness = unit * if all { whole } else { exit - enter };
                intervals.push(Interval { enter, exit, thickness, instance, material });
            }
        };
        for solid in crossings.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let name = (solid[0].0, solid[0].1);
            // Entries without an exit so far. An exit belongs to the last of them.
            let mut open: Vec<&Found> = Vec::new();
            // Solids found so far that lie within no other.
            let mut closed: Vec<(&Found, &Found)> = Vec::new();
            for (.., found) in solid {
                if target.enters(found) {
                    open.push(found);
                    continue;
                }
                match open.pop() {
                    Some(entry) => {
                        while closed.last().is_some_and(|(inner, _)| !inner.before(entry)) {
                            closed.pop();
                        }
                        closed.push((entry, found));
                    }
                    None => put(name, found.t, found.t, 0.0),
                }
            }
            for entry in open {
                // Nobody looked for what would close it behind a stop.
                let to = if stop < f64::INFINITY { stop } else { entry.t };
                put(name, entry.t, to, to - entry.t);
            }
            for (entry, exit) in closed {
                put(name, entry.t, exit.t, target.length(line, entry, exit));
            }
        }
        intervals.sort_by(|a, b| {
            let by_t = a.enter.total_cmp(&b.enter).then(a.exit.total_cmp(&b.exit));
            by_t.then((a.instance, a.material).cmp(&(b.instance, b.material)))
        });
        intervals
    }
}

fn intervals(target: &impl Target, ray: &Ray, filter: &Filter<'_>) -> Vec<Interval> {
    let question = Inside { t_min: ray.t_min(), t_max: ray.t_max() };
    ask(target, question, &ray.endless(), &filter.facing(Facing::Both))
}

fn intervals_batch(target: &impl Target, rays: &[Ray], filter: &Filter<'_>) -> HitLists<Interval> {
    HitLists::of(batch::each(rays, |ray| intervals(target, ray, filter)))
}

impl Mesh {
    /// [`Scene::intervals`] of a mesh in its own frame.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let corners = [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let tetrahedron = Mesh::new(corners, [[0u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let inside = tetrahedron.intervals(&Ray::new([1.0, 1.0, 9.0], [0.0, 0.0, -3.0])?, &Filter::ALL);
    /// assert_eq!(inside.len(), 1);
    /// assert_eq!((inside[0].enter, inside[0].exit), (7.0 / 3.0, 3.0));
    /// assert!((inside[0].thickness - 2.0).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn intervals(&self, ray: &Ray, filter: &Filter<'_>) -> Vec<Interval> {
        intervals(self, ray, filter)
    }

    /// [`Mesh::intervals`] for each ray.
    pub fn intervals_batch(&self, rays: &[Ray], filter: &Filter<'_>) -> HitLists<Interval> {
        intervals_batch(self, rays, filter)
    }
}

impl Scene {
    /// The pieces of a ray that lie in solids, by `(enter, exit, instance, material)`; empty where there are none.
    ///
    /// A solid is what one material of one instance encloses, so solids of several instances, or of several materials, overlap and
    /// nest as they like, each with intervals of its own. Entries and exits, as the mesh has them in its own frame, belong together like brackets, along the whole
    /// line: a ray that starts inside of a closed mesh is inside from its `t_min` on. Where a mesh encloses a place twice,
    /// the outer interval is the answer; a closed surface within, turned inside out, is a cavity. An entry without an exit, or
    /// an exit without an entry, is a surface without a solid, and gives an interval without thickness: that of a sheet of
    /// an open mesh, of a plane, or of a mesh that is turned inside out.
    ///
    /// The filter's mask, skip and closure choose crossings; which side they show plays no part. A crossing at which the closure
    /// says [`Stop`](crate::Verdict::Stop) ends everything that is open there.
    ///
    /// Damage by what a bullet goes through, until it is spent:
    /// ```
    /// use hitscan::shape::{Aabb, Sphere};
    /// use hitscan::{Filter, Instance, Ray, World};
    /// let mut world = World::new();
    /// world.insert(Instance::new(Aabb::new([2.0, -1.0, -1.0], [2.2, 1.0, 1.0])?).material(1)); // a door
    /// world.insert(Instance::new(Sphere::new([4.0, 0.0, 0.0], 0.5)?).material(2)); // behind it
    /// let scene = world.commit();
    ///
    /// let bullet = Ray::new([0.0, 0.0, 0.0], [800.0, 0.0, 0.0])?; // in metres a second
    /// let (mut energy, mut wounds) = (100.0, Vec::new());
    /// for piece in scene.intervals(&bullet, &Filter::ALL) {
    ///     let hardness = [0.0, 200.0, 40.0][piece.material as usize];
    ///     let lost = f64::min(energy, piece.thickness * hardness);
    ///     wounds.push((piece.material, lost.round()));
    ///     energy -= lost;
    /// }
    /// assert_eq!(wounds, [(1, 40.0), (2, 40.0)]);
    /// assert_eq!(energy.round(), 20.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "thickness")]
    pub fn intervals(&self, ray: &Ray, filter: &Filter<'_>) -> Vec<Interval> {
        intervals(self, ray, filter)
    }

    /// [`Scene::intervals`] for each ray.
    pub fn intervals_batch(&self, rays: &[Ray], filter: &Filter<'_>) -> HitLists<Interval> {
        intervals_batch(self, rays, filter)
    }
}
