//! A text file of any length as blocks of whole records, each cut into pieces for the threads.
//!
//! A record ends at a line break outside quotes. Only where a block has a quote in it is it walked byte by byte.

use std::io::{self, Read};
use std::ops::Range;
use std::{error, fmt};

use crate::failure::Failure;

/// Bytes read before a block is handed on: enough rays to occupy every thread, few enough to stay in memory.
const BLOCK: usize = 8 << 20;

/// Bytes that one thread takes at a time.
const PIECE: usize = 128 << 10;

/// The longest record: more is no table of rays, and memory must not grow with it.
const LONGEST: usize = 64 << 20;

/// What ends a record.
#[derive(Clone, Copy, Debug)]
pub enum Ends {
    /// Each line break.
    Lines,
    /// As in CSV, one that is not within quotes.
    Records,
}

/// A quote without its other half, after which nobody can tell rows from text.
#[derive(Clone, Copy, Debug)]
struct OpenQuote {
    /// The line that it opens on, from 1.
    line: u64,
}

impl fmt::Display for OpenQuote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a quote opens here and is never closed; expected another one at the end of the field")
    }
}

impl error::Error for OpenQuote {}

/// Reads blocks.
#[derive(Debug)]
pub struct Blocks<R> {
    input: R,
    /// What was read and not handed on.
    buffer: Vec<u8>,
    /// Lines that end before it, for what is told of a quote.
    lines: u64,
    /// Whether a carriage return alone ends a line; it is then handed on as a line feed.
    has_returns: bool,
    ended: bool,
}

/// Whole records, and where to cut them.
#[derive(Debug)]
pub struct Block {
    /// The records' bytes.
    pub bytes: Vec<u8>,
    /// Parts of `bytes` that end with a record, in order and without gaps.
    pub pieces: Vec<Range<usize>>,
}

impl<R: Read> Blocks<R> {
    /// Blocks of a file.
    pub fn new(input: R) -> Blocks<R> {
        Blocks { input, buffer: Vec::new(), lines: 0, has_returns: false, ended: false }
    }

    /// Those of the same file from so many lines farther on.
    pub fn behind(&self, input: R, lines: u64) -> Blocks<R> {
        Blocks { lines: self.lines + lines, has_returns: self.has_returns, ..Blocks::new(input) }
    }

    /// What comes next, up to a block or the end of the file; perhaps not whole records.
    ///
    /// # Errors
    /// Those of the input.
    pub fn peek(&mut self) -> io::Result<&[u8]> {
        self.fill(BLOCK)?;
        Ok(&self.buffer)
    }

    /// Takes each carriage return, so far and from now on, for a line feed: bytes, pieces and lines are then counted as anywhere.
    pub fn end_at_returns(&mut self) {
        self.has_returns = true;
        feed(&mut self.buffer);
    }

    /// Leaves out the first bytes of what [`Blocks::peek`] showed.
    pub fn skip(&mut self, bytes: usize) {
        let bytes = bytes.min(self.buffer.len());
        self.lines += newlines(&self.buffer[..bytes]);
        self.buffer.drain(..bytes);
    }

    /// The next block; `None` at the end.
    ///
    /// # Errors
    /// Those of the input, and `InvalidData` for a record beyond all measure or a quote that is never closed.
    pub fn next(&mut self, kind: Ends) -> io::Result<Option<Block>> {
        let mut wanted = BLOCK;
        loop {
            self.fill(wanted)?;
            if self.buffer.is_empty() {
                return Ok(None);
            }
            let mut ends = kind.find(&self.buffer, PIECE);
            if self.ended && ends.last() != Some(&self.buffer.len()) {
                let last = ends.last().copied().unwrap_or(0);
                if let (Ends::Records, Some(at)) = (kind, quoted(&self.buffer[last..], |_| {})) {
                    let line = self.lines + newlines(&self.buffer[..last + at]) + 1;
                    return Err(io::Error::new(io::ErrorKind::InvalidData, OpenQuote { line }));
                }
                // The last line needs no line break.
                ends.push(self.buffer.len());
            }
            if let Some(&end) = ends.last() {
                let mut rest = Vec::with_capacity(BLOCK);
                rest.extend_from_slice(&self.buffer[end..]);
                let mut bytes = std::mem::replace(&mut self.buffer, rest);
                bytes.truncate(end);
                if let Ends::Records = kind {
                    self.lines += newlines(&bytes);
                }
                let starts = [0].into_iter().chain(ends.iter().copied());
                let pieces = starts.zip(&ends).map(|(start, &end)| start..end).collect();
                return Ok(Some(Block { bytes, pieces }));
            }
            if self.buffer.len() >= LONGEST {
                let error = format!("a row of more than {} MB; expected rows of numbers", LONGEST >> 20);
                return Err(io::Error::new(io::ErrorKind::InvalidData, error));
            }
            wanted = 2 * self.buffer.len();
        }
    }

    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        if !self.ended && self.buffer.len() < wanted {
            let missing = (wanted - self.buffer.len()) as u64;
            let before = self.buffer.len();
            let read = self.input.by_ref().take(missing).read_to_end(&mut self.buffer)?;
            if self.has_returns {
                feed(&mut self.buffer[before..]);
            }
            self.ended = (read as u64) < missing;
        }
        Ok(())
    }
}

