//! Rays that start exactly on a triangle meet it there, whichever way they go: the recipe's shear is rounded, and would put
//! half of such crossings behind the ray.

use hitscan::Filter;
use hitscan_oracle::brute::Placed;
use hitscan_oracle::entry::Placement;
use hitscan_oracle::exact::lies_on;
use hitscan_oracle::meshes::all;
use hitscan_oracle::rays::Ray;
use hitscan_oracle::{Rng, TriMesh, rng};

use crate::compare::assert_agrees;
use crate::heightfield::{Samples, Terrain};
use crate::support::{assert_mesh_agrees, assert_scene_agrees, kernels, mesh, on_kernel, ray};

/// Points exactly on triangles of a mesh, with their rows: corners, middles of edges, and some inside, where `f32` holds one.
fn points_on(mesh: &TriMesh, count: usize, rng: &mut Rng) -> Vec<([f64; 3], usize)> {
    let weights = [[4, 0, 0], [2, 2, 0], [2, 1, 1], [1, 1, 2]];
    let mut points = Vec::new();
    for _ in 0..8 * count {
        let prim = rng.below(mesh.triangles.len());
        let (corners, weights) = (mesh.corners(prim), rng.pick(&weights));
        let point: [f32; 3] = core::array::from_fn(|axis| {
            let sum: f64 = (0..3).map(|i| f64::from(corners[i][axis]) * f64::from(weights[i])).sum();
            (sum / 4.0) as f32
        });
        if lies_on(point, corners) {
            points.push((point.map(f64::from), prim));
        }
    }
    points.truncate(count);
    points
}

/// A direction to anywhere, or to somewhere on the grid.
fn direction(rng: &mut Rng) -> [f64; 3] {
    loop {
        let dir = if rng.one_in(2) { rng.direction() } else { [0; 3].map(|_| rng.int(-3, 3) as f64) };
        if dir != [0.0; 3] {
            return dir;
        }
    }
}

/// Some to anywhere, and some that leave together, which batches take side by side.
fn rays_from(point: [f64; 3], rng: &mut Rng) -> Vec<Ray> {
    let towards = direction(rng);
    let near = |dir: [f64; 3], rng: &mut Rng| dir.map(|c| c + rng.range(-0.05, 0.05));
    let mut rays: Vec<Ray> = (0..17).map(|_| Ray::new(point, near(towards, rng))).collect();
    rays.extend((0..5).map(|_| Ray::new(point, direction(rng))));
    rays.retain(Ray::is_valid);
    rays
}

#[test]
fn rays_that_start_on_a_mesh_agree_with_brute_force() {
    let mut rng = Rng::new(rng::seed(1901));
    for mesh in all(&mut rng) {
        let points = points_on(&mesh, 3, &mut rng);
        let rays: Vec<Ray> = points.iter().flat_map(|&(point, _)| rays_from(point, &mut rng)).collect();
        assert_mesh_agrees(&mesh, &rays);
        // At another size and place, where it has a frame of its own.
        let placement = Placement {
            matrix: [[0.0, 0.0, 4.0], [2.0, 0.0, 0.0], [0.0, -8.0, 0.0]],
            translation: [64.0, -3.0, 1024.0],
        };
        let placed =
            [Placed { mesh: &mesh, placement }, Placed { mesh: &mesh, placement: Placement::IDENTITY }];
        let rays: Vec<Ray> = points
            .iter()
            .take(1)
            .flat_map(|&(point, _)| rays_from(placement.point(point), &mut rng))
            .collect();
        assert_scene_agrees(&placed, &rays);
    }
}

/// Said without the oracle: from a point inside of a triangle, a ray that does not run along its plane hits that triangle at 0,
/// alone and in a batch, and the other way around too.
#[test]
fn a_ray_that_leaves_a_triangle_hits_it_at_zero() {
    let mut rng = Rng::new(rng::seed(1902));
    let mut seen = 0;
    for _ in 0..40 {
        let corner = |rng: &mut Rng| [0; 3].map(|_| rng.int(-9, 9) as f32);
        let corners = [corner(&mut rng), corner(&mut rng), corner(&mut rng)];
        let [a, b, c] = corners.map(|corner| corner.map(f64::from));
        let [e, f]: [[f64; 3]; 2] = [b, c].map(|end| core::array::from_fn(|i| end[i] - a[i]));
        let normal = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
        let middle: [f64; 3] = core::array::from_fn(|i| (2.0 * a[i] + b[i] + c[i]) / 4.0);
        let pane = TriMesh::new("pane", corners.to_vec(), vec![[0, 1, 2]]);
        // Grazing lines may pass it by as far as rounding goes, so they are not among these.
        let rays: Vec<_> = (0..200)
            .map(|_| direction(&mut rng))
            .filter(|dir| {
                let [along, across, long] = [[dir, &normal], [&normal, &normal], [dir, dir]]
                    .map(|[p, q]| p.iter().zip(q).map(|(p, q)| p * q).sum::<f64>());
                across > 0.0 && along.abs() > 1e-3 * (across * long).sqrt()
            })
            .map(|dir| ray(&Ray::new(middle, dir)))
            .collect();
        for isa in kernels() {
            let pane = on_kernel(&mesh(&pane), isa);
            let at_zero = |hit: Option<hitscan::Hit>| hit.is_some_and(|hit| hit.t.to_bits() == 0);
            assert!(rays.iter().all(|ray| at_zero(pane.closest(ray, &Filter::ALL))), "{isa}, {corners:?}");
            let batch = pane.closest_batch(&rays, &Filter::ALL);
            assert!(batch.into_iter().all(at_zero), "{isa}, a batch, {corners:?}");
            seen += rays.len();
        }
    }
    assert!(seen > 4000, "{seen}");
}

#[test]
fn rays_that_start_on_the_ground_agree_with_brute_force() {
    let mut rng = Rng::new(rng::seed(1903));
    for relief in [0, 5] {
        let heights = (0..7 * 6).map(|_| rng.int(0, relief) as f32).collect();
        let terrain = Terrain::new("ground", 7, 6, Samples::F32(heights));
        let triangles = terrain.triangles();
        let points = points_on(&triangles, 12, &mut rng);
        let rays: Vec<Ray> = points.iter().flat_map(|&(point, _)| rays_from(point, &mut rng)).collect();
        let placed = [Placed { mesh: &triangles, placement: Placement::IDENTITY }];
        assert_agrees(&terrain.field(), &placed, &rays);
    }
}
