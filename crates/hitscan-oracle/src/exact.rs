//! One line and one triangle without any rounding: the judge of what the recipe should have said.
//!
//! Every finite number is an integer times a power of two, so all coordinates become integers in one common
//! unit, and the signs of determinants are exact. There is no tolerance to choose.

use num_bigint::{BigInt, Sign};

/// Where a line passes a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Beside it.
    Outside,
    /// Through its inside.
    Inside,
    /// Through the inside of the edge opposite to this corner.
    OnEdge(usize),
    /// Through this corner.
    OnCorner(usize),
    /// The line is parallel to the triangle's plane, or the triangle has no area.
    Parallel,
}

/// What [`judge`] found.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Where the line passes.
    pub place: Place,
    /// Whether the corners run counter-clockwise as seen along the line; false for [`Place::Parallel`].
    pub front: bool,
    /// Numerator and denominator of `t` in the line's own unit, without the powers of two in `exponent`.
    t: (BigInt, BigInt),
    exponent: i64,
}

/// Whole numbers in one unit.
pub(crate) type Point = [BigInt; 3];

/// Judges the line `origin + t * dir` against a triangle.
///
/// # Panics
/// Where a number is not finite.
pub fn judge(origin: [f64; 3], dir: [f64; 3], corners: [[f32; 3]; 3]) -> Judgement {
    let (points, point_unit) = in_common_unit(&points_of(origin, corners));
    let (dirs, dir_unit) = in_common_unit(&[dir]);
    let [a, b, c] = [1, 2, 3].map(|corner| sub(&points[corner], &points[0]));
    let d = &dirs[0];
    let edges = edge_values(d, &a, &b, &c);
    let det: BigInt = edges.iter().sum();
    let along = [&a, &b, &c].map(|corner| dot(corner, d));
    let depth: BigInt = edges.iter().zip(&along).map(|(edge, z)| edge * z).sum();
    Judgement {
        place: place(&edges, &det),
        front: det.sign() == Sign::Plus,
        t: (depth, &det * dot(d, d)),
        exponent: point_unit - dir_unit,
    }
}

/// Whether the line, moved by `(e, e^2)` in the recipe's sheared plane for an infinitely small `e`, goes through the
/// triangle: judged by really moving it, by an `e` that is smaller than anything that could matter.
///
/// # Panics
/// Where a number is not finite.
pub fn judge_moved(origin: [f64; 3], dir: [f64; 3], corners: [[f32; 3]; 3]) -> bool {
    let (mut points, _) = in_common_unit(&points_of(origin, corners));
    let (dirs, _) = in_common_unit(&[dir]);
    let d = &dirs[0];
    let size = |c: &BigInt| c.magnitude().clone();
    let mut kz = 0;
    for axis in [1, 2] {
        if size(&d[axis]) > size(&d[kz]) {
            kz = axis;
        }
    }
    let (mut kx, mut ky) = ((kz + 1) % 3, (kz + 2) % 3);
    if d[kz].sign() == Sign::Minus {
        std::mem::swap(&mut kx, &mut ky);
    }
    // An edge value is a polynomial in e whose coefficients are integers below 2^bits, so for e = 2^-bits the first
    // one that is not zero decides its sign.
    let bits = 8 + 3 * points.iter().chain(&dirs).flatten().map(BigInt::bits).max().unwrap_or(0);
    for c in points.iter_mut().flatten() {
        *c <<= 2 * bits;
    }
    points[0][kx] += BigInt::from(1) << bits;
    points[0][ky] += 1;
    let [a, b, c] = [1, 2, 3].map(|corner| sub(&points[corner], &points[0]));
    let edges = edge_values(d, &a, &b, &c);
    place(&edges, &edges.iter().sum()) == Place::Inside
}

impl Judgement {
    /// The exact `t`, rounded to `f64` (within 2 rounding errors); NaN for [`Place::Parallel`].
    pub fn t(&self) -> f64 {
        let (n, d) = (mantissa(&self.t.0), mantissa(&self.t.1));
        let exponent = (n.1 - d.1 + self.exponent).clamp(-1000, 1000) as i32;
        n.0 / d.0 * f64::powi(2.0, exponent)
    }
}

/// The values of the edges opposite to the corners A, B and C, with the signs of the recipe.
fn edge_values(d: &Point, a: &Point, b: &Point, c: &Point) -> [BigInt; 3] {
    [dot(d, &cross(c, b)), dot(d, &cross(a, c)), dot(d, &cross(b, a))]
}

fn place(edges: &[BigInt; 3], det: &BigInt) -> Place {
    let signs = [0, 1, 2].map(|i| match edges[i].sign() {
        Sign::Minus => -1,
        Sign::NoSign => 0,
        Sign::Plus => 1,
    });
    if det.sign() == Sign::NoSign {
        return Place::Parallel;
    }
    if signs.contains(&1) && signs.contains(&-1) {
        return Place::Outside;
    }
    let zeros: Vec<usize> = (0..3).filter(|&i| signs[i] == 0).collect();
    match zeros[..] {
        [] => Place::Inside,
        [opposite] => Place::OnEdge(opposite),
        // Two edges through the line meet in the corner between them, which is opposite to the third.
        [i, j] => Place::OnCorner(3 - i - j),
        _ => Place::Parallel,
    }
}