/// What keeps a block from being read; a row without end and a quote without one have their own words.
pub fn unreadable(place: &str, error: &io::Error) -> Failure {
    if let Some(open) = error.get_ref().and_then(|error| error.downcast_ref::<OpenQuote>()) {
        return Failure::new(format_args!("{place}:{}", open.line), open);
    }
    match error.kind() {
        io::ErrorKind::InvalidData => Failure::new(place, error),
        _ => Failure::reading(place, error),
    }
}

/// Makes line feeds of carriage returns.
fn feed(bytes: &mut [u8]) {
    bytes.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
}

/// How many lines end in some bytes.
pub fn newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

impl Ends {
    /// Those in some bytes: the last one, and others about so far apart.
    fn find(self, bytes: &[u8], distance: usize) -> Vec<usize> {
        match self {
            Ends::Records if memchr::memchr(b'"', bytes).is_some() => quoted_ends(bytes, distance),
            Ends::Records | Ends::Lines => line_ends(bytes, distance),
        }
    }
}

/// Ends of lines, the last one and others about `distance` apart.
fn line_ends(bytes: &[u8], distance: usize) -> Vec<usize> {
    let Some(last) = memchr::memrchr(b'\n', bytes).map(|at| at + 1) else { return Vec::new() };
    let mut ends = Vec::new();
    let mut end = 0;
    while end < last {
        let from = (end + distance).min(last) - 1;
        end = memchr::memchr(b'\n', &bytes[from..last]).map_or(last, |at| from + at + 1);
        ends.push(end);
    }
    ends
}

/// The same where line breaks may stand within quotes.
fn quoted_ends(bytes: &[u8], distance: usize) -> Vec<usize> {
    let (mut ends, mut last): (Vec<usize>, usize) = (Vec::new(), 0);
    quoted(bytes, |end| {
        last = end;
        if end - ends.last().unwrap_or(&0) >= distance {
            ends.push(end);
        }
    });
    if last > *ends.last().unwrap_or(&0) {
        ends.push(last);
    }
    ends
}

/// Says where each record ends that has a line break, and where a quote opens that is not closed. As the `csv` crate has it, a quote opens
/// only at the start of a field, and two of them within quotes are one that is meant.
fn quoted(bytes: &[u8], mut ends: impl FnMut(usize)) -> Option<usize> {
    let (mut open, mut field_start) = (None, true);
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' if open.is_some() && bytes.get(at + 1) == Some(&b'"') => at += 1,
            b'"' if open.is_some() => open = None,
            b'"' if field_start => open = Some(at),
            b'\n' if open.is_none() => ends(at + 1),
            _ => {}
        }
        field_start = open.is_none() && matches!(bytes[at], b',' | b'\n' | b'\r');
        at += 1;
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &[u8]) -> Vec<Vec<Vec<u8>>> {
        let mut reader = Blocks::new(text);
        let mut all = Vec::new();
        while let Some(block) = reader.next(Ends::Records).unwrap() {
            all.push(block.pieces.iter().map(|piece| block.bytes[piece.clone()].to_vec()).collect());
        }
        all
    }

    #[test]
    fn pieces_are_whole_records_and_nothing_is_lost() {
        let text: Vec<u8> = (0..2_000_000).flat_map(|i| format!("{i},{}\n", i * 7).into_bytes()).collect();
        let all = blocks(&text);
        assert!(all.len() > 2 && all.iter().all(|block| !block.is_empty()));
        assert!(all.iter().flatten().all(|piece| piece.ends_with(b"\n")));
        assert_eq!(all.concat().concat(), text);
    }

    #[test]
    fn the_last_line_needs_no_break() {
        assert_eq!(blocks(b"1,2\n3,4"), [[b"1,2\n".to_vec(), b"3,4".to_vec()]]);
        assert_eq!(blocks(b""), Vec::<Vec<Vec<u8>>>::new());
    }

    #[test]
    fn a_quote_that_is_never_closed_is_told_with_its_line() {
        let mut reader = Blocks::new(&b"a,b\n1,2\n3,\"x\n\"\n4,\"5\n6,7\n8,9\n"[..]);
        reader.peek().unwrap();
        reader.skip(4);
        let error = reader.next(Ends::Records).and_then(|_| reader.next(Ends::Records)).unwrap_err();
        let failure = format!("{:?}", unreadable("rays.csv", &error));
        assert!(failure.contains("rays.csv:5") && failure.contains("never closed"), "{failure}");
        // Lines are counted on where a run is resumed.
        let mut behind = reader.behind(&b"4,\"5\n"[..], 3);
        let error = behind.next(Ends::Records).unwrap_err();
        assert!(format!("{:?}", unreadable("rays.csv", &error)).contains("rays.csv:5:"), "{error}");
        assert_eq!(blocks(b"1,\"2\"\n3,\"4\""), [[b"1,\"2\"\n".to_vec(), b"3,\"4\"".to_vec()]]);
    }

    #[test]
    fn memory_does_not_grow_with_a_line_without_end() {
        let error = Blocks::new(io::repeat(b'x')).next(Ends::Lines).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert_eq!(error.to_string(), "a row of more than 64 MB; expected rows of numbers");
    }

    #[test]
    fn line_breaks_in_quotes_are_not_ends() {
        let text = b"a,\"x\ny \"\"z\"\"\n\"\n5\" pipe,b\nc,d\n";
        assert_eq!(quoted_ends(text, 1), [14 + 1, 15 + 10, text.len()]);
        assert_eq!(line_ends(b"a\nb\nc", 1), [2, 4]);
    }
}
