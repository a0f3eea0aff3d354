//! One thing at one place.

use glam::DVec3;

use super::geometry::Geometry;
use crate::mesh::Mesh;
use crate::ray::Ray;
use crate::transform::Transform;

/// A mesh or a shape at one place.
///
/// ```
/// use hitscan::{Filter, Instance, Mesh, Ray, Transform, World};
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
/// let mut world = World::new();
/// world.insert(Instance::new(&mesh).mask(0b01));
/// let far = Transform::translation([0.0, 0.0, -6.4e6]).unwrap();
/// let id = world.insert(Instance::new(&mesh).at(far).mask(0b10));
/// let scene = world.commit();
/// let ray = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0]).unwrap();
/// assert_eq!(scene.closest(&ray, &Filter::ALL).unwrap().t, 1.0);
/// let hit = scene.closest(&ray, &Filter::new().mask(0b10)).unwrap();
/// assert_eq!((hit.instance, hit.t), (id, 6.4e6 + 1.0));
/// ```
#[derive(Clone, Debug)]
pub struct Instance {
    pub(crate) geometry: Geometry,
    pub(crate) transform: Transform,
    pub(crate) mask: u32,
    pub(crate) material: u32,
    /// Whether it did not come from where it was at the tick before.
    pub(crate) teleported: bool,
}

