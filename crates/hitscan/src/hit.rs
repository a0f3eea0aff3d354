//! The answer: where, on what, from which side.

use glam::DVec3;

use crate::columns::Status;

/// The name of an instance in its [`World`](crate::World): a slot, and how many instances the slot held before.
///
/// Slots are given out in order, from 0, and those of removed instances again. A name that was given out once stands for
/// that instance alone: after its removal it is stale, and whoever asks for it is told so. Names order by slot; at equal
/// `t` the lower one wins. A [`Mesh`](crate::Mesh) asked directly answers as [`InstanceId::first`]`(0)`, the default.
///
/// ```
/// use hitscan::{InstanceId, World, shape::Sphere};
/// let ball = Sphere::new([0.0; 3], 1.0)?;
/// let mut world = World::new();
/// let (a, b) = (world.insert(ball), world.insert(ball));
/// assert_eq!((a, b), (InstanceId::first(0), InstanceId::first(1)));
/// world.remove(a)?;
/// let c = world.insert(ball);
/// assert_eq!((c.slot(), c.generation()), (0, 1));
/// assert!(world.get(a).is_none() && world.get(c).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId {
    slot: u32,
    generation: u32,
}

impl InstanceId {
    /// What a miss has.
    pub(crate) const NONE: InstanceId = InstanceId { slot: u32::MAX, generation: u32::MAX };

    /// The first instance of a slot: in a world from which nothing was removed, the one that was inserted as that number.
    ///
    /// ```
    /// use hitscan::{InstanceId, World, shape::Sphere};
    /// let mut world = World::new();
    /// let [_, second] = [1.0, 2.0].map(|radius| world.insert(Sphere::new([0.0; 3], radius).unwrap()));
    /// assert_eq!(second, InstanceId::first(1));
    /// ```
    pub const fn first(slot: u32) -> InstanceId {
        InstanceId { slot, generation: 0 }
    }

    pub(crate) const fn new(slot: u32, generation: u32) -> InstanceId {
        InstanceId { slot, generation }
    }

    /// Its place, as a number from 0.
    ///
    /// ```
    /// assert_eq!(hitscan::InstanceId::first(4).slot(), 4);
    /// ```
    pub const fn slot(self) -> u32 {
        self.slot
    }

    /// How many instances the slot held before it.
    ///
    /// ```
    /// use hitscan::{World, shape::Sphere};
    /// let (mut world, ball) = (World::new(), Sphere::new([0.0; 3], 1.0)?);
    /// let first = world.insert(ball);
    /// world.remove(first)?;
    /// let second = world.insert(ball);
    /// assert_eq!((first.slot(), second.slot(), second.generation()), (0, 0, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn generation(self) -> u32 {
        self.generation
    }
}

/// Which side of a surface the ray met. The front of a triangle is the side from which its corners run
/// counter-clockwise, in world space, also for mirrored instances; that of a shape its outside.
///
/// ```
/// use hitscan::{Face, Filter, Ray, World, shape::Sphere};
/// let mut world = World::new();
/// world.insert(Sphere::new([0.0; 3], 1.0)?);
/// let hits = world.commit().all_hits(&Ray::new([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0])?, &Filter::ALL);
/// assert_eq!(hits.iter().map(|hit| hit.facing).collect::<Vec<_>>(), [Face::Front, Face::Back]); // in, and out
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Face {
    /// The ray came from the side that the normal points to: an entry into a closed solid.
    Front,
    /// The ray came from behind: an exit.
    Back,
}

