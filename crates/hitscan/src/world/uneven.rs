//! A sphere or a capsule that its transform stretches unevenly: an ellipsoid, or one that was drawn out.
//!
//! Known by its support, the point that lies farthest in a direction, from which the distance of two convex solids follows step by
//! step; what comes out is as near as 2^-24 of the sizes, not exact as for the other shapes.
//!
//! Source: Gilbert, Johnson, Keerthi, A Fast Procedure for Computing the Distance Between Complex Objects in
//! Three-Dimensional Space, 1988; van den Bergen, Ray Casting against General Convex Objects with Application to Continuous
//! Collision Detection, 2004.

use glam::{DMat3, DVec3};

use crate::intersect::{Motion, Polytope, Seen, Sweep};
use crate::shape::plane::unit;
use crate::shape::{Capsule, Triangle};
use crate::transform::Transform;

/// The points `a + s (b - a) + M u` with `s` from 0 to 1 and `u` within the ball of radius 1.
pub(crate) struct Uneven {
    ends: [DVec3; 2],
    matrix: DMat3,
    /// Takes the ellipsoid back to that ball.
    inverse: DMat3,
}

/// More than such a search ever took.
const STEPS: usize = 200;

/// A step that brings less than this part of the squared distance is the last: 2^-46.
const LEAST_GAIN: f64 = 1.0 / (1u64 << 46) as f64;

/// A distance below this part of the sizes is none: 2^-40.
const TOGETHER: f64 = 1.0 / (1u64 << 40) as f64;

impl Uneven {
    pub fn new(transform: &Transform, ends: [DVec3; 2], radius: f64) -> Uneven {
        Uneven { ends, matrix: transform.matrix() * radius, inverse: transform.inverse() * (1.0 / radius) }
    }

    /// The point that lies farthest in a direction.
    fn farthest(&self, along: DVec3) -> DVec3 {
        let [a, b] = self.ends;
        let end = if along.dot(b - a) > 0.0 { b } else { a };
        end + self.matrix * unit(self.matrix.transpose() * along).unwrap_or(DVec3::ZERO)
    }

    /// The nearest point to another one, where that is outside.
    fn nearest_from_outside(&self, point: DVec3) -> Option<DVec3> {
        nearest(|along| self.farthest(along) - point).map(|offset| point + offset)
    }

    /// The point of the surface that is nearest to another point, and the normal there, outwards. From inside, where there may be
    /// several that no other is near to, the best that descents from all sides come to.
    pub fn nearest(&self, point: DVec3) -> (DVec3, DVec3) {
        if let Some(nearest) = self.nearest_from_outside(point)
            && let Ok(normal) = unit(point - nearest)
        {
            return (nearest, normal);
        }
        let (normal, way) = self.way_out(point, DVec3::ZERO);
        (point + normal * way, normal)
    }

    /// The direction in which the least way parts a segment from `from` to `from + by` from the solid that it reaches into, and how far
    /// that is: the best that is found from all sides.
    ///
    /// The way in a direction is how far the solid reaches along it, less how far the segment does against it: smooth, but for
    /// creases across the solid's own segment and across the other one. So the least lies where one of the smooth pieces has
    /// it, on a crease, or where two meet.
    fn way_out(&self, from: DVec3, by: DVec3) -> (DVec3, f64) {
        let [a, b] = self.ends.map(|end| end - from);
        let pieces = [a, b, a - by, b - by];
        let round = |along: DVec3| (self.matrix.transpose() * along).length();
        let way = |along: DVec3| {
            round(along) + pieces.iter().map(|piece| piece.dot(along)).fold(f64::NEG_INFINITY, f64::max)
        };
        let mut best = (f64::INFINITY, DVec3::X);
        let mut offer = |along: DVec3| {
            let length = way(along);
            if length < best.0 {
                best = (length, along);
            }
        };
        // The axes of the world and those of the ball, which are at right angles to its faces.
        let own = (0..3).filter_map(|i| unit(self.inverse.transpose().col(i)).ok());
        for start in DVec3::AXES.into_iter().chain(own).flat_map(|axis| [-axis, axis]) {
            for piece in pieces {
                offer(self.downhill(start, piece));
            }
        }
        let creases = [b - a, by];
        for crease in creases {
            if let Ok(along) = unit(crease) {
                offer(least_across(along, way));
            }
        }
        if let Ok(across) = unit(creases[0].cross(creases[1])) {
            offer(across);
            offer(-across);
        }
        (best.1, best.0)
    }

