//! Rounded normals for lit pictures: the mean over the triangles at a corner, except across sharp edges.

use hitscan::glam::{DVec3, Vec3};
use hitscan::{Hit, Scene, Transform};
use hitscan_io::Model;
use rayon::prelude::*;

/// Cosine of the largest angle between a triangle and a rounded corner; beyond it an edge is sharp.
const SHARP: f32 = 0.80;

/// A normal for each corner of each mesh.
#[derive(Debug)]
pub struct Normals {
    /// Row of the model's mesh, row of its vertex.
    meshes: Vec<Vec<Vec3>>,
}

impl Normals {
    /// Means over all triangles, by area.
    pub fn of(model: &Model) -> Normals {
        let of_mesh = |mesh: &hitscan::Mesh| {
            let vertices = mesh.vertices();
            let mut normals = vec![Vec3::ZERO; vertices.len()];
            for triangle in mesh.triangles() {
                let [a, b, c] = triangle.map(|i| Vec3::from(vertices[i as usize]));
                let normal = (b - a).cross(c - a);
                for &i in triangle {
                    normals[i as usize] += normal;
                }
            }
            normals
        };
        Normals { meshes: model.meshes.par_iter().map(|named| of_mesh(&named.mesh)).collect() }
    }

    /// The rounded unit normal at a hit, on the side of its geometric normal.
    pub fn at(&self, scene: &Scene, model: &Model, hit: &Hit) -> DVec3 {
        let Some(instance) = scene.get(hit.instance) else { return hit.normal };
        let Some(mesh) = instance.mesh() else { return hit.normal };
        let normals = &self.meshes[model.nodes[hit.instance.slot() as usize].mesh];
        let triangle = mesh.triangles()[hit.prim as usize];
        let [a, b, c] = triangle.map(|i| Vec3::from(mesh.vertices()[i as usize]));
        let flat = (b - a).cross(c - a).normalize_or_zero();
        let corner = |i: u32| {
            let rounded = normals[i as usize].normalize_or_zero();
            if rounded.dot(flat) > SHARP { rounded } else { flat }
        };
        let [na, nb, nc] = triangle.map(corner);
        if na == flat && nb == flat && nc == flat {
            return hit.normal;
        }
        let (u, v) = (hit.u as f32, hit.v as f32);
        let local = na * (1.0 - u - v) + nb * u + nc * v;
        let world = to_world(instance.transform(), local.as_dvec3()).normalize_or(hit.normal);
        if world.dot(hit.normal) < 0.0 { -world } else { world }
    }
}

/// The direction of a normal in world space: the inverse transpose.
fn to_world(transform: &Transform, n: DVec3) -> DVec3 {
    transform.inverse().transpose() * n
}
