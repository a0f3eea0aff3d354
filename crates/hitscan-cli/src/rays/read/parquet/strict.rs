//! A file whose end is an error to those who read on: the Parquet library passes over parts of a page's header that it does not know
//! piece by piece, takes nothing for a piece, and is kept busy for minutes by one that announces 2^31 of them.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use bytes::Bytes;
use parquet::errors::Result;
use parquet::file::reader::{ChunkReader, Length};

/// A file, as the Parquet library reads it.
pub struct Strict(pub File);

impl Length for Strict {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl ChunkReader for Strict {
    type T = BufReader<ToEnd>;

    fn get_read(&self, start: u64) -> Result<BufReader<ToEnd>> {
        let mut file = self.0.try_clone()?;
        file.seek(SeekFrom::Start(start))?;
        Ok(BufReader::new(ToEnd(file)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        self.0.get_bytes(start, length)
    }
}

/// What is read from somewhere up to the end, and not behind it.
pub struct ToEnd(File);

impl Read for ToEnd {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.0.read(into)? {
            0 if !into.is_empty() => Err(io::ErrorKind::UnexpectedEof.into()),
            count => Ok(count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_an_error_to_those_who_read_on() {
        let path = std::env::temp_dir().join(format!("hitscan-strict-{}", std::process::id()));
        std::fs::write(&path, b"0123456789").expect("room for ten bytes");
        let strict = Strict(File::open(&path).expect("it is there"));
        std::fs::remove_file(&path).expect("it is ours");
        assert_eq!((strict.len(), &*strict.get_bytes(2, 3).expect("they are there")), (10, &b"234"[..]));
        let mut reader = strict.get_read(6).expect("it is there");
        let mut four = [0; 4];
        reader.read_exact(&mut four).expect("they are there");
        assert_eq!(&four, b"6789");
        let more = io::copy(&mut reader.by_ref().take(8), &mut io::sink());
        assert_eq!(more.expect_err("there is no more").kind(), io::ErrorKind::UnexpectedEof);
    }
}
