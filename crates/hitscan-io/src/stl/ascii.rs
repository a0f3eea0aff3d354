//! `solid NAME`, its facets, `endsolid NAME`, as often as there are solids.

use super::Solid;
use super::weld::Welder;
use crate::ReadError;
use crate::error::quoted;
use crate::indexed;
use crate::limits;
use crate::reading::Reading;
use crate::text::{End, Fault, Words};

const FACET: &str = "a facet is: facet normal x y z, outer loop, three times vertex x y z, endloop, endfacet";

pub(super) fn parse(reading: &Reading<'_>, text: &[u8]) -> Result<Vec<Solid<[f64; 3]>>, ReadError> {
    solids(reading, &mut Words::new(text, None), text.len()).map_err(|end| end.in_file(reading.path, text))
}

fn solids(reading: &Reading<'_>, words: &mut Words<'_>, length: usize) -> Result<Vec<Solid<[f64; 3]>>, End> {
    let (mut solids, mut welder) = (Vec::new(), Welder::new());
    while let Some(word) = words.next_word() {
        if !word.eq_ignore_ascii_case(b"solid") {
            let found = format!("{} stands where solid or the end should", quoted(word));
            return Err(words.fault(found, "facets lie between solid and endsolid").into());
        }
        let name = String::from_utf8_lossy(words.rest_of_line()).into_owned();
        facets(reading, words, &mut welder)?;
        solids.push(Solid { name, mesh: welder.finish() });
        limits::check_parts(reading.path, solids.len(), length as u64)?;
    }
    Ok(solids)
}

/// Facets up to the end of the solid.
fn facets(reading: &Reading<'_>, words: &mut Words<'_>, welder: &mut Welder<[f64; 3]>) -> Result<(), End> {
    loop {
        reading.go_on(welder.solid.triangles.len())?;
        match words.next_word() {
            Some(word) if word.eq_ignore_ascii_case(b"facet") => {
                welder.triangle(facet(words)?);
            }
            Some(word) if word.eq_ignore_ascii_case(b"endsolid") => {
                words.skip_line();
                return Ok(());
            }
            Some(word) => {
                let found = format!("{} stands where facet or endsolid should", quoted(word));
                return Err(words.fault(found, FACET).into());
            }
            None => {
                let facets = welder.solid.triangles.len();
                let found = format!("the file ends within a solid, after {facets} facets");
                return Err(words.fault(found, "a solid ends with endsolid").into());
            }
        }
    }
}

#[inline]
fn facet(words: &mut Words<'_>) -> Result<[[f64; 3]; 3], Fault> {
    // The word normal and its numbers, whatever they say: they may be missing, or nan where there is no area.
    const NORMAL: usize = 4;
    let mut word = words.next_word();
    for _ in 0..NORMAL {
        if word.is_none_or(|word| word.eq_ignore_ascii_case(b"outer")) {
            break;
        }
        word = words.next_word();
    }
    expect(words, word, b"outer")?;
    keyword(words, b"loop")?;
    let mut triangle = [[0.0; 3]; 3];
    for corner in &mut triangle {
        keyword(words, b"vertex")?;
        *corner = indexed::position(words)?;
    }
    keyword(words, b"endloop")?;
    keyword(words, b"endfacet")?;
    Ok(triangle)
}

/// The next word, which must be this one.
#[inline]
fn keyword(words: &mut Words<'_>, expected: &'static [u8]) -> Result<(), Fault> {
    let word = words.next_word();
    expect(words, word, expected)
}

#[inline]
fn expect(words: &Words<'_>, word: Option<&[u8]>, expected: &'static [u8]) -> Result<(), Fault> {
    match word {
        Some(word) if word.eq_ignore_ascii_case(expected) => Ok(()),
        word => Err(misplaced(words, word, expected)),
    }
}

#[cold]
fn misplaced(words: &Words<'_>, word: Option<&[u8]>, expected: &'static [u8]) -> Fault {
    let expected = String::from_utf8_lossy(expected);
    match word {
        Some(word) => words.fault(format!("{} stands where {expected} should", quoted(word)), FACET),
        None => words.fault(format!("the file ends where {expected} should stand"), FACET),
    }
}
