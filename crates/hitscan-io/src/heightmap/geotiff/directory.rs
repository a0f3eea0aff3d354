//! The directory of a TIFF: which fields there are, looked up in the file's bytes.
//!
//! It is read here and not by the decoder, which takes memory for what a directory claims before anyone can look
//! at it. Nothing is allocated here; every value lies within the file.

use std::path::Path;

use crate::ReadError;

/// What errors about a damaged file say of it.
pub(super) const EXPECTED: &str = "the TIFF is damaged or incomplete";

/// The fields of one image.
pub(super) struct Directory<'a> {
    path: &'a Path,
    file: File<'a>,
    /// Where it is in the file.
    offset: u64,
    /// Whole entries, 12 bytes each, or 20 in a BigTIFF.
    entries: &'a [u8],
    /// Where the next image's directory is; 0 for none.
    next: u64,
}

/// The bytes, and how its numbers are written.
#[derive(Clone, Copy)]
struct File<'a> {
    bytes: &'a [u8],
    big_endian: bool,
    /// A BigTIFF has counts and offsets of 8 bytes.
    big: bool,
}

/// The values of one field.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    file: File<'a>,
    /// The type's number in the specification.
    kind: u16,
    data: &'a [u8],
}

impl<'a> File<'a> {
    /// Bytes `at..at + length`, if the file has them.
    fn slice(&self, at: u64, length: u64) -> Option<&'a [u8]> {
        let at = usize::try_from(at).ok()?;
        self.bytes.get(at..at.checked_add(usize::try_from(length).ok()?)?)
    }

    /// A whole number of 1, 2, 4 or 8 bytes.
    fn integer(&self, bytes: &[u8]) -> u64 {
        let push = |number: u64, &byte: &u8| number << 8 | u64::from(byte);
        if self.big_endian { bytes.iter().fold(0, push) } else { bytes.iter().rev().fold(0, push) }
    }

    fn integer_at(&self, at: u64, length: u64) -> Option<u64> {
        self.slice(at, length).map(|bytes| self.integer(bytes))
    }
}

