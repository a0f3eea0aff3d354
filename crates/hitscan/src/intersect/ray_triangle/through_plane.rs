//! The plane first, then whether the point in it lies in the triangle: the composite test, with a choice of
//! inclusion.
//!
//! ```text
//! n = (B - A) x (C - A)     w = n . D     t = -n . (O - A) / w     X = O + t D
//! ```
//! The point is never divided out: the tests work on `w (X - A)`, `w (X - B)` and `w (X - C)`, each of which is
//! `(O - corner) w - D (n . (O - A))`. On small integers these are exact, where `t` and `X` are not. Three of the
//! tests then drop the axis along which the normal is longest, which keeps inside and outside.
//!
//! Source: Sanchez-Crespo, Core Techniques and Algorithms in Game Programming, 2003, chapter 22; the angle sum as
//! in game programmers' tutorials of those years.

use super::columns::{BlockTest, HitColumns, Lane, Line, Precision, TriangleColumns, cross, dot, sub, visit};
use super::{PlaneTrace, TriangleHit, TriangleSums};
use crate::ray::Ray;
use crate::shape::Triangle;

/// How to decide whether a point in the plane of a triangle lies in the triangle. All four count the outline in.
///
/// ```
/// use hitscan::Ray;
/// use hitscan::intersect::{Inclusion, ray_triangle_through_plane};
/// use hitscan::shape::Triangle;
/// let pane = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
/// let at_corner = Ray::new([4.0, 0.0, 1.0], [0.0, 0.0, -1.0])?;
/// for inclusion in Inclusion::ALL {
///     assert!(ray_triangle_through_plane(&at_corner, &pane, inclusion).is_some(), "{inclusion:?}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Inclusion {
    /// The point lies on the same side of all three edges: three 2D cross products.
    EdgeFunctions,
    /// Its weights are all at least 0: two equations in the dot products of the edges, in space. Loses twice the
    /// digits of the others on slivers, since it squares their lengths.
    Barycentric,
    /// A half-line from it crosses the outline an odd number of times (Jordan); a point on the outline is found on
    /// the way.
    #[doc(alias = "Jordan")]
    CrossingCount,
    /// The corners, seen from it, span a full turn: the sum of three angles is 2 pi. Slowest and least exact: a sum
    /// within 2^-47 of the full turn counts (2^-18 in lanes of `f32`), so points up to some 2^-47 of the triangle's size
    /// outside are hits, with weights as far outside `[0, 1]`. The angles come from arctangents; from arccosines, which
    /// are flat at a straight angle, the band would be 10^-8 wide.
    #[doc(alias = "sumOfAngles")]
    AngleSum,
}

impl Inclusion {
    /// All of them.
    ///
    /// ```
    /// use hitscan::intersect::Inclusion;
    /// assert_eq!((Inclusion::ALL.len(), Inclusion::ALL[0]), (4, Inclusion::EdgeFunctions));
    /// ```
    pub const ALL: [Inclusion; 4] =
        [Inclusion::EdgeFunctions, Inclusion::Barycentric, Inclusion::CrossingCount, Inclusion::AngleSum];
}

/// Where a ray crosses a triangle within its interval, from either side, through the triangle's plane; edges,
/// corners and both ends of the interval belong to them. `None` for a miss, a ray within the plane or beside it,
/// and a triangle without area. Right within [this bound](super::ray_triangle#accuracy).
///
/// ```
/// use hitscan::Ray;
/// use hitscan::intersect::{Inclusion, ray_triangle_through_plane};
/// use hitscan::shape::Triangle;
/// let pane = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
/// let laser = Ray::between([1.0, 2.0, 3.0], [1.0, 2.0, -1.0])?;
/// let hit = ray_triangle_through_plane(&laser, &pane, Inclusion::AngleSum).expect("it goes through");
/// assert_eq!((hit.t, hit.u, hit.v), (0.75, 0.25, 0.5));
/// let along = Ray::between([1.0, 2.0, 3.0], [5.0, 2.0, 3.0])?;
/// assert_eq!(ray_triangle_through_plane(&along, &pane, Inclusion::EdgeFunctions), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ray_triangle_through_plane(
    ray: &Ray,
    triangle: &Triangle,
    inclusion: Inclusion,
) -> Option<TriangleHit> {
    let line = Line::<f64>::new(ray);
    let [a, b, c] = triangle.corners();
    let crossing = Crossing::new(&line, [a.to_array(), b.to_array(), c.to_array()]);
    if crossing.side == 0.0 || !line.admits(crossing.t) {
        return None;
    }
    crossing.finish(&line, lane(&crossing, inclusion)).hit()
}

