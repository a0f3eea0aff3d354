//! Numbers one after the other, little-endian: the small part of a saved scene.

use std::fmt;
use std::vec::Vec;

/// What is wrong inside of a section: what was found, and what was expected.
#[derive(Debug)]
pub(crate) struct Flaw {
    pub found: String,
    pub expected: String,
}

impl Flaw {
    pub fn new(found: impl fmt::Display, expected: impl fmt::Display) -> Flaw {
        Flaw { found: found.to_string(), expected: expected.to_string() }
    }

    /// The complaint of a constructor that refused what was stored.
    pub fn refused(what: impl fmt::Display, error: impl fmt::Display) -> Flaw {
        Flaw::new(format_args!("{what}: {error}"), "what the library itself makes")
    }
}

/// Appends numbers.
#[derive(Default)]
pub(crate) struct Writer {
    pub bytes: Vec<u8>,
}

impl Writer {
    pub fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub fn u64(&mut self, value: u64) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// How many there are of something.
    pub fn count(&mut self, value: usize) {
        self.u64(value as u64);
    }

    pub fn f32(&mut self, value: f32) {
        self.u32(value.to_bits());
    }

    pub fn f64(&mut self, value: f64) {
        self.u64(value.to_bits());
    }

    pub fn f64s(&mut self, values: &[f64]) {
        values.iter().for_each(|&value| self.f64(value));
    }
}

/// Takes numbers off the front.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Flaw> {
        match self.rest.split_first_chunk() {
            Some((first, rest)) => {
                self.rest = rest;
                Ok(*first)
            }
            None => {
                Err(Flaw::new(format_args!("{} bytes at the end", self.rest.len()), format_args!("{N} more")))
            }
        }
    }

    pub fn u32(&mut self) -> Result<u32, Flaw> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Result<u64, Flaw> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn f32(&mut self) -> Result<f32, Flaw> {
        self.u32().map(f32::from_bits)
    }

    pub fn f64(&mut self) -> Result<f64, Flaw> {
        self.u64().map(f64::from_bits)
    }

    pub fn f32s<const N: usize>(&mut self) -> Result<[f32; N], Flaw> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = self.f32()?;
        }
        Ok(values)
    }

    pub fn f64s<const N: usize>(&mut self) -> Result<[f64; N], Flaw> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = self.f64()?;
        }
        Ok(values)
    }

    /// How many there are of something that takes at least `least` bytes each: no more than what is left holds.
    pub fn count(&mut self, what: &str, least: usize) -> Result<usize, Flaw> {
        let count = self.u64()?;
        let most = self.rest.len() / least;
        match usize::try_from(count) {
            Ok(count) if count <= most => Ok(count),
            _ => Err(Flaw::new(
                format_args!("{count} {what}"),
                format_args!("room for them; there is some for {most}"),
            )),
        }
    }

    /// A number that stands for one of several things.
    pub fn code(&mut self, what: &str, most: u32) -> Result<u32, Flaw> {
        match self.u32()? {
            code if code <= most => Ok(code),
            code => Err(Flaw::new(format_args!("{what} {code}"), format_args!("0 to {most}"))),
        }
    }

    /// A number that is 0 for no and 1 for yes.
    pub fn flag(&mut self, what: &str) -> Result<bool, Flaw> {
        self.code(what, 1).map(|code| code == 1)
    }

    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Flaw> {
        match self.rest.split_at_checked(count) {
            Some((first, rest)) => {
                self.rest = rest;
                Ok(first)
            }
            None => Err(Flaw::new(
                format_args!("{} bytes at the end", self.rest.len()),
                format_args!("{count} more"),
            )),
        }
    }

    /// Refuses what is left over.
    pub fn end(self) -> Result<(), Flaw> {
        match self.rest.len() {
            0 => Ok(()),
            left => Err(Flaw::new(format_args!("{left} bytes too many"), "an end where everything is told")),
        }
    }
}
