//! Every triangle that touches a box, against a plain loop over the triangles.

use hitscan::glam::{DMat3, DQuat, DVec3};
use hitscan::intersect::{triangle_aabb, triangle_obb};
use hitscan::shape::{Aabb, Obb, Triangle};
use hitscan::{Mesh, Preset};
use hitscan_oracle::{Rng, TriMesh, rng};

use crate::mesh_closest_point::{meshes, places};

fn brute(mesh: &TriMesh, touches: impl Fn(&Triangle) -> bool) -> Vec<u32> {
    (0..mesh.triangles.len())
        .filter(|&prim| !mesh.repeats_a_corner(prim))
        .filter(|&prim| {
            let [a, b, c] = mesh.corners(prim).map(|corner| corner.map(f64::from));
            touches(&Triangle::new(a, b, c).unwrap())
        })
        .map(|prim| prim as u32)
        .collect()
}

#[test]
fn overlap_of_a_mesh_is_that_of_its_triangles() {
    let mut rng = Rng::new(rng::seed(2761));
    let mut found = 0;
    for source in meshes(&mut rng) {
        for scale in [1.0f32, 2f32.powi(-60), 2f32.powi(30)] {
            let scaled = source.scaled(scale);
            if f64::from(scaled.reach()) > 2f64.powi(70) && scale != 1.0 {
                continue;
            }
            let size = scaled.half_size();
            let built: Vec<Mesh> = Preset::ALL
                .iter()
                .map(|&p| Mesh::build(p, scaled.vertices.clone(), scaled.triangles.clone()).unwrap())
                .collect();
            for centre in places(&scaled, &mut rng, 10) {
                let half: [f64; 3] = std::array::from_fn(|_| size * rng.any_size(1e-6, 2.0));
                let low: [f64; 3] = std::array::from_fn(|i| centre[i] - half[i]);
                let high: [f64; 3] = std::array::from_fn(|i| centre[i] + half[i]);
                if let Ok(bounds) = Aabb::new(low, high) {
                    let expected = brute(&scaled, |triangle| triangle_aabb(triangle, &bounds));
                    for mesh in &built {
                        assert_eq!(mesh.overlap_aabb(&bounds), expected, "{}: {bounds:?}", scaled.name);
                    }
                    found += expected.len();
                }
                let axis = DVec3::from(rng.direction()).normalize();
                let mut axes = DMat3::from_quat(DQuat::from_axis_angle(axis, rng.range(0.0, 7.0)));
                if rng.one_in(3) {
                    axes = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z);
                }
                axes.y_axis += 3e-7 * DVec3::from(rng.in_cube(1.0));
                let Ok(bounds) = Obb::new(centre, axes, half) else { continue };
                let expected = brute(&scaled, |triangle| triangle_obb(triangle, &bounds));
                for mesh in &built {
                    assert_eq!(mesh.overlap_obb(&bounds), expected, "{}: {bounds:?}", scaled.name);
                }
                found += expected.len();
            }
        }
    }
    assert!(found > 5_000, "only {found} triangles");
}
