//! Many places: CSV in, one row of CSV out for each.

use ::csv::ByteRecord;
use hitscan::{Hit, SignedAxis};
use rayon::prelude::*;

use super::Ground;
use crate::args::{NEAR, Place};
use crate::failure::Failure;
use crate::number::counted;
use crate::output::Output;
use crate::rays::cell::Cell;
use crate::rays::flaw::shown;
use crate::rays::read::Input;
use crate::rays::read::blocks::{Ends, newlines, unreadable};
use crate::rays::read::csv::records::{Header, records};
use crate::rays::write::csv;
use crate::scene::Loaded;

const HEADER: &str = "row,height,x,y,z,mesh,instance,prim,nx,ny,nz\n";

/// Answers for each place of a file. Its header is read before the scene is.
pub fn answer(
    file: &str,
    open: impl FnOnce() -> Result<Loaded, Failure>,
    up: Option<SignedAxis>,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut lines = Input::open(file)?.lines();
    let header = Header::read(&mut lines, "a file of places")?;
    let (place, start) = lines.peek()?;
    let mut before = newlines(&start[..header.end]);
    let place = place.to_owned();
    let at_line = |line, what| Failure::new(format_args!("{place}:{line}"), what);
    let loaded = open()?;
    output.spare(&loaded.model.files)?;
    let ground = Ground::new(&loaded, up);
    let columns = Columns::find(&header.names, ground.axes());
    let columns = columns.map_err(|what| at_line(header.line, header.flaw(&["a", "b"]).unwrap_or(what)))?;
    output.write(HEADER.as_bytes())?;
    lines.skip(header.end);
    let mut row = 0;
    while let Some(block) = lines.blocks.next(Ends::Records).map_err(|error| unreadable(&place, &error))? {
        for piece in block.pieces {
            let bytes = &block.bytes[piece];
            let places = columns.places(bytes).map_err(|(line, what)| at_line(before + line + 1, what))?;
            before += newlines(bytes);
            let found: Result<Vec<Option<Hit>>, _> =
                places.par_iter().map(|&place| ground.below(place)).collect();
            let mut text = Vec::new();
            for hit in found.map_err(|error| Failure::new(&place, error))? {
                append(&ground, row, hit.as_ref(), &mut text);
                row += 1;
            }
            output.write(&text)?;
        }
    }
    Ok(())
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
            [mesh as i64, i64::from(hit.instance.slot()), i64::from(hit.prim)].map(Cell::Int);
        cells = [cells[0], Cell::Float(ground.height(hit)), x, y, z, mesh, instance, prim, nx, ny, nz];
    }
    csv::row(cells.into_iter(), text);
}

/// Which columns of a file are the place.
struct Columns {
    at: [Column; 2],
    height: Option<Column>,
    /// How many columns there are.
    width: usize,
}

/// A column by its number, and what the file calls it.
struct Column {
    index: usize,
    name: String,
}

impl Columns {
    /// Finds `a,b`, or the names of the two axes, and `h`. The error reads `WHAT; WHAT WAS EXPECTED`.
    fn find(names: &[String], axes: [usize; 2]) -> Result<Columns, String> {
        let axes = axes.map(|axis| ["x", "y", "z"][axis]);
        let named = |wanted: &str| {
            let mut found = (0..names.len()).filter(|&index| names[index].eq_ignore_ascii_case(wanted));
            let first = found.next().map(|index| Column { index, name: wanted.to_owned() });
            match found.next() {
                Some(_) => {
                    Err(format!("two columns are named '{wanted}'; a file of places needs each name once"))
                }
                None => Ok(first),
            }
        };
        let height = named("h")?;
        for pair in [["a", "b"], axes] {
            if let (Some(a), Some(b)) = (named(pair[0])?, named(pair[1])?) {
                return Ok(Columns { at: [a, b], height, width: names.len() });
            }
        }
        Err(format!(
            "there are no columns 'a' and 'b'; a file of places begins with the names of its columns, a,b or {} among them",
            axes.join(",")
        ))
    }

    /// The places of some records; the error is the line of one that is none, counted from 0, and why it is none.
    fn places(&self, bytes: &[u8]) -> Result<Vec<Place>, (u64, String)> {
        let mut places = Vec::new();
        let mut wrong = None;
        records(bytes, |line, record| match self.place(record) {
            Ok(place) => {
                places.extend(place);
                true
            }
            Err(what) => {
                wrong = Some((line, what));
                false
            }
        });
        wrong.map_or(Ok(places), Err)
    }

    /// The place of a record; none of a line of blanks.
    fn place(&self, record: &ByteRecord) -> Result<Option<Place>, String> {
        if record.len() != self.width {
            if record.iter().all(|field| field.trim_ascii().is_empty()) && record.len() == 1 {
                return Ok(None);
            }
            let found = counted(record.len(), "field");
            return Err(format!("{found}; the header names {}", self.width));
        }
        let [a, b] = &self.at;
        let at = [a.number(record)?, b.number(record)?];
        let height = self.height.as_ref().filter(|h| !h.text(record).is_empty());
        let height = height.map(|h| h.number(record)).transpose()?;
        Ok(Some(Place { at, height }))
    }
}

impl Column {
    fn text<'r>(&self, record: &'r ByteRecord) -> &'r [u8] {
        record.get(self.index).unwrap_or_default().trim_ascii()
    }

    fn number(&self, record: &ByteRecord) -> Result<f64, String> {
        let text = String::from_utf8_lossy(self.text(record));
        let number = text.parse().ok().filter(|&x| Place { at: [x, 0.0], height: None }.is_near());
        number.ok_or_else(|| format!("{} is {}; a place needs {NEAR}", self.name, shown(&text)))
    }
}
