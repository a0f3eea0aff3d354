//! `cast --rays`: a file of rays to a file of answers, in memory that does not grow with either.
//!
//! A block of the file is read, parsed, asked and handed to the writer before the next one. Within a block the
//! threads share pieces; rows come out in the order of the file whatever their number.

mod piece;

use std::fs::File;
use std::io::{self, Read};

use csv::{ByteRecord, ReaderBuilder};

use self::piece::{Piece, Question};
use crate::args::{Common, Mode};
use crate::failure::{Failure, complain};
use crate::number::{count, counted};
use crate::output::background::Background;
use crate::output::{Output, STANDARD_STREAM};
use crate::progress::Progress;
use crate::rays::blocks::Blocks;
use crate::rays::columns::Column;
use crate::rays::layout::Layout;
use crate::rays::write::Rows;
use crate::scene::Loaded;

/// Options of `cast` that concern files of rays.
#[derive(clap::Args, Debug)]
#[group(skip)]
pub struct Args {
    /// A CSV file of rays, or - for standard input
    #[arg(long, value_name = "FILE", help_heading = "Batch")]
    pub rays: Option<String>,
    /// Write to FILE, complete or not at all [default: standard output]
    #[arg(short, long, value_name = "FILE", help_heading = "Batch")]
    output: Option<String>,
    /// Refuse to replace a file
    #[arg(long, help_heading = "Batch")]
    no_clobber: bool,
    /// Columns of the ray file to carry over
    #[arg(long, value_name = "A,B", value_delimiter = ',', help_heading = "Batch")]
    keep: Vec<String>,
    /// Columns of the answer, in this order
    #[arg(long, value_name = "A,B", value_delimiter = ',', help_heading = "Batch")]
    columns: Vec<String>,
    /// A row that is no ray ends the batch, or counts as a miss [default: error]
    #[arg(long, value_name = "error|miss", hide_possible_values = true, help_heading = "Batch")]
    invalid: Option<Invalid>,
}

impl Args {
    /// The first option that makes sense for a file of rays only.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            ("--output", self.output.is_some()),
            ("--no-clobber", self.no_clobber),
            ("--keep", !self.keep.is_empty()),
            ("--columns", !self.columns.is_empty()),
            ("--invalid", self.invalid.is_some()),
        ];
        given.into_iter().find_map(|(option, given)| given.then_some(option))
    }

    /// The columns asked for.
    fn columns(&self, mode: Mode) -> Result<Vec<Column>, Failure> {
        let columns = match self.columns.as_slice() {
            [] => Column::of(mode).to_vec(),
            names => Column::choose(mode, names).map_err(|error| Failure::usage("--columns", error))?,
        };
        let taken = |name: &&String| columns.iter().any(|column| column.name() == name.trim());
        match self.keep.iter().find(taken) {
            None => Ok(columns),
            Some(name) => {
                let what =
                    format_args!("'{name}' is a column of the answer too; --columns can leave that one out");
                Err(Failure::usage("--keep", what))
            }
        }
    }

    fn check_formats(&self, rays: &str) -> Result<(), Failure> {
        for (name, role) in [(Some(rays), "read"), (self.output.as_deref(), "written")] {
            if let Some(name) = name.filter(|name| is_another_format(name)) {
                return Err(Failure::usage(
                    name,
                    format_args!("rays are {role} as csv; expected a .csv file"),
                ));
            }
        }
        if self.no_clobber && self.output.is_none() {
            let what = "there is no file to be replaced; expected -o FILE with it";
            return Err(Failure::usage("--no-clobber", what));
        }
        Ok(())
    }
}

/// What a row that is no ray does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Invalid {
    Error,
    Miss,
}

/// A batch whose options are sound, and whose files are open.
pub struct Job<'a> {
    args: &'a Args,
    mode: Mode,
    columns: Vec<Column>,
    /// The input as messages name it.
    place: &'a str,
    /// Bytes of the input, where that is known.
    size: Option<u64>,
    blocks: Blocks<Box<dyn Read>>,
    layout: Layout,
    /// Lines of the header.
    header_lines: u64,
    output: Output,
}

/// What a batch has done so far.
#[derive(Clone, Debug, Default)]
struct Tally {
    lines: u64,
    rays: usize,
    hits: usize,
    invalid: usize,
    first_invalid: Option<String>,
}

