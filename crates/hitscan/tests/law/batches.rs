//! Batches of more rays than one task takes, on one thread and on several.

use hitscan_oracle::meshes::{all_open, all_solids};
use hitscan_oracle::rays::{KINDS, Shooter};
use hitscan_oracle::{Rng, rng};

use crate::compare::assert_batches_are_singles;
use crate::support::{kernels, mesh, on_kernel, ray};

/// A task takes 1024 rays; this is no multiple of it.
const RAYS: usize = 2 * 1024 + 77;

#[test]
fn large_batches_are_singles_on_any_number_of_threads() {
    let mut rng = Rng::new(rng::seed(1201));
    let meshes = [all_solids().swap_remove(0).mesh, all_open(&mut rng).swap_remove(1)];
    for oracle_mesh in meshes {
        let shooter = Shooter::new(&oracle_mesh);
        let rays: Vec<_> = (0..RAYS).map(|i| ray(&shooter.ray(KINDS[i % KINDS.len()], &mut rng))).collect();
        for isa in kernels() {
            let built = on_kernel(&mesh(&oracle_mesh), isa);
            for threads in [1, 3] {
                let context = || format!("{isa}, {threads} threads, {}", oracle_mesh.name);
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                pool.install(|| assert_batches_are_singles(&built, &rays, &context));
            }
        }
    }
}
