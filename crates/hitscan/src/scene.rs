//! A world at one moment: immutable, shared by threads, asked by every query.

use alloc::sync::Arc;
use core::fmt;

use crate::bvh::CheckError;
use crate::hit::InstanceId;
use crate::shape::Triangle;
use crate::simd::{Isa, Kernel};
use crate::world::top::Top;
use crate::world::{Geometry, Instance};

/// A [`World`](crate::World) at one moment. Cheap to clone; clones share everything.
///
/// ```
/// use hitscan::{Filter, Ray, World, shape::Sphere};
/// let mut world = World::new();
/// world.insert(Sphere::new([0.0; 3], 1.0)?);
/// let scene = world.commit();
/// let hit = scene.closest(&Ray::new([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0])?, &Filter::ALL);
/// assert_eq!(hit.map(|hit| hit.t), Some(4.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Scene {
    pub(crate) top: Arc<Top>,
    pub(crate) kernel: Kernel,
}

/// How much there is, not all of it.
impl fmt::Debug for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scene")
            .field("instances", &self.iter().count())
            .field("bounds", &self.bounds())
            .finish_non_exhaustive()
    }
}

impl Scene {
    pub(crate) fn new(top: Arc<Top>) -> Scene {
        Scene { top, kernel: Kernel::best() }
    }

    /// The same scene, walked by another instruction set. The answers are the same on every bit; this is
    /// for tests and measurements. `None` where this machine does not have it.
    ///
    /// ```
    /// use hitscan::{Filter, Isa, Ray, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// let (scene, ray) = (world.commit(), Ray::new([-5.0, 0.0, 0.0], [1.0, 0.1, 0.0])?);
    /// let plain = scene.with_isa(Isa::Scalar).expect("every machine has it");
    /// assert_eq!(plain.closest(&ray, &Filter::ALL), scene.closest(&ray, &Filter::ALL));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_isa(&self, isa: Isa) -> Option<Scene> {
        Some(Scene { top: self.top.clone(), kernel: Kernel::of(isa)? })
    }

    /// The instruction set that walks this scene.
    ///
    /// ```
    /// use hitscan::{Isa, World};
    /// assert_eq!(World::new().commit().isa(), Isa::best());
    /// ```
    pub fn isa(&self) -> Isa {
        self.kernel.isa()
    }

    /// The instance of a name; `None` where the scene does not have it.
    ///
    /// ```
    /// use hitscan::{InstanceId, World, shape::Sphere};
    /// let mut world = World::new();
    /// let id = world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// let scene = world.commit();
    /// assert!(scene.get(id).is_some() && scene.get(InstanceId::first(1)).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn get(&self, id: InstanceId) -> Option<&Instance> {
        self.top.slots().get(id)
    }

    /// A triangle of an instance by its number, such as [`Hit::prim`](crate::Hit::prim), where it stands in the world; `None` for
    /// numbers that it does not have, holes of a heightfield among them, and for shapes, which have no triangles.
    ///
    /// ```
    /// use hitscan::{Filter, Instance, Mesh, Ray, Transform, World};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0]], [[0u32, 1, 2]])?;
    /// let mut world = World::new();
    /// world.insert(Instance::new(&mesh).at(Transform::translation([0.0, 0.0, 7.0])?));
    /// let scene = world.commit();
    /// let hit = scene.closest(&Ray::new([1.0, 1.0, 9.0], [0.0, 0.0, -1.0])?, &Filter::ALL).unwrap();
    /// let triangle = scene.triangle(hit.instance, hit.prim).unwrap();
    /// assert_eq!(triangle.corners()[1].to_array(), [3.0, 0.0, 7.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn triangle(&self, id: InstanceId, prim: u32) -> Option<Triangle> {
        let instance = self.get(id)?;
        let local = match instance.geometry() {
            Geometry::Mesh(mesh) => mesh.triangle(prim)?.corners(),
            Geometry::Heightfield(field) => {
                field.corners_of(prim)?.map(|corner| corner.map(f64::from).into())
            }
            _ => return None,
        };
        Some(Triangle::derived(local.map(|corner| instance.transform().point(corner))))
    }

    /// The instances with their names, by slot.
    ///
    /// ```
    /// use hitscan::{World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// assert_eq!(world.commit().iter().map(|(id, _)| id.slot()).collect::<Vec<_>>(), [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (InstanceId, &Instance)> {
        self.top.slots().iter()
    }

    /// A box that holds every hit of every ray, as its lowest and highest corner: the instances' boxes with room for
    /// the rounding of an entry into their frames (2^-17 of their size). What has no box, such as a plane, is left out. `None`
    /// where there is nothing. [`Mesh::bounds`](crate::Mesh::bounds) is the smallest box of one mesh.
    ///
    /// ```
    /// use hitscan::{World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// let (low, high) = world.commit().bounds().unwrap();
    /// assert!((low + 1.0).abs().max_element() < 1e-4 && (high - 1.0).abs().max_element() < 1e-4);
    /// assert!(World::new().commit().bounds().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bounds(&self) -> Option<(glam::DVec3, glam::DVec3)> {
        self.top.bounds()
    }

    /// Verifies the tree over the instances, that over meshes at one place, and each mesh with [`Mesh::check`](crate::Mesh::check).
    ///
    /// # Errors
    /// The first invariant that does not hold: a fault of this library, or a saved file that was edited; never of other input.
    ///
    /// ```
    /// use hitscan::{World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// assert!(world.commit().check().is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self) -> Result<(), CheckError> {
        self.top.check()?;
        self.iter().filter_map(|(_, instance)| instance.mesh()).try_for_each(crate::Mesh::check)
    }
}
