//! The command line: what is asked of which scene. Each command's own options live beside the command.

mod usage;
mod values;

pub use usage::parse;
pub use values::{Axis, Format, Mode, Pair, Size, Up, Vector, format, ground, number, pixel};

use clap::{Args, Parser, Subcommand};

use crate::commands::{cast, check, demo, height, info, pick, render, sight};

const EXAMPLES: &str = "\
Examples:
  hitscan demo                                        every kind of question once, with pictures
  hitscan info part.glb                               what is in a file, and three commands to try
  hitscan cast part.glb --from 0,5,0 --dir 0,-1,0     every surface that a ray goes through
  hitscan cast part.glb --rays rays.csv -o hits.csv   a batch: columns ox,oy,oz,dx,dy,dz
  hitscan render part.glb -o part.png                 a picture, framed by itself

SCENE is a glTF, GLB or OBJ file, or builtin:range, builtin:terrain, builtin:sphere (builtin:sphere:100k).";

/// What does this ray hit?
#[derive(Debug, Parser)]
#[command(name = "hitscan", version, after_help = EXAMPLES)]
#[command(subcommand_required = true, arg_required_else_help = true, disable_help_subcommand = true)]
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
pub struct Common {
    /// Work on N threads instead of all cores; the answers are the same
    #[arg(long, value_name = "N", global = true, value_parser = values::threads)]
    pub threads: Option<usize>,
    /// No progress and no messages but errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// The questions.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The built-in shooting range: every kind of question once, a table of the answers, pictures of them
    Demo(demo::Args),
    /// Bounds, meshes, cameras, and three commands to try
    Info(info::Args),
    /// What is wrong with a scene and where; the tree's statistics
    Check(check::Args),
    /// What a ray hits, or each ray of a file
    Cast(cast::Args),
    /// The object under a pixel
    Pick(pick::Args),
    /// The height of the ground
    Height(height::Args),
    /// Whether one point can be seen from another
    Sight(sight::Args),
    /// A picture of a scene
    Render(render::Args),
}

/// The scene of commands that need one named.
#[derive(Args, Clone, Debug)]
pub struct SceneArg {
    /// As its user typed it.
    #[arg(value_name = "SCENE", help = "A scene's file, - for standard input, or builtin:NAME[:SIZE]")]
    pub scene: String,
    /// What its file may not say.
    #[command(flatten)]
    pub heightmap: HeightmapArgs,
}

/// Measures of a heightmap.
#[derive(Args, Clone, Copy, Debug)]
pub struct HeightmapArgs {
    /// Distance between the samples of a heightmap
    #[arg(long, value_name = "METRES", help_heading = "Heightmap", allow_hyphen_values = true)]
    #[arg(value_parser = values::cell)]
    cell: Option<f64>,
    /// Heights of black and of white in a PNG
    #[arg(long, value_name = "LO,HI", help_heading = "Heightmap", allow_hyphen_values = true)]
    #[arg(value_parser = values::relief)]
    relief: Option<[f64; 2]>,
}

impl HeightmapArgs {
    /// The same for the reader.
    pub fn options(self) -> hitscan_io::Options {
        hitscan_io::Options { cell: self.cell, relief: self.relief }
    }
}

/// How a single answer is written.
#[derive(Args, Clone, Copy, Debug)]
pub struct FormatArgs {
    /// table for people; csv, json, jsonl with every digit
    #[arg(long, value_name = "FORMAT", conflicts_with = "json", value_parser = values::format)]
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
}
