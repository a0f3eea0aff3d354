//! The node tree: what stands where, depth first.

use std::path::Path;

use hitscan::glam::{DAffine3, DMat3, DVec3};
use hitscan::{Camera, CameraError, Transform, TransformError};

use super::document::{Document, Node};
use super::{label, name_or};
use crate::flattened::{self, Flattened};
use crate::model::{self, NamedCamera};
use crate::rig::Local;
use crate::{ReadError, limits};

/// Nodes whose `mesh` is the number in the document, and cameras, both in world space.
pub(super) struct Placed {
    pub nodes: Vec<model::Node>,
    /// What those nodes flatten, row by row.
    pub flattened: Vec<Option<Flattened>>,
    /// The numbers that they have in the document; none where it has no nodes.
    pub numbers: Vec<usize>,
    pub cameras: Vec<NamedCamera>,
}

/// `bytes_read` is how long the file is.
pub(super) fn walk(path: &Path, document: &Document, bytes_read: u64) -> Result<Placed, ReadError> {
    let mut placed =
        Placed { nodes: Vec::new(), flattened: Vec::new(), numbers: Vec::new(), cameras: Vec::new() };
    if document.nodes.is_empty() && document.scenes.is_empty() {
        for (mesh, named) in document.meshes.iter().enumerate() {
            let name = name_or(&named.name, || format!("mesh{mesh}"));
            placed.nodes.push(model::Node { name, mesh, transform: Transform::IDENTITY });
            placed.flattened.push(None);
        }
        return Ok(placed);
    }
    let mut reached = vec![false; document.nodes.len()];
    // Of cameras, so far: nodes may share one of any length.
    let mut names = 0u64;
    // A stack of its own: files may nest deeper than the thread's.
    let mut open: Vec<(usize, DAffine3, bool)> =
        roots(path, document)?.into_iter().rev().map(|root| (root, DAffine3::IDENTITY, true)).collect();
    while let Some((number, parent, is_shown)) = open.pop() {
        let Some(node) = document.nodes.get(number) else {
            let found = format!("node {number} is named, and there are {}", document.nodes.len());
            return Err(ReadError::invalid(path, found, "numbers count from 0"));
        };
        if std::mem::replace(&mut reached[number], true) {
            let found = format!("{} is reached twice", label("node", number, &node.name));
            return Err(ReadError::invalid(path, found, "a node has one parent and is not its own ancestor"));
        }
        let world = parent * local(path, number, node)?.affine();
        if world.matrix3 == DMat3::ZERO {
            continue; // hidden, with all below it
        }
        // Cameras below what is not visible are there all the same.
        let is_shown = is_shown && node.is_shown(path, number)?;
        if let Some(mesh) = node.mesh.filter(|_| is_shown) {
            let (node, flattened) = place(path, document, number, node, mesh, world)?;
            placed.nodes.push(node);
            placed.flattened.push(flattened);
            placed.numbers.push(number);
        }
        if let Some(camera) = node.camera {
            let seen = look(path, document, node, camera, world)?;
            names += seen.as_ref().map_or(0, |seen| seen.name.len() as u64);
            limits::check_names(path, names, bytes_read)?;
            placed.cameras.extend(seen);
        }
        open.extend(node.children.iter().rev().map(|&child| (child, world, is_shown)));
    }
    Ok(placed)
}

/// The scene's top nodes; without scenes, those that are nobody's child.
fn roots(path: &Path, document: &Document) -> Result<Vec<usize>, ReadError> {
    if document.scenes.is_empty() {
        let mut is_child = vec![false; document.nodes.len()];
        for &child in document.nodes.iter().flat_map(|node| &node.children) {
            if let Some(is_child) = is_child.get_mut(child) {
                *is_child = true;
            }
        }
        return Ok((0..document.nodes.len()).filter(|&number| !is_child[number]).collect());
    }
    let scene = document.scene.unwrap_or(0);
    let Some(scene) = document.scenes.get(scene) else {
        let found = format!("the default scene is {scene}, and there are {}", document.scenes.len());
        return Err(ReadError::invalid(path, found, "numbers count from 0"));
    };
    Ok(scene.nodes.clone())
}

/// A node's own placement, by its matrix or by translation, rotation and scale.
pub(super) fn local(path: &Path, number: usize, node: &Node) -> Result<Local, ReadError> {
    if let Some(m) = node.matrix {
        if [m[3], m[7], m[11], m[15]] != [0.0, 0.0, 0.0, 1.0] {
            let found = format!("{} has a projective matrix", label("node", number, &node.name));
            return Err(ReadError::invalid(path, found, "the matrix of a node ends in the row 0 0 0 1"));
        }
        let column = |i: usize| DVec3::new(m[i], m[i + 1], m[i + 2]);
        let matrix3 = DMat3::from_cols(column(0), column(4), column(8));
        return Ok(Local::Matrix(DAffine3 { matrix3, translation: column(12) }));
    }
    let [x, y, z, w] = node.rotation;
    let length_sq = (x * x + y * y) + (z * z + w * w);
    if !(length_sq > 0.0 && length_sq.is_finite()) {
        let found = format!("{} has the rotation {:?}", label("node", number, &node.name), node.rotation);
        return Err(ReadError::invalid(path, found, "a rotation is a unit quaternion x y z w"));
    }
    Ok(Local::Parts(node.translation, node.rotation, node.scale))
}

fn place(
    path: &Path,
    document: &Document,
    number: usize,
    node: &Node,
    mesh: usize,
    world: DAffine3,
) -> Result<(model::Node, Option<Flattened>), ReadError> {
    if mesh >= document.meshes.len() {
        let named = label("node", number, &node.name);
        let found = format!("{named} names mesh {mesh}, and there are {}", document.meshes.len());
        return Err(ReadError::invalid(path, found, "numbers count from 0"));
    }
    let refused = |source: TransformError| ReadError::Placement {
        path: path.into(),
        node: label("node", number, &node.name),
        source,
    };
    let (transform, flattened) = match node.skin {
        None => flattened::placement(world).map_err(refused)?,
        // Joints move the vertices that were bound to them, not flattened ones.
        Some(_) => (Transform::try_from(world).map_err(refused)?, None),
    };
    let name = name_or(&node.name, || format!("node{number}"));
    Ok((model::Node { name, mesh, transform }, flattened))
}

/// The camera at a node: it looks along its own -Z, +Y up. `None` for orthographic ones.
fn look(
    path: &Path,
    document: &Document,
    node: &Node,
    number: usize,
    world: DAffine3,
) -> Result<Option<NamedCamera>, ReadError> {
    let Some(camera) = document.cameras.get(number) else {
        let found = format!("camera {number} is named, and there are {}", document.cameras.len());
        return Err(ReadError::invalid(path, found, "numbers count from 0"));
    };
    let Some(perspective) = &camera.perspective else { return Ok(None) };
    let (up, backward) = (world.matrix3.y_axis, world.matrix3.z_axis);
    let seen = Camera::new(world.translation, -backward, up, perspective.yfov.to_degrees());
    let seen = seen.map_err(|source: CameraError| ReadError::Camera {
        path: path.into(),
        camera: Some(label("camera", number, &camera.name)),
        source,
    })?;
    let name = name_or(&camera.name, || name_or(&node.name, || format!("camera{number}")));
    Ok(Some(NamedCamera { name, camera: seen }))
}
