//! The collision matrix: the transform from world space to a triangle's own frame, made once and kept with the
//! model.
//!
//! ```text
//! a = B - A   b = C - A   c = a x b        N = (b x c, c x a, c) as rows        det = c . c
//! ```
//! `N (p - A) / det` are the coordinates of a point along `a`, along `b` and above the plane. Both ends of a path
//! are transformed, third coordinate first: where they lie on one side, the path is refused by it alone.
//!
//! Two things differ from the textbook form, which stores `N / det` and the offset `-N A / det`. The division is
//! left to the end, so that answers on small integers are exact; and the anchor `A` is kept, so that a triangle far
//! from the origin of coordinates loses nothing. [`CollisionMatrix::transform`] gives the textbook's matrix.
//!
//! Source: GPWiki, Ray Triangle Collision; the matrix is that of Arenberg's Re: Ray/Triangle Intersection with
//! Barycentric Coordinates, 1988.

mod many;
mod motion;
mod path;

pub use many::{CollisionMatrices, MatrixColumns, ray_triangles_collision_matrix};
pub use path::{Path, Segment};

use glam::{DAffine3, DMat3, DVec3};
use thiserror::Error;

use super::columns::dot;
use super::{MatrixTrace, TriangleHit, TriangleSums, facing};
use crate::shape::Triangle;

/// Why a collision matrix was refused.
///
/// ```
/// use hitscan::glam::{DMat3, DVec3};
/// use hitscan::intersect::{CollisionError, CollisionMatrix};
/// use hitscan::shape::Triangle;
/// use hitscan::Transform;
/// let model = CollisionMatrix::new(&Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])?)?;
/// let wider = Transform::new(DMat3::from_diagonal(DVec3::new(2.0, 1.0, 1.0)), [0.0; 3])?;
/// let error = model.moved_rigid(&wider).unwrap_err();
/// assert_eq!(error, CollisionError::NotRigid { first: 0, second: 0, dot: 4.0 });
/// assert_eq!(
///     error.to_string(),
///     "the motion: columns 0 and 0 have dot product 4e0; a rigid one needs unit vectors at right angles"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum CollisionError {
    /// A triangle whose corners lie on a line, or that is so thin that its inverse leaves the range of numbers.
    #[error(
        "triangle {triangle}: its corners lie on a line; a collision matrix needs a triangle with an area"
    )]
    Degenerate {
        /// Its place in the list, from 0; 0 for a single triangle.
        triangle: usize,
    },
    /// A triangle that a placement has moved beyond 2^100, or scaled out of the range of numbers.
    #[error(
        "triangle {triangle}: the placement takes it out of range; it needs coordinates of at most 2^100 and a size"
    )]
    OutOfRange {
        /// Its place in the list, from 0; 0 for a single triangle.
        triangle: usize,
    },
    /// A motion that also scales or shears, by more than 2^-40.
    #[error(
        "the motion: columns {first} and {second} have dot product {dot:e}; a rigid one needs unit vectors at right angles"
    )]
    NotRigid {
        /// 0, 1 or 2.
        first: usize,
        /// 0, 1 or 2; the same as `first` where its length is wrong.
        second: usize,
        /// Their dot product.
        dot: f64,
    },
}

/// The transform from world space to the frame of one triangle, in which A is (0, 0), B is (1, 0) and C is (0, 1).
///
/// ```
/// use hitscan::intersect::{CollisionMatrix, Segment};
/// use hitscan::shape::Triangle;
/// let pane = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
/// let matrix = CollisionMatrix::new(&pane)?;
/// let hit = matrix.hit(&Segment::new([1.0, 2.0, 3.0], [1.0, 2.0, -1.0])?).expect("it goes through");
/// assert_eq!((hit.t, hit.u, hit.v), (0.75, 0.25, 0.5));
/// // A segment that ends on the triangle touches it.
/// assert!(matrix.hit(&Segment::new([1.0, 2.0, 3.0], [1.0, 2.0, 0.0])?).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "create_collision_matrix")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollisionMatrix {
    /// Along `a`, along `b`, and above the plane, where the unit is arbitrary and the sign that of the front.
    rows: [[f64; 3]; 3],
    /// What the first two rows are to be divided by.
    det: f64,
    /// Corner A.
    anchor: [f64; 3],
}

