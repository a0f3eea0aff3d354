//! The box of a shape at rest, larger by what moves against it.
//!
//! Near a tangent no padding would make the times of boxes agree with those of what is in them. So each primitive has such a
//! box of its own, is refused where that is missed, and has its time clamped into the interval in which it is passed. All
//! steps here keep order under rounding: a box within a box is never entered earlier, so no tree changes an answer.

use glam::DVec3;

use super::Motion;
use crate::bvh::nearest::{Boxes, NEVER};
use crate::bvh::node::WIDTH;
use crate::shape::Capsule;

/// A box that holds the true one.
pub(crate) struct Fattened {
    low: DVec3,
    high: DVec3,
}

/// More than the roundings of a difference and a quotient, and of the factor itself: 2^-50.
const SLACK: f64 = 4.0 * f64::EPSILON;

impl Fattened {
    /// The box larger by a length on all sides, rounded outwards.
    #[inline]
    pub fn new(low: DVec3, high: DVec3, by: f64) -> Fattened {
        Fattened { low: (low - by).map(f64::next_down), high: (high + by).map(f64::next_up) }
    }

    /// When the end A of a capsule that moves enters the box drawn out by its segment and grown by its radius; `None` where it
    /// never does.
    #[inline]
    pub fn entry(low: DVec3, high: DVec3, capsule: &Capsule, motion: &Motion) -> Option<f64> {
        let by = capsule.b() - capsule.a();
        let fattened = Fattened::new(low.min(low - by), high.max(high - by), capsule.radius());
        fattened.passed(capsule.a(), motion.by()).map(|[enter, _]| enter)
    }

    /// Eight boxes drawn out by the segment of a capsule, so that its end A stands for all of it.
    #[inline(always)]
    pub fn drawn<T: Into<f64> + Copy>(boxes: &Boxes<T>, capsule: &Capsule) -> Boxes<f64> {
        let by = (capsule.b() - capsule.a()).to_array();
        let mut drawn = [[0.0; WIDTH]; 6];
        for axis in 0..3 {
            for lane in 0..WIDTH {
                let (low, high): (f64, f64) = (boxes[axis][lane].into(), boxes[3 + axis][lane].into());
                let (moved_low, moved_high) = (low - by[axis], high - by[axis]);
                drawn[axis][lane] = if moved_low < low { moved_low } else { low };
                drawn[3 + axis][lane] = if moved_high > high { moved_high } else { high };
            }
        }
        drawn
    }

    /// When the end A of a capsule that moves enters each of eight boxes that were [drawn](Self::drawn) out, or a little earlier, so that
    /// nothing in one is entered before it; [`NEVER`] where it is never entered.
    #[inline(always)]
    pub fn entries(drawn: &Boxes<f64>, capsule: &Capsule, motion: &Motion) -> [f64; WIDTH] {
        let (start, radius) = (capsule.a().to_array(), capsule.radius());
        let speed = motion.by().to_array();
        let (mut enter, mut exit) = ([0.0; WIDTH], [1.0; WIDTH]);
        for axis in 0..3 {
            let (mut below, mut above) = ([0.0; WIDTH], [0.0; WIDTH]);
            for lane in 0..WIDTH {
                let (low, high) = (drawn[axis][lane] - radius, drawn[3 + axis][lane] + radius);
                below[lane] = low - (low.abs() * SLACK + f64::MIN_POSITIVE) - start[axis];
                above[lane] = high + (high.abs() * SLACK + f64::MIN_POSITIVE) - start[axis];
            }
            let (inverse, way) = (1.0 / speed[axis], speed[axis].abs());
            if !inverse.is_finite() {
                // A way of nothing, or of hardly more.
                for lane in 0..WIDTH {
                    let apart = below[lane] > way || above[lane] < -way;
                    exit[lane] = if apart { NEVER } else { exit[lane] };
                }
                continue;
            }
            let (near, far) = if inverse > 0.0 { (&below, &above) } else { (&above, &below) };
            for lane in 0..WIDTH {
                // Twice what a quotient is off where it is a product.
                let first = near[lane] * inverse * (1.0 - 2.0 * SLACK);
                let last = far[lane] * inverse * (1.0 + 2.0 * SLACK);
                enter[lane] = if first > enter[lane] { first } else { enter[lane] };
                exit[lane] = if last < exit[lane] { last } else { exit[lane] };
            }
        }
        for lane in 0..WIDTH {
            enter[lane] = if enter[lane] <= exit[lane] { enter[lane] } else { NEVER };
        }
        enter
    }

