//! `bench`: how fast and how right the answers of this machine are.

mod grid;
mod inputs;
mod measure;
mod points;
mod solids;
mod triangles;

use std::time::Instant;

use hitscan::Isa;
use serde::Serialize;

use crate::failure::Failure;
use crate::number::{count, digits};
use crate::output::print;
use crate::report;
use crate::table::Table;
use grid::GridRow;
use inputs::Kind;
use measure::Row;

/// Options of `bench`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hitscan bench --tests
  hitscan bench --tests --json > tests.json

A test is one ray, or one point, and one shape. Nanoseconds are those of the \
best of many alternating rounds, on the random inputs, half of which are hits. \
\"ns\": each test waits for the answer of the one before, as where a program \
asks and then decides; \"8\" and \"16\": so many that do not wait for each \
other, the time of each, as lanes where the algorithm has them, else one after \
the other. A wrong answer is a hit where exact arithmetic says miss, or the \
reverse, counted per million. Inputs come from a fixed seed and are the same \
everywhere:

  random    rays through a shape or beside it, half of them each
  edges     aimed at an edge or a silhouette, within the rounding of f64
  grazing   almost within the triangle's plane; exactly along a face, as f64
            rounds it; a tangent from far away
  slivers   triangles, boxes and hulls 1e-9 thin, aimed at
  far       as edges, a million sizes away from the origin of coordinates;
            coordinates are coarse there, and what they say is the truth

Lanes of f32 round the coordinates first, and so does the watertight recipe, \
the one of scenes; their wrong answers are held against the f64 coordinates. \
That recipe also gives an edge to one of the two triangles that share it, \
which counts as a wrong answer here: the truth is the closed triangle.

At the end, meshes in a grid beside meshes in a tree: what each takes to build \
and to keep, and the time of a question; their answers are the same.")]
pub struct Args {
    /// Each intersection test alone: its time and its wrong answers; the grid
    #[arg(long, required = true)]
    tests: bool,
    /// Every digit, as JSON
    #[arg(long)]
    json: bool,
}

/// What was measured, as JSON tells it.
#[derive(Debug, Serialize)]
struct Report {
    instruction_set: &'static str,
    architecture: &'static str,
    seed: u64,
    /// Of each kind, for each pair.
    inputs: usize,
    tests: Vec<Row>,
    grids: Vec<GridRow>,
}

/// Decides which inputs are made.
const SEED: u64 = 4;

/// Measures and prints.
pub fn run(args: &Args) -> Result<(), Failure> {
    let began = Instant::now();
    let tests =
        [triangles::rows(SEED), solids::rows(SEED), points::rows(SEED)].into_iter().flatten().collect();
    let report = Report {
        instruction_set: Isa::best().name(),
        architecture: std::env::consts::ARCH,
        seed: SEED,
        inputs: measure::GROUPS * measure::LANES,
        tests,
        grids: grid::rows(SEED)?,
    };
    if args.json {
        return report::json(&report);
    }
    let seconds = digits(began.elapsed().as_secs_f64());
    print(&format!("{}\n{}\nmeasured in {seconds} s\n", text(&report), grid::text(&report.grids)))
}

fn text(report: &Report) -> String {
    let kinds = Kind::ALL.map(|kind| format!(">{}", kind.name()));
    let columns = ["pair", "algorithm", ">ns", ">8, ns", ">16, ns"].map(String::from);
    let mut table = Table::new(columns.into_iter().chain(kinds));
    for row in &report.tests {
        let cell = |x: &Option<f64>, write: fn(f64) -> String| x.map_or("-".to_owned(), write);
        let times = [row.ns, row.ns_of_8, row.ns_of_16];
        let times = times.iter().map(|ns| cell(ns, |ns| format!("{ns:.1}")));
        let wrong = row.wrong_per_million.iter().map(|wrong| cell(wrong, |x| count(x.round() as usize)));
        let names = [row.pair, row.algorithm].map(String::from);
        table.row(names.into_iter().chain(times).chain(wrong));
    }
    format!(
        "instruction set {} ({}); ns a test, and wrong answers in a million of {} inputs of each kind\n\n{table}",
        report.instruction_set,
        report.architecture,
        count(report.inputs),
    )
}
