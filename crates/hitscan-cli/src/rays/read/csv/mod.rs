//! Rays as CSV: names of columns, then a row a ray.

mod plain;
pub mod records;

use std::borrow::Cow;

use hitscan::Ray;

use super::blocks::{Ends, newlines};
use super::kinds::{ENOUGH, Kinds, push};
use super::text::{self, Text};
use super::{Input, Request};
use crate::failure::Failure;
use crate::rays::cell::{Kept, KeptField, Kind, Texts};
use crate::rays::fields::{Fields, Row};
use crate::rays::flaw::Flaw;
use crate::rays::rows::Rows;
use plain::Roles;
use records::{Header, records};

/// Reads the header of a CSV file.
pub fn open(input: Input, request: &Request<'_>) -> Result<Text<Layout>, Failure> {
    let mut lines = input.lines();
    let header = Header::read(&mut lines, request.of.file())?;
    let (place, start) = lines.peek()?;
    let at_header = |error| Failure::new(format_args!("{place}:{}", header.line), error);
    let needed = request.of.needed();
    if let Some(flaw) = header.flaw(needed).or_else(|| header.capitals(needed)) {
        return Err(at_header(flaw));
    }
    let fields = Fields::find(request.of, &header.names, request.keep).map_err(at_header)?;
    let (width, rows) = (header.names.len(), &start[header.end..]);
    let kinds =
        if request.typed() { kinds(rows, &fields.kept, width) } else { vec![Kind::Text; fields.kept.len()] };
    let kept = fields.kept.iter().zip(kinds).map(|(&at, kind)| {
        let name = header.names[at].clone();
        KeptField { name, kind, width: None, stored: None }
    });
    let (roles, typed) = (Roles::new(&fields, width), request.typed());
    let layout = Layout { roles, kept: kept.collect(), typed, fields, width };
    let header_lines = newlines(&start[..header.end]);
    lines.skip(header.end);
    Ok(Text::new(lines, layout, header_lines))
}

/// What the header says.
#[derive(Debug)]
pub struct Layout {
    fields: Fields,
    /// How many columns there are.
    width: usize,
    roles: Roles,
    kept: Vec<KeptField>,
    /// Whether each column of the output has values of one kind.
    typed: bool,
}

impl text::Layout for Layout {
    const ENDS: Ends = Ends::Records;

    fn stray_limits(&self) -> &[String] {
        &self.fields.stray
    }

    fn kept(&self) -> &[KeptField] {
        &self.kept
    }

    fn no_values(&self, field: &KeptField) -> Kept {
        if self.typed { Kept::new(field.kind) } else { Kept::Untyped(Texts::default()) }
    }

    fn decode(&self, bytes: &[u8], stop: bool, rows: &mut Rows) {
        if memchr::memchr(b'"', bytes).is_some() {
            self.records(bytes, 0, stop, rows);
            return;
        }
        let (mut start, mut fields) = (0, Vec::new());
        let mut kept = vec![0..0; self.kept.len()];
        for (line, end) in (0..).zip(memchr::memchr_iter(b'\n', bytes).chain([bytes.len()])) {
            let text = &bytes[start..end];
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            start = end + 1;
            if text.is_empty() {
                continue; // as behind the last line break
            }
            let go_on = match self.roles.ray(text, &self.fields, &mut kept) {
                Some(ray) => {
                    let ray = self.keep(kept.iter().map(|at| &text[at.clone()]), ray, rows);
                    rows.push(ray, line, stop)
                }
                // A reader for a single line would take longer than all else that is done about a ray.
                None if memchr::memchr(b'\r', text).is_none() => {
                    fields.clear();
                    fields.extend(text.split(|&byte| byte == b','));
                    self.row(fields.len(), |at| fields.get(at).copied(), line, stop, rows)
                }
                None => self.records(text, line, stop, rows),
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
        records(bytes, |line, record| {
            self.row(record.len(), |at| record.get(at), first_line + line, stop, rows)
        })
    }

    /// Appends the row of so many fields; false where `stop` ended it.
    fn row<'f>(
        &self,
        count: usize,
        field: impl Fn(usize) -> Option<&'f [u8]>,
        line: u64,
        stop: bool,
        rows: &mut Rows,
    ) -> bool {
        let kept = self.fields.kept.iter().map(|&at| field(at).unwrap_or_default());
        let ray = if count == self.width {
            self.fields.ray(&Record(&field))
        } else {
            Err(Flaw::Fields { found: count, expected: self.width })
        };
        let ray = self.keep(kept, ray, rows);
        rows.push(ray, line, stop)
    }

    /// Appends the fields that are carried over; one that does not fit its column is a flaw of the row.
    fn keep<'b>(
        &self,
        texts: impl Iterator<Item = &'b [u8]>,
        mut ray: Result<Ray, Flaw>,
        rows: &mut Rows,
    ) -> Result<Ray, Flaw> {
        for ((values, field), bytes) in rows.kept.iter_mut().zip(&self.kept).zip(texts) {
            let text = String::from_utf8_lossy(bytes);
            let fits = push(values, &text);
            if ray.is_err() {
                continue;
            }
            if let Cow::Owned(_) = text {
                ray = Err(Flaw::Syntax(format!("{} is not UTF-8; text is kept as UTF-8", field.name)));
            } else if !fits {
                let (column, text) = (field.name.clone(), text.into_owned());
                ray = Err(Flaw::Kept { column, text, kind: field.kind });
            }
        }
        ray
    }
}

/// The fields of one row.
struct Record<F>(F);

impl<'f, F: Fn(usize) -> Option<&'f [u8]>> Row for Record<F> {
    fn number(&self, column: usize) -> Option<f64> {
        std::str::from_utf8((self.0)(column)?.trim_ascii()).ok()?.parse().ok()
    }

    fn is_missing(&self, column: usize) -> bool {
        (self.0)(column).is_none_or(|field| field.trim_ascii().is_empty())
    }

    fn text(&self, column: usize) -> String {
        String::from_utf8_lossy((self.0)(column).unwrap_or_default()).into_owned()
    }
}

/// What the first rows hold in some columns.
fn kinds(bytes: &[u8], columns: &[usize], width: usize) -> Vec<Kind> {
    let mut kinds: Vec<Kinds> = columns.iter().map(|_| Kinds::new()).collect();
    let mut rows = 0;
    records(bytes, |_, record| {
        if record.len() == width {
            for (kinds, &column) in kinds.iter_mut().zip(columns) {
                kinds.see(&String::from_utf8_lossy(record.get(column).unwrap_or_default()));
            }
        }
        rows += 1;
        rows < ENOUGH
    });
    kinds.iter().map(Kinds::guessed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_the_kinds_of_their_first_rows() {
        let text = "0,1,a\n0,-20,\n0,\n0,,\"b,\n\"\n";
        assert_eq!(kinds(text.as_bytes(), &[1, 2, 0], 3), [Kind::Int, Kind::Text, Kind::Int]);
        assert_eq!(kinds(b"", &[0], 1), [Kind::Text]);
    }
}
