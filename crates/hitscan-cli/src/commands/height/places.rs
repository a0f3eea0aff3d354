//! Many places: CSV in, one row of CSV out for each.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use hitscan::Hit;
use rayon::prelude::*;

use super::Ground;
use crate::args::{Axis, NEAR, Place};
use crate::failure::Failure;
use crate::output::{Output, STANDARD_STREAM};
use crate::rays::cell::Cell;
use crate::rays::write::csv;
use crate::scene::Loaded;

/// Places that are answered together.
const CHUNK: usize = 1 << 14;

/// Bytes of the longest row that is read: memory must not grow with a file that is no CSV.
const LONGEST_ROW: usize = 1 << 20;

const HEADER: &str = "row,height,x,y,z,mesh,instance,prim,nx,ny,nz\n";

/// Answers for each place of a file. Its header is read before the scene is.
pub fn answer(
    file: &str,
    open: impl FnOnce() -> Result<Loaded, Failure>,
    up: Option<Axis>,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut reader = Reader::open(file)?;
    let loaded = open()?;
    let ground = Ground::new(&loaded, up);
    let columns = reader.columns(ground.axes())?;
    output.write(HEADER.as_bytes())?;
    let mut row = 0;
    let mut places = Vec::with_capacity(CHUNK);
    loop {
        let line = reader.line;
        reader.places(&columns, &mut places)?;
        if places.is_empty() {
            return Ok(());
        }
        let found: Result<Vec<Option<Hit>>, _> =
            places.par_iter().map(|&place| ground.below(place)).collect();
        let found = found.map_err(|error| reader.failure(line, error))?;
        let mut text = Vec::new();
        for hit in &found {
            append(&ground, row, hit.as_ref(), &mut text);
            row += 1;
        }
        output.write(&text)?;
    }
}

/// The row of one place.
fn append(ground: &Ground<'_>, row: i64, hit: Option<&Hit>, text: &mut Vec<u8>) {
    let mut cells = [Cell::Missing; 11];
    cells[0] = Cell::Int(row);
    cells[7] = Cell::Int(-1);
    if let Some(hit) = hit {
        let mesh = ground.loaded.node(hit.instance).mesh;
        let [x, y, z] = hit.position.to_array().map(Cell::Float);
        let [nx, ny, nz] = hit.normal.to_array().map(Cell::Float);
        let [mesh, instance, prim] =
            [mesh as i64, i64::from(hit.instance.0), i64::from(hit.prim)].map(Cell::Int);
        cells = [cells[0], Cell::Float(ground.height(hit)), x, y, z, mesh, instance, prim, nx, ny, nz];
    }
    csv::row(cells.into_iter(), text);
}

/// A file of places. Rows of CSV are read by their lines, so that an error names the line that it is on.
struct Reader {
    name: String,
    bytes: BufReader<Box<dyn Read>>,
    header: Vec<String>,
    /// The last row that was read, quotes around fields and spaces taken off.
    fields: Vec<String>,
    /// The line that it begins on, from 1.
    line: u64,
    /// How many lines have been read.
    lines: u64,
}

/// Which fields are the place.
struct Columns {
    at: [(usize, String); 2],
    height: Option<usize>,
}

impl Reader {
    fn open(file: &str) -> Result<Reader, Failure> {
        let (name, bytes): (&str, Box<dyn Read>) = if file == STANDARD_STREAM {
            ("standard input", Box::new(io::stdin()))
        } else {
            let refused = |error| Failure::reading(file, &error);
            let opened = File::open(file).map_err(refused)?;
            if opened.metadata().map_err(refused)?.is_dir() {
                return Err(refused(io::ErrorKind::IsADirectory.into()));
            }
            (file, Box::new(opened))
        };
        let mut reader = Reader {
            name: name.to_owned(),
            bytes: BufReader::with_capacity(1 << 16, bytes),
            header: Vec::new(),
            fields: Vec::new(),
            line: 0,
            lines: 0,
        };
        if !reader.next()? {
            let what = "has no header; a file of places begins with the names of its columns";
            return Err(Failure::new(&reader.name, what));
        }
        reader.header = std::mem::take(&mut reader.fields);
        Ok(reader)
    }

