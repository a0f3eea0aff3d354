//! Saved scenes that the caller answers for.
#![allow(unsafe_code, reason = "mmap=True is a promise that only the caller can give")]

use std::path::Path;

use hitscan::saved::{OpenError, Saved};

/// Takes a file as memory.
pub fn map(path: &Path) -> Result<Saved, OpenError> {
    // SAFETY: with `mmap=True` the caller promises, as `Scene.open` says, that nobody changes or cuts the file while a
    // scene of it is open.
    unsafe { Saved::map(path) }
}
