//! The scenes that are asked, in the library's form and as the oracle's plain arrays.

use std::path::Path;

use hitscan::{Scene, Transform};
use hitscan_io::{Model, NamedMesh};
use hitscan_oracle::TriMesh;
use hitscan_oracle::brute::Placed;
use hitscan_oracle::entry::Placement;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/scenes");

/// The files, and how many of their meshes are open.
const FILES: [(&str, usize); 6] = [
    ("kitchen.glb", 157),
    ("coffee.glb", 10),
    ("nefertiti.obj", 0),
    ("rocker-arm.obj", 0),
    ("fandisk.obj", 0),
    ("cow.obj", 0),
];

/// The same for the built-in scenes: their grounds are open.
const BUILT_IN: [(&str, usize); 3] = [("builtin:range", 1), ("builtin:terrain", 1), ("builtin:sphere", 0)];

/// One scene.
pub struct Subject {
    /// The file, or the built-in scene's name.
    pub name: String,
    /// What was read.
    pub model: Model,
    /// How many of its meshes do not enclose a volume.
    pub open_meshes: usize,
    /// The model's meshes, row by row.
    pub meshes: Vec<TriMesh>,
}

/// Every scene there is, read one after the other: all built-in ones, and all files where their folder is there.
pub fn subjects() -> impl Iterator<Item = Subject> {
    let folder_is_there = Path::new(FOLDER).exists();
    if !folder_is_there {
        eprintln!("skipped: {FOLDER} is absent; only built-in scenes are asked");
    }
    let files = FILES.into_iter().filter(move |_| folder_is_there);
    let files = files.map(|(file, open)| (format!("{FOLDER}/{file}"), open));
    let built_in = BUILT_IN.into_iter().map(|(name, open)| (name.to_owned(), open));
    files.chain(built_in).map(|(scene, open_meshes)| Subject::open(&scene, open_meshes))
}

impl Subject {
    fn open(scene: &str, open_meshes: usize) -> Subject {
        let name = scene.rsplit('/').next().unwrap_or(scene).to_owned();
        let model = hitscan_io::open(scene).unwrap_or_else(|error| panic!("{error}"));
        let plain = |NamedMesh { name, mesh }: &NamedMesh| {
            TriMesh::new(name, mesh.vertices().to_vec(), mesh.triangles().to_vec())
        };
        let meshes = model.meshes.iter().map(plain).collect();
        Subject { name, model, open_meshes, meshes }
    }

    /// The world of the model, with its trees verified.
    pub fn scene(&self) -> Scene {
        let scene = self.model.scene();
        scene.check().unwrap_or_else(|error| panic!("{}: {error}", self.name));
        scene
    }

    /// The same world for brute force.
    pub fn placed(&self) -> Vec<Placed<'_>> {
        let placement = |transform: &Transform| Placement {
            matrix: transform.matrix().transpose().to_cols_array_2d(),
            translation: transform.offset().to_array(),
        };
        let nodes = self.model.nodes.iter();
        nodes
            .map(|node| Placed { mesh: &self.meshes[node.mesh], placement: placement(&node.transform) })
            .collect()
    }

    /// All triangles where they stand in the world, rounded to `f32`: what rays are aimed at.
    pub fn merged(&self) -> TriMesh {
        let mut merged = TriMesh::new(&self.name, Vec::new(), Vec::new());
        for Placed { mesh, placement } in self.placed() {
            let base = merged.vertices.len() as u32;
            let world = |vertex: &[f32; 3]| placement.point(vertex.map(f64::from)).map(|c| c as f32);
            merged.vertices.extend(mesh.vertices.iter().map(world));
            merged.triangles.extend(mesh.triangles.iter().map(|t| t.map(|index| base + index)));
        }
        merged
    }
}