    /// Finds `a,b`, or the names of the two axes, and `h`.
    fn columns(&self, axes: [usize; 2]) -> Result<Columns, Failure> {
        let axes = axes.map(|axis| ["x", "y", "z"][axis]);
        let named = |name: &str| {
            let mut found =
                self.header.iter().enumerate().filter(|(_, field)| field.eq_ignore_ascii_case(name));
            let first = found.next().map(|(column, _)| (column, name.to_owned()));
            match found.next() {
                Some(_) => Err(self.failure(
                    self.line,
                    format_args!("two columns are named '{name}'; a file of places needs each name once"),
                )),
                None => Ok(first),
            }
        };
        let height = named("h")?.map(|(column, _)| column);
        for names in [["a", "b"], axes] {
            if let (Some(a), Some(b)) = (named(names[0])?, named(names[1])?) {
                return Ok(Columns { at: [a, b], height });
            }
        }
        let what = format_args!(
            "there are no columns 'a' and 'b'; a file of places begins with the names of its columns, a,b or {} among them",
            axes.join(",")
        );
        Err(self.failure(self.line, what))
    }

    /// Reads up to [`CHUNK`] places.
    fn places(&mut self, columns: &Columns, places: &mut Vec<Place>) -> Result<(), Failure> {
        places.clear();
        while places.len() < CHUNK && self.next()? {
            if self.fields.len() != self.header.len() {
                let found = crate::number::counted(self.fields.len(), "field");
                let what = format_args!("{found}; the header names {}", self.header.len());
                return Err(self.failure(self.line, what));
            }
            let [(a, a_name), (b, b_name)] = &columns.at;
            let at = [self.number(*a, a_name)?, self.number(*b, b_name)?];
            let height = match columns.height {
                Some(h) if !self.fields[h].is_empty() => Some(self.number(h, "h")?),
                _ => None,
            };
            places.push(Place { at, height });
        }
        Ok(())
    }

    fn number(&self, column: usize, name: &str) -> Result<f64, Failure> {
        let text = &self.fields[column];
        let parsed = text.parse::<f64>();
        if let Ok(x) = parsed
            && (Place { at: [x, 0.0], height: None }).is_near()
        {
            return Ok(x);
        }
        let found = match &parsed {
            Ok(_) => text.clone(),
            Err(_) if text.is_empty() => "empty".to_owned(),
            Err(_) => format!("'{text}'"),
        };
        Err(self.failure(self.line, format_args!("{name} is {found}; a place needs {NEAR}")))
    }

    /// Reads the next row that is not empty; whether there was one.
    fn next(&mut self) -> Result<bool, Failure> {
        let mut row = Vec::new();
        loop {
            row.clear();
            self.line = self.lines + 1;
            // A quoted field may have line breaks in it.
            let mut quoted = false;
            while row.is_empty() || quoted {
                let before = row.len();
                let room = (LONGEST_ROW - row.len() + 1) as u64;
                let read = self.bytes.by_ref().take(room).read_until(b'\n', &mut row);
                if read.map_err(|error| Failure::reading(&self.name, &error))? == 0 {
                    break;
                }
                self.lines += 1;
                quoted ^= row[before..].iter().filter(|&&byte| byte == b'"').count() % 2 == 1;
                if row.len() > LONGEST_ROW {
                    return Err(self.failure(self.line, "more than 1 MiB in one row; expected rows of CSV"));
                }
            }
            if row.is_empty() {
                return Ok(false);
            }
            let text = String::from_utf8_lossy(&row);
            let text = text.strip_prefix('\u{feff}').filter(|_| self.line == 1).unwrap_or(&text);
            if !text.trim().is_empty() {
                self.fields = fields(text);
                return Ok(true);
            }
        }
    }

    fn failure(&self, line: u64, what: impl std::fmt::Display) -> Failure {
        Failure::new(format_args!("{}:{line}", self.name), what)
    }
}

/// The fields of a row: commas between quotes do not end one.
fn fields(row: &str) -> Vec<String> {
    let mut quoted = false;
    let ends = row.split(|c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    });
    ends.map(|field| {
        let field = field.trim();
        let inside = field.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        inside.unwrap_or(field).trim().to_owned()
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_commas() {
        assert_eq!(fields("a, \"b,c\" ,\" 1.5 \",\r\n"), ["a", "b,c", "1.5", ""]);
    }
}
