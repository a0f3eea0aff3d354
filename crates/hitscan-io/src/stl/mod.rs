//! STL, as text and as binary.
//!
//! Triangles keep the order of their facets. Normals of facets are passed over, as the corners' order says the same,
//! and so are the attribute bytes. Each `solid` of a text is a mesh with its name; solids without facets are left out.
//! Keywords of text may have any case, and a facet may lack its normal.
//!
//! A file that begins with `solid` is text, unless its first 80 bytes hold a zero, as headers of binary files do, or it has the bytes
//! for the triangles that a binary file of these bytes counts, and up to the end of the first of them one that no text has.

mod ascii;
mod binary;
mod weld;

use std::path::Path;

use crate::error::quoted;
use crate::indexed::stem;
use crate::model::{DEFAULT_MATERIAL, Draft, Node, Parts};
use crate::origin::{Extent, Origin};
use crate::reading::Reading;
use crate::text::without_mark;
use crate::{ReadError, limits};
use weld::{Corner, Welded};

/// A mesh in the coordinates of the file.
struct Solid<C> {
    name: String,
    mesh: Welded<C>,
}

pub(crate) fn read(reading: &Reading<'_>, bytes: Vec<u8>) -> Result<Parts, ReadError> {
    let path = reading.path;
    if begins_like_text(&bytes) && !binary::holds(&bytes) {
        let solids = ascii::parse(reading, &bytes)?;
        drop(bytes); // solids are all that is needed
        return assemble(path, solids);
    }
    let mesh = binary::parse(reading, &bytes)?;
    drop(bytes);
    assemble(path, vec![Solid { name: String::new(), mesh }])
}

/// Whether bytes begin like the text kind, or are as long as the binary kind says.
pub(crate) fn recognises(bytes: &[u8]) -> bool {
    begins_like_text(bytes) || binary::fits(bytes)
}

fn begins_like_text(bytes: &[u8]) -> bool {
    let text = without_mark(bytes).trim_ascii_start();
    let keyword = text.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    keyword.eq_ignore_ascii_case(b"solid") && !bytes[..bytes.len().min(80)].contains(&0)
}

/// Meshes around their origins, of the solids that have facets.
fn assemble<C: Corner>(path: &Path, solids: Vec<Solid<C>>) -> Result<Parts, ReadError> {
    let mut parts = Parts { materials: vec![DEFAULT_MATERIAL.to_owned()], ..Parts::default() };
    let extents: Vec<Extent> = solids.iter().map(|solid| solid.mesh.extent).collect();
    let origins = Origin::of_all(&extents);
    let alone = solids.len() == 1;
    for ((number, Solid { name, mesh }), origin) in solids.into_iter().enumerate().zip(origins) {
        if mesh.triangles.is_empty() {
            continue;
        }
        let name = match name {
            name if !name.is_empty() => name,
            _ if alone => stem(path),
            _ => format!("mesh{number}"),
        };
        limits::check_mesh(path, mesh.triangles.len(), || quoted(name.as_bytes()))?;
        let vertices = mesh.vertices.into_iter().map(|corner| origin.local(corner.wide())).collect();
        let triangles = mesh.triangles;
        parts.nodes.push(Node {
            name: name.clone(),
            mesh: parts.drafts.len(),
            transform: origin.transform(),
        });
        parts.drafts.push(Draft { name, vertices, triangles, ..Draft::default() });
    }
    Ok(parts)
}
