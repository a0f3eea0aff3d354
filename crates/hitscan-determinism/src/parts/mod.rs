//! The scenes that are asked, and what their rays are aimed at.

mod ground;
mod models;
mod outlines;
mod shapes;

use hitscan::heightfield::Heightfield;
use hitscan::{Geometry, Mesh, Ray, Transform};
use hitscan_oracle::{self as oracle, TriMesh};

/// One scene.
pub struct Part {
    /// As reports call it.
    pub name: &'static str,
    /// What is asked.
    pub things: Things,
    /// What rays are aimed at: about the same surfaces.
    pub target: TriMesh,
    /// Where the things stand, from where the target does.
    pub offset: [f64; 3],
    /// Of its rays.
    pub seed: u64,
}

/// What a scene is made of, before any way to its answers is chosen.
pub enum Things {
    /// A mesh, asked in its own frame.
    Mesh(Mesh),
    /// A heightfield, asked in its own frame.
    Heightfield(Heightfield),
    /// A world.
    World {
        /// What stands in it.
        geometries: Vec<Geometry>,
        /// The row of what stands at a place, the place, and the material of shapes.
        instances: Vec<(usize, Transform, u32)>,
    },
}

/// All scenes, each made when it is wanted.
pub fn parts() -> [fn() -> Part; 9] {
    [
        models::range,
        models::atrium,
        models::terrain,
        models::sphere,
        models::hairball,
        models::soup,
        ground::heightfield,
        shapes::shapes,
        outlines::outlines,
    ]
}

impl Part {
    /// The library's form of a ray at the target.
    pub(crate) fn ray(&self, ray: &oracle::Ray) -> Ray {
        let origin: [f64; 3] = std::array::from_fn(|i| ray.origin[i] + self.offset[i]);
        let ray = Ray::new(origin, ray.dir).and_then(|made| made.with_range(ray.t_min, ray.t_max));
        ray.expect("a direction that is not zero, and an interval")
    }
}

/// The library's form of a placement.
fn transform(placement: &oracle::entry::Placement) -> Transform {
    let [x, y, z] = placement.matrix.map(hitscan::glam::DVec3::from);
    let matrix = hitscan::glam::DMat3::from_cols(x, y, z).transpose();
    Transform::new(matrix, placement.translation).expect("an invertible placement")
}
