//! The free borders of open meshes are hit, once, and finding neighbours does not cost the square of a fan.

use hitscan::bvh::Cost;
use hitscan::shape::Sphere;
use hitscan::{Filter, Ray, World};
use hitscan_oracle::meshes::{open_box, open_fan, sheet, terrain};
use hitscan_oracle::{Rng, TriMesh, rng};

use crate::support::{all_bits, assert_mesh_agrees, kernels, mesh, on_kernel};

fn down(x: f64, y: f64) -> Ray {
    Ray::new([x, y, 100.0], [0.0, 0.0, -1.0]).unwrap()
}

#[test]
fn every_sample_of_a_terrain_is_hit_once_from_above_and_below() {
    let mut rng = Rng::new(rng::seed(401));
    let n = 16;
    let terrain = terrain(n, 5, &mut rng);
    let built = mesh(&terrain);
    for isa in kernels() {
        let built = on_kernel(&built, isa);
        let half = n as f64 / 2.0;
        // Samples, edge points and inner points alike, the outermost ones included.
        for (i, j) in (0..=4 * n).flat_map(|i| (0..=4 * n).map(move |j| (i, j))) {
            let (x, y) = (i as f64 / 4.0 - half, j as f64 / 4.0 - half);
            for ray in [down(x, y), Ray::new([x, y, -9.0], [0.0, 0.0, 0.5]).unwrap()] {
                assert_eq!(built.all_hits(&ray, &Filter::ALL).len(), 1, "{isa}, ({x}, {y})");
            }
        }
        // One step of f64 beside the border rounds onto it, one step of f32 does not.
        let step = f64::from((half as f32).next_up());
        for (x, y, hit) in [(half.next_up(), 0.0, true), (0.0, step, false), (-step, -half, false)] {
            assert_eq!(built.occluded(&down(x, y), &Filter::ALL), hit, "{isa}, ({x}, {y})");
        }
    }
}

#[test]
fn a_double_sided_sheet_gives_a_pair_everywhere() {
    let n = 4;
    let sheet = mesh(&sheet(n));
    for isa in kernels() {
        let sheet = on_kernel(&sheet, isa);
        for (i, j) in (0..=8 * n).flat_map(|i| (0..=8 * n).map(move |j| (i, j))) {
            let ray = down(i as f64 / 8.0, j as f64 / 8.0);
            let hits = sheet.all_hits(&ray, &Filter::ALL);
            assert_eq!(hits.len(), 2, "{isa}, {ray:?}");
            assert_ne!(hits[0].facing, hits[1].facing, "{isa}, {ray:?}");
            assert_eq!(
                hits[0].prim + 2 * (n * n) as u32,
                hits[1].prim,
                "{isa}, {ray:?}: a triangle and its copy"
            );
        }
    }
}

#[test]
fn borders_agree_with_brute_force_on_the_lattice() {
    let mut rng = Rng::new(rng::seed(402));
    for mesh in [terrain(6, 2, &mut rng), open_box(2), sheet(3), open_fan(64)] {
        for axis in 0..3 {
            let (right, up) = ((axis + 1) % 3, (axis + 2) % 3);
            let rays: Vec<hitscan_oracle::Ray> = (-8..=8)
                .flat_map(|i| (-8..=8).map(move |j| (i, j)))
                .map(|(i, j)| {
                    let (mut origin, mut dir) = ([-9.0; 3], [0.0; 3]);
                    (origin[right], origin[up], dir[axis]) = (f64::from(i) / 2.0, f64::from(j) / 2.0, 1.0);
                    hitscan_oracle::Ray::new(origin, dir)
                })
                .collect();
            assert_mesh_agrees(&mesh, &rays);
        }
    }
}

