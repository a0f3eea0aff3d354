//! `sight`: whether one point can be seen from another.

mod pairs;

use clap::builder::StringValueParser;
use hitscan::glam::DVec3;
use hitscan::{Filter, Ray, SignedAxis};
use serde::Serialize;

use super::batch::FileArgs;
use crate::aim;
use crate::args::{AXES, Common, FORMATS, GivenPoints, Points, SceneArg, check_height, words};
use crate::failure::Failure;
use crate::number::metres;
use crate::output::{STANDARD_STREAM, print};
use crate::report::{self, HitRecord};
use crate::scene::Loaded;
use crate::sightline::hit_between;
use pairs::{Lists, Pairs};

/// Options of `sight`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hitscan sight builtin:sphere --from 0,0,5 --to 0,0,-5
  hitscan sight town.glb --from -3,1.7,0 --to 40,1.7,2 --json
  hitscan sight town.glb --from guards.csv --to doors.csv --pairs all
  hitscan sight hills.tif --from 431250,5811902,96 --to masts.csv --to-height 30

Both ends belong to the line. Whether a surface that one lies on exactly is in the way, rounding decides: let both \
stand above, by --from-height and --to-height. The exit status is 0 either way.

A file of points has the columns x,y,z in any order, others are ignored. zip takes the first of one list with \
the first of the other, and so on; all takes each of --from with each of --to, in the order of a matrix with a \
row for each of --from. One point goes with every point of the other list. The answer has one row for each pair: \
from,to,visible,t,x,y,z,distance,mesh,instance,prim, where from and to count from 0 and what follows visible is \
the first thing in the way. The points are kept in memory, the answers are not. In files, a point sees itself, \
wherever it is; as --from and --to, one point twice is refused.")]
pub struct Args {
    #[command(flatten)]
    scene: SceneArg,
    /// The eye; or a file of them (.csv .jsonl .npy .parquet), or - for standard
    /// input
    #[arg(long, value_name = "X,Y,Z|FILE", allow_hyphen_values = true)]
    from: GivenPoints,
    /// What it looks at, in the same forms
    #[arg(long, value_name = "X,Y,Z|FILE", allow_hyphen_values = true)]
    to: GivenPoints,
    /// Of two lists, which points are looked at from which: zip or all [default: zip]
    #[arg(long, value_name = "zip|all", hide_possible_values = true)]
    pairs: Option<Pairs>,
    /// So much higher stands the eye than --from says
    #[arg(long, value_name = "H", default_value = "0", hide_default_value = true)]
    #[arg(allow_hyphen_values = true, value_parser = crate::args::number)]
    from_height: f64,
    /// So much higher stands the target than --to says
    #[arg(long, value_name = "H", default_value = "0", hide_default_value = true)]
    #[arg(allow_hyphen_values = true, value_parser = crate::args::number)]
    to_height: f64,
    /// Which way is up: +X, -X, +Y, -Y, +Z or -Z [default: +Z for a GeoTIFF, else +Y]
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true, hide_possible_values = true)]
    #[arg(value_parser = words(str::parse::<SignedAxis>, AXES))]
    up: Option<SignedAxis>,
    /// csv, jsonl, json, npy or parquet of many pairs [default: by the name of the output, else csv]
    #[arg(long, value_name = "FORMAT", conflicts_with = "json", hide_possible_values = true)]
    #[arg(value_parser = words(StringValueParser::new(), &FORMATS[1..]))]
    format: Option<String>,
    /// Every digit, as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    files: FileArgs,
}

impl Args {
    /// How far the eye and the target are lifted.
    fn lifts(&self, loaded: &Loaded) -> [DVec3; 2] {
        let up = self.up.unwrap_or(loaded.up_axis()).vector();
        [self.from_height, self.to_height].map(|height| up * height)
    }
}

/// Answers.
pub fn run(args: &Args, common: Common) -> Result<(), Failure> {
    let has_format = args.files.input_format.is_some();
    check_height("--from-height", args.from_height)?;
    check_height("--to-height", args.to_height)?;
    let ends = [args.from.points("--from", has_format)?, args.to.points("--to", has_format)?];
    if let [Points::One(from), Points::One(to)] = ends {
        return one(args, from, to);
    }
    let [from, to] = ends.each_ref().map(name);
    if [&args.scene.scene, from, to].iter().filter(|input| **input == STANDARD_STREAM).count() > 1 {
        let option = if to == STANDARD_STREAM { "--to" } else { "--from" };
        let what = "standard input is another input already; expected a file for one of them";
        return Err(Failure::usage(option, what));
    }
    Lists::open(args, &ends)?.answer(args, common)
}

/// The file of some points; nothing of one point.
fn name(points: &Points) -> &str {
    match points {
        Points::One(_) => "",
        Points::File(name) => name,
    }
}

/// The answer for one pair.
fn one(args: &Args, from: DVec3, to: DVec3) -> Result<(), Failure> {
    let given = [("--pairs", args.pairs.is_some()), ("--format", args.format.is_some())];
    let given = given.into_iter().find_map(|(option, given)| given.then_some(option));
    if let Some(option) = args.files.given().or(given) {
        let what = "it concerns files of points; expected one as --from or --to with it";
        return Err(Failure::usage(option, what));
    }
    let between = |from: DVec3, to: DVec3| Ray::sight(from, to).map_err(|error| aim::failure(error, "--to"));
    let is_lifted = args.from_height != 0.0 || args.to_height != 0.0;
    if !is_lifted {
        // What is wrong with the points is told before anybody waits.
        between(from, to)?;
    }
    let loaded = Loaded::open(&args.scene)?;
    let [lift_from, lift_to] = args.lifts(&loaded);
    let (from, to) = (from + lift_from, to + lift_to);
    let ray = between(from, to)?;
    let hit = loaded.scene.closest(&ray, &Filter::ALL).map(|hit| hit_between(&ray, hit));
    if args.json {
        #[derive(Serialize)]
        struct Answer<'a> {
            visible: bool,
            blocked_by: Option<HitRecord<'a>>,
        }
        let blocked_by = hit.as_ref().map(|hit| HitRecord::new(&loaded, hit, None));
        return report::json(&Answer { visible: hit.is_none(), blocked_by });
    }
    match hit {
        None => print(&format!("visible: {} of free sight\n", metres(from.distance(to)))),
        Some(hit) => print(&format!(
            "blocked by {} at {}, {} from the eye, {} before the target\n",
            crate::table::printable(&loaded.object(hit.instance)),
            loaded.place(hit.instance, hit.position),
            metres(hit.distance),
            metres(to.distance(hit.position)),
        )),
    }
}
