//! Moeller and Trumbore: Cramer's rule on `O + t D = A + u (B - A) + v (C - A)`.
//!
//! ```text
//! E = B - A   F = C - A   P = D x F   S = O - A   Q = S x E
//! det = E . P      u = S . P / det      v = D . Q / det      t = F . Q / det
//! ```
//! Nothing is divided before the triangle has accepted: the determinant's sign is folded into `S` instead.
//! Rounding: each of the differences counts 1, a product 1, the difference of two products 1, the product with a
//! third factor 1, their sum 2; so 7 for `det`, `u` and `v`, 8 for `t`, and 9 for the third weight `det - (u + v)`.
//!
//! Source: Moeller, Trumbore: Fast, Minimum Storage Ray/Triangle Intersection, 1997. The DirectX SDK's sample Pick
//! folds the sign so.

use glam::DVec3;

use super::columns::{BlockTest, HitColumns, Lane, Line, Precision, TriangleColumns, cross, dot, sub, visit};
use super::{TriangleHit, TriangleSums, facing};
use crate::ray::Ray;
use crate::shape::Triangle;

/// Where a ray crosses a triangle within its interval, from either side; edges, corners and both ends of the
/// interval belong to them. `None` for a miss, a ray within the plane, and a triangle without area.
///
/// Right but where one of its sums of products is within 9 rounding errors of 0: [the
/// bound](super::ray_triangle#accuracy) is the smallest of the algorithms here.
///
/// ```
/// use hitscan::intersect::ray_triangle_moeller_trumbore;
/// use hitscan::shape::Triangle;
/// use hitscan::{Face, Ray};
/// let pane = Triangle::new([0.0; 3], [1e-3, 0.0, 0.0], [0.0, 1e-3, 0.0])?; // small, and still there
/// let from_behind = Ray::new([2e-4, 2e-4, -1.0], [0.0, 0.0, 1.0])?;
/// let hit = ray_triangle_moeller_trumbore(&from_behind, &pane).expect("both sides count");
/// assert_eq!((hit.t, hit.facing), (1.0, Face::Back));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "intersects")]
#[doc(alias = "D3DXIntersectTri")]
#[doc(alias = "IntersectTriangle")]
#[inline]
pub fn ray_triangle_moeller_trumbore(ray: &Ray, triangle: &Triangle) -> Option<TriangleHit> {
    within(ray, line_triangle(ray, triangle)?)
}

/// The same for the front alone: a ray that meets the triangle from behind passes.
///
/// ```
/// use hitscan::Ray;
/// use hitscan::intersect::ray_triangle_moeller_trumbore_one_sided;
/// use hitscan::shape::Triangle;
/// let pane = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])?;
/// let front = Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0])?;
/// let back = Ray::new([0.2, 0.2, -1.0], [0.0, 0.0, 1.0])?;
/// assert_eq!(ray_triangle_moeller_trumbore_one_sided(&front, &pane).map(|hit| hit.t), Some(1.0));
/// assert_eq!(ray_triangle_moeller_trumbore_one_sided(&back, &pane), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "backface culling")]
#[inline]
pub fn ray_triangle_moeller_trumbore_one_sided(ray: &Ray, triangle: &Triangle) -> Option<TriangleHit> {
    let start = Start::new(ray, triangle);
    if start.det > 0.0 { within(ray, start.finish()?) } else { None }
}

/// Where the whole line of a ray crosses a triangle, whatever the ray's interval: `t` is negative where the
/// triangle lies behind the ray's origin. For a distance in world units multiply `t` by the length of the
/// direction.
///
/// `None` where the line passes beside the triangle or runs within its plane, and for a triangle without area.
///
/// ```
/// use hitscan::Ray;
/// use hitscan::intersect::line_triangle;
/// use hitscan::shape::Triangle;
/// let pane = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])?;
/// let away = Ray::new([0.2, 0.2, 3.0], [0.0, 0.0, 1.0])?;
/// assert_eq!(line_triangle(&away, &pane).map(|hit| hit.t), Some(-3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "Intersects")]
#[inline]
pub fn line_triangle(ray: &Ray, triangle: &Triangle) -> Option<TriangleHit> {
    Start::new(ray, triangle).finish()
}

#[inline]
fn within(ray: &Ray, hit: TriangleHit) -> Option<TriangleHit> {
    (ray.t_min()..=ray.t_max()).contains(&hit.t).then_some(hit)
}

/// What is known when the determinant is.
struct Start {
    dir: DVec3,
    e: DVec3,
    f: DVec3,
    p: DVec3,
    from_a: DVec3,
    /// Positive where the ray runs against the normal.
    det: f64,
}

impl Start {
    #[inline]
    fn new(ray: &Ray, triangle: &Triangle) -> Start {
        let [a, b, c] = triangle.corners();
        let (e, f) = (b - a, c - a);
        let p = ray.dir().cross(f);
        Start { dir: ray.dir(), e, f, p, from_a: ray.origin() - a, det: e.dot(p) }
    }

