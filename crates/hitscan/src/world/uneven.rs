//! A sphere or a capsule that its transform stretches unevenly: an ellipsoid, or one that was drawn out.
//!
//! Known by its support, the point that lies farthest in a direction, from which the distance of two convex solids follows step by
//! step; what comes out is as near as 2^-24 of the sizes, not exact as for the other shapes.
//!
//! Source: Gilbert, Johnson, Keerthi, A Fast Procedure for Computing the Distance Between Complex Objects in
//! Three-Dimensional Space, 1988; van den Bergen, Ray Casting against General Convex Objects with Application to Continuous
//! Collision Detection, 2004.

use glam::{DMat3, DVec3};

use crate::intersect::{Fattened, Motion, Polytope, Seen, Sweep};
use crate::shape::plane::{length, power_of_two, unit, unit_normal};
use crate::shape::{Capsule, Triangle};
use crate::transform::Transform;
use crate::world::ellipsoid::Ellipsoid;

/// The points `a + s (b - a) + M u` with `s` from 0 to 1 and `u` within the ball of radius 1.
pub(crate) struct Uneven {
    ends: [DVec3; 2],
    /// `M` in units of a power of two near its largest entry, so that it keeps its digits however small it is.
    matrix: DMat3,
    scale: f64,
}

/// More than such a search ever took.
const STEPS: usize = 200;

/// A step that brings less than this part of the squared distance is the last: 2^-46.
const LEAST_GAIN: f64 = 1.0 / (1u64 << 46) as f64;

/// A distance below this part of the sizes is none: 2^-40.
const TOGETHER: f64 = 1.0 / (1u64 << 40) as f64;

/// What rounding may do to a place, as part of how far it is from where all is seen from: 2^-50.
const ROUNDED: f64 = 4.0 * f64::EPSILON;

/// A distance below this part of the sizes says nothing of what is as thin as that: 2^-20.
const DOUBTFUL: f64 = 1.0 / (1u64 << 20) as f64;

impl Uneven {
    pub fn new(transform: &Transform, ends: [DVec3; 2], radius: f64) -> Uneven {
        let matrix = transform.matrix();
        let largest = (0..3).map(|i| matrix.col(i).abs().max_element()).fold(0.0, f64::max);
        // Not so small that what is as far as anything may be is beyond `f64` in units of it.
        let scale = power_of_two((largest * radius).max(1e-270));
        Uneven { ends, matrix: matrix * (radius / scale), scale }
    }

    /// The point that lies farthest in a direction.
    fn farthest(&self, along: DVec3) -> DVec3 {
        let [a, b] = self.ends;
        let end = if along.dot(b - a) > 0.0 { b } else { a };
        end + self.matrix * unit(self.matrix.transpose() * along).unwrap_or(DVec3::ZERO) * self.scale
    }

    /// The nearest point to another one, where that is outside.
    fn nearest_from_outside(&self, point: DVec3) -> Option<DVec3> {
        let seen = |along| Corner { at: self.farthest(along) - point, shift: 0.0 };
        let near =
            nearest(self.size(point), seen).filter(|near| self.is_outside(near, point, DVec3::ZERO))?;
        Some(point + near.at)
    }

    /// Whether a segment from `from` to `from + by` is outside where a search found it to be: that may end beside the surface of a
    /// needle that holds it, which the way out does not.
    fn is_outside(&self, near: &Corner, from: DVec3, by: DVec3) -> bool {
        let size = self.size(from) + by.abs().max_element();
        length(near.at) > DOUBTFUL * size || self.way_out(from, by).1 <= 0.0
    }

    /// The point of the surface that is nearest to another point, and the normal there, outwards.
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
    /// that is.
    ///
    /// The way in a direction is how far the solid reaches along it, less how far the segment does against it: smooth, but for
    /// creases across the solid's own segment and across the other one. So the least lies where one of the smooth pieces has
    /// it, on a crease, or where two meet.
    fn way_out(&self, from: DVec3, by: DVec3) -> (DVec3, f64) {
        let [a, b] = self.ends.map(|end| (end - from) / self.scale);
        let by = by / self.scale;
        let pieces = [a, b, a - by, b - by];
        let round = |along: DVec3| length(self.matrix.transpose() * along);
        let way = |along: DVec3| {
            round(along) + pieces.iter().map(|piece| piece.dot(along)).fold(f64::NEG_INFINITY, f64::max)
        };
        let mut best = (way(DVec3::X), DVec3::X);
        let mut offer = |along: DVec3| {
            let length = way(along);
            if length < best.0 {
                best = (length, along);
            }
        };
        let mut offer_of = |solid: &Ellipsoid, centres: &[DVec3]| {
            for (row, &centre) in centres.iter().enumerate() {
                if centres[..row].contains(&centre) {
                    continue;
                }
                let (nearest, behind) = solid.ways_out(-centre);
                [Some(nearest), behind].into_iter().flatten().for_each(&mut offer);
            }
        };
        if let Some(ball) = Ellipsoid::new(self.matrix) {
            offer_of(&ball, &pieces);
        }
        // On a crease, pieces whose centres lie along it are one.
        let creases = [(b - a, [a, a - by]), (by, [a, b])];
        for (crease, centres) in creases {
            if let Ok(along) = unit(crease)
                && let Some(section) = Ellipsoid::across(self.matrix, along)
            {
                offer_of(&section, &centres.map(|centre| centre - along * centre.dot(along)));
            }
        }
        if let Some(across) = unit_normal(b - a, by) {
            offer(across);
            offer(-across);
        }
        (best.1, best.0 * self.scale)
    }

