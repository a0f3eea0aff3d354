//! The edges of shapes with flat faces.

use glam::DVec3;

use crate::intersect::{corners_of_aabb, corners_of_obb};
use crate::world::Geometry;

/// The places of a face's corners among those of a box, whose number has a bit for the upper end of each axis, around its lower
/// and its upper end along an axis.
const AROUND: [[usize; 4]; 3] = [[0, 2, 6, 4], [0, 1, 5, 4], [0, 1, 3, 2]];

/// Calls `visit` with the ends of each edge of each face, the face's number and its normal, outwards and not of length 1. Round
/// shapes, planes and what is made of triangles have none.
pub(super) fn each_edge(shape: &Geometry, visit: &mut dyn FnMut([DVec3; 2], u32, DVec3)) {
    match shape {
        Geometry::Aabb(bounds) => {
            each_of_box(corners_of_aabb(bounds), &|axis| DVec3::AXES[axis], visit);
        }
        Geometry::Obb(bounds) => each_of_box(corners_of_obb(bounds), &|axis| bounds.axes().col(axis), visit),
        Geometry::ConvexHull(hull) => {
            for edge in hull.edges() {
                let Some(plane) = hull.planes().get(edge.face) else { continue };
                visit(edge.ends, edge.face as u32, plane.normal());
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
    visit: &mut dyn FnMut([DVec3; 2], u32, DVec3),
) {
    for axis in 0..3 {
        for upper in 0..2 {
            let corners = AROUND[axis].map(|place| corners[place | upper << axis]);
            let outward = if upper == 1 { normal(axis) } else { -normal(axis) };
            for i in 0..4 {
                visit([corners[i], corners[(i + 1) % 4]], (2 * axis + upper) as u32, outward);
            }
        }
    }
}
