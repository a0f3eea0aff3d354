//! Batch and single, scalar and SIMD, and a sample of brute force: one answer.

use hitscan::{Filter, Isa, Ray};
use hitscan_oracle::rays::{KINDS, Shooter};
use hitscan_oracle::{Rng, rng};

use rayon::prelude::*;

use crate::compare::{
    Target, all_bits, assert_agrees, assert_batches_are_singles, kernels, on_kernel, ray, share,
};
use crate::is_long;
use crate::subject::subjects;

/// Rays of each kind at each scene: 100,000 in the long form.
fn rays_of_a_kind() -> usize {
    match (is_long(), cfg!(debug_assertions)) {
        (true, _) => 100_000,
        (false, true) => 500,
        (false, false) => 20_000,
    }
}

/// Rays that are held at once with all their answers.
const CHUNK: usize = 100_000;

/// Rays of each kind that brute force answers: fewer the longer a ray takes it.
fn sample(triangles: usize) -> usize {
    let (least, most, affordable) = if cfg!(debug_assertions) { (1, 6, 600_000) } else { (5, 24, 2_400_000) };
    (affordable / triangles).clamp(least, most)
}

/// Compares all kernels with each other on every ray, and each one's single queries and other forms with its batches on
/// its share of them. Gives how many rays hit.
fn assert_every_path_agrees<T: Target + Sync>(target: &T, name: &str, rays: &[Ray]) -> usize {
    let isas: Vec<Isa> = kernels().collect();
    isas.par_iter().enumerate().for_each(|(turn, &isa)| {
        let own = share(rays, turn, isas.len());
        assert_batches_are_singles(&on_kernel(target, isa), own, &|| format!("{isa}, {name}"));
    });
    let filter = Filter::ALL;
    let first = on_kernel(target, isas[0]);
    let (closest, all) = (first.closest_batch(rays, &filter), first.all_hits_batch(rays, &filter));
    let occluded = first.occluded_batch(rays, &filter);
    for (i, ray) in rays.iter().enumerate() {
        assert_eq!(closest[i].as_ref(), all.get(i).first(), "{name}: {ray:?}");
        assert_eq!(closest[i].is_some(), occluded[i], "{name}: {ray:?}");
    }
    for &isa in &isas[1..] {
        let other = on_kernel(target, isa);
        let others = other.all_hits_batch(rays, &filter);
        for (i, ray) in rays.iter().enumerate() {
            assert_eq!(all_bits(others.get(i)), all_bits(all.get(i)), "{isa}, {name}: {ray:?}");
        }
        assert!(other.closest_batch(rays, &filter) == closest, "{isa}, {name}: closest");
        assert!(other.occluded_batch(rays, &filter) == occluded, "{isa}, {name}: occluded");
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
