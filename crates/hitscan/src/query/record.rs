//! The first crossing along a ray, or along each of many, as the few numbers that are found on the way: for those who ask
//! millions.

use alloc::vec::Vec;

use super::batch::fill;
use super::closest::Closest;
use super::{Question, Single, Target, ask};
use crate::filter::Filter;
use crate::heightfield::Heightfield;
use crate::hit::{Hit, HitRecord};
use crate::mesh::{Mesh, length, unit_normal};
use crate::ray::Ray;
use crate::scene::Scene;
use crate::transform::Transform;
use crate::watch::Job;
use crate::world::{Geometry, Instance};

#[derive(Clone, Copy)]
pub(super) struct ClosestRecord;

impl Question for ClosestRecord {
    type Collector = Closest;
    #[inline(always)]
    fn begin(self, ray: &Ray) -> Closest {
        Closest::new(ray)
    }
}

impl Single for ClosestRecord {
    type Answer = HitRecord;
    #[inline(always)]
    fn answer<T: Target>(self, _: &T, _: &Ray, kept: &mut Closest) -> HitRecord {
        match kept.best {
            Some(found) => found.record(),
            None => HitRecord::MISS,
        }
    }
}

impl Mesh {
    /// [`Mesh::closest`] as a record, without the normal, the position and the distance: the fastest form for one ray.
    /// A miss is [`HitRecord::MISS`].
    ///
    /// ```
    /// use hitscan::{Filter, HitRecord, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    /// let ray = Ray::new([0.25, 0.5, 1.0], [0.0, 0.0, -2.0]).unwrap();
    /// let record = mesh.closest_record(&ray, &Filter::ALL);
    /// assert_eq!((record.t, record.u, record.v, record.prim), (0.5, 0.25, 0.5, 0));
    /// assert_eq!(mesh.describe(&ray, &record), mesh.closest(&ray, &Filter::ALL));
    /// assert_eq!(mesh.closest_record(&ray.with_range(0.0, 0.4).unwrap(), &Filter::ALL), HitRecord::MISS);
    /// ```
    pub fn closest_record(&self, ray: &Ray, filter: &Filter<'_>) -> HitRecord {
        ask(self, ClosestRecord, ray, filter)
    }

    /// [`Mesh::closest`] for each ray, in their order, as records, into a list that is used again and again: the fastest
    /// form for millions of rays. A ray that misses has [`HitRecord::MISS`]. What the list held before is dropped.
    ///
    /// ```
    /// use hitscan::{Filter, HitRecord, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    /// let rays = [0.2, 3.0].map(|x| Ray::new([x, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
    /// let mut records = Vec::new();
    /// mesh.closest_records(&rays, &Filter::ALL, &mut records);
    /// assert_eq!((records[0].t, records[0].prim, records[1]), (1.0, 0, HitRecord::MISS));
    /// assert_eq!(mesh.describe(&rays[0], &records[0]), mesh.closest(&rays[0], &Filter::ALL));
    /// ```
    pub fn closest_records(&self, rays: &[Ray], filter: &Filter<'_>, records: &mut Vec<HitRecord>) {
        fill(self, ClosestRecord, rays, filter, records, &Job::unwatched());
    }

    /// The whole answer that a record of this mesh stands for, on every bit that of [`Mesh::closest`] for the ray that it
    /// answers; `None` for that of a miss, or of a triangle that the mesh does not have. One from before a
    /// [refit](Mesh::refit) is described by where its triangle is now.
    ///
    /// ```
    /// use hitscan::{Filter, HitLists, HitRecord, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    /// let ray = Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -2.0]).unwrap();
    /// let mut lists = HitLists::default();
    /// mesh.all_hits_records(&[ray], &Filter::ALL, &mut lists);
    /// let hit = mesh.describe(&ray, &lists.get(0)[0]).unwrap();
    /// assert_eq!((hit.t, hit.distance, hit.normal.z), (0.5, 1.0, 1.0));
    /// assert_eq!(mesh.describe(&ray, &HitRecord::MISS), None);
    /// ```
    pub fn describe(&self, ray: &Ray, record: &HitRecord) -> Option<Hit> {
        describe(self, None, ray, record)
    }
}

