//! Ray and oriented box.

use super::clip::{HalfSpaces, clip};
use super::{BoxFace, ThroughBox};
use crate::exact::{Big, Bounded, Number, Vector, difference, dot, vector};
use crate::ray::Ray;
use crate::shape::Obb;

/// The part of a ray in an oriented box, with the faces in the frame of the box: [`BoxFace::LowX`] is the face at the
/// negative end of its first axis. Touching counts, and so does a start inside.
///
/// The box is the set of points whose distance from the centre along each axis, as a dot product with the axis as given,
/// is at most half the size. Whether the line meets that set, and through which faces, is exact; `enter` and `exit` are
/// within 2^-44 of themselves, and compared with `t_min` and `t_max` as they are returned.
///
/// ```
/// use hitscan::glam::{DMat3, DVec3};
/// use hitscan::intersect::{BoxFace, ray_obb};
/// use hitscan::shape::Obb;
/// use hitscan::Ray;
/// let turned = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z); // a quarter turn
/// let plank = Obb::new([0.0; 3], turned, [2.0, 0.5, 0.1])?;
/// let shot = Ray::new([0.0, -5.0, 0.0], [0.0, 1.0, 0.0])?;
/// let hit = ray_obb(&shot, &plank).expect("along the plank");
/// assert_eq!((hit.span.enter, hit.span.exit, hit.entry_face), (3.0, 7.0, BoxFace::LowX));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "ray_oobb")]
pub fn ray_obb(ray: &Ray, bounds: &Obb) -> Option<ThroughBox> {
    let (span, [enter, exit]) = clip(bounds, ray)?;
    Some(ThroughBox { span, entry_face: BoxFace::ALL[enter], exit_face: BoxFace::ALL[exit] })
}

impl HalfSpaces for Obb {
    fn count(&self) -> usize {
        6
    }

    #[inline]
    fn quick(&self, plane: usize, ray: &Ray) -> (Bounded, Bounded) {
        let outward = self.axes().col(plane / 2) * if plane.is_multiple_of(2) { -1.0 } else { 1.0 };
        let ahead = Bounded::quick_dot(outward, ray.origin() - self.centre());
        match (ahead, Bounded::quick_dot(outward, ray.dir())) {
            (Some(ahead), Some(slope)) => (ahead - self.half()[plane / 2].into(), slope),
            _ => height_and_slope(self, plane, ray),
        }
    }

    fn exact(&self, plane: usize, ray: &Ray) -> (Big, Big) {
        height_and_slope(self, plane, ray)
    }
}

/// Of one of the six planes, numbered as [`BoxFace::ALL`].
fn height_and_slope<N: Number>(bounds: &Obb, plane: usize, ray: &Ray) -> (N, N) {
    let axis = plane / 2;
    let normal: Vector<N> = vector(bounds.axes().col(axis));
    let ahead = dot(&normal, &difference(ray.origin(), bounds.centre()));
    let slope = dot(&normal, &vector(ray.dir()));
    let half = N::from(bounds.half()[axis]);
    let zero = N::from(0.0);
    if plane.is_multiple_of(2) { (zero - ahead - half, zero - slope) } else { (ahead - half, slope) }
}
