//! What lies ahead of a moving capsule, in eight boxes or of eight triangles: when it is met at the earliest, so that most need no exact
//! test.
//!
//! A contact at the start comes before all hits, the deepest first. So the measure of one is how near it is to where the capsule
//! starts, in radii, as a square: at most 1. That of a hit is 1 and its time.

use glam::DVec3;

use super::{Fattened, Motion, Sweep};
use crate::bvh::nearest::{Boxes, Corners, NEVER, boxes_around};
use crate::bvh::node::WIDTH;
use crate::intersect::gaps::{
    PART, REST, cross, distances_sq, dot, farthest_sq, gaps_sq, larger, line_sq, smaller, sub, triangle_sq,
};
use crate::root::sqrt;
use crate::shape::Capsule;
use crate::shape::plane::{length, power_of_two, unit};

/// A moving capsule.
pub(crate) struct Ahead<'a> {
    pub capsule: &'a Capsule,
    pub motion: &'a Motion,
    /// A power of two near the inverse of the radius.
    scale: f64,
    /// Two directions across the motion, at right angles; of length 0 where there is none.
    across: [DVec3; 2],
}

impl<'a> Ahead<'a> {
    pub fn new(capsule: &'a Capsule, motion: &'a Motion) -> Ahead<'a> {
        let across = unit(motion.by()).map_or([DVec3::ZERO; 2], |along| along.any_orthonormal_pair().into());
        Ahead { capsule, motion, scale: 1.0 / power_of_two(capsule.radius()), across }
    }

    /// What a measure may be at most so that what it is of is wanted, where this was found before.
    #[inline(always)]
    pub fn limit(&self, best: Option<&Sweep>) -> f64 {
        let radius = self.capsule.radius();
        match best {
            None => 2.0,
            Some(Sweep::Hit { t, .. }) => 1.0 + t,
            Some(Sweep::Touching { depth, .. }) => {
                // What the depth was rounded by.
                let near = (larger(radius - depth, 0.0) + radius * ROUNDING) * self.scale;
                smaller(near * near / self.radius_sq(), 1.0)
            }
        }
    }

    /// A measure that nothing in a box is below; [`NEVER`] where nothing in it is met.
    #[inline(always)]
    pub fn boxes<T: Into<f64> + Copy>(&self, boxes: &Boxes<T>) -> [f64; WIDTH] {
        let drawn = Fattened::drawn(boxes, self.capsule);
        let near = gaps_sq(self.capsule.a(), self.scale, &drawn);
        let mut measures = Fattened::entries(&drawn, self.capsule, self.motion);
        for lane in 0..WIDTH {
            let hit = if measures[lane] < 0.0 { NEVER } else { 1.0 + measures[lane] };
            measures[lane] = self.or_touching(hit, near[lane]);
        }
        measures
    }

    /// The same of triangles, for a sphere as near as there is a cheap bound: what its centre passes by at a distance, seen along the
    /// way, it does not meet; it meets nothing before the plane, nor before it has gone as far as is free (conservative advancement:
    /// Mirtich, Impulse-based Dynamic Simulation of Rigid Body Systems, 1996).
    #[inline(always)]
    pub fn triangles<T: Into<f64> + PartialOrd + Copy>(&self, corners: &Corners<T>) -> [f64; WIDTH] {
        let boxes = boxes_around(corners);
        let start = self.capsule.a();
        if start != self.capsule.b() {
            return self.boxes(&boxes);
        }
        let mut measures =
            Fattened::entries(&Fattened::drawn(&boxes, self.capsule), self.capsule, self.motion);
        let near = distances_sq(start, self.scale, corners);
        let (radius, start, by) = (self.capsule.radius(), start.to_array(), self.motion.by().to_array());
        let across = self.across.map(|direction| direction.to_array());
        let way = length(self.motion.by()) * (1.0 + PART);
        for lane in 0..WIDTH {
            let [mut a, mut b, mut c] = [[0.0; 3]; 3];
            for axis in 0..3 {
                a[axis] = corners[0][axis][lane].into() - start[axis];
                b[axis] = corners[1][axis][lane].into() - start[axis];
                c[axis] = corners[2][axis][lane].into() - start[axis];
            }
            let aside = line_sq(seen(across, a), seen(across, b), seen(across, c));
            let out = aside * (1.0 - PART) - farthest_sq(a, b, c) * REST;
            let mut time = to_plane(a, b, c, radius, by);
            for _ in 0..ADVANCES {
                let moved = [by[0] * time, by[1] * time, by[2] * time];
                let away = sqrt(triangle_sq(sub(a, moved), sub(b, moved), sub(c, moved)));
                let clear = away - radius * (1.0 + PART) - way * ROUNDING;
                time += if clear > 0.0 { clear / way } else { 0.0 };
            }
            let entry = measures[lane];
            let missed = entry < 0.0 || out > radius * radius * (1.0 + PART) || time > 1.0;
            let hit = if missed { NEVER } else { 1.0 + larger(entry, time) };
            measures[lane] = self.or_touching(hit, near[lane]);
        }
        measures
    }

    #[inline(always)]
    fn or_touching(&self, hit: f64, near_sq: f64) -> f64 {
        let radius_sq = self.radius_sq();
        if hit >= 0.0 && near_sq <= radius_sq * (1.0 + PART) {
            smaller(near_sq / radius_sq, 1.0)
        } else {
            hit
        }
    }

    /// By the scale.
    #[inline(always)]
    fn radius_sq(&self) -> f64 {
        let radius = self.capsule.radius() * self.scale;
        radius * radius
    }
}