    /// Where the way out of the ball alone, around a centre as seen from the point, is least nearby.
    fn downhill(&self, start: DVec3, centre: DVec3) -> DVec3 {
        let onto = |along: DVec3| {
            centre + self.matrix * unit(self.matrix.transpose() * along).unwrap_or(DVec3::ZERO)
        };
        let (mut along, mut least, mut pace) = (start, onto(start).dot(start), 0.5);
        for _ in 0..STEPS {
            // The point that lies farthest is the slope of the way.
            let farthest = onto(along);
            let Ok(step) = unit(farthest - along * farthest.dot(along)) else { break };
            let Ok(turned) = unit(along - step * pace) else { break };
            let way = onto(turned).dot(turned);
            if way < least {
                (along, least) = (turned, way);
            } else if pace > TOGETHER {
                pace *= 0.5;
            } else {
                break;
            }
        }
        along
    }

    /// Whether it has a point in common with a solid with flat faces.
    pub fn touches(&self, other: &impl Polytope) -> bool {
        nearest(|along| {
            let mut least = (f64::INFINITY, DVec3::ZERO);
            other.each_triangle(&mut |triangle| {
                for corner in triangle.corners() {
                    if along.dot(corner) < least.0 {
                        least = (along.dot(corner), corner);
                    }
                }
            });
            self.farthest(along) - least.1
        })
        .is_none()
    }

    /// A capsule that moves against it.
    pub fn swept(&self, capsule: &Capsule, motion: &Motion) -> Option<Sweep> {
        let (a, d, radius) = (capsule.a(), capsule.b() - capsule.a(), capsule.radius());
        // Where the end A is when the segment has a point in common with the solid.
        let farthest = |along: DVec3| self.farthest(along) - if along.dot(d) < 0.0 { d } else { DVec3::ZERO };
        let (start, by) = (a, motion.by());
        let size = self.ends.iter().fold(radius.max(d.abs().max_element()), |most, &end| {
            most.max((end - start).abs().max_element())
        }) + self.matrix.x_axis.length()
            + self.matrix.y_axis.length()
            + self.matrix.z_axis.length();
        let tolerance = TOGETHER * size;
        let (mut t, mut last) = (0.0, DVec3::X);
        for _ in 0..STEPS {
            let from = start + by * t;
            let Some(offset) = nearest(|along| farthest(along) - from) else {
                if t > 0.0 {
                    // The radius is too small to be told from nothing.
                    return Some(Sweep::Hit { t, position: from, normal: last });
                }
                let (normal, way) = self.way_out(from, d);
                let depth = radius + way.max(0.0);
                return Some(Sweep::Touching { depth, position: self.farthest(normal), normal });
            };
            let away = offset.length();
            let Ok(normal) = unit(-offset) else { return None };
            let closing = -by.dot(normal);
            last = normal;
            if t == 0.0 && away < radius - tolerance {
                return Some(Sweep::Touching {
                    depth: radius - away,
                    position: self.touched(from, d, offset),
                    normal,
                });
            }
            if closing <= 0.0 {
                return None;
            }
            if away <= radius + tolerance {
                let position = self.touched(from, d, offset);
                return Some(if t == 0.0 {
                    Sweep::Touching { depth: (radius - away).max(0.0), position, normal }
                } else {
                    Sweep::Hit { t, position, normal }
                });
            }
            // The distance is convex in time, so that its tangent is never too late.
            t += (away - radius) / closing;
            if t > 1.0 {
                return None;
            }
        }
        None
    }

    /// The point of the solid that is nearest to the segment of a capsule whose end A sees the nearest place for it at an offset.
    fn touched(&self, from: DVec3, d: DVec3, offset: DVec3) -> DVec3 {
        let along = self.farthest(-offset);
        if d == DVec3::ZERO {
            return from + offset;
        }
        // Where the segment is at right angles to the normal, any of its points may touch.
        let slant = offset.dot(d);
        if slant.abs() > TOGETHER * offset.length() * d.length() {
            return if slant > 0.0 { from + offset + d } else { from + offset };
        }
        along
    }
}

