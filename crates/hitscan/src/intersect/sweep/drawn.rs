//! What a segment may touch of a triangle: the triangle drawn out by the way from one end of the segment to the other.
//!
//! The segment from `a` to `a + d` has a point in common with a triangle `T` where `a` lies in the prism of all `v - s d`, `v` in `T` and
//! `s` from 0 to 1. So a capsule meets `T` where a sphere of its radius around its end A meets that prism, whose surface is
//! eight triangles: a sphere and triangles is all that there is to compute.

use core::cmp::Ordering;

use glam::DVec3;

use super::{Fattened, Motion, Sweep, sweep_sphere_triangle};
use crate::exact::{NEARLY, side};
use crate::intersect::point_triangle;
use crate::shape::plane::unit;
use crate::shape::{Capsule, Sphere, Triangle};

/// The prism of a triangle and the segment of a capsule.
pub(super) struct Drawn<'a> {
    triangle: &'a Triangle,
    capsule: &'a Capsule,
    /// From the capsule's end A to its end B.
    by: DVec3,
    /// The corners of the triangle, and the same moved by the segment's length the other way.
    near: [DVec3; 3],
    far: [DVec3; 3],
}

/// Which part of the prism's surface something lies on.
#[derive(Clone, Copy)]
enum Part {
    /// The triangle itself, which the end A touches.
    Near,
    /// The moved one, which the end B touches.
    Far,
    /// The side over the edge from the corner of this number to the next one, which any point of the segment may touch.
    Side(usize),
}

