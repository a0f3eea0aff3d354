//! FBX, text and binary, by the `ufbx` library.
//!
//! Read: meshes, nodes with all that FBX stacks into a transform, names, materials. Coordinates become metres
//! through the nodes' transforms, as the file's unit says (centimetres where it says nothing); the axes stay as
//! they are, with +Y or +Z up. Polygons are cut by the library; a mesh's materials are those of its first node,
//! and faces that are marked as holes are left out. A node with several meshes is a node for each; one that is scaled to 0 on all axes
//! is hidden. Nodes that mirror show mirror images, and those that flatten show flat meshes: see `mirror` and `flattened`. Skins and blend shapes stay at rest. Curves, patches, subdivision
//! and visibility are not looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use hitscan::Transform;
use hitscan::glam::{DAffine3, DMat3, DVec3};
use ufbx::{CoordinateAxis, ErrorType, FileFormat, IndexErrorHandling, LoadOpts, SceneRoot};

use crate::error::quoted;
use crate::flattened::{self, Flattened};
use crate::model::{DEFAULT_MATERIAL, Draft, Node, Parts, Up};
use crate::reading::Reading;
use crate::{ReadError, indexed, limits, mirror};

pub(crate) fn recognises(bytes: &[u8]) -> bool {
    bytes.starts_with(b"Kaydara FBX Binary") || bytes.starts_with(b"; FBX")
}

pub(crate) fn read(reading: &Reading<'_>, bytes: Vec<u8>) -> Result<Parts, ReadError> {
    let scene = load(reading, &bytes)?;
    let length = bytes.len() as u64;
    drop(bytes); // the scene is a copy
    parts(reading, &scene, length)
}

fn load(reading: &Reading<'_>, bytes: &[u8]) -> Result<SceneRoot, ReadError> {
    // Arrays are compressed, a thousand to one at best; honest ones hardly ever reach ten to one.
    const ALWAYS_ALLOWED: usize = 64 << 20;
    const A_BYTE: usize = 64;
    let mut options = LoadOpts {
        ignore_animation: true,
        ignore_embedded: true,
        file_format: FileFormat::Fbx,
        // Corners without a texture coordinate are named -1; those without a position are refused all the same.
        index_error_handling: IndexErrorHandling::NoIndex,
        target_unit_meters: 1.0,
        ..LoadOpts::default()
    };
    let most = ALWAYS_ALLOWED.saturating_add(bytes.len().saturating_mul(A_BYTE));
    for allocator in [&mut options.temp_allocator, &mut options.result_allocator] {
        // 0 would be no limit.
        allocator.memory_limit = reading.at_most(most).max(1);
    }
    ufbx::load_memory(bytes, options).map_err(|error| {
        let path = reading.path;
        if error.type_ == ErrorType::MemoryLimit {
            // How much more it would have been, the library does not say.
            return match reading.check_memory("decoding it takes", most as u64) {
                Err(refused) => refused,
                Ok(()) => ReadError::invalid(
                    path,
                    format!("it decodes to more than {most} bytes"),
                    "an FBX of its length holds less",
                ),
            };
        }
        let found = match &*error.description {
            "Failed to load" => "the FBX is damaged".to_owned(),
            description => description.to_lowercase().replace("fbx", "FBX"),
        };
        ReadError::invalid(path, found, "an FBX is text or binary of version 3.0 to 7.7")
    })
}

fn parts(reading: &Reading<'_>, scene: &SceneRoot, length: u64) -> Result<Parts, ReadError> {
    let path = reading.path;
    let up = up(path, scene)?;
    let placed = placed(path, scene)?;
    let mut rows: BTreeMap<_, usize> = placed.iter().map(|node| (node.shown_as, 0)).collect();
    let (mut drafts, mut origins) = (Vec::new(), Vec::new());
    let mut flat = 0u64;
    for (&ShownAs { mesh, mirrored, flattened }, row) in &mut rows {
        let (mut draft, origin) = draft(reading, &scene.meshes[mesh as usize])?;
        if mirrored {
            mirror::mesh(&mut draft);
        }
        if let Some(flattened) = flattened {
            // Nodes of a few bytes may each have one and the same made anew.
            flat += draft.triangles.len() as u64;
            limits::check_triangles(path, flat, length)?;
            flattened.mesh(&mut draft);
        }
        *row = drafts.len();
        drafts.push(draft);
        origins.push(origin);
    }
    let mut nodes = Vec::with_capacity(placed.len());
    for Placed { name, number, shown_as, world } in placed {
        let mesh = rows[&shown_as];
        let world = world * DAffine3::from_translation(origins[mesh]);
        let (transform, _) = place(path, number, &name, world)?;
        let transform = if shown_as.mirrored { mirror::placement(&transform) } else { transform };
        nodes.push(Node { name, mesh, transform });
    }
    let names = scene.materials.iter().map(|material| material.as_ref().element.name.to_string());
    let materials = std::iter::once(DEFAULT_MATERIAL.to_owned()).chain(names).collect();
    Ok(Parts { drafts, nodes, materials, up, ..Parts::default() })
}

