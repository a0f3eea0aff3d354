//! A text file of any length as blocks of whole records, each cut into pieces for the threads.
//!
//! A record ends at a line break outside quotes. Only where a block has a quote in it is it walked byte by byte.

use std::io::{self, Read};
use std::ops::Range;

use crate::failure::Failure;

/// Bytes read before a block is handed on: enough rays to occupy every thread, few enough to stay in memory.
const BLOCK: usize = 8 << 20;

/// Bytes that one thread takes at a time.
const PIECE: usize = 128 << 10;

/// The longest record: more is no table of rays, and memory must not grow with it.
const LONGEST: usize = 64 << 20;

/// Finds the ends of records in some bytes: the last one, and others about so far apart.
pub type Ends = fn(&[u8], usize) -> Vec<usize>;

/// Reads blocks.
#[derive(Debug)]
pub struct Blocks<R> {
    input: R,
    /// What was read and not handed on.
    buffer: Vec<u8>,
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
        Blocks { input, buffer: Vec::new(), ended: false }
    }

    /// What comes next, up to a block or the end of the file; perhaps not whole records.
    ///
    /// # Errors
    /// Those of the input.
    pub fn peek(&mut self) -> io::Result<&[u8]> {
        self.fill(BLOCK)?;
        Ok(&self.buffer)
    }

    /// Leaves out the first bytes of what [`Blocks::peek`] showed.
    pub fn skip(&mut self, bytes: usize) {
        self.buffer.drain(..bytes.min(self.buffer.len()));
    }

    /// The next block; `None` at the end.
    ///
    /// # Errors
    /// Those of the input, and `InvalidData` for a record beyond all measure.
    pub fn next(&mut self, ends: Ends) -> io::Result<Option<Block>> {
        let mut wanted = BLOCK;
        loop {
            self.fill(wanted)?;
            if self.buffer.is_empty() {
                return Ok(None);
            }
            let mut ends = ends(&self.buffer, PIECE);
            if self.ended && ends.last() != Some(&self.buffer.len()) {
                // The last line needs no line break.
                ends.push(self.buffer.len());
            }
            if let Some(&end) = ends.last() {
                let mut rest = Vec::with_capacity(BLOCK);
                rest.extend_from_slice(&self.buffer[end..]);
                let mut bytes = std::mem::replace(&mut self.buffer, rest);
                bytes.truncate(end);
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
            let read = self.input.by_ref().take(missing).read_to_end(&mut self.buffer)?;
            self.ended = (read as u64) < missing;
        }
        Ok(())
    }
}

/// What keeps a block from being read; a row without end has its own words.
pub fn unreadable(place: &str, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::InvalidData => Failure::new(place, error),
        _ => Failure::reading(place, error),
    }
}

/// How many lines end in some bytes.
pub fn newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// Ends of records of CSV, the last one and others about `distance` apart.
pub fn record_ends(bytes: &[u8], distance: usize) -> Vec<usize> {
    if memchr::memchr(b'"', bytes).is_some() {
        quoted_ends(bytes, distance)
    } else {
        line_ends(bytes, distance)
    }
}

/// Ends of lines, the last one and others about `distance` apart.
pub fn line_ends(bytes: &[u8], distance: usize) -> Vec<usize> {
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

/// The same where line breaks may stand within quotes. As the `csv` crate has it, a quote opens only at the start
/// of a field, and two of them within quotes are one that is meant.
fn quoted_ends(bytes: &[u8], distance: usize) -> Vec<usize> {
    let mut ends: Vec<usize> = Vec::new();
    let (mut quoted, mut field_start, mut last) = (false, true, 0);
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' if quoted && bytes.get(at + 1) == Some(&b'"') => at += 1,
            b'"' if quoted => quoted = false,
            b'"' if field_start => quoted = true,
            b'\n' if !quoted => {
                last = at + 1;
                if last - ends.last().unwrap_or(&0) >= distance {
                    ends.push(last);
                }
            }
            _ => {}
        }
        field_start = !quoted && matches!(bytes[at], b',' | b'\n' | b'\r');
        at += 1;
    }
    if last > *ends.last().unwrap_or(&0) {
        ends.push(last);
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &[u8]) -> Vec<Vec<Vec<u8>>> {
        let mut reader = Blocks::new(text);
        let mut all = Vec::new();
        while let Some(block) = reader.next(record_ends).unwrap() {
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
    fn memory_does_not_grow_with_a_line_without_end() {
        let error = Blocks::new(io::repeat(b'x')).next(line_ends).unwrap_err();
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
