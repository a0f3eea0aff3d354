//! The scene's trees, built by each preset: how long that takes and what comes of it.

use std::hint::black_box;
use std::time::Instant;

use hitscan::bvh::Stats;
use hitscan::{Mesh, MeshError, Preset, Scene};
use hitscan_io::{Model, NamedMesh};
use rayon::prelude::*;
use serde::Serialize;

use super::Clock;
use super::spread::Spread;
use crate::failure::Failure;
use crate::scene::Loaded;

/// What trees are built with; the first one is what a program gets that does not ask.
const PRESETS: [Preset; 4] = [Preset::Balanced, Preset::Fast, Preset::Best, Preset::Compact];

/// Rounds of building, where there is time for so many.
const ROUNDS: usize = 7;

/// All trees of a scene, as one preset makes them.
#[derive(Debug, Serialize)]
pub struct Tree {
    pub preset: &'static str,
    /// To check all meshes and build their trees, on all threads.
    pub build_seconds: Spread,
    pub nodes: usize,
    pub leaves: usize,
    /// Of the deepest.
    pub depth: usize,
    /// Expected visits of nodes and leaves by a ray that meets a mesh's box, over all meshes by the area of the box.
    pub sah_cost: f64,
    pub tree_bytes: usize,
    /// With the corners and the triangles that the meshes keep.
    pub bytes: usize,
    /// [`Tree::bytes`] over all triangles.
    pub bytes_per_triangle: f64,
    /// Million rays a second, in calls of one ray that ask for the closest hit: the geometric mean over the kinds of
    /// rays.
    pub closest: f64,
}

/// The scene with the trees of a preset.
pub struct Built {
    pub preset: &'static str,
    pub scene: Scene,
}

/// Builds by each preset by turns, for a share of the time, and at least once. With each tree comes the scene that
/// was made of it.
pub fn measured(loaded: &Loaded, clock: &mut Clock, share: f64) -> Result<(Vec<Tree>, Vec<Built>), Failure> {
    let mut seconds = vec![Vec::new(); PRESETS.len()];
    let mut models = Vec::new();
    let end = clock.passed() + share * clock.left();
    for round in 0..ROUNDS {
        let began = clock.passed();
        for (preset, seconds) in PRESETS.into_iter().zip(&mut seconds) {
            clock.tell(&format!("building, round {}", round + 1));
            let (model, took) = build(loaded, preset)?;
            seconds.push(took);
            if round == 0 {
                models.push((preset.name(), model));
            }
        }
        if 2.0 * clock.passed() - began > end {
            break;
        }
    }
    let trees =
        models.iter().zip(seconds).map(|((name, model), seconds)| tree(name, model, Spread::of(seconds)));
    Ok((
        trees.collect(),
        models.iter().map(|(name, model)| Built { preset: name, scene: model.scene() }).collect(),
    ))
}

/// The model with new trees, and how many seconds they took.
fn build(loaded: &Loaded, preset: Preset) -> Result<(Model, f64), Failure> {
    let parts = |named: &NamedMesh| (named.mesh.vertices().to_vec(), named.mesh.triangles().to_vec());
    let parts: Vec<_> = loaded.model.meshes.iter().map(parts).collect();
    let start = Instant::now();
    let built: Result<Vec<Mesh>, MeshError> =
        parts.into_par_iter().map(|(vertices, triangles)| Mesh::build(preset, vertices, triangles)).collect();
    let seconds = start.elapsed().as_secs_f64();
    let built = black_box(built).map_err(|error| Failure::new(&loaded.name, error))?;
    let mut model = loaded.model.clone();
    for (named, mesh) in model.meshes.iter_mut().zip(built) {
        named.mesh = mesh;
    }
    Ok((model, seconds))
}

fn tree(preset: &'static str, model: &Model, build_seconds: Spread) -> Tree {
    let meshes: Vec<(&Mesh, Stats)> =
        model.meshes.iter().map(|named| (&named.mesh, named.mesh.stats())).collect();
    let sum = |of: fn(&Stats) -> usize| meshes.iter().map(|(_, stats)| of(stats)).sum::<usize>();
    let area = |mesh: &Mesh| {
        let size = mesh.bounds().map_or([0.0; 3], |(low, high)| (high - low).to_array().map(f64::from));
        size[0] * size[1] + size[1] * size[2] + size[2] * size[0]
    };
    let areas: f64 = meshes.iter().map(|(mesh, _)| area(mesh)).sum();
    let cost: f64 = meshes.iter().map(|(mesh, stats)| area(mesh) * stats.sah_cost).sum();
    let given = |mesh: &Mesh| size_of_val(mesh.vertices()) + size_of_val(mesh.triangles());
    let bytes = sum(|stats| stats.bytes) + meshes.iter().map(|(mesh, _)| given(mesh)).sum::<usize>();
    let triangles: usize = meshes.iter().map(|(mesh, _)| mesh.counts().triangles).sum();
    Tree {
        preset,
        build_seconds,
        nodes: sum(|stats| stats.nodes),
        leaves: sum(|stats| stats.leaves),
        depth: meshes.iter().map(|(_, stats)| stats.depth).max().unwrap_or(0),
        sah_cost: if areas > 0.0 { cost / areas } else { 0.0 },
        tree_bytes: sum(|stats| stats.bytes),
        bytes,
        bytes_per_triangle: bytes as f64 / triangles.max(1) as f64,
        closest: 0.0,
    }
}
