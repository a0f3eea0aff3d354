//! The command line: what is asked of which scene. Each command's own options live beside the command.

mod usage;
mod values;
mod words;

pub use usage::parse;
pub use values::{
    Format, GivenPoints, Mode, NEAR, Place, Places, Points, Size, Up, Vector, cell, check_height, file_name,
    format, number, pixel, place, places, relief, rule, rule_name, seconds,
};
pub use words::{AXES, FORMATS, words};

use clap::{Args, Parser, Subcommand};

use crate::commands::{
    bench, build, cast, check, completions, demo, explain, height, info, inside, man, pick, render, sight,
    viewshed,
};
use crate::number::exact;

const AFTER_HELP: &str = "\
Examples:
  hitscan demo                                      every kind of question once
  hitscan info part.glb                             what is in it, what to try
  hitscan cast part.glb --from 0,5,0 --dir 0,-1,0   every surface on a line
  hitscan cast part.glb --rays a.csv -o b.csv       a whole file of rays
  hitscan pick part.glb --at 640,360                what is under a pixel
  hitscan check part.glb --strict                   is the file sound?

Scene:
  FILE                   .gltf .glb .obj .stl .ply .off .hitscan, or a heightmap
                         .png .tif; - is the same bytes on standard input
  builtin:NAME[:SIZE]    builtin:range, or of any size, as in builtin:atrium:1M:
                         terrain, sphere, atrium, hairball, soup

Environment:
  NO_COLOR=1             no colours in messages and help
  HITSCAN_ISA=scalar     the kernel: scalar, neon, avx2, avx512; same answers

Exit status:
  0    done; misses and findings are answers too
  1    failed, with one line on standard error; check --strict found something
  2    the command line was not understood
  130  interrupted; nothing unfinished is left behind but for --resume

hitscan COMMAND --help and docs/cli.md tell more; hitscan man | man -l - too.";

/// What does this ray hit?
#[derive(Debug, Parser)]
#[command(name = "hitscan", version, after_help = AFTER_HELP, max_term_width = 80)]
#[command(subcommand_required = true, arg_required_else_help = true, disable_help_subcommand = true)]
#[command(subcommand_help_heading = "Commands", subcommand_value_name = "COMMAND")]
pub struct Cli {
    /// The question.
    #[command(subcommand)]
    pub command: Command,
    /// What every command understands.
    #[command(flatten)]
    pub common: Common,
}

/// What every command understands.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// Work on N threads [default: one a core]; the answers are the same
    #[arg(long, value_name = "N", global = true, display_order = 900, allow_hyphen_values = true)]
    #[arg(value_parser = values::threads)]
    pub threads: Option<usize>,
    /// No progress and no messages but errors
    #[arg(short, long, global = true, display_order = 901)]
    pub quiet: bool,
}

/// The questions.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The built-in shooting range: every question, answered and drawn
    Demo(demo::Args),
    /// What is in a scene, and commands to try on it
    Info(info::Args),
    /// What is wrong with a scene, and where
    Check(check::Args),
    /// What a ray hits, or each ray of a file
    Cast(cast::Args),
    /// The object under a pixel
    Pick(pick::Args),
    /// How high the ground is
    Height(height::Args),
    /// Whether one point sees another
    Sight(sight::Args),
    /// Which ground can be seen from a point
    Viewshed(viewshed::Args),
    /// Which solids a point lies in
    Inside(inside::Args),
    /// A picture of a scene
    Render(render::Args),
    /// Why a ray hits a triangle or misses it, by every algorithm
    Explain(explain::Args),
    /// A scene with its trees as one file, which opens at once
    Build(build::Args),
    /// How fast and how right this machine's answers are
    Bench(bench::Args),
    /// Completions of this command line for a shell
    Completions(completions::Args),
    /// The manual's pages
    Man(man::Args),
}

/// What a scene may be.
pub const SCENE_HELP: &str = "A scene's file, - for standard input, or builtin:NAME[:SIZE]";

/// The scene of commands that need one named.
#[derive(Args, Clone, Debug)]
pub struct SceneArg {
    /// As its user typed it.
    #[arg(value_name = "SCENE", help = SCENE_HELP, value_hint = clap::ValueHint::FilePath)]
    #[arg(value_parser = values::file_name)]
    pub scene: String,
    /// What its file may not say.
    #[command(flatten)]
    pub reading: Reading,
}

/// What a scene's file does not say: measures of a heightmap, and whether a saved scene is sound.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Reading {
    /// Use a .hitscan file as memory, hardly checked: nobody may change it
    #[arg(long, help_heading = "Saved scene")]
    trust: bool,
    /// Distance between neighbouring samples; a PNG needs it
    #[arg(long, value_name = "METRES", help_heading = "Heightmap", allow_hyphen_values = true)]
    #[arg(value_parser = values::cell)]
    cell: Option<f64>,
    /// Heights of black and of white; a PNG needs them
    #[arg(long, value_name = "LO,HI", help_heading = "Heightmap", allow_hyphen_values = true)]
    #[arg(value_parser = values::relief)]
    relief: Option<[f64; 2]>,
}

impl Reading {
    /// Of an output's own options.
    pub fn new(cell: Option<f64>, relief: Option<[f64; 2]>, trust: bool) -> Reading {
        Reading { trust, cell, relief }
    }

    /// Whether the user answers for a saved scene.
    pub fn trusts(self) -> bool {
        self.trust
    }

    /// Whether it says nothing of a heightmap.
    pub fn has_no_measures(self) -> bool {
        self.cell.is_none() && self.relief.is_none()
    }

    /// The options as a command line has them, in words.
    pub fn words(self) -> Vec<String> {
        let cell = self.cell.map(|cell| ["--cell".to_owned(), exact(cell)]);
        let relief =
            self.relief.map(|[low, high]| ["--relief".to_owned(), format!("{},{}", exact(low), exact(high))]);
        let trust = self.trust.then(|| "--trust".to_owned());
        [cell, relief].into_iter().flatten().flatten().chain(trust).collect()
    }

    /// The same for the reader.
    pub fn options(self) -> hitscan_io::Options<'static> {
        hitscan_io::Options { cell: self.cell, relief: self.relief, ..hitscan_io::Options::new() }
    }
}

/// How a single answer is written.
#[derive(Args, Clone, Copy, Debug)]
pub struct FormatArgs {
    /// table for people; csv, json, jsonl with every digit
    #[arg(long, value_name = "FORMAT", conflicts_with = "json", hide_possible_values = true)]
    #[arg(value_parser = words(values::format, &["table", "csv", "json", "jsonl"]))]
    pub format: Option<Format>,
    /// The same as --format json
    #[arg(long)]
    pub json: bool,
}

impl FormatArgs {
    /// The format asked for, a table by default.
    pub fn get(self) -> Format {
        if self.json { Format::Json } else { self.format.unwrap_or(Format::Table) }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }

    #[test]
    fn what_is_aligned_in_the_help_fits_a_terminal() {
        let hitscan = super::Cli::command();
        for command in hitscan.get_subcommands().chain([&hitscan]) {
            let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let long = notes.lines().find(|line| line.starts_with(' ') && line.chars().count() > 80);
            assert_eq!(long, None, "{}", command.get_name());
        }
    }
}
