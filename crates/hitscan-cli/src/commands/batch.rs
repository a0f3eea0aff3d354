//! A file of rays or points to a file of answers: `cast --rays`, `inside --at`.

pub mod stream;

use std::mem::take;
use std::path::Path;

use crate::args::{Common, words};
use crate::failure::{Failure, complain};
use crate::number::{count, counted};
use crate::output::{Output, STANDARD_STREAM};
use crate::progress::Progress;
use crate::rays::answers::{Asked, Asker};
use crate::rays::columns::Column;
use crate::rays::format::Format;
use crate::rays::read::{Request, Source};
use crate::rays::rows::Rows;
use crate::rays::write::background::Background;
use crate::rays::write::csv::{self, CsvRows};
use crate::rays::write::json::JsonRows;
use crate::rays::write::npy::{self, NpyRows, NpySink};
use crate::rays::write::parquet::{ParquetRows, ParquetSink};
use crate::rays::write::text::TextSink;
use crate::rays::write::{Encode, Sink, Spec};
use crate::resume::job::Job;
use crate::resume::mark::{Mark, Tally};
use crate::scene::Loaded;
use stream::{Decoded, Done, Measure, Question, ReadAhead};

/// Options of a batch whose input is one file, row by row.
#[derive(clap::Args, Debug)]
#[group(skip)]
pub struct Args {
    #[command(flatten)]
    files: FileArgs,
    /// Columns of the input to carry over
    #[arg(long, value_name = "A,B", value_delimiter = ',', help_heading = "Batch")]
    keep: Vec<String>,
    /// A bad row ends the batch, or counts as a miss [default: error]
    #[arg(long, value_name = "error|miss", hide_possible_values = true, help_heading = "Batch")]
    invalid: Option<Invalid>,
}

/// Options of every batch.
#[derive(clap::Args, Debug)]
#[group(skip)]
pub struct FileArgs {
    /// Write to FILE, complete or not at all [default: standard output]
    #[arg(short, long, value_name = "FILE", help_heading = "Batch")]
    #[arg(value_parser = crate::args::file_name)]
    output: Option<String>,
    /// Format of the input where its name does not tell: csv, jsonl, npy or parquet
    #[arg(long, value_name = "FORMAT", help_heading = "Batch", hide_possible_values = true)]
    #[arg(value_parser = words(input_format, &["csv", "jsonl", "npy", "parquet"]))]
    pub input_format: Option<Format>,
    /// Refuse to replace a file
    #[arg(long, help_heading = "Batch")]
    no_clobber: bool,
    /// Columns of the answer, in this order
    #[arg(long, value_name = "A,B", value_delimiter = ',', help_heading = "Batch")]
    columns: Vec<String>,
    /// Keep what is done in FILE.partial, and go on from there where it was interrupted
    #[arg(long, help_heading = "Batch")]
    resume: bool,
}

impl Args {
    /// The first option that makes sense for a file only.
    pub fn given(&self) -> Option<&'static str> {
        let given = [("--keep", !self.keep.is_empty()), ("--invalid", self.invalid.is_some())];
        self.files.given().or_else(|| given.into_iter().find_map(|(option, given)| given.then_some(option)))
    }

    /// Whether the format of the input is told.
    pub fn has_input_format(&self) -> bool {
        self.files.input_format.is_some()
    }

    /// The columns asked for, beside which there is room for those that are carried over.
    fn columns(&self, asked: Asked) -> Result<Vec<Column>, Failure> {
        let columns = self.files.columns(asked)?;
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
}

