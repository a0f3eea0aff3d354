//! Rays as NPY, NumPy's own format: an array of six or eight columns, or of structures with named fields.

mod dtype;
mod header;
mod literal;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use super::{Chunk, Input, Place, Request, Source};
use crate::failure::Failure;
use crate::rays::cell::{Kept, KeptField};
use crate::rays::fields::{Fields, Row};
use crate::rays::flaw::Flaw;
use crate::rays::rows::Rows;
use dtype::Field;
use header::Header;

/// Bytes of a chunk, unless a single row has more, and its rows at most.
const CHUNK_BYTES: usize = 8 << 20;
const CHUNK_ROWS: usize = 1 << 17;

/// Rows that one thread takes at a time.
const PART_ROWS: usize = 4096;

/// A NPY file.
pub struct Npy {
    place: String,
    order: Order,
    layout: Arc<Layout>,
    /// Rows that have been read.
    done: u64,
}

/// What follows what, and where it comes from.
enum Order {
    /// Row after row.
    Rows(Box<dyn Read + Send>),
    /// Column after column, in a file, so that a part of each can be read.
    Columns(File),
}

#[derive(Debug)]
struct Layout {
    header: Header,
    fields: Fields,
    kept: Vec<KeptField>,
}

impl Npy {
    /// Reads the header.
    pub fn open(input: Input, request: &Request<'_>) -> Result<Npy, Failure> {
        let (place, size) = (input.place.clone(), input.size);
        let mut bytes = input.bytes();
        let header = Header::read(&mut bytes, &place, request.of)?;
        let wrong = |what: String| Failure::new(&place, what);
        let names: Vec<&str> = header.fields.iter().map(|field| field.name.as_str()).collect();
        let fields = Fields::find(request.of, &names, request.keep).map_err(wrong)?;
        for (_, at) in fields.of_ray() {
            let Field { name, dtype, .. } = &header.fields[at];
            if !dtype.is_number() {
                let one = request.of.one();
                return Err(wrong(format!(
                    "{name} is of the type '{}'; {one} needs numbers of up to 8 bytes",
                    dtype.name
                )));
            }
        }
        let kept = fields.kept.iter().map(|&at| {
            let Field { name, dtype, .. } = &header.fields[at];
            let unknown = || {
                wrong(format!(
                    "{name} is of the type '{}'; --keep needs numbers, bool or fixed text",
                    dtype.name
                ))
            };
            let kind = dtype.kind().ok_or_else(unknown)?;
            Ok(KeptField { name: name.clone(), kind, width: Some(dtype.width()), stored: None })
        });
        let kept = kept.collect::<Result<_, Failure>>()?;
        let (promised, expected) = (header.end + header.bytes(), "expected as many as the header promises");
        match size {
            Some(size) if size < promised => {
                let rows = size.saturating_sub(header.end) / header.size as u64;
                return Err(wrong(format!("has {rows} of {} rows; {expected}", header.rows)));
            }
            Some(size) if size > promised => return Err(longer(&place)),
            _ => {}
        }
        let order = match (header.fortran, size) {
            (false, _) => Order::Rows(bytes),
            (true, Some(_)) => {
                Order::Columns(File::open(request.name).map_err(|error| Failure::reading(&place, &error))?)
            }
            (true, None) => {
                let remedy = "expected a file, or rows in C order (numpy.ascontiguousarray)";
                return Err(wrong(format!(
                    "is in Fortran order, which a pipe cannot give row by row; {remedy}"
                )));
            }
        };
        Ok(Npy { place, order, layout: Arc::new(Layout { header, fields, kept }), done: 0 })
    }
}

fn longer(place: &str) -> Failure {
    Failure::new(place, "goes on behind its last row; expected one array and nothing else")
}

impl Source for Npy {
    fn kept(&self) -> &[KeptField] {
        &self.layout.kept
    }

