//! The column of the sides that were hit, with a dictionary of two words.
//!
//! The library's encoder looks each word up by its hash; two words need one bit each.

use hitscan::Face;
use parquet::errors::Result;
use parquet::schema::types::ColumnDescPtr;

use super::chunk::{Chunk, Dictionary};
use super::{Group, Values, bits};
use crate::rays::columns::side;

/// The words in the order of their indices.
const WORDS: [Face; 2] = [Face::Front, Face::Back];

/// Encodes the column `column` of some answers.
pub fn encode(group: &Group<'_>, column: usize, descriptor: ColumnDescPtr) -> Result<Chunk> {
    let sides = || {
        group.answers.iter().filter_map(|answers| match &answers.columns[column].values {
            Values::Facing(sides) => Some(sides),
            _ => None,
        })
    };
    let hits = sides().map(Vec::len).sum();
    let mut data = group.levels.clone();
    data.push(1); // bits of an index
    data.extend(bits::run(sides().flatten().map(|&side| side == WORDS[1]), hits));

    let mut bytes = Vec::new();
    for word in WORDS.map(side) {
        bytes.extend((word.len() as u32).to_le_bytes());
        bytes.extend(word.as_bytes());
    }
    let dictionary = Dictionary { bytes, values: WORDS.len() as u32 };
    Chunk::of_page(descriptor, group.rows, data, Some(dictionary))
}
