//! Solids with flat faces, whatever holds them, and a capsule that moves against one.

use glam::DVec3;

use super::drawn::Drawn;
use super::solid::{BOX, corners_of_aabb, corners_of_obb};
use super::sphere_triangle::RIM;
use super::{Fattened, Motion, Sweep, sweep_capsule_triangle};
use crate::exact::NEARLY;
use crate::shape::plane::unit;
use crate::shape::{Aabb, Capsule, ConvexHull, Obb, Triangle};

/// A convex solid with flat faces.
pub(crate) trait Polytope {
    /// Whether a point lies in it.
    fn holds(&self, point: DVec3) -> bool;
    /// Shows the triangles of its surface.
    fn each_triangle(&self, visit: &mut dyn FnMut(&Triangle));
    /// Shows its faces: the normal outwards, of length 1, and a point.
    fn each_face(&self, visit: &mut dyn FnMut(DVec3, DVec3));
}

/// A capsule that moves against a solid at rest.
pub(crate) fn sweep_capsule_polytope(
    capsule: &Capsule,
    motion: &Motion,
    solid: &impl Polytope,
) -> Option<Sweep> {
    let ends = [capsule.a(), capsule.b()];
    let mut is_deep = ends.iter().any(|&end| solid.holds(end));
    let mut first: Option<Sweep> = None;
    if !is_deep {
        solid.each_triangle(&mut |triangle| {
            let (low, high) = triangle.bounds();
            let Some(enter) = Fattened::entry(low, high, capsule, motion) else { return };
            if is_deep || first.is_some_and(|first| enter > first.t()) {
                return;
            }
            if ends[0] != ends[1] && Drawn::new(capsule, triangle).is_pierced() {
                is_deep = true;
                return;
            }
            if let Some(sweep) = sweep_capsule_triangle(capsule, motion, triangle)
                && first.is_none_or(|first| sweep.order(&first).is_lt())
            {
                first = Some(sweep);
            }
        });
    }
    if is_deep || first.is_some_and(|first| leads_inwards(&first, capsule.radius(), solid)) {
        parted(capsule, solid)
    } else {
        first
    }
}

/// Whether a contact of the centre or the segment itself, not of what is around it, has a normal that does not part it from the solid: a
/// segment may run through an edge or a corner into it, and through none of the triangles; and of what lies on a face but for
/// rounding, rounding says on which side.
pub(super) fn leads_inwards(contact: &Sweep, radius: f64, solid: &impl Polytope) -> bool {
    let &Sweep::Touching { depth, position, normal } = contact else { return false };
    let (mut highest, mut size) = (0.0f64, radius);
    solid.each_triangle(&mut |triangle| {
        for corner in triangle.corners() {
            highest = highest.max((corner - position).dot(normal));
            size = size.max((corner - position).abs().max_element());
        }
    });
    // Corners that were computed are rounded as such.
    let rounded = size.max(position.abs().max_element()) * RIM;
    radius - depth <= rounded.max(radius * NEARLY) && highest > size * NEARLY
}

/// The shortest way through a face that takes a segment out of a solid that it reaches into.
fn parted(capsule: &Capsule, solid: &impl Polytope) -> Option<Sweep> {
    let mut shortest: Option<(f64, DVec3, DVec3)> = None;
    solid.each_face(&mut |normal, point| {
        let ways = [capsule.a(), capsule.b()].map(|end| ((point - end).dot(normal).max(0.0), end));
        let (way, end) = if ways[1].0 > ways[0].0 { ways[1] } else { ways[0] };
        if shortest.is_none_or(|(least, ..)| way < least) {
            shortest = Some((way, end + normal * way, normal));
        }
    });
    shortest.map(|(way, position, normal)| Sweep::Touching {
        depth: capsule.radius() + way,
        position,
        normal,
    })
}

impl Polytope for Aabb {
    fn holds(&self, point: DVec3) -> bool {
        self.contains(point)
    }

    fn each_triangle(&self, visit: &mut dyn FnMut(&Triangle)) {
        box_triangles(corners_of_aabb(self), visit);
    }

    fn each_face(&self, visit: &mut dyn FnMut(DVec3, DVec3)) {
        for axis in DVec3::AXES {
            visit(-axis, self.low());
            visit(axis, self.high());
        }
    }
}

impl Polytope for Obb {
    fn holds(&self, point: DVec3) -> bool {
        self.contains(point)
    }

    fn each_triangle(&self, visit: &mut dyn FnMut(&Triangle)) {
        box_triangles(corners_of_obb(self), visit);
    }

    fn each_face(&self, visit: &mut dyn FnMut(DVec3, DVec3)) {
        let corners = corners_of_obb(self);
        for axis in 0..3 {
            // Of length 1 up to rounding in `f32`.
            let Ok(normal) = unit(self.axes().col(axis)) else { continue };
            visit(-normal, corners[0]);
            visit(normal, corners[7]);
        }
    }
}

impl Polytope for ConvexHull {
    fn holds(&self, point: DVec3) -> bool {
        self.contains(point)
    }

    fn each_triangle(&self, visit: &mut dyn FnMut(&Triangle)) {
        self.surface().iter().for_each(|&corners| visit(&Triangle::derived(corners)));
    }

    fn each_face(&self, visit: &mut dyn FnMut(DVec3, DVec3)) {
        for plane in self.planes() {
            visit(plane.normal(), plane.normal() * -plane.offset());
        }
    }
}

/// The triangles between the corners of a box.
pub(crate) fn box_triangles(corners: [DVec3; 8], visit: &mut dyn FnMut(&Triangle)) {
    BOX.iter().for_each(|triangle| visit(&Triangle::derived(triangle.map(|i| corners[i]))));
}
