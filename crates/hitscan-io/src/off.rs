//! OFF, the Object File Format of Geomview.
//!
//! Read: `OFF` with any of `ST` `C` `N` before it, the counts on the first line or a later one, or right behind the keyword,
//! comments anywhere. A file that is called `.off` may lack the keyword where its first line is the three counts. Of a
//! vertex the first three numbers count: normals, colours and texture coordinates stand behind them. Polygons become
//! triangles as `polygon` says; what follows its corners is its colour. `4OFF`, `nOFF` and the binary kind are refused
//! by name. What follows the last face is passed over.

use std::path::Path;

use crate::ReadError;
use crate::error::quoted;
use crate::indexed::{self, Faces, THREE_CORNERS};
use crate::model::Parts;
use crate::number::integer;
use crate::reading::Reading;
use crate::text::{End, Fault, Words};

const COUNTS: &str = "the counts are vertices faces edges, in whole numbers";

pub(crate) fn read(reading: &Reading<'_>, bytes: Vec<u8>) -> Result<Parts, ReadError> {
    let path = reading.path;
    let mut words = Words::new(&bytes, Some(b'#'));
    header(path, &bytes, &mut words)?;
    let (positions, faces) =
        body(reading, &mut words, bytes.len()).map_err(|end| end.in_file(path, &bytes))?;
    drop(bytes); // positions and triangles are all that is needed
    indexed::one_mesh(reading, |row| positions[row as usize], faces.triangles)
}

/// Whether the first word behind comments begins with the keyword of any of the kinds.
pub(crate) fn recognises(bytes: &[u8]) -> bool {
    Words::new(bytes, Some(b'#')).next_word().is_some_and(|word| kind(keyword(word)).is_some())
}

/// A word without the digits at its end: some writers put the first count right behind the keyword.
fn keyword(word: &[u8]) -> &[u8] {
    &word[..word.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |last| last + 1)]
}

/// What a keyword says.
enum Kind {
    ThreeDimensional,
    Other,
}

/// `[ST][C][N][4][n]OFF`, in this order.
fn kind(keyword: &[u8]) -> Option<Kind> {
    let mut rest = keyword.strip_suffix(b"OFF")?;
    for prefix in [&b"ST"[..], b"C", b"N"] {
        rest = rest.strip_prefix(prefix).unwrap_or(rest);
    }
    match rest {
        b"" => Some(Kind::ThreeDimensional),
        b"4" | b"n" | b"4n" => Some(Kind::Other),
        _ => None,
    }
}

/// Goes behind the keyword.
fn header(path: &Path, text: &[u8], words: &mut Words<'_>) -> Result<(), ReadError> {
    if begins_with_counts(words.clone()) {
        return Ok(());
    }
    let word = words.next_word().unwrap_or_default();
    let keyword = keyword(word);
    words.at = words.start + keyword.len();
    let unsupported = |feature: &str, remedy: &str| {
        let (feature, remedy) = (feature.to_owned(), remedy.to_owned());
        ReadError::Unsupported { path: path.into(), feature, remedy }
    };
    match kind(keyword) {
        Some(Kind::ThreeDimensional) => {}
        Some(Kind::Other) => {
            let name = String::from_utf8_lossy(keyword);
            return Err(unsupported(&name, "export it as OFF, with three coordinates a vertex"));
        }
        None => {
            let found = format!("{} stands first", quoted(word));
            let expected = "an OFF file begins with OFF, or with its three counts in one line";
            return Err(words.fault(found, expected).in_file(path, text));
        }
    }
    if words.clone().next_in_line() == Some(b"BINARY") {
        return Err(unsupported("OFF BINARY", "export it as text"));
    }
    Ok(())
}

/// Whether the first line that has words is three whole numbers.
fn begins_with_counts(mut words: Words<'_>) -> bool {
    let is_count = |word: Option<&[u8]>| word.and_then(integer).is_some();
    is_count(words.next_word())
        && is_count(words.next_in_line())
        && is_count(words.next_in_line())
        && words.next_in_line().is_none()
}

fn body(reading: &Reading<'_>, words: &mut Words<'_>, length: usize) -> Result<(Vec<[f64; 3]>, Faces), End> {
    // A vertex has three digits with something between them, a face a digit and a line end: claims are held to that.
    let vertices = count(words, "vertices", length / 6)?;
    let faces = count(words, "faces", length / 2)?;
    words.skip_line(); // the number of edges is not needed, and many writers give 0
    let mut positions = Vec::new();
    reading.reserve(&mut positions, vertices)?;
    for row in 0..vertices {
        reading.go_on(row)?;
        next_line(words, || format!("the file ends after {row} of {vertices} vertices"))?;
        positions.push(indexed::position(words)?);
        words.skip_line();
    }
    let mut triangles = Faces::of_file(length);
    for row in 0..faces {
        reading.go_on(row)?;
        next_line(words, || format!("the file ends after {row} of {faces} faces"))?;
        if face(words, &positions, &mut triangles)? > 4 {
            reading.go_on(0)?; // the longest take a while
        }
        words.skip_line();
    }
    Ok((positions, triangles))
}

/// The next number, which a file of this length cannot have more than `most` of.
fn count(words: &mut Words<'_>, what: &str, most: usize) -> Result<usize, Fault> {
    let Some(word) = words.next_word() else {
        return Err(words.fault(format!("the number of {what} is missing"), COUNTS));
    };
    let Some(count) = integer(word).and_then(|count| usize::try_from(count).ok()) else {
        return Err(words.fault(format!("the number of {what} is {}", quoted(word)), COUNTS));
    };
    if count > most {
        let found = format!("{count} {what} are claimed");
        return Err(words.fault(found, format!("a file of this length has {most} at most")));
    }
    Ok(count)
}

/// Goes to the next line that has words.
fn next_line(words: &mut Words<'_>, missing: impl Fn() -> String) -> Result<(), Fault> {
    let mut ahead = words.clone();
    if ahead.next_word().is_none() {
        return Err(ahead.fault(missing(), "vertices and faces have a line each"));
    }
    words.at = ahead.start;
    Ok(())
}

/// Adds a face, and gives the number of its corners.
fn face(words: &mut Words<'_>, positions: &[[f64; 3]], faces: &mut Faces) -> Result<usize, Fault> {
    const EXPECTED: &str = "a face is the number of its corners, then as many numbers of vertices";
    let word = words.next_in_line().unwrap_or_default();
    let Some(corners) = integer(word).and_then(|corners| usize::try_from(corners).ok()) else {
        return Err(words.fault(format!("a face begins with {}", quoted(word)), EXPECTED));
    };
    if corners < 3 {
        return Err(words.fault(format!("face has {}", indexed::corners(corners)), THREE_CORNERS));
    }
    for corner in 0..corners {
        let Some(word) = words.next_in_line() else {
            return Err(words.fault(format!("face has {corner} of {corners} corners"), EXPECTED));
        };
        let Some(index) = integer(word) else {
            return Err(words.fault(format!("{} is not a corner of a face", quoted(word)), EXPECTED));
        };
        match u32::try_from(index).ok().filter(|&index| (index as usize) < positions.len()) {
            Some(index) => faces.corner(index),
            None => {
                let found = format!("face names vertex {index}, the file has {}", positions.len());
                return Err(words.fault(found, "vertices count from 0"));
            }
        }
    }
    faces
        .end(|row| positions[row as usize])
        .map_err(|(found, expected)| words.fault(format!("face {found}"), expected))
}
