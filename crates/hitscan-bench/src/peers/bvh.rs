//! bvh 0.13: a binary tree that gives the boxes along a ray by distance. The triangles are the user's affair: here
//! the test of Moeller and Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997, on both sides.

use bvh::aabb::{Aabb, Bounded};
use bvh::bounding_hierarchy::{BHShape, BoundingHierarchy};
use bvh::bvh::Bvh;
use hitscan::{Mesh, Ray};
use nalgebra::{Point3, Vector3};

use super::per_ray::PerRay;
use super::{Build, Built, Session, far};
use crate::forms::{Form, Query};

struct Shape {
    corners: [Point3<f32>; 3],
    node: usize,
}

impl Bounded<f32, 3> for Shape {
    fn aabb(&self) -> Aabb<f32, 3> {
        Aabb::empty().grow(&self.corners[0]).grow(&self.corners[1]).grow(&self.corners[2])
    }
}

impl BHShape<f32, 3> for Shape {
    fn set_bh_node_index(&mut self, index: usize) {
        self.node = index;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

/// A ray of the crate, whose direction it has normalised, with its own one, and its end.
struct Asked {
    ray: bvh::ray::Ray<f32, 3>,
    /// Length of the direction as given: `t` counts in units of it.
    length: f32,
    far: f32,
}

pub struct BinaryTree {
    tree: Bvh<f32, 3>,
    shapes: Vec<Shape>,
}

impl BinaryTree {
    pub fn new(mesh: &Mesh) -> BinaryTree {
        let corner = |index: u32| Point3::from(mesh.vertices()[index as usize]);
        let mut shapes: Vec<Shape> =
            mesh.triangles().iter().map(|row| Shape { corners: row.map(corner), node: 0 }).collect();
        BinaryTree { tree: Bvh::build_par(&mut shapes), shapes }
    }

    pub fn session<'a>(&'a self, rays: &[Ray], form: Form) -> Box<dyn Session + 'a> {
        let rays = rays
            .iter()
            .map(|ray| {
                let dir = Vector3::from(ray.dir().as_vec3().to_array());
                let origin = Point3::from(ray.origin().as_vec3().to_array());
                let length = dir.norm();
                Asked { ray: bvh::ray::Ray::new(origin, dir), length, far: far(ray) * length }
            })
            .collect();
        if form.query == Query::Closest {
            PerRay::boxed(rays, form, |asked| self.nearest(asked))
        } else {
            PerRay::boxed(rays, form, |asked| {
                let mut boxes = self.tree.traverse_iterator(&asked.ray, &self.shapes);
                let blocks = |shape| distance(&asked.ray, shape) <= asked.far.min(f32::MAX);
                if boxes.any(blocks) { 0.0 } else { f64::INFINITY }
            })
        }
    }

    /// Boxes come by distance, so the first that begins behind the best hit ends the search.
    fn nearest(&self, asked: &Asked) -> f64 {
        let mut best = f32::INFINITY;
        for shape in self.tree.nearest_traverse_iterator(&asked.ray, &self.shapes) {
            let begins = asked.ray.intersection_slice_for_aabb(&shape.aabb()).map_or(0.0, |(near, _)| near);
            if begins > best.min(asked.far) {
                break;
            }
            best = best.min(distance(&asked.ray, shape));
        }
        if best <= asked.far { f64::from(best / asked.length) } else { f64::INFINITY }
    }
}

/// Along the ray, in world units; infinity where it misses.
fn distance(ray: &bvh::ray::Ray<f32, 3>, shape: &Shape) -> f32 {
    let [a, b, c] = shape.corners;
    let (e, f, from) = (b - a, c - a, ray.origin - a);
    let (p, q) = (ray.direction.cross(&f), from.cross(&e));
    let inverse = 1.0 / e.dot(&p);
    let (u, v, t) = (from.dot(&p) * inverse, ray.direction.dot(&q) * inverse, f.dot(&q) * inverse);
    if u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0 { t } else { f32::INFINITY }
}

pub fn build<'a>(mesh: &'a Mesh) -> Box<dyn Build + 'a> {
    Built::boxed(|| BinaryTree::new(mesh), |_| None)
}
