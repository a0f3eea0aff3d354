//! How much a file may ask for.
//!
//! Counts in files are claims. Most are checked against the bytes that are there; what a few bytes can name many
//! times over, such as one list of indices used by a thousand meshes, is held to these limits.

use std::path::Path;

use crate::ReadError;

/// Triangles that any file may name, however small.
const ALWAYS_ALLOWED: u64 = 1 << 22;

/// Refuses more triangles than one for each byte read, or [`ALWAYS_ALLOWED`] where that is more.
pub(crate) fn check_triangles(path: &Path, triangles: u64, bytes_read: u64) -> Result<(), ReadError> {
    let limit = bytes_read.max(ALWAYS_ALLOWED);
    if triangles > limit {
        let what = "triangles are more than the file can hold";
        return Err(ReadError::TooLarge { path: path.into(), what, found: triangles, limit });
    }
    Ok(())
}

/// Refuses more elements without data than there are bytes.
pub(crate) fn check_implied_zeros(path: &Path, elements: u64, bytes_read: u64) -> Result<(), ReadError> {
    if elements > bytes_read {
        let what = "elements in an accessor without data are more than the file can hold";
        return Err(ReadError::TooLarge { path: path.into(), what, found: elements, limit: bytes_read });
    }
    Ok(())
}
