//! Ray and plane.

use crate::ray::Ray;
use crate::shape::Plane;

/// Where the line of a ray meets a plane, whatever the ray's interval; negative behind its origin. `None` for a line
/// that runs beside the plane or within it, which has no single such place, and for one that meets it more than 2^900 away along
/// an axis, which is beyond all numbers.
///
/// `t = -(n . origin + D) / (n . dir)`. The error of `t * |n . dir|` is at most `8 * 2^-53` times the sum of the absolute
/// values of the products in the numerator, and `|t|` times those in the denominator, so a `t` far from the origin of
/// coordinates is as uncertain as its place there, and that of a line that grazes the plane as its slope.
///
/// ```
/// use hitscan::intersect::line_plane;
/// use hitscan::shape::Plane;
/// use hitscan::Ray;
/// let wall = Plane::new([0.0, 0.0, 1.0], [0.0; 3])?;
/// let away = Ray::new([0.0, 0.0, 3.0], [0.0, 0.0, 1.0])?;
/// assert_eq!(line_plane(&away, &wall), Some(-3.0));
/// let beside = Ray::new([0.0, 0.0, 3.0], [1.0, 0.0, 0.0])?;
/// assert_eq!(line_plane(&beside, &wall), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "amount")]
pub fn line_plane(ray: &Ray, plane: &Plane) -> Option<f64> {
    let along = plane.normal().dot(ray.dir());
    if along == 0.0 {
        return None;
    }
    let t = -plane.signed_distance(ray.origin()) / along;
    is_somewhere(ray, t).then_some(t + 0.0)
}

/// How far away anything is met, along an axis: 2^900. What lies beyond may be at no place and no distance in `f64`, as seen from the
/// frame of a shape or from the world.
const FARTHEST: f64 = {
    let far = (1u128 << 100) as f64;
    let far = far * far * far;
    far * far * far
};

/// Whether the ray is anywhere at `t`: it may meet what is almost parallel to it beyond all numbers.
fn is_somewhere(ray: &Ray, t: f64) -> bool {
    // False for what is not a number.
    t.is_finite() && t.abs() * ray.dir().abs().max_element() <= FARTHEST
}

/// Where a ray meets a plane within its interval; the ends belong to it. For the segment between two points make the
/// ray with [`Ray::between`].
///
/// Source: Sanchez-Crespo, Core Techniques and Algorithms in Game Programming, 2003, chapter 22; the formula is older.
/// A parallel ray is a miss, not a hit at distance 0.
///
/// ```
/// use hitscan::intersect::ray_plane;
/// use hitscan::shape::Plane;
/// use hitscan::Ray;
/// let ground = Plane::new([0.0, 1.0, 0.0], [0.0; 3])?;
/// let falling = Ray::between([0.0, 3.0, 0.0], [0.0, -1.0, 0.0])?;
/// assert_eq!(ray_plane(&falling, &ground), Some(0.75));
/// let above = Ray::between([0.0, 3.0, 0.0], [0.0, 1.0, 0.0])?;
/// assert_eq!(ray_plane(&above, &ground), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "segment_plane")]
#[doc(alias = "D3DXVec3Dot")]
pub fn ray_plane(ray: &Ray, plane: &Plane) -> Option<f64> {
    line_plane(ray, plane).filter(|t| (ray.t_min()..=ray.t_max()).contains(t))
}
