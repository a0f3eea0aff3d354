//! One mesh as a file of each format.

use std::fmt::Write;

/// A sphere of radius 1.
pub struct Sphere {
    pub vertices: Vec<[f32; 3]>,
    pub triangles: Vec<[u32; 3]>,
}

impl Sphere {
    pub fn new() -> Sphere {
        let model = hitscan_io::open("builtin:sphere:1310720").expect("the sphere is built in");
        let mesh = &model.meshes[0].mesh;
        Sphere { vertices: mesh.vertices().to_vec(), triangles: mesh.triangles().to_vec() }
    }

    fn corners(&self) -> impl Iterator<Item = [[f32; 3]; 3]> {
        self.triangles.iter().map(|triangle| triangle.map(|corner| self.vertices[corner as usize]))
    }
}

fn bytes(values: &[[f32; 3]]) -> impl Iterator<Item = u8> {
    values.as_flattened().iter().flat_map(|value| value.to_le_bytes())
}

pub fn obj(sphere: &Sphere) -> Vec<u8> {
    let mut text = String::new();
    for [x, y, z] in &sphere.vertices {
        let _ = writeln!(text, "v {x:.6} {y:.6} {z:.6}"); // a String takes everything
    }
    for [a, b, c] in sphere.triangles.iter().map(|triangle| triangle.map(|corner| corner + 1)) {
        let _ = writeln!(text, "f {a} {b} {c}");
    }
    text.into_bytes()
}

pub fn stl_binary(sphere: &Sphere) -> Vec<u8> {
    let mut file = vec![b' '; 80];
    file.extend((sphere.triangles.len() as u32).to_le_bytes());
    for corners in sphere.corners() {
        file.extend([0; 12]);
        file.extend(bytes(&corners));
        file.extend([0; 2]);
    }
    file
}

pub fn stl_text(sphere: &Sphere) -> Vec<u8> {
    let mut text = "solid sphere\n".to_owned();
    for corners in sphere.corners() {
        text.push_str("  facet normal 0.000000e+00 0.000000e+00 1.000000e+00\n    outer loop\n");
        for [x, y, z] in corners {
            let _ = writeln!(text, "      vertex {x:.6e} {y:.6e} {z:.6e}");
        }
        text.push_str("    endloop\n  endfacet\n");
    }
    text.push_str("endsolid sphere\n");
    text.into_bytes()
}

fn ply_header(sphere: &Sphere, format: &str) -> String {
    format!(
        "ply\nformat {format} 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n\
         element face {}\nproperty list uchar int vertex_indices\nend_header\n",
        sphere.vertices.len(),
        sphere.triangles.len()
    )
}

pub fn ply_little(sphere: &Sphere) -> Vec<u8> {
    let mut file = ply_header(sphere, "binary_little_endian").into_bytes();
    file.extend(bytes(&sphere.vertices));
    for triangle in &sphere.triangles {
        file.push(3);
        file.extend(triangle.iter().flat_map(|corner| corner.to_le_bytes()));
    }
    file
}

pub fn ply_big(sphere: &Sphere) -> Vec<u8> {
    let mut file = ply_header(sphere, "binary_big_endian").into_bytes();
    file.extend(sphere.vertices.as_flattened().iter().flat_map(|value| value.to_be_bytes()));
    for triangle in &sphere.triangles {
        file.push(3);
        file.extend(triangle.iter().flat_map(|corner| corner.to_be_bytes()));
    }
    file
}

pub fn ply_text(sphere: &Sphere) -> Vec<u8> {
    let mut text = ply_header(sphere, "ascii");
    for [x, y, z] in &sphere.vertices {
        let _ = writeln!(text, "{x:.6} {y:.6} {z:.6}");
    }
    for [a, b, c] in &sphere.triangles {
        let _ = writeln!(text, "3 {a} {b} {c}");
    }
    text.into_bytes()
}

pub fn glb(sphere: &Sphere) -> Vec<u8> {
    let mut data: Vec<u8> = bytes(&sphere.vertices).collect();
    let vertices = data.len();
    data.extend(sphere.triangles.as_flattened().iter().flat_map(|corner| corner.to_le_bytes()));
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for vertex in &sphere.vertices {
        for axis in 0..3 {
            low[axis] = low[axis].min(vertex[axis]);
            high[axis] = high[axis].max(vertex[axis]);
        }
    }
    let mut json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],"buffers":[{{"byteLength":{}}}],
        "bufferViews":[{{"buffer":0,"byteLength":{vertices}}},{{"buffer":0,"byteOffset":{vertices},"byteLength":{}}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3","min":{low:?},"max":{high:?}}},
        {{"bufferView":1,"componentType":5125,"count":{},"type":"SCALAR"}}]}}"#,
        data.len(),
        data.len() - vertices,
        sphere.vertices.len(),
        3 * sphere.triangles.len()
    );
    while json.len() % 4 != 0 {
        json.push(' ');
    }
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((28 + json.len() as u32 + data.len() as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", json.as_bytes()), (b"BIN\0", &data)] {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(chunk);
    }
    file
}
