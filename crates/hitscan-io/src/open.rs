//! From what a user types to a model: the format by extension, and the bytes.

use std::fs;
use std::io;
use std::path::Path;

use crate::{Model, ReadError, builtin, gltf, obj};

/// Makes a model of a whole file, given as bytes so that they can be dropped before trees are built.
type Reader = fn(&Path, Vec<u8>) -> Result<Model, ReadError>;

/// Extensions in lower case, in the order in which errors list them.
const FORMATS: [(&str, Reader); 3] = [("gltf", gltf::read), ("glb", gltf::read), ("obj", obj::read)];

/// Reads a scene: a file whose extension says the format (`.gltf`, `.glb`, `.obj`, in any case), or
/// `builtin:NAME[:SIZE]`.
///
/// Trees are built on all cores; the model does not depend on how many there are.
///
/// ```
/// let error = hitscan_io::open("attic.glb").unwrap_err();
/// assert_eq!(error.to_string(), "attic.glb: no such file; a scene is a file or builtin:NAME");
/// ```
///
/// # Errors
/// See [`ReadError`]; a scene that no ray can hit is one.
pub fn open(scene: &str) -> Result<Model, ReadError> {
    if let Some(name_and_size) = scene.strip_prefix("builtin:") {
        return builtin::build(name_and_size);
    }
    let path = Path::new(scene);
    let io_error = |source| ReadError::io(path, "a scene is a file or builtin:NAME", source);
    // A misspelt name is a missing file first, whatever its extension.
    if fs::metadata(path).map_err(io_error)?.is_dir() {
        return Err(io_error(io::ErrorKind::IsADirectory.into()));
    }
    let reader = reader(path).ok_or_else(|| ReadError::UnknownFormat { path: path.into() })?;
    let bytes = fs::read(path).map_err(io_error)?;
    if bytes.is_empty() {
        return Err(ReadError::invalid(path, "the file is empty", "a scene needs a triangle with an area"));
    }
    reader(path, bytes)
}

/// `.gltf .glb .obj`
pub(crate) fn known_extensions() -> String {
    FORMATS.map(|(extension, _)| format!(".{extension}")).join(" ")
}

fn reader(path: &Path) -> Option<Reader> {
    let extension = path.extension()?;
    FORMATS.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known)).map(|&(_, reader)| reader)
}
