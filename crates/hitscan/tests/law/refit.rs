//! A mesh whose vertices were moved answers as a new one of the same vertices does, and as brute force.

use hitscan::shape::Sphere;
use hitscan::{Filter, Mesh, MeshError, Preset, Ray, World};
use hitscan_oracle::brute::Placed;
use hitscan_oracle::entry::Placement;
use hitscan_oracle::meshes::{all_open, all_solids, grid_soup, icosphere, soup};
use hitscan_oracle::rays::Shooter;
use hitscan_oracle::{Rng, TriMesh, rng};

use crate::compare::assert_agrees;
use crate::support::{all_bits, mesh, ray};

/// The mesh as `from` was built, moved to the vertices of `to`, which has the same triangles: it is what a new mesh of them
/// is, and what brute force says.
fn assert_refit_agrees(from: &TriMesh, to: &TriMesh, rng: &mut Rng) {
    let mut moved = mesh(from);
    assert_moves(&mut moved, to, rng);
}

fn assert_moves(moved: &mut Mesh, to: &TriMesh, rng: &mut Rng) {
    moved.refit(to.vertices.iter().copied()).unwrap_or_else(|error| panic!("{}: {error}", to.name));
    moved.check().unwrap_or_else(|error| panic!("{}: {error}", to.name));
    let built = mesh(to);
    assert_eq!(moved.counts(), built.counts(), "{}", to.name);
    assert_eq!(moved.bounds(), built.bounds(), "{}", to.name);
    assert_eq!(moved.vertices(), built.vertices());
    if built.bounds().is_none() {
        return; // nothing to aim at
    }
    let rays = Shooter::new(to).rays(12, rng);
    assert_agrees(moved, &[Placed { mesh: to, placement: Placement::IDENTITY }], &rays);
    for oracle_ray in &rays {
        let ray = ray(oracle_ray);
        let (found, expected) = (moved.all_hits(&ray, &Filter::ALL), built.all_hits(&ray, &Filter::ALL));
        assert_eq!(all_bits(&found), all_bits(&expected), "{}: {ray:?}", to.name);
        assert_eq!(found, expected, "{}: {ray:?}", to.name);
    }
    let middle = to.middle();
    assert_eq!(moved.containment(middle), built.containment(middle), "{}", to.name);
    let ball = Sphere::new(middle, to.half_size()).expect("a mesh has a size");
    assert_eq!(moved.overlap_sphere(&ball), built.overlap_sphere(&ball), "{}", to.name);
}

/// The mesh with each vertex moved.
fn changed(mesh: &TriMesh, name: &str, mut change: impl FnMut([f32; 3]) -> [f32; 3]) -> TriMesh {
    let vertices = mesh.vertices.iter().map(|&vertex| change(vertex)).collect();
    TriMesh::new(&format!("{} {name}", mesh.name), vertices, mesh.triangles.clone())
}

#[test]
fn every_mesh_bent_turned_scaled_and_torn() {
    let mut rng = Rng::new(rng::seed(1201));
    let mut meshes: Vec<TriMesh> = all_solids().into_iter().map(|solid| solid.mesh).collect();
    meshes.extend(all_open(&mut rng));
    meshes.extend([soup(300, &mut rng), grid_soup(300, &mut rng)]);
    for mesh in meshes {
        let sheared = changed(&mesh, "sheared", |[x, y, z]| [x + 2.0 * y, y - z, z]);
        assert_refit_agrees(&mesh, &sheared, &mut rng);
        assert_refit_agrees(&mesh, &changed(&mesh, "turned", |[x, y, z]| [y, z, x]), &mut rng);
        assert_refit_agrees(&mesh, &mesh.scaled(1e-12), &mut rng);
        assert_refit_agrees(&mesh.scaled(1e6), &mesh, &mut rng);
        assert_refit_agrees(&mesh, &mesh.moved([1e5, -3.0, 0.125]), &mut rng);
        let mut places = mesh.vertices.clone();
        rng.shuffle(&mut places);
        let torn = TriMesh::new(&format!("{} torn", mesh.name), places, mesh.triangles.clone());
        assert_refit_agrees(&mesh, &torn, &mut rng);
    }
}

#[test]
fn triangles_close_and_open() {
    let mut rng = Rng::new(rng::seed(1202));
    for _ in 0..3 {
        let open = grid_soup(200, &mut rng);
        // Some corners on one place; all on a grid so coarse that most are; and all on one point.
        let pinched = changed(&open, "pinched", |v| if rng.one_in(2) { [1.0, 0.0, -0.0] } else { v });
        let coarse = changed(&open, "coarse", |v| v.map(|c| (c / 4.0).round() * 4.0));
        let point = changed(&open, "to a point", |_| [0.5; 3]);
        let mut moved = mesh(&open);
        for to in [&pinched, &coarse, &point, &open, &coarse, &pinched, &open] {
            assert_moves(&mut moved, to, &mut rng);
        }
        for from in [&pinched, &coarse, &point] {
            let mut moved = mesh(from);
            for to in [from, &coarse, &open, from, &open] {
                assert_moves(&mut moved, to, &mut rng);
            }
        }
    }
}

