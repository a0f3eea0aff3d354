//! How far a batch is.

use serde::{Deserialize, Serialize};

/// What has been answered: whole chunks of the input, then rows of the next one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Mark {
    /// The sum of the sizes of the chunks that are done, in the unit of the input.
    pub done: u64,
    /// Rows behind them that are done too.
    pub answered: u64,
    /// What has been counted: in the chunks that are done, and hits in all rows.
    pub tally: Tally,
}

/// What a batch counts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Lines of the input behind its header, or rows.
    pub span: u64,
    /// Rows.
    pub rows: u64,
    /// Hits.
    pub hits: usize,
    /// Rows that are no rays.
    pub invalid: usize,
    /// The first of them, in words.
    pub first_invalid: Option<String>,
}

impl Mark {
    /// Rows that are done.
    pub fn rows(&self) -> u64 {
        self.tally.rows + self.answered
    }
}
