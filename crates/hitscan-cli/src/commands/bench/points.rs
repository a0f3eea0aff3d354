//! A point in a triangle, a box, a sphere or a hull.

use hitscan::glam::DVec3;
use hitscan::shape::{Aabb, ConvexHull, Obb, Sphere, Triangle};

use super::inputs::{Frame, Kind, Rng, towards, triangle};
use super::measure::{self, Algorithm, Row};
use super::solids::{Group, aabb, hull, obb, question, sphere};
use crate::truth;

/// The rows of all of them.
pub fn rows(seed: u64) -> Vec<Row> {
    let triangles = question!(seed, "point, triangle", in_triangle, |point, shape| truth::covers(shape, *point),
        "Triangle::covers" => |point: &DVec3, shape: &Triangle| shape.covers(*point));
    let boxes = question!(seed, "point, box", in_aabb, |point, shape| truth::in_aabb(*point, shape),
        "Aabb::contains" => |point: &DVec3, shape: &Aabb| shape.contains(*point));
    let turned = question!(seed, "point, oriented box", in_obb, |point, shape| truth::in_obb(*point, shape),
        "Obb::contains" => |point: &DVec3, shape: &Obb| shape.contains(*point));
    let spheres = question!(seed, "point, sphere", in_sphere, |point, shape| truth::in_sphere(*point, shape),
        "Sphere::contains" => |point: &DVec3, shape: &Sphere| shape.contains(*point));
    let hulls = question!(seed, "point, hull", in_hull, |point, shape| truth::in_hull(*point, shape),
        "ConvexHull::contains" => |point: &DVec3, shape: &ConvexHull| shape.contains(*point));
    [triangles, boxes, turned, spheres, hulls].into_iter().flatten().collect()
}

/// The place where a triangle was made for a ray to pass: inside, or on an edge.
fn in_triangle(kind: Kind, rng: &mut Rng) -> Option<(DVec3, Triangle)> {
    let target = kind.place(rng);
    let ray = towards(target, rng)?;
    let shape = triangle(kind, &ray, target, rng)?;
    let [a, b, _] = shape.corners();
    let point = if kind == Kind::Random { target } else { a.lerp(b, rng.range(0.0, 1.0)) };
    Some((point, shape))
}

fn in_aabb(kind: Kind, rng: &mut Rng) -> Option<(DVec3, Aabb)> {
    let frame = Frame::new(kind, false, rng);
    Some((frame.aimed(kind, rng), aabb(&frame)?))
}

fn in_obb(kind: Kind, rng: &mut Rng) -> Option<(DVec3, Obb)> {
    let frame = Frame::new(kind, true, rng);
    Some((frame.aimed(kind, rng), obb(&frame)?))
}

fn in_hull(kind: Kind, rng: &mut Rng) -> Option<(DVec3, ConvexHull)> {
    let frame = Frame::new(kind, true, rng);
    Some((frame.aimed(kind, rng), hull(&frame)?))
}

fn in_sphere(kind: Kind, rng: &mut Rng) -> Option<(DVec3, Sphere)> {
    let ball = sphere(kind, rng)?;
    let reach = if kind == Kind::Random { rng.range(0.5, 1.5) } else { 1.0 };
    Some((ball.centre() + rng.unit() * (reach * ball.radius()), ball))
}
