//! Ray and convex hull.

use super::Span;
use super::clip::clip;
use crate::ray::Ray;
use crate::shape::ConvexHull;

/// A line through a convex hull: where, and through which faces.
///
/// ```
/// use hitscan::intersect::ray_convex;
/// use hitscan::shape::ConvexHull;
/// use hitscan::Ray;
/// let corner = ConvexHull::from_points([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])?;
/// let slanted = Ray::new([1.0, 1.0, 1.0], [-1.0, -1.0, -1.0])?;
/// let through = ray_convex(&slanted, &corner).expect("through the middle");
/// assert!(corner.planes()[through.entry_face].normal().min_element() > 0.0); // the slanted face
/// assert_eq!(through.span.exit, 1.0); // the corner at the origin
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThroughHull {
    /// Where it is inside.
    pub span: Span,
    /// The face that it enters, as a place in [`ConvexHull::planes`]; the lowest of several at an edge or a corner.
    pub entry_face: usize,
    /// The face that it leaves, in the same way.
    pub exit_face: usize,
}

/// The part of a ray in a convex hull. Touching a face, an edge or a corner counts, and so does a start inside.
///
/// Whether the line meets the closed hull, and through which faces, is exact: for a hull of points, of the very
/// points; for a hull of planes, of the planes as [`ConvexHull::planes`] returns them. `enter` and `exit` are within 2^-44
/// of themselves, and compared with `t_min` and `t_max` as they are returned. A plane whose two sides hold the two ends of a
/// ray is not enough for a hit: the crossing must lie behind all the others.
///
/// Source: Cyrus, Beck: Generalized two- and three-dimensional clipping, 1978.
///
/// ```
/// use hitscan::intersect::ray_convex;
/// use hitscan::shape::ConvexHull;
/// use hitscan::Ray;
/// let tent = ConvexHull::from_points([
///     [-1.0, 0.0, -1.0], [1.0, 0.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [0.0, 2.0, 0.0],
/// ])?;
/// let falling = Ray::new([0.0, 5.0, 0.0], [0.0, -1.0, 0.0])?;
/// let hit = ray_convex(&falling, &tent).expect("on the tip");
/// assert_eq!((hit.span.enter, hit.span.exit), (3.0, 5.0));
/// assert_eq!(tent.planes()[hit.exit_face].normal().y, -1.0); // out through the floor
/// let beside = Ray::new([0.9, 5.0, 0.9], [0.0, 0.0, -1.0])?;
/// assert!(ray_convex(&beside, &tent).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "ray_hull")]
#[doc(alias = "Cyrus-Beck")]
pub fn ray_convex(ray: &Ray, hull: &ConvexHull) -> Option<ThroughHull> {
    let (span, [entry_face, exit_face]) = clip(hull, ray)?;
    Some(ThroughHull { span, entry_face, exit_face })
}
