//! What CSV and JSON Lines share: rows in lines of text, in blocks whose pieces any thread decodes.

use std::sync::Arc;

use super::blocks::{Block, Ends, newlines, unreadable};
use super::{Chunk, Lines, Place, Source};
use crate::failure::Failure;
use crate::rays::cell::{Kept, KeptField};
use crate::rays::rows::Rows;

/// How lines become rows.
pub trait Layout: Send + Sync + 'static {
    /// Where a row may end.
    const ENDS: Ends;

    /// See [`Source::stray_limits`].
    fn stray_limits(&self) -> &[String];

    /// The columns that are carried over.
    fn kept(&self) -> &[KeptField];

    /// No values yet of such a column.
    fn no_values(&self, field: &KeptField) -> Kept;

    /// Appends the rows of whole lines. Where `stop` is set, it may end with the first row that is no ray.
    fn decode(&self, bytes: &[u8], stop: bool, rows: &mut Rows);
}

/// A file of lines.
pub struct Text<L> {
    lines: Lines,
    layout: Arc<L>,
    /// Lines of the header.
    header: u64,
}

impl<L> Text<L> {
    /// The rows behind a header of so many lines, which has been read.
    pub fn new(lines: Lines, layout: L, header: u64) -> Text<L> {
        Text { lines, layout: Arc::new(layout), header }
    }
}

impl<L: Layout> Source for Text<L> {
    fn kept(&self) -> &[KeptField] {
        self.layout.kept()
    }

    fn stray_limits(&self) -> &[String] {
        self.layout.stray_limits()
    }

    fn go_to(&mut self, done: u64, lines: u64) -> Result<(), Failure> {
        self.lines.go_to(done, lines)
    }

    fn next(&mut self) -> Result<Option<Box<dyn Chunk>>, Failure> {
        let Lines { place, blocks, .. } = &mut self.lines;
        let block = blocks.next(L::ENDS).map_err(|error| unreadable(place, &error))?;
        Ok(block.map(|block| Box::new(Records { block, layout: self.layout.clone() }) as Box<dyn Chunk>))
    }

    fn place(&self) -> Place {
        Place::Lines { file: self.lines.place.clone(), first: self.header + 1 }
    }

    fn size(&self) -> Option<u64> {
        self.lines.size
    }

    fn rows(&self) -> Option<u64> {
        None
    }
}

/// Whole lines.
struct Records<L> {
    block: Block,
    layout: Arc<L>,
}

impl<L: Layout> Chunk for Records<L> {
    fn parts(&self) -> usize {
        self.block.pieces.len()
    }

    fn size(&self) -> u64 {
        self.block.bytes.len() as u64
    }

    fn decode(&self, part: usize, stop: bool, rows: &mut Rows) {
        let bytes = &self.block.bytes[self.block.pieces[part].clone()];
        let kept = self.layout.kept();
        if rows.kept.len() != kept.len() {
            rows.kept = kept.iter().map(|field| self.layout.no_values(field)).collect();
        }
        rows.span = newlines(bytes);
        self.layout.decode(bytes, stop, rows);
    }
}
