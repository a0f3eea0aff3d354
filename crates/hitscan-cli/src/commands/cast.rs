//! `cast`: what a ray hits, or each ray of a file.

use clap::builder::StringValueParser;
use hitscan::{Filter, Ray};

use super::batch;
use crate::aim;
use crate::args::{self, Common, FORMATS, Format, Mode, SceneArg, Vector, words};
use crate::failure::Failure;
use crate::rays::answers::Asked;
use crate::rays::format::Format as FileFormat;
use crate::report;
use crate::scene::Loaded;

/// Options of `cast`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hitscan cast builtin:sphere --from 0,0,5 --dir 0,0,-1
  hitscan cast part.glb --from -1,2,-3 --to 4,0,0 --json
  hitscan cast part.glb --rays rays.csv -o hits.csv --keep id

A ray file has the columns ox,oy,oz,dx,dy,dz and perhaps t_min,t_max, in any order, others are ignored.
NPY is read as structures with these fields, or as 6 or 8 columns. A limit that is empty or null is none; in JSON Lines it may be \"inf\" too.
An answer in NPY has NaN or -1 where it has no value, t is inf for a miss, and facing 0 for the front and 1 for the back.
The distance to a hit is t times the length of the direction. With --to, t is 1 at the end.
Intervals are the pieces of a ray inside of solids, each of one material of one instance, with their thickness;
a surface without a solid behind it has a thickness of 0.")]
#[command(group(clap::ArgGroup::new("question").required(true).args(["from", "rays"])))]
#[command(group(clap::ArgGroup::new("aim").args(["to", "dir"])))]
pub struct Args {
    #[command(flatten)]
    scene: SceneArg,
    /// Where one ray begins
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, requires = "aim")]
    from: Option<Vector>,
    /// Where it ends
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, requires = "from")]
    to: Option<Vector>,
    /// Its direction, of any length; it goes on without end
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, requires = "from")]
    dir: Option<Vector>,
    /// table, csv, json or jsonl of one ray [default: table]; csv, jsonl, json, npy or parquet of a file of them
    /// [default: by the name of the output, else csv]
    #[arg(long, value_name = "FORMAT", conflicts_with = "json", hide_possible_values = true)]
    #[arg(value_parser = words(StringValueParser::new(), FORMATS))]
    format: Option<String>,
    /// The same as --format json
    #[arg(long)]
    json: bool,
    /// closest, occluded, all, first:N or intervals [default: all of one ray, closest of a file]
    #[arg(long, value_name = "MODE", hide_possible_values = true)]
    #[arg(value_parser = words(str::parse::<Mode>, &["closest", "occluded", "all", "intervals"]))]
    mode: Option<Mode>,
    /// A file of rays (.csv .jsonl .npy .parquet), or - for standard input
    #[arg(long, value_name = "FILE", help_heading = "Batch")]
    #[arg(value_parser = crate::args::file_name)]
    rays: Option<String>,
    #[command(flatten)]
    batch: batch::Args,
}

/// Answers.
pub fn run(args: &Args, common: Common) -> Result<(), Failure> {
    let format = if args.json { Some("json") } else { args.format.as_deref() };
    let not_known = |error| Failure::usage("--format", error);
    if let Some(name) = &args.rays {
        // That they need --from is not asked where that may not be there.
        for (option, is_given) in [("--to", args.to.is_some()), ("--dir", args.dir.is_some())] {
            if is_given {
                return Err(Failure::usage(option, "it aims one ray; expected --from with it, not --rays"));
            }
        }
        let format = format.map(|format| FileFormat::named(format, &FileFormat::ALL)).transpose();
        let mode = args.mode.unwrap_or(Mode::Closest);
        let format = format.map_err(not_known)?;
        let input = batch::FileOption { option: "--rays", name };
        let batch = batch::Batch::open(input, Asked::Hits(mode), format, &args.batch, &args.scene.scene)?;
        return batch.run(&Loaded::open(&args.scene)?, common);
    }
    if let Some(option) = args.batch.given() {
        return Err(Failure::usage(option, "it concerns a file of rays; expected --rays with it"));
    }
    let format = format.map_or(Ok(Format::Table), args::format).map_err(not_known)?;
    let (ray, words) = ray(args)?;
    let question = report::Question { ray: &ray, words: &words };
    let loaded = Loaded::open(&args.scene)?;
    match args.mode.unwrap_or(Mode::All) {
        Mode::All => report::hits(&loaded, question, &loaded.scene.all_hits(&ray, &Filter::ALL), format),
        Mode::First(n) => {
            report::hits(&loaded, question, &loaded.scene.first_n(&ray, &Filter::ALL, n), format)
        }
        Mode::Closest => {
            let hit = loaded.scene.closest(&ray, &Filter::ALL);
            report::closest(&loaded, question, hit.as_ref(), format)
        }
        Mode::Occluded => report::occluded(loaded.scene.occluded(&ray, &Filter::ALL), format),
        Mode::Intervals => {
            report::intervals(&loaded, question, &loaded.scene.intervals(&ray, &Filter::ALL), format)
        }
    }
}

/// The ray, and the same in words.
fn ray(args: &Args) -> Result<(Ray, String), Failure> {
    let expected = "expected --from with --to or --dir";
    let from =
        args.from.ok_or_else(|| Failure::usage("--from", format_args!("it is missing; {expected}")))?.0;
    let ray = aim::ray(from, args.to, args.dir, expected)?;
    Ok((ray, aim::told(from, args.to, args.dir)))
}
