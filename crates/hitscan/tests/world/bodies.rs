//! What a plain list knows of the instances of a world beyond rays: their triangles in their places, the farthest point of a
//! solid in a direction, points of its surface.

use hitscan::glam::{DMat3, DVec3};
use hitscan::shape::Triangle;
use hitscan::{Geometry, Instance, Mesh};
use hitscan_oracle::Rng;

/// The triangles of an instance.
pub fn mesh_of(instance: &Instance) -> Option<Mesh> {
    match instance.geometry() {
        Geometry::Mesh(mesh) => Some(mesh.clone()),
        Geometry::Heightfield(field) => Some(field.to_mesh().unwrap()),
        _ => None,
    }
}

/// The triangles of an instance in their places as seen from a point, by their numbers: the definition, written out.
pub fn triangles(instance: &Instance, about: DVec3) -> Vec<(u32, Triangle)> {
    let Some(mesh) = mesh_of(instance) else { return Vec::new() };
    let (m, t) = (instance.transform().matrix(), instance.transform().offset() - about);
    let rows = [m.row(0), m.row(1), m.row(2)];
    let place = |vertex: u32| {
        let [x, y, z] = mesh.vertices()[vertex as usize].map(f64::from);
        DVec3::from([0, 1, 2].map(|i| (rows[i].x * x + rows[i].y * y) + rows[i].z * z + t[i]))
    };
    let placed = mesh.triangles().iter().map(|corners| {
        let [a, b, c] = corners.map(place);
        Triangle::new(a, b, c).expect("of ordinary size")
    });
    (0u32..).zip(placed).collect()
}

/// The points of a solid that lie farthest in a direction reach so far along it; endless for a plane, which is none.
pub fn support(instance: &Instance, along: DVec3) -> f64 {
    let (m, t) = (instance.transform().matrix(), instance.transform().offset());
    let local = m.transpose() * along;
    let farthest = match instance.geometry() {
        Geometry::Sphere(sphere) => local.dot(sphere.centre()) + local.length() * sphere.radius(),
        Geometry::Capsule(capsule) => {
            local.dot(capsule.a()).max(local.dot(capsule.b())) + local.length() * capsule.radius()
        }
        Geometry::Aabb(bounds) => {
            (0..3).map(|i| (local[i] * bounds.low()[i]).max(local[i] * bounds.high()[i])).sum()
        }
        Geometry::Obb(bounds) => {
            let turned = bounds.axes().transpose() * local;
            local.dot(bounds.centre()) + turned.abs().dot(bounds.half())
        }
        Geometry::ConvexHull(hull) => {
            hull.corners().iter().map(|&corner| local.dot(corner)).fold(f64::NEG_INFINITY, f64::max)
        }
        _ => f64::INFINITY,
    };
    farthest + t.dot(along)
}

/// Some point of the solid, often of its surface; of a plane one near its frame's origin.
pub fn point_of(instance: &Instance, rng: &mut Rng) -> DVec3 {
    let on_ball = |rng: &mut Rng, radius: f64| {
        DVec3::from(rng.direction()) * radius * if rng.one_in(2) { 1.0 } else { rng.unit() }
    };
    let in_box = |rng: &mut Rng, axes: DMat3, half: DVec3| {
        let end = |rng: &mut Rng| if rng.one_in(2) { rng.pick(&[-1.0, 1.0]) } else { rng.range(-1.0, 1.0) };
        axes * (DVec3::new(end(rng), end(rng), end(rng)) * half)
    };
    let local = match instance.geometry() {
        Geometry::Sphere(sphere) => sphere.centre() + on_ball(rng, sphere.radius()),
        Geometry::Capsule(capsule) => {
            let axis = capsule.a().lerp(capsule.b(), rng.unit());
            axis + on_ball(rng, capsule.radius())
        }
        Geometry::Aabb(bounds) => {
            bounds.centre() + in_box(rng, DMat3::IDENTITY, (bounds.high() - bounds.low()) * 0.5)
        }
        Geometry::Obb(bounds) => bounds.centre() + in_box(rng, bounds.axes(), bounds.half()),
        Geometry::ConvexHull(hull) => {
            let weights: Vec<f64> = hull.corners().iter().map(|_| rng.unit().powi(8)).collect();
            let sum: f64 = weights.iter().sum();
            hull.corners().iter().zip(&weights).map(|(&corner, weight)| corner * *weight).sum::<DVec3>() / sum
        }
        Geometry::Plane(plane) => {
            let point = DVec3::from(rng.in_cube(3.0));
            point - plane.normal() * plane.signed_distance(point)
        }
        _ => {
            let mesh = mesh_of(instance).expect("triangles");
            let [a, b, c] = mesh.triangles()[rng.below(mesh.triangles().len())]
                .map(|vertex| DVec3::from(mesh.vertices()[vertex as usize].map(f64::from)));
            let (u, v) = (rng.unit(), rng.unit());
            let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
            a + (b - a) * u + (c - a) * v
        }
    };
    instance.transform().point(local)
}

/// Whether the geometry is a round one, whose place may stretch it.
pub fn is_round(instance: &Instance) -> bool {
    matches!(instance.geometry(), Geometry::Sphere(_) | Geometry::Capsule(_))
}

/// Whether a point lies in the solid, in the instance's own frame.
pub fn holds(instance: &Instance, point: DVec3) -> bool {
    let local = instance.transform().inverse() * (point - instance.transform().offset());
    match instance.geometry() {
        Geometry::Sphere(sphere) => sphere.contains(local),
        Geometry::Capsule(capsule) => capsule.contains(local),
        Geometry::Aabb(bounds) => bounds.contains(local),
        Geometry::Obb(bounds) => bounds.contains(local),
        Geometry::ConvexHull(hull) => hull.contains(local),
        Geometry::Mesh(mesh) => mesh.contains(local),
        _ => false,
    }
}