    fn go_to(&mut self, done: u64, _: u64) -> Result<(), Failure> {
        let header = &self.layout.header;
        self.done = (done / header.size as u64).min(header.rows);
        if let Order::Rows(input) = &mut self.order {
            let file = File::open(&self.place).and_then(|mut file| {
                file.seek(SeekFrom::Start(header.end + self.done * header.size as u64))?;
                Ok(file)
            });
            *input = Box::new(file.map_err(|error| Failure::reading(&self.place, &error))?);
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Box<dyn Chunk>>, Failure> {
        let header = &self.layout.header;
        let most = (CHUNK_BYTES / header.size).clamp(1, CHUNK_ROWS);
        let wanted = (header.rows - self.done).min(most as u64) as usize;
        let mut bytes = Vec::with_capacity(wanted * header.size);
        let read = match &mut self.order {
            Order::Rows(input) if wanted == 0 => match input.take(1).read_to_end(&mut bytes) {
                Ok(0) => return Ok(None),
                Ok(_) => return Err(longer(&self.place)),
                Err(error) => Err(error),
            },
            Order::Rows(input) => input.take((wanted * header.size) as u64).read_to_end(&mut bytes),
            Order::Columns(_) if wanted == 0 => return Ok(None),
            Order::Columns(file) => read_columns(file, header, self.done, wanted, &mut bytes),
        };
        let read = read.map_err(|error| Failure::reading(&self.place, &error))?;
        let rows = read / header.size;
        let rows = if header.fortran && rows < wanted { 0 } else { rows };
        if rows == 0 {
            let what = format_args!(
                "has {} of {} rows; expected as many as the header promises",
                self.done, header.rows
            );
            return Err(Failure::new(&self.place, what));
        }
        self.done += rows as u64;
        Ok(Some(Box::new(Table { bytes, rows, layout: self.layout.clone() })))
    }

    fn stray_limits(&self) -> &[String] {
        &self.layout.fields.stray
    }

    fn place(&self) -> Place {
        Place::Rows { file: self.place.clone() }
    }

    fn size(&self) -> Option<u64> {
        Some(self.layout.header.bytes())
    }

    fn rows(&self) -> Option<u64> {
        Some(self.layout.header.rows)
    }
}

/// Appends a part of each column.
fn read_columns(
    file: &mut File,
    header: &Header,
    first: u64,
    rows: usize,
    bytes: &mut Vec<u8>,
) -> io::Result<usize> {
    let mut read = 0;
    for field in &header.fields {
        let (start, size) = (field.offset as u64 * header.rows, field.dtype.size);
        file.seek(SeekFrom::Start(header.end + start + first * size as u64))?;
        read += file.by_ref().take((rows * size) as u64).read_to_end(bytes)?;
    }
    Ok(read)
}

/// Consecutive rows, or the same part of each column.
struct Table {
    bytes: Vec<u8>,
    rows: usize,
    layout: Arc<Layout>,
}

impl Table {
    fn value(&self, field: &Field, row: usize) -> &[u8] {
        let start = match self.layout.header.fortran {
            true => field.offset * self.rows + row * field.dtype.size,
            false => row * self.layout.header.size + field.offset,
        };
        &self.bytes[start..start + field.dtype.size]
    }
}

impl Chunk for Table {
    fn parts(&self) -> usize {
        self.rows.div_ceil(PART_ROWS)
    }

    fn size(&self) -> u64 {
        (self.rows * self.layout.header.size) as u64
    }

    fn decode(&self, part: usize, stop: bool, rows: &mut Rows) {
        let Layout { header, fields, kept } = &*self.layout;
        if rows.kept.len() != kept.len() {
            rows.kept = kept.iter().map(|field| Kept::new(field.kind)).collect();
        }
        let first = part * PART_ROWS;
        let end = self.rows.min(first + PART_ROWS);
        rows.span = (end - first) as u64;
        for row in first..end {
            let mut ray = fields.ray(&Structure { table: self, row });
            for (values, &at) in rows.kept.iter_mut().zip(&fields.kept) {
                let field = &header.fields[at];
                if let Err(what) = field.dtype.keep(self.value(field, row), values)
                    && ray.is_ok()
                {
                    ray = Err(Flaw::Syntax(format!("{} {what}", field.name)));
                }
            }
            if !rows.push(ray, (row - first) as u64, stop) {
                return;
            }
        }
    }
}

/// The values of one row.
struct Structure<'a> {
    table: &'a Table,
    row: usize,
}

impl Row for Structure<'_> {
    fn number(&self, column: usize) -> Option<f64> {
        let field = &self.table.layout.header.fields[column];
        Some(field.dtype.number(self.table.value(field, self.row)))
    }

    fn is_missing(&self, _: usize) -> bool {
        false
    }

    fn text(&self, column: usize) -> String {
        self.number(column).unwrap_or_default().to_string().to_lowercase()
    }
}
