//! Rays as Apache Parquet: columns by name, slices of rows whatever the row groups are.
//!
//! A slice is read on one thread, column by column; only the columns that are needed are touched, and of them only
//! the pages at hand are in memory. Rows become rays, and columns what the output carries over, on all threads.

mod column;
pub mod damage;
mod keep;
mod meaning;
mod spool;
mod strict;

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::{SchemaDescriptor, Type};

use super::{Chunk, Input, Place, Request, Source};
use crate::failure::Failure;
use crate::rays::cell::KeptField;
use crate::rays::fields::{Fields, Row};
use crate::rays::flaw::Flaw;
use crate::rays::rows::Rows;
use column::{Column, Slice, physical};
use damage::guarded;
use keep::Carrier;
use meaning::Meaning;
use strict::Strict;

/// Rows of a slice.
const SLICE: usize = 1 << 17;

/// Bytes that the values of one column may have in a slice: a dictionary says a long one a hundred thousand times in no bytes at all.
const LONGEST: usize = 256 << 20;

/// Rows that one thread takes at a time.
const PART: usize = 4096;

/// A Parquet file.
pub struct Parquet {
    place: String,
    file: SerializedFileReader<Strict>,
    layout: Arc<Layout>,
    rows: u64,
    /// The row group that comes next.
    group: usize,
    /// The columns of the one before it.
    open: Vec<Column>,
    /// How many rows of that one are left.
    left: usize,
}

/// Which columns are read, and what for.
#[derive(Debug)]
struct Layout {
    fields: Fields,
    /// For each field of the schema, its place in `columns`, where it is read.
    places: Vec<Option<usize>>,
    columns: Vec<Leaf>,
    /// Each column that makes a ray: its place in `ox oy oz dx dy dz t_min t_max`, and in `columns`.
    roles: Vec<(usize, usize)>,
    kept: Vec<KeptField>,
    /// For each of `kept`, the place of its column, and how it is carried over.
    carriers: Vec<(usize, Carrier)>,
}

/// A column that is read.
#[derive(Debug)]
struct Leaf {
    /// Its place among the columns of the file, nested ones included.
    at: usize,
    name: String,
    meaning: Meaning,
}

impl Parquet {
    /// Reads what the file says of its columns.
    pub fn open(input: Input, request: &Request<'_>) -> Result<Parquet, Failure> {
        let place = input.place.clone();
        let reading = |error: io::Error| Failure::reading(&place, &error);
        let file = match input.size {
            Some(_) => File::open(request.name).map_err(reading)?,
            None => spool::spool(&mut *input.bytes()).map_err(reading)?,
        };
        if file.metadata().map_err(reading)?.len() == 0 {
            return Err(Failure::new(place, "the file is empty; expected Apache Parquet"));
        }
        let damaged = |error| Failure::new(&place, format_args!("{error}; expected Apache Parquet"));
        let file = guarded(|| SerializedFileReader::new(Strict(file))).map_err(damaged)?;
        let layout = Layout::new(file.metadata().file_metadata().schema_descr(), request);
        let layout = layout.map_err(|error| Failure::new(&place, error))?;
        let mut rows = 0u64;
        for (group, metadata) in file.metadata().row_groups().iter().enumerate() {
            layout.check_codecs(metadata).map_err(|error| Failure::new(&place, error))?;
            let count = u64::try_from(metadata.num_rows()).ok();
            rows = count.and_then(|count| rows.checked_add(count)).ok_or_else(|| {
                let found =
                    format_args!("row group {group} has {} rows; expected a count", metadata.num_rows());
                Failure::new(&place, found)
            })?;
        }
        Ok(Parquet { place, file, layout: Arc::new(layout), rows, group: 0, open: Vec::new(), left: 0 })
    }

    /// Opens the columns of the next row group.
    fn open_group(&mut self) -> Result<(), Failure> {
        let (group, columns) = (self.group, &self.layout.columns);
        self.group += 1;
        self.open.clear();
        self.left = usize::try_from(self.file.metadata().row_group(group).num_rows()).unwrap_or(0);
        if self.left == 0 {
            return Ok(());
        }
        let reader = guarded(|| self.file.get_row_group(group));
        let reader = reader.map_err(|error| self.damaged(group, None, &error))?;
        let schema = self.file.metadata().file_metadata().schema_descr();
        for leaf in columns {
            let opened =
                guarded(|| Ok(Column::new(reader.get_column_reader(leaf.at)?, &schema.column(leaf.at))));
            self.open.push(opened.map_err(|error| self.damaged(group, Some(leaf), &error))?);
        }
        Ok(())
    }

