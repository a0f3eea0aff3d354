//! Rays that leave side by side, which batches take together: they agree with brute force like any others, also where one
//! of them differs from its neighbours in length, limits, sign or sanity.

use hitscan::{Candidate, Facing, Filter, InstanceId, Verdict};
use hitscan_oracle::meshes::{all, all_solids};
use hitscan_oracle::rays::{Ray, Shooter};
use hitscan_oracle::{Rng, rng};

use crate::compare::assert_batches_are_singles;
use crate::support::{assert_mesh_agrees, kernels, mesh, on_kernel, ray};

/// A few groups, and a rest that is none.
const RAYS: usize = 5 * 16 + 3;

fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    core::array::from_fn(|i| a[i] + b[i])
}

/// From one place, at the mesh's corners, edges and faces one after the other, and beside them.
#[test]
fn rays_from_one_eye() {
    let mut rng = Rng::new(rng::seed(1301));
    for mesh in all(&mut rng) {
        let (shooter, size) = (Shooter::new(&mesh), f64::from(mesh.reach()));
        let towards = shooter.feature(&mut rng);
        let eye = add(towards, rng.in_cube(3.0 * size));
        let rays: Vec<Ray> = (0..RAYS)
            .map(|i| match i % 4 {
                0 => Ray::towards(eye, shooter.feature(&mut rng)),
                1 => Ray::towards(eye, towards),
                _ => Ray::towards(eye, add(towards, rng.in_cube(0.1 * size))),
            })
            .map(Ray::rounded)
            .filter(Ray::is_valid)
            .collect();
        assert_mesh_agrees(&mesh, &rays);
    }
}

/// Along an axis or along any direction, from places beside each other.
#[test]
fn parallel_rays() {
    let mut rng = Rng::new(rng::seed(1302));
    for mesh in all(&mut rng) {
        let (shooter, size) = (Shooter::new(&mesh), f64::from(mesh.reach()));
        let mut dir = rng.direction();
        if rng.one_in(2) {
            // With zeros of either sign.
            dir = [rng.pick(&[0.0, -0.0]), rng.pick(&[1.0, -1.0]), rng.pick(&[0.0, -0.0])];
        }
        let rays: Vec<Ray> = (0..RAYS)
            .map(|i| {
                let over = if i % 3 == 0 { shooter.feature(&mut rng) } else { rng.in_cube(0.1 * size) };
                Ray::new(add(over, dir.map(|c| -2.0 * size * c)), dir)
            })
            .collect();
        assert_mesh_agrees(&mesh, &rays);
    }
}

/// One of them shorter, longer, limited, turned or far away.
#[test]
fn rays_that_differ_from_their_neighbours() {
    let mut rng = Rng::new(rng::seed(1303));
    for mesh in all(&mut rng) {
        let (shooter, size) = (Shooter::new(&mesh), f64::from(mesh.reach()));
        let towards = shooter.feature(&mut rng);
        let eye = add(towards, rng.in_cube(2.0 * size));
        let rays: Vec<Ray> = (0..RAYS)
            .map(|_| {
                let ray = Ray::towards(eye, add(towards, rng.in_cube(0.05 * size)));
                let by = |factor: f64| Ray::new(ray.origin, ray.dir.map(|c| c * factor));
                match rng.below(24) {
                    0 => by(1e-30),
                    1 => by(1e30),
                    2 => by(-1.0).within(f64::NEG_INFINITY, 0.5),
                    3 => ray.within(-1e300, 1e300),
                    4 => ray.within(1e300, f64::INFINITY),
                    5 => ray.within(f64::NEG_INFINITY, -1e300),
                    6 => ray.within(0.9, 1.1),
                    7 => ray.within(1.0, 1.0),
                    8 => Ray::new(add(ray.origin, ray.dir.map(|c| -1e9 * c)), ray.dir),
                    _ => ray,
                }
            })
            .filter(Ray::is_valid)
            .collect();
        assert_mesh_agrees(&mesh, &rays);
    }
}