    /// Whether it has a point in common with a ball. However far that reaches, what is allowed for is no more than the boxes around both
    /// allow for: else what other boxes there are would decide.
    pub fn touches_ball(&self, centre: DVec3, radius: f64) -> bool {
        if !self.reaches(centre - radius, centre + radius) {
            return false;
        }
        match self.nearest_from_outside(centre) {
            Some(nearest) => {
                let own = self.size(self.ends[0]);
                length(centre - nearest) <= radius * (1.0 + 0.5 * LEAST_GAIN) + TOGETHER * own
            }
            None => true,
        }
    }

    /// Its size, and how far it is from a point, along an axis.
    fn size(&self, from: DVec3) -> f64 {
        let ends = self.ends.iter().fold(0.0f64, |most, &end| most.max((end - from).abs().max_element()));
        ends + (0..3).map(|i| length(self.matrix.col(i))).sum::<f64>() * self.scale
    }

    /// The smallest box around it, up to rounding.
    fn bounds(&self) -> (DVec3, DVec3) {
        let [a, b] = self.ends;
        let half = DVec3::from([0, 1, 2].map(|i| length(self.matrix.row(i)))) * self.scale;
        (a.min(b) - half, a.max(b) + half)
    }

    /// Whether the smallest box around it reaches another one, but for rounding: by less than the boxes of a scene are larger.
    fn reaches(&self, other_low: DVec3, other_high: DVec3) -> bool {
        let (low, high) = self.bounds();
        // Axis by axis, as flat as it may be.
        let slack = TOGETHER * low.abs().max(high.abs()) + ROUNDED * other_low.abs().max(other_high.abs());
        other_low.cmple(high + slack).all() && other_high.cmpge(low - slack).all()
    }

    /// Whether it has a point in common with a solid with flat faces.
    pub fn touches(&self, other: &impl Polytope) -> bool {
        let (mut size, mut corner) = (0.0f64, DVec3::ZERO);
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        other.each_triangle(&mut |triangle| {
            for at in triangle.corners() {
                (size, corner) = (size.max(self.size(at)), at);
                (low, high) = (low.min(at), high.max(at));
            }
        });
        // How near both have to be is told by the larger one; whether some other box lets it be asked at all is not to matter.
        if !self.reaches(low, high) {
            return false;
        }
        let near = nearest(size, |along| {
            let mut least = (f64::INFINITY, DVec3::ZERO);
            other.each_triangle(&mut |triangle| {
                for corner in triangle.corners() {
                    if along.dot(corner) < least.0 {
                        least = (along.dot(corner), corner);
                    }
                }
            });
            Corner { at: self.farthest(along) - least.1, shift: 0.0 }
        });
        // What is so small that a needle holds it is held with each corner.
        near.is_none_or(|near| !self.is_outside(&near, corner, DVec3::ZERO))
    }