impl Instance {
    /// A mesh or a shape where its own coordinates put it, with the mask `u32::MAX`.
    ///
    /// ```
    /// use hitscan::{Filter, Instance, Ray, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Instance::new(Sphere::new([4.0, 0.0, 0.0], 1.0)?));
    /// let hit = world.commit().closest(&Ray::new([0.0; 3], [1.0, 0.0, 0.0])?, &Filter::new().mask(1 << 31));
    /// assert_eq!(hit.map(|hit| hit.t), Some(3.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(geometry: impl Into<Geometry>) -> Instance {
        let geometry = geometry.into();
        Instance { geometry, transform: Transform::IDENTITY, mask: u32::MAX, material: 0, teleported: false }
    }

    /// The same at another place.
    ///
    /// ```
    /// use hitscan::{Filter, Instance, Ray, Transform, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Instance::new(Sphere::new([0.0; 3], 1.0)?).at(Transform::translation([4.0, 0.0, 0.0])?));
    /// let hit = world.commit().closest(&Ray::new([0.0; 3], [1.0, 0.0, 0.0])?, &Filter::ALL);
    /// assert_eq!(hit.map(|hit| hit.t), Some(3.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn at(mut self, transform: Transform) -> Instance {
        self.transform = transform;
        self
    }

    /// The same, hit only by filters that share a bit with `mask`.
    ///
    /// ```
    /// use hitscan::{Filter, Instance, Ray, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Instance::new(Sphere::new([4.0, 0.0, 0.0], 1.0)?).mask(0b01));
    /// let (scene, ray) = (world.commit(), Ray::new([0.0; 3], [1.0, 0.0, 0.0])?);
    /// assert!(scene.occluded(&ray, &Filter::new().mask(0b11)) && !scene.occluded(&ray, &Filter::new().mask(0b10)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mask(mut self, mask: u32) -> Instance {
        self.mask = mask;
        self
    }

    /// The same with the number that hits on a shape or on a heightfield report as their material. Those on a mesh report
    /// that of their triangle: [`Mesh::with_materials`].
    ///
    /// ```
    /// use hitscan::{Filter, Instance, Ray, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Instance::new(Sphere::new([4.0, 0.0, 0.0], 1.0)?).material(7));
    /// let hit = world.commit().closest(&Ray::new([0.0; 3], [1.0, 0.0, 0.0])?, &Filter::ALL);
    /// assert_eq!(hit.map(|hit| hit.material), Some(7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn material(mut self, material: u32) -> Instance {
        self.material = material;
        self
    }

    /// What stands there.
    ///
    /// ```
    /// use hitscan::{Geometry, Instance, shape::Sphere};
    /// let ball = Instance::new(Sphere::new([0.0; 3], 2.0)?);
    /// assert!(matches!(ball.geometry(), Geometry::Sphere(sphere) if sphere.radius() == 2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// The mesh, if it is one.
    ///
    /// ```
    /// use hitscan::{Instance, Mesh};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// assert_eq!(Instance::new(&mesh).mesh().map(|mesh| mesh.triangles().len()), Some(1));
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn mesh(&self) -> Option<&Mesh> {
        self.geometry.mesh()
    }

    /// The line of a ray in the frame of the geometry, with the ray's interval.
    pub(crate) fn local(&self, ray: &Ray) -> Ray {
        let p = self.transform.inverse_point(ray.origin().to_array());
        Ray::in_frame(p, self.transform.inverse_vector(ray.dir().to_array()), ray)
    }

    /// How much of a line lies in it, in units of the ray's direction, where the geometry knows better than two `t` do.
    pub(crate) fn chord(&self, ray: &Ray) -> Option<f64> {
        self.geometry.chord(&self.local(ray))
    }

    /// The material that a hit on this triangle or face reports; of triangles that the mesh does not have 0. For closures, which see no
    /// material: a look at a list, which most crossings need not take.
    ///
    /// ```
    /// use hitscan::{Candidate, Filter, Mesh, Ray, Verdict, World};
    /// const GLASS: u32 = 7;
    /// let sheets = [0.0f32, 1.0].map(|z| [[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]]);
    /// let panes = Mesh::new(sheets.into_iter().flatten(), [[0u32, 1, 2], [3, 4, 5]])?.with_materials(vec![1, GLASS])?;
    /// let mut world = World::new();
    /// world.insert(&panes);
    /// let scene = world.commit();
    /// let through_glass = |hit: &Candidate| match scene.get(hit.instance).map(|instance| instance.material_of(hit.prim)) {
    ///     Some(GLASS) => Verdict::Ignore,
    ///     _ => Verdict::Accept,
    /// };
    /// let down = Ray::new([0.25, 0.25, 9.0], [0.0, 0.0, -1.0])?;
    /// let hit = scene.closest(&down, &Filter::new().judge(&through_glass));
    /// assert_eq!(hit.map(|hit| (hit.prim, hit.material)), Some((0, 1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn material_of(&self, prim: u32) -> u32 {
        match &self.geometry {
            Geometry::Mesh(mesh) => mesh.data.material(prim),
            _ => self.material,
        }
    }

    /// The number of the face of a shape that a point of its surface, as seen from another one, lies on; 0 where it has only
    /// one.
    pub(crate) fn face_at(&self, about: DVec3, seen: DVec3) -> u32 {
        self.geometry.face_at(self.local_of(about, seen))
    }

    /// A point as seen from another one, in the frame of the geometry: as precise as both are near to each other and to it.
    pub(crate) fn local_of(&self, about: DVec3, seen: DVec3) -> DVec3 {
        let from_here = seen - (self.transform.offset() - about);
        self.transform.inverse_vector(from_here.to_array()).into()
    }

    /// The mask that it was given.
    ///
    /// ```
    /// use hitscan::{Instance, shape::Sphere};
    /// let ball = Instance::new(Sphere::new([0.0; 3], 1.0)?);
    /// assert_eq!((ball.own_mask(), ball.mask(0b01).own_mask()), (u32::MAX, 0b01));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn own_mask(&self) -> u32 {
        self.mask
    }

    /// Where it stands.
    ///
    /// ```
    /// use hitscan::{Instance, Transform, shape::Sphere};
    /// let there = Transform::translation([4.0, 0.0, 0.0])?;
    /// assert_eq!(Instance::new(Sphere::new([0.0; 3], 1.0)?).at(there).transform(), &there);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn transform(&self) -> &Transform {
        &self.transform
    }
}

impl<G: Into<Geometry>> From<G> for Instance {
    fn from(geometry: G) -> Instance {
        Instance::new(geometry)
    }
}
