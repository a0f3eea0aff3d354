//! The two chunks of a GLB, or a plain JSON file.

use std::path::Path;

use crate::ReadError;
use crate::text::without_mark;

/// The document's text, and the data that comes along in the same file.
pub(super) struct Container<'a> {
    pub json: &'a [u8],
    /// The binary chunk of a GLB.
    pub binary: Option<&'a [u8]>,
    /// Whether the text has a file of its own, so that its line numbers help.
    pub is_text: bool,
    /// Of the whole file.
    pub length: u64,
}

const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;

pub(super) fn split<'a>(path: &Path, bytes: &'a [u8]) -> Result<Container<'a>, ReadError> {
    let length = bytes.len() as u64;
    if !bytes.starts_with(b"glTF") {
        // Told by the first bytes, since either kind is found under either extension.
        let json = without_mark(bytes);
        return Ok(Container { json, binary: None, is_text: true, length });
    }
    let (Some(version), Some(declared)) = (word(bytes, 4), word(bytes, 8)) else {
        let found = format!("the file ends after {length} bytes");
        return Err(ReadError::invalid(path, found, "a GLB starts with a header of 12 bytes"));
    };
    if version != 2 {
        let remedy = "export it as glTF 2.0".to_owned();
        return Err(ReadError::Unsupported {
            path: path.into(),
            feature: format!("GLB version {version}"),
            remedy,
        });
    }
    if u64::from(declared) > length {
        let found = format!("the file ends after {length} bytes");
        return Err(ReadError::invalid(path, found, format!("its header says {declared}")));
    }
    let mut rest = bytes.get(HEADER..declared as usize).unwrap_or_default();
    let (mut json, mut binary) = (None, None);
    while let (Some(chunk_length), Some(kind)) = (word(rest, 0), rest.get(4..CHUNK_HEADER)) {
        let Some(end) = CHUNK_HEADER.checked_add(chunk_length as usize).filter(|&end| end <= rest.len())
        else {
            let left = rest.len() - CHUNK_HEADER;
            let found = format!("a chunk of {chunk_length} bytes where {left} are left");
            return Err(ReadError::invalid(path, found, "chunks end within the length in the header"));
        };
        let data = &rest[CHUNK_HEADER..end];
        match kind {
            b"JSON" if json.is_none() => json = Some(data),
            b"BIN\0" if binary.is_none() => binary = Some(data),
            _ => {} // chunks of other types belong to extensions
        }
        rest = &rest[end..];
    }
    match json {
        Some(json) => Ok(Container { json, binary, is_text: false, length }),
        None => Err(ReadError::invalid(path, "no JSON chunk", "a GLB holds its document there")),
    }
}

/// The little-endian number at this place.
fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|&four| u32::from_le_bytes(four))
}
