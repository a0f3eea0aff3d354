//! Files for tests: a folder that goes away by itself, and a builder of glTF documents.

#[cfg(feature = "fbx")]
pub mod fbx;
pub mod png;
pub mod tiff;

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use hitscan_io::{Model, ReadError};

/// A folder for one test, removed when it ends.
pub struct Folder(PathBuf);

impl Folder {
    /// Tests of different files may give theirs the same name.
    pub fn new(test: &str) -> Folder {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let nth = MADE.fetch_add(1, Relaxed);
        let path = std::env::temp_dir().join(format!("hitscan-io-{}-{test}-{nth}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file and opens it.
    pub fn open(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<Model, ReadError> {
        hitscan_io::open(self.write(name, bytes))
    }

    /// An error's text, with paths as a user inside the folder would see them.
    pub fn text(&self, error: &ReadError) -> String {
        error.to_string().replace(&format!("{}/", self.0.display()), "")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The corners of every triangle in the file's coordinates, by node.
pub fn corners(model: &Model) -> Vec<Vec<[[f64; 3]; 3]>> {
    let world =
        |node: &hitscan_io::Node, vertex: [f32; 3]| node.transform.point(vertex.map(f64::from)).to_array();
    let of_node = |node: &hitscan_io::Node| {
        let mesh = &model.meshes[node.mesh].mesh;
        let corner = |row: u32| world(node, mesh.vertices()[row as usize]);
        mesh.triangles().iter().map(|triangle| triangle.map(corner)).collect()
    };
    model.nodes.iter().map(of_node).collect()
}

/// A tent of five vertices: two triangles, a square of two, and a vertex that nothing uses.
pub struct Tent {
    pub vertices: [[f64; 3]; 6],
    pub faces: [&'static [u32]; 4],
}

/// Its south-west corner, where surveys have it: east, north and height in metres.
pub const SURVEY: [f64; 3] = [466_123.456, 5_244_321.987, 233.125];

impl Tent {
    /// With its first corner here, and sides of some metres.
    pub fn at(corner: [f64; 3]) -> Tent {
        let offsets = [
            [0.0, 0.0, 0.0],
            [9.0, 9.0, 9.0],
            [4.25, 0.0, 0.0],
            [4.25, 3.5, 0.125],
            [0.0, 3.5, 0.0],
            [2.0, 1.75, 2.625],
        ];
        Tent {
            vertices: offsets.map(|offset: [f64; 3]| std::array::from_fn(|axis| corner[axis] + offset[axis])),
            faces: [&[0, 2, 5], &[5, 2, 3], &[4, 3, 2, 0], &[0, 5, 4]],
        }
    }

    /// Its triangles, with the square as the fan of its first corner.
    pub fn triangles(&self) -> Vec<[[f64; 3]; 3]> {
        let rows = [[0, 2, 5], [5, 2, 3], [4, 3, 2], [4, 2, 0], [0, 5, 4]];
        rows.map(|triangle| triangle.map(|row: usize| self.vertices[row])).to_vec()
    }

    pub fn obj(&self) -> String {
        let vertices = self.vertices.map(|[x, y, z]| format!("v {x} {y} {z}\n")).concat();
        let face = |face: &[u32]| {
            format!("f {}\n", face.iter().map(|row| (row + 1).to_string() + " ").collect::<String>())
        };
        vertices + &self.faces.map(face).concat()
    }

    /// Asserts that a model is this tent, to a tenth of a millimetre.
    pub fn assert_is(&self, model: &Model, file: &str) {
        let found = corners(model).concat();
        let expected = self.triangles();
        assert_eq!(found.len(), expected.len(), "{file}");
        for (found, expected) in found.as_flattened().iter().zip(expected.as_flattened()) {
            for axis in 0..3 {
                assert!((found[axis] - expected[axis]).abs() < 1e-4, "{file}: {found:?} for {expected:?}");
            }
        }
    }
}

/// Opens each file of a table and compares the error's text.
pub fn refuses<B: AsRef<[u8]>, T: Into<String>>(
    test: &str,
    table: impl IntoIterator<Item = (&'static str, B, T)>,
) {
    let folder = Folder::new(test);
    let (mut found, mut expected) = (Vec::<String>::new(), Vec::<String>::new());
    for (name, bytes, text) in table {
        found.push(match folder.open(name, bytes) {
            Ok(_) => format!("{name} was read"),
            Err(error) => folder.text(&error),
        });
        expected.push(text.into());
    }
    assert_eq!(found, expected);
}

/// A glTF document and its data. Parts are given as JSON, and numbered in the order in which they are added.
#[derive(Clone, Default)]
pub struct Gltf {
    pub data: Vec<u8>,
    pub views: Vec<String>,
    pub accessors: Vec<String>,
    pub meshes: Vec<String>,
    pub nodes: Vec<String>,
    /// Further members of the document, each with a comma before it.
    pub more: String,
}

impl Gltf {
    /// One node `ramp` with a mesh `wedge` of two triangles on four vertices.
    pub fn two_triangles() -> Gltf {
        let mut gltf = Gltf::default();
        let positions = gltf.positions(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.5]]);
        let indices = gltf.indices(&[0u16, 1, 2, 2, 1, 3].map(u16::to_le_bytes), 5123);
        gltf.mesh("wedge", &[format!(r#""attributes":{{"POSITION":{positions}}},"indices":{indices}"#)]);
        gltf.nodes.push(r#"{"name":"ramp","mesh":0}"#.to_owned());
        gltf
    }

    pub fn view(&mut self, bytes: &[u8], stride: Option<usize>) -> usize {
        self.data.resize(self.data.len().next_multiple_of(4), 0);
        let stride = stride.map_or(String::new(), |stride| format!(r#","byteStride":{stride}"#));
        let (offset, length) = (self.data.len(), bytes.len());
        self.views.push(format!(r#"{{"buffer":0,"byteOffset":{offset},"byteLength":{length}{stride}}}"#));
        self.data.extend_from_slice(bytes);
        self.views.len() - 1
    }

    pub fn accessor(&mut self, view: usize, component: u32, kind: &str, count: usize, more: &str) -> usize {
        self.accessors.push(format!(
            r#"{{"bufferView":{view},"componentType":{component},"type":"{kind}","count":{count}{more}}}"#
        ));
        self.accessors.len() - 1
    }

    pub fn positions(&mut self, positions: &[[f32; 3]]) -> usize {
        let bytes: Vec<u8> = positions.as_flattened().iter().flat_map(|v| v.to_le_bytes()).collect();
        let view = self.view(&bytes, None);
        self.accessor(view, 5126, "VEC3", positions.len(), "")
    }

    pub fn indices<const N: usize>(&mut self, indices: &[[u8; N]], component: u32) -> usize {
        let view = self.view(indices.as_flattened(), None);
        self.accessor(view, component, "SCALAR", indices.len(), "")
    }

    pub fn mesh(&mut self, name: &str, primitives: &[String]) {
        let primitives: Vec<String> = primitives.iter().map(|primitive| format!("{{{primitive}}}")).collect();
        self.meshes.push(format!(r#"{{"name":"{name}","primitives":[{}]}}"#, primitives.join(",")));
    }

    /// The document, with members of its buffer beyond `byteLength`.
    pub fn json(&self, buffer: &str) -> String {
        let list = |name: &str, parts: &[String]| match parts {
            [] => String::new(),
            parts => format!(r#","{name}":[{}]"#, parts.join(",")),
        };
        format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{}{buffer}}}]{}{}{}{}{}}}"#,
            self.data.len(),
            list("bufferViews", &self.views),
            list("accessors", &self.accessors),
            list("meshes", &self.meshes),
            list("nodes", &self.nodes),
            self.more
        )
    }

    pub fn glb(&self) -> Vec<u8> {
        glb(self.json("").as_bytes(), &self.data)
    }
}

/// A GLB of a document and its data, padded as the format asks.
pub fn glb(json: &[u8], data: &[u8]) -> Vec<u8> {
    let mut chunks = Vec::new();
    for (kind, bytes, padding) in [(b"JSON", json, b' '), (b"BIN\0", data, 0)] {
        let length = bytes.len().next_multiple_of(4);
        chunks.extend_from_slice(&(length as u32).to_le_bytes());
        chunks.extend_from_slice(kind);
        chunks.extend_from_slice(bytes);
        chunks.resize(chunks.len() + length - bytes.len(), padding);
    }
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend_from_slice(&(12 + chunks.len() as u32).to_le_bytes());
    file.extend_from_slice(&chunks);
    file
}

/// Bytes as a data URI has them.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits =
            three.iter().enumerate().fold(0u32, |bits, (i, &byte)| bits | u32::from(byte) << (16 - 8 * i));
        text.extend((0..=three.len()).map(|i| char::from(DIGITS[(bits >> (18 - 6 * i) & 63) as usize])));
    }
    text
}
