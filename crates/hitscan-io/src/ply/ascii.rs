//! Values as words, with a line for each row.

use std::path::Path;

use super::body::{Values, Wrong};
use super::header::{Element, Scalar};
use crate::ReadError;
use crate::error::quoted;
use crate::number;
use crate::text::Words;

pub(super) struct Ascii<'a> {
    path: &'a Path,
    text: &'a [u8],
    words: Words<'a>,
}

impl<'a> Ascii<'a> {
    pub fn new(path: &'a Path, text: &'a [u8], body: usize) -> Ascii<'a> {
        let mut words = Words::new(text, None);
        words.at = body;
        Ascii { path, text, words }
    }
}

impl Values for Ascii<'_> {
    /// A digit and what keeps it apart from the next; the last line may end without.
    fn least_row(element: &Element) -> usize {
        2 * element.properties.len() - 1
    }

    fn left(&self) -> usize {
        self.text.len() - self.words.at
    }

    fn begin_row(&mut self) -> bool {
        let mut ahead = self.words.clone();
        let found = ahead.next_word().is_some();
        self.words.start = ahead.start;
        self.words.at = ahead.start;
        found
    }

    fn end_row(&mut self) -> bool {
        self.words.next_in_line().is_none()
    }

    #[inline]
    fn number(&mut self, _: Scalar) -> Result<f64, Wrong> {
        match self.words.number_in_line() {
            Some(Ok(value)) => Ok(value),
            Some(Err(word)) => Err(Wrong::NoNumber(quoted(word))),
            None => Err(Wrong::Missing),
        }
    }

    #[inline]
    fn integer(&mut self, _: Scalar) -> Result<i64, Wrong> {
        let word = self.words.next_in_line().ok_or(Wrong::Missing)?;
        number::integer(word).ok_or_else(|| Wrong::NoNumber(quoted(word)))
    }

    fn skip(&mut self, _: Scalar, count: usize) -> Result<(), Wrong> {
        // No longer than the line, however many are claimed.
        (0..count).try_for_each(|_| self.words.next_in_line().map(drop).ok_or(Wrong::Missing))
    }

    fn fault(&self, found: String, expected: &str) -> ReadError {
        self.words.fault(found, expected).in_file(self.path, self.text)
    }
}
