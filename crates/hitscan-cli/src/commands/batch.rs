//! `cast --rays`: a file of rays to a file of answers.

mod stream;

use std::path::Path;

use crate::args::{Common, Mode};
use crate::failure::{Failure, complain};
use crate::number::{count, counted};
use crate::output::{Output, STANDARD_STREAM};
use crate::progress::Progress;
use crate::rays::columns::Column;
use crate::rays::format::Format;
use crate::rays::read::{Request, Source};
use crate::rays::write::background::Background;
use crate::rays::write::csv::{self, CsvRows};
use crate::rays::write::json::JsonRows;
use crate::rays::write::npy::{self, NpyRows, NpySink};
use crate::rays::write::parquet::{ParquetRows, ParquetSink};
use crate::rays::write::text::TextSink;
use crate::rays::write::{Encode, Sink, Spec};
use crate::scene::Loaded;
use stream::{Decoded, Measure, Question, ReadAhead};

/// Options of `cast` that concern files of rays.
#[derive(clap::Args, Debug)]
#[group(skip)]
pub struct Args {
    /// A file of rays (.csv .jsonl .npy .parquet), or - for standard input
    #[arg(long, value_name = "FILE", help_heading = "Batch")]
    pub rays: Option<String>,
    /// Write to FILE, complete or not at all [default: standard output]
    #[arg(short, long, value_name = "FILE", help_heading = "Batch")]
    output: Option<String>,
    /// Format of the rays where the file's name does not tell: csv, jsonl, npy or parquet
    #[arg(long, value_name = "FORMAT", help_heading = "Batch", value_parser = input_format)]
    input_format: Option<Format>,
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
            ("--input-format", self.input_format.is_some()),
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
        if let Some((_, name)) = self
            .keep
            .iter()
            .enumerate()
            .find(|(at, name)| self.keep[..*at].iter().any(|other| other.trim() == name.trim()))
        {
            let what = format_args!("'{}' is named twice; expected each column once", name.trim());
            return Err(Failure::usage("--keep", what));
        }
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

    /// The format of the answers: by option, by the output's name, or CSV where that has no extension.
    fn output_format(&self, format: Option<Format>) -> Result<Format, Failure> {
        let name = self.output.as_deref().unwrap_or(STANDARD_STREAM);
        match format.or_else(|| Format::of_file(name)) {
            Some(format) => Ok(format),
            None if Path::new(name).extension().is_none() => Ok(Format::Csv),
            None => {
                let known = "expected .csv, .jsonl, .json, .npy, .parquet or --format";
                Err(Failure::usage(name, format_args!("the name tells no format; {known}")))
            }
        }
    }
}

fn input_format(text: &str) -> Result<Format, String> {
    Format::named(text, &[Format::Csv, Format::JsonLines, Format::Npy, Format::Parquet])
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
    format: Format,
    source: Box<dyn Source>,
    output: Output,
}

/// What a batch has done so far.
#[derive(Clone, Debug, Default)]
struct Tally {
    /// Lines of the input behind its header, or rows.
    span: u64,
    rows: u64,
    hits: usize,
    invalid: usize,
    first_invalid: Option<String>,
}

