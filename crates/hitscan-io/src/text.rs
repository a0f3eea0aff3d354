//! Words and line numbers of text files.
//!
//! A fault keeps the byte where it is; lines are counted when it is told, so that reading does not count them. A line
//! ends with `\n`, `\r\n`, or `\r` alone.

use std::path::Path;

use crate::ReadError;
use crate::number;

/// What is wrong with a text, and where.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Offset in the text.
    pub at: usize,
    pub found: String,
    pub expected: String,
}

impl Fault {
    pub fn new(at: usize, found: impl Into<String>, expected: impl Into<String>) -> Fault {
        Fault { at, found: found.into(), expected: expected.into() }
    }

    /// The error for a fault in this text.
    pub fn in_file(self, path: &Path, text: &[u8]) -> ReadError {
        ReadError::syntax(path, line_number(text, self.at), self.found, self.expected)
    }
}

/// Why the reading of a text ends early: a fault of the text, or what has nothing to do with a place in it.
#[derive(Debug)]
pub(crate) enum End {
    Fault(Fault),
    Else(ReadError),
}

impl End {
    /// The error for this text.
    pub fn in_file(self, path: &Path, text: &[u8]) -> ReadError {
        match self {
            End::Fault(fault) => fault.in_file(path, text),
            End::Else(error) => error,
        }
    }
}

impl From<Fault> for End {
    fn from(fault: Fault) -> End {
        End::Fault(fault)
    }
}

impl From<ReadError> for End {
    fn from(error: ReadError) -> End {
        End::Else(error)
    }
}

/// The number of the line that this place is in, from 1.
pub(crate) fn line_number(text: &[u8], at: usize) -> u64 {
    let before = &text[..at.min(text.len())];
    let line_feeds = before.iter().filter(|&&byte| byte == b'\n').count();
    let lone_returns =
        before.iter().enumerate().filter(|&(i, &byte)| byte == b'\r' && text.get(i + 1) != Some(&b'\n'));
    (line_feeds + lone_returns.count()) as u64 + 1
}

/// Without the mark that some editors put before UTF-8.
pub(crate) fn without_mark(text: &[u8]) -> &[u8] {
    const BYTE_ORDER_MARK: &[u8] = &[0xEF, 0xBB, 0xBF];
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// Whether a byte keeps words apart: a blank or a line end.
#[inline]
pub(crate) fn is_space(byte: u8) -> bool {
    byte == b' ' || (b'\t'..=b'\r').contains(&byte)
}

fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// A place in a text between words.
#[derive(Clone)]
pub(crate) struct Words<'a> {
    text: &'a [u8],
    /// Where the next look begins.
    pub at: usize,
    /// Where the last word or number began, or was missed.
    pub start: usize,
    /// What begins a comment, up to the end of its line.
    comment: Option<u8>,
}

impl<'a> Words<'a> {
    pub fn new(text: &'a [u8], comment: Option<u8>) -> Words<'a> {
        let at = text.len() - without_mark(text).len();
        Words { text, at, start: at, comment }
    }

    /// The next word, in this line or a later one.
    #[inline]
    pub fn next_word(&mut self) -> Option<&'a [u8]> {
        self.skip(is_space);
        self.word()
    }

    /// The next word of this line.
    #[inline]
    pub fn next_in_line(&mut self) -> Option<&'a [u8]> {
        self.skip(|byte| is_space(byte) && !is_line_end(byte));
        self.word()
    }

    /// The next word of this line as a number, read in one go. `Err` has the word that is no
    /// number.
    #[inline]
    pub fn number_in_line(&mut self) -> Option<Result<f64, &'a [u8]>> {
        self.skip(|byte| is_space(byte) && !is_line_end(byte));
        if let Some((value, length)) = number::leading(&self.text[self.at..]) {
            self.start = self.at;
            self.at += length;
            return Some(Ok(value));
        }
        let word = self.word()?;
        Some(number::parse(word).ok_or(word))
    }

    /// The rest of the line without blanks around it, for names.
    pub fn rest_of_line(&mut self) -> &'a [u8] {
        self.start = self.at;
        self.skip_line();
        self.text[self.start..self.at].trim_ascii()
    }

    /// Goes to the end of the line.
    pub fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.iter().position(|&byte| is_line_end(byte)).unwrap_or(rest.len());
    }

    /// A fault at the last word.
    pub fn fault(&self, found: impl Into<String>, expected: impl Into<String>) -> Fault {
        Fault::new(self.start, found, expected)
    }

    #[inline]
    fn skip(&mut self, is_skipped: impl Fn(u8) -> bool) {
        loop {
            let rest = &self.text[self.at..];
            self.at += rest.iter().position(|&byte| !is_skipped(byte)).unwrap_or(rest.len());
            if self.comment.is_none() || self.text.get(self.at).copied() != self.comment {
                return;
            }
            self.skip_line();
        }
    }

    #[inline]
    fn word(&mut self) -> Option<&'a [u8]> {
        self.start = self.at;
        let rest = &self.text[self.at..];
        let ends = |byte: u8| is_space(byte) || Some(byte) == self.comment;
        let length = rest.iter().position(|&byte| ends(byte)).unwrap_or(rest.len());
        self.at += length;
        (length > 0).then(|| &rest[..length])
    }
}

#[cfg(test)]
mod tests {
    use super::{Words, line_number};

    #[test]
    fn lines_end_in_every_way() {
        let text = b"a\nb\r\nc\rd\r\n";
        for (letter, line) in [(b'a', 1), (b'b', 2), (b'c', 3), (b'd', 4)] {
            let at = text.iter().position(|&byte| byte == letter).unwrap();
            assert_eq!(line_number(text, at), line);
        }
        assert_eq!(line_number(text, text.len()), 5);
    }

    #[test]
    fn words_stop_at_lines_and_comments() {
        let mut words = Words::new(b"\xEF\xBB\xBFone # two\n three 4#5\n6", Some(b'#'));
        assert_eq!(words.next_in_line(), Some(&b"one"[..]));
        assert_eq!(words.next_in_line(), None);
        assert_eq!(words.next_word(), Some(&b"three"[..]));
        assert_eq!(words.number_in_line(), Some(Ok(4.0)));
        assert_eq!(words.number_in_line(), None);
        assert_eq!(words.next_word(), Some(&b"6"[..]));
        assert_eq!(words.next_word(), None);
    }
}
