//! Nodes that flatten what they show, as decals and shadows on the ground do by a scale of 0 on one axis.
//!
//! An instance needs an inverse to bring rays into its mesh's frame, and such a node has none. So it shows a mesh of its own, whose vertices
//! are flattened already, each rounded to `f32` once, and which stands at the node's origin without turn or scale.

use hitscan::glam::{DAffine3, DMat3, DVec3, Vec3};
use hitscan::{Transform, TransformError};

use crate::model::Draft;

/// What becomes of the vertices: a matrix that `f64` cannot invert, by its bits, so that nodes of the same can share a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Flattened([u64; 9]);

impl Flattened {
    /// The draft as the matrix makes it. What falls beyond the range of `f32` is no number there, which meshes refuse.
    pub fn mesh(self, draft: &mut Draft) {
        let matrix = DMat3::from_cols_array(&self.0.map(f64::from_bits));
        for vertex in &mut draft.vertices {
            // A sum with 0 is never -0.
            *vertex = ((matrix * DVec3::from(vertex.map(f64::from))).as_vec3() + Vec3::ZERO).to_array();
        }
    }
}

/// Where an instance stands, and what its mesh has to become before, if anything.
pub(crate) fn placement(world: DAffine3) -> Result<(Transform, Option<Flattened>), TransformError> {
    match Transform::try_from(world) {
        Err(TransformError::Singular { .. }) => {
            let matrix = world.matrix3.to_cols_array().map(|entry| (entry + 0.0).to_bits()); // 0 and -0 share
            Ok((Transform::translation(world.translation)?, Some(Flattened(matrix))))
        }
        placed => Ok((placed?, None)),
    }
}
