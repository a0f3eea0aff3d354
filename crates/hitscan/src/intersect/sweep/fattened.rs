//! The box of a shape at rest, larger by what moves against it.
//!
//! Near a tangent no padding would make the times of boxes agree with those of what is in them. So each primitive has such a
//! box of its own, is refused where that is missed, and has its time clamped into the interval in which it is passed. All
//! steps here keep order under rounding: a box within a box is never entered earlier, so no tree changes an answer.

use glam::DVec3;

use super::Motion;
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