/// [`ray_triangle_through_plane`] for `N` triangles at once, block after block; `each` gets the number of the block
/// and what was found in it. Lanes of `f64` hold the same bits. The angle sum asks for arctangents and is no vector
/// code.
///
/// ```
/// use hitscan::Ray;
/// use hitscan::intersect::{Inclusion, TriangleColumns, ray_triangles_through_plane};
/// use hitscan::shape::Triangle;
/// let pane = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
/// let blocks = [TriangleColumns::<f32, 8>::new(&[pane])];
/// let ray = Ray::new([1.0, 2.0, 3.0], [0.0, 0.0, -1.0])?;
/// ray_triangles_through_plane(&ray, &blocks, Inclusion::CrossingCount, |_, hits| {
///     assert_eq!(hits.get(0).map(|hit| hit.t), Some(3.0));
/// });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ray_triangles_through_plane<T: Precision, const N: usize>(
    ray: &Ray,
    blocks: &[TriangleColumns<T, N>],
    inclusion: Inclusion,
    each: impl FnMut(usize, &HitColumns<T, N>),
) {
    let line = Line::new(ray);
    match inclusion {
        Inclusion::EdgeFunctions => visit::<EdgeFunctions, _, _, _, N>(&line, blocks, each),
        Inclusion::Barycentric => visit::<Barycentric, _, _, _, N>(&line, blocks, each),
        Inclusion::CrossingCount => visit::<CrossingCount, _, _, _, N>(&line, blocks, each),
        Inclusion::AngleSum => visit::<AngleSum, _, _, _, N>(&line, blocks, each),
    }
}

/// Where the line meets the plane.
struct Crossing<T> {
    /// `B - A` and `C - A`.
    edges: [[T; 3]; 2],
    /// `-w (X - corner)`.
    from: [[T; 3]; 3],
    normal: [T; 3],
    /// `-w`: positive where the ray runs against the normal.
    side: T,
    /// Of the origin over A, along the normal.
    height: T,
    t: T,
}

/// Whether the crossing lies inside, and the weights of B and C times `det`.
struct Inside<T> {
    inside: bool,
    u: T,
    v: T,
    det: T,
}

impl<T: Precision> Crossing<T> {
    #[inline(always)]
    fn new(line: &Line<T>, corners: [[T; 3]; 3]) -> Crossing<T> {
        let [a, b, c] = corners;
        let edges = [sub(b, a), sub(c, a)];
        let normal = cross(edges[0], edges[1]);
        let (side, height) = (-dot(normal, line.dir), dot(normal, sub(line.origin, a)));
        // Component by component here and below: small arrays through `map` go by way of memory, and lanes with
        // them.
        let from = |corner: [T; 3]| {
            let [x, y, z] = sub(line.origin, corner);
            let [dx, dy, dz] = line.dir;
            [x * side + dx * height, y * side + dy * height, z * side + dz * height]
        };
        let from = [from(a), from(b), from(c)];
        Crossing { edges, from, normal, side, height, t: height / side }
    }

    #[inline(always)]
    fn finish(&self, line: &Line<T>, found: Inside<T>) -> Lane<T> {
        // The sign of `det` is the inclusion's own; the side of the hit is the plane's.
        let det = if self.side < T::default() { -found.det.size() } else { found.det.size() };
        let sign = if found.det < T::default() { -T::ONE } else { T::ONE };
        let inside = found.inside & (self.side.size() > T::default()) & (self.side.size() <= T::MAX);
        Lane { t: self.t, u: found.u * sign, v: found.v * sign, side: det }.accepted_if(inside, line)
    }

