//! Holds our queries and builds against Embree and against what Rust users have, on recorded rays with stated hits.
//!
//! `cargo run --release -p hitscan-bench` measures everything, replaces the tables of docs/performance.md and the picture
//! beside them, and fails where a count of hits differs from the stated one: a fast wrong answer is no answer.
//! `cargo xtask peers` fetches Embree; without it its columns stay empty. `--scaling` measures one scene in sizes from 1 k to
//! 30 M triangles instead. `--help` lists the options.

mod agree;
mod bench;
mod counts;
mod options;
mod report;
mod rows;
mod scaling;

use std::error::Error;
use std::process::ExitCode;

use hitscan::Isa;
use hitscan_bench::scenes::{SCENES, load};
use hitscan_bench::{document, program};

use bench::Bench;
use hitscan_bench::peers::Team;
use hitscan_bench::peers::embree::named;
use options::{Options, USAGE};
use report::{csv, plot, summary, table};
use rows::Rows;

fn main() -> ExitCode {
    program::run("hitscan-bench", USAGE, Options::parse(std::env::args().skip(1)), |options| {
        program::none_of(run(options)?, "rows do not have their stated count of hits")
    })
}

/// How many rows have a wrong count.
fn run(options: &Options) -> Result<usize, Box<dyn Error>> {
    if options.count {
        for scene in SCENES.iter().filter(|name| name.contains(&options.scene)) {
            match load(scene)? {
                Some(scene) => bench::count(&scene, options),
                None => eprintln!("{scene}: skipped, its file is not there"),
            }
        }
        return Ok(0);
    }
    let isa = options.forced.unwrap_or(Isa::best());
    let (embree, version) = named(options.embree.as_deref())?;
    let threads = std::thread::available_parallelism()?.get();
    let teams = [1, threads].map(Team::new).into_iter().collect::<Result<Vec<_>, _>>()?;
    let teams = if threads > 1 { &teams[..] } else { &teams[..1] };
    let forced = if options.forced.is_some() { ", AVX2 forced on both" } else { "" };
    let about = format!("{}; kernel {isa}; {version}{forced}", document::machine(threads));
    eprintln!("{about}");

    if options.scaling {
        scaling::run(options, embree, &teams[0], &teams[teams.len() - 1], &about)?;
        return Ok(0);
    }
    let bench = Bench { options, embree, teams };
    let (mut rows, mut wrong, mut scenes) = (Rows::default(), 0, Vec::new());
    for &name in SCENES.iter().filter(|name| name.contains(&options.scene)) {
        match load(name)? {
            Some(scene) => {
                scenes.push(name);
                wrong += bench.scene(&scene, &mut rows)?;
            }
            None => eprintln!("{name}: skipped, its file is not there"),
        }
    }
    let lines = summary::lines(&rows, &scenes);
    println!("{about}\n\n{}\n{}", table::summary(&lines, &scenes), table::builds(&rows));
    publish(options, &about, &rows, &lines, &scenes, wrong == 0)?;
    Ok(wrong)
}

/// Writes the tables, the picture and all numbers into the target folder; a whole run with the stated counts also
/// replaces the part of the documents that shows them.
fn publish(
    options: &Options,
    about: &str,
    rows: &Rows,
    lines: &[summary::Line],
    scenes: &[&'static str],
    right: bool,
) -> Result<(), Box<dyn Error>> {
    let (name, figure, mut arguments) = match options.forced {
        None => ("hitscan-bench", "embree.svg", String::new()),
        Some(_) => ("hitscan-bench avx2", "embree-avx2.svg", " --avx2".to_owned()),
    };
    if let Some(pairs) = options.pairs {
        arguments += &format!(" --pairs {pairs}");
    }
    let dashes = if arguments.is_empty() { "" } else { " --" };
    let title = "Our rate over that of Embree's best mode, by form and scene";
    let svg = plot::svg(title, lines, scenes);
    let part = format!(
        "{about}; `cargo run --release -p hitscan-bench{dashes}{arguments}`.\n\n{}\n![{title}](figures/{figure})\n\n{}\n{}",
        table::summary(lines, scenes),
        table::queries(rows),
        table::builds(rows)
    );
    for (extension, text) in [("md", &part), ("svg", &svg), ("csv", &csv::text(rows))] {
        let path = options.out.join("hitscan-bench").with_extension(extension);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    if options.is_whole() && right {
        document::figure(figure, &svg)?;
        document::replace(document::PERFORMANCE, name, &part)?;
    }
    Ok(())
}
