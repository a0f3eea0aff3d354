//! Where everything is in a `.hitscan` file: a header, a table of sections, and the sections.
//!
//! `docs/saved.md` has the format, field by field.

use core::fmt;
use core::ops::Range;
use std::vec::Vec;

use twox_hash::XxHash3_64;

use super::bytes::Reader;
use super::error::OpenError;

/// How a file begins: a byte that no text has, and the name.
pub(crate) const MAGIC: [u8; 8] = *b"\x89HITSCAN";

/// The version of the layout, of which there is one that this library reads and writes.
pub(crate) const VERSION: u32 = 1;

/// A number whose bytes tell their order.
const BYTE_ORDER: u32 = 0x0403_0201;

/// Bytes of the header.
pub(crate) const HEADER: usize = 64;

/// Bytes of the header that its own checksum covers.
const HEADER_CHECKED: usize = HEADER - 8;

/// Bytes of an entry of the table.
pub(crate) const ENTRY: usize = 32;

/// Where sections begin: at multiples of it, as nodes have to.
pub(crate) const ALIGNMENT: usize = 64;

/// Sections are checked in pieces of so many bytes, by several threads, each while it is in cache.
pub(crate) const PIECE: usize = 1 << 18;

/// What a section holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Kind {
    /// Everything small: instances, shapes, and what is known of the lists.
    Description = 1,
    /// The nodes over the instances.
    Top,
    /// Of a mesh.
    Vertices,
    /// Of a mesh.
    Triangles,
    /// Of a mesh.
    Materials,
    /// Of a mesh.
    Uvs,
    /// Of a mesh.
    Nodes,
    /// Of a mesh.
    Rows,
    /// Of a mesh.
    Absent,
    /// Of a heightfield: where its columns stand.
    Across,
    /// Of a heightfield: where its rows stand.
    Down,
    /// Of a heightfield.
    Holes,
    /// Of a heightfield.
    Samples,
    /// Of a heightfield.
    Pyramid,
    /// Of a cutout's image.
    Alpha,
    /// What the caller added.
    Note,
}

impl Kind {
    const ALL: [Kind; 16] = [
        Kind::Description,
        Kind::Top,
        Kind::Vertices,
        Kind::Triangles,
        Kind::Materials,
        Kind::Uvs,
        Kind::Nodes,
        Kind::Rows,
        Kind::Absent,
        Kind::Across,
        Kind::Down,
        Kind::Holes,
        Kind::Samples,
        Kind::Pyramid,
        Kind::Alpha,
        Kind::Note,
    ];

    /// Those of a mesh, in their order.
    pub const OF_MESH: Range<usize> = 2..9;

    /// Those of a heightfield, in their order.
    pub const OF_FIELD: Range<usize> = 9..14;

    /// Some of them, in their order.
    pub fn some(range: Range<usize>) -> &'static [Kind] {
        &Kind::ALL[range]
    }

    /// Whether it may be large: then a mapping leaves it unread.
    pub fn is_large(self) -> bool {
        matches!(
            self,
            Kind::Vertices
                | Kind::Triangles
                | Kind::Materials
                | Kind::Uvs
                | Kind::Nodes
                | Kind::Rows
                | Kind::Absent
                | Kind::Holes
                | Kind::Samples
                | Kind::Pyramid
        )
    }
}

/// What a section is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub kind: Kind,
    /// Of which mesh, heightfield, image or note.
    pub owner: u32,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, of) = match self.kind {
            Kind::Description => return f.write_str("the description"),
            Kind::Top => return f.write_str("the tree over the instances"),
            Kind::Vertices => ("the vertices", "mesh"),
            Kind::Triangles => ("the triangles", "mesh"),
            Kind::Materials => ("the materials", "mesh"),
            Kind::Uvs => ("the texture coordinates", "mesh"),
            Kind::Nodes => ("the nodes", "mesh"),
            Kind::Rows => ("the leaves", "mesh"),
            Kind::Absent => ("the triangles without a leaf", "mesh"),
            Kind::Across => ("the columns", "heightfield"),
            Kind::Down => ("the rows", "heightfield"),
            Kind::Holes => ("the holes", "heightfield"),
            Kind::Samples => ("the samples", "heightfield"),
            Kind::Pyramid => ("the pyramid", "heightfield"),
            Kind::Alpha => ("the alpha", "image"),
            Kind::Note => ("the content", "note"),
        };
        write!(f, "{what} of {of} {}", self.owner)
    }
}

/// One section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub name: Name,
    pub offset: u64,
    /// Without the zeroes that follow up to the next section.
    pub length: u64,
    pub checksum: u64,
}

impl Entry {
    /// Where the next section begins.
    pub fn next(&self) -> Option<u64> {
        self.offset.checked_add(self.length)?.checked_next_multiple_of(ALIGNMENT as u64)
    }

    /// Its bytes, of a file that fits into memory.
    pub fn range(&self) -> Range<usize> {
        self.offset as usize..(self.offset + self.length) as usize
    }
}

/// What a header says.
pub(crate) struct Header {
    /// Bytes of the file.
    pub length: u64,
    sections: u32,
    table: u64,
}

