//! What a caller keeps beside a scene: bytes under names.

use std::collections::BTreeMap;
use std::string::String;
use std::vec::Vec;

use super::error::NoteError;

/// Most bytes of a note: 2^28.
///
/// ```
/// assert_eq!(hitscan::saved::MAX_NOTE, 268_435_456);
/// ```
pub const MAX_NOTE: usize = 1 << 28;

/// Most notes.
const MAX_NOTES: usize = 256;

/// Bytes under names, kept in a saved scene and given back as they were: what a program knows of a scene that the scene does
/// not, such as the names of its objects. At most 256 notes, whose names have 1 to 255 bytes, of at most [`MAX_NOTE`] bytes each.
///
/// ```
/// use hitscan::saved::{NoteError, Notes};
/// let mut notes = Notes::new();
/// notes.set("author", *b"Ada")?;
/// assert_eq!(notes.get("author"), Some(&b"Ada"[..]));
/// assert_eq!(notes.set("", []), Err(NoteError::Name { length: 0 }));
/// # Ok::<(), NoteError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    notes: BTreeMap<String, Vec<u8>>,
}

impl Notes {
    /// None yet.
    ///
    /// ```
    /// assert_eq!(hitscan::saved::Notes::new().iter().len(), 0);
    /// ```
    pub fn new() -> Notes {
        Notes::default()
    }

    /// Adds a note, or puts it in the place of the one of its name.
    ///
    /// # Errors
    /// A name without bytes or with more than 255, more than [`MAX_NOTE`] bytes, more than 256 notes.
    ///
    /// ```
    /// use hitscan::saved::{NoteError, Notes};
    /// let mut notes = Notes::new();
    /// notes.set("author", *b"Ada")?;
    /// notes.set("author", *b"Grace")?;
    /// assert_eq!(notes.get("author"), Some(&b"Grace"[..]));
    /// assert_eq!(notes.set("x".repeat(256), []), Err(NoteError::Name { length: 256 }));
    /// # Ok::<(), NoteError>(())
    /// ```
    pub fn set(&mut self, name: impl Into<String>, content: impl Into<Vec<u8>>) -> Result<(), NoteError> {
        let (name, content) = (name.into(), content.into());
        if !(1..=255).contains(&name.len()) {
            return Err(NoteError::Name { length: name.len() });
        }
        if content.len() > MAX_NOTE {
            return Err(NoteError::Content { length: content.len() });
        }
        if self.notes.len() == MAX_NOTES && !self.notes.contains_key(&name) {
            return Err(NoteError::TooMany);
        }
        self.notes.insert(name, content);
        Ok(())
    }

    /// What a note holds; `None` where there is none of this name.
    ///
    /// ```
    /// let mut notes = hitscan::saved::Notes::new();
    /// notes.set("unit", *b"metre")?;
    /// assert_eq!((notes.get("unit"), notes.get("Unit")), (Some(&b"metre"[..]), None));
    /// # Ok::<(), hitscan::saved::NoteError>(())
    /// ```
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.notes.get(name).map(Vec::as_slice)
    }

    /// All names and what their notes hold, by name.
    ///
    /// ```
    /// let mut notes = hitscan::saved::Notes::new();
    /// notes.set("unit", *b"metre")?;
    /// notes.set("author", *b"Ada")?;
    /// assert_eq!(notes.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["author", "unit"]);
    /// # Ok::<(), hitscan::saved::NoteError>(())
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &[u8])> {
        self.notes.iter().map(|(name, content)| (name.as_str(), content.as_slice()))
    }
}