    /// The corners as seen from the crossing, without the axis along which the normal is longest.
    #[inline(always)]
    fn flat(&self) -> [Flat<T>; 3] {
        let [x, y, z] = self.normal;
        let (x, y, z) = (x.size(), y.size(), z.size());
        let drop_x = (x >= y) & (x >= z);
        let keep_z = drop_x | (y >= z);
        let flat = |[x, y, z]: [T; 3]| Flat { x: if drop_x { y } else { x }, y: if keep_z { z } else { y } };
        let [a, b, c] = self.from;
        [flat(a), flat(b), flat(c)]
    }
}

/// A corner as seen from the crossing, in two dimensions.
#[derive(Clone, Copy)]
struct Flat<T> {
    x: T,
    y: T,
}

/// One way to decide, for one lane.
trait Test {
    fn lane<T: Precision>(crossing: &Crossing<T>) -> Inside<T>;
}

impl<K: Test, T: Precision, const N: usize> BlockTest<Line<T>, TriangleColumns<T, N>, T, N> for K {
    #[inline(always)]
    fn test(line: &Line<T>, block: &TriangleColumns<T, N>) -> HitColumns<T, N> {
        let mut hits = HitColumns::miss();
        for lane in 0..N {
            let crossing = Crossing::new(line, block.lane(lane));
            hits.set(lane, crossing.finish(line, K::lane(&crossing)));
        }
        hits
    }
}

struct EdgeFunctions;

impl Test for EdgeFunctions {
    #[inline(always)]
    fn lane<T: Precision>(crossing: &Crossing<T>) -> Inside<T> {
        let zero = T::default();
        let [a, b, c] = edge_functions(crossing.flat());
        // By the lowest and the highest: one branch for each, where three signs apiece would be mispredicted. What
        // is not a number shows in the sum.
        let lower = |p: T, q: T| if p < q { p } else { q };
        let higher = |p: T, q: T| if p > q { p } else { q };
        let inside = (lower(lower(a, b), c) >= zero) | (higher(higher(a, b), c) <= zero);
        Inside { inside, u: b, v: c, det: (a + b) + c }
    }
}

struct Barycentric;

impl Test for Barycentric {
    #[inline(always)]
    fn lane<T: Precision>(crossing: &Crossing<T>) -> Inside<T> {
        let zero = T::default();
        let [e, f] = crossing.edges;
        let (ee, ef, ff) = (dot(e, e), dot(e, f), dot(f, f));
        let (xe, xf) = (dot(crossing.from[0], e), dot(crossing.from[0], f));
        let (u, v) = (ff * xe - ef * xf, ee * xf - ef * xe);
        let det = (ee * ff - ef * ef) * crossing.side;
        let sign = if det < zero { -T::ONE } else { T::ONE };
        let (positive_u, positive_v) = (u * sign, v * sign);
        let inside = (positive_u >= zero) & (positive_v >= zero) & (positive_u + positive_v <= det.size());
        Inside { inside, u, v, det }
    }
}

struct CrossingCount;

impl Test for CrossingCount {
    #[inline(always)]
    fn lane<T: Precision>(crossing: &Crossing<T>) -> Inside<T> {
        let flat = crossing.flat();
        let functions = edge_functions(flat);
        let (mut odd, mut on_outline) = (false, false);
        for (opposite, function) in functions.into_iter().enumerate() {
            let (p, q) = (flat[(opposite + 1) % 3], flat[(opposite + 2) % 3]);
            odd ^= crosses(p, q, function);
            on_outline |= lies_on(p, q, function);
        }
        let [a, b, c] = functions;
        Inside { inside: odd | on_outline, u: b, v: c, det: (a + b) + c }
    }
}

/// Whether the half-line from the crossing, which is the origin here, along the first axis crosses an edge.
#[inline(always)]
fn crosses<T: Precision>(p: Flat<T>, q: Flat<T>, function: T) -> bool {
    let zero = T::default();
    let straddles = (p.y > zero) != (q.y > zero);
    straddles & ((function > zero) == (q.y > p.y))
}

