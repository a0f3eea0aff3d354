//! How far a point is at least from eight boxes or from eight triangles, so that most of them need no exact test.
//!
//! What is inlined here into an instruction set becomes its instructions. Bounds are squares, of lengths by a scale: a power of two.

use glam::DVec3;

use crate::bvh::nearest::{Boxes, Corners};
use crate::bvh::node::WIDTH;

/// A part of a square that covers what rounding makes of it.
pub(super) const PART: f64 = 1.0 / (1u64 << 34) as f64;

/// What covers the rest, for one unit of the squared distance of the farthest corner. A length `x` that is off by `y` has a square of at
/// least `x^2 (1 - PART) - y^2 / PART`, and lengths here, and those that [`point_triangle`](super::point_triangle) gives, are off by at
/// most `2^-44` of the farthest corner.
pub(super) const REST: f64 = 1.0 / (1u64 << 50) as f64;

/// Squares that nothing in a box is nearer to a point than, nor is said to be: 0 where it may be touched.
#[inline(always)]
pub(crate) fn gaps_sq<T: Into<f64> + Copy>(point: DVec3, scale: f64, boxes: &Boxes<T>) -> [f64; WIDTH] {
    let point = point.to_array();
    let (mut squares, mut farthest) = ([0.0; WIDTH], [0.0; WIDTH]);
    for axis in 0..3 {
        for lane in 0..WIDTH {
            let (low, high): (f64, f64) = (boxes[axis][lane].into(), boxes[3 + axis][lane].into());
            let (below, above) = ((low - point[axis]) * scale, (point[axis] - high) * scale);
            let gap = larger(larger(below, above), 0.0);
            let far = larger(-below, -above);
            squares[lane] += gap * gap;
            farthest[lane] += far * far;
        }
    }
    for lane in 0..WIDTH {
        // One that is too large says so, whatever the farthest is.
        let less = larger(squares[lane] * (1.0 - PART) - farthest[lane] * REST, 0.0);
        squares[lane] = if squares[lane] < f64::INFINITY { less } else { f64::INFINITY };
    }
    squares
}

/// The same of triangles. Of slivers they may be far too small.
#[inline(always)]
pub(crate) fn distances_sq<T: Into<f64> + Copy>(
    point: DVec3,
    scale: f64,
    corners: &Corners<T>,
) -> [f64; WIDTH] {
    let point = point.to_array();
    let mut squares = [0.0; WIDTH];
    for lane in 0..WIDTH {
        let [mut a, mut b, mut c] = [[0.0; 3]; 3];
        for axis in 0..3 {
            a[axis] = (corners[0][axis][lane].into() - point[axis]) * scale;
            b[axis] = (corners[1][axis][lane].into() - point[axis]) * scale;
            c[axis] = (corners[2][axis][lane].into() - point[axis]) * scale;
        }
        squares[lane] = triangle_sq(a, b, c);
    }
    squares
}

