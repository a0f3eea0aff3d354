//! Holds moving and standing spheres, heightfields and instances against the peers that have them.
//!
//! `cargo run --release -p hitscan-bench --bin queries` asks ours and parry3d about sweeps and overlaps of spheres on meshes
//! and in worlds, ours and parry3d about rays on heightfields, ours, Embree and parry3d about rays on instances. Answers
//! are compared before the clock starts, and a run fails where they do not agree: a fast wrong answer is no answer.
//! `cargo xtask peers` fetches Embree; without it its rows are left out. `--help` lists the options.

mod contest;
mod crowd;
mod instances;
mod options;
mod report;
mod spheres;
mod terrain;
mod things;

use std::error::Error;
use std::process::ExitCode;

use hitscan::Isa;
use hitscan_bench::peers::Team;
use hitscan_bench::peers::embree::named;
use hitscan_bench::{document, program};

use contest::Bench;
use options::{Options, USAGE};

fn main() -> ExitCode {
    program::run("queries", USAGE, Options::parse(std::env::args().skip(1)), |options| {
        program::none_of(run(options)?, "rows whose answers do not agree")
    })
}

/// In how many rows the answers do not agree.
fn run(options: &Options) -> Result<usize, Box<dyn Error>> {
    let (embree, version) = named(options.embree.as_deref())?;
    let threads = std::thread::available_parallelism()?.get();
    let teams = [1, threads].map(Team::new).into_iter().collect::<Result<Vec<_>, _>>()?;
    let teams = if threads > 1 { &teams[..] } else { &teams[..1] };
    let arguments = options.arguments();
    let about = format!(
        "{}; kernel {}; {version}; `cargo run --release -p hitscan-bench --bin queries{arguments}`.",
        document::machine(threads),
        Isa::best()
    );
    eprintln!("{about}");

    let mut bench = Bench { options, rows: Vec::new() };
    spheres::hold(&mut bench, &teams[0])?;
    let memory = terrain::hold(&mut bench, teams)?;
    instances::hold(&mut bench, teams, embree)?;
    if bench.rows.is_empty() {
        return Err("nothing is measured; --row names rows as the table does".into());
    }

    let part = format!("{about}\n\n{}\n{}", report::table(&bench.rows), report::memory(&memory));
    println!("{part}");
    let wrong = bench.rows.iter().filter(|row| !row.agrees()).count();
    if options.document && wrong == 0 {
        document::replace(document::PERFORMANCE, "hitscan-bench queries", &part)?;
    }
    Ok(wrong)
}
