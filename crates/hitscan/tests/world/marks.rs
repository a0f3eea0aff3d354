//! What is left where something was hit: directions along the surface, and values between those of vertices.

use hitscan::glam::{DMat3, DVec3, Vec2};
use hitscan::shape::Sphere;
use hitscan::{AttributeError, Filter, Frame, Hit, Instance, Mesh, Ray, World};
use hitscan_oracle::meshes::all_open;
use hitscan_oracle::rng::{Rng, seed};

use crate::support::place;

/// A hit with this normal.
fn hit_with(normal: DVec3) -> Hit {
    let mut world = World::new();
    world.insert(Sphere::new([0.0; 3], 1.0).expect("a sound sphere"));
    let ray = Ray::new(normal * 2.0, -normal).expect("a sound ray");
    let mut hit = world.commit().closest(&ray, &Filter::ALL).expect("straight at the middle");
    hit.normal = normal;
    hit
}

fn assert_orthonormal(frame: &Frame, normal: DVec3) {
    assert_eq!(frame.normal, normal);
    let matrix = frame.matrix();
    let off = matrix.transpose() * matrix - DMat3::IDENTITY;
    assert!(off.abs_diff_eq(DMat3::ZERO, 4e-15), "{frame:?}");
    assert!((frame.tangent.cross(frame.bitangent) - normal).length() < 4e-15, "left-handed: {frame:?}");
}

#[test]
fn frames_are_right_handed_and_at_right_angles() {
    let mut rng = Rng::new(seed(81));
    let mut normals: Vec<DVec3> = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]).collect();
    normals.extend((0..400).map(|_| DVec3::from(rng.direction()).normalize()));
    // Close to where the formula turns over.
    for tiny in [1e-4, 1e-9, 1e-17, 1e-300] {
        normals.extend([-1.0, 1.0].map(|z| DVec3::new(tiny, -tiny, z).normalize()));
        normals.extend([-tiny, tiny].map(|z| DVec3::new(0.6, 0.8, z).normalize()));
    }
    for normal in normals {
        let hit = hit_with(normal);
        assert_orthonormal(&hit.frame(), normal);
        for _ in 0..8 {
            let direction = DVec3::from(rng.direction()) * rng.any_size(1e-200, 1e200);
            let (along, up) = (hit.frame_along(direction), hit.frame_up(direction));
            assert_orthonormal(&along, normal);
            assert_orthonormal(&up, normal);
            let direction = direction / direction.abs().max_element();
            assert!(along.tangent.dot(direction) > 0.0 && along.bitangent.dot(direction).abs() < 1e-14);
            assert!(up.bitangent.dot(direction) > 0.0 && up.tangent.dot(direction).abs() < 1e-14);
        }
        let nowhere = [DVec3::ZERO, normal, normal * -7.0, DVec3::NAN, DVec3::INFINITY];
        for direction in nowhere {
            assert_eq!(hit.frame_along(direction), hit.frame());
            assert_eq!(hit.frame_up(direction), hit.frame());
        }
    }
}

#[test]
fn positions_as_values_of_vertices_are_those_of_hits() {
    let mut rng = Rng::new(seed(82));
    let mut hits = 0;
    for source in all_open(&mut rng).iter().filter(|mesh| mesh.triangles.len() <= 3000) {
        let mesh = Mesh::new(source.vertices.clone(), source.triangles.clone()).expect("a sound mesh");
        let (middle, size) = (DVec3::from(source.middle()), source.half_size());
        let transform = place(&mut rng, 9.0);
        let mut world = World::new();
        let id = world.insert(Instance::new(&mesh).at(transform));
        let scene = world.commit();
        for _ in 0..40 {
            let target = middle + DVec3::from(rng.in_cube(size));
            let from = middle + DVec3::from(rng.direction()) * (3.0 * size);
            let ray = Ray::new(from, target - from).expect("far from zero");
            if let Some(hit) = mesh.closest(&ray, &Filter::ALL) {
                hits += 1;
                let position = mesh.interpolate(&hit, mesh.vertices()).expect("a hit on this mesh");
                assert_eq!(DVec3::from(position) + 0.0, hit.position, "{}", source.name);
            }
            let ray = Ray::new(transform.point(from), transform.point(target) - transform.point(from));
            if let Some(hit) = scene.closest(&ray.expect("far from zero"), &Filter::ALL) {
                let mesh = scene.get(id).and_then(Instance::mesh).expect("it stands there");
                let position = mesh.interpolate(&hit, mesh.vertices()).expect("a hit on this mesh");
                assert_eq!(transform.point(position), hit.position, "{}", source.name);
            }
        }
    }
    assert!(hits > 100, "{hits} hits");
}

#[test]
fn values_of_all_kinds_lie_between_those_of_corners() {
    let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]], [[0u32, 1, 2]]);
    let mesh = mesh.expect("a sound mesh");
    let ray = Ray::new([1.0, 2.0, 6.0], [0.0, 0.0, -1.0]).expect("a sound ray");
    let hit = mesh.closest(&ray, &Filter::ALL).expect("inside of the triangle");
    assert_eq!(mesh.interpolate(&hit, &[0.0f32, 4.0, 8.0]), Ok(5.0));
    assert_eq!(
        mesh.interpolate(&hit, &[Vec2::ZERO, Vec2::X, Vec2::Y]).map(|uv| uv.to_array()),
        Ok([0.25, 0.5])
    );
    assert_eq!(
        hit.interpolate([[DVec3::ZERO; 2], [DVec3::X; 2], [DVec3::Z; 2]]),
        [DVec3::new(0.25, 0.0, 0.5); 2]
    );
    let count = AttributeError::Count { found: 2, expected: 3 };
    assert_eq!(mesh.interpolate(&hit, &[0.0f32, 1.0]), Err(count));
    let mut beyond = hit;
    beyond.prim = 1;
    assert_eq!(mesh.tangent(&beyond, &[[0.0; 2]; 3]), Err(AttributeError::Prim { prim: 1, triangles: 1 }));
    // A texture without an area, and one that is mirrored.
    assert_eq!(mesh.tangent(&hit, &[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]), Ok(None));
    assert_eq!(mesh.tangent(&hit, &[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), Ok(Some(DVec3::X)));
    assert_eq!(mesh.tangent(&hit, &[[0.0, 0.0], [-1.0, 0.0], [0.0, 1.0]]), Ok(Some(DVec3::NEG_X)));
}