impl<'a> Directory<'a> {
    /// The first image's.
    pub fn first(path: &'a Path, bytes: &'a [u8]) -> Result<Directory<'a>, ReadError> {
        let file = match bytes {
            [b'I', b'I', 42, 0, ..] => File { bytes, big_endian: false, big: false },
            [b'M', b'M', 0, 42, ..] => File { bytes, big_endian: true, big: false },
            [b'I', b'I', 43, 0, 8, 0, 0, 0, ..] => File { bytes, big_endian: false, big: true },
            [b'M', b'M', 0, 43, 0, 8, 0, 0, ..] => File { bytes, big_endian: true, big: true },
            _ => {
                let expected = "a TIFF begins with II or MM and the number 42, or 43 for a BigTIFF";
                return Err(ReadError::invalid(path, "not a TIFF", expected));
            }
        };
        let offset = if file.big { file.integer_at(8, 8) } else { file.integer_at(4, 4) };
        Directory::at(path, file, offset.unwrap_or(u64::MAX))
    }

    fn at(path: &'a Path, file: File<'a>, offset: u64) -> Result<Directory<'a>, ReadError> {
        let (count_size, entry_size, next_size) = if file.big { (8, 20, 8) } else { (2, 12, 4) };
        let read = || {
            let count = file.integer_at(offset, count_size)?;
            let start = offset.checked_add(count_size)?;
            let length = count.checked_mul(entry_size)?;
            let entries = file.slice(start, length)?;
            Some((entries, file.integer_at(start + length, next_size)?))
        };
        let found = "the file ends within a directory";
        let (entries, next) = read().ok_or_else(|| ReadError::invalid(path, found, EXPECTED))?;
        Ok(Directory { path, file, offset, entries, next })
    }

    /// The next image's; `None` after the last.
    pub fn next(&self) -> Result<Option<Directory<'a>>, ReadError> {
        (self.next != 0).then(|| Directory::at(self.path, self.file, self.next)).transpose()
    }

    /// The byte that it begins at: of two images never the same.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    pub fn path(&self) -> &'a Path {
        self.path
    }

    /// The field of this number; `None` where the image has none.
    pub fn field(&self, tag: u16) -> Result<Option<Field<'a>>, ReadError> {
        let file = self.file;
        let (entry_size, count_size) = if file.big { (20, 8) } else { (12, 4) };
        let is_it = |entry: &&[u8]| file.integer(&entry[..2]) == u64::from(tag);
        let mut entries = self.entries.chunks_exact(entry_size);
        let Some(entry) = entries.find(is_it) else { return Ok(None) };
        // The decoder might take the other one.
        if entries.any(|entry| is_it(&entry)) {
            return Err(ReadError::invalid(self.path, format!("field {tag} is there twice"), EXPECTED));
        }
        let (kind, rest) = (file.integer(&entry[2..4]) as u16, &entry[4..]);
        let (count, inline) = rest.split_at(count_size);
        let data = || {
            let length = file.integer(count).checked_mul(size(kind))?;
            if length <= inline.len() as u64 {
                Some(&inline[..length as usize])
            } else {
                file.slice(file.integer(inline), length)
            }
        };
        let found = || format!("field {tag} lies beyond the end of the file");
        let data = data().ok_or_else(|| ReadError::invalid(self.path, found(), EXPECTED))?;
        Ok(Some(Field { file, kind, data }))
    }

    /// The only or first number of a field; `None` where the image has no such field.
    pub fn integer(&self, tag: u16) -> Result<Option<u64>, ReadError> {
        let Some(field) = self.field(tag)? else { return Ok(None) };
        let found = || format!("field {tag} is not a whole number");
        let number = field.integer(0).ok_or_else(|| ReadError::invalid(self.path, found(), EXPECTED))?;
        Ok(Some(number))
    }

    /// The first `N` of a field's numbers of type DOUBLE; `None` where the image has no such field.
    pub fn numbers<const N: usize>(&self, tag: u16) -> Result<Option<[f64; N]>, ReadError> {
        let Some(field) = self.field(tag)? else { return Ok(None) };
        let mut numbers = [0.0; N];
        for (at, number) in numbers.iter_mut().enumerate() {
            let found = || format!("field {tag} has no {N} finite numbers");
            let finite = field.double(at).filter(|number| number.is_finite());
            *number = finite.ok_or_else(|| ReadError::invalid(self.path, found(), EXPECTED))?;
        }
        Ok(Some(numbers))
    }

    /// The text of a field without the zero at its end; `None` where the image has no such field.
    pub fn text(&self, tag: u16) -> Result<Option<&'a [u8]>, ReadError> {
        let Some(field) = self.field(tag)? else { return Ok(None) };
        let end = field.data.iter().position(|&byte| byte == 0).unwrap_or(field.data.len());
        Ok(Some(&field.data[..end]))
    }
}

impl Field<'_> {
    /// How many values there are.
    pub fn len(&self) -> usize {
        self.data.len() / size(self.kind) as usize
    }

    /// A value of an unsigned type.
    pub fn integer(&self, at: usize) -> Option<u64> {
        const UNSIGNED: [u16; 5] = [1, 3, 4, 13, 16];
        UNSIGNED.contains(&self.kind).then(|| self.value(at).map(|bytes| self.file.integer(bytes))).flatten()
    }

    /// A value of type DOUBLE.
    pub fn double(&self, at: usize) -> Option<f64> {
        const DOUBLE: u16 = 12;
        (self.kind == DOUBLE)
            .then(|| self.value(at).map(|bytes| f64::from_bits(self.file.integer(bytes))))
            .flatten()
    }

    fn value(&self, at: usize) -> Option<&[u8]> {
        self.data.chunks_exact(size(self.kind) as usize).nth(at)
    }
}

/// Bytes of a value; unknown types count as bytes.
fn size(kind: u16) -> u64 {
    match kind {
        3 | 8 => 2,
        4 | 9 | 11 | 13 => 4,
        5 | 10 | 12 | 16 | 17 | 18 => 8,
        _ => 1,
    }
}
