//! `bench --tests`: each intersection test alone, its time and its wrong answers; grids beside trees.

use std::time::Instant;

use hitscan::Isa;
use serde::Serialize;

use super::grid::{self, GridRow};
use super::inputs::Kind;
use super::measure::{self, Row};
use super::{points, solids, triangles};
use crate::failure::Failure;
use crate::number::{count, digits};
use crate::output::print;
use crate::report;
use crate::table::Table;

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
pub fn run(json: bool) -> Result<(), Failure> {
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
    if json {
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
