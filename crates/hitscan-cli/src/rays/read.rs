//! Files of rays and of points: what every format gives.

pub mod blocks;
pub mod csv;
pub mod damaged;
pub mod jsonl;
mod kinds;
pub mod npy;
pub mod parquet;
mod text;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use self::blocks::Blocks;
use super::cell::KeptField;
use super::format::Format;
use super::rows::Rows;
use super::subject::Subject;
use crate::failure::Failure;
use crate::output::STANDARD_STREAM;

/// A file of rays or points, read from its beginning to its end.
pub trait Source: Send {
    /// The columns that are carried over.
    fn kept(&self) -> &[KeptField];

    /// Columns that are passed over, though others call the limits of a ray so.
    fn stray_limits(&self) -> &[String];

    /// Goes on behind its first chunks, whose sizes add up to `done` and that were so many lines or rows; before it is asked for any. The
    /// input needs to be a file.
    fn go_to(&mut self, done: u64, span: u64) -> Result<(), Failure>;

    /// The next rows; `None` at the end.
    fn next(&mut self) -> Result<Option<Box<dyn Chunk>>, Failure>;

    /// How messages call a line, or a row where the format has no lines; `at` counts from 0 behind the header.
    fn place(&self) -> Place;

    /// The sum of [`Chunk::size`] over the whole file, where that is known.
    fn size(&self) -> Option<u64>;

    /// How many rows there are, where that is known.
    fn rows(&self) -> Option<u64>;
}

/// Consecutive rows as their file holds them.
pub trait Chunk: Send + Sync {
    /// Into how many parts it is cut.
    fn parts(&self) -> usize;

    /// Decodes a part into empty rows. Where `stop` is set, it may end with the first row that is no ray.
    fn decode(&self, part: usize, stop: bool, rows: &mut Rows);

    /// How far it goes through the file, in the unit of [`Source::size`].
    fn size(&self) -> u64;
}

/// How messages call a place in a file.
#[derive(Clone, Debug)]
pub enum Place {
    /// `rays.csv:7`.
    Lines {
        /// The file.
        file: String,
        /// The number of the first line behind the header.
        first: u64,
    },
    /// `rays.parquet: row 6`, counted from 0 as the column `ray` does.
    Rows {
        /// The file.
        file: String,
    },
}

impl Place {
    /// What messages call the file.
    pub fn file(&self) -> &str {
        match self {
            Place::Lines { file, .. } | Place::Rows { file } => file,
        }
    }

    /// The place so many lines or rows behind the header.
    pub fn at(&self, offset: u64) -> String {
        match self {
            Place::Lines { file, first } => format!("{file}:{}", first + offset),
            Place::Rows { file } => format!("{file}: row {offset}"),
        }
    }
}

/// What is wanted of a file of rays or points.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// Its name, or `-`.
    pub name: &'a str,
    /// What its rows are.
    pub of: Subject,
    /// Its format, where the name does not tell.
    pub format: Option<Format>,
    /// Columns that are carried over.
    pub keep: &'a [String],
    /// The format of the output, which decides what becomes of these.
    pub output: Format,
}

/// Bytes that tell a format.
const LONGEST_SIGNATURE: u64 = 64;

/// An input as it was opened.
pub struct Input {
    /// What messages call it.
    pub place: String,
    /// The first bytes.
    start: Vec<u8>,
    /// The rest of them.
    reader: Box<dyn Read + Send>,
    /// How many, where that is known.
    pub size: Option<u64>,
}

