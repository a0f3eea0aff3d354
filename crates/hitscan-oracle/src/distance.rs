//! The distance of a point and a triangle without any rounding, by trying everything that could be nearest.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

use crate::exact::{Point, dot, in_common_unit, integer_and_exponent, sub};

/// A distance, as the fraction that its square is, times a power of four.
#[derive(Clone, Debug)]
pub struct Distance {
    n: BigInt,
    d: BigInt,
    exponent: i64,
}

/// From a point to the nearest point of a triangle, which may be a segment or a point.
///
/// # Panics
/// Where a number is not finite.
pub fn point_triangle(point: [f64; 3], corners: [[f64; 3]; 3]) -> Distance {
    let [a, b, c] = corners;
    let (points, exponent) = in_common_unit(&[point, a, b, c]);
    let from_p = [1, 2, 3].map(|corner| sub(&points[corner], &points[0]));
    let mut squares: Vec<(BigInt, BigInt)> = Vec::new();
    for i in 0..3 {
        let (from, to) = (&from_p[i], &from_p[(i + 1) % 3]);
        squares.push((dot(from, from), 1.into()));
        let along = sub(to, from);
        let (length_sq, foot) = (dot(&along, &along), -dot(from, &along));
        if foot.sign() == Sign::Plus && foot < length_sq {
            squares.push((dot(from, from) * &length_sq - &foot * &foot, length_sq));
        }
    }
    squares.extend(square_from_face(&from_p));
    let (n, d) = squares
        .into_iter()
        .reduce(|x, y| if &y.0 * &x.1 < &x.0 * &y.1 { y } else { x })
        .expect("three corners");
    Distance { n, d, exponent }
}

/// The squared distance of the plane, where the foot lies inside: its weights solve the two equations in the dot products of
/// the edges.
fn square_from_face([a, b, c]: &[Point; 3]) -> Option<(BigInt, BigInt)> {
    let (e, f) = (sub(b, a), sub(c, a));
    let (ee, ef, ff) = (dot(&e, &e), dot(&e, &f), dot(&f, &f));
    let (ae, af) = (-dot(a, &e), -dot(a, &f));
    let det = &ee * &ff - &ef * &ef;
    let (u, v) = (&ff * &ae - &ef * &af, &ee * &af - &ef * &ae);
    let is_inside = [&det, &u, &v, &(&det - &u - &v)].into_iter().all(|x| x.sign() == Sign::Plus);
    // |a|^2 - u (e . -a) / det - v (f . -a) / det
    is_inside.then(|| (dot(a, a) * &det - u * ae - v * af, det))
}

impl Distance {
    /// Compares it with a length that is not negative.
    ///
    /// # Panics
    /// Where the length is not finite.
    pub fn compare(&self, length: f64) -> Ordering {
        let (m, e) = integer_and_exponent(length);
        let (square, scaled) = (BigInt::from(m) * BigInt::from(m) * &self.d, &self.n);
        let shift = 2 * (self.exponent - e);
        if shift >= 0 { (scaled << shift).cmp(&square) } else { scaled.cmp(&(square << -shift)) }
    }

    /// As `f64`, within a few rounding errors.
    pub fn roughly(&self) -> f64 {
        let top = |x: &BigInt| {
            let shift = x.bits().saturating_sub(60);
            (i64::try_from(x >> shift).unwrap_or_default() as f64, shift as i64)
        };
        let ((n, n_shift), (d, d_shift)) = (top(&self.n), top(&self.d));
        let shift = n_shift - d_shift;
        let odd = if shift % 2 == 0 { 1.0 } else { 2.0 };
        let half = (shift - if shift % 2 == 0 { 0 } else { 1 }) / 2 + self.exponent;
        libm::scalbn((n / d * odd).sqrt(), half as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0]];

    #[test]
    fn each_region_has_its_distance() {
        for (point, distance) in [
            ([1.0, 1.0, 3.0], 3.0),
            ([7.0, 7.0, 0.0], 18f64.sqrt()),
            ([-3.0, -4.0, 0.0], 5.0),
            ([4.0, -3.0, 4.0], 5.0),
            ([11.0, 0.0, -4.0], 5.0),
            ([2.0, 2.0, 0.0], 0.0),
        ] {
            let found = point_triangle(point, TRIANGLE);
            assert!((found.roughly() - distance).abs() < 1e-15, "{point:?}: {}", found.roughly());
        }
        assert_eq!(point_triangle([4.0, -3.0, 4.0], TRIANGLE).compare(5.0), Ordering::Equal);
        let irrational = point_triangle([7.0, 7.0, 0.0], TRIANGLE);
        assert_eq!(irrational.compare(18f64.sqrt().next_up()), Ordering::Less);
        assert_eq!(irrational.compare(18f64.sqrt().next_down()), Ordering::Greater);
        assert_eq!(point_triangle([1.0, 1.0, 3e-300], TRIANGLE).compare(3e-300), Ordering::Equal);
    }

    #[test]
    fn a_segment_and_a_point_are_triangles_too() {
        let segment = [[0.0; 3], [4.0, 0.0, 0.0], [8.0, 0.0, 0.0]];
        assert_eq!(point_triangle([5.0, 3.0, 4.0], segment).compare(5.0), Ordering::Equal);
        assert_eq!(point_triangle([3.0, 4.0, 0.0], [[0.0; 3]; 3]).compare(5.0), Ordering::Equal);
    }
}