impl<'a> Job<'a> {
    /// Checks everything that can be wrong before the scene is needed.
    pub fn open(
        rays: &'a str,
        mode: Mode,
        format: Option<Format>,
        args: &'a Args,
        scene: &str,
    ) -> Result<Job<'a>, Failure> {
        if rays == STANDARD_STREAM && scene == STANDARD_STREAM {
            let what = "standard input is the scene already; expected a file of rays";
            return Err(Failure::usage("--rays", what));
        }
        if args.no_clobber && args.output.is_none() {
            let what = "there is no file to be replaced; expected -o FILE with it";
            return Err(Failure::usage("--no-clobber", what));
        }
        let columns = args.columns(mode)?;
        let format = args.output_format(format)?;
        let request = Request { name: rays, format: args.input_format, keep: &args.keep, output: format };
        let source = request.open()?;
        let output = Output::create(args.output.as_deref(), &[rays, scene], !args.no_clobber)?;
        if format == Format::Npy {
            npy::check(source.kept()).map_err(|error| Failure::usage("--keep", error))?;
            if rows_of(&*source, mode).is_none() && !output.mends() {
                let what =
                    "NPY begins with its number of rows, which a pipe or a device needs to know at once";
                let expected = "expected -o FILE or another format";
                return Err(Failure::usage("--format", format_args!("{what}; {expected}")));
            }
        }
        Ok(Job { args, mode, columns, format, source, output })
    }

    /// Asks all rays.
    pub fn run(self, loaded: &Loaded, common: Common) -> Result<(), Failure> {
        let Job { args, mode, columns, format, source, output } = self;
        output.spare(&loaded.model.files)?;
        let spec = Spec { columns, kept: source.kept().to_vec(), loaded };
        let ask = Ask { source, mode, stop: args.invalid != Some(Invalid::Miss), common };
        match format {
            Format::Csv => {
                let mut header = Vec::new();
                csv::header(&spec.columns, &spec.kept, &mut header);
                ask.run(CsvRows(spec), TextSink::new(output, &header, 0, b"")?, loaded)
            }
            Format::JsonLines => ask.run(JsonRows::lines(spec), TextSink::new(output, b"", 0, b"")?, loaded),
            Format::Json => {
                let sink = TextSink::new(output, b"[\n", JsonRows::SEPARATOR.len(), b"\n]\n")?;
                ask.run(JsonRows::array(spec), sink, loaded)
            }
            Format::Npy => {
                let rows = rows_of(&*ask.source, mode);
                let encoder = NpyRows::new(spec);
                let sink = NpySink::new(output, encoder.header(), rows)?;
                ask.run(encoder, sink, loaded)
            }
            Format::Parquet => {
                let rows = ParquetRows::new(spec);
                let sink = ParquetSink::new(output, &rows)?;
                ask.run(rows, sink, loaded)
            }
        }
    }
}

/// How many rows the answers will have, where that is known.
fn rows_of(source: &dyn Source, mode: Mode) -> Option<u64> {
    match mode {
        Mode::Closest | Mode::Occluded => source.rows(),
        Mode::All | Mode::First(_) | Mode::Intervals => None,
    }
}

/// A source and what is asked of its rays.
struct Ask {
    source: Box<dyn Source>,
    mode: Mode,
    /// Whether a row that is no ray ends the batch.
    stop: bool,
    common: Common,
}

impl Ask {
    fn run<E: Encode, S: Sink<E::Batch>>(self, encoder: E, sink: S, loaded: &Loaded) -> Result<(), Failure> {
        let Ask { source, mode, stop, common } = self;
        let progress = Progress::new(source.size(), common.quiet);
        let place = source.place();
        let mut chunks = ReadAhead::new(source);
        let question = Question { mode, loaded, encoder };
        let mut output = Background::new(sink);
        let (mut tally, mut measure) = (Tally::default(), Measure::default());
        let (mut now, mut ahead) = (Decoded::default(), Decoded::default());
        while now.advance(&mut ahead, &mut chunks, stop)? {
            let (parts, next) = (now.parts(), chunks.ready());
            let write = |window| output.write(window);
            // Decoded meanwhile, by whichever thread has no more rays to ask of this chunk.
            tally.hits += rayon::in_place_scope(|scope| {
                if let Some(chunk) = next {
                    scope.spawn(|_| ahead.take(chunk, stop));
                }
                question.answer(parts, tally.rows, stop, &mut measure, write)
            })?;
            for rows in parts {
                if let Some((at, flaw)) = &rows.flaw {
                    let place = place.at(tally.span + at);
                    if stop {
                        let remedy = "--invalid miss reports it as a miss";
                        return Err(Failure::new(place, format_args!("{flaw} ({remedy})")));
                    }
                    tally.first_invalid.get_or_insert_with(|| format!("{place}: {flaw}"));
                }
                tally.span += rows.span;
                tally.rows += rows.len() as u64;
                tally.invalid += rows.invalid();
            }
            let words = format!("{} rays, {} hits", count(tally.rows as usize), count(tally.hits));
            progress.advance(now.size(), words);
        }
        output.finish()?;
        drop(progress);
        if let Some(first) = tally.first_invalid.filter(|_| !common.quiet) {
            complain(&format!("{first} ({}, counted as misses)", counted(tally.invalid, "such row")));
        }
        Ok(())
    }
}
