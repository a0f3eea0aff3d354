//! Records of CSV and the lines on which they begin.

use csv::{ByteRecord, ReaderBuilder};

use crate::failure::Failure;
use crate::rays::read::Lines;

/// Calls `each` with each record and the number of lines before it, up to the first for which that is false; whether
/// there was none. Blank lines are no records.
pub fn records(bytes: &[u8], mut each: impl FnMut(u64, &ByteRecord) -> bool) -> bool {
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
    let mut record = ByteRecord::new();
    // Reading from memory cannot fail, and rows of any length are allowed here.
    while reader.read_byte_record(&mut record).unwrap_or(false) {
        if !each(lines_before(bytes, &record), &record) {
            return false;
        }
    }
    true
}

/// The reader takes blank lines before a record, and the second half of the line end before it, for a part of it.
fn lines_before(bytes: &[u8], record: &ByteRecord) -> u64 {
    let Some(position) = record.position() else { return 0 };
    let behind = bytes.get(position.byte() as usize..).unwrap_or_default();
    let blank = behind.iter().take_while(|byte| matches!(byte, b'\n' | b'\r'));
    position.line() - 1 + blank.filter(|&&byte| byte == b'\n').count() as u64
}

/// The names of the columns.
pub struct Header {
    /// Without blanks around them.
    pub names: Vec<String>,
    /// The line that they stand on, from 1.
    pub line: u64,
    /// Bytes before the rows.
    pub end: usize,
}

impl Header {
    /// The first record of a file; `what` says what kind of file it is, for messages. Where a carriage return alone ends it, as old
    /// spreadsheets write, all lines of the file end so.
    pub fn read(lines: &mut Lines, what: &str) -> Result<Header, Failure> {
        let (place, start) = lines.peek()?;
        let header = Header::parse(start, place, what)?;
        let last = start[..header.end].last();
        if last != Some(&b'\r') || start.get(header.end) == Some(&b'\n') {
            return Ok(header);
        }
        lines.blocks.end_at_returns();
        let (place, start) = lines.peek()?;
        Header::parse(start, place, what)
    }

    /// The first record of some bytes, for messages about `place`.
    fn parse(bytes: &[u8], place: &str, what: &str) -> Result<Header, Failure> {
        let refused = |found: &str| {
            let expected = format_args!("{what} begins with the names of its columns");
            Failure::new(place, format_args!("{found}; {expected}"))
        };
        if bytes.is_empty() {
            return Err(refused("the file is empty"));
        }
        if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
            return Err(Failure::new(place, "the file is UTF-16; expected UTF-8"));
        }
        let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
        let mut record = ByteRecord::new();
        let read = reader.read_byte_record(&mut record).unwrap_or(false);
        if !read || record.iter().all(|name| name.trim_ascii().is_empty()) {
            return Err(refused("has no header"));
        }
        let names = record.iter().map(|name| String::from_utf8_lossy(name.trim_ascii()).into_owned());
        Ok(Header {
            names: names.collect(),
            line: 1 + lines_before(bytes, &record),
            end: reader.position().byte() as usize,
        })
    }

    /// What stands in its place, where it has not all of these names; `WHAT; WHAT WAS EXPECTED`.
    pub fn flaw(&self, needed: &[&str]) -> Option<String> {
        if needed.iter().all(|name| self.has(name)) {
            return None;
        }
        let line = self.names.join(",");
        let such = format!("expected a header such as {}", needed.join(","));
        if line.starts_with('#') {
            return Some(format!("the first line is a comment; {such}"));
        }
        // A name may have blanks in it, and a number a comma.
        let separates = |cut: char| {
            line.matches(cut).count() + 1 >= needed.len() && (cut != ' ' || self.names.len() == 1)
        };
        let cuts = [(';', "';'"), ('\t', "tabs"), ('|', "'|'"), (' ', "spaces")];
        if let Some((_, found)) = cuts.into_iter().find(|&(cut, _)| separates(cut)) {
            return Some(format!("the columns are separated by {found}; expected commas"));
        }
        let are_numbers = self.names.iter().all(|name| name.parse::<f64>().is_ok());
        are_numbers.then(|| format!("the first line is numbers; {such}"))
    }

    /// The first of these names that it has with other capitals alone; `WHAT; WHAT WAS EXPECTED`.
    pub fn capitals(&self, needed: &[&str]) -> Option<String> {
        let other = |wanted: &str| self.names.iter().find(|name| name.eq_ignore_ascii_case(wanted));
        let missing = needed.iter().filter(|name| !self.has(name));
        let (wanted, found) = missing.filter_map(|wanted| Some((wanted, other(wanted)?))).next()?;
        Some(format!("a column is named '{found}'; expected '{wanted}'"))
    }

    fn has(&self, wanted: &str) -> bool {
        self.names.iter().any(|name| name == wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_that_is_none_says_what_it_is() {
        for (line, flaw) in [
            ("x,y,z,id", None),
            ("x,y", None),
            ("x;y;z", Some("the columns are separated by ';'; expected commas")),
            ("0,5;1,5;2,5", Some("the columns are separated by ';'; expected commas")),
            ("x\ty\tz", Some("the columns are separated by tabs; expected commas")),
            ("0 1 2", Some("the columns are separated by spaces; expected commas")),
            ("# made by hand", Some("the first line is a comment; expected a header such as x,y,z")),
            ("0,-1e3,2.5", Some("the first line is numbers; expected a header such as x,y,z")),
            ("at x,at y,at z", None),
            ("x,y,Z", None),
        ] {
            let Ok(header) = Header::parse(line.as_bytes(), "a.csv", "a file") else { panic!("{line}") };
            assert_eq!(header.flaw(&["x", "y", "z"]).as_deref(), flaw, "{line}");
            let capitals = (line == "x,y,Z").then_some("a column is named 'Z'; expected 'z'");
            assert_eq!(header.capitals(&["x", "y", "z"]).as_deref(), capitals, "{line}");
        }
        let utf_16 = Header::parse(b"\xff\xfex\0,\0", "a.csv", "a file");
        assert!(
            matches!(utf_16, Err(Failure::Failed(what)) if what == "a.csv: the file is UTF-16; expected UTF-8")
        );
    }

    #[test]
    fn records_begin_on_their_lines() {
        for end in ["\n", "\r\n"] {
            let text = ["", "a,\"b", "c\"", "", "", "d", "\"\"", "e"].join(end);
            let mut lines = Vec::new();
            assert!(records(text.as_bytes(), |line, _| {
                lines.push(line);
                true
            }));
            assert_eq!(lines, [1, 5, 6, 7], "{end:?}");
            let Ok(header) = Header::parse(text.as_bytes(), "a.csv", "a file") else { panic!("it has one") };
            assert_eq!((header.line, header.names), (2, vec!["a".to_owned(), format!("b{end}c")]));
        }
    }
}
