//! Rows of text behind a beginning and before an end.

use super::{Batch, Sink};
use crate::failure::Failure;
use crate::output::Output;
use crate::resume::mark::Mark;

impl Batch for Vec<u8> {
    fn clear(&mut self) {
        self.clear();
    }

    fn bytes(&self) -> usize {
        self.len()
    }
}

/// Writes text as it comes.
#[derive(Debug)]
pub struct TextSink {
    output: Output,
    /// Bytes of the first row that stand between rows, and so not before the first one.
    separator: usize,
    end: &'static [u8],
}

impl TextSink {
    /// Writes `start` at once, where the output does not go on behind it, and `end` behind the last row. Each row begins
    /// with a separator of so many bytes.
    pub fn new(
        mut output: Output,
        start: &[u8],
        separator: usize,
        end: &'static [u8],
    ) -> Result<TextSink, Failure> {
        let rows = match output.resumed() {
            Some(state) => state.length > start.len() as u64,
            None => output.write(start).map(|()| false)?,
        };
        Ok(TextSink { output, separator: if rows { 0 } else { separator }, end })
    }
}

impl Sink<Vec<u8>> for TextSink {
    fn write(&mut self, batch: &mut Vec<u8>) -> Result<(), Failure> {
        let rows = batch.get(self.separator..).unwrap_or_default();
        if !batch.is_empty() {
            self.separator = 0;
        }
        self.output.write(rows)
    }

    fn mark(&mut self, mark: Mark) -> Result<(), Failure> {
        match self.output.due() {
            Some(begun) => self.output.save(begun, &mark, Vec::new()),
            None => Ok(()),
        }
    }

    fn finish(mut self) -> Result<(), Failure> {
        self.output.write(self.end)?;
        self.output.finish()
    }
}
