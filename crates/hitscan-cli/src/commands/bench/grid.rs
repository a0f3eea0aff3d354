//! The grid beside the tree: what it takes to build, in time and memory, and what it answers, in nanoseconds.

use std::hint::black_box;
use std::time::Instant;

use hitscan::grid::Grid;
use hitscan::{Filter, Mesh, Ray};
use hitscan_io::builtin;
use serde::Serialize;

use super::inputs::Rng;
use crate::failure::Failure;
use crate::number::{bytes, count};
use crate::table::Table;

/// Spheres of about so many triangles.
const SCENES: [&str; 2] = ["sphere:5k", "sphere:80k"];

/// Runs, of which the best counts, and questions of one run.
const ROUNDS: usize = 5;
const QUESTIONS: usize = 20_000;

/// A closed mesh, its tree and its grid. Times are the best of some runs.
#[derive(Debug, Serialize)]
pub struct GridRow {
    triangles: usize,
    cells: usize,
    tree_bytes: usize,
    /// On top of the tree.
    grid_bytes: usize,
    tree_build_ms: f64,
    /// On top of the tree.
    grid_build_ms: f64,
    tree_closest_ns: f64,
    grid_closest_ns: f64,
    tree_contains_ns: f64,
    grid_contains_ns: f64,
}

/// Measures.
pub fn rows(seed: u64) -> Result<Vec<GridRow>, Failure> {
    SCENES.iter().map(|scene| measured(scene, seed)).collect()
}

fn measured(scene: &str, seed: u64) -> Result<GridRow, Failure> {
    let sphere = builtin::build(scene)?.meshes.swap_remove(0).mesh;
    let build = || Mesh::new(sphere.vertices().to_vec(), sphere.triangles().to_vec());
    let mesh = build().map_err(|error| Failure::new(format_args!("builtin:{scene}"), error))?;
    let grid = Grid::new(&mesh);
    let (points, rays) = questions(seed);
    Ok(GridRow {
        triangles: mesh.counts().triangles,
        cells: grid.stats().cells(),
        tree_bytes: mesh.stats().bytes,
        grid_bytes: grid.stats().bytes,
        tree_build_ms: 1e3 * best(build),
        grid_build_ms: 1e3 * best(|| Grid::new(&mesh)),
        tree_closest_ns: each(&rays, |ray| mesh.closest(ray, &Filter::ALL)),
        grid_closest_ns: each(&rays, |ray| grid.closest(ray, &Filter::ALL)),
        tree_contains_ns: each(&points, |&point| mesh.contains(point)),
        grid_contains_ns: each(&points, |&point| grid.contains(point)),
    })
}

/// Nanoseconds of one question.
fn each<Q, A>(questions: &[Q], answer: impl Fn(&Q) -> A) -> f64 {
    let seconds = best(|| {
        for question in questions {
            black_box(answer(question));
        }
    });
    1e9 * seconds / questions.len() as f64
}

/// Seconds of the best run.
fn best<A>(work: impl Fn() -> A) -> f64 {
    let run = |_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(run).fold(f64::INFINITY, f64::min)
}

/// Points of the cube around the unit sphere, and the rays from each to the next one.
fn questions(seed: u64) -> (Vec<[f64; 3]>, Vec<Ray>) {
    let mut rng = Rng::new(seed);
    let points: Vec<[f64; 3]> = (0..=QUESTIONS).map(|_| (1.2 * rng.vector()).to_array()).collect();
    let rays = points.windows(2).filter_map(|ends| Ray::between(ends[0], ends[1]).ok()).collect();
    (points[..QUESTIONS].to_vec(), rays)
}

/// For people.
pub fn text(rows: &[GridRow]) -> String {
    let mut table = Table::new([">triangles", "", ">build, ms", ">memory", ">closest, ns", ">contains, ns"]);
    for row in rows {
        let ns = |ns: f64| format!("{ns:.0}");
        table.row([
            count(row.triangles),
            "tree".into(),
            format!("{:.1}", row.tree_build_ms),
            bytes(row.tree_bytes),
            ns(row.tree_closest_ns),
            ns(row.tree_contains_ns),
        ]);
        table.row([
            String::new(),
            format!("and a grid of {} cells", count(row.cells)),
            format!("{:.1}", row.grid_build_ms),
            bytes(row.grid_bytes),
            ns(row.grid_closest_ns),
            ns(row.grid_contains_ns),
        ]);
    }
    format!("spheres, their trees, and grids on top of them\n\n{table}")
}
