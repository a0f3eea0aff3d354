//! Batch and single, scalar and SIMD, and a sample of brute force: one answer.

use hitscan::{Filter, Isa, Ray};
use hitscan_oracle::rays::{KINDS, Shooter};
use hitscan_oracle::{Rng, rng};

use crate::compare::{Target, all_bits, assert_agrees, assert_batches_are_singles, kernels, on_kernel, ray};
use crate::subject::subjects;

/// Rays of each kind at each scene: 100,000 in the long form, which the environment variable `HITSCAN_LONG` chooses.
fn rays_of_a_kind() -> usize {
    match (std::env::var_os("HITSCAN_LONG").is_some(), cfg!(debug_assertions)) {
        (true, _) => 100_000,
        (false, true) => 1_000,
        (false, false) => 8_400,
    }
}

/// Rays that are held at once with all their answers.
const CHUNK: usize = 100_000;

/// Rays of each kind that brute force answers: fewer the longer a ray takes it.
fn sample(triangles: usize) -> usize {
    let (least, most, affordable) = if cfg!(debug_assertions) { (1, 6, 600_000) } else { (5, 24, 2_400_000) };
    (affordable / triangles).clamp(least, most)
}

/// Compares all kernels with each other, and each one's batches with its single queries. Gives how many rays hit.
fn assert_every_path_agrees<T: Target>(target: &T, name: &str, rays: &[Ray]) -> usize {
    let targets: Vec<T> = kernels().map(|isa| on_kernel(target, isa)).collect();
    for target in &targets {
        assert_batches_are_singles(target, rays, &|| format!("{}, {name}", target.isa()));
    }
    let filter = Filter::ALL;
    let (closest, all) = (targets[0].closest_batch(rays, &filter), targets[0].all_hits_batch(rays, &filter));
    for (i, ray) in rays.iter().enumerate() {
        assert_eq!(closest[i].as_ref(), all.get(i).first(), "{name}: {ray:?}");
    }
    for other in &targets[1..] {
        let (isa, others) = (other.isa(), other.all_hits_batch(rays, &filter));
        for (i, ray) in rays.iter().enumerate() {
            assert_eq!(all_bits(others.get(i)), all_bits(all.get(i)), "{isa}, {name}: {ray:?}");
        }
        assert!(other.closest_batch(rays, &filter) == closest, "{isa}, {name}: closest");
    }
    closest.iter().flatten().count()
}

#[test]
fn every_path_gives_the_same_bits() {
    let mut rng = Rng::new(rng::seed(901));
    for subject in subjects() {
        let merged = subject.merged();
        let (scene, shooter) = (subject.scene(), Shooter::new(&merged));
        let (mut left, mut traced, mut hits) = (KINDS.len() * rays_of_a_kind(), 0, 0);
        while left > 0 {
            let rays: Vec<Ray> = shooter.rays(left.min(CHUNK), &mut rng).iter().map(ray).collect();
            hits += assert_every_path_agrees(&scene, &subject.name, &rays);
            traced += rays.len();
            left -= rays.len();
        }
        let isas: Vec<Isa> = kernels().collect();
        eprintln!("{}: {traced} rays on every path of {isas:?}, {hits} of them hit", subject.name);
        assert!(hits > traced / 4, "{}: the rays are aimed at it", subject.name);
    }
}

#[test]
fn a_sample_equals_brute_force() {
    let mut rng = Rng::new(rng::seed(902));
    for subject in subjects() {
        let merged = subject.merged();
        let rays = Shooter::new(&merged).rays(KINDS.len() * sample(merged.triangles.len()), &mut rng);
        assert_agrees(&subject.scene(), &subject.placed(), &rays);
        eprintln!("{}: {} rays as brute force answers them", subject.name, rays.len());
    }
}
