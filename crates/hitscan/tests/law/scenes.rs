//! The scans and parts in `../shared/scenes`: closed, and the same bits on every path. Skipped where it is absent.

use std::path::Path;

use hitscan::{Filter, Mesh, Ray};
use hitscan_oracle::rays::Shooter;
use hitscan_oracle::{Rng, TriMesh, all_hits_of_mesh, rng};

use crate::support::{
    all_bits, assert_batches_are_singles, assert_mesh_agrees, kernels, mesh, on_kernel, ray,
};
use crate::watertight::{assert_crossings_pair_up, assert_no_ray_escapes, outline_points};

const CLOSED: [&str; 4] = ["cow.obj", "fandisk.obj", "rocker-arm.obj", "nefertiti.obj"];

/// The positions and triangles of an OBJ file, where the folder is there.
fn load(name: &str) -> Option<TriMesh> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/scenes").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: {} is not there", path.display());
        return None;
    };
    let mut mesh = TriMesh::new(name, Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let numbers: Vec<f32> = words.take(3).map(|word| word.parse().expect(line)).collect();
                mesh.vertices.push(numbers.try_into().expect(line));
            }
            Some("f") => {
                let index =
                    |word: &str| word.split('/').next().and_then(|n| n.parse::<u32>().ok()).expect(line);
                let indices: Vec<u32> = words.map(|word| index(word) - 1).collect();
                mesh.triangles.push(indices.try_into().expect(line));
            }
            _ => {}
        }
    }
    assert!(!mesh.triangles.is_empty(), "{name} has triangles");
    Some(mesh)
}

/// The middle of the longest way through the solid among a few lines parallel to axes.
fn point_inside(mesh: &TriMesh) -> [f64; 3] {
    let (low, high) = mesh.bounds();
    let mut best = (0.0, [0.0; 3]);
    for axis in 0..3 {
        for (i, j) in (1..6).flat_map(|i| (1..6).map(move |j| (i, j))) {
            let mut origin: [f64; 3] = std::array::from_fn(|k| {
                low[k]
                    + (high[k] - low[k]) * if k == (axis + 1) % 3 { f64::from(i) } else { f64::from(j) }
                        / 6.03
            });
            origin[axis] = low[axis] - 1.0;
            let mut dir = [0.0; 3];
            dir[axis] = 1.0;
            let hits = all_hits_of_mesh(mesh, &hitscan_oracle::Ray::new(origin, dir));
            // From an entry on, one deep, to the next exit.
            for (k, pair) in hits.windows(2).enumerate() {
                if k % 2 == 0 && pair[0].front && !pair[1].front && pair[1].t - pair[0].t > best.0 {
                    let mut middle = origin;
                    middle[axis] += (pair[0].t + pair[1].t) / 2.0;
                    best = (pair[1].t - pair[0].t, middle);
                }
            }
        }
    }
    assert!(best.0 > 0.0, "{}: a line goes through the inside", mesh.name);
    best.1
}

#[test]
fn no_ray_escapes_from_inside() {
    let mut rng = Rng::new(rng::seed(901));
    for oracle_mesh in CLOSED.into_iter().filter_map(load) {
        let built = mesh(&oracle_mesh);
        let inside = point_inside(&oracle_mesh);
        let points = outline_points(&oracle_mesh, &mut rng);
        let out: Vec<Ray> =
            points.iter().map(|&point| ray(&hitscan_oracle::Ray::towards(inside, point))).collect();
        assert_no_ray_escapes(&built, &oracle_mesh.name, &out);
        let shooter = Shooter::new(&oracle_mesh);
        let lines: Vec<Ray> = points
            .iter()
            .step_by(3)
            .map(|&point| {
                let far = shooter.far_from(point, &mut rng);
                ray(&hitscan_oracle::Ray::towards(far, point).line())
            })
            .collect();
        assert_crossings_pair_up(&built, &oracle_mesh.name, &lines);
    }
}

#[test]
fn every_path_gives_the_same_bits() {
    let mut rng = Rng::new(rng::seed(902));
    for oracle_mesh in CLOSED.into_iter().filter_map(load) {
        let rays: Vec<Ray> = Shooter::new(&oracle_mesh).rays(100_000, &mut rng).iter().map(ray).collect();
        let targets: Vec<Mesh> = kernels().map(|isa| on_kernel(&mesh(&oracle_mesh), isa)).collect();
        for target in &targets {
            let context = || format!("{}, {}", target.isa(), oracle_mesh.name);
            assert_batches_are_singles(target, &rays, &context);
        }
        for other in &targets[1..] {
            let (first, second) =
                (targets[0].all_hits_batch(&rays, &Filter::ALL), other.all_hits_batch(&rays, &Filter::ALL));
            assert_eq!(first.offsets(), second.offsets(), "{}", oracle_mesh.name);
            assert_eq!(all_bits(first.hits()), all_bits(second.hits()), "{}", oracle_mesh.name);
            let (first, second) =
                (targets[0].closest_batch(&rays, &Filter::ALL), other.closest_batch(&rays, &Filter::ALL));
            assert!(first == second, "{}", oracle_mesh.name);
        }
    }
}

#[test]
fn a_sample_equals_brute_force() {
    let mut rng = Rng::new(rng::seed(903));
    for oracle_mesh in CLOSED.into_iter().filter_map(load) {
        let rays = Shooter::new(&oracle_mesh).rays(240, &mut rng);
        assert_mesh_agrees(&oracle_mesh, &rays);
    }
}
