//! Where a ray is inside of something: entry, exit and thickness, solid by solid.

use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

use super::all_hits::{AllHits, EveryHit};
use super::buffer::{Buffer, Memory};
use super::lists::{self, HitLists, Many, Part};
use super::{Collector, Found, Listed, Question, Target, ask_list};
use crate::bvh::group::Probes;
use crate::filter::{Facing, Filter};
use crate::hit::InstanceId;
use crate::mesh::{Mesh, length};
use crate::ray::Ray;
use crate::scene::Scene;
use crate::simd::append::Room;
use crate::simd::stack::AnyOrder;
use crate::watch::Job;

/// A piece of a ray that lies in one solid: the entry and the exit of a wound, a wall of a house, a layer of a part.
///
/// A solid is what one material of one instance encloses. See [`Scene::intervals`] for what open meshes enclose.
///
/// ```
/// use hitscan::{Filter, Ray, World, shape::Sphere};
/// let mut world = World::new();
/// world.insert(Sphere::new([0.0; 3], 1.0)?);
/// let inside = world.commit().intervals(&Ray::new([-5.0, 0.0, 0.0], [2.0, 0.0, 0.0])?, &Filter::ALL);
/// assert_eq!((inside[0].enter, inside[0].exit, inside[0].thickness), (2.0, 3.0, 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    type SideBySide<'a> = Probes<'a, Self>;
    #[inline(always)]
    fn limit(&self) -> f64 {
        self.all.limit()
    }
    #[inline(always)]
    fn offer(&mut self, found: Found) -> ControlFlow<(), bool> {
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

impl Many for Line {
    fn found(&mut self) -> &mut Vec<Found> {
        self.all.found()
    }
    #[inline(always)]
    fn sorted(&mut self) -> &[Found] {
        self.all.sorted()
    }
}

/// The crossings of a line by the solid that they belong to, and what lies between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crossings {
    all: Vec<Crossing>,
    /// Entries without an exit so far, by their numbers.
    open: Vec<usize>,
    /// Of one solid, in no order.
    pieces: Vec<Piece>,
}

#[derive(Clone, Copy, Debug)]
struct Crossing {
    solid: (InstanceId, u32),
    found: Found,
}

/// What lies between two crossings, by their numbers; a surface alone is both.
#[derive(Clone, Copy, Debug)]
struct Piece {
    entry: usize,
    exit: usize,
}

impl Crossings {
    pub const fn new() -> Crossings {
        Crossings { all: Vec::new(), open: Vec::new(), pieces: Vec::new() }
    }

    /// Sorts by solid, then along the ray.
    fn sort(&mut self) {
        self.all.sort_unstable_by(|a, b| a.solid.cmp(&b.solid).then_with(|| a.found.order(&b.found)));
    }

    /// The end of the solid that begins at a number.
    fn end_of_solid(&self, begin: usize) -> usize {
        let solid = self.all[begin].solid;
        begin + self.all[begin..].partition_point(|crossing| crossing.solid == solid)
    }

    /// Finds the pieces of a solid.
    fn find_pieces<T: Target>(&mut self, target: &T, solid: Range<usize>) {
        let Crossings { all, open, pieces } = self;
        open.clear();
        pieces.clear();
        let mut begin = solid.start;
        // At one `t` numbers of triangles say nothing about what comes first: entries do, so that what touches is one piece.
        while begin < solid.end {
            let t = all[begin].found.t;
            let end = begin + all[begin..solid.end].partition_point(|crossing| crossing.found.t == t);
            let (here, found) = (begin..end, |number: usize| &all[number].found);
            open.extend(here.clone().filter(|&number| target.enters(found(number))));
            for exit in here.filter(|&number| !target.enters(found(number))) {
                let Some(entry) = open.pop() else {
                    pieces.push(Piece { entry: exit, exit });
                    continue;
                };
                // What lies within is no piece of its own.
                while pieces.last().is_some_and(|inner| inner.entry >= entry) {
                    pieces.pop();
                }
                pieces.push(Piece { entry, exit });
            }
            begin = end;
        }
        pieces.extend(open.iter().map(|&entry| Piece { entry, exit: entry }));
    }
}

/// The question about a line; what is known of the ray is its interval.
#[derive(Clone, Copy)]
struct Inside {
    range: [f64; 2],
}

impl Question for Inside {
    type Collector = Line;
    fn begin(self, line: &Ray) -> Line {
        Line { all: EveryHit.begin(line), range: self.range, stop: None }
    }
}

