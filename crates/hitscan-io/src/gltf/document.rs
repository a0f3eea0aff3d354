//! The part of the document that geometry needs.
//!
//! Of materials only what makes a mask is looked at, images, textures and samplers only where one uses them, skins where a node
//! has one, and animations only where there is a skin. Each of these is [`Held`], so that those not used cannot keep a file
//! from being read, whatever is in them, as long as it is JSON. Placements are taken as `f64`, since that is what the text
//! holds and what world space is made of.

use std::fmt::{self, Formatter};
use std::marker::PhantomData;
use std::path::Path;

use ::gltf::json::{self, buffer};
use serde::Deserialize;
use serde::de::{self, Deserializer, IgnoredAny, SeqAccess, Visitor};

use super::animations::AnimationOfFile;
use super::container::Container;
use super::held::Held;
use super::label;
use super::materials::{Image, Material, Sampler, Texture};
use super::skins::SkinOfFile;
use crate::ReadError;
use crate::error::quoted;
use crate::limits::MAX_ENTRIES;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    asset: Asset,
    pub scene: Option<usize>,
    #[serde(default, deserialize_with = "few")]
    pub scenes: Vec<Scene>,
    #[serde(default, deserialize_with = "few")]
    pub nodes: Vec<Node>,
    #[serde(default, deserialize_with = "few")]
    pub meshes: Vec<json::Mesh>,
    #[serde(default, deserialize_with = "few")]
    pub accessors: Vec<json::Accessor>,
    #[serde(default, deserialize_with = "few")]
    pub buffer_views: Vec<buffer::View>,
    #[serde(default, deserialize_with = "few")]
    pub buffers: Vec<json::Buffer>,
    #[serde(default, deserialize_with = "few")]
    pub materials: Vec<Held<Material>>,
    #[serde(default, deserialize_with = "few")]
    pub skins: Vec<Held<SkinOfFile>>,
    #[serde(default, deserialize_with = "few")]
    pub animations: Vec<Held<AnimationOfFile>>,
    #[serde(default, deserialize_with = "few")]
    pub textures: Vec<Held<Texture>>,
    #[serde(default, deserialize_with = "few")]
    pub images: Vec<Held<Image>>,
    #[serde(default, deserialize_with = "few")]
    pub samplers: Vec<Held<Sampler>>,
    #[serde(default, deserialize_with = "few")]
    pub cameras: Vec<Camera>,
    #[serde(default, deserialize_with = "few")]
    extensions_required: Vec<String>,
    #[serde(default, deserialize_with = "few")]
    extensions_used: Vec<String>,
}

/// A list of as many entries as are read, refused while it is: a few bytes each would take hundreds.
fn few<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    struct Few<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for Few<T> {
        type Value = Vec<T>;

        fn expecting(&self, to: &mut Formatter<'_>) -> fmt::Result {
            write!(to, "a list of at most {MAX_ENTRIES} entries")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Vec<T>, A::Error> {
            let mut list = Vec::new();
            while let Some(entry) = from.next_element()? {
                if list.len() == MAX_ENTRIES {
                    return Err(de::Error::invalid_length(MAX_ENTRIES + 1, &self));
                }
                list.push(entry);
            }
            Ok(list)
        }
    }
    deserializer.deserialize_seq(Few(PhantomData))
}

#[derive(Deserialize)]
struct Asset {
    version: String,
}

#[derive(Deserialize)]
pub(super) struct Scene {
    #[serde(default)]
    pub nodes: Vec<usize>,
}

#[derive(Deserialize)]
pub(super) struct Node {
    pub name: Option<String>,
    pub mesh: Option<usize>,
    pub skin: Option<usize>,
    /// Of its mesh's morph targets.
    pub weights: Option<Held<Vec<f32>>>,
    pub camera: Option<usize>,
    #[serde(default)]
    pub children: Vec<usize>,
    /// Columns one after the other.
    pub matrix: Option<[f64; 16]>,
    #[serde(default)]
    pub translation: [f64; 3],
    /// A quaternion, `x y z w`.
    #[serde(default = "no_rotation")]
    pub rotation: [f64; 4],
    #[serde(default = "no_scale")]
    pub scale: [f64; 3],
    pub extensions: Option<Held<NodeExtensions>>,
}

/// Those that change what stands where.
#[derive(Deserialize)]
pub(super) struct NodeExtensions {
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub instancing: Option<IgnoredAny>,
    #[serde(rename = "KHR_node_visibility")]
    pub visibility: Option<Visibility>,
}

