//! `build`: a scene with its trees as one file.

use std::path::Path;
use std::time::Instant;

use hitscan::Preset;
use hitscan::saved::SaveError;
use hitscan_io::{Options, Parts};

use crate::args::{Common, SceneArg, words};
use crate::failure::{Failure, tell};
use crate::number::{bytes, count};
use crate::output::{Output, STANDARD_STREAM, print, refuse_other_formats};
use crate::scene::{refuse_trust, standard_input};
use crate::table::Table;

/// Options of `build`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hitscan build town.glb -o town.hitscan
  hitscan cast town.hitscan --rays rays.csv -o hits.csv
  hitscan build survey.tif -o survey.hitscan --preset best
  hitscan build builtin:atrium:1M -o - | ssh farm 'cat > atrium.hitscan'

Every command takes the file as SCENE and answers as it does for the scene \
itself, without reading its formats and building its trees again. The file is \
checked whole before it is used; --trust takes it as it is, and reads what is \
needed when it is needed. Skins and animations are left out.

docs/saved.md has the format.")]
pub struct Args {
    #[command(flatten)]
    scene: SceneArg,
    /// Write to FILE, complete or not at all; - for standard output
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    #[arg(value_parser = crate::args::file_name)]
    output: String,
    /// fast, balanced or best: how much time a build takes for how fast rays;
    /// compact: a quarter of the tree's memory for slower rays
    #[arg(long, value_name = "PRESET", default_value = "balanced", hide_possible_values = true)]
    #[arg(value_parser = words(preset, &["fast", "balanced", "best", "compact"]))]
    preset: Preset,
    /// Refuse to replace a file that exists
    #[arg(long)]
    no_clobber: bool,
}

/// A preset by its name.
fn preset(text: &str) -> Result<Preset, String> {
    let known = Preset::ALL.iter().copied().find(|preset| preset.name() == text);
    known.ok_or_else(|| format!("'{text}' is no preset; expected fast, balanced, best or compact"))
}

/// Builds and writes.
pub fn run(args: &Args, common: Common) -> Result<(), Failure> {
    let name = args.scene.scene.as_str();
    refuse_saved(hitscan_io::is_saved(name), name)?;
    refuse_trust(name, args.scene.reading)?;
    let mut output = Output::create(Some(&args.output), &[name], !args.no_clobber)?;
    let what = "scenes are saved as hitscan; expected a name that ends in .hitscan";
    refuse_other_formats(&args.output, "hitscan", what)?;
    // Without an extension, no command would know it again.
    if output.makes_file() && Path::new(&args.output).extension().is_none() {
        return Err(Failure::usage(&args.output, what));
    }

    let (parts, load) = timed(|| load(args))?;
    output.spare(&parts.files)?;
    let (model, build) =
        timed(|| Ok(parts.build(Path::new(name), &Options { preset: args.preset, ..Options::new() })?))?;
    let triangles = model.triangles();
    let saved = model.to_saved().map_err(|error| Failure::new(name, error))?;
    let place = output.place().to_owned();
    let mut counted = Counted { out: output.sink(), count: 0 };
    let (_, write) = timed(|| {
        let refused = |error| match error {
            SaveError::Io(error) => Failure::writing(&place, &error),
            error => Failure::new(&place, error),
        };
        saved.write(&mut counted).map_err(refused)
    })?;
    let written = counted.count;
    let (_, settle) = timed(|| output.settle())?;
    output.finish()?;

    if !common.quiet {
        let seconds = |seconds: f64| format!("{seconds:.2} s");
        let mut table = Table::new([">triangles", ">bytes", ">load", ">build", ">write"]);
        let size = bytes(written);
        table.row([count(triangles), size, seconds(load), seconds(build), seconds(write + settle)]);
        if args.output == STANDARD_STREAM {
            tell(table.to_string().trim_end());
        } else {
            print(&table.to_string())?;
        }
    }
    Ok(())
}

/// The scene before its trees.
fn load(args: &Args) -> Result<Parts, Failure> {
    let SceneArg { scene, reading } = &args.scene;
    if scene != STANDARD_STREAM {
        return Ok(hitscan_io::draft(scene, &reading.options())?);
    }
    let input = standard_input()?;
    refuse_saved(hitscan::saved::recognises(&input), "standard input")?;
    Ok(hitscan_io::parse("standard input", input, &reading.options())?)
}

fn refuse_saved(is_saved: bool, name: &str) -> Result<(), Failure> {
    match is_saved {
        true => Err(Failure::new(name, "is a saved scene already; expected the file that it was built of")),
        false => Ok(()),
    }
}

/// What work gives, and how many seconds it took.
fn timed<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<(T, f64), Failure> {
    let start = Instant::now();
    let made = work()?;
    Ok((made, start.elapsed().as_secs_f64()))
}

/// Counts what is written.
struct Counted<W> {
    out: W,
    count: usize,
}

impl<W: std::io::Write> std::io::Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.count += written;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}
