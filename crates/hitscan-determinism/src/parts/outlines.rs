//! Meshes on whose corners and edges the law is hard to keep: fans of slivers, pleats, stitches, duplicates, free borders.

use hitscan::{Mesh, Transform};
use hitscan_oracle::meshes::{all_open, all_solids};
use hitscan_oracle::{Rng, TriMesh};

use super::{Part, Things};

/// All of the oracle's meshes side by side, at whole numbers, so that what is exact in their frames is exact here.
pub fn outlines() -> Part {
    let mut meshes: Vec<TriMesh> = all_solids().into_iter().map(|solid| solid.mesh).collect();
    meshes.extend(all_open(&mut Rng::new(91)));
    let mut target = TriMesh::new("outlines", Vec::new(), Vec::new());
    let (mut geometries, mut instances) = (Vec::new(), Vec::new());
    for (row, mesh) in meshes.into_iter().enumerate() {
        let by = [(row % 5) as f32 * 16.0, (row / 5) as f32 * 16.0, 0.0];
        target = target.with(&mesh.moved(by));
        let place = Transform::translation(by.map(f64::from)).expect("a place");
        instances.push((row, place, 0));
        geometries.push(Mesh::new(mesh.vertices, mesh.triangles).expect("a mesh of the oracle").into());
    }
    Part {
        name: "outlines",
        things: Things::World { geometries, instances },
        target,
        offset: [0.0; 3],
        seed: 9,
    }
}
