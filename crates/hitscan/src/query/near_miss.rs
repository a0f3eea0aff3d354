//! How near a ray passes the triangles that it misses.

use alloc::vec::Vec;

use glam::DVec3;

use crate::bvh::parallel::merged;
use crate::bvh::repeats_a_corner;
use crate::hit::InstanceId;
use crate::mesh::Mesh;
use crate::ray::Ray;
use crate::transform::Transform;
use crate::world::Instance;

/// The triangle that a ray passes nearest, and by how much.
///
/// ```
/// use hitscan::{Filter, Mesh, Ray};
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
/// let beside = Ray::new([-0.5, 0.25, 1.0], [0.0, 0.0, -1.0])?;
/// let near = mesh.explain(&beside, &Filter::ALL).near_miss.unwrap();
/// assert_eq!((near.gap, near.t, near.position.to_array()), (0.5, 1.0, [0.0, 0.25, 0.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct NearMiss {
    /// The distance between ray and triangle, in world units.
    pub gap: f64,
    /// Where on the ray that is.
    pub t: f64,
    /// The point of the triangle there, in world space.
    pub position: DVec3,
    /// Row of the mesh's triangle list; the lowest of several as near.
    pub prim: u32,
    /// Which instance of the world.
    pub instance: InstanceId,
}

impl NearMiss {
    pub(super) fn of_mesh(mesh: &Mesh, ray: &Ray) -> Option<NearMiss> {
        nearest(mesh, &Transform::IDENTITY, InstanceId::first(0), ray)
    }

    pub(super) fn of_instance(id: InstanceId, instance: &Instance, ray: &Ray) -> Option<NearMiss> {
        nearest(instance.mesh()?, instance.transform(), id, ray)
    }
}

/// Of all triangles of a mesh that can be hit, on all cores with the feature `rayon`.
fn nearest(mesh: &Mesh, transform: &Transform, instance: InstanceId, ray: &Ray) -> Option<NearMiss> {
    let prims: Vec<u32> = (0..mesh.triangles().len() as u32).collect();
    let nearer = |a: Option<NearMiss>, b: Option<NearMiss>| match (a, b) {
        (Some(a), Some(b)) => Some(if b.gap < a.gap { b } else { a }),
        (a, b) => a.or(b),
    };
    let find = |prims: &[u32]| {
        prims.iter().fold(None, |best, &prim| {
            let corners = mesh.triangles()[prim as usize].map(|i| mesh.vertices()[i as usize]);
            if repeats_a_corner(corners) {
                return best;
            }
            let corners = corners.map(|corner| transform.point(corner.map(f64::from)));
            let (t, position) = approach(ray, corners);
            let gap = position.distance(ray.at(t));
            // None between corners that are one point in the world.
            if !gap.is_finite() {
                return best;
            }
            nearer(best, Some(NearMiss { gap, t, position, prim, instance }))
        })
    };
    merged(&prims, &find, &nearer)
}

/// Where a ray that misses a triangle comes nearest to it, and the point of the triangle there: at an edge, or at an end of the
/// ray above or below it.
fn approach(ray: &Ray, [a, b, c]: [DVec3; 3]) -> (f64, DVec3) {
    let mut best = (0.0, DVec3::NAN, f64::INFINITY);
    let mut offer = |t: f64, point: DVec3| {
        let gap_sq = point.distance_squared(ray.at(t));
        if gap_sq < best.2 {
            best = (t, point, gap_sq);
        }
    };
    for (p, q) in [(a, b), (b, c), (c, a)] {
        let (t, point) = to_segment(ray, p, q);
        offer(t, point);
    }
    for t in [ray.t_min(), ray.t_max()].into_iter().filter(|t| t.is_finite()) {
        // The foot of the end in the plane, where it lies over the triangle.
        let (end, normal) = (ray.at(t), (b - a).cross(c - a));
        let foot = end - normal * ((end - a).dot(normal) / normal.length_squared());
        let left = |p: DVec3, q: DVec3| (q - p).cross(foot - p).dot(normal) >= 0.0;
        if left(a, b) && left(b, c) && left(c, a) {
            offer(t, foot);
        }
    }
    (best.0, best.1)
}

/// The nearest points of a ray, by its `t`, and of a segment (Ericson: Real-Time Collision Detection, 2005, section 5.1.9).
fn to_segment(ray: &Ray, p: DVec3, q: DVec3) -> (f64, DVec3) {
    let (o, d, e) = (ray.origin(), ray.dir(), q - p);
    let (dd, ee, de, off) = (d.length_squared(), e.length_squared(), d.dot(e), o - p);
    let on_ray = |point: DVec3| ((point - o).dot(d) / dd).clamp(ray.t_min(), ray.t_max());
    let on_segment = |t: f64| {
        let s = ((o + d * t - p).dot(e) / ee).clamp(0.0, 1.0);
        p + e * s
    };
    let area = dd * ee - de * de;
    let s = if area > 0.0 { ((d.dot(off) * -de + e.dot(off) * dd) / area).clamp(0.0, 1.0) } else { 0.0 };
    let t = on_ray(p + e * s);
    (t, on_segment(t))
}