fn points_of(origin: [f64; 3], corners: [[f32; 3]; 3]) -> [[f64; 3]; 4] {
    let [a, b, c] = corners.map(|corner| corner.map(f64::from));
    [origin, a, b, c]
}

/// The points as integers times `2^exponent`.
pub(crate) fn in_common_unit(points: &[[f64; 3]]) -> (Vec<Point>, i64) {
    let parts: Vec<[(i64, i64); 3]> = points.iter().map(|point| point.map(integer_and_exponent)).collect();
    let used = parts.iter().flatten().filter(|part| part.0 != 0);
    let exponent = used.map(|part| part.1).min().unwrap_or(0);
    let integer =
        |&(m, e): &(i64, i64)| if m == 0 { BigInt::ZERO } else { BigInt::from(m) << (e - exponent) };
    (parts.iter().map(|[x, y, z]| [integer(x), integer(y), integer(z)]).collect(), exponent)
}

/// `x` as an integer times a power of two.
///
/// # Panics
/// Where `x` is not finite.
pub(crate) fn integer_and_exponent(x: f64) -> (i64, i64) {
    assert!(x.is_finite(), "exact arithmetic needs finite numbers, not {x}");
    let bits = x.to_bits();
    let (field, fraction) = ((bits >> 52 & 0x7ff) as i64, (bits & ((1 << 52) - 1)) as i64);
    let (m, e) = if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
    let zeros = if m == 0 { 0 } else { i64::from(m.trailing_zeros()) };
    let m = m >> zeros;
    (if x < 0.0 { -m } else { m }, e + zeros)
}

/// The leading 64 bits as a number, and the power of two that was taken out.
fn mantissa(x: &BigInt) -> (f64, i64) {
    let shift = x.bits().saturating_sub(62);
    // 62 bits fit.
    let top = i64::try_from(x >> shift).unwrap_or_default();
    (top as f64, shift as i64)
}

pub(crate) fn sub(a: &Point, b: &Point) -> Point {
    [&a[0] - &b[0], &a[1] - &b[1], &a[2] - &b[2]]
}

pub(crate) fn dot(a: &Point, b: &Point) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

pub(crate) fn cross(a: &Point, b: &Point) -> Point {
    [&a[1] * &b[2] - &a[2] * &b[1], &a[2] * &b[0] - &a[0] * &b[2], &a[0] * &b[1] - &a[1] * &b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0]];

    fn down(x: f64, y: f64) -> Judgement {
        judge([x, y, 3.0], [0.0, 0.0, -2.0], TRIANGLE)
    }

    #[test]
    fn places_are_told_apart_to_the_last_bit() {
        let tiny = f64::from_bits(1);
        assert_eq!(down(tiny, tiny).place, Place::Inside);
        assert_eq!(down(tiny, 0.0).place, Place::OnEdge(2));
        assert_eq!(down(0.0, tiny).place, Place::OnEdge(1));
        assert_eq!(down(4.0, 4.0).place, Place::OnEdge(0));
        assert_eq!(down(4.0, 4.0f64.next_up()).place, Place::Outside);
        assert_eq!(down(0.0, 0.0).place, Place::OnCorner(0));
        assert_eq!(down(8.0, 0.0).place, Place::OnCorner(1));
        assert_eq!(down(0.0, 8.0).place, Place::OnCorner(2));
        assert_eq!(down(-tiny, 1.0).place, Place::Outside);
        assert_eq!(judge([0.0; 3], [1.0, 1.0, 0.0], TRIANGLE).place, Place::Parallel);
    }

    #[test]
    fn t_and_front_are_those_of_the_line() {
        assert_eq!(down(1.0, 1.0).t(), 1.5);
        assert!(down(1.0, 1.0).front);
        let up = judge([1.0, 1.0, 1.0], [0.0, 0.0, 3e-200], TRIANGLE);
        assert!(!up.front);
        assert!((up.t() * 3e-200 + 1.0).abs() < 1e-15);
    }

    #[test]
    fn the_moved_line_takes_one_of_two_neighbours() {
        let other = [[8.0, 8.0, 0.0], [0.0, 8.0, 0.0], [8.0, 0.0, 0.0]];
        for (x, y) in [(4.0, 4.0), (8.0, 0.0), (0.0, 8.0), (1.0, 7.0), (2.0, 2.0)] {
            let ray = ([x, y, 3.0], [0.0, 0.0, -2.0]);
            let taken = [TRIANGLE, other].map(|corners| judge_moved(ray.0, ray.1, corners));
            let [first, second] = taken;
            let at_corner = y == 0.0 || y == 8.0;
            assert!(first != second || (at_corner && !first), "({x}, {y}): {taken:?}");
        }
    }
}
