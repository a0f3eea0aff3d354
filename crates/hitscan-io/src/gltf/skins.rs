//! Skins, and the nodes that they follow.

use std::path::Path;

use hitscan::Skin;
use hitscan::glam::{DAffine3, DMat3, DVec3};
use serde::Deserialize;

use super::accessor::{Accessor, Role};
use super::buffers::Buffers;
use super::document::Document;
use super::influences::Influences;
use super::nodes::local;
use super::{animations, label, name_or};
use crate::mirror::MIRROR;
use crate::model::{Draft, Node};
use crate::rig::{Joint, Rig, SkinnedNode};
use crate::{ReadError, limits};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SkinOfFile {
    name: Option<String>,
    inverse_bind_matrices: Option<usize>,
    joints: Vec<usize>,
}

/// As how many pairs of a vertex and a joint a joint counts, by the memory that its number and its matrix take.
const PAIRS_A_JOINT: usize = 8;

/// The rig of a document in which a node has a skin. `numbers` are those that the nodes have in the document, `influences` and
/// `mirrored` those of the drafts.
pub(super) fn read(
    path: &Path,
    document: &Document,
    buffers: &Buffers<'_>,
    (nodes, numbers): (&[Node], &[usize]),
    (drafts, influences, mirrored): (&[Draft], &[Option<Influences>], &[bool]),
) -> Result<Rig, ReadError> {
    let skin_of = |row: usize| document.nodes.get(*numbers.get(row)?)?.skin;
    if (0..nodes.len()).all(|row| skin_of(row).is_none()) {
        return Ok(Rig::default());
    }
    let (joints, order) = joints(path, document)?;
    let mut skins = Vec::new();
    // Over all skins: many nodes may share what few bytes hold.
    let (mut pairs, mut names) = (0u64, 0u64);
    for (row, node) in nodes.iter().enumerate() {
        let (Some(number), Some(influences)) = (skin_of(row), &influences[node.mesh]) else { continue };
        let Some(skin) = document.skins.get(number) else {
            let named = label("node", numbers[row], &document.nodes[numbers[row]].name);
            let found = format!("{named} names skin {number}, and there are {}", document.skins.len());
            return Err(ReadError::invalid(path, found, "numbers count from 0"));
        };
        let skin = skin.get(path, || format!("skin {number}"))?;
        let name = label("skin", number, &skin.name);
        if let Some(missing) = skin.joints.iter().find(|&&joint| joint >= joints.len()) {
            let found = format!("{name} names node {missing}, and there are {}", joints.len());
            return Err(ReadError::invalid(path, found, "numbers count from 0"));
        }
        pairs = pairs.saturating_add((influences.len() + PAIRS_A_JOINT * skin.joints.len()) as u64);
        limits::check_influences(path, pairs, buffers.bytes_read())?;
        let named = name_or(&skin.name, || format!("skin{number}"));
        names += named.len() as u64;
        limits::check_names(path, names, buffers.bytes_read())?;
        let mut binds = inverse_binds(path, document, buffers, skin, &name)?;
        if mirrored[node.mesh] {
            // Joints were bound to the vertices that the image is made of.
            binds.iter_mut().for_each(|bind| *bind *= MIRROR);
        }
        let vertices = drafts[node.mesh].vertices.iter().copied();
        let bound = Skin::new(vertices, influences.lists(), binds);
        let bound = bound.map_err(|source| ReadError::Skin { path: path.into(), skin: name, source })?;
        let (matrix, offset) = (node.transform.inverse(), node.transform.offset());
        skins.push(SkinnedNode {
            name: named,
            node: row,
            joints: skin.joints.clone(),
            skin: bound,
            from_world: DAffine3 { matrix3: matrix, translation: -(matrix * offset) },
        });
    }
    let animations = animations::read(path, document, buffers)?;
    Ok(Rig { joints, order, skins, animations })
}

/// All nodes of the document, and their numbers, each behind its parent.
fn joints(path: &Path, document: &Document) -> Result<(Vec<Joint>, Vec<usize>), ReadError> {
    let nodes = &document.nodes;
    let mut joints = Vec::with_capacity(nodes.len());
    for (number, node) in nodes.iter().enumerate() {
        let name = name_or(&node.name, || format!("node{number}"));
        joints.push(Joint { name, parent: None, rest: local(path, number, node)? });
    }
    for (number, node) in nodes.iter().enumerate() {
        for &child in &node.children {
            let Some(joint) = joints.get_mut(child) else {
                let found = format!("node {child} is named, and there are {}", nodes.len());
                return Err(ReadError::invalid(path, found, "numbers count from 0"));
            };
            if joint.parent.replace(number).is_some() {
                return Err(two_parents(path, document, child));
            }
        }
    }
    let mut order: Vec<usize> = (0..joints.len()).filter(|&joint| joints[joint].parent.is_none()).collect();
    let mut at = 0;
    while let Some(&joint) = order.get(at) {
        order.extend(&nodes[joint].children);
        at += 1;
    }
    // Each has one parent at most, so what was not reached runs in a circle.
    if order.len() < joints.len() {
        let mut reached = vec![false; joints.len()];
        order.iter().for_each(|&joint| reached[joint] = true);
        let circle = reached.iter().position(|&reached| !reached).unwrap_or(0);
        return Err(two_parents(path, document, circle));
    }
    Ok((joints, order))
}

fn two_parents(path: &Path, document: &Document, node: usize) -> ReadError {
    let found = format!("{} is reached twice", label("node", node, &document.nodes[node].name));
    ReadError::invalid(path, found, "a node has one parent and is not its own ancestor")
}

/// One for each joint; without any, joints are where the vertices are.
fn inverse_binds(
    path: &Path,
    document: &Document,
    buffers: &Buffers<'_>,
    skin: &SkinOfFile,
    name: &str,
) -> Result<Vec<DAffine3>, ReadError> {
    let Some(accessor) = skin.inverse_bind_matrices else {
        return Ok(vec![DAffine3::IDENTITY; skin.joints.len()]);
    };
    let matrices = Accessor::open(path, document, buffers, accessor, Role::Matrices)?;
    if matrices.count < skin.joints.len() {
        let found =
            format!("{name} has {} joints and {} inverse bind matrices", skin.joints.len(), matrices.count);
        return Err(ReadError::invalid(path, found, "each joint has one"));
    }
    let matrix = |joint: usize| {
        let m = matrices.floats::<16>(joint).map(f64::from);
        let column = |i: usize| DVec3::new(m[i], m[i + 1], m[i + 2]);
        DAffine3 { matrix3: DMat3::from_cols(column(0), column(4), column(8)), translation: column(12) }
    };
    Ok((0..skin.joints.len()).map(matrix).collect())
}