#[test]
fn closed_triangles_leave_their_neighbours_the_border() {
    // Two triangles that share an edge; when one closes, the edge is a border of the other, and is hit.
    let open = vec![[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [2.0, 2.0, 0.0]];
    let mut closed = open.clone();
    closed[3] = closed[1];
    let mut moved = Mesh::new(open.clone(), [[0u32, 1, 2], [3, 2, 1]]).unwrap();
    let along = Ray::new([1.0, 1.0, 1.0], [0.0, 0.0, -1.0]).unwrap();
    let corner = Ray::new([2.0, 2.0, 1.0], [0.0, 0.0, -1.0]).unwrap();
    let hits =
        |mesh: &Mesh, ray| mesh.all_hits(ray, &Filter::ALL).iter().map(|hit| hit.prim).collect::<Vec<_>>();
    assert_eq!((hits(&moved, &along).len(), hits(&moved, &corner)), (1, vec![1]));
    moved.refit(closed).unwrap();
    assert_eq!((hits(&moved, &along), hits(&moved, &corner)), (vec![0], vec![]));
    assert_eq!((moved.counts().repeated_corner, moved.counts().hittable()), (1, 1));
    moved.refit(open).unwrap();
    assert_eq!((hits(&moved, &along).len(), hits(&moved, &corner)), (1, vec![1]));
}

#[test]
fn large_meshes_move_in_parallel() {
    let mut rng = Rng::new(rng::seed(1203));
    let sphere = icosphere(6).mesh; // 81,920 triangles
    let wave = changed(&sphere, "in waves", |[x, y, z]| [x, y + 0.2 * (5.0 * x).sin(), z * (1.5 + y)]);
    let mut moved = mesh(&sphere);
    moved.refit(wave.vertices.clone()).unwrap();
    moved.check().unwrap();
    let built = mesh(&wave);
    assert_eq!((moved.counts(), moved.bounds()), (built.counts(), built.bounds()));
    for oracle_ray in Shooter::new(&wave).rays(2_000, &mut rng) {
        let ray = ray(&oracle_ray);
        assert_eq!(moved.all_hits(&ray, &Filter::ALL), built.all_hits(&ray, &Filter::ALL), "{ray:?}");
    }
    // Gentle waves leave the tree nearly as good as a new one; and back where it was, it is what it was.
    assert!(moved.stats().sah_cost < 1.3 * built.stats().sah_cost);
    let back = moved.refit(sphere.vertices.clone()).unwrap();
    assert_eq!(moved.stats(), mesh(&sphere).stats());
    assert!((back.ratio - 1.0).abs() < 1e-12 && !back.rebuild && !back.rebuilt, "{back:?}");
}

/// The ratio is that of the costs which [`Mesh::stats`] tells, or that of a crowd; and a new tree starts again at 1.
#[test]
fn a_refit_says_how_worn_the_tree_is() {
    let mut rng = Rng::new(rng::seed(1205));
    for splits in [1, 3, 6] {
        let sphere = icosphere(splits).mesh;
        let mut moved = mesh(&sphere);
        let first = moved.stats().sah_cost - 1.0;
        let turned = moved.refit(changed(&sphere, "turned", |[x, y, z]| [y, z, x]).vertices).unwrap();
        assert!((turned.ratio - 1.0).abs() < 1e-12 && !turned.rebuild, "{turned:?}");
        let torn = changed(&sphere, "torn", |v| v.map(|c| c + rng.range(-1.0, 1.0) as f32));
        let worn = moved.refit(torn.vertices.clone()).unwrap();
        let across = (moved.stats().sah_cost - 1.0) / first;
        assert!(worn.ratio >= across - 1e-9 && worn.rebuild && !worn.rebuilt, "{worn:?}, {across}");
        // One vertex far away makes everything else small beside the whole, and the crowd is as mixed up as before.
        let mut far = torn.clone();
        far.vertices[0] = [1e6, 0.0, 0.0];
        assert!(splits < 3 || moved.refit(far.vertices).unwrap().rebuild);
        moved.refit(torn.vertices.clone()).unwrap();
        moved.rebuild();
        moved.check().unwrap();
        assert_eq!(moved.stats(), mesh(&torn).stats());
        let again = moved.refit(torn.vertices.clone()).unwrap();
        assert!((again.ratio - 1.0).abs() < 1e-12 && !again.rebuild, "{again:?}");
        assert_moves(&mut moved, &torn, &mut rng);
    }
    // What the tree has no place for is built anew, and told.
    let mut hidden = Mesh::new([[0.0f32; 3]; 3], [[0u32, 1, 2]]).unwrap();
    let shown = hidden.refit([[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).unwrap();
    assert_eq!((shown.ratio, shown.rebuild, shown.rebuilt), (1.0, false, true));
}

/// A leaf beside subtrees that are large enough for threads of their own: its box counts for theirs.
#[test]
fn large_triangles_beside_large_subtrees() {
    let mut rng = Rng::new(rng::seed(1204));
    let mut city = icosphere(6).mesh;
    for (size, height) in [(1000.0f32, -50.0f32), (300.0, -20.0), (40.0, -5.0), (2.0, -1.5)] {
        let first = city.vertices.len() as u32;
        city.vertices.extend([[-size, height, -size], [size, height, -size], [0.0, height, size]]);
        city.triangles.push([first, first + 1, first + 2]);
    }
    let raised = changed(&city, "raised", |[x, y, z]| [x, y + 1.0, 1.5 * z]);
    for preset in Preset::ALL.iter().copied() {
        let build = |of: &TriMesh| Mesh::build(preset, of.vertices.clone(), of.triangles.clone()).unwrap();
        let mut moved = build(&city);
        for to in [&city, &raised] {
            moved.refit(to.vertices.clone()).unwrap();
            moved.check().unwrap_or_else(|error| panic!("{preset:?}, {}: {error}", to.name));
            let built = build(to);
            assert_eq!(moved.bounds(), built.bounds(), "{preset:?}, {}", to.name);
            let mut world = World::new();
            world.insert(&moved);
            let scene = world.commit();
            for i in 0..500 {
                let size = [3.0, 50.0, 900.0][i % 3];
                let from = [rng.range(-size, size), 20.0, rng.range(-size, size)];
                let ray = Ray::new(from, [0.0, -1.0, 0.0]).unwrap();
                let expected = built.all_hits(&ray, &Filter::ALL);
                assert_eq!(moved.all_hits(&ray, &Filter::ALL), expected, "{preset:?}, {}, {ray:?}", to.name);
                assert_eq!(scene.all_hits(&ray, &Filter::ALL).len(), expected.len(), "{preset:?}, {ray:?}");
            }
        }
    }
}

#[test]
fn clones_and_scenes_keep_what_they_have() {
    let sphere = icosphere(2).mesh;
    let mut mesh = mesh(&sphere).with_materials((0..sphere.triangles.len() as u32).collect()).unwrap();
    let kept = mesh.clone();
    let mut world = World::new();
    world.insert(&mesh);
    let scene = world.commit();
    let ray = Ray::new([0.0, 0.1, 9.0], [0.0, 0.0, -1.0]).unwrap();
    let before = mesh.closest(&ray, &Filter::ALL);
    mesh.refit(sphere.moved([0.0, 0.0, 2.0]).vertices).unwrap();
    let after = mesh.closest(&ray, &Filter::ALL);
    assert_ne!(after, before);
    assert_eq!(after.map(|hit| hit.material), after.map(|hit| hit.prim), "materials stay");
    assert_eq!((kept.closest(&ray, &Filter::ALL), scene.closest(&ray, &Filter::ALL)), (before, before));
    assert_eq!(kept.vertices(), sphere.vertices);
    // Alone again, it is moved where it is.
    let place = mesh.triangles().as_ptr();
    mesh.refit(sphere.vertices.clone()).unwrap();
    assert_eq!((mesh.closest(&ray, &Filter::ALL), mesh.triangles().as_ptr()), (before, place));
}

#[test]
fn bad_vertices_are_refused_and_nothing_moves() {
    let sphere = icosphere(1).mesh;
    let mut mesh = mesh(&sphere);
    let count = sphere.vertices.len();
    let error = mesh.refit(sphere.vertices[1..].iter().copied()).unwrap_err();
    assert_eq!(error, MeshError::VertexCount { found: count - 1, expected: count });
    let error = mesh.refit([[0.0f32; 3]; 0]).unwrap_err();
    assert_eq!(error, MeshError::VertexCount { found: 0, expected: count });
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 2.0f32.powi(100).next_up(), -f32::MAX] {
        let mut vertices = sphere.moved([1.0, 2.0, 3.0]).vertices;
        vertices[7][1] = value;
        match mesh.refit(vertices).unwrap_err() {
            MeshError::NonFinite { vertex: 7, axis: 'y', value: found }
            | MeshError::TooFar { vertex: 7, axis: 'y', value: found } => {
                assert_eq!(found.to_bits(), value.to_bits());
            }
            error => panic!("{error}"),
        }
        assert_eq!(mesh.vertices(), sphere.vertices);
        mesh.check().unwrap();
    }
    assert_eq!(mesh.stats(), self::mesh(&sphere).stats());
}

#[test]
fn what_is_empty_moves_too() {
    let mut empty = Mesh::new([[0.0f32; 3]; 0], [[0u32; 3]; 0]).unwrap();
    assert_eq!(empty.refit([[0.0f32; 3]; 0]).map(|moved| moved.ratio), Ok(1.0));
    let mut unused = Mesh::new([[0.0f32; 3]; 2], [[0u32; 3]; 0]).unwrap();
    assert!(unused.refit([[1.0f32; 3]; 2]).is_ok());
    assert_eq!((unused.bounds(), unused.vertices()[1]), (None, [1.0; 3]));
}
