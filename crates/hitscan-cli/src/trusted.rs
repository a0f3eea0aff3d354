//! Saved scenes that the user answers for.
#![allow(unsafe_code, reason = "--trust is a promise that only the user can give")]

use hitscan::saved::{OpenError, Saved};

/// Takes a file as memory.
pub fn map(name: &str) -> Result<Saved, OpenError> {
    // SAFETY: with --trust the user promises, as its help says, that nobody changes the file while the command runs.
    unsafe { Saved::map(name) }
}