/// A closed fan of `n` triangles around the apex (0, 0, 1), and its base.
fn cone(n: u32, with_base: bool) -> TriMesh {
    let mut vertices = vec![[0.0f32, 0.0, 1.0], [0.0, 0.0, -1.0]];
    // Corners along a square of integers, so that all are different.
    let side = n / 4;
    for k in 0..n {
        let (along, s) = ((k % side) as f32, side as f32);
        let half = s / 2.0;
        vertices.push(match k / side {
            0 => [along - half, -half, 0.0],
            1 => [half, along - half, 0.0],
            2 => [half - along, half, 0.0],
            _ => [-half, half - along, 0.0],
        });
    }
    let mut triangles: Vec<[u32; 3]> = (0..n).map(|k| [0, 2 + k, 2 + (k + 1) % n]).collect();
    if with_base {
        triangles.extend((0..n).map(|k| [1, 2 + (k + 1) % n, 2 + k]));
    }
    TriMesh::new("cone", vertices, triangles)
}

/// With the square of the fan's size this test would take minutes.
#[test]
fn an_apex_of_100000_triangles_is_answered_at_once() {
    let n = 100_000;
    let (closed, open) = (mesh(&cone(n, true)), mesh(&cone(n, false)));
    for isa in kernels() {
        let (closed, open) = (on_kernel(&closed, isa), on_kernel(&open, isa));
        let through = down(0.0, 0.0);
        assert_eq!(closed.all_hits(&through, &Filter::ALL).len(), 2, "{isa}: both apices, once each");
        assert_eq!(open.all_hits(&through, &Filter::ALL).len(), 1, "{isa}: the apex, once");
        // Past the apex, across all of the fan's corner: inside above none, and the same on every path.
        for y in [0.0, 1e-30, -1e-30] {
            let past = Ray::new([-3.0e4, y, 1.0], [1.0, 0.0, 0.0]).unwrap();
            let hits = closed.all_hits(&past, &Filter::ALL);
            assert!(hits.is_empty() || hits.len() == 2, "{isa}: a silhouette gives none or a pair: {hits:?}");
            assert_eq!(closed.occluded(&past, &Filter::ALL), !hits.is_empty());
            assert_eq!(closed.closest(&past, &Filter::ALL).as_ref(), hits.first());
        }
    }
    // Every other triangle: each is alone, so the apex is a border corner of 50,000 triangles.
    let mut halved = cone(n, false);
    halved.triangles = halved.triangles.into_iter().step_by(2).collect();
    let halved = mesh(&halved);
    let answers: Vec<_> = kernels()
        .map(|isa| all_bits(&on_kernel(&halved, isa).all_hits(&down(0.0, 0.0), &Filter::ALL)))
        .collect();
    assert!(answers.iter().all(|answer| answer.len() == 1 && *answer == answers[0]), "{answers:?}");
}

/// Where meshes stand at one place, a walk comes to a large one once for each of its parts; what it knows of an apex it keeps.
#[test]
fn an_apex_in_many_parts_is_looked_at_once() {
    let mut flat = cone(8_000, false);
    flat.vertices[0][2] = 0.0; // in the box of every part
    let fan = mesh(&flat);
    let aside = [[3e3f32, 0.0, 0.0], [3e3, 1.0, 0.0], [3e3, 0.0, 1.0]];
    let small = mesh(&TriMesh::new("small", aside.to_vec(), vec![[0, 1, 2]]));
    let mut world = World::new();
    world.insert(&fan);
    for _ in 1..100 {
        world.insert(&small);
    }
    let joined = world.commit();
    world.insert(Sphere::new([3e20, -2e20, 1e20], 1.0).unwrap()); // keeps them apart
    let apart = world.commit();
    let ray = down(0.0, 0.0);
    for isa in kernels() {
        let [(far, apart), (near, joined)] =
            [&apart, &joined].map(|scene| on_kernel(scene, isa).closest_cost(&ray, &Filter::ALL));
        assert_eq!((far.unwrap().t, near.unwrap().t), (100.0, 100.0), "{isa}");
        let steps = |cost: Cost| cost.nodes + cost.leaves + cost.tests;
        assert!(steps(joined) < 2 * steps(apart), "{isa}: {joined:?}, apart {apart:?}");
    }
}

