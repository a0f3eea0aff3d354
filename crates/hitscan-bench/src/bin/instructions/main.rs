//! Counts the instructions of a ray, ours and Embree's: unlike times, the same in every run, also beside other work.
//!
//! `cargo run --release -p hitscan-bench --bin instructions -- coffee.glb` asks as the benchmark does, inside Valgrind's callgrind, which
//! counts what happens in [`asked`] alone. Valgrind has no AVX-512, so both use AVX2.

mod options;
mod valgrind;

use std::error::Error;
use std::process::ExitCode;

use hitscan::Isa;
use hitscan_bench::forms::forms;
use hitscan_bench::peers::embree::{Scenes, named};
use hitscan_bench::peers::ours::Ours;
use hitscan_bench::peers::{Rival, Session};
use hitscan_bench::rays::{Workload, record};
use hitscan_bench::scenes::{file, open};
use hitscan_bench::{markdown, program};

use options::{Options, USAGE};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let options = Options::parse(arguments.iter().cloned());
    program::run("instructions", USAGE, options, |options| {
        if options.inside { ask(options) } else { count(&arguments) }
    })
}

/// Runs this program again where it is counted, and prints a table of what it says and what was counted.
fn count(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let (rows, counts) = valgrind::run(arguments)?;
    if rows.is_empty() {
        return Err("nothing is counted; --load and --form name rays and forms as the tables do".into());
    }
    let mut table = vec![["rays", "form", "who", "instructions a ray"].map(str::to_owned).to_vec()];
    for (row, count) in rows.iter().zip(counts) {
        let mut cells: Vec<String> = row.split('\t').map(str::to_owned).collect();
        let rays: f64 = cells.pop().unwrap_or_default().parse()?;
        cells.push(format!("{:.0}", count as f64 / rays));
        table.push(cells);
    }
    println!("{}", markdown::table(&table));
    Ok(())
}

/// Asks everybody, and says so, a line for each call of [`asked`].
fn ask(options: &Options) -> Result<(), Box<dyn Error>> {
    let scene = open(options.scene, &file(options.scene))?;
    let isa = Isa::best();
    let (library, version) = named(None)?;
    let ours = Ours(scene.mesh.clone());
    let embree = library.map(|library| Scenes::new(library, &scene.mesh, Some(isa))).transpose()?;
    eprintln!("{}: kernel {isa}; {version}", scene.name);
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    for load in Workload::ALL.into_iter().filter(|load| load.name().contains(&options.load)) {
        let rays = record(load, &scene, options.side);
        if rays.is_empty() {
            eprintln!("{}: no rays for {}, skipped", scene.name, load.name());
            continue;
        }
        for form in forms(load, true).into_iter().filter(|form| form.name().contains(&options.form)) {
            let mut rivals = vec![Rival { name: "hitscan", session: ours.session(&rays, form) }];
            rivals.extend(embree.iter().flat_map(|embree| embree.rivals(&rays, form)));
            for Rival { name, mut session } in rivals {
                alone.install(|| {
                    // Once so that all memory is there.
                    session.run();
                    session.reset();
                    asked(&mut *session);
                });
                println!("{}\t{}\t{name}\t{}", load.name(), form.name(), rays.len());
            }
        }
    }
    Ok(())
}

/// What is counted.
#[inline(never)]
fn asked(session: &mut dyn Session) {
    session.run();
}
