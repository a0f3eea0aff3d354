//! Hits of lines of sight.

use hitscan::{Hit, Ray};

/// A hit of a [`Ray::sight`], with the `t` that is 1 at the end of the line, whatever the ray's range is.
pub fn hit_between(ray: &Ray, mut hit: Hit) -> Hit {
    hit.t /= ray.t_max();
    hit
}

#[cfg(test)]
mod tests {
    use hitscan::glam::DVec3;
    use hitscan::{Filter, Mesh};

    use super::*;

    #[test]
    fn t_is_1_at_the_end() {
        let mesh =
            Mesh::new([[-1.0f32, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
        let ray = Ray::new(DVec3::Z * 2.0, -DVec3::Z).and_then(|ray| ray.with_range(0.0, 8.0)).unwrap();
        let hit = mesh.closest(&ray, &Filter::ALL).unwrap();
        assert_eq!((hit.t, hit_between(&ray, hit).t, hit.distance), (2.0, 0.25, 2.0));
    }
}
