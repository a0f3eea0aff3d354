//! Answers as objects of JSON, one a line or all in an array. What JSON has no number for is null.

use serde::de::IgnoredAny;

use super::csv::append_integer;
use super::{Encode, Spec};
use crate::rays::answers::Answers;
use crate::rays::cell::Cell;

/// Writes objects.
pub struct JsonRows<'a> {
    spec: Spec<'a>,
    /// `"name":` for each column.
    names: Vec<Vec<u8>>,
    /// Before each object, and behind it.
    around: [&'static str; 2],
}

impl<'a> JsonRows<'a> {
    /// One object a line.
    pub fn lines(spec: Spec<'a>) -> JsonRows<'a> {
        JsonRows::new(spec, ["", "\n"])
    }

    /// Elements of an array, each behind [`JsonRows::SEPARATOR`].
    pub fn array(spec: Spec<'a>) -> JsonRows<'a> {
        JsonRows::new(spec, [JsonRows::SEPARATOR, ""])
    }

    /// What stands between the elements of an array.
    pub const SEPARATOR: &'static str = ",\n";

    fn new(spec: Spec<'a>, around: [&'static str; 2]) -> JsonRows<'a> {
        let quoted = |name| {
            let mut quoted = Vec::new();
            append_quoted(name, &mut quoted);
            quoted.push(b':');
            quoted
        };
        let names = spec.names().map(quoted).collect();
        JsonRows { spec, names, around }
    }
}

impl Encode for JsonRows<'_> {
    type Batch = Vec<u8>;

    fn encode(&self, answers: &Answers<'_>, batch: &mut Vec<u8>) {
        let [before, behind] = self.around;
        answers.for_each(|line| {
            batch.extend_from_slice(before.as_bytes());
            let mut open = b'{';
            for (name, cell) in self.names.iter().zip(self.spec.cells(answers, line)) {
                batch.push(open);
                batch.extend_from_slice(name);
                value(cell, batch);
                open = b',';
            }
            batch.push(b'}');
            batch.extend_from_slice(behind.as_bytes());
        });
    }
}

fn value(cell: Cell<'_>, out: &mut Vec<u8>) {
    match cell {
        Cell::Int(number) => append_integer(number, out),
        // With its point, or readers take -0 for a whole number, which has no sign at zero.
        Cell::Float(number) if number.is_finite() => {
            out.extend_from_slice(zmij::Buffer::new().format_finite(number).as_bytes());
        }
        Cell::Bool(flag) => out.extend_from_slice(if flag { b"true" } else { b"false" }),
        Cell::Untyped(text) if is_number(text) => out.extend_from_slice(text.as_bytes()),
        Cell::Text(text) | Cell::Untyped(text) => append_quoted(text, out),
        Cell::Json(text) => out.extend_from_slice(text.as_bytes()),
        Cell::Missing | Cell::Float(_) => out.extend_from_slice(b"null"),
    }
}

/// Appends a string of JSON.
fn append_quoted(text: &str, out: &mut Vec<u8>) {
    // Neither writing to memory nor writing text can fail.
    let _ = serde_json::to_writer(out, text);
}

/// Whether a field of CSV is a number in JSON's way of writing, and one that readers have room for.
fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        && text.ends_with(|c: char| c.is_ascii_digit())
        && serde_json::from_str::<IgnoredAny>(text).is_ok()
        && text.parse::<f64>().is_ok_and(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_json() {
        for (cell, expected) in [
            (Cell::Int(-3), "-3"),
            (Cell::Float(0.25), "0.25"),
            (Cell::Float(1e300), "1e+300"),
            (Cell::Float(f64::INFINITY), "null"),
            (Cell::Float(f64::NAN), "null"),
            (Cell::Float(-0.0), "-0.0"),
            (Cell::Float(3.0), "3.0"),
            (Cell::Float(5e-324), "5e-324"),
            (Cell::Text("12"), "\"12\""),
            (Cell::Text("12e3"), "\"12e3\""),
            (Cell::Untyped("12"), "12"),
            (Cell::Untyped("-1.50E+3"), "-1.50E+3"),
            (Cell::Untyped("123456789012345678901234567890"), "123456789012345678901234567890"),
            (Cell::Untyped("1e400"), "\"1e400\""),
            (Cell::Untyped("nan"), "\"nan\""),
            (Cell::Untyped("1."), "\"1.\""),
            (Cell::Untyped("-"), "\"-\""),
            (Cell::Untyped("1 2"), "\"1 2\""),
            (Cell::Untyped("\u{1}\u{7f}\r\\"), "\"\\u0001\u{7f}\\r\\\\\""),
            (Cell::Untyped("007"), "\"007\""),
            (Cell::Untyped("1 "), "\"1 \""),
            (Cell::Untyped("a \"b\"\n"), r#""a \"b\"\n""#),
            (Cell::Untyped(""), "\"\""),
            (Cell::Json("[1]"), "[1]"),
            (Cell::Missing, "null"),
        ] {
            let mut out = Vec::new();
            value(cell, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expected);
            assert!(serde_json::from_str::<serde_json::Value>(expected).is_ok());
        }
    }
}