    /// A capsule that moves against it.
    pub fn swept(&self, capsule: &Capsule, motion: &Motion) -> Option<Sweep> {
        let (a, d, radius) = (capsule.a(), capsule.b() - capsule.a(), capsule.radius());
        let (low, high) = self.bounds();
        let enter = Fattened::entry(low, high, capsule, motion)?;
        // Where the end A is when the segment has a point in common with the solid.
        let farthest = |along: DVec3, from: DVec3| {
            let shift = if along.dot(d) < 0.0 { 1.0 } else { 0.0 };
            Corner { at: self.farthest(along) - d * shift - from, shift }
        };
        // Where on the solid that is.
        let touched = |from: DVec3, nearest: &Corner| from + nearest.at + d * nearest.shift;
        let (start, by) = (a, motion.by());
        let far = low.abs().max(high.abs()).max(start.abs()).max_element() + by.abs().max_element();
        // By the sizes of both where they meet, however far the way there is.
        let tolerance =
            |from: DVec3| TOGETHER * (self.size(from) + radius.max(d.abs().max_element())) + ROUNDED * far;
        let (mut t, mut last) = (0.0, (start, DVec3::X));
        for _ in 0..STEPS {
            let from = start + by * t;
            let size = self.size(from) + d.abs().max_element();
            let found = nearest(size, |along| farthest(along, from));
            let Some(near) = found.filter(|near| t > 0.0 || self.is_outside(near, from, d)) else {
                if t > 0.0 {
                    // The radius is too small to be told from nothing.
                    let (position, normal) = last;
                    return Some(Sweep::Hit { t: t.max(enter), position, normal });
                }
                let (normal, way) = self.way_out(from, d);
                let (depth, parted) = (radius + way.max(0.0), from + normal * (way + 4.0 * tolerance(from)));
                let near = nearest(size, |along| farthest(along, parted));
                let position = near.map_or_else(|| self.farthest(normal), |near| touched(parted, &near));
                return Some(at_once(enter, Sweep::Touching { depth, position, normal }));
            };
            let (away, position) = (length(near.at), touched(from, &near));
            let Ok(normal) = unit(-near.at) else { return None };
            let closing = -by.dot(normal);
            last = (position, normal);
            let tolerance = tolerance(from);
            if t == 0.0 && away < radius - tolerance {
                return Some(Sweep::Touching { depth: radius - away, position, normal });
            }
            if closing <= 0.0 {
                return None;
            }
            if away <= radius + tolerance {
                return Some(if t == 0.0 {
                    at_once(enter, Sweep::Touching { depth: (radius - away).max(0.0), position, normal })
                } else {
                    Sweep::Hit { t: t.max(enter), position, normal }
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
}

/// What touches from the beginning, as far as rounding tells, but whose box is met later, is met there: the boxes of a scene are not met before.
fn at_once(enter: f64, touching: Sweep) -> Sweep {
    match touching {
        Sweep::Touching { position, normal, .. } if enter > 0.0 => Sweep::Hit { t: enter, position, normal },
        _ => touching,
    }
}

/// A point of a convex solid as seen from the origin, and what else belongs to it.
#[derive(Clone, Copy)]
struct Corner {
    at: DVec3,
    /// How far along the other shape's segment it touches that, from 0 to 1.
    shift: f64,
}

impl Corner {
    const NONE: Corner = Corner { at: DVec3::ZERO, shift: 0.0 };
}

/// The point of a convex solid nearest to the origin, by its support, and about how far that leads; `None` where it holds the origin.
fn nearest(size: f64, farthest: impl Fn(DVec3) -> Corner) -> Option<Corner> {
    // By a power of two, so that squares neither over- nor underflow.
    let scale = power_of_two(size);
    let farthest = |along| {
        let corner = farthest(along);
        Corner { at: corner.at / scale, ..corner }
    };
    let mut corners = Corners { points: [Corner::NONE; 4], count: 0 };
    let mut best = farthest(DVec3::X);
    corners.add(best);
    let mut size = best.at.abs().max_element();
    // Whether some plane was seen to part it from the origin: then rounding alone says that a flat tetrahedron holds that.
    let mut is_apart = false;
    for _ in 0..STEPS {
        let next = farthest(-best.at);
        size = size.max(next.at.abs().max_element());
        let distance_sq = best.at.length_squared();
        if distance_sq <= (TOGETHER * size) * (TOGETHER * size) {
            return None;
        }
        let reached = best.at.dot(next.at);
        is_apart |= reached > TOGETHER * size * best.at.length();
        if distance_sq - reached <= LEAST_GAIN * distance_sq {
            break;
        }
        corners.add(next);
        match corners.reduce() {
            Some(nearer) if nearer.at.length_squared() < distance_sq => best = nearer,
            None if !is_apart => return None,
            _ => break,
        }
    }
    Some(Corner { at: best.at * scale, ..best })
}

/// Up to four points, whose hull grows towards the origin.
struct Corners {
    points: [Corner; 4],
    count: usize,
}

impl Corners {
    fn add(&mut self, point: Corner) {
        if self.count < 4 {
            self.points[self.count] = point;
            self.count += 1;
        }
    }

    /// The point of their hull nearest to the origin, and only those left that it takes; `None` where the origin is inside.
    fn reduce(&mut self) -> Option<Corner> {
        let [a, b, c, d] = self.points;
        let faces: &[[Corner; 3]] = match self.count {
            2 => &[[a, b, b]],
            3 => &[[a, b, c]],
            4 => &[[a, b, c], [a, b, d], [a, c, d], [b, c, d]],
            _ => &[[a, a, a]],
        };
        if self.count == 4 && holds_origin([a, b, c, d].map(|corner| corner.at)) {
            return None;
        }
        let mut best: Option<(DVec3, [Corner; 3], [f64; 3])> = None;
        for &face in faces {
            let seen = Seen::new(DVec3::ZERO, &Triangle::derived(face.map(|corner| corner.at)));
            let nearest = seen.nearest();
            let offset = nearest.offset.map(|c| seen.grown(c));
            if best.is_none_or(|(least, ..)| offset.length_squared() < least.length_squared()) {
                best = Some((offset, face, nearest.weights));
            }
        }
        let (at, face, weights) = best?;
        (self.count, self.points) = (0, [Corner::NONE; 4]);
        let mut shift = 0.0;
        for (point, weight) in face.into_iter().zip(weights) {
            if weight > 0.0 {
                self.add(point);
                shift += weight * point.shift;
            }
        }
        Some(Corner { at, shift })
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
