//! The shapes that meshes are morphed into: weights of their targets, node by node.

use std::collections::HashMap;
use std::path::Path;

use ::gltf::json::mesh::Primitive;

use super::accessor::{Accessor, Role};
use super::buffers::Buffers;
use super::document::Document;
use super::label;
use crate::ReadError;
use crate::model::Node;

/// Which weights each node's mesh is shown with: the node's own, else those of its mesh, else none.
pub(super) struct Shapes {
    /// Lists without zeros at their end; the first is empty. A node counts as without where its mesh has no targets.
    weights: Vec<Vec<f32>>,
    /// Rows of that for each node.
    of_nodes: Vec<usize>,
}

impl Shapes {
    /// `numbers` are those that the nodes have in the document.
    pub fn read(
        path: &Path,
        document: &Document,
        nodes: &[Node],
        numbers: &[usize],
    ) -> Result<Shapes, ReadError> {
        let mut shapes = Shapes { weights: vec![Vec::new()], of_nodes: Vec::new() };
        let mut known = HashMap::from([(Vec::new(), 0)]);
        let of_meshes: Vec<Option<usize>> = (document.meshes.iter())
            .map(|mesh| {
                let mut targets = mesh.primitives.iter().filter_map(|primitive| primitive.targets.as_ref());
                let has_targets = targets.any(|targets| !targets.is_empty());
                has_targets.then(|| shapes.row(mesh.weights.as_deref().unwrap_or_default(), &mut known))
            })
            .collect();
        for (row, node) in nodes.iter().enumerate() {
            let of_node =
                numbers.get(row).and_then(|&number| Some((number, document.nodes[number].weights.as_ref()?)));
            let shape = match (of_meshes[node.mesh], of_node) {
                (Some(_), Some((number, weights))) => {
                    let weights =
                        weights.get(path, || label("node", number, &document.nodes[number].name))?;
                    shapes.row(weights, &mut known)
                }
                (of_mesh, _) => of_mesh.unwrap_or(0),
            };
            shapes.of_nodes.push(shape);
        }
        Ok(shapes)
    }

    /// The row of a list of weights, which may be new.
    fn row(&mut self, weights: &[f32], known: &mut HashMap<Vec<u32>, usize>) -> usize {
        let length = weights.iter().rposition(|&weight| weight != 0.0).map_or(0, |last| last + 1);
        let weights = &weights[..length];
        let bits = weights.iter().map(|weight| weight.to_bits()).collect();
        *known.entry(bits).or_insert_with(|| {
            self.weights.push(weights.to_vec());
            self.weights.len() - 1
        })
    }

    /// The shape of a node, as a number.
    pub fn of(&self, row: usize) -> usize {
        self.of_nodes[row]
    }

    /// The weights of a shape.
    pub fn weights(&self, shape: usize) -> &[f32] {
        &self.weights[shape]
    }
}

/// The accessors that move a primitive's positions, with the bits of their weights. Weights without a target move nothing.
pub(super) fn named(primitive: &Primitive, weights: &[f32]) -> Vec<(usize, u32)> {
    let targets = primitive.targets.iter().flatten().zip(weights).filter(|&(_, &weight)| weight != 0.0);
    targets.filter_map(|(target, weight)| Some((target.positions?.value(), weight.to_bits()))).collect()
}

/// What moves the vertices of one accessor of positions.
pub(super) struct Moves<'a>(Vec<(Accessor<'a>, f64)>);

impl<'a> Moves<'a> {
    /// These accessors, which must have as many vertices as the one of positions, of which there are `count`.
    pub fn open(
        path: &Path,
        document: &Document,
        buffers: &'a Buffers<'a>,
        targets: &[(usize, u32)],
        (positions, count): (usize, usize),
    ) -> Result<Moves<'a>, ReadError> {
        let open = |&(accessor, weight): &(usize, u32)| {
            let opened = Accessor::open(path, document, buffers, accessor, Role::Positions)?;
            if opened.count < count {
                let found = format!("accessor {accessor} moves {} vertices", opened.count);
                let expected = format!("their positions, accessor {positions}, are {count}");
                return Err(ReadError::invalid(path, found, expected));
            }
            Ok((opened, f64::from(f32::from_bits(weight))))
        };
        targets.iter().map(open).collect::<Result<_, _>>().map(Moves)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Where vertex `row` is then, rounded once.
    pub fn apply(&self, row: usize, vertex: [f32; 3]) -> [f32; 3] {
        let mut moved = vertex.map(f64::from);
        for (target, weight) in &self.0 {
            let by = target.floats::<3>(row);
            moved = std::array::from_fn(|axis| moved[axis] + weight * f64::from(by[axis]));
        }
        moved.map(|value| value as f32)
    }
}