impl<'a> Job<'a> {
    /// Checks everything that can be wrong before the scene is needed.
    pub fn open(rays: &'a str, mode: Mode, args: &'a Args, scene: &str) -> Result<Job<'a>, Failure> {
        if rays == STANDARD_STREAM && scene == STANDARD_STREAM {
            let what = "standard input is the scene already; expected a file of rays";
            return Err(Failure::usage("--rays", what));
        }
        let columns = args.columns(mode)?;
        args.check_formats(rays)?;
        let (place, input, size): (_, Box<dyn Read>, _) = if rays == STANDARD_STREAM {
            ("standard input", Box::new(io::stdin()), None)
        } else {
            let file = File::open(rays).map_err(|error| Failure::reading(rays, &error))?;
            let size = file.metadata().ok().map(|metadata| metadata.len());
            (rays, Box::new(file), size)
        };
        let mut blocks = Blocks::new(input);
        let start = blocks.peek().map_err(|error| Failure::reading(place, &error))?;
        let (layout, end) = header(start, place, &args.keep)?;
        let header_lines = newlines(&start[..end]);
        blocks.skip(end);
        let output = Output::create(args.output.as_deref(), &[rays, scene], !args.no_clobber)?;
        Ok(Job { args, mode, columns, place, size, blocks, layout, header_lines, output })
    }

    /// Asks all rays.
    pub fn run(self, loaded: &Loaded, common: Common) -> Result<(), Failure> {
        let Job { args, mode, columns, place, size, mut blocks, layout, header_lines, output } = self;
        let progress = Progress::new(size, common.quiet);
        let question = Question { mode, loaded, layout, rows: Rows::new(columns, loaded) };
        let mut output = Background::new(output);
        let mut text = Vec::new();
        question.rows.header(&args.keep, &mut text);
        output.write(text)?;

        let stop = args.invalid != Some(Invalid::Miss);
        let mut tally = Tally { lines: header_lines, ..Tally::default() };
        let mut pieces: Vec<Piece> = Vec::new();
        while let Some(block) = blocks.next().map_err(|error| unreadable(place, &error))? {
            let pieces = question.ask(&block, &mut pieces, tally.rays, stop);
            for (piece, range) in pieces.iter_mut().zip(&block.pieces) {
                piece.text = output.write(std::mem::take(&mut piece.text))?;
                if let Some((line, flaw)) = &piece.flaw {
                    let place = format!("{place}:{}", tally.lines + line);
                    if stop {
                        let remedy = "--invalid miss reports it as a miss";
                        return Err(Failure::new(place, format_args!("{flaw} ({remedy})")));
                    }
                    tally.first_invalid.get_or_insert_with(|| format!("{place}: {flaw}"));
                }
                tally.add(piece, newlines(&block.bytes[range.clone()]));
            }
            progress.advance(
                block.bytes.len(),
                format!("{} rays, {} hits", count(tally.rays), count(tally.hits)),
            );
        }
        output.finish()?;
        drop(progress);
        if let Some(first) = tally.first_invalid.filter(|_| !common.quiet) {
            complain(&format!("{first} ({}, counted as misses)", counted(tally.invalid, "such row")));
        }
        Ok(())
    }
}

impl Tally {
    fn add(&mut self, piece: &Piece, lines: u64) {
        self.lines += lines;
        self.rays += piece.rows();
        self.hits += piece.hits;
        self.invalid += piece.invalid();
    }
}

/// The header's meaning, and where the rows begin.
fn header(bytes: &[u8], place: &str, keep: &[String]) -> Result<(Layout, usize), Failure> {
    const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
    let expected = "a ray file begins with the names of its columns";
    if bytes.is_empty() {
        return Err(Failure::new(place, format_args!("the file is empty; {expected}")));
    }
    let mark = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(&bytes[mark..]);
    let mut names = ByteRecord::new();
    if !reader.read_byte_record(&mut names).unwrap_or(false) {
        return Err(Failure::new(place, format_args!("has no header; {expected}")));
    }
    let line = names.position().map_or(1, csv::Position::line);
    let layout =
        Layout::new(&names, keep).map_err(|error| Failure::new(format_args!("{place}:{line}"), error))?;
    Ok((layout, mark + reader.position().byte() as usize))
}

/// What keeps a block from being read; a row without end has its own words.
fn unreadable(place: &str, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::InvalidData => Failure::new(place, error),
        _ => Failure::reading(place, error),
    }
}

/// Whether a name ends like a file of rays in a format other than CSV.
fn is_another_format(name: &str) -> bool {
    let extension = std::path::Path::new(name).extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| {
        ["json", "jsonl", "npy", "parquet", "png"].iter().any(|other| extension.eq_ignore_ascii_case(other))
    })
}

fn newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}