/// Rays at the samples of a terrain and along its grid's lines, as height maps are asked: a neighbour on the other side of an edge, or
/// the one that takes a corner, is near at hand, and all that stands around the corner is not looked at for it. How often one is
/// looked for depends on the order in which a kernel comes to the triangles: in the worst, steps are 1.86 and 3.24 times those at
/// faces. To look at all took 2.44 and 3.27.
#[test]
fn neighbours_in_a_large_surface_are_looked_up_near_at_hand() {
    let n = 128;
    let terrain = mesh(&terrain(n, 5, &mut Rng::new(rng::seed(403))));
    for isa in kernels() {
        let terrain = on_kernel(&terrain, isa);
        let steps = |x: f64, y: f64| {
            let mut all = 0;
            for (i, j) in (1..n).flat_map(|i| (1..n).map(move |j| (i, j))) {
                let [i, j] = [i, j].map(|at| at as f64 - n as f64 / 2.0);
                let (hit, cost) = terrain.closest_cost(&down(i + x, j + y), &Filter::ALL);
                assert!(hit.is_some(), "{isa}, ({i}, {j})");
                all += cost.nodes + cost.leaves + cost.tests;
            }
            f64::from(all) / ((n - 1) * (n - 1)) as f64
        };
        let (face, edge, corner) = (steps(0.3, 0.4), steps(0.0, 0.4), steps(0.0, 0.0));
        assert!(edge < 2.0 * face, "{isa}: {edge:.1} steps at edges, {face:.1} at faces");
        assert!(corner < 3.25 * face, "{isa}: {corner:.1} steps at corners, {face:.1} at faces");
    }
}

/// Neighbours are looked up within the steps of a bounded question too: a soup whose corners all lie in all of its boxes.
#[test]
fn looking_up_neighbours_is_counted() {
    let n = 500u16;
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..n {
        let (z, first) = (f32::from(i), vertices.len() as u32);
        let [x, y] = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]][usize::from(i % 4)];
        vertices.extend([[0.0, 0.0, z], [x, 0.0, z], [0.0, y, z]]);
        vertices.extend([[-9.0, -8.0, -9.0 - z], [9.0, -8.0, 600.0 + z], [-8.0, 9.0, 600.0]]);
        triangles.extend([[first, first + 1, first + 2], [first + 3, first + 4, first + 5]]);
    }
    let soup = mesh(&TriMesh::new("soup", vertices, triangles));
    let ray = Ray::new([0.0, 0.0, 900.0], [0.0, 0.0, -1.0]).unwrap();
    for isa in kernels() {
        let soup = on_kernel(&soup, isa);
        let (hits, cost) = soup.all_hits_cost(&ray, &Filter::ALL);
        assert!(hits.len() >= usize::from(n), "{isa}: {}", hits.len());
        assert!(cost.leaves > u32::from(n) * u32::from(n) / 32, "{isa}: {cost:?}");
        let steps = u64::from(cost.nodes) + u64::from(cost.leaves) + u64::from(cost.tests);
        assert_eq!(
            soup.bounded(steps).all_hits(&ray, &Filter::ALL).map(|hits| hits.len()),
            Ok(hits.len()),
            "{isa}"
        );
        assert!(soup.bounded(steps - 1).all_hits(&ray, &Filter::ALL).is_err(), "{isa}");
    }
}

#[test]
fn a_book_of_20000_pages_is_answered_at_once() {
    // All pages share one corner; the ray runs through the middle of an edge of each, which is a border.
    let n = 20_000u16;
    let mut vertices = vec![[0.0f32; 3]];
    let mut triangles = Vec::new();
    for page in 1..=n {
        let (z, first) = (f32::from(page), vertices.len() as u32);
        vertices.extend([[0.0, 4.0, 2.0 * z], [-1.0, 2.0, z]]);
        triangles.push([0, first, first + 1]);
    }
    let book = mesh(&TriMesh::new("book", vertices, triangles));
    let through = Ray::new([0.0, 2.0, -1.0], [0.0, 0.0, 1.0]).unwrap();
    for isa in kernels() {
        let hits = on_kernel(&book, isa).all_hits(&through, &Filter::ALL);
        assert_eq!(hits.len(), usize::from(n), "{isa}: each page once");
    }
}
