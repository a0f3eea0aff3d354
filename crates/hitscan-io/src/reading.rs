//! A file that is being read: what errors call it, and who watches.

use std::path::Path;

use hitscan::Watch;

use crate::ReadError;

/// What every reader is given beside the bytes.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    /// As the caller gave it.
    pub path: &'a Path,
    pub watch: Watch<'a>,
}

/// Rows between two looks at whether it is to end: some hundred microseconds.
const ROWS: usize = 4096;

impl Reading<'_> {
    /// Once in a while, by the number of the row that is read next: the error where the reading is to end.
    #[inline]
    pub fn go_on(&self, row: usize) -> Result<(), ReadError> {
        if row.is_multiple_of(ROWS) && self.watch.is_cancelled() {
            return Err(ReadError::Cancelled { path: self.path.into() });
        }
        Ok(())
    }
}
