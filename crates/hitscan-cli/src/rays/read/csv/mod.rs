//! Rays as CSV: names of columns, then a row a ray.

mod plain;

use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

use csv::{ByteRecord, ReaderBuilder};
use hitscan::Ray;

use super::blocks::{Block, Blocks, record_ends};
use super::{Chunk, Input, Place, Request, Source};
use crate::failure::Failure;
use crate::rays::cell::{Kept, KeptField, Kind};
use crate::rays::fields::{Fields, Row};
use crate::rays::flaw::Flaw;
use crate::rays::rows::Rows;
use plain::Roles;

/// A CSV file.
pub struct Csv {
    place: String,
    size: Option<u64>,
    blocks: Blocks<Box<dyn Read + Send>>,
    layout: Arc<Layout>,
    /// Lines of the header.
    header_lines: u64,
}

/// What the header says.
#[derive(Debug)]
struct Layout {
    fields: Fields,
    /// How many columns there are.
    width: usize,
    roles: Roles,
    kept: Vec<KeptField>,
}

impl Csv {
    /// Reads the header.
    pub fn open(input: Input, request: &Request<'_>) -> Result<Csv, Failure> {
        let (place, size) = (input.place.clone(), input.size);
        let mut blocks = Blocks::new(input.bytes());
        let start = blocks.peek().map_err(|error| Failure::reading(&place, &error))?;
        let header = Header::parse(start, &place)?;
        let at_header = |error| Failure::new(format_args!("{place}:{}", header.line), error);
        let fields = Fields::find(&header.names, request.keep).map_err(at_header)?;
        let kept = fields.kept.iter().map(|&at| {
            let kind = if request.typed() {
                kind_of(&start[header.end..], at, header.names.len())
            } else {
                Kind::Text
            };
            KeptField { name: header.names[at].clone(), kind, width: None, stored: None }
        });
        let (kept, width) = (kept.collect(), header.names.len());
        let layout = Arc::new(Layout { roles: Roles::new(&fields, width), kept, fields, width });
        let header_lines = newlines(&start[..header.end]);
        let end = header.end;
        blocks.skip(end);
        Ok(Csv { place, size, blocks, layout, header_lines })
    }
}

impl Source for Csv {
    fn kept(&self) -> &[KeptField] {
        &self.layout.kept
    }

    fn next(&mut self) -> Result<Option<Box<dyn Chunk>>, Failure> {
        let block = self.blocks.next(record_ends).map_err(|error| unreadable(&self.place, &error))?;
        Ok(block.map(|block| Box::new(Records { block, layout: self.layout.clone() }) as Box<dyn Chunk>))
    }

    fn place(&self) -> Place {
        Place::Lines { file: self.place.clone(), first: self.header_lines + 1 }
    }

    fn size(&self) -> Option<u64> {
        self.size
    }

    fn rows(&self) -> Option<u64> {
        None
    }
}

/// Whole records.
struct Records {
    block: Block,
    layout: Arc<Layout>,
}

impl Chunk for Records {
    fn parts(&self) -> usize {
        self.block.pieces.len()
    }

    fn size(&self) -> u64 {
        self.block.bytes.len() as u64
    }

    fn decode(&self, part: usize, stop: bool, rows: &mut Rows) {
        let range: Range<usize> = self.block.pieces[part].clone();
        let bytes = &self.block.bytes[range];
        let layout = &*self.layout;
        if rows.kept.len() != layout.kept.len() {
            rows.kept = layout.kept.iter().map(|field| Kept::new(field.kind)).collect();
        }
        rows.span = newlines(bytes);
        if memchr::memchr(b'"', bytes).is_some() {
            layout.records(bytes, 0, stop, rows);
            return;
        }
        let mut start = 0;
        let mut kept = vec![0..0; layout.kept.len()];
        for (line, end) in (0..).zip(memchr::memchr_iter(b'\n', bytes).chain([bytes.len()])) {
            let text = &bytes[start..end];
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            start = end + 1;
            if text.is_empty() {
                continue; // as behind the last line break
            }
            let go_on = match layout.roles.ray(text, &layout.fields, &mut kept) {
                Some(ray) => {
                    let ray = layout.keep(kept.iter().map(|at| &text[at.clone()]), ray, rows);
                    rows.push(ray, line, stop)
                }
                None => layout.records(text, line, stop, rows),
            };
            if !go_on {
                return;
            }
        }
    }
}

impl Layout {
    /// Appends records of every kind, which begin on this line; false where `stop` ended it.
    fn records(&self, bytes: &[u8], first_line: u64, stop: bool, rows: &mut Rows) -> bool {
        let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
        let mut record = ByteRecord::new();
        // Reading from memory cannot fail, and rows of any length are allowed here.
        while reader.read_byte_record(&mut record).unwrap_or(false) {
            let line = first_line + record.position().map_or(0, |position| position.line() - 1);
            let ray = if record.len() == self.width {
                self.fields.ray(&Record(&record))
            } else {
                Err(Flaw::Fields { found: record.len(), expected: self.width })
            };
            let kept = self.fields.kept.iter().map(|&at| record.get(at).unwrap_or_default());
            let ray = self.keep(kept, ray, rows);
            if !rows.push(ray, line, stop) {
                return false;
            }
        }
        true
    }