    /// The next rows of the row group that is open.
    fn slice(&mut self) -> Result<Slices, Failure> {
        let rows = self.left.min(SLICE);
        let mut slices = Vec::with_capacity(self.open.len());
        for at in 0..self.open.len() {
            let column = &mut self.open[at];
            let slice = guarded(|| column.read(rows));
            let found = slice.and_then(|slice| match slice.rows() {
                all if all == rows => Ok(slice),
                fewer => Err(format!("{} rows are missing", self.left - fewer)),
            });
            let leaf = &self.layout.columns[at];
            let slice = found.map_err(|error| self.damaged(self.group - 1, Some(leaf), &error))?;
            if slice.bytes() > LONGEST {
                let what = format_args!(
                    "{rows} rows have {} MB of '{}'; expected no more than {} MB in so many",
                    slice.bytes() >> 20,
                    leaf.name,
                    LONGEST >> 20
                );
                return Err(Failure::new(format_args!("{}: row group {}", self.place, self.group - 1), what));
            }
            slices.push(slice);
        }
        self.left -= rows;
        Ok(Slices { layout: self.layout.clone(), slices, rows })
    }

    fn damaged(&self, group: usize, leaf: Option<&Leaf>, error: &str) -> Failure {
        let column = leaf.map(|leaf| format!(", column '{}'", leaf.name)).unwrap_or_default();
        let what = format_args!("{error}; expected an undamaged file");
        Failure::new(format_args!("{}: row group {group}{column}", self.place), what)
    }
}

impl Source for Parquet {
    fn kept(&self) -> &[KeptField] {
        &self.layout.kept
    }