#[derive(Deserialize)]
pub(super) struct Visibility {
    #[serde(default = "is_visible")]
    pub visible: bool,
}

fn is_visible() -> bool {
    true
}

fn no_rotation() -> [f64; 4] {
    [0.0, 0.0, 0.0, 1.0]
}

fn no_scale() -> [f64; 3] {
    [1.0; 3]
}

#[derive(Deserialize)]
pub(super) struct Camera {
    pub name: Option<String>,
    pub perspective: Option<Perspective>,
}

#[derive(Deserialize)]
pub(super) struct Perspective {
    /// Vertical, in radians.
    pub yfov: f64,
}

const DRACO: &str = "KHR_draco_mesh_compression";

/// What to do about most extensions.
const WITHOUT: &str = "export it without this extension";

pub(super) fn parse(path: &Path, container: &Container<'_>) -> Result<Document, ReadError> {
    let document: Document = json::deserialize::from_slice(container.json)
        .map_err(|error| not_a_document(path, container.is_text, &error))?;
    if !document.asset.version.starts_with("2.") {
        let feature = format!("glTF version {}", quoted(document.asset.version.as_bytes()));
        return Err(unsupported(path, feature, "export it as glTF 2.0"));
    }
    for extension in &document.extensions_required {
        if !is_harmless(extension) {
            let remedy = match extension.as_str() {
                DRACO => "export it without mesh compression",
                "EXT_meshopt_compression" | "KHR_meshopt_compression" => {
                    "export it without mesh compression (gltfpack: without -c)"
                }
                _ => WITHOUT,
            };
            return Err(unsupported(path, extension_name(extension), remedy));
        }
    }
    Ok(document)
}

impl Document {
    /// The error for data that only a decoder could provide, where the document names one.
    pub fn compressed(&self, path: &Path) -> Option<ReadError> {
        let uses_draco = self.extensions_used.iter().any(|extension| extension == DRACO);
        uses_draco.then(|| unsupported(path, DRACO.to_owned(), "export it without mesh compression"))
    }
}

impl Node {
    /// Whether its mesh is shown, if those of all above it are. Refuses copies that only an extension has, which a document need not require.
    pub fn is_shown(&self, path: &Path, number: usize) -> Result<bool, ReadError> {
        let Some(extensions) = &self.extensions else { return Ok(true) };
        let named = || label("node", number, &self.name);
        let extensions = extensions.get(path, named)?;
        if extensions.visibility.as_ref().is_some_and(|visibility| !visibility.visible) {
            return Ok(false);
        }
        if extensions.instancing.is_some() {
            let feature = format!("{}: EXT_mesh_gpu_instancing", named());
            return Err(unsupported(path, feature, WITHOUT));
        }
        Ok(true)
    }
}

/// Whether geometry is complete without the extension, or with what is read of it.
fn is_harmless(extension: &str) -> bool {
    const READ_OR_IRRELEVANT: [&str; 5] = [
        "KHR_mesh_quantization",
        "KHR_node_visibility",
        "KHR_animation_pointer",
        "KHR_xmp",
        "KHR_xmp_json_ld",
    ];
    const ABOUT_LOOKS: [&str; 4] = ["materials_", "texture_", "lights_", "audio"];
    let without_vendor = extension.split_once('_').map_or(extension, |(_, rest)| rest);
    READ_OR_IRRELEVANT.contains(&extension)
        || ABOUT_LOOKS.iter().any(|prefix| without_vendor.starts_with(prefix))
}

/// As it stands where it is an ordinary name, quoted otherwise.
fn extension_name(extension: &str) -> String {
    let ordinary = extension.len() <= 80 && extension.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if ordinary && !extension.is_empty() { extension.to_owned() } else { quoted(extension.as_bytes()) }
}

fn unsupported(path: &Path, feature: String, remedy: &str) -> ReadError {
    ReadError::Unsupported { path: path.into(), feature, remedy: remedy.to_owned() }
}

fn not_a_document(path: &Path, is_text: bool, error: &json::Error) -> ReadError {
    let (line, column) = (error.line() as u64, error.column());
    let text = error.to_string();
    let text = text.split(&format!(" at line {line} column {column}")).next().unwrap_or_default();
    let text = text.replace(char::is_control, " ");
    let expected = "a glTF document is JSON as glTF 2.0 lays it out";
    if is_text && line > 0 {
        return ReadError::syntax(path, line, format!("{text} (column {column})"), expected);
    }
    ReadError::invalid(path, format!("its JSON: {text} (line {line}, column {column})"), expected)
}
