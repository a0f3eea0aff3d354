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
        let normal = self.way_out(|along| self.farthest(along) - point);
        let onto = self.farthest(normal);
        (onto, normal)
    }

    /// The direction in which the least way parts the origin from a convex solid that holds it.
    fn way_out(&self, farthest: impl Fn(DVec3) -> DVec3) -> DVec3 {
        let way = |normal: DVec3| farthest(normal).dot(normal);
        let axes = [DVec3::X, DVec3::Y, DVec3::Z].into_iter();
        // The axes of the world and those of the ball, which are at right angles to its faces.
        let own = (0..3).filter_map(|i| unit(self.inverse.transpose().col(i)).ok());
        let mut best = (f64::INFINITY, DVec3::X);
        for start in axes.chain(own).flat_map(|axis| [-axis, axis]) {
            let (mut normal, mut least, mut pace) = (start, way(start), 0.5);
            for _ in 0..STEPS {
                // The support is the slope of the way.
                let onto = farthest(normal);
                let aside = onto - normal * onto.dot(normal);
                let Ok(step) = unit(aside) else { break };
                let Ok(turned) = unit(normal - step * pace) else { break };
                if way(turned) < least {
                    (normal, least) = (turned, way(turned));
                } else if pace > TOGETHER {
                    pace *= 0.5;
                } else {
                    break;
                }
            }
            if least < best.0 {
                best = (least, normal);
            }
        }
        best.1
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
        let mut t = 0.0;
        for _ in 0..STEPS {
            let from = start + by * t;
            let Some(offset) = nearest(|along| farthest(along) - from) else {
                // Only at the start: later it is at the radius.
                let normal = self.way_out(|along| farthest(along) - from);
                let onto = farthest(normal);
                let depth = radius + (onto - from).dot(normal).max(0.0);
                return Some(Sweep::Touching { depth, position: self.farthest(normal), normal });
            };
            let away = offset.length();
            let Ok(normal) = unit(-offset) else { return None };
            let closing = -by.dot(normal);
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

/// The offset from the origin of the nearest point of a convex solid, by its support; `None` where it holds the origin.
fn nearest(farthest: impl Fn(DVec3) -> DVec3) -> Option<DVec3> {
    let mut corners = Corners { points: [DVec3::ZERO; 4], count: 0 };
    let mut best = farthest(DVec3::X);
    corners.add(best);
    let mut size = best.abs().max_element();
    for _ in 0..STEPS {
        let next = farthest(-best);
        size = size.max(next.abs().max_element());
        let distance_sq = best.length_squared();
        if distance_sq <= (TOGETHER * size) * (TOGETHER * size) {
            return None;
        }
        if distance_sq - best.dot(next) <= LEAST_GAIN * distance_sq {
            break;
        }
        corners.add(next);
        let nearer = corners.reduce()?;
        if nearer.length_squared() >= distance_sq {
            break;
        }
        best = nearer;
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
