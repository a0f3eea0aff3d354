//! obvhs 0.4: its eight-wide compressed tree by its medium build, and its triangles for processors.

use hitscan::{Mesh, Ray};
use obvhs::BvhBuildParams;
use obvhs::cwbvh::CwBvh;
use obvhs::cwbvh::builder::build_cwbvh_from_tris;
use obvhs::ray::RayHit;
use obvhs::rt_triangle::RtTriangle;
use obvhs::triangle::Triangle;

use super::per_ray::PerRay;
use super::{Build, Built, Session, far};
use crate::forms::{Form, Query};

pub struct Obvhs {
    tree: CwBvh,
    /// In the order of the leaves.
    triangles: Vec<RtTriangle>,
}

impl Obvhs {
    pub fn new(mesh: &Mesh) -> Obvhs {
        let corner = |index: u32| hitscan::glam::Vec3A::from_array(mesh.vertices()[index as usize]);
        let list: Vec<Triangle> = mesh
            .triangles()
            .iter()
            .map(|row| row.map(corner))
            .map(|[v0, v1, v2]| Triangle { v0, v1, v2 })
            .collect();
        let tree = build_cwbvh_from_tris(&list, BvhBuildParams::medium_build(), &mut Default::default());
        let triangles =
            tree.primitive_indices.iter().map(|&index| RtTriangle::from(&list[index as usize])).collect();
        Obvhs { tree, triangles }
    }

    pub fn session<'a>(&'a self, rays: &[Ray], form: Form) -> Box<dyn Session + 'a> {
        let rays = rays
            .iter()
            .map(|ray| obvhs::ray::Ray::new(ray.origin().as_vec3a(), ray.dir().as_vec3a(), 0.0, far(ray)))
            .collect();
        if form.query == Query::Closest {
            PerRay::boxed(rays, form, |ray: &obvhs::ray::Ray| {
                let mut hit = RayHit::none();
                self.tree.ray_traverse(*ray, &mut hit, |ray, id| self.triangles[id].intersect(ray));
                f64::from(hit.t)
            })
        } else {
            PerRay::boxed(rays, form, |ray: &obvhs::ray::Ray| {
                let free = self.tree.ray_traverse_miss(*ray, |ray, id| self.triangles[id].intersect(ray));
                if free { f64::INFINITY } else { 0.0 }
            })
        }
    }
}

pub fn build<'a>(mesh: &'a Mesh) -> Box<dyn Build + 'a> {
    Built::boxed(
        || Obvhs::new(mesh),
        |built| {
            let nodes = size_of_val(built.tree.nodes.as_slice());
            let indices = size_of_val(built.tree.primitive_indices.as_slice());
            Some(nodes + indices + size_of_val(built.triangles.as_slice()))
        },
    )
}
