//! Answers as NPY, NumPy's own format: one array of structures. What a column has no value for is NaN or -1; the `t` of a miss is
//! infinite.
//!
//! `facing` is 0 for the front, 1 for the back and -1 for a miss. The number of rows stands at the beginning. Where
//! it is not known there, room is left for it, and a file is mended at the end.

use super::{Encode, Sink, Spec};
use crate::failure::Failure;
use crate::output::Output;
use crate::rays::answers::Answers;
use crate::rays::cell::{Cell, KeptField, Kind};
use crate::rays::columns::{Column, side};
use crate::resume::mark::Mark;

/// Writes structures.
pub struct NpyRows<'a> {
    spec: Spec<'a>,
    types: Vec<Type>,
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    /// `<i8`; -1 is missing.
    Int,
    /// `<f8`; NaN is missing.
    Float,
    /// `|b1`; never missing.
    Bool,
    /// `|i1`: 1 is true, 0 is false, -1 is missing.
    Flag,
    /// `|i1`: 0 is the front, 1 the back, -1 is missing.
    Side,
    /// `<U` and so many characters; never missing.
    Text(usize),
}

impl<'a> NpyRows<'a> {
    /// Rows of these columns, which [`check`] found to have types.
    pub fn new(spec: Spec<'a>) -> NpyRows<'a> {
        let types = types(&spec.columns, &spec.kept).collect();
        NpyRows { spec, types }
    }

    /// What stands before the rows.
    pub fn header(&self) -> Header {
        let fields = self.spec.names().zip(&self.types);
        let fields = fields.map(|(name, kind)| format!("({}, '{}')", quoted(name), kind.descr()));
        let descr = fields.collect::<Vec<String>>().join(", ");
        Header { descr, row: self.types.iter().map(|kind| kind.size()).sum() }
    }
}

/// What stands before the rows: as many bytes for any number of them.
#[derive(Clone, Debug)]
pub struct Header {
    /// The fields, as Python writes them.
    descr: String,
    /// Bytes of a row.
    row: usize,
}

impl Header {
    fn bytes(&self, rows: u64) -> Vec<u8> {
        let (descr, shape) = (&self.descr, format!("({rows},), }}"));
        // Room for the most digits that there can be.
        let dict = format!("{{'descr': [{descr}], 'fortran_order': False, 'shape': {shape:26}");
        // Version 1 has two bytes for the header's length; version 3 has four, and characters beyond ASCII.
        let (version, start) = if dict.is_ascii() && dict.len() < 65_000 { (1, 10) } else { (3, 12) };
        let length = (start + dict.len() + 1).next_multiple_of(64) - start;
        let mut header = b"\x93NUMPY".to_vec();
        header.extend([version, 0]);
        header.extend_from_slice(&(length as u32).to_le_bytes()[..start - 8]);
        header.extend_from_slice(dict.as_bytes());
        header.resize(start + length - 1, b' ');
        header.push(b'\n');
        header
    }
}

/// Whether there are types for these columns; the error reads `WHAT; WHAT WAS EXPECTED`.
pub fn check(kept: &[KeptField]) -> Result<(), String> {
    match kept.iter().find(|field| field.kind == Kind::Text && field.width.is_none()) {
        None => Ok(()),
        Some(KeptField { name, .. }) => Err(format!(
            "'{name}' holds text of any length or nothing, and NPY has no type for that; \
             expected numbers, or another format"
        )),
    }
}

fn types(columns: &[Column], kept: &[KeptField]) -> impl Iterator<Item = Type> {
    let answer = columns.iter().map(|column| match column.kind() {
        Kind::Int => Type::Int,
        Kind::Float => Type::Float,
        Kind::Bool => Type::Bool,
        Kind::Text => Type::Side,
    });
    let kept = kept.iter().map(|field| match (field.kind, field.width) {
        (Kind::Int, _) => Type::Int,
        (Kind::Float, _) => Type::Float,
        (Kind::Bool, Some(_)) => Type::Bool,
        (Kind::Bool, None) => Type::Flag,
        (Kind::Text, width) => Type::Text(width.unwrap_or(1)),
    });
    answer.chain(kept)
}

impl Type {
    fn descr(self) -> String {
        match self {
            Type::Int => "<i8".into(),
            Type::Float => "<f8".into(),
            Type::Bool => "|b1".into(),
            Type::Flag | Type::Side => "|i1".into(),
            Type::Text(width) => format!("<U{width}"),
        }
    }

    fn size(self) -> usize {
        match self {
            Type::Int | Type::Float => 8,
            Type::Bool | Type::Flag | Type::Side => 1,
            Type::Text(width) => 4 * width,
        }
    }

