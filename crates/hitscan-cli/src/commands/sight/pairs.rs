//! Many lines of sight: lists of eyes and targets in, one row for each pair out.
//!
//! Lines are made, asked and written in pieces, so that all pairs of two long lists need no more memory than the lists.

use std::mem::take;

use hitscan::Ray;
use hitscan::glam::DVec3;
use rayon::prelude::*;

use super::Args;
use crate::args::{Common, Points};
use crate::commands::batch::stream::{Done, Measure, Question};
use crate::commands::batch::{Work, write};
use crate::failure::Failure;
use crate::number::{count, counted};
use crate::output::Output;
use crate::progress::Progress;
use crate::rays::answers::{Asked, Asker, Pairing};
use crate::rays::columns::Column;
use crate::rays::flaw::Flaw;
use crate::rays::format::Format;
use crate::rays::points;
use crate::rays::rows::Rows;
use crate::rays::write::background::Background;
use crate::rays::write::{Encode, Sink, Spec};
use crate::resume::mark::{Mark, Tally};
use crate::scene::Loaded;

/// Which points are looked at from which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Pairs {
    /// The first from the first, and so on.
    Zip,
    /// Each from each.
    All,
}

/// Lines that one thread makes at a time, and those that are in memory at once.
const PART: u64 = 4096;
const CHUNK: u64 = 64 * PART;

/// Lists of points, and where the answers go.
pub struct Lists {
    from: Vec<DVec3>,
    to: Vec<DVec3>,
    pairing: Pairing,
    /// How many lines there are.
    lines: u64,
    columns: Vec<Column>,
    format: Format,
    output: Output,
}

impl Lists {
    /// Checks and reads all that can be before the scene is needed.
    pub fn open(args: &Args, [from, to]: &[Points; 2]) -> Result<Lists, Failure> {
        let inputs = [&args.scene.scene, super::name(from), super::name(to)];
        args.files.check_resume(&inputs)?;
        let format = if args.json { Some("json") } else { args.format.as_deref() };
        let format = format.map(|format| Format::named(format, &Format::ALL)).transpose();
        let format = format.map_err(|error| Failure::usage("--format", error))?;
        let format = args.files.output_format(format)?;
        // The columns are the same for all pairings.
        let columns = args.files.columns(Asked::Sight(Pairing::All { others: 1 }))?;
        let list = |option, points: &Points| match points {
            Points::One(point) => points::check(option, *point).map(|()| vec![*point]),
            Points::File(name) => points::read(name, args.files.input_format),
        };
        let (from, to) = (list("--from", from)?, list("--to", to)?);
        let (pairing, lines) = pairing(args, from.len(), to.len())?;
        let output = args.files.create(&inputs, format, Some(lines))?;
        Ok(Lists { from, to, pairing, lines, columns, format, output })
    }

    /// Answers for each pair.
    pub fn answer(self, args: &Args, common: Common) -> Result<(), Failure> {
        let Lists { from, to, pairing, lines, columns, format, mut output } = self;
        let loaded = Loaded::open(&args.scene)?;
        output.spare(&loaded.model.files)?;
        let [lift_from, lift_to] = args.lifts(&loaded);
        let ends = [lifted("--from", from, lift_from)?, lifted("--to", to, lift_to)?];
        let asker = Asked::Sight(pairing).prepare(&loaded)?;
        let spec = Spec { columns, kept: Vec::new(), loaded: &loaded };
        let lines = Lines { ends, pairing, count: lines };
        let job = || {
            let mut job = args.files.job(asker.asked, &spec, format)?;
            for (what, ends) in ["the list of eyes", "the list of targets"].into_iter().zip(&lines.ends) {
                job.numbers(what, ends.iter().flat_map(|point| point.to_array()));
            }
            Ok(job)
        };
        output.begin(job, "lines", common.quiet)?;
        write(Sight { lines, asker, common }, spec, format, output)
    }
}

/// Points where they stand after all; the first that is too far away there is refused, by its option and its number.
fn lifted(option: &str, mut points: Vec<DVec3>, lift: DVec3) -> Result<Vec<DVec3>, Failure> {
    for (row, point) in points.iter_mut().enumerate() {
        *point += lift;
        points::check(format_args!("{option} point {row}"), *point)?;
    }
    Ok(points)
}

/// Who goes with whom, and how many lines that makes.
fn pairing(args: &Args, from: usize, to: usize) -> Result<(Pairing, u64), Failure> {
    match args.pairs {
        Some(Pairs::All) => Ok((Pairing::All { others: to.max(1) as u64 }, from as u64 * to as u64)),
        _ if from == to || from == 1 || to == 1 => {
            let many = [from != 1, to != 1];
            let lines = if many[0] { from } else { to };
            Ok((Pairing::Zip { many }, lines as u64))
        }
        _ => {
            let lists = format_args!("{} to {}", counted(from, "point"), count(to));
            let expected = "as many of both, or --pairs all";
            Err(Failure::new("--pairs zip", format_args!("goes from {lists}; expected {expected}")))
        }
    }
}

/// Lines of sight on their way to an output.
struct Sight<'a> {
    lines: Lines,
    asker: Asker<'a>,
    common: Common,
}

/// Lines from eyes to targets.
struct Lines {
    /// The eyes and the targets, each a point that a ray can have.
    ends: [Vec<DVec3>; 2],
    pairing: Pairing,
    /// How many lines there are.
    count: u64,
}

impl Lines {
    /// Some lines. Where both ends are one point there is no line, and nothing can be between them; sound points have no
    /// other flaw.
    fn rows(&self, lines: std::ops::Range<u64>) -> Rows {
        let mut rows = Rows::default();
        for line in lines {
            let ends = self.pairing.ends(line);
            let [from, to] = [0, 1].map(|end| self.ends[end][ends[end] as usize]);
            rows.push(Ray::sight(from, to).map_err(Flaw::Ray), line, false);
        }
        rows
    }
}

impl Work for Sight<'_> {
    fn rows(&self) -> Option<u64> {
        Some(self.lines.count)
    }

    fn run<E: Encode, S: Sink<E::Batch>>(
        self,
        from: Option<Mark>,
        encoder: E,
        sink: S,
    ) -> Result<(), Failure> {
        let Sight { lines, asker, common } = self;
        let progress = Progress::new(Some(lines.count), common.quiet);
        let question = Question { asker, encoder, keeps: from.is_some() };
        let mut output = Background::new(sink);
        let mut measure = Measure::default();
        let Mark { mut done, answered, mut tally } = from.unwrap_or_default();
        let mut answered = answered as usize;
        progress.advance(done, String::new());
        while done < lines.count {
            let end = lines.count.min(done + CHUNK);
            let starts: Vec<u64> = (done..end).step_by(PART as usize).collect();
            let parts = starts.par_iter().map(|&start| lines.rows(start..end.min(start + PART)));
            let parts: Vec<Rows> = parts.collect();
            let write = |window, so_far: &Done| {
                let tally = Tally { rows: done, hits: tally.hits + so_far.hits, ..Tally::default() };
                output.write(window, Mark { done, answered: so_far.rows as u64, tally })
            };
            tally.hits += question.answer(&parts, done, take(&mut answered), false, &mut measure, write)?;
            let words = format!("{} lines, {} blocked", count(end as usize), count(tally.hits));
            progress.advance(end - done, words);
            done = end;
        }
        output.finish()
    }
}
