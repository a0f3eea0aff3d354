//! Columns of numbers that are stored as they stand in memory.
//!
//! Tasks make the bytes, so that nothing is left to do here but to put them one behind the other. No codec is asked:
//! coordinates are noise to all of them, and what Snappy saves of the normals takes it longer than a system takes to
//! write it.

use parquet::errors::Result;
use parquet::schema::types::ColumnDescPtr;

use super::chunk::Chunk;
use super::schema::Levels;
use super::{Columns, Group};

/// Encodes the column `column` of some answers.
pub fn encode(group: &Group<'_>, column: usize, levels: Levels, descriptor: ColumnDescPtr) -> Result<Chunk> {
    let bytes = |answers: &'_ Columns| answers.columns[column].values.plain().len();
    let size: usize = group.answers.iter().map(bytes).sum();
    let mut data = Vec::with_capacity(group.levels.len() + size);
    if levels == Levels::Hits {
        data.extend_from_slice(&group.levels);
    }
    for answers in group.answers {
        data.extend_from_slice(answers.columns[column].values.plain());
    }
    Chunk::of_page(descriptor, group.rows, data, None)
}