    fn append(self, cell: Cell<'_>, out: &mut Vec<u8>) {
        const MISSING: u8 = -1i8 as u8;
        match (self, cell) {
            (Type::Int, Cell::Int(number)) => out.extend_from_slice(&number.to_le_bytes()),
            (Type::Int, _) => out.extend_from_slice(&(-1i64).to_le_bytes()),
            (Type::Float, Cell::Float(number)) => out.extend_from_slice(&number.to_le_bytes()),
            (Type::Float, _) => out.extend_from_slice(&f64::NAN.to_le_bytes()),
            (Type::Bool | Type::Flag, Cell::Bool(flag)) => out.push(u8::from(flag)),
            (Type::Bool, _) => out.push(0),
            (Type::Side, Cell::Text(text)) => out.push(u8::from(text == side(hitscan::Face::Back))),
            (Type::Flag | Type::Side, _) => out.push(MISSING),
            (Type::Text(width), cell) => {
                let text = if let Cell::Text(text) = cell { text } else { "" };
                let end = out.len() + self.size();
                text.chars().take(width).for_each(|c| out.extend_from_slice(&u32::from(c).to_le_bytes()));
                out.resize(end, 0);
            }
        }
    }
}

/// Text as Python writes it, in ASCII where it is ASCII.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("'");
    for c in text.chars() {
        match c {
            '\'' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted += &format!("\\u{:04x}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted + "'"
}

impl Encode for NpyRows<'_> {
    type Batch = Vec<u8>;

    fn encode(&self, answers: &Answers<'_>, batch: &mut Vec<u8>) {
        answers.for_each(|line| {
            let cells = self.spec.cells(answers, line);
            cells.zip(&self.types).for_each(|(cell, kind)| kind.append(cell, batch));
        });
    }
}

/// Writes rows behind a header.
#[derive(Debug)]
pub struct NpySink {
    output: Output,
    header: Header,
    /// Rows that the header promises.
    promised: u64,
    /// Bytes of rows that were written.
    written: u64,
}

impl NpySink {
    /// Writes the header, where the output does not go on behind it; `rows` is the number of rows, which only an output
    /// that [`Output::mends`] may leave open.
    pub fn new(mut output: Output, header: Header, rows: Option<u64>) -> Result<NpySink, Failure> {
        let promised = rows.unwrap_or(0);
        let start = header.bytes(promised);
        let written = match output.resumed() {
            Some(state) => state.length.saturating_sub(start.len() as u64),
            None => output.write(&start).map(|()| 0)?,
        };
        Ok(NpySink { output, header, promised, written })
    }
}

impl Sink<Vec<u8>> for NpySink {
    fn write(&mut self, batch: &mut Vec<u8>) -> Result<(), Failure> {
        self.written += batch.len() as u64;
        self.output.write(batch)
    }

    fn mark(&mut self, mark: Mark) -> Result<(), Failure> {
        match self.output.due() {
            Some(begun) => self.output.save(begun, &mark, Vec::new()),
            None => Ok(()),
        }
    }

    fn finish(mut self) -> Result<(), Failure> {
        let rows = self.written / self.header.row as u64;
        if rows != self.promised {
            self.output.mend(&self.header.bytes(rows))?;
        }
        self.output.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_have_one_length_and_versions() {
        let header = Header { descr: "('ray', '<i8')".into(), row: 8 };
        let (few, many) = (header.bytes(0), header.bytes(u64::MAX));
        assert_eq!((few.len(), many.len()), (128, 128));
        assert_eq!(&few[..10], b"\x93NUMPY\x01\0\x76\0");
        assert!(many.starts_with(b"\x93NUMPY\x01\0\x76\0{'descr': [('ray', '<i8')], 'fortran_order': False, 'shape': (18446744073709551615,), } "));
        assert!(few.ends_with(b" \n"));
        for descr in ["('\u{fc}', '<i8')".to_owned(), "('a', '<i8')".repeat(6_000)] {
            let header = Header { descr, row: 8 }.bytes(7);
            assert_eq!((header[6], header.len() % 64), (3, 0));
            assert_eq!(u32::from_le_bytes(header[8..12].try_into().unwrap()) as usize, header.len() - 12);
        }
    }

    #[test]
    fn values_and_what_is_missing() {
        let bytes = |kind: Type, cell| {
            let mut out = Vec::new();
            kind.append(cell, &mut out);
            assert_eq!(out.len(), kind.size());
            out
        };
        assert_eq!(bytes(Type::Int, Cell::Missing), (-1i64).to_le_bytes());
        assert_eq!(bytes(Type::Float, Cell::Float(f64::INFINITY)), f64::INFINITY.to_le_bytes());
        assert_eq!(bytes(Type::Float, Cell::Missing), f64::NAN.to_le_bytes());
        assert_eq!(
            (bytes(Type::Flag, Cell::Missing), bytes(Type::Flag, Cell::Bool(true))),
            (vec![255], vec![1])
        );
        let sides =
            [Cell::Text("front"), Cell::Text("back"), Cell::Missing].map(|cell| bytes(Type::Side, cell));
        assert_eq!(sides, [[0], [1], [255]]);
        assert_eq!(bytes(Type::Text(2), Cell::Text("ü")), [0xfc, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(bytes(Type::Text(1), Cell::Text("abc")), [b'a', 0, 0, 0]);
        assert_eq!(quoted("it's \\ a\n\u{fc}"), r"'it\'s \\ a\u000a\u{fc}'".replace(r"\u{fc}", "ü"));
    }
}
