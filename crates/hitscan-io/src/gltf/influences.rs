//! Joints and weights of vertices.

use std::path::Path;

use ::gltf::json::mesh::{Primitive, Semantic};
use ::gltf::json::validation::Checked;

use super::accessor::{Accessor, Role};
use super::buffers::Buffers;
use super::document::Document;
use crate::ReadError;

/// The joints of each vertex, with their weights.
#[derive(Default)]
pub(super) struct Influences {
    all: Vec<(u32, f32)>,
    /// Where the list of each vertex ends.
    ends: Vec<usize>,
}

impl Influences {
    /// One list a vertex.
    pub fn lists(&self) -> impl Iterator<Item = &[(u32, f32)]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.all[start..end])
    }

    /// Pairs of a vertex and a joint.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Takes the sets of a vertex; all its weights 0 stand for the first joint alone.
    pub fn push(&mut self, sets: &[[Accessor<'_>; 2]], row: usize) {
        let start = self.all.len();
        for [joints, weights] in sets {
            let pairs = joints.whole::<4>(row).into_iter().zip(weights.floats::<4>(row));
            self.all.extend(pairs.filter(|&(_, weight)| weight != 0.0));
        }
        if self.all.len() == start {
            self.all.push((sets.first().map_or(0, |[joints, _]| joints.whole::<4>(row)[0]), 1.0));
        }
        self.ends.push(self.all.len());
    }
}

/// The accessors of a primitive's joints and weights, set by set.
pub(super) fn named(
    primitive: &Primitive,
    fault: impl Fn(String, &str) -> ReadError,
) -> Result<Vec<[usize; 2]>, ReadError> {
    let named = |semantic: Semantic| primitive.attributes.get(&Checked::Valid(semantic)).map(|at| at.value());
    let mut sets = Vec::new();
    while let (Some(joints), Some(weights)) =
        (named(Semantic::Joints(sets.len() as u32)), named(Semantic::Weights(sets.len() as u32)))
    {
        sets.push([joints, weights]);
    }
    if sets.is_empty() {
        let found = "it has no JOINTS_0 and WEIGHTS_0".to_owned();
        return Err(fault(found, "the skin of its mesh needs both"));
    }
    Ok(sets)
}

/// These accessors, which must have as many vertices as the one of positions, of which there are `count`.
pub(super) fn open<'a>(
    path: &Path,
    document: &Document,
    buffers: &'a Buffers<'a>,
    sets: &[[usize; 2]],
    (positions, count): (usize, usize),
) -> Result<Vec<[Accessor<'a>; 2]>, ReadError> {
    let open = |accessor: usize, role: Role| {
        let opened = Accessor::open(path, document, buffers, accessor, role)?;
        if opened.count < count {
            let found = format!("accessor {accessor} has joints or weights of {} vertices", opened.count);
            let expected = format!("their positions, accessor {positions}, are {count}");
            return Err(ReadError::invalid(path, found, expected));
        }
        Ok(opened)
    };
    let open_both =
        |&[joints, weights]: &[usize; 2]| Ok([open(joints, Role::Joints)?, open(weights, Role::Weights)?]);
    sets.iter().map(open_both).collect()
}
