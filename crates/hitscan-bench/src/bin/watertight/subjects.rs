//! The closed meshes: built-in solids, and scans where their folder is.

use std::error::Error;

use hitscan_bench::scenes;
use hitscan_oracle::TriMesh;
use hitscan_oracle::closed::welded;
use hitscan_oracle::suite::{self, OFFSETS, SIZES};

/// The closed scans of `../shared/scenes`.
const SCANS: [&str; 4] = ["nefertiti.obj", "rocker-arm.obj", "fandisk.obj", "cow.obj"];

/// A mesh, and the sizes and places that it is asked at.
pub struct Subject {
    pub mesh: TriMesh,
    pub sizes: &'static [f32],
    pub offsets: &'static [f32],
}

/// All of them; absent scans are named.
pub fn all() -> Result<Vec<Subject>, Box<dyn Error>> {
    let solid = |mesh| Subject { mesh, sizes: &SIZES, offsets: &OFFSETS };
    let mut all: Vec<Subject> = suite::solids().into_iter().map(solid).collect();
    for name in SCANS {
        let Some(loaded) = scenes::load(name)? else {
            eprintln!("skipped: ../shared/scenes/{name} is absent");
            continue;
        };
        let (vertices, triangles) = (loaded.mesh.vertices().to_vec(), loaded.mesh.triangles().to_vec());
        let mesh = welded(&TriMesh::new(name, vertices, triangles));
        if !suite::encloses(&mesh) {
            return Err(format!("{name}: not closed").into());
        }
        all.push(Subject { mesh, sizes: &[1e-6, 1.0, 1e6], offsets: &[0.0] });
    }
    Ok(all)
}