impl Listed for Inside {
    type Item = Interval;
    fn list<T: Target>(
        self,
        target: &T,
        line: &Ray,
        kept: &mut Line,
        memory: &mut Memory,
        intervals: &mut Vec<Interval>,
    ) {
        let stop = kept.stop;
        let crossings = &mut memory.crossings;
        crossings.all.clear();
        crossings.all.extend(kept.sorted().iter().map(|found| {
            let solid = (found.instance, target.material(found));
            Crossing { solid, found: *found }
        }));
        crossings.sort();
        let [t_min, t_max] = self.range;
        let last = stop.map_or(t_max, |stop| stop.t);
        let unit = length(line.dir());
        let mut begin = 0;
        while begin < crossings.all.len() {
            let end = crossings.end_of_solid(begin);
            crossings.find_pieces(target, begin..end);
            let (instance, material) = crossings.all[begin].solid;
            for &Piece { entry, exit } in &crossings.pieces {
                let is_surface = entry == exit;
                let [entry, exit] = [entry, exit].map(|number| &crossings.all[number].found);
                // By comparison: of two zeroes, a maximum may be either, by the machine.
                let enter = if entry.t < t_min { t_min } else { entry.t };
                let exit_t = if exit.t > last { last } else { exit.t };
                if enter > exit_t || stop.is_some_and(|stop| stop.before(entry)) {
                    continue;
                }
                let is_whole = enter == entry.t && exit_t == exit.t;
                let through = if is_whole { target.length(line, entry, exit) } else { exit_t - enter };
                let thickness = if is_surface { 0.0 } else { unit * through };
                intervals.push(Interval { enter, exit: exit_t, thickness, instance, material });
            }
            begin = end;
        }
        intervals.sort_unstable_by(|a, b| {
            let by_t = a.enter.total_cmp(&b.enter).then(a.exit.total_cmp(&b.exit));
            let by_solid = by_t.then((a.instance, a.material).cmp(&(b.instance, b.material)));
            by_solid.then(a.thickness.total_cmp(&b.thickness))
        });
    }
}

fn intervals(target: &impl Target, ray: &Ray, filter: &Filter<'_>, intervals: &mut Buffer<Interval>) {
    let question = Inside { range: [ray.t_min(), ray.t_max()] };
    ask_list(target, question, &ray.endless(), &filter.facing(Facing::Both), intervals);
}

fn intervals_batch(target: &impl Target, rays: &[Ray], filter: &Filter<'_>) -> HitLists<Interval> {
    let mut lists = HitLists::default();
    let ask = |rays: &[Ray], part: &mut Pieces| {
        part.counts.clear();
        part.all.clear();
        for ray in rays {
            intervals(target, ray, filter, &mut part.one);
            part.counts.push(part.one.len());
            part.all.extend_from_slice(&part.one);
        }
    };
    let copy = |_: &[Ray], part: &Pieces, room: &mut Room<'_, Interval>| {
        part.all.iter().for_each(|&interval| room.push(interval));
    };
    lists::fill(rays, &mut lists, ask, copy, &Job::unwatched());
    lists
}

/// The intervals of the rays of one task; in memory that the next task uses again.
#[derive(Default)]
struct Pieces {
    counts: Vec<usize>,
    all: Vec<Interval>,
    one: Buffer<Interval>,
}

impl Part for Pieces {
    fn counts(&self) -> impl Iterator<Item = usize> {
        self.counts.iter().copied()
    }
    fn all(&self) -> usize {
        self.all.len()
    }
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
        Buffer::filled(|list| self.intervals_into(ray, filter, list))
    }

    /// [`Mesh::intervals`] into memory that is used again.
    ///
    /// ```
    /// use hitscan::{Buffer, Filter, Mesh, Ray};
    /// let corners = [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let tetrahedron = Mesh::new(corners, [[0u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let mut inside = Buffer::new(); // one for all questions
    /// tetrahedron.intervals_into(&Ray::new([1.0, 1.0, 9.0], [0.0, 0.0, -1.0])?, &Filter::ALL, &mut inside);
    /// assert_eq!((inside.len(), inside[0].enter, inside[0].exit), (1, 7.0, 9.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn intervals_into(&self, ray: &Ray, filter: &Filter<'_>, list: &mut Buffer<Interval>) {
        intervals(self, ray, filter, list);
    }

    /// [`Mesh::intervals`] for each ray.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let corners = [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let tetrahedron = Mesh::new(corners, [[0u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let rays = [1.0, 5.0].map(|x| Ray::new([x, 1.0, 9.0], [0.0, 0.0, -1.0]).unwrap());
    /// let inside = tetrahedron.intervals_batch(&rays, &Filter::ALL);
    /// assert_eq!((inside.get(0)[0].thickness, inside.get(1).len()), (2.0, 0));
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
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
        Buffer::filled(|list| self.intervals_into(ray, filter, list))
    }

    /// [`Scene::intervals`] into memory that is used again.
    ///
    /// ```
    /// use hitscan::{Buffer, Filter, Ray, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// let (scene, mut inside) = (world.commit(), Buffer::new());
    /// let ray = Ray::new([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0])?;
    /// scene.intervals_into(&ray, &Filter::ALL, &mut inside);
    /// assert_eq!((inside.len(), inside[0].enter, inside[0].exit), (1, 4.0, 6.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn intervals_into(&self, ray: &Ray, filter: &Filter<'_>, list: &mut Buffer<Interval>) {
        intervals(self, ray, filter, list);
    }

    /// [`Scene::intervals`] for each ray.
    ///
    /// ```
    /// use hitscan::{Filter, Ray, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// let rays = [0.0, 2.0].map(|y| Ray::new([-5.0, y, 0.0], [1.0, 0.0, 0.0]).unwrap());
    /// let inside = world.commit().intervals_batch(&rays, &Filter::ALL);
    /// assert_eq!((inside.get(0)[0].thickness, inside.get(1).len()), (2.0, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn intervals_batch(&self, rays: &[Ray], filter: &Filter<'_>) -> HitLists<Interval> {
        intervals_batch(self, rays, filter)
    }
}
