//! parry3d 0.31: what a Rust user has today.

use hitscan::glam::DVec3;
use hitscan::{Mesh, Ray};
use parry3d::math::Vector;
use parry3d::query::RayCast;
use parry3d::shape::TriMesh;

use super::per_ray::PerRay;
use super::{Build, Built, Session, far};
use crate::forms::{Form, Query};

/// Its mesh, which is asked about rays.
pub struct Parry(TriMesh);

/// Its mesh, from the same lists.
///
/// # Errors
/// A mesh without triangles.
pub fn tri_mesh(mesh: &Mesh) -> Result<TriMesh, String> {
    let vertices = mesh.vertices().iter().map(|&[x, y, z]| Vector::new(x, y, z)).collect();
    TriMesh::new(vertices, mesh.triangles().to_vec()).map_err(|error| format!("parry3d: {error}"))
}

/// A point, or a way, rounded to its numbers.
pub fn vector(v: DVec3) -> Vector {
    Vector::new(v.x as f32, v.y as f32, v.z as f32)
}

/// A ray and where it ends, rounded to its numbers.
pub fn ray(ray: &Ray) -> (parry3d::query::Ray, f32) {
    // It multiplies the limit, so that infinity would be no number.
    (parry3d::query::Ray::new(vector(ray.origin()), vector(ray.dir())), far(ray).min(f32::MAX))
}

impl Parry {
    /// From the same lists.
    ///
    /// # Errors
    /// A mesh without triangles.
    pub fn new(mesh: &Mesh) -> Result<Parry, String> {
        tri_mesh(mesh).map(Parry)
    }

    /// A form of a question about rays; one hit at most.
    pub fn session<'a>(&'a self, rays: &[Ray], form: Form) -> Box<dyn Session + 'a> {
        let rays = rays.iter().map(ray).collect();
        if form.query == Query::Closest {
            PerRay::boxed(rays, form, |(ray, far)| {
                let hit = self.0.cast_local_ray_and_get_normal(ray, *far, false);
                hit.map_or(f64::INFINITY, |hit| f64::from(hit.time_of_impact))
            })
        } else {
            PerRay::boxed(rays, form, |(ray, far)| {
                if self.0.intersects_local_ray(ray, *far) { 0.0 } else { f64::INFINITY }
            })
        }
    }
}

/// The tree from the same lists.
pub fn build<'a>(mesh: &'a Mesh) -> Box<dyn Build + 'a> {
    Built::boxed(|| Parry::new(mesh), |_| None)
}
