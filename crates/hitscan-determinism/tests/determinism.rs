//! The stored hash, demanded of every way to the answers.
//!
//! A million rays each; ten million where `HITSCAN_LONG` is set, and ten thousand in debug builds and where `HITSCAN_SHORT` is.
//! Instruction sets that the machine does not have are named, and `HITSCAN_ISA` leaves one alone. Other processors are
//! asked by `cargo xtask determinism`.

use hitscan::{Isa, Preset};
use hitscan_determinism::{Calls, Path, Tree, report, stored};

fn rays() -> u64 {
    let is_set = |name: &str| std::env::var_os(name).is_some();
    let [short, usual, long] = stored::SIZES;
    match (is_set("HITSCAN_LONG"), cfg!(debug_assertions) || is_set("HITSCAN_SHORT")) {
        (true, _) => long,
        (false, true) => short,
        (false, false) => usual,
    }
}

/// Batches are answered on so many threads, whatever the machine has.
fn demand(path: &Path, threads: usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let found = pool.install(|| report(rays(), path)).to_string();
    assert_eq!(Some(found.as_str()), stored::of(rays()), "{path}, {threads} threads");
    eprintln!("{path}, {threads} threads: {} rays as stored", rays());
}

#[test]
fn every_instruction_set_single_and_batch() {
    let is_named = std::env::var_os("HITSCAN_ISA").is_some();
    for &isa in Isa::ALL.iter().filter(|&&isa| !is_named || isa == Isa::best()) {
        if isa.is_available() {
            Calls::ALL.into_iter().for_each(|calls| demand(&Path { isa, calls, ..Path::default() }, 2));
        } else {
            eprintln!("not shown: {isa}, which this machine does not have");
        }
    }
}

#[test]
fn every_preset_built_refitted_rebuilt_and_saved() {
    for &preset in Preset::ALL {
        Tree::ALL.into_iter().for_each(|tree| demand(&Path { preset, tree, ..Path::default() }, 2));
    }
}

#[test]
fn every_number_of_threads() {
    [1, 2, 3, 8].into_iter().for_each(|threads| demand(&Path::default(), threads));
}
