//! Files of every format: one program, since each test program takes seconds to link.

mod errors;
#[cfg(feature = "fbx")]
mod fbx;
mod fuzz;
mod gltf;
mod gltf_errors;
mod gltf_masks;
mod gltf_morphs;
mod gltf_skins;
mod heightmap;
mod heightmap_errors;
mod limits;
mod obj;
mod off;
mod ply;
mod saved;
mod scenes;
mod stl;
mod support;
