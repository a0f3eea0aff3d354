//! parry3d on the same triangles and the same bits of the same rays.

use hitscan::{Mesh, Ray};
use parry3d::math::Vector;
use parry3d::query::RayCast;
use parry3d::shape::TriMesh;

/// A mesh and rays in parry's own form, made before any measurement.
pub struct Parry {
    mesh: TriMesh,
    rays: Vec<(parry3d::query::Ray, f32)>,
}

impl Parry {
    pub fn new(mesh: &Mesh, rays: &[Ray]) -> Parry {
        let vertices = mesh.vertices().iter().map(|&[x, y, z]| Vector::new(x, y, z)).collect();
        let mesh = TriMesh::new(vertices, mesh.triangles().to_vec()).expect("the mesh has triangles");
        let vector = |v: hitscan::glam::DVec3| Vector::new(v.x as f32, v.y as f32, v.z as f32);
        let rays = rays
            .iter()
            .map(|ray| {
                let far = if ray.t_max() < f64::from(f32::MAX) { ray.t_max() as f32 } else { f32::MAX };
                (parry3d::query::Ray::new(vector(ray.origin()), vector(ray.dir())), far)
            })
            .collect();
        Parry { mesh, rays }
    }

    /// How many rays hit, by the query that gives the distance and the normal.
    pub fn closest(&self) -> usize {
        self.rays
            .iter()
            .filter(|(ray, far)| self.mesh.cast_local_ray_and_get_normal(ray, *far, false).is_some())
            .count()
    }

    /// How many rays hit, by the query that says no more.
    pub fn occluded(&self) -> usize {
        self.rays.iter().filter(|(ray, far)| self.mesh.intersects_local_ray(ray, *far)).count()
    }
}
