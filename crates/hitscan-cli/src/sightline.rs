//! A line of sight as a ray, also between points that are nearer to each other than a ray's direction is long.

use hitscan::glam::DVec3;
use hitscan::{Hit, Ray, RayError};

/// The ray from one point to another; its range ends there. Where [`Ray::between`] has no direction for it, the difference is
/// scaled by a power of two, which does not round, and the range by its inverse.
pub fn between(from: DVec3, to: DVec3) -> Result<Ray, RayError> {
    match Ray::between(from, to) {
        Err(RayError::DirectionOutOfRange { largest }) if largest < 1.0 => {
            let (_, exponent) = libm::frexp(largest);
            let dir = (to - from).to_array().map(|x| libm::scalbn(x, -exponent));
            Ray::new(from, dir)?.with_range(0.0, libm::scalbn(1.0, exponent))
        }
        ray => ray,
    }
}

/// A hit of such a ray, with the `t` that is 1 at the end of the line, whatever the ray's range is.
pub fn hit_between(ray: &Ray, mut hit: Hit) -> Hit {
    hit.t /= ray.t_max();
    hit
}

#[cfg(test)]
mod tests {
    use hitscan::{Filter, Mesh};

    use super::*;

    #[test]
    fn the_nearest_points_have_a_ray() {
        let point = |scale: f64| DVec3::new(3.0, -scale, 2.0 * scale);
        for scale in [1.0, 2f64.powi(-199), 2f64.powi(-202), 2f64.powi(-300), f64::MIN_POSITIVE, 5e-324] {
            let (from, to) = (point(scale), point(-scale));
            let ray = between(from, to).unwrap();
            assert_eq!((ray.origin(), ray.t_min()), (from, 0.0), "{scale:e}");
            assert_eq!(ray.dir() * ray.t_max(), to - from, "{scale:e}");
        }
        assert_eq!(between(DVec3::ONE, DVec3::ONE), Err(RayError::ZeroLength));
        assert!(matches!(between(DVec3::X * 1e31, DVec3::ZERO), Err(RayError::OriginTooFar { .. })));
    }

    #[test]
    fn t_is_1_at_the_end() {
        let mesh =
            Mesh::new([[-1.0f32, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
        let ray = Ray::new(DVec3::Z * 2.0, -DVec3::Z).and_then(|ray| ray.with_range(0.0, 8.0)).unwrap();
        let hit = mesh.closest(&ray, &Filter::ALL).unwrap();
        assert_eq!((hit.t, hit_between(&ray, hit).t, hit.distance), (2.0, 0.25, 2.0));
    }
}
