//! Meshes that are empty, flat, repeated, tiny, huge or nothing but degenerate triangles.

use hitscan::{Filter, Mesh, MeshError, Ray, World};
use hitscan_oracle::meshes::{grid_soup, icosphere, single};
use hitscan_oracle::rays::Shooter;
use hitscan_oracle::{Rng, TriMesh, rng};

use crate::support::{assert_mesh_agrees, kernels, mesh, on_kernel};

fn case(name: &str, vertices: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) -> TriMesh {
    TriMesh::new(name, vertices, triangles)
}

#[test]
fn what_is_empty_is_never_hit() {
    let ray = Ray::new([0.0; 3], [1.0, 2.0, 3.0]).unwrap();
    let point = case("one point", vec![[1.0, 2.0, 3.0]], vec![[0, 0, 0]; 9]);
    let unused = case("no triangles", vec![[1.0, 2.0, 3.0]], vec![]);
    for oracle_mesh in [TriMesh::default(), unused, point] {
        let mesh = mesh(&oracle_mesh);
        assert_eq!(mesh.counts().hittable(), 0);
        assert_eq!(mesh.bounds(), None);
        let mut world = World::new();
        world.insert(&mesh);
        let scene = world.commit();
        assert_eq!(scene.bounds(), None);
        for isa in kernels() {
            let (mesh, scene) = (on_kernel(&mesh, isa), on_kernel(&scene, isa));
            assert_eq!(mesh.closest(&ray, &Filter::ALL), None);
            assert!(!mesh.occluded(&ray, &Filter::ALL));
            assert_eq!(mesh.all_hits_batch(&[ray, ray], &Filter::ALL).hits(), []);
            assert_eq!(scene.closest(&ray, &Filter::ALL), None);
            assert_eq!(scene.first_n(&ray, &Filter::ALL, 3), []);
        }
    }
    assert_eq!(World::new().commit().closest(&ray, &Filter::ALL), None);
}

#[test]
fn degenerate_triangles_are_counted() {
    let mesh = mesh(&case(
        "one of each",
        vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.0, 0.0], [-0.0, 0.0, -0.0]],
        vec![[0, 1, 2], [0, 1, 3], [0, 1, 1], [0, 4, 2]],
    ));
    let counts = mesh.counts();
    assert_eq!((counts.triangles, counts.repeated_corner, counts.zero_area), (4, 2, 1));
    assert_eq!(counts.hittable(), 2);
}

#[test]
fn thousands_of_equal_triangles() {
    let mut rng = Rng::new(rng::seed(701));
    let one = single();
    let many = case("1000 copies", one.vertices.clone(), vec![[0, 1, 2]; 1000]);
    assert_mesh_agrees(&many, &Shooter::new(&many).rays(48, &mut rng));
    // The same middle, all sizes.
    let mut nested = case("nested", vec![], vec![]);
    for k in 1..300u32 {
        let s = k as f32;
        nested.vertices.extend([[-s, -s, 0.0], [s, -s, 0.0], [0.0, 2.0 * s, 0.0]]);
        nested.triangles.push([3 * k - 3, 3 * k - 2, 3 * k - 1]);
    }
    assert_mesh_agrees(&nested, &Shooter::new(&nested).rays(48, &mut rng));
}

#[test]
fn flat_and_collinear_meshes() {
    let mut rng = Rng::new(rng::seed(702));
    for axis in 0..3 {
        let mut flat = grid_soup(100, &mut rng);
        flat.name = format!("flat along {axis}");
        flat.vertices.iter_mut().for_each(|v| v[axis] = 1.0);
        assert_mesh_agrees(&flat, &Shooter::new(&flat).rays(60, &mut rng));
    }
    let mut collinear = grid_soup(60, &mut rng);
    collinear.name = "collinear".into();
    collinear.vertices.iter_mut().for_each(|v| *v = [v[0], 2.0 * v[0], -v[0]]);
    assert_mesh_agrees(&collinear, &Shooter::new(&collinear).rays(60, &mut rng));
    // Off the line by a rounding error: triangles with an area after all, or seen as such.
    let mut almost = grid_soup(60, &mut rng);
    almost.name = "almost collinear".into();
    almost.vertices.iter_mut().for_each(|v| *v = [v[0] * 0.1, v[0] * 0.3, v[0] * 0.7]);
    assert_mesh_agrees(&almost, &Shooter::new(&almost).rays(60, &mut rng));
}

#[test]
fn minus_zero_is_the_same_position() {
    let mut rng = Rng::new(rng::seed(703));
    for _ in 0..10 {
        let mut mesh = grid_soup(60, &mut rng);
        mesh.name = "minus zeros".into();
        for c in mesh.vertices.iter_mut().flatten() {
            *c = if *c == 0.0 && rng.one_in(2) { -0.0 } else { *c };
        }
        assert_mesh_agrees(&mesh, &Shooter::new(&mesh).rays(48, &mut rng));
    }
}

#[test]
fn the_largest_coordinates_that_are_taken() {
    let mut rng = Rng::new(rng::seed(704));
    let limit = f32::powi(2.0, 100);
    let sphere = icosphere(1).mesh.scaled(limit);
    let rays: Vec<_> = Shooter::new(&sphere)
        .rays(120, &mut rng)
        .into_iter()
        .filter(|ray| ray.origin.iter().all(|c| c.abs() <= f64::from(limit)))
        .collect();
    assert_mesh_agrees(&sphere, &rays);
    let beyond = Mesh::new([[limit.next_up(), 0.0, 0.0]], [[0u32, 0, 0]]);
    assert!(matches!(beyond, Err(MeshError::TooFar { vertex: 0, axis: 'x', .. })));
}

#[test]
fn an_interval_far_beyond_the_size_of_the_triangles_is_kept() {
    // The stray vertex keeps the ray where it begins, 2^140 times the triangle's size away.
    let (size, far) = (2.0f32.powi(-40), 2.0f32.powi(100));
    let vertices = vec![[-size, -size, 0.0], [size, -size, 0.0], [0.0, size, 0.0], [far, 0.0, 0.0]];
    let mesh = case("a speck and a stray vertex", vertices, vec![[0, 1, 2]]);
    let ray = hitscan_oracle::Ray::new([0.0, 0.0, f64::from(far)], [0.0, 0.0, -1.0]);
    assert_mesh_agrees(&mesh, &[ray, ray.within(f64::from(far) / 2.0, f64::INFINITY)]);
}

#[test]
fn a_stray_vertex_far_away_makes_the_mesh_coarse_but_equal() {
    let mut rng = Rng::new(rng::seed(705));
    let sphere = icosphere(1).mesh;
    for far in [1e3f32, 1e9, 1e20] {
        let mut mesh = sphere.clone();
        mesh.name = format!("stray vertex at {far:e}");
        mesh.vertices.push([0.0, far, 0.0]);
        let mut rays = Shooter::new(&sphere).rays(60, &mut rng);
        rays.extend(Shooter::new(&mesh).rays(24, &mut rng));
        assert_mesh_agrees(&mesh, &rays);
    }
}