    /// The weights, with the determinant's sign folded in; `v` by way of `q`, which `t` needs too.
    #[inline(always)]
    fn weights(&self) -> Weights {
        let sign = if self.det > 0.0 { 1.0 } else { -1.0 };
        let (det, s) = (self.det * sign, self.from_a * sign);
        let q = s.cross(self.e);
        Weights { det, u: s.dot(self.p), v: self.dir.dot(q), q }
    }

    #[inline]
    fn finish(self) -> Option<TriangleHit> {
        let weights = self.weights();
        // One branch, which predicts well: with one for each weight a random triangle took 25 ns in place of 10.5.
        if !weights.accept() {
            return None;
        }
        let Weights { det, u, v, q } = weights;
        let t = self.f.dot(q) / det;
        let hit =
            TriangleHit { t: t + 0.0, u: u / det + 0.0, v: v / det + 0.0, facing: facing(self.det > 0.0) };
        // A line that is almost parallel may meet the plane beyond all numbers.
        t.is_finite().then_some(hit)
    }
}

/// The sums that decide, all with the sign that the determinant would have had folded in.
struct Weights {
    det: f64,
    u: f64,
    v: f64,
    q: DVec3,
}

impl Weights {
    #[inline(always)]
    fn accept(&self) -> bool {
        let Weights { det, u, v, .. } = *self;
        det > 0.0 && u.min(v).min(det - (u + v)) >= 0.0
    }
}

/// For [`TriangleSums::moeller_trumbore`].
pub(super) fn sums(ray: &Ray, triangle: &Triangle) -> TriangleSums {
    let start = Start::new(ray, triangle);
    let weights = start.weights();
    let Weights { det, u, v, q } = weights;
    let t = start.f.dot(q) / det;
    TriangleSums { det: start.det, weights: [det - (u + v), u, v], t, inside: weights.accept() }
}

/// [`ray_triangle_moeller_trumbore`] for `N` triangles at once, block after block; `each` gets the number of the
/// block and what was found in it. Lanes of `f64` hold the same bits.
///
/// ```
/// use hitscan::intersect::{TriangleColumns, ray_triangles_moeller_trumbore};
/// use hitscan::shape::Triangle;
/// use hitscan::Ray;
/// let pane = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])?;
/// let blocks = TriangleColumns::<f32, 16>::blocks(&[pane; 40]);
/// let ray = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0])?;
/// let mut count = 0;
/// ray_triangles_moeller_trumbore(&ray, &blocks, |_, hits| count += hits.iter().count());
/// assert_eq!(count, 40);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ray_triangles_moeller_trumbore<T: Precision, const N: usize>(
    ray: &Ray,
    blocks: &[TriangleColumns<T, N>],
    each: impl FnMut(usize, &HitColumns<T, N>),
) {
    visit::<Cramer<true>, _, _, _, N>(&Line::new(ray), blocks, each);
}

/// [`ray_triangle_moeller_trumbore_one_sided`] for `N` triangles at once, as [`ray_triangles_moeller_trumbore`].
///
/// ```
/// use hitscan::intersect::{TriangleColumns, ray_triangles_moeller_trumbore_one_sided};
/// use hitscan::shape::Triangle;
/// use hitscan::Ray;
/// let (a, b, c) = ([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
/// let blocks = [TriangleColumns::<f64, 8>::new(&[Triangle::new(a, b, c)?, Triangle::new(a, c, b)?])];
/// let ray = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0])?;
/// ray_triangles_moeller_trumbore_one_sided(&ray, &blocks, |_, hits| {
///     assert!(hits.get(0).is_some() && hits.get(1).is_none());
/// });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ray_triangles_moeller_trumbore_one_sided<T: Precision, const N: usize>(
    ray: &Ray,
    blocks: &[TriangleColumns<T, N>],
    each: impl FnMut(usize, &HitColumns<T, N>),
) {
    visit::<Cramer<false>, _, _, _, N>(&Line::new(ray), blocks, each);
}

struct Cramer<const BOTH_SIDES: bool>;

impl<T: Precision, const BOTH_SIDES: bool, const N: usize> BlockTest<Line<T>, TriangleColumns<T, N>, T, N>
    for Cramer<BOTH_SIDES>
{
    #[inline(always)]
    fn test(line: &Line<T>, block: &TriangleColumns<T, N>) -> HitColumns<T, N> {
        let mut hits = HitColumns::miss();
        for lane in 0..N {
            hits.set(lane, one_lane::<T, BOTH_SIDES>(line, block.lane(lane)));
        }
        hits
    }
}

/// The operations of [`Start`], without its branches.
#[inline(always)]
fn one_lane<T: Precision, const BOTH_SIDES: bool>(line: &Line<T>, [a, b, c]: [[T; 3]; 3]) -> Lane<T> {
    let zero = T::default();
    let (e, f) = (sub(b, a), sub(c, a));
    let p = cross(line.dir, f);
    let side = dot(e, p);
    let sign = if side < zero { -T::ONE } else { T::ONE };
    let s = sub(line.origin, a).map(|x| x * sign);
    let u = dot(s, p);
    let q = cross(s, e);
    let v = dot(line.dir, q);
    let det = side * sign;
    let inside = (u >= zero) & (v >= zero) & (u + v <= det) & (BOTH_SIDES | (side > zero));
    Lane { t: dot(f, q) / det, u, v, side }.accepted_if(inside, line)
}
