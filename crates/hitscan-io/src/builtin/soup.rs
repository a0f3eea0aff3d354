//! `builtin:soup`: random triangles in a cube, most of them small and a few large.

use hitscan::glam::DVec3;

use super::noise::Random;
use super::surface::Surface;
use crate::Parts;

/// Half the side of the cube around the origin, in metres.
const HALF: f64 = 5.0;

/// How fast triangles get rarer as they get larger: those of more than twice a radius are `2^-TAIL` as many.
const TAIL: f64 = 1.6;

/// The smallest radius of a soup of one triangle; of `n` it is this over the root of `n`, so that what a ray crosses
/// does not depend on how many there are.
const SMALLEST: f64 = 6.0;

/// The largest radius, over the side of the cube.
const LARGEST: f64 = 0.2;

/// So many triangles, each of its own corners.
pub(super) fn parts(triangles: usize) -> Parts {
    let mut surface = Surface::default();
    let mut random = Random::new(31);
    let smallest = (SMALLEST / libm::sqrt(triangles as f64)).min(LARGEST * HALF);
    for _ in 0..triangles {
        let radius = (smallest * libm::pow(1.0 - random.unit(), -1.0 / TAIL)).min(LARGEST * 2.0 * HALF);
        let mut centre = || (2.0 * random.unit() - 1.0) * (HALF - radius);
        let centre = DVec3::new(centre(), centre(), centre());
        let [a, b, c] = corners(&mut random).map(|corner| surface.vertex(centre + corner * radius));
        surface.material = 1 + (random.unit() * MATERIALS.len() as f64) as u32;
        surface.triangle(a, b, c);
    }
    let camera = super::default_camera([8.0, 7.0, 17.5], [0.0, -0.4, 0.0], 40.0);
    super::single("soup", &MATERIALS, surface, camera)
}

const MATERIALS: [&str; 5] = ["white paint", "blue paint", "red paint", "yellow paint", "green paint"];

/// Three points of the unit sphere that are not on one line, as `f32` sees it.
fn corners(random: &mut Random) -> [DVec3; 3] {
    loop {
        let [a, b, c] = [random.on_sphere(), random.on_sphere(), random.on_sphere()];
        if (b - a).cross(c - a).length_squared() > 1e-4 {
            return [a, b, c];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_of_all_sizes_stay_within_the_cube() {
        let model = crate::builtin::build("soup:50k").unwrap();
        let mesh = &model.meshes[0].mesh;
        let (low, high) = mesh.bounds().unwrap();
        for axis in 0..3 {
            assert!(low[axis] >= -5.0 && low[axis] < -4.8 && high[axis] <= 5.0 && high[axis] > 4.8);
        }
        let edge = |t: &[u32; 3]| {
            let [a, b] = [t[0], t[1]].map(|i| DVec3::from(mesh.vertices()[i as usize].map(f64::from)));
            (a - b).length()
        };
        let edges: Vec<f64> = mesh.triangles().iter().map(edge).collect();
        let above = |least: f64| edges.iter().filter(|&&edge| edge > least).count();
        assert!(above(1.0) > 50 && above(1.0) < 2_000, "{}", above(1.0));
        assert!(above(0.05) > 15_000, "{}", above(0.05));
    }
}