impl<'a> Drawn<'a> {
    pub fn new(capsule: &'a Capsule, triangle: &'a Triangle) -> Drawn<'a> {
        let (near, by) = (triangle.corners(), capsule.b() - capsule.a());
        Drawn { triangle, capsule, by, near, far: near.map(|corner| corner - by) }
    }

    /// The triangles of its surface, their fronts outside, those without area last: what lies on the surface parts from it by a
    /// normal.
    fn surface(&self) -> impl Iterator<Item = (Part, Triangle)> + Clone {
        let caps = [(Part::Near, self.near), (Part::Far, self.far)];
        let sides = [0, 1, 2].into_iter().flat_map(|i| {
            let j = (i + 1) % 3;
            let ([p, q], [r, s]) = ([self.near[i], self.near[j]], [self.far[j], self.far[i]]);
            [(Part::Side(i), [p, q, r]), (Part::Side(i), [p, r, s])]
        });
        // Where the normal leans along the segment the triangle's front is outside, and the other parts are inside out.
        let leans = self.triangle.cross().dot(self.by) > 0.0;
        let turned = move |(part, [a, b, c]): (Part, [DVec3; 3])| {
            let is_right = leans == matches!(part, Part::Near);
            (part, Triangle::derived(if is_right { [a, b, c] } else { [a, c, b] }))
        };
        let all = caps.into_iter().chain(sides).map(turned);
        let has_area = |(_, triangle): &(Part, Triangle)| triangle.cross() != DVec3::ZERO;
        all.clone().filter(has_area).chain(all.filter(move |face| !has_area(face)))
    }

    /// Whether the segment goes through the inside of the triangle; exact for both ends as they are.
    pub fn is_pierced(&self) -> bool {
        let (a, b) = (self.capsule.a(), self.capsule.b());
        let [p, q, r] = self.near;
        let sides = [side([p, q, r], a), side([p, q, r], b)];
        if sides[0] == sides[1] || sides.contains(&Ordering::Equal) {
            return false;
        }
        let around = [side([a, b, p], q), side([a, b, q], r), side([a, b, r], p)];
        around[0] != Ordering::Equal && around[0] == around[1] && around[1] == around[2]
    }

    /// When a motion of the capsule meets the triangle.
    pub fn swept(&self, motion: &Motion) -> Option<Sweep> {
        let (start, radius) = (self.capsule.a(), self.capsule.radius());
        let ends = |of: fn(DVec3, DVec3) -> DVec3| {
            self.near.iter().chain(&self.far).copied().reduce(of).unwrap_or(start)
        };
        Fattened::new(ends(DVec3::min), ends(DVec3::max), radius).passed(start, motion.by())?;
        if self.is_pierced() {
            return Some(self.parted());
        }
        let sphere = Sphere::derived(start, radius);
        let all = self
            .surface()
            .filter_map(|(part, triangle)| Some((part, sweep_sphere_triangle(&sphere, motion, &triangle)?)));
        let (part, sweep) =
            all.reduce(|best, other| if other.1.order(&best.1) == Ordering::Less { other } else { best })?;
        if matches!(sweep, Sweep::Touching { depth, .. } if depth >= radius * (1.0 - NEARLY)) {
            return Some(self.parted());
        }
        Some(sweep.at(self.on_triangle(part, sweep.position())))
    }

    /// How far the segment is from the triangle that it does not go through, and the point of the triangle that is nearest to it.
    pub fn nearest(&self) -> (f64, DVec3) {
        let feet = self.surface().map(|(part, face)| (part, point_triangle(self.capsule.a(), &face)));
        let first = feet.reduce(|best, other| if other.1.distance < best.1.distance { other } else { best });
        let Some((part, foot)) = first else { unreachable!("a prism has eight triangles") };
        (foot.distance, self.on_triangle(part, foot.position))
    }

    /// The shortest way to part a triangle and a segment that goes through it, or has a point on it.
    fn parted(&self) -> Sweep {
        let start = self.capsule.a();
        let nearest = self.surface().map(|(part, face)| (part, face, point_triangle(start, &face)));
        let first = nearest
            .clone()
            .reduce(|best, other| if other.2.distance < best.2.distance { other } else { best });
        let Some((part, face, foot)) = first else { unreachable!("a prism has eight triangles") };
        // Whoever calls counts a start as on the surface by the radius too, and rounds that.
        let size = self.near.iter().chain(&self.far).fold(2.0 * self.capsule.radius(), |most, &corner| {
            most.max((corner - start).abs().max_element())
        });
        let (normal, way) = if foot.distance > NEARLY * size {
            // From inside outwards.
            (unit(foot.position - start).ok(), foot.distance)
        } else {
            // Rounding leaves no direction from there to the surface; that of the largest face that it lies on is one.
            let on_it = nearest.filter(|(_, _, foot)| foot.distance <= NEARLY * size);
            let largest =
                on_it.reduce(|best, other| if other.1.area() > best.1.area() { other } else { best });
            let face = largest.map_or(face, |(_, face, _)| face);
            let is_outside = side(face.corners(), start) == Ordering::Greater;
            (face.normal(), if is_outside { -foot.distance } else { foot.distance })
        };
        let along = unit(self.by).unwrap_or(DVec3::X);
        let normal = normal.or_else(|| face.normal()).unwrap_or_else(|| along.any_orthonormal_vector());
        let depth = self.capsule.radius() + way;
        Sweep::Touching { depth, position: self.on_triangle(part, foot.position), normal }
    }

    /// The point of the triangle that the segment touches where its end A is at a point of the prism's surface.
    fn on_triangle(&self, part: Part, point: DVec3) -> DVec3 {
        match part {
            Part::Near => point,
            // The way there and back rounds.
            Part::Far => self.triangle.closest_point(point + self.by),
            Part::Side(i) => {
                let (from, along) = (self.near[i], self.near[(i + 1) % 3] - self.near[i]);
                let (away, across) = (point - from, along.cross(self.by));
                let place = away.cross(self.by).dot(across) / across.length_squared();
                // No number where the segment runs along the edge: then any point of it that both have in common.
                let place = if place.is_finite() { place } else { away.dot(along) / along.length_squared() };
                from + along * if place.is_nan() { 0.0 } else { place.clamp(0.0, 1.0) }
            }
        }
    }
}
