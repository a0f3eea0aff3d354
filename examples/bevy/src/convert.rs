//! Between Bevy's types and hitscan's.

use std::fmt;

use bevy_math::Affine3A;
use bevy_mesh::{Mesh, PrimitiveTopology, VertexAttributeValues};
use bevy_shape::Ray3d;
use hitscan::{MeshError, Ray, RayError, Transform, TransformError};

/// Why a mesh was not taken over.
#[derive(Debug)]
pub enum SolidError {
    /// It has no positions of three `f32`.
    Positions,
    /// It is made of something else than a list of triangles.
    Topology(PrimitiveTopology),
    /// Its numbers.
    Mesh(MeshError),
}

impl fmt::Display for SolidError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolidError::Positions => write!(f, "the mesh has no positions; it needs three f32 a vertex"),
            SolidError::Topology(topology) => {
                write!(f, "the mesh is a {topology:?}; it needs to be a TriangleList")
            }
            SolidError::Mesh(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SolidError {}

/// The triangles of a mesh, in the order in which Bevy draws them.
pub fn solid(mesh: &Mesh) -> Result<hitscan::Mesh, SolidError> {
    let Ok(VertexAttributeValues::Float32x3(positions)) = mesh.try_attribute(Mesh::ATTRIBUTE_POSITION) else {
        return Err(SolidError::Positions);
    };
    if mesh.primitive_topology() != PrimitiveTopology::TriangleList {
        return Err(SolidError::Topology(mesh.primitive_topology()));
    }
    let indices: Vec<u32> = match mesh.try_indices_option().ok().flatten() {
        Some(indices) => indices.iter().map(|index| index as u32).collect(),
        None => (0..positions.len() as u32).collect(),
    };
    let triangles = indices.chunks_exact(3).map(|corners| [corners[0], corners[1], corners[2]]);
    hitscan::Mesh::new(positions.iter().copied(), triangles).map_err(SolidError::Mesh)
}

/// A ray of some length: a `Ray3d` has none.
pub fn ray(ray: Ray3d, length: f32) -> Result<Ray, RayError> {
    Ray::new(ray.origin.as_dvec3(), ray.direction.as_dvec3())?.with_range(0.0, length.into())
}

/// Where something stands: `GlobalTransform::affine`, or an `Isometry3d`.
pub fn placement(affine: Affine3A) -> Result<Transform, TransformError> {
    affine.try_into()
}
