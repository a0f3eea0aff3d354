//! A file that is being read: what errors call it, who watches, and what it may take.

use std::io::{self, Read};
use std::path::Path;

use hitscan::Watch;

use crate::{Options, ReadError};

/// What every reader is given beside the bytes.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    /// As the caller gave it.
    pub path: &'a Path,
    watch: Watch<'a>,
    memory: Option<u64>,
}

/// Rows between two looks at whether it is to end: some hundred microseconds.
const ROWS: usize = 4096;

/// Bytes between two such looks.
const PIECE: u64 = 16 << 20;

impl<'a> Reading<'a> {
    pub fn new(path: &'a Path, options: &Options<'a>) -> Reading<'a> {
        Reading { path, watch: options.watch, memory: options.memory }
    }

    /// Once in a while, by the number of the row that is read next: the error where the reading is to end.
    #[inline]
    pub fn go_on(&self, row: usize) -> Result<(), ReadError> {
        if row.is_multiple_of(ROWS) && self.watch.is_cancelled() {
            return Err(ReadError::Cancelled { path: self.path.into() });
        }
        Ok(())
    }

    /// Refuses what takes more memory than it may.
    pub fn check_memory(&self, what: &'static str, needs: u64) -> Result<(), ReadError> {
        match self.memory {
            Some(budget) if needs > budget => {
                Err(ReadError::Memory { path: self.path.into(), what, needs, budget })
            }
            _ => Ok(()),
        }
    }

    /// A limit in bytes, or what may be taken where that is less.
    #[cfg(feature = "fbx")]
    pub fn at_most(&self, limit: usize) -> usize {
        self.memory.and_then(|memory| usize::try_from(memory).ok()).map_or(limit, |memory| memory.min(limit))
    }

    /// Room for so many of what a file claims: the error where that is more than may be taken, or than there is.
    pub fn reserve<T>(&self, list: &mut Vec<T>, count: usize) -> Result<(), ReadError> {
        self.check_memory("what it claims takes", (count as u64).saturating_mul(size_of::<T>() as u64))?;
        list.try_reserve_exact(count).map_err(|_| {
            ReadError::io(
                self.path,
                "it claims more than there is memory for",
                io::ErrorKind::OutOfMemory.into(),
            )
        })
    }

    /// The bytes of a file that has about so many, piece by piece; `before` were read before, and count as well.
    pub fn bytes(
        &self,
        mut file: impl Read,
        about: u64,
        before: u64,
        failed: impl Fn(io::Error) -> ReadError,
    ) -> Result<Vec<u8>, ReadError> {
        const WHAT: &str = "the file takes";
        self.check_memory(WHAT, before.saturating_add(about))?;
        let mut bytes = Vec::new();
        let room = bytes.try_reserve_exact(usize::try_from(about).unwrap_or(usize::MAX));
        room.map_err(|_| failed(io::ErrorKind::OutOfMemory.into()))?;
        loop {
            self.go_on(0)?;
            if (&mut file).take(PIECE).read_to_end(&mut bytes).map_err(&failed)? == 0 {
                return Ok(bytes);
            }
            // What is no file on a disk, or grows, says nothing of its length beforehand.
            self.check_memory(WHAT, before.saturating_add(bytes.len() as u64))?;
        }
    }
}
