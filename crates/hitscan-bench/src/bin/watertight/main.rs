//! Looks for leaks of closed meshes: ours, and those of the peers, by the same rays.
//!
//! `cargo run --release -p hitscan-bench --bin watertight` aims the oracle's suite at the built-in solids and the closed scans of
//! `../shared/scenes`, and at the seams between solids side by side, and counts the rays from inside that miss and the lines
//! whose signed crossings do not add up. It fails where ours is one of them. `cargo xtask peers` fetches Embree; without it
//! its columns are left out. `--help` lists the options.

mod engines;
mod options;
mod report;
mod subjects;
mod tally;

use std::error::Error;
use std::process::ExitCode;

use hitscan_bench::peers::embree::named;
use hitscan_bench::{document, program};
use hitscan_oracle::Rng;

use options::{Options, USAGE};
use tally::Row;

fn main() -> ExitCode {
    program::run("watertight", USAGE, Options::parse(std::env::args().skip(1)), |options| {
        program::none_of(run(options)?, "faults of ours")
    })
}

/// How many faults are ours.
fn run(options: &Options) -> Result<u64, Box<dyn Error>> {
    let (embree, version) = named(options.embree.as_deref())?;
    let threads = std::thread::available_parallelism()?.get();
    let quick = if options.quick { " -- --quick" } else { "" };
    let about = format!(
        "{}; kernel {}; {version}, parry3d 0.31; `cargo run --release -p hitscan-bench --bin watertight{quick}`.",
        document::machine(threads),
        hitscan::Isa::best()
    );
    eprintln!("{about}");

    let mut rng = Rng::new(1311);
    let mut rows: Vec<Row> = Vec::new();
    for subject in subjects::all()? {
        let row = tally::of_meshes(&subject, embree, options.step(), &mut rng)?;
        eprintln!("{}", report::line(&row));
        rows.push(row);
    }
    let row = tally::of_seams(embree, 500_000 / options.step(), &mut rng)?;
    eprintln!("{}", report::line(&row));
    rows.push(row);

    let part = format!("{about}\n\n{}", report::table(&rows));
    println!("{part}");
    let faults = rows.iter().map(Row::ours).sum();
    if options.document && faults == 0 {
        document::replace(document::RELIABILITY, "hitscan-bench watertight", &part)?;
    }
    Ok(faults)
}
