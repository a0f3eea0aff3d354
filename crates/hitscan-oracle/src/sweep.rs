//! When a moving point comes near a triangle, by looking for it.
//!
//! The distance from a convex shape is a convex function along a straight path: it falls, stays and rises, each at most once.
//! So its least value is found by thirds, and the first time at a given distance by halves. Distances are exact; only
//! the places along the path are rounded.

use crate::distance::point_triangle;

/// A point that moves by `by` from `t = 0` to `t = 1`.
#[derive(Clone, Copy, Debug)]
pub struct Path {
    /// Where it starts.
    pub start: [f64; 3],
    /// How far it goes.
    pub by: [f64; 3],
}

impl Path {
    /// Where it is.
    pub fn at(&self, t: f64) -> [f64; 3] {
        std::array::from_fn(|i| self.start[i] + t * self.by[i])
    }

    /// How far it is then.
    pub fn distance(&self, t: f64, corners: [[f64; 3]; 3]) -> f64 {
        point_triangle(self.at(t), corners).roughly()
    }

    /// When it is nearest, and how far it is then.
    pub fn nearest(&self, corners: [[f64; 3]; 3]) -> (f64, f64) {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..90 {
            let third = (high - low) / 3.0;
            let (a, b) = (low + third, high - third);
            if self.distance(a, corners) <= self.distance(b, corners) {
                high = b;
            } else {
                low = a;
            }
        }
        let all = [0.0, low, high, 1.0].map(|t| (t, self.distance(t, corners)));
        all.into_iter().reduce(|best, other| if other.1 < best.1 { other } else { best }).expect("four")
    }

    /// When it is first within a distance, if it is farther at the start.
    pub fn first_within(&self, distance: f64, corners: [[f64; 3]; 3]) -> Option<f64> {
        let (nearest, least) = self.nearest(corners);
        if least > distance {
            return None;
        }
        let (mut apart, mut within) = (0.0, nearest);
        for _ in 0..80 {
            let middle = 0.5 * (apart + within);
            if self.distance(middle, corners) > distance {
                apart = middle;
            } else {
                within = middle;
            }
        }
        Some(within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fall_onto_a_face_and_past_an_edge() {
        let triangle = [[0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0]];
        let fall = Path { start: [2.0, 2.0, 5.0], by: [0.0, 0.0, -8.0] };
        let t = fall.first_within(1.0, triangle).expect("a contact");
        assert!((t - 0.5).abs() < 1e-12);
        let beside = Path { start: [4.0, -3.0, 8.0], by: [0.0, 0.0, -8.0] };
        assert_eq!(beside.nearest(triangle).1, 3.0);
        let t = beside.first_within(5.0, triangle).expect("a contact");
        assert!((t - 0.5).abs() < 1e-12);
        assert!(beside.first_within(2.5, triangle).is_none());
    }
}
