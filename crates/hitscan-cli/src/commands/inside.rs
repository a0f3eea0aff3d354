//! `inside`: which solids a point lies in.

use clap::builder::StringValueParser;
use hitscan::glam::DVec3;
use hitscan::{InstanceId, Rule};
use serde::Serialize;

use super::batch::{self, FileOption};
use crate::args::{self, Common, FORMATS, Format, GivenPoints, Points, SceneArg, words};
use crate::failure::Failure;
use crate::number::{count, counted, given};
use crate::output::print;
use crate::rays::answers::{Answer, Asked};
use crate::rays::columns::Column;
use crate::rays::format::Format as FileFormat;
use crate::rays::points;
use crate::rays::write::csv;
use crate::report;
use crate::scene::Loaded;
use crate::solids::{Inside, Solids};
use crate::table::Table;

/// Options of `inside`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hitscan inside builtin:sphere --at 0.2,0.5,0
  hitscan inside house.glb --at 1,1.7,3 --rule winding --json
  hitscan inside part.stl --at points.csv --keep id -o inside.csv

A solid is one instance: a mesh where it stands. A point may lie in several; the innermost is that with the \
smallest box around it, at equal ones the first in the file. A point exactly on a surface is inside.

parity counts the surfaces above the point and is exact. It needs closed meshes; where one is open, it is \
refused and the gap is named. winding adds up how far the surface goes around the point, and is inside from one \
half on: for open meshes, overlaps and stray triangles, with windings that agree. It looks at every edge of a \
hole. By either rule a mesh holds no point outside of the box around it.

A file of points has the columns x,y,z in any order, others are ignored; NPY is read as structures with these \
fields, or as 3 columns. The answer has one row for each: point,inside,solids,mesh,instance, where solids says \
how many there are, and the last two name the innermost. With --invalid miss, a bad row is outside.")]
pub struct Args {
    #[command(flatten)]
    scene: SceneArg,
    /// The point; or a file of points (.csv .jsonl .npy .parquet), or - for standard
    /// input
    #[arg(long, value_name = "X,Y,Z|FILE", allow_hyphen_values = true)]
    at: GivenPoints,
    /// What inside means: parity or winding
    #[arg(long, value_name = "RULE", default_value = "parity", hide_possible_values = true)]
    #[arg(value_parser = words(args::rule, &["parity", "winding"]))]
    rule: Rule,
    /// table, csv, json or jsonl of one point [default: table]; csv, jsonl, json, npy or parquet of a file of them
    /// [default: by the name of the output, else csv]
    #[arg(long, value_name = "FORMAT", conflicts_with = "json", hide_possible_values = true)]
    #[arg(value_parser = words(StringValueParser::new(), FORMATS))]
    format: Option<String>,
    /// The same as --format json
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    batch: batch::Args,
}

/// Answers.
pub fn run(args: &Args, common: Common) -> Result<(), Failure> {
    let format = if args.json { Some("json") } else { args.format.as_deref() };
    let not_known = |error| Failure::usage("--format", error);
    let at = match &args.at.points("--at", args.batch.has_input_format())? {
        Points::One(at) => *at,
        Points::File(name) => {
            let format = format.map(|format| FileFormat::named(format, &FileFormat::ALL)).transpose();
            let format = format.map_err(not_known)?;
            let input = FileOption { option: "--at", name };
            let asked = Asked::Inside(args.rule);
            let batch = batch::Batch::open(input, asked, format, &args.batch, &args.scene.scene)?;
            return batch.run(&Loaded::open(&args.scene)?, common);
        }
    };
    if let Some(option) = args.batch.given() {
        return Err(Failure::usage(option, "it concerns a file of points; expected --at FILE with it"));
    }
    let format = format.map_or(Ok(Format::Table), args::format).map_err(not_known)?;
    points::check("--at", at)?;
    let loaded = Loaded::open(&args.scene)?;
    let solids = Solids::new(&loaded, args.rule)?;
    one(&loaded, &solids, at, args.rule, format)
}

/// The answer for one point.
fn one(loaded: &Loaded, solids: &Solids<'_>, at: DVec3, rule: Rule, format: Format) -> Result<(), Failure> {
    let around = solids.around(at);
    let place = |id: InstanceId| if solids.touches(id, at) { "surface" } else { "inside" };
    match format {
        Format::Table => print(&table(loaded, solids, at, &around, place)),
        Format::Csv => {
            let columns = Column::of(Asked::Inside(rule));
            let inside = Inside { solids: around.len(), innermost: around.first().copied() };
            let mut text = Vec::new();
            csv::header(columns, &[], &mut text);
            csv::row(columns.iter().map(|column| column.cell(0, Answer::Inside(inside), loaded)), &mut text);
            print(&String::from_utf8_lossy(&text))
        }
        Format::Json | Format::JsonLines => {
            let rule = args::rule_name(rule);
            let solids = around.iter().map(|&id| SolidRecord::new(loaded, id, place(id))).collect();
            let answer = Record { point: at.to_array(), rule, inside: !around.is_empty(), solids };
            if format == Format::Json { report::json(&answer) } else { print(&report::line(&answer)) }
        }
    }
}

/// The answer as JSON tells it.
#[derive(Serialize)]
struct Record<'a> {
    point: [f64; 3],
    rule: &'static str,
    inside: bool,
    /// The innermost first.
    solids: Vec<SolidRecord<'a>>,
}

#[derive(Serialize)]
struct SolidRecord<'a> {
    instance: u32,
    node_name: &'a str,
    mesh: usize,
    mesh_name: &'a str,
    /// `inside`, or `surface` for exactly on it.
    place: &'static str,
}

impl<'a> SolidRecord<'a> {
    fn new(loaded: &'a Loaded, id: InstanceId, place: &'static str) -> SolidRecord<'a> {
        SolidRecord {
            instance: id.slot(),
            node_name: &loaded.node(id).name,
            mesh: loaded.node(id).mesh,
            mesh_name: &loaded.mesh(id).name,
            place,
        }
    }
}

fn table(
    loaded: &Loaded,
    solids: &Solids<'_>,
    at: DVec3,
    around: &[InstanceId],
    place: impl Fn(InstanceId) -> &'static str,
) -> String {
    let all = solids.count();
    if around.is_empty() {
        let (at, all, extent) = (given(at), counted(all, "solid"), loaded.extent());
        return format!("outside: {at} is in none of {all}; the scene fills {extent}\n");
    }
    let mut table = Table::new([">#", "object", "place"]);
    for (i, &id) in around.iter().enumerate() {
        table.row([(i + 1).to_string(), loaded.object(id), place(id).to_owned()]);
    }
    let of = format!("{} of {}", count(around.len()), counted(all, "solid"));
    let order = if around.len() > 1 { ", the innermost first" } else { "" };
    format!("{table}inside: {} is in {of}{order}\n", given(at))
}