impl FileArgs {
    /// The first option that makes sense for a file only.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            ("--output", self.output.is_some()),
            ("--input-format", self.input_format.is_some()),
            ("--no-clobber", self.no_clobber),
            ("--columns", !self.columns.is_empty()),
            ("--resume", self.resume),
        ];
        given.into_iter().find_map(|(option, given)| given.then_some(option))
    }

    /// The columns asked for.
    pub fn columns(&self, asked: Asked) -> Result<Vec<Column>, Failure> {
        match self.columns.as_slice() {
            [] => Ok(Column::of(asked).to_vec()),
            names => Column::choose(asked, names).map_err(|error| Failure::usage("--columns", error)),
        }
    }

    /// The format of the answers: by option, by the output's name, or CSV where that has no extension.
    pub fn output_format(&self, format: Option<Format>) -> Result<Format, Failure> {
        if self.no_clobber && self.output.is_none() {
            let what = "there is no file to be replaced; expected -o FILE with it";
            return Err(Failure::usage("--no-clobber", what));
        }
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

    /// Whether a batch of these inputs can be resumed, if it is to be: all has to be there again then.
    pub fn check_resume(&self, inputs: &[&str]) -> Result<(), Failure> {
        let has_file = self.output.as_deref().is_some_and(|name| name != STANDARD_STREAM);
        let what = match self.resume {
            true if inputs.contains(&STANDARD_STREAM) => {
                "standard input cannot be read again; expected files with it"
            }
            true if !has_file => "standard output cannot be gone on with; expected -o FILE with it",
            _ => return Ok(()),
        };
        Err(Failure::usage("--resume", what))
    }

    /// What the answers depend on: an output of this format from questions to a scene.
    pub fn job(&self, asked: Asked, spec: &Spec<'_>, format: Format) -> Result<Job, Failure> {
        let mut job = Job::new(spec.loaded)?;
        let (option, value) = asked.option();
        job.option(option, value);
        job.option("--format", format.name());
        job.option("--columns", listed(spec.columns.iter().map(|column| column.name())));
        job.option("--keep", listed(spec.kept.iter().map(|field| field.name.as_str())));
        job.option("--input-format", self.input_format.map_or("", Format::name));
        Ok(job)
    }

    /// The output; `rows` is how many rows it will have, where that is known. NPY begins with that number.
    pub fn create(&self, inputs: &[&str], format: Format, rows: Option<u64>) -> Result<Output, Failure> {
        let output = match self.output.as_deref().filter(|_| self.resume) {
            Some(name) => Output::resumable(name, inputs, !self.no_clobber)?,
            None => Output::create(self.output.as_deref(), inputs, !self.no_clobber)?,
        };
        if format == Format::Npy && rows.is_none() && !output.mends() {
            let what = "NPY begins with its number of rows, which a pipe or a device needs to know at once";
            let expected = "expected -o FILE or another format";
            return Err(Failure::usage("--format", format_args!("{what}; {expected}")));
        }
        Ok(output)
    }
}

/// Names of columns as an option has them.
fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.collect::<Vec<_>>().join(",")
}

fn input_format(text: &str) -> Result<Format, String> {
    Format::named(text, &[Format::Csv, Format::JsonLines, Format::Npy, Format::Parquet])
}

/// What a row that is no ray or no point does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Invalid {
    Error,
    Miss,
}

/// A file that an option names.
#[derive(Clone, Copy, Debug)]
pub struct FileOption<'a> {
    /// The option.
    pub option: &'static str,
    /// What it says: a file's name, or `-`.
    pub name: &'a str,
}

/// A batch whose options are sound, and whose files are open.
pub struct Batch<'a> {
    args: &'a Args,
    input: &'a str,
    asked: Asked,
    columns: Vec<Column>,
    format: Format,
    source: Box<dyn Source>,
    output: Output,
}

impl<'a> Batch<'a> {
    /// Checks everything that can be wrong before the scene is needed.
    pub fn open(
        input: FileOption<'a>,
        asked: Asked,
        format: Option<Format>,
        args: &'a Args,
        scene: &str,
    ) -> Result<Batch<'a>, Failure> {
        let FileOption { option, name } = input;
        if name == STANDARD_STREAM && scene == STANDARD_STREAM {
            let what =
                format_args!("standard input is the scene already; expected a file of {}", asked.of().many());
            return Err(Failure::usage(option, what));
        }
        args.files.check_resume(&[name, scene])?;
        let columns = args.columns(asked)?;
        let format = args.files.output_format(format)?;
        let (keep, input_format) = (&args.keep, args.files.input_format);
        let request = Request { name, of: asked.of(), format: input_format, keep, output: format };
        let source = request.open()?;
        if format == Format::Npy {
            npy::check(source.kept()).map_err(|error| Failure::new("--keep", error))?;
        }
        let rows = source.rows().filter(|_| asked.is_one_each());
        let output = args.files.create(&[name, scene], format, rows)?;
        Ok(Batch { args, input: name, asked, columns, format, source, output })
    }

    /// Asks all rows.
    pub fn run(self, loaded: &Loaded, common: Common) -> Result<(), Failure> {
        let Batch { args, input, asked, columns, format, source, mut output } = self;
        output.spare(&loaded.model.files)?;
        let asker = asked.prepare(loaded)?;
        let spec = Spec { columns, kept: source.kept().to_vec(), loaded };
        for name in source.stray_limits().iter().filter(|_| !common.quiet) {
            let what = "is ignored; the limits of a ray are the columns t_min and t_max";
            complain(&format!("{}: the column '{name}' {what}", source.place().file()));
        }
        let stop = args.invalid != Some(Invalid::Miss);
        let job = || {
            let mut job = args.files.job(asked, &spec, format)?;
            job.option("--invalid", if stop { "error" } else { "miss" });
            job.file(&format!("the file of {}", asked.of().many()), input)?;
            Ok(job)
        };
        output.begin(job, asked.of().many(), common.quiet)?;
        write(Ask { source, asker, stop, common }, spec, format, output)
    }
}

