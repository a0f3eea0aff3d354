//! Counts the work of rays instead of timing it: nodes, boxes, leaves, triangles and pops a ray, for any tree and any rays.
//!
//! `cargo run --release -p hitscan-bench --bin count` counts a few kinds of rays on every scene of the benchmark; arguments
//! choose another scene, other rays and other questions, and `--help` lists them. The counts are the same on every
//! machine with the same kernel, busy or not.

mod file;
mod options;
mod report;
mod totals;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use hitscan::Ray;
use hitscan_bench::rays::{Workload, record};
use hitscan_bench::scenes::{Loaded, SCENES, load, open};
use hitscan_bench::{document, program};

use options::{Options, USAGE};
use report::{Row, Tree};
use totals::{Query, Totals};

fn main() -> ExitCode {
    program::run("count", USAGE, Options::parse(std::env::args().skip(1)), run)
}

fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let file = match &options.rays {
        Some(path) => Some((path.display().to_string(), file::read(path)?)),
        None => None,
    };
    let (mut trees, mut rows) = (Vec::new(), Vec::new());
    for loaded in scenes(options)? {
        trees.push(Tree { scene: loaded.name, stats: loaded.mesh.stats() });
        match &file {
            Some((name, rays)) => {
                let wanted = Query::ALL.into_iter().filter(|query| query.name().contains(&options.form));
                rows.extend(wanted.map(|query| row(&loaded, name, query, rays, options.placed)));
            }
            None => made(&loaded, options, &mut rows),
        }
    }
    if rows.is_empty() {
        return Err("nothing is counted; --load and --form name rays and questions as the tables do".into());
    }
    let counts = report::counts(&rows);
    println!("{}\n{}", report::trees(&trees), counts);
    if let Some(path) = &options.csv {
        std::fs::write(path, report::csv(&rows)).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    if options.document {
        let isa = hitscan::Isa::best();
        let part = format!("Kernel {isa}.\n\n{}\n{counts}", report::trees(&trees));
        document::replace(document::PERFORMANCE, "hitscan-bench count", &part)?;
    }
    Ok(())
}

/// The scenes that were asked for, or all of the benchmark that are there.
fn scenes(options: &Options) -> Result<Vec<Loaded>, Box<dyn Error>> {
    if options.scenes.is_empty() {
        let mut all = Vec::new();
        for name in SCENES {
            match load(name)? {
                Some(loaded) => all.push(loaded),
                None => eprintln!("{name}: skipped, its file is not there"),
            }
        }
        return Ok(all);
    }
    let named = |name: &'static str| match SCENES.contains(&name) && !Path::new(name).exists() {
        true => load(name)?.ok_or_else(|| format!("{name}: its file is not there").into()),
        false => open(name, Path::new(name)),
    };
    options.scenes.iter().map(|&name| named(name)).collect()
}

/// The rows of rays by code.
fn made(loaded: &Loaded, options: &Options, rows: &mut Vec<Row>) {
    for load in Workload::ALL {
        let queries: Vec<Query> =
            Query::ALL.into_iter().filter(|&query| options.wants(load, query)).collect();
        if queries.is_empty() {
            continue;
        }
        let rays = record(load, loaded, options.side);
        if rays.is_empty() {
            eprintln!("{}: no rays for {}, skipped", loaded.name, load.name());
        } else {
            let row = |query| row(loaded, load.name(), query, &rays, options.placed);
            rows.extend(queries.into_iter().map(row));
        }
    }
}

fn row(loaded: &Loaded, load: &str, query: Query, rays: &[Ray], placed: bool) -> Row {
    let totals = match placed {
        true => Totals::of(&loaded.scene, query, rays),
        false => Totals::of(&loaded.mesh, query, rays),
    };
    Row { scene: loaded.name, load: load.to_owned(), query, totals }
}
