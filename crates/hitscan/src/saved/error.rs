//! Why a saved scene was not opened or not written.

use std::io;
use std::string::String;

use thiserror::Error;

use super::layout::VERSION;
use super::notes::MAX_NOTE;

/// Why a saved scene was not opened: what was found, and what was expected. Which file it was, the caller knows.
///
/// ```
/// use hitscan::saved::{OpenError, Saved};
/// let error = Saved::read(b"solid cube").unwrap_err();
/// assert!(matches!(error, OpenError::NotSaved));
/// assert_eq!(error.to_string(), "does not begin as a saved scene does; expected a .hitscan file");
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The system could not open or read the file.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The first bytes are another format's.
    #[error("does not begin as a saved scene does; expected a .hitscan file")]
    NotSaved,
    /// Another version of the format.
    #[error("is a saved scene of version {found}; expected version {}, save it again", VERSION)]
    Version {
        /// The version found.
        found: u32,
    },
    /// Written by a machine whose numbers begin with their highest byte.
    #[error("is a saved scene in big-endian numbers; expected little-endian ones")]
    ByteOrder,
    /// This machine's numbers begin with their highest byte.
    #[error("this machine is big-endian; saved scenes are read and written on little-endian ones")]
    BigEndian,
    /// Another length than the header says: cut off, or appended to.
    #[error("has {found} bytes; expected {expected}, as its header says")]
    Length {
        /// Bytes found.
        found: u64,
        /// Bytes that the header says.
        expected: u64,
    },
    /// A checksum that is not that of the bytes.
    #[error("{section} from byte {from} on: the checksum does not fit; expected an undamaged file")]
    Damaged {
        /// Which section, by name.
        section: String,
        /// Where it begins in the file.
        from: u64,
    },
    /// What a section says is not what this library writes.
    #[error("{section}: {found}; expected {expected}")]
    Invalid {
        /// Which section, by name.
        section: String,
        /// What it says.
        found: String,
        /// What it should say.
        expected: String,
    },
    /// More bytes than this machine has room for.
    #[error("has {length} bytes; expected no more than this machine has room for")]
    TooLarge {
        /// Bytes of the file.
        length: u64,
    },
}

/// Why a scene was not saved. What was there under its name before is there still.
///
/// ```
/// use hitscan::{World, saved::SaveError};
/// let nowhere = World::new().commit().save("there/is/no/such/scene.hitscan");
/// assert!(matches!(nowhere, Err(SaveError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound));
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SaveError {
    /// The system could not write the file.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// This machine's numbers begin with their highest byte.
    #[error("this machine is big-endian; saved scenes are read and written on little-endian ones")]
    BigEndian,
    /// More meshes, shapes or other things than 32 bits count.
    #[error("{count} {what}; a saved scene holds less than 2^32")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many.
        count: usize,
    },
}

/// Why a note was refused.
///
/// ```
/// use hitscan::saved::{NoteError, Notes};
/// let error = Notes::new().set("", *b"nothing").unwrap_err();
/// assert_eq!((error, error.to_string()), (NoteError::Name { length: 0 }, "a name of 0 bytes; a note needs one of 1 to 255".to_owned()));
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteError {
    /// A name without a letter, or with too many.
    #[error("a name of {length} bytes; a note needs one of 1 to 255")]
    Name {
        /// Bytes of the name.
        length: usize,
    },
    /// Too much in it.
    #[error("a note of {length} bytes; the limit is {}", MAX_NOTE)]
    Content {
        /// Bytes of the content.
        length: usize,
    },
    /// Too many of them.
    #[error("more than 256 notes; the limit is 256")]
    TooMany,
}