    fn go_to(&mut self, done: u64, _: u64) -> Result<(), Failure> {
        let groups = self.file.metadata().row_groups();
        let (mut group, mut left) = (0, done);
        while let Some(rows) = groups.get(group).map(|group| u64::try_from(group.num_rows()).unwrap_or(0))
            && rows <= left
        {
            (group, left) = (group + 1, left - rows);
        }
        self.group = group;
        if left == 0 || group == self.file.metadata().num_row_groups() {
            return Ok(());
        }
        self.open_group()?;
        let rows = left as usize; // less than the row group has
        self.left -= rows;
        for at in 0..self.open.len() {
            let column = &mut self.open[at];
            let skipped = guarded(|| column.skip(rows));
            let all = skipped.and_then(|skipped| match skipped {
                all if all == rows => Ok(()),
                fewer => Err(format!("{} rows are missing", rows - fewer)),
            });
            all.map_err(|error| self.damaged(group, Some(&self.layout.columns[at]), &error))?;
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Box<dyn Chunk>>, Failure> {
        while self.left == 0 {
            if self.group == self.file.metadata().num_row_groups() {
                return Ok(None);
            }
            self.open_group()?;
        }
        Ok(Some(Box::new(self.slice()?)))
    }

    fn stray_limits(&self) -> &[String] {
        &self.layout.fields.stray
    }

    fn place(&self) -> Place {
        Place::Rows { file: self.place.clone() }
    }

    fn size(&self) -> Option<u64> {
        Some(self.rows)
    }

    fn rows(&self) -> Option<u64> {
        Some(self.rows)
    }
}

impl Layout {
    /// Finds the columns; the error reads `WHAT; WHAT WAS EXPECTED`.
    fn new(schema: &SchemaDescriptor, request: &Request<'_>) -> Result<Layout, String> {
        let fields = schema.root_schema().get_fields();
        let names: Vec<&str> = fields.iter().map(|field| field.name()).collect();
        let found = Fields::find(request.of, &names, request.keep)?;
        let mut layout = Layout {
            places: vec![None; names.len()],
            columns: Vec::new(),
            roles: Vec::new(),
            kept: Vec::new(),
            carriers: Vec::new(),
            fields: found.clone(),
        };
        for (role, field) in found.of_ray() {
            let at = layout.place(schema, field)?;
            layout.roles.push((role, at));
            let leaf = &layout.columns[at];
            if !leaf.meaning.is_number() {
                let stored = physical(schema.column(leaf.at).physical_type());
                return Err(format!(
                    "column '{}' holds {} ({stored}); {} needs numbers",
                    leaf.name,
                    leaf.meaning.noun(),
                    request.of.one()
                ));
            }
        }
        for field in found.kept {
            let at = layout.place(schema, field)?;
            let descriptor = schema.column(layout.columns[at].at);
            let (carrier, kept) = Carrier::new(&descriptor, request.output);
            layout.kept.push(kept);
            layout.carriers.push((at, carrier));
        }
        Ok(layout)
    }

    /// Refuses columns that are compressed as the Parquet library is not built to read; the error reads
    /// `WHAT; WHAT WAS EXPECTED`.
    fn check_codecs(&self, group: &RowGroupMetaData) -> Result<(), String> {
        for leaf in &self.columns {
            let codec = match group.columns().get(leaf.at).map(ColumnChunkMetaData::compression) {
                Some(Compression::BROTLI(_)) => "brotli",
                Some(Compression::LZO) => "lzo",
                _ => continue,
            };
            let remedy = "write it with zstd, snappy, gzip, lz4 or none";
            return Err(format!(
                "column '{}' is compressed with {codec}, which is not read; {remedy}",
                leaf.name
            ));
        }
        Ok(())
    }

    /// The place in `columns` of a field of the schema, which is read from now on.
    fn place(&mut self, schema: &SchemaDescriptor, field: usize) -> Result<usize, String> {
        if let Some(at) = self.places[field] {
            return Ok(at);
        }
        let kind: &Type = &schema.root_schema().get_fields()[field];
        let leaf = (0..schema.num_columns()).find(|&leaf| schema.get_column_root_idx(leaf) == field);
        let flat = leaf.filter(|&leaf| kind.is_primitive() && schema.column(leaf).max_rep_level() == 0);
        let Some(leaf) = flat else {
            return Err(format!("column '{}' is nested; expected one value a row", kind.name()));
        };
        let meaning = Meaning::of(&schema.column(leaf));
        self.columns.push(Leaf { at: leaf, name: kind.name().to_owned(), meaning });
        self.places[field] = Some(self.columns.len() - 1);
        Ok(self.columns.len() - 1)
    }
}

/// Consecutive rows of one row group.
struct Slices {
    layout: Arc<Layout>,
    /// In the order of [`Layout::columns`].
    slices: Vec<Slice>,
    rows: usize,
}

impl Chunk for Slices {
    fn parts(&self) -> usize {
        self.rows.div_ceil(PART)
    }

    fn size(&self) -> u64 {
        self.rows as u64
    }

    fn decode(&self, part: usize, stop: bool, rows: &mut Rows) {
        let range: Range<usize> = part * PART..self.rows.min((part + 1) * PART);
        let Layout { fields, roles, kept, carriers, .. } = &*self.layout;
        if rows.kept.len() != kept.len() {
            let of = kept.iter().zip(carriers);
            rows.kept = of.map(|(field, (_, carrier))| carrier.no_values(field)).collect();
        }
        rows.span = range.len() as u64;
        // Where a ray is made of nothing but numbers, they are taken column by column; a flaw is told by its row.
        let mut numbers = [const { Cow::Borrowed(&[] as &[f64]) }; 8];
        for &(role, place) in roles {
            let meaning = self.layout.columns[place].meaning;
            numbers[role] = meaning.numbers(&self.slices[place], range.clone());
        }
        let [ox, oy, oz, dx, dy, dz, t_min, t_max] = numbers.each_ref().map(Cow::as_ref);
        for (at, row) in (0..).zip(range) {
            // A point has no direction.
            let ray = [ox, oy, oz, dx, dy, dz].map(|numbers| numbers.get(at).copied().unwrap_or_default());
            let (t_min, t_max) = (t_min.get(at).unwrap_or(&0.0), t_max.get(at).unwrap_or(&f64::INFINITY));
            let mut ray = if ray.iter().all(|x| x.is_finite()) && !t_min.is_nan() && !t_max.is_nan() {
                fields.of_numbers(ray, *t_min, *t_max)
            } else {
                fields.ray(&SliceRow { slices: self, row })
            };
            for ((values, field), &(place, carrier)) in rows.kept.iter_mut().zip(kept).zip(carriers) {
                if let Err(error) = carrier.push(&self.slices[place], row, values)
                    && ray.is_ok()
                {
                    ray = Err(Flaw::Syntax(format!("{} {error}", field.name)));
                }
            }
            if !rows.push(ray, at as u64, stop) {
                return;
            }
        }
    }
}

/// One of the rows.
struct SliceRow<'a> {
    slices: &'a Slices,
    row: usize,
}

impl SliceRow<'_> {
    fn find(&self, field: usize) -> Option<(Meaning, &Slice)> {
        let place = self.slices.layout.places[field]?;
        Some((self.slices.layout.columns[place].meaning, &self.slices.slices[place]))
    }
}

impl Row for SliceRow<'_> {
    fn number(&self, field: usize) -> Option<f64> {
        let (meaning, slice) = self.find(field)?;
        meaning.number(slice, self.row)
    }

    fn is_missing(&self, field: usize) -> bool {
        self.find(field).is_none_or(|(_, slice)| slice.missing(self.row))
    }

    fn text(&self, field: usize) -> String {
        match self.find(field) {
            Some((meaning, slice)) if !slice.missing(self.row) => {
                meaning.words(slice, self.row).unwrap_or_default()
            }
            _ => "null".into(),
        }
    }
}
