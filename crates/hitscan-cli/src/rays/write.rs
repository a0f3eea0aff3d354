//! Files of answers: what every format does.

pub mod background;
pub mod csv;
pub mod json;
pub mod npy;
pub mod parquet;
pub mod text;

use super::answers::{Answers, Line};
use super::cell::{Cell, KeptField};
use super::columns::Column;
use crate::failure::Failure;
use crate::resume::mark::Mark;
use crate::scene::Loaded;

/// The columns of an output: those of the answer, then those that are carried over.
#[derive(Clone, Debug)]
pub struct Spec<'a> {
    /// Of the answer.
    pub columns: Vec<Column>,
    /// From the ray file.
    pub kept: Vec<KeptField>,
    /// What the hits are hits of.
    pub loaded: &'a Loaded,
}

/// Turns answers into batches, on any thread.
pub trait Encode: Sync {
    /// Encoded rows; their memory is used again.
    type Batch: Batch;

    /// Appends the lines of some answers to a batch.
    fn encode(&self, answers: &Answers<'_>, batch: &mut Self::Batch);
}

/// Encoded rows.
pub trait Batch: Default + Send + 'static {
    /// Forgets all rows.
    fn clear(&mut self);

    /// Bytes that they take.
    fn bytes(&self) -> usize;
}

/// Takes batches in order.
pub trait Sink<B>: Send + 'static {
    /// Appends a batch.
    fn write(&mut self, batch: &mut B) -> Result<(), Failure>;

    /// Learns how far the batch is with all that was appended, and keeps it where the output can be resumed.
    fn mark(&mut self, mark: Mark) -> Result<(), Failure>;

    /// Completes the output.
    fn finish(self) -> Result<(), Failure>;
}

impl Spec<'_> {
    /// The names of all columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let kept = self.kept.iter().map(|field| field.name.as_str());
        self.columns.iter().map(|column| column.name()).chain(kept)
    }

    /// The cells of a line, in the order of [`Spec::names`].
    pub fn cells<'c>(
        &'c self,
        answers: &'c Answers<'_>,
        line: Line<'c>,
    ) -> impl Iterator<Item = Cell<'c>> + 'c {
        let answer = self.columns.iter().map(move |column| column.cell(line.ray, line.answer, self.loaded));
        answer.chain(answers.kept().iter().map(move |kept| kept.cell(line.row)))
    }
}