/// Largest accepted entry of the first two rows, 2^600: products with any ray stay within `f64`.
const MAX_ENTRY: f64 = f64::from_bits((1023 + 600) << 52);

impl CollisionMatrix {
    /// The matrix of a triangle.
    ///
    /// # Errors
    /// [`CollisionError::Degenerate`].
    ///
    /// ```
    /// use hitscan::intersect::CollisionMatrix;
    /// use hitscan::shape::Triangle;
    /// let line = Triangle::new([0.0; 3], [1.0; 3], [2.0; 3])?;
    /// let error = CollisionMatrix::new(&line).unwrap_err().to_string();
    /// assert_eq!(error, "triangle 0: its corners lie on a line; a collision matrix needs a triangle with an area");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(triangle: &Triangle) -> Result<CollisionMatrix, CollisionError> {
        Self::of(triangle.corners()).ok_or(CollisionError::Degenerate { triangle: 0 })
    }

    /// A matrix that no path hits: the place of a triangle without area in a list.
    const GAP: CollisionMatrix = CollisionMatrix { rows: [[0.0; 3]; 3], det: 0.0, anchor: [0.0; 3] };

    fn of([a, b, c]: [DVec3; 3]) -> Option<CollisionMatrix> {
        // Each vector without its power of two, which goes into the rows at the end: nothing under- or overflows
        // between.
        let (e, e_exponent) = mantissa(b - a)?;
        let (f, f_exponent) = mantissa(c - a)?;
        let (n, n_exponent) = mantissa(e.cross(f))?;
        let along_e = scaled(f.cross(n), -(e_exponent + n_exponent));
        let along_f = scaled(n.cross(e), -(f_exponent + n_exponent));
        let in_range = |v: DVec3| v.abs().max_element() <= MAX_ENTRY; // false for NaN
        (in_range(along_e) && in_range(along_f)).then(|| CollisionMatrix {
            rows: [along_e, along_f, n].map(|v| v.to_array()),
            det: n.dot(n),
            anchor: a.to_array(),
        })
    }

    /// Where a path crosses the triangle, from either side: a [`Segment`] between its two ends, a
    /// [`Ray`](crate::Ray) within its interval. Edges, corners and both ends of the path belong to them. `None` for
    /// a miss and for a path within the plane. Right within [this bound](super::ray_triangle#accuracy); a matrix
    /// that was moved has rounded once more.
    ///
    /// ```
    /// use hitscan::intersect::CollisionMatrix;
    /// use hitscan::shape::Triangle;
    /// use hitscan::{Face, Ray};
    /// let matrix = CollisionMatrix::new(&Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?)?;
    /// let hit = matrix.hit(&Ray::new([1.0, 1.0, -3.0], [0.0, 0.0, 1.0])?).expect("it goes through");
    /// assert_eq!((hit.t, hit.facing), (3.0, Face::Back));
    /// assert!(matrix.hit(&Ray::new([1.0, 1.0, -3.0], [0.0, 0.0, -1.0])?).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "collide")]
    pub fn hit(&self, path: &impl Path) -> Option<TriangleHit> {
        let ends = path.ends::<f64>();
        let (start, end) = ends.seen_from(self.anchor);
        let (start_z, end_z) = (dot(self.rows[2], start), dot(self.rows[2], end));
        if !ends.may_cross(start_z, end_z) {
            return None;
        }
        let side = ends.side(start_z, end_z);
        let t = start_z / side;
        if !ends.admits(t) {
            return None;
        }
        let sign = if side < 0.0 { -1.0 } else { 1.0 };
        let det = side * sign * self.det;
        let along = |row: [f64; 3]| weight(row, [start, end], [start_z, end_z]) * sign;
        let u = along(self.rows[0]);
        // Heights at the bottom of the numbers leave no determinant, and nothing to divide by.
        if det == 0.0 || u < 0.0 || u > det {
            return None;
        }
        let v = along(self.rows[1]);
        // A determinant that has underflowed is 0, as the weights are.
        if v < 0.0 || u + v > det || det == 0.0 {
            return None;
        }
        Some(TriangleHit { t: t + 0.0, u: u / det + 0.0, v: v / det + 0.0, facing: facing(side > 0.0) })
    }

    /// What [`CollisionMatrix::hit`] computes on the way, to look at.
    ///
    /// ```
    /// use hitscan::intersect::{CollisionMatrix, Segment};
    /// use hitscan::shape::Triangle;
    /// let matrix = CollisionMatrix::new(&Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?)?;
    /// let seen = matrix.trace(&Segment::new([1.0, 2.0, 3.0], [1.0, 2.0, -1.0])?);
    /// assert_eq!(seen.heights[0] / seen.heights[1], -3.0); // one end on each side
    /// assert_eq!((seen.sums.u(), seen.sums.v(), seen.sums.t), (0.25, 0.5, 0.75));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn trace(&self, path: &impl Path) -> MatrixTrace {
        let ends = path.ends::<f64>();
        let (start, end) = ends.seen_from(self.anchor);
        let heights = [dot(self.rows[2], start), dot(self.rows[2], end)];
        let side = ends.side(heights[0], heights[1]);
        let sign = if side < 0.0 { -1.0 } else { 1.0 };
        let det = side * sign * self.det;
        let [u, v] = [0, 1].map(|row| weight(self.rows[row], [start, end], heights) * sign);
        let in_triangle = det > 0.0 && u >= 0.0 && v >= 0.0 && u + v <= det;
        let inside = ends.may_cross(heights[0], heights[1]) && in_triangle;
        let sums = TriangleSums {
            det: side * self.det,
            weights: [det - (u + v), u, v],
            t: heights[0] / side,
            inside,
        };
        MatrixTrace { heights, sums }
    }

    /// The textbook's matrix: from world space to coordinates along `B - A`, along `C - A` and along their cross
    /// product. Its third row, which [`CollisionMatrix::hit`] does without, leaves the range of numbers for triangles smaller
    /// than 2^-500 and slivers as thin.
    ///
    /// ```
    /// use hitscan::glam::DVec3;
    /// use hitscan::intersect::CollisionMatrix;
    /// use hitscan::shape::Triangle;
    /// let triangle = Triangle::new([1.0, 1.0, 5.0], [5.0, 1.0, 5.0], [1.0, 3.0, 5.0])?;
    /// let transform = CollisionMatrix::new(&triangle)?.transform();
    /// assert_eq!(transform.transform_point3(DVec3::new(3.0, 2.0, 13.0)).to_array(), [0.5, 0.5, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn transform(&self) -> DAffine3 {
        let [x, y, _] = self.rows.map(DVec3::from);
        let (x, y) = (x / self.det, y / self.det);
        let matrix3 = DMat3::from_cols(x, y, x.cross(y)).transpose();
        DAffine3 { matrix3, translation: -(matrix3 * DVec3::from(self.anchor)) }
    }
}

/// The weight of the corner of one row, times what both weights are to be divided by.
#[inline(always)]
fn weight(row: [f64; 3], [start, end]: [[f64; 3]; 2], [start_z, end_z]: [f64; 2]) -> f64 {
    dot(row, end) * start_z - dot(row, start) * end_z
}

/// A vector as one whose largest component lies in [0.5, 1), and the power of two that was taken out; `None` for
/// length 0.
fn mantissa(v: DVec3) -> Option<(DVec3, i32)> {
    let (_, exponent) = libm::frexp(v.abs().max_element());
    (v != DVec3::ZERO).then(|| (scaled(v, -exponent), exponent))
}

fn scaled(v: DVec3, exponent: i32) -> DVec3 {
    DVec3::new(libm::scalbn(v.x, exponent), libm::scalbn(v.y, exponent), libm::scalbn(v.z, exponent))
}