    /// From when to when a point that moves is in it, within `[0, 1]`; `None` where it never is.
    #[inline]
    pub fn passed(&self, start: DVec3, by: DVec3) -> Option<[f64; 2]> {
        let (mut enter, mut exit) = (0.0f64, 1.0f64);
        for axis in 0..3 {
            let (below, above) = (self.low[axis] - start[axis], self.high[axis] - start[axis]);
            let speed = by[axis];
            if speed == 0.0 {
                if below > 0.0 || above < 0.0 {
                    return None;
                }
                continue;
            }
            let [near, far] = if speed > 0.0 { [below, above] } else { [above, below] };
            let (first, last) = (near / speed, far / speed);
            if last < 0.0 || first * (1.0 - SLACK) > 1.0 {
                return None;
            }
            enter = enter.max(first * (1.0 - SLACK));
            exit = exit.min(last * (1.0 + SLACK));
        }
        (enter <= exit).then_some([enter, exit])
    }
}

#[cfg(test)]
mod tests {
    use hitscan_oracle::Rng;

    use super::*;

    /// A triangle that a capsule meets at a time lies in boxes that it enters no later: by the eight at once, and by its own box.
    #[test]
    fn eight_boxes_are_entered_no_later_than_what_is_in_them() {
        let mut rng = Rng::new(12);
        let mut entered = 0;
        for _ in 0..20_000 {
            let scale = rng.power_of_two(-120, 90);
            let mut number = || rng.pick(&[0.0, 1.0, -1.0, rng.clone().range(-2.0, 2.0)]);
            let mut point = || DVec3::new(number(), number(), number());
            let (a, b, c, start, along) = (point(), point(), point(), point() * scale, point() * scale);
            let (by, tiny) = (point() * scale, rng.pick(&[1.0, 1.0, 1e-300, 5e-324]));
            let radius = scale * rng.any_size(1e-12, 1.0);
            let corner = |of: fn(DVec3, DVec3) -> DVec3, axis: usize| (of(of(a, b), c)[axis] * scale) as f32;
            let own: Boxes = core::array::from_fn(|plane| {
                let end = corner(if plane < 3 { DVec3::min } else { DVec3::max }, plane % 3);
                core::array::from_fn(|lane| {
                    let room = (1 << lane) as f32 * f32::EPSILON * end.abs();
                    if plane < 3 { end - room } else { end + room }
                })
            });
            let capsule = Capsule::derived(start, start + along, radius);
            let Ok(motion) = Motion::new((by * tiny).to_array()) else { continue };
            let (low, high) = (
                DVec3::new(own[0][0].into(), own[1][0].into(), own[2][0].into()),
                DVec3::new(own[3][0].into(), own[4][0].into(), own[5][0].into()),
            );
            let entries = Fattened::entries(&Fattened::drawn(&own, &capsule), &capsule, &motion);
            if let Some(enter) = Fattened::entry(low, high, &capsule, &motion) {
                entered += 1;
                assert!(entries.iter().all(|&entry| entry >= 0.0 && entry <= enter), "{entries:?} {enter}");
            }
        }
        assert!(entered > 1000, "{entered}");
    }

    #[test]
    fn a_box_within_a_box_is_passed_within_its_time() {
        let mut rng = Rng::new(11);
        let mut passed = 0;
        for _ in 0..20_000 {
            let scale = rng.power_of_two(-300, 90);
            let mut number = || rng.pick(&[0.0, 1.0, -1.0, rng.clone().range(-2.0, 2.0)]) * scale;
            let mut point = || DVec3::new(number(), number(), number());
            let (a, b, c, start, by) = (point(), point(), point(), point(), point());
            let radius = scale * rng.any_size(1e-12, 1.0);
            let inner = Fattened::new(a.min(b), a.max(b), radius).passed(start, by);
            let outer = Fattened::new(a.min(b).min(c), a.max(b).max(c), radius).passed(start, by);
            if let Some([enter, exit]) = inner {
                passed += 1;
                assert!(outer.is_some_and(|[first, last]| first <= enter && exit <= last));
            }
        }
        assert!(passed > 1000, "{passed}");
    }
}