    /// Appends the fields that are carried over; one that does not fit its column is a flaw of the row.
    fn keep<'b>(
        &self,
        texts: impl Iterator<Item = &'b [u8]>,
        mut ray: Result<Ray, Flaw>,
        rows: &mut Rows,
    ) -> Result<Ray, Flaw> {
        for ((values, field), text) in rows.kept.iter_mut().zip(&self.kept).zip(texts) {
            let text = String::from_utf8_lossy(text);
            if !push(values, &text) && ray.is_ok() {
                let (column, text) = (field.name.clone(), text.into_owned());
                ray = Err(Flaw::Kept { column, text, kind: field.kind });
            }
        }
        ray
    }
}

/// Fields of one row.
struct Record<'a>(&'a ByteRecord);

impl Row for Record<'_> {
    fn number(&self, column: usize) -> Option<f64> {
        std::str::from_utf8(self.0.get(column)?.trim_ascii()).ok()?.parse().ok()
    }

    fn text(&self, column: usize) -> String {
        String::from_utf8_lossy(self.0.get(column).unwrap_or_default()).into_owned()
    }
}

/// The names of the columns.
struct Header {
    names: Vec<String>,
    line: u64,
    /// Where the rows begin.
    end: usize,
}

impl Header {
    fn parse(bytes: &[u8], place: &str) -> Result<Header, Failure> {
        const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
        let expected = "a ray file begins with the names of its columns";
        if bytes.is_empty() {
            return Err(Failure::new(place, format_args!("the file is empty; {expected}")));
        }
        let mark = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(&bytes[mark..]);
        let mut record = ByteRecord::new();
        if !reader.read_byte_record(&mut record).unwrap_or(false) {
            return Err(Failure::new(place, format_args!("has no header; {expected}")));
        }
        let names = record.iter().map(|name| String::from_utf8_lossy(name.trim_ascii()).into_owned());
        Ok(Header {
            names: names.collect(),
            line: record.position().map_or(1, csv::Position::line),
            end: mark + reader.position().byte() as usize,
        })
    }
}

/// What the first rows hold in a column: the narrowest kind that loses nothing.
fn kind_of(bytes: &[u8], column: usize, width: usize) -> Kind {
    /// Rows that are looked at.
    const ENOUGH: usize = 10_000;
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
    let mut record = ByteRecord::new();
    let mut kinds = vec![Kind::Int, Kind::Float, Kind::Bool];
    let (mut rows, mut values) = (0, 0);
    while rows < ENOUGH && reader.read_byte_record(&mut record).unwrap_or(false) {
        rows += 1;
        let text = record.get(column).filter(|_| record.len() == width).unwrap_or_default();
        let text = String::from_utf8_lossy(text);
        if text.trim().is_empty() {
            continue;
        }
        values += 1;
        kinds.retain(|&kind| push(&mut Kept::new(kind), &text));
    }
    if values == 0 { Kind::Text } else { kinds.first().copied().unwrap_or(Kind::Text) }
}

/// Appends a field to a column, as missing where it is empty or does not fit; false where it does not fit.
pub(super) fn push(values: &mut Kept, text: &str) -> bool {
    let word = text.trim();
    match values {
        Kept::Text(texts) | Kept::Json(texts) => {
            texts.push(text);
            true
        }
        Kept::Int(numbers) => {
            let number = word.parse().ok().filter(|_| !is_code(word));
            numbers.push(number);
            number.is_some() || word.is_empty()
        }
        Kept::Float(numbers) => {
            // A whole number that `f64` would round is no measurement.
            let rounds = || word.parse::<i128>().is_ok_and(|whole| whole.abs() > 1 << 53);
            let number = word.parse().ok().filter(|_| !is_code(word) && !rounds());
            numbers.push(number);
            number.is_some() || word.is_empty()
        }
        Kept::Bool(flags) => {
            let flag = match word {
                "true" | "True" | "TRUE" => Some(true),
                "false" | "False" | "FALSE" => Some(false),
                _ => None,
            };
            flags.push(flag);
            flag.is_some() || word.is_empty()
        }
    }
}

/// Whether digits are a name rather than a number: `007`, `+49`.
fn is_code(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word).as_bytes();
    matches!(digits, [b'0', b'0'..=b'9', ..] | [b'+', ..])
}

/// What keeps a block from being read; a row without end has its own words.
pub(super) fn unreadable(place: &str, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::InvalidData => Failure::new(place, error),
        _ => Failure::reading(place, error),
    }
}

pub(super) fn newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_lose_nothing() {
        let kind = |text: &str| kind_of(text.as_bytes(), 1, 2);
        assert_eq!(kind("0,1\n0,-20\n0,\n"), Kind::Int);
        assert_eq!(kind("0,1\n0,2.5\n"), Kind::Float);
        assert_eq!(kind("0,007\n0,1\n"), Kind::Text);
        assert_eq!(kind("0,true\n0,false\n"), Kind::Bool);
        assert_eq!((kind("0,\n"), kind("")), (Kind::Text, Kind::Text));
        assert_eq!(kind("0,9223372036854775808\n"), Kind::Text, "beyond 64 bits");
        assert_eq!(kind("0,1e300\n0,nan\n0,-0.5\n"), Kind::Float);
    }
}
