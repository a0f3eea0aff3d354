//! Scenes for `hitscan`: files in, meshes with their trees out.
//!
//! [`open`] takes what a user types as SCENE, a file or `builtin:NAME[:SIZE]`, and gives a [`Model`]: meshes,
//! nodes that place them, names of materials, cameras. [`Model::scene`] is ready to be asked.
//!
//! ```
//! # let dir = std::env::temp_dir().join(format!("hitscan-io-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&dir)?;
//! # let path = dir.join("ramp.obj");
//! use hitscan::{Filter, Ray};
//! std::fs::write(&path, "v 0 0 0\nv 0 0 4\nv 4 4 0\nf 1 2 3\n")?;
//! let model = hitscan_io::open(&path)?;
//! assert_eq!((model.meshes[0].name.as_str(), model.triangles()), ("ramp", 1));
//!
//! let down = Ray::new([1.0, 9.0, 1.0], [0.0, -1.0, 0.0])?;
//! assert_eq!(model.scene().closest(&down, &Filter::ALL).map(|hit| hit.t), Some(8.0));
//! # std::fs::remove_dir_all(&dir)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What the formats keep
//! - A mesh's triangles are numbered in file order after triangulation; that number is [`hitscan::Hit::prim`].
//!   Its vertices are those that its triangles use, in file order.
//! - A polygon of n corners is n - 2 triangles: the fan of its first corner where all of that face the same way, as in every
//!   convex one, else ears cut off it one after the other. One whose outline winds more than once is refused, and
//!   so is one that crosses itself where that leaves no ear.
//! - Coordinates are parsed as `f64`. A mesh far from the origin, by the measure of its size, is stored as `f32`
//!   around an origin of its own, which its node's transform adds again.
//! - A node that mirrors its mesh shows the mesh's mirror image, wound so that the outside is the front, and its transform mirrors no
//!   more; nodes share it. Its triangles have the numbers of the mesh's, and their second and third corners swapped.
//! - Nodes are taken depth first; the row in [`Model::nodes`] is the [`hitscan::InstanceId`].
//! - Material 0 is always [`DEFAULT_MATERIAL`]: what the file left without one.
//! - A heightmap is one mesh with a vertex for each sample. A PNG stands on x and z with +Y up, its first pixel at
//!   the origin; a GeoTIFF stands where its georeference says, in metres, with +Z up. See [`Options`].
//! - A saved scene (`.hitscan`) is the model that [`Model::to_saved`] made it of, without skins and animations; its trees are
//!   those that were saved.
//! - Anything that would make an answer wrong is refused with a [`ReadError`]; nothing is repaired silently.
//!   No bytes make a reader panic. Sizes that a file claims are held against its length before memory is taken:
//!   no file names more than one triangle a byte, or four million where that is more, nor more than one mesh for 256 bytes,
//!   or 262,144; no list at the top of a glTF document has more than 2^20 entries; a heightmap, whose samples are compressed,
//!   has as many triangles as a mesh holds; polygons that ears are cut off have 4096 corners each, and the squares of these add up to 2^28 and 64 for
//!   each byte. A file that others name many times is read once.
//!
//! # Features
//! - `fbx`: FBX files, by a library in C; coordinates become metres, in the axes of the file.

pub mod builtin;
mod camera;
mod error;
#[cfg(feature = "fbx")]
mod fbx;
mod flattened;
mod gltf;
mod heightmap;
mod indexed;
mod limits;
mod mirror;
mod model;
mod number;
mod numbering;
mod obj;
mod off;
mod open;
mod options;
mod origin;
mod ply;
mod polygon;
mod raster;
mod reading;
mod rig;
mod saved;
mod stl;
mod text;

pub use camera::read_camera;
pub use error::ReadError;
#[doc(hidden)]
pub use error::system_words;
pub use model::{DEFAULT_MATERIAL, Draft, Model, NamedCamera, NamedMesh, Node, Parts, Up};
pub use open::{bytes_have_cells, draft, has_cells, is_saved, open, open_with, parse, read};
pub use options::Options;
pub use raster::Raster;
pub use rig::{Animation, Joint, Rig, SkinnedNode};