/// The direction at right angles to another one in which a way is least: the best of some around it, and what halving finds there.
fn least_across(along: DVec3, way: impl Fn(DVec3) -> f64) -> DVec3 {
    const AROUND: usize = 64;
    let (right, up) = along.any_orthonormal_pair();
    let at = |angle: f64| {
        let (sine, cosine) = libm::sincos(angle);
        right * cosine + up * sine
    };
    let step = core::f64::consts::TAU / AROUND as f64;
    let angles = (0..AROUND).map(|i| i as f64 * step);
    let mut best = angles.fold((f64::INFINITY, 0.0), |best, angle| {
        let length = way(at(angle));
        if length < best.0 { (length, angle) } else { best }
    });
    let mut pace = step;
    while pace > TOGETHER {
        pace *= 0.5;
        for angle in [best.1 - pace, best.1 + pace] {
            let length = way(at(angle));
            if length < best.0 {
                best = (length, angle);
            }
        }
    }
    at(best.1)
}

/// The offset from the origin of the nearest point of a convex solid, by its support; `None` where it holds the origin.
fn nearest(farthest: impl Fn(DVec3) -> DVec3) -> Option<DVec3> {
    let mut corners = Corners { points: [DVec3::ZERO; 4], count: 0 };
    let mut best = farthest(DVec3::X);
    corners.add(best);
    let mut size = best.abs().max_element();
    // Whether some plane was seen to part it from the origin: then rounding alone says that a flat tetrahedron holds that.
    let mut is_apart = false;
    for _ in 0..STEPS {
        let next = farthest(-best);
        size = size.max(next.abs().max_element());
        let distance_sq = best.length_squared();
        if distance_sq <= (TOGETHER * size) * (TOGETHER * size) {
            return None;
        }
        is_apart |= best.dot(next) > TOGETHER * size * best.length();
        if distance_sq - best.dot(next) <= LEAST_GAIN * distance_sq {
            break;
        }
        corners.add(next);
        match corners.reduce() {
            Some(nearer) if nearer.length_squared() < distance_sq => best = nearer,
            None if !is_apart => return None,
            _ => break,
        }
    }
    Some(best)
}

/// Up to four points, whose hull grows towards the origin.
struct Corners {
    points: [DVec3; 4],
    count: usize,
}

impl Corners {
    fn add(&mut self, point: DVec3) {
        if self.count < 4 {
            self.points[self.count] = point;
            self.count += 1;
        }
    }

    /// The point of their hull nearest to the origin, and only those left that it takes; `None` where the origin is inside.
    fn reduce(&mut self) -> Option<DVec3> {
        let [a, b, c, d] = self.points;
        let faces: &[[DVec3; 3]] = match self.count {
            2 => &[[a, b, b]],
            3 => &[[a, b, c]],
            4 => &[[a, b, c], [a, b, d], [a, c, d], [b, c, d]],
            _ => &[[a, a, a]],
        };
        if self.count == 4 && holds_origin([a, b, c, d]) {
            return None;
        }
        let mut best: Option<(DVec3, [DVec3; 3], [f64; 3])> = None;
        for &face in faces {
            let seen = Seen::new(DVec3::ZERO, &Triangle::derived(face));
            let nearest = seen.nearest();
            let offset = DVec3::from(nearest.offset.to_array().map(|c| seen.grown(c)));
            if best.is_none_or(|(least, ..)| offset.length_squared() < least.length_squared()) {
                best = Some((offset, face, nearest.weights));
            }
        }
        let (offset, face, weights) = best?;
        self.count = 0;
        for (point, weight) in face.into_iter().zip(weights) {
            if weight > 0.0 {
                self.add(point);
            }
        }
        Some(offset)
    }
}

fn holds_origin(points: [DVec3; 4]) -> bool {
    (0..4).all(|i| {
        let [a, b, c] = [1, 2, 3].map(|j| points[(i + j) % 4]);
        let normal = (b - a).cross(c - a);
        let (own, origin) = (normal.dot(points[i] - a), -normal.dot(a));
        own != 0.0 && (own > 0.0) == (origin > 0.0) && origin != 0.0
    })
}
