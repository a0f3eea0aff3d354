//! `demo`: the built-in shooting range, every kind of question once, a table of the answers and pictures of them.

mod pictures;
mod questions;

use std::path::PathBuf;
use std::time::Instant;

use hitscan_io::Model;
use hitscan_io::builtin::range::{self, Frame};

use crate::args::{Common, Reading};
use crate::failure::{Failure, tell};
use crate::number::count;
use crate::output::{make_folder, print};
use crate::scene::{DEFAULT_SCENE, Loaded};
use crate::table::Table;
use questions::Answer;

/// Options of `demo`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Example:
  hitscan demo -o pictures

Nothing is read: the range is built into the command, as builtin:range.")]
pub struct Args {
    /// The folder for the pictures; it is made where there is none
    #[arg(short, long, value_name = "FOLDER", default_value = "hitscan-demo")]
    #[arg(value_hint = clap::ValueHint::DirPath)]
    output: PathBuf,
}

/// The range at two moments, one sixtieth of a second apart.
#[derive(Debug)]
struct Range {
    /// The moment before.
    before: Model,
    /// The moment that is asked about.
    now: Loaded,
}

impl Range {
    fn new() -> Range {
        let model = range::model(Frame::Second);
        let scene = model.scene();
        let reading = Reading::default();
        let now = Loaded { name: DEFAULT_SCENE.to_owned(), reading, model, scene };
        Range { before: range::model(Frame::First), now }
    }
}

/// Asks, draws, and prints.
pub fn run(args: &Args, common: Common) -> Result<(), Failure> {
    // First what may fail, before anybody waits.
    let folder = &args.output;
    make_folder(folder, "a folder for pictures, or -o FOLDER")?;
    let start = Instant::now();
    let range = Range::new();
    let ready = start.elapsed().as_secs_f64();
    let answers = questions::all(&range)?;
    let written = pictures::write_all(&range, &answers, folder)?;

    let (instances, triangles) = (range.now.model.nodes.len(), range.now.model.triangles());
    print(&format!(
        "{DEFAULT_SCENE}: {} things, {} triangles, made in {ready:.2} s\n\n{}\n",
        count(instances),
        count(triangles),
        table(&answers),
    ))?;
    print(&format!("{}\nNext: {NEXT}\n", pictures::list(&written)))?;
    if !common.quiet {
        tell(format_args!("done in {:.1} s", start.elapsed().as_secs_f64()));
    }
    Ok(())
}

/// Asks the question about the plates again, with every crossing in a table.
const NEXT: &str = "hitscan cast builtin:range --from 1.9,0.95,3.2 --to 8.3,0.95,3.2";

fn table(answers: &[Answer]) -> Table {
    let mut table = Table::new(["question", "asked", "answer", "picture"]);
    for answer in answers {
        table.row([answer.question, &answer.asked, &answer.answer, answer.picture]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_fits_on_a_terminal() {
        let text = table(&questions::all(&Range::new()).unwrap()).to_string();
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!((90..=120).contains(&widest), "{widest}\n{text}");
    }
}
