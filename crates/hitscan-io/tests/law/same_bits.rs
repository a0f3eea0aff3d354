//! Batch and single, scalar and SIMD, and a sample of brute force: one answer.

use hitscan::{Filter, Isa, Ray};
use hitscan_oracle::rays::{KINDS, Shooter};
use hitscan_oracle::{Rng, rng};

use crate::compare::{Target, all_bits, assert_agrees, assert_batches_are_singles, kernels, on_kernel, ray};
use crate::subject::subjects;

/// Rays at each scene, all kinds in turn.
const RAYS: usize = if cfg!(debug_assertions) { 12_000 } else { 100_000 };

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
        let rays: Vec<Ray> = Shooter::new(&merged).rays(RAYS, &mut rng).iter().map(ray).collect();
        let hits = assert_every_path_agrees(&subject.scene(), &subject.name, &rays);
        let isas: Vec<Isa> = kernels().collect();
        eprintln!("{}: {} rays on every path of {isas:?}, {hits} of them hit", subject.name, rays.len());
        assert!(hits > rays.len() / 4, "{}: the rays are aimed at it", subject.name);
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