/// One crossing of a ray and a surface: a triangle, or the surface of a shape.
///
/// ```
/// use hitscan::{Face, Filter, Mesh, Ray};
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]], [[0u32, 1, 2]]).unwrap();
/// let ray = Ray::new([1.0, 2.0, 6.0], [0.0, 0.0, -2.0]).unwrap();
/// let hit = mesh.closest(&ray, &Filter::ALL).unwrap();
/// assert_eq!((hit.t, hit.distance, hit.u, hit.v), (3.0, 6.0, 0.25, 0.5));
/// assert_eq!(hit.position.to_array(), [1.0, 2.0, 0.0]);
/// assert_eq!((hit.prim, hit.facing, hit.normal.z), (0, Face::Front, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Hit {
    /// The crossing lies at `origin + t * dir`, up to rounding; the unit of `t` is the length of `dir`.
    pub t: f64,
    /// `t` times the length of `dir`, in world units; negative behind the origin.
    pub distance: f64,
    /// The crossing in world space: from the barycentrics, so it lies on the triangle, or on the surface of a shape.
    pub position: DVec3,
    /// Weight of corner B, in `[0, 1]`: the point is `(1 - u - v) A + u B + v C`; 0 on shapes.
    pub u: f64,
    /// Weight of corner C, in `[0, 1]`; 0 on shapes.
    pub v: f64,
    /// Row of the mesh's triangle list, as the caller gave it. Of a box the place in
    /// [`BoxFace::ALL`](crate::intersect::BoxFace::ALL), of a convex hull that in
    /// [`ConvexHull::planes`](crate::shape::ConvexHull::planes); of a capsule 0 for the cap around its end A, 1 for the other one
    /// and 2 for its side; 0 on other shapes.
    pub prim: u32,
    /// Which instance of the world.
    pub instance: InstanceId,
    /// The triangle's material, 0 where the mesh was given none; of a shape and of a heightfield that of its
    /// [`Instance`](crate::Instance::material).
    pub material: u32,
    /// Geometric unit normal in world space, by counter-clockwise winding or outwards from a shape, never flipped towards the
    /// ray.
    pub normal: DVec3,
    /// The side that the ray met.
    pub facing: Face,
}

/// The part of a [`Hit`] that is found on the way, in 40 bytes: what
/// [`Mesh::closest_record`](crate::Mesh::closest_record) and batches of millions of rays answer with.
/// [`Mesh::describe`](crate::Mesh::describe) and [`Scene::describe`](crate::Scene::describe) give the rest.
///
/// ```
/// use hitscan::HitRecord;
/// assert!(!HitRecord::MISS.is_hit());
/// assert_eq!(size_of::<HitRecord>(), 40);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HitRecord {
    /// The crossing lies at `origin + t * dir`, in units of the length of `dir`; infinite for a miss, NaN for what is no ray.
    pub t: f64,
    /// Weight of corner B, in `[0, 1]`; 0 for a miss.
    pub u: f64,
    /// Weight of corner C, in `[0, 1]`; 0 for a miss.
    pub v: f64,
    /// As in [`Hit`]; `u32::MAX` for a miss.
    pub prim: u32,
    /// Which instance of the world; slot and generation are `u32::MAX` for a miss.
    pub instance: InstanceId,
    /// The side that the ray met; `Front` for a miss.
    pub facing: Face,
}

impl HitRecord {
    /// Of a ray that hits nothing.
    ///
    /// ```
    /// assert!(!hitscan::HitRecord::MISS.is_hit());
    /// ```
    pub const MISS: HitRecord = HitRecord {
        t: f64::INFINITY,
        u: 0.0,
        v: 0.0,
        prim: u32::MAX,
        instance: InstanceId::NONE,
        facing: Face::Front,
    };

    /// Of a row of [`Columns`](crate::Columns) that is no ray: as a miss, but its `t` is not a number.
    ///
    /// ```
    /// assert!(hitscan::HitRecord::INVALID.t.is_nan());
    /// ```
    pub const INVALID: HitRecord = HitRecord { t: f64::NAN, ..HitRecord::MISS };

    /// Whether it is that of a hit.
    ///
    /// ```
    /// use hitscan::{Filter, HitRecord, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// let is_hit = |x: f64| mesh.closest_record(&Ray::new([x, 0.25, 1.0], [0.0, 0.0, -1.0]).unwrap(), &Filter::ALL).is_hit();
    /// assert!(is_hit(0.25) && !is_hit(2.0) && !HitRecord::INVALID.is_hit());
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn is_hit(&self) -> bool {
        self.prim != u32::MAX
    }

    /// Whether it is that of a hit, of a miss, or of what is no ray.
    ///
    /// ```
    /// use hitscan::{HitRecord, Status};
    /// assert_eq!([HitRecord::MISS, HitRecord::INVALID].map(|record| record.status()), [Status::Miss, Status::Invalid]);
    /// ```
    pub fn status(&self) -> Status {
        match self.is_hit() {
            true => Status::Hit,
            false if self.t.is_nan() => Status::Invalid,
            false => Status::Miss,
        }
    }
}
