//! The built-in scenes of `hitscan-io`: two as worlds, and those of one mesh in its frame.

use hitscan_io::{Model, builtin};
use hitscan_oracle::TriMesh;

use super::{Part, Things};

/// Many things of few triangles.
pub fn range() -> Part {
    world("range", "range", 1)
}

/// Walls of two triangles beside ornament of thousands.
pub fn atrium() -> Part {
    world("atrium", "atrium:100k", 2)
}

/// An open sheet.
pub fn terrain() -> Part {
    alone("terrain", "terrain:100k", 3)
}

/// A closed mesh.
pub fn sphere() -> Part {
    alone("sphere", "sphere:20k", 4)
}

/// Long thin triangles that no box fits.
pub fn hairball() -> Part {
    alone("hairball", "hairball:20k", 5)
}

/// Triangles of all sizes.
pub fn soup() -> Part {
    alone("soup", "soup:20k", 6)
}

fn open(scene: &str) -> Model {
    builtin::build(scene).expect("a built-in scene")
}

fn world(name: &'static str, scene: &str, seed: u64) -> Part {
    let model = open(scene);
    let mut target = TriMesh::new(name, Vec::new(), Vec::new());
    for node in &model.nodes {
        let mesh = &model.meshes[node.mesh].mesh;
        let base = target.vertices.len() as u32;
        let place = |v: &[f32; 3]| node.transform.point(v.map(f64::from)).as_vec3().to_array();
        target.vertices.extend(mesh.vertices().iter().map(place));
        target.triangles.extend(mesh.triangles().iter().map(|t| t.map(|index| base + index)));
    }
    let instances = model.nodes.iter().map(|node| (node.mesh, node.transform, 0)).collect();
    let geometries = model.meshes.into_iter().map(|named| named.mesh.into()).collect();
    Part { name, things: Things::World { geometries, instances }, target, offset: [0.0; 3], seed }
}

fn alone(name: &'static str, scene: &str, seed: u64) -> Part {
    let mesh = open(scene).meshes.swap_remove(0).mesh;
    let target = TriMesh::new(name, mesh.vertices().to_vec(), mesh.triangles().to_vec());
    Part { name, things: Things::Mesh(mesh), target, offset: [0.0; 3], seed }
}