impl Request<'_> {
    /// Whether each column that is carried over has values of one kind, because the output needs that.
    pub fn typed(&self) -> bool {
        matches!(self.output, Format::Npy | Format::Parquet)
    }

    /// Opens the file and reads what stands before its rows.
    pub fn open(&self) -> Result<Box<dyn Source>, Failure> {
        self.read(Input::open(self.name)?)
    }

    fn read(&self, input: Input) -> Result<Box<dyn Source>, Failure> {
        let by_name = || Format::of_file(self.name).filter(|&format| format != Format::Json);
        match self.format.or_else(by_name).unwrap_or_else(|| recognised(&input.start)) {
            Format::Csv => Ok(Box::new(csv::open(input, self)?)),
            Format::JsonLines => Ok(Box::new(jsonl::open(input, self)?)),
            Format::Npy => Ok(Box::new(npy::Npy::open(input, self)?)),
            Format::Parquet => Ok(Box::new(parquet::Parquet::open(input, self)?)),
            Format::Json => Err(Failure::new(
                input.place,
                "is an array of JSON; expected an object a line (jsonl), csv, npy or parquet",
            )),
        }
    }
}

/// The format of a file that begins like this.
fn recognised(start: &[u8]) -> Format {
    if start.starts_with(b"PAR1") {
        return Format::Parquet;
    }
    if start.starts_with(b"\x93NUMPY") {
        return Format::Npy;
    }
    match unmarked(start).trim_ascii_start() {
        [b'{', ..] => Format::JsonLines,
        // The name of a column may begin with a bracket.
        [b'[', rest @ ..] if matches!(rest.trim_ascii_start(), [b'{' | b'[' | b']', ..]) => Format::Json,
        _ => Format::Csv,
    }
}

/// Text without the mark that some systems write before it.
fn unmarked(start: &[u8]) -> &[u8] {
    start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start)
}

/// A file of text as it is read.
pub struct Lines {
    /// What messages call it.
    pub place: String,
    /// How many bytes, where that is known.
    pub size: Option<u64>,
    /// Its lines.
    pub blocks: Blocks<Box<dyn Read + Send>>,
    /// How many bytes of the file are none of them, at its beginning.
    before: u64,
}

impl Lines {
    /// What messages call the file, and what comes next in it: see [`Blocks::peek`].
    pub fn peek(&mut self) -> Result<(&str, &[u8]), Failure> {
        let start = self.blocks.peek().map_err(|error| Failure::reading(&self.place, &error))?;
        Ok((&self.place, start))
    }

    /// Leaves out the first bytes of what [`Lines::peek`] showed.
    pub fn skip(&mut self, bytes: usize) {
        self.before += bytes as u64;
        self.blocks.skip(bytes);
    }

    /// Goes on so many bytes and lines behind what was skipped.
    pub fn go_to(&mut self, done: u64, lines: u64) -> Result<(), Failure> {
        let file = File::open(&self.place).and_then(|mut file| {
            file.seek(SeekFrom::Start(self.before + done))?;
            Ok(file)
        });
        let file = file.map_err(|error| Failure::reading(&self.place, &error))?;
        self.blocks = self.blocks.behind(Box::new(file), lines);
        Ok(())
    }
}

impl Input {
    /// Opens a file, or standard input.
    pub fn open(name: &str) -> Result<Input, Failure> {
        let (place, mut reader, size): (_, Box<dyn Read + Send>, _) = if name == STANDARD_STREAM {
            ("standard input", Box::new(io::stdin()), None)
        } else {
            let file = File::open(name).map_err(|error| Failure::reading(name, &error))?;
            let size = file.metadata().ok().filter(|found| found.is_file()).map(|found| found.len());
            (name, Box::new(file), size)
        };
        let mut start = Vec::new();
        let read = reader.by_ref().take(LONGEST_SIGNATURE).read_to_end(&mut start);
        read.map_err(|error| Failure::reading(place, &error))?;
        Ok(Input { place: place.to_owned(), start, reader, size })
    }

    /// All bytes.
    pub fn bytes(self) -> Box<dyn Read + Send> {
        Box::new(io::Cursor::new(self.start).chain(self.reader))
    }

    /// All lines of a text.
    pub fn lines(self) -> Lines {
        let text = unmarked(&self.start);
        let before = (self.start.len() - text.len()) as u64;
        let start = io::Cursor::new(text.to_vec());
        let blocks = Blocks::new(Box::new(start.chain(self.reader)) as Box<dyn Read + Send>);
        Lines { place: self.place, size: self.size, blocks, before }
    }
}
