//! Solids with flat faces, whatever holds them, and a capsule that moves against one.

use glam::{DVec2, DVec3};

use super::drawn::Drawn;
use super::solid::{BOX, corners_of_aabb, corners_of_obb};
use super::sphere_triangle::RIM;
use super::{Fattened, Motion, Sweep, sweep_capsule_triangle};
use crate::exact::NEARLY;
use crate::shape::plane::{power_of_two, unit};
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
    match first_met(capsule, motion, solid)? {
        Met::Inside => parted(capsule, solid),
        Met::Surface(first) if leads_inwards(&first, capsule.radius(), solid) => parted(capsule, solid),
        Met::Surface(first) => Some(first),
    }
}

/// Whether a capsule at rest goes into a solid at all, for those who ask no more.
pub(crate) fn capsule_reaches_polytope(capsule: &Capsule, solid: &impl Polytope) -> bool {
    first_met(capsule, &Motion::NONE, solid).is_some()
}

/// What of a solid a capsule meets first.
enum Met {
    /// Its segment starts inside, or through one of the triangles.
    Inside,
    Surface(Sweep),
}

fn first_met(capsule: &Capsule, motion: &Motion, solid: &impl Polytope) -> Option<Met> {
    let ends = [capsule.a(), capsule.b()];
    if ends.iter().any(|&end| solid.holds(end)) {
        return Some(Met::Inside);
    }
    let (mut is_deep, mut first) = (false, None::<Sweep>);
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
    if is_deep { Some(Met::Inside) } else { first.map(Met::Surface) }
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

/// The shortest way that takes a segment out of a solid that it reaches into.
fn parted(capsule: &Capsule, solid: &impl Polytope) -> Option<Sweep> {
    let ends = [capsule.a(), capsule.b()];
    let mut shortest: Option<(f64, DVec3)> = None;
    solid.each_face(&mut |normal, point| {
        let [a, b] = ends.map(|end| (point - end).dot(normal).max(0.0));
        if shortest.is_none_or(|(least, _)| a.max(b) < least) {
            shortest = Some((a.max(b), normal));
        }
    });
    let (way, normal) = over_an_edge(ends, solid, shortest?);
    let [a, b] = ends.map(|end| end + normal * way);
    let depth = capsule.radius() + way;
    // The centre of a ball comes out where it touches.
    if a == b {
        return Some(Sweep::Touching { depth, position: a, normal });
    }
    let out = Capsule::derived(a, b, capsule.radius());
    let mut nearest: Option<(f64, DVec3)> = None;
    solid.each_triangle(&mut |triangle| {
        let (distance, point) = Drawn::new(&out, triangle).nearest();
        if nearest.is_none_or(|(least, _)| distance < least) {
            nearest = Some((distance, point));
        }
    });
    let (_, position) = nearest?;
    Some(Sweep::Touching { depth, position, normal })
}

/// The shortest way out through a face, or, where that is shorter by more than rounding, over an edge, at right angles to it and to the
/// segment: as seen along the segment, the solid is a polygon and the segment a point, and the sides of the polygon are such edges.
fn over_an_edge(ends: [DVec3; 2], solid: &impl Polytope, through_face: (f64, DVec3)) -> (f64, DVec3) {
    let by = ends[1] - ends[0];
    let Ok(along) = unit(by) else { return through_face };
    let mut size = by.abs().max_element();
    solid.each_triangle(&mut |triangle| {
        for corner in triangle.corners() {
            size = size.max((corner - ends[0]).abs().max_element());
        }
    });
    // As seen by a power of two larger or smaller, so that products neither over- nor underflow.
    let scale = 1.0 / power_of_two(size);
    let across = along.any_orthonormal_vector();
    let up = along.cross(across);
    let (right, top) = (across * scale, up * scale);
    let each_corner = |visit: &mut dyn FnMut(DVec3, DVec2)| {
        solid.each_triangle(&mut |triangle| {
            for corner in triangle.corners().map(|corner| corner - ends[0]) {
                visit(corner, DVec2::new(corner.dot(right), corner.dot(top)));
            }
        });
    };
    let rises = |step: DVec2| step.y > 0.0 || (step.y == 0.0 && step.x > 0.0);
    let mut at = DVec2::INFINITY;
    each_corner(&mut |_, seen| {
        if rises(at - seen) {
            at = seen;
        }
    });
    let (mut shortest, mut is_over_top) = (through_face, false);
    loop {
        // Around the polygon: from each corner on to the one that has all the others on its left (Jarvis, On the identification of the
        // convex hull of a finite set of points in the plane, 1973).
        let mut next: Option<DVec2> = None;
        each_corner(&mut |_, seen| {
            let is_next = next.is_none_or(|next| {
                let (side, step) = (next - at, seen - at);
                let turn = side.perp_dot(step);
                turn < 0.0 || (turn == 0.0 && step.length_squared() > side.length_squared())
            });
            if seen != at && is_next {
                next = Some(seen);
            }
        });
        let Some(next) = next else { return shortest };
        // Up to the top and down again, whatever rounding does: so it ends.
        let side = next - at;
        if rises(side) && is_over_top {
            return shortest;
        }
        is_over_top = !rises(side);
        let worthwhile = shortest.0 - size * NEARLY;
        if let Ok(normal) = unit(across * side.y - up * side.x) {
            let mut highest = f64::NEG_INFINITY;
            each_corner(&mut |corner, _| highest = highest.max(corner.dot(normal)));
            let way = highest - by.dot(normal).min(0.0);
            if way < worthwhile {
                shortest = (way.max(0.0), normal);
            }
        }
        at = next;
    }
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