fn up(path: &Path, scene: &SceneRoot) -> Result<Up, ReadError> {
    use CoordinateAxis::{NegativeX, NegativeY, NegativeZ, PositiveX, PositiveY, PositiveZ, Unknown};
    let direction = |axis| match axis {
        PositiveX => DVec3::X,
        NegativeX => DVec3::NEG_X,
        PositiveY => DVec3::Y,
        NegativeY => DVec3::NEG_Y,
        PositiveZ => DVec3::Z,
        NegativeZ => DVec3::NEG_Z,
        Unknown => DVec3::ZERO,
    };
    let axes = scene.settings.axes;
    let unsupported = |feature: &str| ReadError::Unsupported {
        path: path.into(),
        feature: feature.to_owned(),
        remedy: "export it right-handed with +Y or +Z up".to_owned(),
    };
    let (right, front) = (direction(axes.right), direction(axes.front));
    let turn = right.cross(direction(axes.up));
    if turn != DVec3::ZERO && turn == -front {
        return Err(unsupported("a left-handed coordinate system"));
    }
    match axes.up {
        PositiveY | Unknown => Ok(Up::Y),
        PositiveZ => Ok(Up::Z),
        _ => Err(unsupported("this up axis")),
    }
}

/// A node with one of its meshes.
struct Placed {
    name: String,
    /// Depth first, of all nodes.
    number: usize,
    shown_as: ShownAs,
    world: DAffine3,
}

/// What a mesh is made of; nodes of the same share it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ShownAs {
    /// Its number in the file.
    mesh: u32,
    mirrored: bool,
    flattened: Option<Flattened>,
}

fn place(
    path: &Path,
    number: usize,
    name: &str,
    world: DAffine3,
) -> Result<(Transform, Option<Flattened>), ReadError> {
    flattened::placement(world).map_err(|source| {
        let node = format!("node {number} {}", quoted(name.as_bytes()));
        ReadError::Placement { path: path.into(), node, source }
    })
}

/// Depth first.
fn placed(path: &Path, scene: &SceneRoot) -> Result<Vec<Placed>, ReadError> {
    let mut placed = Vec::new();
    let mut open: Vec<&ufbx::Node> = vec![scene.root_node.as_ref()];
    let mut number = 0;
    while let Some(node) = open.pop() {
        let m = &node.geometry_to_world;
        let matrix3 = DMat3::from_cols(
            DVec3::new(m.m00, m.m10, m.m20),
            DVec3::new(m.m01, m.m11, m.m21),
            DVec3::new(m.m02, m.m12, m.m22),
        );
        let world = DAffine3 { matrix3, translation: DVec3::new(m.m03, m.m13, m.m23) };
        // Scaled to nothing is hidden. What is below it need not be: some nodes do not take their parent's scale.
        let is_hidden = matrix3 == DMat3::ZERO;
        // A file may connect one and the same many times.
        let mut shown = BTreeSet::new();
        let meshes = node.all_attribs.iter().filter_map(|attribute| ufbx::as_mesh(attribute));
        for mesh in meshes.filter(|mesh| !is_hidden && shown.insert(mesh.element.typed_id)) {
            let name = named(&node.element.name, || format!("node{number}"));
            let (transform, flattened) = place(path, number, &name, world)?;
            let shown_as = ShownAs { mesh: mesh.element.typed_id, mirrored: transform.mirrored(), flattened };
            placed.push(Placed { name, number, shown_as, world });
        }
        number += 1;
        open.extend(node.children.iter().rev().map(AsRef::as_ref));
    }
    Ok(placed)
}

/// A mesh around an origin of its own, and that origin.
fn draft(reading: &Reading<'_>, mesh: &ufbx::Mesh) -> Result<(Draft, DVec3), ReadError> {
    let name = named(&mesh.element.name, || format!("mesh{}", mesh.element.typed_id));
    let position = |vertex: u32| {
        let p = &mesh.vertices[vertex as usize];
        [p.x, p.y, p.z]
    };
    for vertex in 0..mesh.vertices.len() as u32 {
        for (axis, value) in position(vertex).into_iter().enumerate() {
            indexed::check_coordinate(value, axis).map_err(|(found, expected)| {
                let found = format!("mesh {}, vertex {vertex}: {found}", quoted(name.as_bytes()));
                ReadError::invalid(reading.path, found, expected)
            })?;
        }
    }
    let count = mesh.vertices.len();
    if let Some(corner) = mesh.vertex_indices.iter().position(|&vertex| vertex as usize >= count) {
        let (name, vertex) = (quoted(name.as_bytes()), mesh.vertex_indices[corner]);
        let found = format!("mesh {name}, corner {corner} names vertex {vertex}, and there are {count}");
        return Err(ReadError::invalid(reading.path, found, "vertices count from 0"));
    }
    let (mut triangles, mut materials) = (Vec::with_capacity(mesh.num_triangles), Vec::new());
    let mut corners = vec![0; 3 * mesh.max_face_triangles];
    for (number, face) in mesh.faces.iter().enumerate() {
        if face.num_indices < 3 || mesh.face_hole.get(number) == Some(&true) {
            continue;
        }
        let count = ufbx::triangulate_face(&mut corners, mesh, *face) as usize;
        let material = mesh.face_material.get(number).and_then(|&row| mesh.materials.get(row as usize));
        // Row 0 is what has none.
        let material = material.map_or(0, |material| material.element.typed_id + 1);
        for triangle in corners.as_chunks::<3>().0.iter().take(count) {
            triangles.push(triangle.map(|corner| mesh.vertex_indices[corner as usize]));
            materials.push(material);
        }
    }
    let (draft, transform) = indexed::draft(reading, name, position, triangles, materials)?;
    Ok((draft, transform.offset()))
}

fn named(name: &str, otherwise: impl FnOnce() -> String) -> String {
    if name.is_empty() { otherwise() } else { name.to_owned() }
}
