//! The same bytes to the same lists, by the best crate of each format.

use std::error::Error;
use std::io::{BufReader, Cursor};

use ply_rs_bw::parser::{Parser, Reader};
use ply_rs_bw::ply::{BeginList, PropertyAccess, PropertyAccessResult};

use super::Lists;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

pub fn gltf(bytes: Vec<u8>) -> Result<Lists> {
    let file = gltf::Gltf::from_slice(&bytes)?;
    drop(bytes);
    let blob = file.blob.as_deref().ok_or("no binary chunk")?;
    let (mut vertices, mut triangles) = (Vec::<[f32; 3]>::new(), Vec::<u32>::new());
    for primitive in file.meshes().flat_map(|mesh| mesh.primitives()) {
        let reader = primitive.reader(|_| Some(blob));
        vertices.extend(reader.read_positions().ok_or("no positions")?);
        triangles.extend(reader.read_indices().ok_or("no indices")?.into_u32());
    }
    Ok(Lists { triangles: triangles.len() / 3, data: Box::new((vertices, triangles)) })
}

pub fn tobj(bytes: Vec<u8>) -> Result<Lists> {
    let options = tobj::LoadOptions { triangulate: true, ..tobj::LoadOptions::default() };
    let (models, _) =
        tobj::load_obj_buf(&mut &bytes[..], &options, |_| Err(tobj::LoadError::OpenFileFailed))?;
    let triangles = models.iter().map(|model| model.mesh.indices.len() / 3).sum();
    Ok(Lists { triangles, data: Box::new(models) })
}

/// Three vertices for each triangle.
pub fn stl_iterator(bytes: Vec<u8>) -> Result<Lists> {
    let mut cursor = Cursor::new(bytes);
    let facets = stl_io::create_stl_reader(&mut cursor)?;
    let count = facets.size_hint().0;
    let (mut vertices, mut triangles) = (Vec::with_capacity(3 * count), Vec::with_capacity(count));
    for facet in facets {
        let first = vertices.len() as u32;
        vertices.extend(facet?.vertices.map(|vertex| vertex.0));
        triangles.push([first, first + 1, first + 2]);
    }
    Ok(Lists { triangles: triangles.len(), data: Box::new((vertices, triangles)) })
}

/// One vertex for each position, as our reader gives it.
pub fn stl_welded(bytes: Vec<u8>) -> Result<Lists> {
    let mesh = stl_io::read_stl(&mut Cursor::new(bytes))?;
    Ok(Lists { triangles: mesh.faces.len(), data: Box::new(mesh) })
}

/// A row of the element `vertex`.
struct Vertex([f32; 3]);

impl PropertyAccess for Vertex {
    fn new() -> Self {
        Vertex([0.0; 3])
    }

    fn set_float(&mut self, name: &str, value: f32) -> PropertyAccessResult {
        match name {
            "x" => self.0[0] = value,
            "y" => self.0[1] = value,
            "z" => self.0[2] = value,
            _ => return PropertyAccessResult::Ignored,
        }
        PropertyAccessResult::Set
    }
}

/// A row of the element `face`.
struct Face(Vec<i32>);

impl PropertyAccess for Face {
    fn new() -> Self {
        Face(Vec::new())
    }

    fn begin_list_int(&mut self, _: &str, _: usize) -> BeginList<'_, i32> {
        BeginList::Fill(&mut self.0)
    }
}

pub fn ply(bytes: Vec<u8>) -> Result<Lists> {
    let mut reader = Reader::new(BufReader::new(&bytes[..]));
    let (vertices, faces) = (Parser::<Vertex>::new(), Parser::<Face>::new());
    let header = vertices.read_header(&mut reader)?;
    let element = |name: &str| header.elements.get(name).ok_or_else(|| format!("no element {name}"));
    let vertices = vertices.read_payload_for_element(&mut reader, element("vertex")?, &header)?;
    let faces = faces.read_payload_for_element(&mut reader, element("face")?, &header)?;
    let vertices: Vec<[f32; 3]> = vertices.into_iter().map(|vertex| vertex.0).collect();
    let mut triangles = Vec::<[u32; 3]>::with_capacity(faces.len());
    for Face(corners) in &faces {
        triangles.push([corners[0] as u32, corners[1] as u32, corners[2] as u32]);
    }
    Ok(Lists { triangles: triangles.len(), data: Box::new((vertices, triangles)) })
}