impl Heightfield {
    /// [`Heightfield::closest`] as a record, without the normal, the position and the distance. A miss is
    /// [`HitRecord::MISS`].
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// use hitscan::{Filter, Ray};
    /// let plain = Heightfield::builder(2, 2).build_f32([0.0; 4])?;
    /// let ray = Ray::new([0.25, 1.0, 0.5], [0.0, -2.0, 0.0])?;
    /// let record = plain.closest_record(&ray, &Filter::ALL);
    /// assert_eq!((record.t, plain.describe(&ray, &record)), (0.5, plain.closest(&ray, &Filter::ALL)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest_record(&self, ray: &Ray, filter: &Filter<'_>) -> HitRecord {
        ask(self, ClosestRecord, ray, filter)
    }

    /// [`Heightfield::closest`] for each ray, in their order, as records, into a list that is used again and again. A ray
    /// that misses has [`HitRecord::MISS`]. What the list held before is dropped.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// use hitscan::{Filter, HitRecord, Ray};
    /// let plain = Heightfield::builder(2, 2).build_f32([0.0; 4])?;
    /// let rays = [0.25, 3.0].map(|x| Ray::new([x, 1.0, 0.25], [0.0, -1.0, 0.0]).unwrap());
    /// let mut records = Vec::new();
    /// plain.closest_records(&rays, &Filter::ALL, &mut records);
    /// assert_eq!((records[0].t, records[0].prim, records[1]), (1.0, 0, HitRecord::MISS));
    /// # Ok::<(), hitscan::heightfield::HeightfieldError>(())
    /// ```
    pub fn closest_records(&self, rays: &[Ray], filter: &Filter<'_>, records: &mut Vec<HitRecord>) {
        fill(self, ClosestRecord, rays, filter, records, &Job::unwatched());
    }

    /// The whole answer that a record of this heightfield stands for, on every bit that of [`Heightfield::closest`] for the
    /// ray that it answers; `None` for that of a miss, or of a triangle that is not there.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// use hitscan::{Filter, Ray};
    /// let plain = Heightfield::builder(2, 2).build_f32([0.0; 4])?;
    /// let ray = Ray::new([0.25, 1.0, 0.25], [0.0, -1.0, 0.0])?;
    /// let mut records = Vec::new();
    /// plain.closest_records(&[ray], &Filter::ALL, &mut records);
    /// assert_eq!(plain.describe(&ray, &records[0]), plain.closest(&ray, &Filter::ALL));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn describe(&self, ray: &Ray, record: &HitRecord) -> Option<Hit> {
        self.describe_record(None, ray, record, 0)
    }
}

impl Scene {
    /// [`Scene::closest`] as a record, without the normal, the position and the distance. A miss is [`HitRecord::MISS`].
    ///
    /// ```
    /// use hitscan::{Filter, Ray, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0, 0.0, -5.0], 1.0)?);
    /// let (scene, ray) = (world.commit(), Ray::new([0.0; 3], [0.0, 0.0, -1.0])?);
    /// let record = scene.closest_record(&ray, &Filter::ALL);
    /// assert_eq!((record.t, scene.describe(&ray, &record)), (4.0, scene.closest(&ray, &Filter::ALL)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest_record(&self, ray: &Ray, filter: &Filter<'_>) -> HitRecord {
        ask(self, ClosestRecord, ray, filter)
    }

    /// [`Scene::closest`] for each ray, in their order, as records, into a list that is used again and again. A ray that
    /// misses has [`HitRecord::MISS`]. What the list held before is dropped.
    ///
    /// ```
    /// use hitscan::{Filter, HitRecord, Ray, World};
    /// let rays = [Ray::new([0.0; 3], [0.0, 0.0, -1.0]).unwrap()];
    /// let mut records = Vec::new();
    /// World::new().commit().closest_records(&rays, &Filter::ALL, &mut records);
    /// assert_eq!(records, [HitRecord::MISS]); // nothing is there
    /// ```
    pub fn closest_records(&self, rays: &[Ray], filter: &Filter<'_>, records: &mut Vec<HitRecord>) {
        fill(self, ClosestRecord, rays, filter, records, &Job::unwatched());
    }

    /// The whole answer that a record of this scene stands for, on every bit that of [`Scene::closest`] for the ray that it
    /// answers; `None` for that of a miss, or of an instance or a triangle that the scene does not have.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray, World};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    /// let mut world = World::new();
    /// world.insert(&mesh);
    /// let (scene, ray) = (world.commit(), Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap());
    /// let mut records = Vec::new();
    /// scene.closest_records(&[ray], &Filter::ALL, &mut records);
    /// assert_eq!(scene.describe(&ray, &records[0]), scene.closest(&ray, &Filter::ALL));
    /// ```
    pub fn describe(&self, ray: &Ray, record: &HitRecord) -> Option<Hit> {
        let instance = self.get(record.instance)?;
        match instance.geometry() {
            Geometry::Mesh(mesh) => describe(mesh, Some(instance.transform()), ray, record),
            Geometry::Heightfield(field) => {
                let material = instance.material_of(record.prim);
                field.describe_record(Some(instance.transform()), ray, record, material)
            }
            _ => Some(describe_shape(instance, ray, record)),
        }
    }
}

/// The whole answer for a crossing with the surface of a shape.
#[inline(never)]
pub(crate) fn describe_shape(instance: &Instance, ray: &Ray, record: &HitRecord) -> Hit {
    let HitRecord { t, u, v, prim, instance: id, facing } = *record;
    let transform = instance.transform();
    let (position, normal) = instance.geometry().on_surface(&instance.local(ray), t, prim, facing);
    Hit {
        t,
        distance: t * length(ray.dir()),
        position: transform.point(position),
        u,
        v,
        prim,
        instance: id,
        material: instance.material,
        normal: unit_normal(transform.outward(normal.to_array()), ray.dir(), facing) + 0.0,
        facing,
    }
}

fn describe(mesh: &Mesh, transform: Option<&Transform>, ray: &Ray, record: &HitRecord) -> Option<Hit> {
    let triangle = mesh.triangles().get(record.prim as usize)?;
    let corners = triangle.map(|index| mesh.vertices()[index as usize]);
    Some(mesh.data.describe(transform, ray, corners, record))
}
