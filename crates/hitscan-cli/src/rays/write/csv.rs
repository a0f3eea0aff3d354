//! Answers as CSV. Floats read back to the same bits, in the fewest digits that do so.

use super::{Encode, Spec};
use crate::rays::answers::Answers;
use crate::rays::cell::{Cell, KeptField, text_of_json};
use crate::rays::columns::Column;

/// Writes rows of chosen columns.
pub struct CsvRows<'a>(pub Spec<'a>);

impl Encode for CsvRows<'_> {
    type Batch = Vec<u8>;

    fn encode(&self, answers: &Answers<'_>, batch: &mut Vec<u8>) {
        answers.for_each(|line| row(self.0.cells(answers, line), batch));
    }
}

/// Appends the names of all columns.
pub fn header(columns: &[Column], kept: &[KeptField], out: &mut Vec<u8>) {
    let kept = kept.iter().map(|field| field.name.as_str());
    row(columns.iter().map(|column| column.name()).chain(kept).map(Cell::Text), out);
}

/// Appends a row, in quotes where it is one empty cell: readers pass over an empty line, and all rows behind it would move up.
pub fn row<'c>(cells: impl Iterator<Item = Cell<'c>>, out: &mut Vec<u8>) {
    let start = out.len();
    for (at, cell) in cells.enumerate() {
        if at > 0 {
            out.push(b',');
        }
        match cell {
            Cell::Int(number) => append_integer(number, out),
            Cell::Float(number) => append_float(number, out),
            Cell::Bool(flag) => out.extend_from_slice(if flag { b"true" } else { b"false" }),
            Cell::Text(text) | Cell::Untyped(text) => append_field(text.as_bytes(), out),
            Cell::Json(value) => append_field(text_of_json(value).as_bytes(), out),
            Cell::Missing => {}
        }
    }
    if out.len() == start {
        out.extend_from_slice(b"\"\"");
    }
    out.push(b'\n');
}

/// Appends digits.
pub fn append_integer(number: i64, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// The shortest digits that read back to the same bits; whole numbers without `.0`, as `{}` has them.
pub fn append_float(x: f64, out: &mut Vec<u8>) {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format(x);
    out.extend_from_slice(text.strip_suffix(".0").unwrap_or(text).as_bytes());
}

/// Appends a field, in quotes where it needs them.
fn append_field(field: &[u8], out: &mut Vec<u8>) {
    if memchr::memchr3(b',', b'"', b'\n', field).is_none() && !field.contains(&b'\r') {
        out.extend_from_slice(field);
        return;
    }
    out.push(b'"');
    for &byte in field {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_read_back_to_the_same_bits() {
        let mut bits = 0x9e37_79b9_7f4a_7c15u64;
        let wild = std::iter::repeat_with(move || {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            f64::from_bits(bits)
        });
        let plain = [0.0, -0.0, 1.0, -2.5, 0.1, 1e16, 1e-7, f64::MAX, f64::MIN_POSITIVE, 5e-324];
        for x in plain.into_iter().chain(wild.filter(|x| x.is_finite()).take(10_000)) {
            let mut out = Vec::new();
            append_float(x, &mut out);
            let text = String::from_utf8(out).unwrap();
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), x.to_bits(), "{text}");
        }
    }

    #[test]
    fn no_row_is_an_empty_line() {
        let text = |cells: &[Cell<'_>]| {
            let mut out = b"x\n".to_vec();
            row(cells.iter().copied(), &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!([text(&[Cell::Missing]), text(&[Cell::Text("")])], ["x\n\"\"\n"; 2]);
        assert_eq!(text(&[Cell::Missing, Cell::Text("")]), "x\n,\n");
    }

    #[test]
    fn whole_numbers_are_plain() {
        let text = |x| {
            let mut out = Vec::new();
            append_float(x, &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!([text(3.0), text(-0.0), text(0.25)], ["3", "-0", "0.25"]);
    }
}
