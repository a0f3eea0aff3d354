//! Ray and triangle: several algorithms, which answer alike wherever rounding cannot decide.

mod collision_matrix;
mod columns;
mod moeller_trumbore;
mod through_plane;
mod trace;
mod watertight_ray;

pub use collision_matrix::{
    CollisionError, CollisionMatrices, CollisionMatrix, MatrixColumns, Path, Segment,
    ray_triangles_collision_matrix,
};
pub use columns::{HitColumns, Precision, TriangleColumns};
pub use moeller_trumbore::{
    line_triangle, ray_triangle_moeller_trumbore, ray_triangle_moeller_trumbore_one_sided,
    ray_triangles_moeller_trumbore, ray_triangles_moeller_trumbore_one_sided,
};
pub use through_plane::{Inclusion, ray_triangle_through_plane, ray_triangles_through_plane};
pub use trace::{MatrixTrace, PlaneTrace, TriangleSums, ray_triangle_through_plane_trace};
pub use watertight_ray::{WatertightPlace, WatertightRay, WatertightTrace};

use crate::hit::Face;
use crate::ray::Ray;
use crate::shape::Triangle;

/// Where a ray crosses a triangle.
///
/// ```
/// use hitscan::intersect::ray_triangle;
/// use hitscan::shape::Triangle;
/// use hitscan::{Face, Ray};
/// let pane = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
/// let hit = ray_triangle(&Ray::new([1.0, 2.0, 6.0], [0.0, 0.0, -2.0])?, &pane).expect("it is in front");
/// assert_eq!((hit.t, hit.u, hit.v, hit.facing), (3.0, 0.25, 0.5, Face::Front));
/// assert_eq!(pane.point(hit.u, hit.v).to_array(), [1.0, 2.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TriangleHit {
    /// The crossing lies at `origin + t * dir`; the unit of `t` is the length of `dir`. Finite, never -0.
    pub t: f64,
    /// Weight of corner B: the point is `(1 - u - v) A + u B + v C`. In `[0, 1]`, up to rounding where an algorithm
    /// says so.
    pub u: f64,
    /// Weight of corner C, as `u`.
    pub v: f64,
    /// The side that the ray met; the front is the one from which the corners run counter-clockwise.
    pub facing: Face,
}

/// Where a ray crosses a triangle within its interval, from either side; edges, corners and the ends of the
/// interval belong to them. `None` for a miss, for a ray within the plane and for a triangle without area.
///
/// This is [`ray_triangle_moeller_trumbore`], which has the smallest error of the algorithms here. `hitscan bench --tests`
/// supports the choice (AMD EPYC, AVX2, 2026-11-21, nanoseconds a test, half of them hits; wrong answers in a million):
///
/// | algorithm | alone | 8 `f64` at a time | grazing | slivers, 1e-9 thin | aimed at an edge |
/// |---|---|---|---|---|---|
/// | Moeller-Trumbore | 17.7 | 2.9 | 8,667 | 0 | 378,052 |
/// | collision matrix, made before | 9.9 | 3.8 | 7,568 | 370,056 | 393,311 |
/// | plane, edge functions | 22.2 | 3.5 | 7,568 | 378,540 | 374,146 |
/// | plane, barycentric | 21.9 | 3.5 | 7,568 | 456,177 | 406,921 |
/// | plane, crossing count | 27.3 | 6.2 | 7,568 | 378,540 | 374,146 |
/// | plane, angle sum | 68.5 | 66.0 | 7,568 | 378,540 | 479,492 |
///
/// On random rays and far from the origin of coordinates none is wrong. The matrix is faster alone where it is kept with the
/// triangle, which takes 104 bytes.
///
/// # Accuracy
/// | algorithm | asks | `K` |
/// |---|---|---|
/// | [`ray_triangle_moeller_trumbore`] | four triple products | 9 |
/// | [`CollisionMatrix::hit`] | both ends of the path in the triangle's own frame | 24 |
/// | [`ray_triangle_through_plane`] | the plane, then one of four inclusion tests | 24 |
///
/// Each algorithm decides by the signs of sums of products: the determinant, the weights of the three corners, and
/// `t` against the ray's interval. Take such a sum with every difference of two input coordinates, and every
/// product, by its absolute value, and call it `S`. The sum is computed within `K * 2^-53 * S`, so a verdict can be
/// wrong only where one of these sums is, exactly, that close to 0; and `t`, `u` and `v` are quotients of such
/// sums, rounded once. (The angle sum has a band of its own: [`Inclusion::AngleSum`].) Nothing depends on how far
/// the triangle lies from the origin of coordinates, only on how far the ray's origin lies from the triangle.
///
/// - On small whole numbers every sum is exact, so the verdict is the exact one, touching included, and `t`, `u`
///   and `v` are the exact quotients, rounded once: up to 2^14 in size for Moeller-Trumbore, up to 16 for the
///   others.
/// - Scaling ray and triangle by a power of two changes no other bit of an answer, as long as no product falls
///   below the normal numbers. That bounds the product of all the factors by 2^-1022 from below: lengths of 2^-100
///   are fine everywhere.
/// - A triangle without area is a miss where its determinant comes out as exactly 0: always on small whole numbers,
///   and wherever [`CollisionMatrix::new`] refuses it. Elsewhere the determinant is 0 only within the bound, and a
///   line that runs through the line of the corners, within rounding, may be called a hit whose numbers mean
///   nothing; [`Triangle::area`] tells.
/// - Nothing overflows, up to the largest origins, directions and corners that [`Ray`] and [`Triangle`] admit.
///
/// ```
/// use hitscan::intersect::ray_triangle;
/// use hitscan::shape::Triangle;
/// use hitscan::Ray;
/// let pane = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])?;
/// let shot = Ray::between([0.5, 0.5, 1.0], [0.5, 0.5, 0.0])?; // ends on the longest edge
/// assert_eq!(ray_triangle(&shot, &pane).map(|hit| hit.t), Some(1.0));
/// let beside = Ray::between([0.5, 0.6, 1.0], [0.5, 0.6, 0.0])?;
/// assert_eq!(ray_triangle(&beside, &pane), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ray_triangle(ray: &Ray, triangle: &Triangle) -> Option<TriangleHit> {
    ray_triangle_moeller_trumbore(ray, triangle)
}

/// The side that a ray meets, from the sign of `(A - B) x (C - A) . dir`, which is positive against the normal.
fn facing(against_normal: bool) -> Face {
    if against_normal { Face::Front } else { Face::Back }
}