/// The same of one triangle, of the origin.
///
/// What is nearest lies on an edge, or inside of the face where the foot of the point does; where that is for sure beside it, the edges
/// alone say how far the triangle is (Ericson, Real-Time Collision Detection, 2005, section 5.1.5, as a bound).
#[inline(always)]
pub(super) fn triangle_sq(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> f64 {
    let (ab, bc, ca) = (sub(b, a), sub(c, b), sub(a, c));
    let farthest = farthest_sq(a, b, c);
    let longest = larger(larger(dot(ab, ab), dot(bc, bc)), dot(ca, ca));
    let edges = smaller(smaller(to_edge(a, ab), to_edge(b, bc)), to_edge(c, ca));
    let edges = edges * (1.0 - PART) - farthest * REST;

    let normal = cross(ca, ab);
    let normal_sq = dot(normal, normal);
    let inside =
        smaller(smaller(dot(normal, cross(a, b)), dot(normal, cross(b, c))), dot(normal, cross(c, a)));
    // Twelve roundings of products of four lengths, with room.
    let beside = inside < -(longest * farthest) * (1.0 / (1u64 << 44) as f64);
    let height = dot(normal, a);
    let off = longest * longest * REST;
    let above = height * height * (1.0 - PART) - off * farthest;
    let face = above / (normal_sq * (1.0 + PART) + off) - farthest * REST;
    let least = if beside { edges } else { smaller(face, edges) };
    // Where squares are lost, or there is no number: it may be touched.
    if least > 0.0 && farthest > TINY { least } else { 0.0 }
}

/// The squared distance of the farthest corner from the origin.
#[inline(always)]
pub(super) fn farthest_sq(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> f64 {
    larger(larger(dot(a, a), dot(b, b)), dot(c, c))
}

/// The squared distance of the origin from a triangle that is seen from afar, in a plane: 0 where it may be inside.
#[inline(always)]
pub(super) fn line_sq(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    let turn = |p: [f64; 2], q: [f64; 2]| p[0] * q[1] - p[1] * q[0];
    let flat = |p: [f64; 2]| [p[0], p[1], 0.0];
    let (ab, bc, ca) = (turn(a, b), turn(b, c), turn(c, a));
    let (a, b, c) = (flat(a), flat(b), flat(c));
    let off = farthest_sq(a, b, c) * (1.0 / (1u64 << 44) as f64);
    let beside = smaller(smaller(ab, bc), ca) < -off && larger(larger(ab, bc), ca) > off;
    let edges = smaller(smaller(to_edge(a, sub(b, a)), to_edge(b, sub(c, b))), to_edge(c, sub(a, c)));
    if beside { edges } else { 0.0 }
}

/// Below it, products of squares are lost.
const TINY: f64 = 1e-60;

/// The squared distance of the origin from an edge.
#[inline(always)]
fn to_edge(from: [f64; 3], along: [f64; 3]) -> f64 {
    let part = -dot(from, along) / dot(along, along);
    // An edge of length 0 has no such number.
    let part = if part > 0.0 { part } else { 0.0 };
    let part = if part < 1.0 { part } else { 1.0 };
    let nearest = [from[0] + along[0] * part, from[1] + along[1] * part, from[2] + along[2] * part];
    dot(nearest, nearest)
}

#[inline(always)]
pub(super) fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
pub(super) fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline(always)]
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use hitscan_oracle::Rng;

    use super::*;
    use crate::intersect::point_triangle;
    use crate::shape::Triangle;

    /// Triangles of all shapes and sizes, slivers and points among them, seen from near and from far.
    #[test]
    fn bounds_are_below_what_is_said_of_each_and_near_it_for_most() {
        let mut rng = Rng::new(5);
        let mut near = 0;
        const ROUNDS: usize = 20_000;
        for _ in 0..ROUNDS {
            let size = rng.power_of_two(-40, 40);
            let mut corner = [[[0.0f32; WIDTH]; 3]; 3];
            let thin = rng.pick(&[1.0, 1.0, 1e-3, 1e-9, 0.0]);
            for axis in 0..3 {
                let (a, b) = (rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
                let part = rng.pick(&[0.5, 0.0, 1.0]);
                let c = a + (b - a) * part + rng.range(-1.0, 1.0) * thin;
                for (place, value) in corner.iter_mut().zip([a, b, c]) {
                    place[axis] = [(value * size) as f32; WIDTH];
                }
            }
            let away = size * rng.pick(&[0.0, 1e-6, 1.0, 3.0, 1e6]);
            let mut coordinate =
                || rng.range(-1.0, 1.0) * away + rng.pick(&[0.0, f64::from(corner[0][0][0])]);
            let point = DVec3::new(coordinate(), coordinate(), coordinate());
            let scale = 1.0 / rng.pick(&[size, away.max(size)]);
            let [a, b, c] = corner.map(|planes| planes.map(|plane| f64::from(plane[0])));
            let said = point_triangle(point, &Triangle::derived([a, b, c].map(DVec3::from))).distance;
            let bound = distances_sq(point, scale, &corner)[0];
            let said_sq = said * scale * (said * scale);
            assert!(bound >= 0.0 && bound <= said_sq, "{bound} {said_sq}");
            near += usize::from(bound > 0.99 * said_sq);
        }
        assert!(near > ROUNDS / 2, "{near}");
    }
}
