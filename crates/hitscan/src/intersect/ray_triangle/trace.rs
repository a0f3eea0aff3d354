//! What the algorithms compute on their way to an answer: for the reader who wants to see where two of them differ.
//!
//! The formulas are those of the tests themselves; only what is kept differs.

use super::{Inclusion, moeller_trumbore, through_plane};
use crate::ray::Ray;
use crate::shape::Triangle;

/// The sums by which an algorithm decides whether a line passes through a triangle.
///
/// ```
/// use hitscan::intersect::TriangleSums;
/// use hitscan::shape::Triangle;
/// use hitscan::Ray;
/// let pane = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])?;
/// let shot = Ray::between([0.1, 0.9, 1.0], [0.1, 0.9, -1.0])?;
/// let sums = TriangleSums::moeller_trumbore(&shot, &pane);
/// // As `f64` has them, 0.1 and 0.9 are 2^-55 more than 1 together, so the ray misses; the sum rounds to 1.
/// assert_eq!((sums.weights[0], sums.inside), (0.0, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TriangleSums {
    /// Positive where the line runs against the normal, 0 where it is parallel or the triangle has no area. Its unit
    /// is the algorithm's own.
    pub det: f64,
    /// The weights of A, B and C times the size of `det`; all are at least 0 inside, and on the outline.
    pub weights: [f64; 3],
    /// Where the line meets the plane, in units of its direction; not finite where `det` is 0.
    pub t: f64,
    /// Whether the algorithm says that the line passes through the triangle, whatever `t` is.
    pub inside: bool,
}

impl TriangleSums {
    /// Those of [`ray_triangle_moeller_trumbore`](super::ray_triangle_moeller_trumbore), of its one-sided form and of
    /// [`line_triangle`](super::line_triangle). The one-sided form asks for a `det` above 0 in addition.
    ///
    /// ```
    /// use hitscan::intersect::TriangleSums;
    /// use hitscan::shape::Triangle;
    /// use hitscan::Ray;
    /// let pane = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
    /// let sums = TriangleSums::moeller_trumbore(&Ray::new([1.0, 2.0, 6.0], [0.0, 0.0, -2.0])?, &pane);
    /// assert_eq!((sums.det, sums.weights, sums.t), (32.0, [8.0, 8.0, 16.0], 3.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moeller_trumbore(ray: &Ray, triangle: &Triangle) -> TriangleSums {
        moeller_trumbore::sums(ray, triangle)
    }

    /// The weight of B; not a number where `det` is 0.
    ///
    /// ```
    /// use hitscan::intersect::TriangleSums;
    /// use hitscan::shape::Triangle;
    /// use hitscan::Ray;
    /// let pane = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
    /// let sums = TriangleSums::moeller_trumbore(&Ray::new([1.0, 2.0, 6.0], [0.0, 0.0, -2.0])?, &pane);
    /// assert_eq!(sums.u(), 0.25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn u(&self) -> f64 {
        self.weights[1] / self.det.abs() + 0.0
    }

    /// The weight of C; not a number where `det` is 0.
    ///
    /// ```
    /// use hitscan::intersect::TriangleSums;
    /// use hitscan::shape::Triangle;
    /// use hitscan::Ray;
    /// let pane = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
    /// let sums = TriangleSums::moeller_trumbore(&Ray::new([1.0, 2.0, 6.0], [0.0, 0.0, -2.0])?, &pane);
    /// assert_eq!(sums.v(), 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn v(&self) -> f64 {
        self.weights[2] / self.det.abs() + 0.0
    }
}

/// What [`CollisionMatrix::hit`](super::CollisionMatrix::hit) computes: the result of
/// [`CollisionMatrix::trace`](super::CollisionMatrix::trace).
///
/// ```
/// use hitscan::intersect::{CollisionMatrix, Segment};
/// use hitscan::shape::Triangle;
/// let matrix = CollisionMatrix::new(&Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?)?;
/// let above = matrix.trace(&Segment::new([1.0, 2.0, 3.0], [1.0, 2.0, 1.0])?);
/// assert!(above.heights[0] > 0.0 && above.heights[1] > 0.0 && !above.sums.inside); // both ends on one side
/// assert_eq!(above.sums.t, 1.5); // where the line would get there
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MatrixTrace {
    /// Heights of both ends over the triangle's plane, in a unit of the matrix's own; of a ray, the second is that of its
    /// direction. Two of one sign refuse a segment.
    pub heights: [f64; 2],
    /// The rest.
    pub sums: TriangleSums,
}

/// What [`ray_triangle_through_plane`](super::ray_triangle_through_plane) computes: the result of
/// [`ray_triangle_through_plane_trace`].
///
/// ```
/// use hitscan::Ray;
/// use hitscan::intersect::{Inclusion, ray_triangle_through_plane_trace};
/// use hitscan::shape::Triangle;
/// let pane = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
/// let beside = Ray::between([5.0, 2.0, 3.0], [5.0, 2.0, -1.0])?;
/// let seen = ray_triangle_through_plane_trace(&beside, &pane, Inclusion::CrossingCount);
/// assert!(seen.crossings % 2 == 0 && !seen.on_outline && !seen.sums.inside);
/// assert!(seen.angles.iter().sum::<f64>() < 6.28);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlaneTrace {
    /// `n . D`, with `n = (B - A) x (C - A)`; 0 where the ray is parallel to the plane.
    pub slope: f64,
    /// `n . (O - A)`, the height of the ray's origin.
    pub height: f64,
    /// The 2D cross products of the corners as seen from the crossing, each named by the corner that it leaves out; all of
    /// one sign inside.
    pub edge_values: [f64; 3],
    /// How many edges a half-line from the crossing crosses.
    pub crossings: usize,
    /// Whether the crossing lies on an edge or a corner.
    pub on_outline: bool,
    /// Under which the crossing sees the edge opposite of A, of B and of C, in radians, with the axis left out along which the
    /// normal is longest: that changes single angles, and not whether they make a full turn. 0 for an edge that ends at the
    /// crossing; such a corner is inside without a sum.
    #[doc(alias = "ang_IAIB")]
    pub angles: [f64; 3],
    /// What the inclusion that was asked for decides by.
    pub sums: TriangleSums,
}

/// What [`ray_triangle_through_plane`](super::ray_triangle_through_plane) computes on the way, to look at.
///
/// ```
/// use hitscan::Ray;
/// use hitscan::intersect::{Inclusion, ray_triangle_through_plane_trace};
/// use hitscan::shape::Triangle;
/// let pane = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
/// let laser = Ray::between([1.0, 2.0, 3.0], [1.0, 2.0, -1.0])?;
/// let seen = ray_triangle_through_plane_trace(&laser, &pane, Inclusion::AngleSum);
/// assert!((seen.angles.iter().sum::<f64>() - std::f64::consts::TAU).abs() < 1e-14);
/// assert_eq!((seen.height, seen.slope, seen.sums.t, seen.crossings), (48.0, -64.0, 0.75, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ray_triangle_through_plane_trace(ray: &Ray, triangle: &Triangle, inclusion: Inclusion) -> PlaneTrace {
    through_plane::trace(ray, triangle, inclusion)
}
