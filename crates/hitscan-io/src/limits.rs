//! How much a file may ask for.
//!
//! Counts in files are claims. Most are checked against the bytes that are there; what a few bytes can name many
//! times over, such as one list of indices used by a thousand meshes, is held to these limits.

use std::path::Path;

use hitscan::{MAX_TRIANGLES, MeshError};

use crate::ReadError;

/// Triangles that any file may name, however small.
const ALWAYS_ALLOWED: u64 = 1 << 22;

/// Refuses more triangles than one for each byte read, or [`ALWAYS_ALLOWED`] where that is more.
pub(crate) fn check_triangles(path: &Path, triangles: u64, bytes_read: u64) -> Result<(), ReadError> {
    check(path, triangles, "triangles are more than the file can hold", bytes_read.max(ALWAYS_ALLOWED))
}

/// Refuses more elements that sparse accessors replace, over the whole file; the limit is that of triangles.
pub(crate) fn check_replaced(path: &Path, elements: u64, bytes_read: u64) -> Result<(), ReadError> {
    let what = "elements replaced by sparse accessors are more than the file can hold";
    check(path, elements, what, bytes_read.max(ALWAYS_ALLOWED))
}

/// Refuses more elements without data than there are bytes; `accessor` is the number of the one that has them.
pub(crate) fn check_implied_zeros(
    path: &Path,
    accessor: usize,
    elements: u64,
    bytes_read: u64,
) -> Result<(), ReadError> {
    let what = format!("elements in accessor {accessor}, which has no data, are more than the file can hold");
    check(path, elements, what, bytes_read)
}

/// Refuses more keys of animations, over the whole file.
pub(crate) fn check_keys(path: &Path, keys: u64, bytes_read: u64) -> Result<(), ReadError> {
    check(path, keys, "keys of animations are more than the file can hold", bytes_read.max(ALWAYS_ALLOWED))
}

/// Refuses more pairs of a vertex and a joint, over the whole file; four are a vertex's least.
pub(crate) fn check_influences(path: &Path, pairs: u64, bytes_read: u64) -> Result<(), ReadError> {
    let what = "influences of joints are more than the file can hold";
    check(path, pairs, what, 4 * bytes_read.max(ALWAYS_ALLOWED))
}

/// Refuses more pairs of a vertex and a morph target that moves it, over the whole file; the limit is that of influences.
pub(crate) fn check_moves(path: &Path, pairs: u64, bytes_read: u64) -> Result<(), ReadError> {
    let what = "moves by morph targets are more than the file can hold";
    check(path, pairs, what, 4 * bytes_read.max(ALWAYS_ALLOWED))
}

/// Refuses more primitives with their morph targets, each as often as its mesh is shown in another shape; the limit is that of
/// triangles, of which there may be none.
pub(crate) fn check_shapes(path: &Path, visits: u64, bytes_read: u64) -> Result<(), ReadError> {
    let what = "primitives and morph targets, told again for each shape of their mesh, are more than the file can hold";
    check(path, visits, what, bytes_read.max(ALWAYS_ALLOWED))
}

/// Refuses more bytes of names than the file has, where many nodes or shapes may take one and the same; `names` is how many so far.
pub(crate) fn check_names(path: &Path, names: u64, bytes_read: u64) -> Result<(), ReadError> {
    let what = "bytes of names, told again for each node or shape, are more than the file can hold";
    check(path, names, what, bytes_read.max(ALWAYS_ALLOWED))
}

/// Refuses more triangles than a mesh holds; `mesh` is how the error calls it.
pub(crate) fn check_mesh(
    path: &Path,
    triangles: usize,
    mesh: impl FnOnce() -> String,
) -> Result<(), ReadError> {
    if triangles > MAX_TRIANGLES {
        let source = MeshError::TooManyTriangles { triangles };
        return Err(ReadError::Mesh { path: path.into(), mesh: mesh(), source });
    }
    Ok(())
}

/// Meshes that any file may have, and how many bytes each has to be worth beyond that: a mesh takes some 2,000 with its tree, however
/// small it is.
const PARTS_ALWAYS_ALLOWED: u64 = 1 << 18;
const BYTES_A_PART: u64 = 256;

/// Refuses more meshes than a file of this length can be meant to hold, while they are read.
pub(crate) fn check_parts(path: &Path, parts: usize, bytes_read: u64) -> Result<(), ReadError> {
    let most = (bytes_read / BYTES_A_PART).max(PARTS_ALWAYS_ALLOWED);
    check(path, parts as u64, "meshes are more than the file can hold", most)
}

/// Entries of each list at the top of a glTF document, each of which takes some hundred bytes however short it is.
pub(crate) const MAX_ENTRIES: usize = 1 << 20;

/// Bytes of one image file.
pub(crate) const MAX_IMAGE_BYTES: u64 = 1 << 30;

/// Texels of one image: 8192 x 8192; and of all that a file's masks use, a byte each in memory.
const MAX_TEXELS: [u64; 2] = [1 << 26, 1 << 28];

/// Refuses images that a few bytes can claim, and no memory should hold: `texels` is one's, `all` the sum so far; `image` is how the
/// error calls it.
pub(crate) fn check_texels(path: &Path, image: &str, texels: u64, all: u64) -> Result<(), ReadError> {
    check(path, texels, format!("texels in {image} of a mask are too many"), MAX_TEXELS[0])?;
    check(path, all, format!("texels in the images of masks up to {image} are too many"), MAX_TEXELS[1])
}

fn check(path: &Path, found: u64, what: impl Into<String>, limit: u64) -> Result<(), ReadError> {
    if found > limit {
        return Err(ReadError::TooLarge { path: path.into(), what: what.into(), found, limit });
    }
    Ok(())
}
