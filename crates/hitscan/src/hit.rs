//! The answer: where, on what, from which side.

use glam::DVec3;

/// The place of an instance in its [`World`](crate::World): the order of insertion, from 0.
///
/// At equal `t` the lower one wins. A [`Mesh`](crate::Mesh) asked directly answers as instance 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId(pub u32);

/// Which side of a triangle the ray met. The front is the side from which its corners run
/// counter-clockwise, in world space, also for mirrored instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Face {
    /// The ray came from the side that the normal points to: an entry into a closed solid.
    Front,
    /// The ray came from behind: an exit.
    Back,
}

/// One crossing of a ray and a triangle.
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
    /// The crossing in world space, from the barycentrics, so it lies on the triangle.
    pub position: DVec3,
    /// Weight of corner B, in `[0, 1]`: the point is `(1 - u - v) A + u B + v C`.
    pub u: f64,
    /// Weight of corner C, in `[0, 1]`.
    pub v: f64,
    /// Row of the mesh's triangle list, as the caller gave it.
    pub prim: u32,
    /// Which instance of the world.
    pub instance: InstanceId,
    /// The triangle's material, 0 where the mesh was given none.
    pub material: u32,
    /// Geometric unit normal in world space by counter-clockwise winding, never flipped towards the ray.
    pub normal: DVec3,
    /// The side that the ray met.
    pub facing: Face,
}

/// The part of a [`Hit`] that is found on the way, in 40 bytes: what batches of millions of rays answer with.
/// [`Mesh::describe`](crate::Mesh::describe) and [`Scene::describe`](crate::Scene::describe) give the rest.
///
/// ```
/// use hitscan::HitRecord;
/// assert!(!HitRecord::MISS.is_hit());
/// assert_eq!(size_of::<HitRecord>(), 40);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HitRecord {
    /// The crossing lies at `origin + t * dir`, in units of the length of `dir`; infinite for a miss.
    pub t: f64,
    /// Weight of corner B, in `[0, 1]`; 0 for a miss.
    pub u: f64,
    /// Weight of corner C, in `[0, 1]`; 0 for a miss.
    pub v: f64,
    /// Row of the mesh's triangle list; `u32::MAX` for a miss.
    pub prim: u32,
    /// Which instance of the world; `u32::MAX` for a miss.
    pub instance: InstanceId,
    /// The side that the ray met; `Front` for a miss.
    pub facing: Face,
}

impl HitRecord {
    /// Of a ray that hits nothing.
    pub const MISS: HitRecord = HitRecord {
        t: f64::INFINITY,
        u: 0.0,
        v: 0.0,
        prim: u32::MAX,
        instance: InstanceId(u32::MAX),
        facing: Face::Front,
    };

    /// Whether it is that of a hit.
    pub fn is_hit(&self) -> bool {
        self.prim != u32::MAX
    }
}