/// Whether the crossing lies on an edge: in line with it, and not on one side of both ends.
#[inline(always)]
fn lies_on<T: Precision>(p: Flat<T>, q: Flat<T>, function: T) -> bool {
    let zero = T::default();
    let between = ((p.x <= zero) | (q.x <= zero))
        & ((p.x >= zero) | (q.x >= zero))
        & ((p.y <= zero) | (q.y <= zero))
        & ((p.y >= zero) | (q.y >= zero));
    (function == zero) & between
}

struct AngleSum;

impl Test for AngleSum {
    #[inline(always)]
    fn lane<T: Precision>(crossing: &Crossing<T>) -> Inside<T> {
        let zero = T::default();
        let flat = crossing.flat();
        let functions = edge_functions(flat);
        // A product that overflows would turn an angle into a straight one.
        let mut finite = true;
        let mut angle = |opposite: usize| {
            let (p, q) = (flat[(opposite + 1) % 3], flat[(opposite + 2) % 3]);
            finite &= along(p, q).size() <= T::MAX;
            functions[opposite].size().angle(along(p, q))
        };
        let sum = (angle(0) + angle(1)) + angle(2);
        let full_turn = T::nearest(core::f64::consts::TAU);
        // From a corner itself there is no angle to see.
        let at_corner = flat.into_iter().any(|p| (p.x == zero) & (p.y == zero));
        let [a, b, c] = functions;
        let inside = finite & (at_corner | (sum >= full_turn - T::ANGLE_ROUNDING));
        Inside { inside, u: b, v: c, det: (a + b) + c }
    }
}

/// The dot product.
#[inline(always)]
fn along<T: Precision>(p: Flat<T>, q: Flat<T>) -> T {
    p.x * q.x + p.y * q.y
}

/// For [`ray_triangle_through_plane_trace`](super::ray_triangle_through_plane_trace).
pub(super) fn trace(ray: &Ray, triangle: &Triangle, inclusion: Inclusion) -> PlaneTrace {
    let line = Line::<f64>::new(ray);
    let crossing = Crossing::new(&line, triangle.corners().map(|corner| corner.to_array()));
    let found = lane(&crossing, inclusion);
    let sign = if found.det < 0.0 { -1.0 } else { 1.0 };
    let (u, v, det) = (found.u * sign, found.v * sign, found.det * sign);
    let flat = crossing.flat();
    let edge_values = edge_functions(flat);
    // The edge opposite of each corner, as the tests take them.
    let edge = |opposite: usize| (flat[(opposite + 1) % 3], flat[(opposite + 2) % 3], edge_values[opposite]);
    let edges = [edge(0), edge(1), edge(2)];
    PlaneTrace {
        slope: -crossing.side,
        height: crossing.height,
        edge_values,
        crossings: edges.iter().filter(|(p, q, function)| crosses(*p, *q, *function)).count(),
        on_outline: edges.iter().any(|(p, q, function)| lies_on(*p, *q, *function)),
        // Not -0, which would turn the angle at a corner, 0 by convention, into a straight one.
        angles: edges.map(|(p, q, function)| function.size().angle(along(p, q) + 0.0)),
        sums: TriangleSums {
            det: if crossing.side < 0.0 { -det } else { det },
            weights: [det - (u + v), u, v],
            t: crossing.t,
            inside: crossing.side != 0.0 && found.inside,
        },
    }
}

#[inline(always)]
fn lane(crossing: &Crossing<f64>, inclusion: Inclusion) -> Inside<f64> {
    match inclusion {
        Inclusion::EdgeFunctions => EdgeFunctions::lane(crossing),
        Inclusion::Barycentric => Barycentric::lane(crossing),
        Inclusion::CrossingCount => CrossingCount::lane(crossing),
        Inclusion::AngleSum => AngleSum::lane(crossing),
    }
}

/// The 2D cross products of the corners as seen from the crossing, each named by the corner that it leaves out.
#[inline(always)]
fn edge_functions<T: Precision>([a, b, c]: [Flat<T>; 3]) -> [T; 3] {
    let cross = |p: Flat<T>, q: Flat<T>| p.x * q.y - p.y * q.x;
    [cross(b, c), cross(c, a), cross(a, b)]
}