impl Header {
    /// Reads the first bytes of a file of so many.
    pub fn read(bytes: &[u8], length: u64) -> Result<Header, OpenError> {
        if cfg!(target_endian = "big") {
            return Err(OpenError::BigEndian);
        }
        if !super::recognises(bytes) {
            return Err(OpenError::NotSaved);
        }
        let Some(header) = bytes.first_chunk::<HEADER>() else {
            return Err(OpenError::Length { found: length, expected: HEADER as u64 });
        };
        let damaged = || OpenError::Damaged { section: "the header".into(), from: 0 };
        let mut fields = Reader::new(&header[MAGIC.len()..]);
        let mut u32_at = || fields.u32().map_err(|_| damaged());
        let (order, version, sections, flags) = (u32_at()?, u32_at()?, u32_at()?, u32_at()?);
        if order == BYTE_ORDER.swap_bytes() {
            return Err(OpenError::ByteOrder);
        }
        let mut u64_at = || fields.u64().map_err(|_| damaged());
        let (expected, table) = (u64_at()?, u64_at()?);
        let rest = [u64_at()?, u64_at()?];
        let sum = checksum(&header[..HEADER_CHECKED]);
        if version != VERSION {
            // A version to come may have another header: of this one its place alone is known.
            return Err(OpenError::Version { found: version });
        }
        if u64_at()? != sum || order != BYTE_ORDER || flags != 0 || rest != [0; 2] {
            return Err(damaged());
        }
        if expected != length {
            return Err(OpenError::Length { found: length, expected });
        }
        Ok(Header { length, sections, table })
    }

    /// Bytes of the table, which lie in the file, with the zeroes up to the first section.
    pub fn table_length(&self) -> Result<usize, OpenError> {
        let length = (u64::from(self.sections) * ENTRY as u64).next_multiple_of(ALIGNMENT as u64);
        match usize::try_from(length) {
            Ok(bytes) if length <= self.length - HEADER as u64 => Ok(bytes),
            _ => Err(OpenError::Invalid {
                section: "the header".into(),
                found: format!("a table of {length} bytes"),
                expected: "one that lies in the file".into(),
            }),
        }
    }

    /// The sections, from the bytes of the table: one behind the other up to the end of the file.
    pub fn table(&self, bytes: &[u8]) -> Result<Vec<Entry>, OpenError> {
        if checksum(bytes) != self.table {
            return Err(OpenError::Damaged { section: "the table of sections".into(), from: HEADER as u64 });
        }
        let invalid = |row: usize, found: String, expected: String| OpenError::Invalid {
            section: "the table of sections".into(),
            found: format!("row {row}: {found}"),
            expected,
        };
        let mut free = (HEADER + bytes.len()) as u64;
        let mut entries = Vec::with_capacity(self.sections as usize);
        for (row, fields) in bytes.chunks_exact(ENTRY).take(self.sections as usize).enumerate() {
            let word = |at: usize| u32::from_le_bytes(core::array::from_fn(|i| fields[at + i]));
            let long = |at: usize| u64::from_le_bytes(core::array::from_fn(|i| fields[at + i]));
            let number = word(0);
            let Some(kind) = Kind::ALL.into_iter().find(|&kind| kind as u32 == number) else {
                return Err(invalid(
                    row,
                    format!("a section of kind {number}"),
                    "a kind from 1 to 16".into(),
                ));
            };
            let name = Name { kind, owner: word(4) };
            let entry = Entry { name, offset: long(8), length: long(16), checksum: long(24) };
            match entry.next().filter(|&next| entry.offset == free && next <= self.length) {
                Some(next) => free = next,
                None => {
                    let Entry { offset, length, .. } = entry;
                    let found = format!("{name} from {offset}, {length} bytes");
                    return Err(invalid(row, found, format!("a section from {free} that ends in the file")));
                }
            }
            entries.push(entry);
        }
        if free != self.length {
            let found = format!("sections up to {free}");
            return Err(invalid(entries.len(), found, format!("sections up to the end at {}", self.length)));
        }
        Ok(entries)
    }
}

/// The header and the table of these sections, and how many bytes the file has.
pub(crate) fn head(entries: &[Entry]) -> (Vec<u8>, u64) {
    let mut table = super::bytes::Writer::default();
    for entry in entries {
        table.u32(entry.name.kind as u32);
        table.u32(entry.name.owner);
        table.u64(entry.offset);
        table.u64(entry.length);
        table.u64(entry.checksum);
    }
    let mut table = table.bytes;
    table.resize(table.len().next_multiple_of(ALIGNMENT), 0);
    let length = entries.last().and_then(Entry::next).unwrap_or(HEADER as u64);
    let mut head = super::bytes::Writer { bytes: MAGIC.to_vec() };
    head.u32(BYTE_ORDER);
    head.u32(VERSION);
    head.u32(entries.len() as u32);
    head.u32(0);
    head.u64(length);
    head.u64(checksum(&table));
    head.u64(0);
    head.u64(0);
    head.u64(checksum(&head.bytes));
    let mut head = head.bytes;
    head.extend(table);
    (head, length)
}

/// XXH3 of 64 bits with the seed 0.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

/// The checksum of a section, from those of its pieces.
pub(crate) fn checksum_of_pieces(pieces: impl IntoIterator<Item = u64>) -> u64 {
    let bytes: Vec<u8> = pieces.into_iter().flat_map(u64::to_le_bytes).collect();
    checksum(&bytes)
}