/// Answers on their way to an output of any format.
pub trait Work {
    /// How many rows there will be, where that is known.
    fn rows(&self) -> Option<u64>;

    /// Answers, encodes and writes what follows a mark; `None` of an output that nothing is kept of until it is complete.
    fn run<E: Encode, S: Sink<E::Batch>>(
        self,
        from: Option<Mark>,
        encoder: E,
        sink: S,
    ) -> Result<(), Failure>;
}

/// Does the work in a format.
pub fn write(work: impl Work, spec: Spec<'_>, format: Format, output: Output) -> Result<(), Failure> {
    let from = output.mark();
    match format {
        Format::Csv => {
            let mut header = Vec::new();
            csv::header(&spec.columns, &spec.kept, &mut header);
            work.run(from, CsvRows(spec), TextSink::new(output, &header, 0, b"")?)
        }
        Format::JsonLines => work.run(from, JsonRows::lines(spec), TextSink::new(output, b"", 0, b"")?),
        Format::Json => {
            let sink = TextSink::new(output, b"[\n", JsonRows::SEPARATOR.len(), b"\n]\n")?;
            work.run(from, JsonRows::array(spec), sink)
        }
        Format::Npy => {
            let rows = work.rows();
            let encoder = NpyRows::new(spec);
            let sink = NpySink::new(output, encoder.header(), rows)?;
            work.run(from, encoder, sink)
        }
        Format::Parquet => {
            let rows = ParquetRows::new(spec);
            let sink = ParquetSink::new(output, &rows)?;
            work.run(from, rows, sink)
        }
    }
}

/// A source and what is asked of its rows.
struct Ask<'a> {
    source: Box<dyn Source>,
    asker: Asker<'a>,
    /// Whether a bad row ends the batch.
    stop: bool,
    common: Common,
}

impl Work for Ask<'_> {
    fn rows(&self) -> Option<u64> {
        self.source.rows().filter(|_| self.asker.asked.is_one_each())
    }

    fn run<E: Encode, S: Sink<E::Batch>>(
        self,
        from: Option<Mark>,
        encoder: E,
        sink: S,
    ) -> Result<(), Failure> {
        let Ask { mut source, asker, stop, common } = self;
        let rows_are = asker.asked.of();
        let progress = Progress::new(source.size(), common.quiet);
        let place = source.place();
        let keeps = from.is_some();
        let Mark { mut done, answered, mut tally } = from.unwrap_or_default();
        let mut answered = answered as usize;
        if done > 0 {
            source.go_to(done, tally.span)?;
            progress.advance(done, String::new());
        }
        let mut chunks = ReadAhead::new(source);
        let question = Question { asker, encoder, keeps };
        let mut output = Background::new(sink);
        let mut measure = Measure::default();
        let (mut now, mut ahead) = (Decoded::default(), Decoded::default());
        while now.advance(&mut ahead, &mut chunks, stop)? {
            let (parts, next) = (now.parts(), chunks.ready());
            let rows = parts.iter().map(Rows::len).sum::<usize>().max(1);
            let mut left = now.size();
            let write = |window, so_far: &Done| {
                // A chunk of slow questions takes long by itself.
                let share = (now.size() as f64 * (so_far.rows as f64 / rows as f64)) as u64;
                let words = format!("{} {}", count(tally.rows as usize + so_far.rows), rows_are.many());
                progress.advance(share.saturating_sub(now.size() - left), words);
                left = now.size() - share;
                let tally = Tally { hits: tally.hits + so_far.hits, ..tally.clone() };
                output.write(window, Mark { done, answered: so_far.rows as u64, tally })
            };
            // Decoded meanwhile, by whichever thread has no more rays to ask of this chunk.
            let hits = rayon::in_place_scope(|scope| {
                if let Some(chunk) = next {
                    scope.spawn(|_| ahead.take(chunk, stop));
                }
                question.answer(parts, tally.rows, take(&mut answered), stop, &mut measure, write)
            })?;
            tally.hits += hits;
            done += now.size();
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
            let words =
                format!("{} {}, {} hits", count(tally.rows as usize), rows_are.many(), count(tally.hits));
            progress.advance(left, words);
        }
        output.finish()?;
        drop(progress);
        if let Some(first) = tally.first_invalid.filter(|_| !common.quiet) {
            let rows = counted(tally.invalid, "invalid row");
            let misses = if tally.invalid == 1 { "a miss" } else { "misses" };
            complain(&format!("{first} ({rows} in all, counted as {misses})"));
        }
        Ok(())
    }
}
