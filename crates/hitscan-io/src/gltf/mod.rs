//! glTF 2.0, as `.gltf` with files beside it or as one `.glb`.
//!
//! What is read, and what is decided where the format leaves it open:
//! - The default scene, or the first where none is named; without scenes all root nodes, and without nodes
//!   every mesh where its own coordinates put it.
//! - One glTF mesh is one [`hitscan::Mesh`]: the triangles of its primitives one after the other, from lists,
//!   strips and fans, indexed or not, sparse accessors and `KHR_mesh_quantization` included. Points and
//!   lines are passed over. A mesh with morph targets has the shape that
//!   its node's weights give it, or else its own, and is one mesh for each such shape; one with a skin stays in the shape that it stores.
//!   That stands at its own node, which the specification (3.7.3.3) has renderers pass over, since joints alone place it: it may stand elsewhere than they
//!   show it. [`Model::pose`](crate::Model::pose) places it as they do.
//! - [`Model::rig`](crate::Model::rig) has the skins, the nodes that they follow, and the animations of these. Weights are made
//!   to add up to 1; a vertex whose weights are all 0 follows the first joint that it names.
//! - Transforms are multiplied in `f64`. A node whose own and its parents' scale comes to 0 on all axes is
//!   hidden, as exporters mean it, with all below it; one flattened by a scale of 0 on one axis shows a flat mesh of its own (see
//!   `flattened`), and is refused where it has a skin. `KHR_node_visibility` hides the meshes of a node and of all below it, and no cameras.
//! - A node that mirrors its mesh shows a mirror image of it, whose outside is the front: see `mirror`.
//! - Perspective cameras, placed by their nodes; orthographic ones are left out.
//! - The file's material `k` is row `k + 1` of [`Model::materials`]; row 0 is for triangles without one.
//! - A material with `alphaMode: MASK` cuts holes: [`hitscan::Mesh::with_cutout`], by the alpha of its base colour's texture
//!   (PNG; a JPEG has none) and factor, with the sampler's wrap modes and `magFilter`, linear where the file leaves it open,
//!   and `KHR_texture_transform`; by the diffuse texture and factor of `KHR_materials_pbrSpecularGlossiness` where it has these.
//!   `BLEND` cuts none. Vertices whose `COLOR_0` has an alpha of its own are refused under a mask, which it would be multiplied into, unless
//!   it changes nothing: at a cutoff of 0 all stays, with a factor below the cutoff nothing does, and without a texture what reaches the
//!   cutoff at each corner stays.
//! - A required extension is refused by name, unless it only concerns looks (materials, textures, lights). So is
//!   `EXT_mesh_gpu_instancing` at a node, required or not, since the copies that it names are not read.
//!
//! The `gltf` crate gives the types of the document. Its own access to data trusts a validation that refuses
//! files for extensions which do not touch geometry, so every number is checked here, where it is used.

mod accessor;
mod animations;
mod buffers;
mod container;
mod document;
mod held;
mod images;
mod influences;
mod materials;
mod meshes;
mod morphs;
mod nodes;
mod skins;

use crate::ReadError;
use crate::error::quoted;
use crate::model::{DEFAULT_MATERIAL, Parts, Up};
use crate::reading::Reading;
use crate::text::without_mark;
use buffers::Buffers;
use held::Held;
use materials::Material;
use meshes::Decoded;

pub(crate) fn read(reading: &Reading<'_>, bytes: Vec<u8>) -> Result<Parts, ReadError> {
    let path = reading.path;
    let container = container::split(path, &bytes)?;
    let document = document::parse(path, &container)?;
    let placed = nodes::walk(path, &document, container.length)?;
    let buffers = Buffers::new(reading, &document, &container);
    let Decoded { drafts, nodes, influences, mirrored } =
        meshes::decode(reading, &document, &buffers, placed.nodes, &placed.flattened, &placed.numbers)?;
    let rig =
        skins::read(path, &document, &buffers, (&nodes, &placed.numbers), (&drafts, &influences, &mirrored))?;
    let files_read = buffers.files_read();
    let files = buffers::files(path, &document);
    drop(bytes); // trees are built next, and need the memory

    let names = document.materials.iter().enumerate();
    let names = names.map(|(number, material)| material_name(material, number));
    let materials = std::iter::once(DEFAULT_MATERIAL.to_owned()).chain(names).collect();
    let (cameras, up) = (placed.cameras, Up::Y);
    Ok(Parts { drafts, nodes, materials, cameras, up, files, files_read, rig, raster: None })
}

/// Whether bytes begin like a GLB, or like the object that a glTF document is.
pub(crate) fn recognises(bytes: &[u8]) -> bool {
    bytes.starts_with(b"glTF") || without_mark(bytes).trim_ascii_start().starts_with(b"{")
}

fn material_name(material: &Held<Material>, number: usize) -> String {
    let name = material.sound().and_then(|material| material.name.clone());
    name_or(&name, || format!("material{number}"))
}

/// The name in the file, or another where it has none or an empty one.
fn name_or(name: &Option<String>, other: impl FnOnce() -> String) -> String {
    name.clone().filter(|name| !name.is_empty()).unwrap_or_else(other)
}

/// `mesh 3 "wall"`, or `mesh 3` where it has no name: how errors call a part of the document.
fn label(kind: &str, number: usize, name: &Option<String>) -> String {
    match name {
        Some(name) if !name.is_empty() => format!("{kind} {number} {}", quoted(name.as_bytes())),
        _ => format!("{kind} {number}"),
    }
}