/// How often a sphere is moved by what is free before a triangle, for a bound of when it meets it.
const ADVANCES: usize = 2;

/// When the centre of a sphere comes as near to a plane as its radius, or a little earlier: beyond 1 where it never does.
#[inline(always)]
fn to_plane(a: [f64; 3], b: [f64; 3], c: [f64; 3], radius: f64, by: [f64; 3]) -> f64 {
    let (ab, ca) = (sub(b, a), sub(a, c));
    let normal = cross(ca, ab);
    let length = sqrt(dot(normal, normal));
    let reach = sum(a) + sum(by) + radius;
    let error = reach * (PLANE * length + ROUNDING * sum(ab) * sum(ca));
    let height = dot(normal, a);
    let closing = dot(normal, by) * if height < 0.0 { -1.0 } else { 1.0 };
    let clear = height.abs() - radius * length - error;
    let closing = larger(closing, 0.0) + error;
    // Not so of what is not a number.
    if clear > 0.0 { clear / closing } else { 0.0 }
}

/// More than what a few sums and products of lengths are off by, as a part of them: 2^-42.
const ROUNDING: f64 = 1.0 / (1u64 << 42) as f64;

/// The same of what is divided by, and multiplied with, a length of a normal.
const PLANE: f64 = 1.0 / (1u64 << 36) as f64;

/// A point as seen along the motion.
#[inline(always)]
fn seen([u, v]: [[f64; 3]; 2], point: [f64; 3]) -> [f64; 2] {
    [dot(u, point), dot(v, point)]
}

#[inline(always)]
fn sum(v: [f64; 3]) -> f64 {
    v[0].abs() + v[1].abs() + v[2].abs()
}

#[cfg(test)]
mod tests {
    use hitscan_oracle::Rng;

    use super::*;
    use crate::intersect::sweep_capsule_triangle;
    use crate::shape::Triangle;

    /// Triangles of all shapes and sizes, and spheres and capsules that start near to them and far from them, in contact and not.
    #[test]
    fn what_is_met_lies_within_its_limit_and_most_else_is_left_out() {
        let mut rng = Rng::new(17);
        let (mut touching, mut hits, mut misses, mut left_out) = (0, 0, 0, 0);
        for round in 0..40_000 {
            let size = rng.power_of_two(-40, 40);
            let mut corner =
                || [0, 1, 2].map(|_| (rng.pick(&[0.0, 1.0, rng.clone().range(-1.0, 1.0)]) * size) as f32);
            let corners = [corner(), corner(), corner()];
            let eight: Corners = corners.map(|corner| corner.map(|coordinate| [coordinate; WIDTH]));
            let away = size * rng.pick(&[0.0, 1.0, 3.0, 1e4]);
            let mut place = |by: f64| DVec3::from([0, 1, 2].map(|_| rng.range(-1.0, 1.0) * by));
            let (start, along, goal) = (place(size) + place(away), place(size), place(0.3 * size));
            let along = if round % 4 == 0 { along } else { DVec3::ZERO };
            let radius = size * rng.any_size(1e-3, 2.0);
            let capsule = Capsule::derived(start, start + along, radius);
            let by = (goal - start) * rng.pick(&[0.0, 0.5, 1.0, 2.0, 2.0, -1.0]);
            let motion = Motion::new(by.to_array()).unwrap();
            let triangle = Triangle::derived(corners.map(|corner| corner.map(f64::from).into()));
            let ahead = Ahead::new(&capsule, &motion);
            let bounds = [ahead.triangles(&eight)[0], ahead.boxes(&boxes_around(&eight))[0]];
            let Some(sweep) = sweep_capsule_triangle(&capsule, &motion, &triangle) else {
                misses += 1;
                left_out += usize::from(bounds[0] == NEVER);
                continue;
            };
            match sweep {
                Sweep::Touching { .. } => touching += 1,
                Sweep::Hit { .. } => hits += 1,
            }
            let limit = ahead.limit(Some(&sweep));
            assert!(
                bounds.iter().all(|&bound| 0.0 <= bound && bound <= limit),
                "{bounds:?} {limit} {sweep:?}"
            );
        }
        assert!(touching > 2_000 && hits > 5_000, "{touching} touching, {hits} hits, {misses} misses");
        assert!(left_out > misses * 4 / 5, "{left_out} of {misses} misses left out");
    }
}
