//! From the oracle's plain meshes to the library's, and the comparison that all themes share.

use hitscan::glam::{DMat3, DVec3};
use hitscan::{Instance, Mesh, Scene, Transform, World};
use hitscan_oracle as oracle;
use hitscan_oracle::TriMesh;
use hitscan_oracle::brute::Placed;
use hitscan_oracle::entry::Placement;

use crate::compare::assert_agrees;
pub use crate::compare::{Bits, all_bits, bits, kernels, on_kernel, ray};

pub fn mesh(mesh: &TriMesh) -> Mesh {
    let built = Mesh::new(mesh.vertices.clone(), mesh.triangles.clone())
        .unwrap_or_else(|error| panic!("{}: {error}", mesh.name));
    built.check().unwrap_or_else(|error| panic!("{}: {error}", mesh.name));
    built
}

pub fn transform(placement: &Placement) -> Transform {
    let [x, y, z] = placement.matrix.map(DVec3::from);
    let matrix = DMat3::from_cols(x, y, z).transpose();
    Transform::new(matrix, placement.translation).unwrap_or_else(|error| panic!("{placement:?}: {error}"))
}

/// A world of these meshes.
pub fn scene(placed: &[Placed<'_>]) -> Scene {
    let mut world = World::new();
    for placed in placed {
        world.insert(Instance::new(mesh(placed.mesh)).at(transform(&placed.placement)));
    }
    let scene = world.commit();
    scene.check().unwrap_or_else(|error| panic!("{placed:?}: {error}"));
    scene
}

/// Compares every query on a mesh with brute force.
pub fn assert_mesh_agrees(oracle_mesh: &TriMesh, rays: &[oracle::Ray]) {
    let placed = [Placed { mesh: oracle_mesh, placement: Placement::IDENTITY }];
    assert_agrees(&mesh(oracle_mesh), &placed, rays);
}

/// Compares every query on a world of these meshes with brute force.
pub fn assert_scene_agrees(placed: &[Placed<'_>], rays: &[oracle::Ray]) {
    assert_agrees(&scene(placed), placed, rays);
}
