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
    /// short, for the ray as it is in the sphere's frame, which the difference of two `t` is not; 0 for a surface without a solid behind it.
    pub thickness: f64,
    /// Which instance of the world.
    pub instance: InstanceId,
    /// Of which material, as in [`Hit`](crate::Hit).
    pub material: u32,
}

/// Keeps all crossings of the whole line.
pub(super) struct Line {
    all: AllHits,
    /// Where the ray itself begins and ends: a filter does not stop elsewhere.
    range: [f64; 2],
    /// The first crossing at which a filter stopped.
    stop: Option<Found>,
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
    /// What lies behind is looked for all the same: it tells solids from surfaces.
    fn stop_at(&mut self, last: &Found) {
        let [t_min, t_max] = self.range;
        if (t_min..=t_max).contains(&last.t) && self.stop.is_none_or(|known| last.before(&known)) {
            self.stop = Some(*last);
        }
    }
}

/// The question about a line; what is known of the ray is its interval.
#[derive(Clone, Copy)]
struct Inside {
    range: [f64; 2],
}

impl Question for Inside {
    type Collector = Line;
    type Answer = Vec<Interval>;
    fn begin(self, line: &Ray) -> Line {
        Line { all: EveryHit.begin(line), range: self.range, stop: None }
    }
    fn answer<T: Target>(self, target: &T, line: &Ray, kept: &mut Line) -> Vec<Interval> {
        let stop = kept.stop;
        let mut crossings: Vec<(InstanceId, u32, Found)> =
            kept.all.sorted().iter().map(|found| (found.instance, target.material(found), *found)).collect();
        // A stable sort, which keeps the order along the ray.
        crossings.sort_by_key(|&(instance, material, _)| (instance, material));
        let [t_min, t_max] = self.range;
        let end = stop.map_or(t_max, |stop| stop.t);
        let unit = length(line.dir());
        let mut intervals = Vec::new();
        for solid in crossings.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (instance, material, _) = solid[0];
            for Piece { entry, exit } in pieces(target, solid) {
                let (enter, exit_t) = (entry.t.max(t_min), exit.t.min(end));
                if enter > exit_t || stop.is_some_and(|stop| stop.before(entry)) {
                    continue;
                }
                let is_whole = enter == entry.t && exit_t == exit.t;
                let through = if is_whole { target.length(line, entry, exit) } else { exit_t - enter };
                let thickness = if entry == exit { 0.0 } else { unit * through };
                intervals.push(Interval { enter, exit: exit_t, thickness, instance, material });
            }
        }
        intervals.sort_by(|a, b| {
            let by_t = a.enter.total_cmp(&b.enter).then(a.exit.total_cmp(&b.exit));
            by_t.then((a.instance, a.material).cmp(&(b.instance, b.material)))
        });
        intervals
    }
}

/// What lies between two crossings of a line; a surface alone is both.
struct Piece<'a> {
    entry: &'a Found,
    exit: &'a Found,
}

/// The pieces of a line in one solid, in no order, from its crossings in theirs.
fn pieces<'a, T: Target>(target: &T, solid: &'a [(InstanceId, u32, Found)]) -> Vec<Piece<'a>> {
    // Entries without an exit so far. An exit belongs to the last of them.
    let mut open: Vec<&Found> = Vec::new();
    let mut pieces: Vec<Piece<'a>> = Vec::new();
    // At one `t` numbers of triangles say nothing about what comes first: entries do, so that what touches is one piece.
    for here in solid.chunk_by(|a, b| a.2.t == b.2.t) {
        let found = || here.iter().map(|(.., found)| found);
        open.extend(found().filter(|found| target.enters(found)));
        for exit in found().filter(|found| !target.enters(found)) {
            let Some(entry) = open.pop() else {
                pieces.push(Piece { entry: exit, exit });
                continue;
            };
            // What lies within is no piece of its own.
            while pieces.last().is_some_and(|inner| !inner.entry.before(entry)) {
                pieces.pop();
            }
            pieces.push(Piece { entry, exit });
        }
    }
    pieces.extend(open.into_iter().map(|entry| Piece { entry, exit: entry }));
    pieces
}

fn intervals(target: &impl Target, ray: &Ray, filter: &Filter<'_>) -> Vec<Interval> {
    let question = Inside { range: [ray.t_min(), ray.t_max()] };
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
    /// The filter's mask, skip and closure choose crossings, also before the ray's start and beyond its end; which side they show
    /// plays no part. A crossing of the ray at which the closure says [`Stop`](crate::Verdict::Stop) ends everything that is open there.
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
