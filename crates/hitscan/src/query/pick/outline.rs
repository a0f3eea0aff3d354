//! The flat faces of shapes.

use glam::DVec3;

use crate::intersect::{corners_of_aabb, corners_of_obb};
use crate::shape::ConvexHull;
use crate::world::Geometry;

/// The places of a face's corners among those of a box, whose number has a bit for the upper end of each axis, around its lower
/// and its upper end along an axis.
const AROUND: [[usize; 4]; 3] = [[0, 2, 6, 4], [0, 1, 5, 4], [0, 1, 3, 2]];

/// Calls `visit` with the corners of each face, in their order around it, its number and its normal, outwards and not of length 1. Round
/// shapes, planes and what is made of triangles have none.
pub(super) fn each_face(shape: &Geometry, visit: &mut dyn FnMut(&[DVec3], u32, DVec3)) {
    match shape {
        Geometry::Aabb(bounds) => {
            each_of_box(corners_of_aabb(bounds), &|axis| DVec3::AXES[axis], visit);
        }
        Geometry::Obb(bounds) => each_of_box(corners_of_obb(bounds), &|axis| bounds.axes().col(axis), visit),
        Geometry::ConvexHull(hull) => {
            for corners in hull.surface() {
                let prim = face_of(hull, corners);
                let normal = hull.planes().get(prim).map_or(DVec3::ZERO, |plane| plane.normal());
                visit(corners, prim as u32, normal);
            }
        }
        Geometry::Mesh(_)
        | Geometry::Heightfield(_)
        | Geometry::Sphere(_)
        | Geometry::Capsule(_)
        | Geometry::Plane(_) => {}
    }
}

fn each_of_box(
    corners: [DVec3; 8],
    normal: &dyn Fn(usize) -> DVec3,
    visit: &mut dyn FnMut(&[DVec3], u32, DVec3),
) {
    for axis in 0..3 {
        for upper in 0..2 {
            let corners = AROUND[axis].map(|place| corners[place | upper << axis]);
            let outward = if upper == 1 { normal(axis) } else { -normal(axis) };
            visit(&corners, (2 * axis + upper) as u32, outward);
        }
    }
}

/// The face that a triangle of a hull's surface lies in: the lowest of those that its corners are least off from.
fn face_of(hull: &ConvexHull, corners: &[DVec3; 3]) -> usize {
    let mut best = (f64::INFINITY, 0);
    for (number, plane) in hull.planes().iter().enumerate() {
        let off = corners.iter().fold(0.0f64, |most, &corner| most.max(plane.signed_distance(corner).abs()));
        if off < best.0 {
            best = (off, number);
        }
    }
    best.1
}
