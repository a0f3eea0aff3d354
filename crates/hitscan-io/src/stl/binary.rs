//! 80 bytes that say nothing, the number of triangles, and 50 bytes for each.

use std::path::Path;

use hitscan::MAX_COORDINATE;

use super::weld::{Welded, Welder};
use crate::ReadError;
use crate::indexed::check_coordinate;
use crate::reading::Reading;
use crate::text::is_space;

const HEADER: usize = 84;
/// A normal and three corners of three floats each, and two bytes of attributes.
const RECORD: usize = 50;
const CORNERS: usize = 12;

/// Whether the number of triangles is the one that the length allows.
pub(super) fn fits(bytes: &[u8]) -> bool {
    count(bytes).is_some_and(|count| bytes.len() as u64 == length(count))
}

/// Whether the triangles are there, whatever follows them, and there is no text up to the end of the first.
pub(super) fn holds(bytes: &[u8]) -> bool {
    let is_no_text = |byte: &u8| byte.is_ascii_control() && !is_space(*byte);
    bytes.iter().take(HEADER + RECORD).any(is_no_text)
        && count(bytes).is_some_and(|count| bytes.len() as u64 >= length(count))
}

fn length(count: u32) -> u64 {
    HEADER as u64 + RECORD as u64 * u64::from(count)
}

fn count(bytes: &[u8]) -> Option<u32> {
    bytes.get(HEADER - 4..)?.first_chunk().map(|&four| u32::from_le_bytes(four))
}

pub(super) fn parse(reading: &Reading<'_>, bytes: &[u8]) -> Result<Welded<[f32; 3]>, ReadError> {
    let path = reading.path;
    let Some(count) = count(bytes) else {
        let found = format!("the file ends after {} bytes", bytes.len());
        let expected = "STL begins with solid, or with a header of 84 bytes";
        return Err(ReadError::invalid(path, found, expected));
    };
    let (records, rest) = bytes[HEADER..].as_chunks::<RECORD>();
    // Less than a record may follow: some writers fill blocks.
    if records.len() as u64 != u64::from(count) {
        let found = format!("the header says {count} triangles");
        let (length, over) = (records.len(), rest.len());
        let expected = format!("the file has bytes for {length} (84 + 50 * {length} + {over})");
        return Err(ReadError::invalid(path, found, expected));
    }
    let mut welder = Welder::new();
    welder.solid.triangles.reserve_exact(records.len());
    // A closed mesh has half as many vertices as triangles; pages that stay untouched cost nothing.
    welder.solid.vertices.reserve(records.len() / 8 * 5);
    for (row, record) in records.iter().enumerate() {
        reading.go_on(row)?;
        let triangle: [[f32; 3]; 3] = std::array::from_fn(|corner| {
            std::array::from_fn(|axis| {
                let at = CORNERS + 12 * corner + 4 * axis;
                f32::from_le_bytes(std::array::from_fn(|byte| record[at + byte]))
            })
        });
        let inside = |value: &f32| value.abs() <= MAX_COORDINATE as f32;
        // All nine are compared at once, which is faster than to stop at the first.
        if !triangle.as_flattened().iter().fold(true, |all, value| all & inside(value)) {
            return Err(outside(path, row, &triangle));
        }
        welder.triangle(triangle);
    }
    Ok(welder.finish())
}

/// The error for the first coordinate of a triangle that is none.
#[cold]
fn outside(path: &Path, row: usize, triangle: &[[f32; 3]; 3]) -> ReadError {
    for (corner, position) in triangle.iter().enumerate() {
        for (axis, &value) in position.iter().enumerate() {
            if let Err((found, expected)) = check_coordinate(f64::from(value), axis) {
                let found = format!("facet {row}, vertex {corner}: {found}");
                return ReadError::invalid(path, found, expected);
            }
        }
    }
    ReadError::invalid(path, format!("facet {row} is damaged"), "corners are three finite numbers")
}