/// Pictures line by line, four lines a task, of which squares are made: with features, limits, lengths and signs of all kinds among their
/// rays, and a line that is left over.
#[test]
fn lines_of_pictures() {
    let mut rng = Rng::new(rng::seed(1306));
    for oracle in all(&mut rng) {
        let (shooter, size) = (Shooter::new(&oracle), f64::from(oracle.reach()));
        let towards = shooter.feature(&mut rng);
        let eye = add(towards, rng.in_cube(2.0 * size));
        let [across, down] = [rng.direction(), rng.direction()].map(|dir| dir.map(|c| c * 0.01 * size));
        let rays: Vec<Ray> = (0..32 * 9)
            .map(|i| {
                let (x, y) = (i % 32, i / 32);
                let at =
                    |k: usize| towards[k] + across[k] * (f64::from(x) - 16.0) + down[k] * f64::from(y - 4);
                let ray = Ray::towards(eye, core::array::from_fn(at));
                // A few rays tell that it is a picture, and where its first line ends.
                if y == 0 || [0, 1, 16, 17, 31].contains(&x) {
                    return ray;
                }
                match rng.below(24) {
                    0 => ray.within(0.9, 1.1),
                    1 => ray.within(1.0, f64::INFINITY),
                    2 => Ray::new(ray.origin, ray.dir.map(|c| c * 1e3)),
                    3 => Ray::new(ray.origin, ray.dir.map(|c| -c)),
                    4..8 => Ray::towards(eye, towards),
                    8..12 => Ray::towards(eye, shooter.feature(&mut rng)),
                    _ => ray,
                }
            })
            .collect();
        // As they stand: brute force takes them apart, with limits at each crossing, and knows single queries.
        let (built, rays): (_, Vec<_>) = (mesh(&oracle), rays.iter().map(ray).collect());
        for isa in kernels() {
            assert_batches_are_singles(&on_kernel(&built, isa), &rays, &|| format!("{isa}, {}", oracle.name));
        }
    }
}

/// Meshes of sizes near the ends of what a group is made for.
#[test]
fn meshes_of_any_size() {
    let mut rng = Rng::new(rng::seed(1304));
    for exponent in [-60, -41, -40, -39, 0, 39, 40, 41, 60] {
        let mut mesh = all_solids().swap_remove(1).mesh;
        let scale = 2.0f32.powi(exponent);
        mesh.vertices.iter_mut().flatten().for_each(|c| *c *= scale);
        let (shooter, size) = (Shooter::new(&mesh), f64::from(mesh.reach()));
        let eye = [2.5 * size, 1.5 * size, 2.0 * size];
        for length in [1.0, 1e-7, 1e-6, 1e6, 1e7] {
            let rays: Vec<Ray> = (0..35)
                .map(|_| {
                    let ray = Ray::towards(eye, shooter.feature(&mut rng));
                    Ray::new(ray.origin, ray.dir.map(|c| c / size * length))
                })
                .collect();
            assert_mesh_agrees(&mesh, &rays);
        }
    }
}

/// Filters, on meshes whose every triangle stands there twice, so that each first crossing is one of two: batches are single
/// queries, which brute force knows.
#[test]
fn filters_and_ties() {
    let mut rng = Rng::new(rng::seed(1305));
    let odd = |candidate: &Candidate| if candidate.prim % 2 == 1 { Verdict::Accept } else { Verdict::Ignore };
    let stop = |candidate: &Candidate| {
        if candidate.prim.is_multiple_of(3) { Verdict::Stop } else { Verdict::Accept }
    };
    for mut twice in all(&mut rng) {
        twice.triangles.extend(twice.triangles.clone().iter().rev());
        let (shooter, size, built) = (Shooter::new(&twice), f64::from(twice.reach()), mesh(&twice));
        let towards = shooter.feature(&mut rng);
        let eye = add(towards, rng.in_cube(2.0 * size));
        let aimed = (0..RAYS).map(|i| match i % 3 {
            0 => Ray::towards(eye, shooter.feature(&mut rng)),
            _ => Ray::towards(eye, add(towards, rng.in_cube(0.1 * size))),
        });
        let rays: Vec<_> = aimed.map(Ray::rounded).filter(Ray::is_valid).map(|aimed| ray(&aimed)).collect();
        let prim = rng.below(twice.triangles.len()) as u32;
        let all = Filter::ALL;
        let filters = [
            all,
            all.facing(Facing::Front),
            all.facing(Facing::Back),
            all.skip(InstanceId::first(0), prim),
            all.judge(&odd),
            all.facing(Facing::Front).judge(&stop),
        ];
        for isa in kernels() {
            let target = on_kernel(&built, isa);
            for filter in &filters {
                let context = format!("{isa}, {filter:?}, {}", twice.name);
                let closest: Vec<_> = rays.iter().map(|ray| target.closest(ray, filter)).collect();
                assert_eq!(target.closest_batch(&rays, filter), closest, "{context}");
                let occluded: Vec<bool> = closest.iter().map(Option::is_some).collect();
                assert_eq!(target.occluded_batch(&rays, filter), occluded, "{context}");
                let hits = target.all_hits_batch(&rays, filter);
                assert_eq!(hits.len(), rays.len(), "{context}");
                for (ray, hits) in rays.iter().zip(hits.iter()) {
                    assert_eq!(target.all_hits(ray, filter), hits, "{context}");
                }
            }
        }
    }
}
