//! `info`: what is in a scene, and commands to try on it.

mod suggest;

use hitscan::bvh::Stats;
use hitscan_io::Up;
use serde::Serialize;

use crate::args::SceneArg;
use crate::failure::Failure;
use crate::number::{bytes, count, counted, digits};
use crate::output::print;
use crate::report;
use crate::scene::Loaded;
use crate::table::{Table, printable};

/// Options of `info`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hitscan info part.glb
  hitscan info builtin:range --json
  hitscan info map.png --cell 30 --relief 0,2500

Each of the commands to try was tried: it hits something in this very scene. \
The JSON's fields are described in docs/cli.md and docs/info.schema.json.")]
pub struct Args {
    #[command(flatten)]
    scene: SceneArg,
    /// Everything, as JSON
    #[arg(long)]
    json: bool,
}

/// Meshes listed for people; the largest come first.
const LISTED: usize = 20;

/// A scene as JSON tells it: docs/info.schema.json.
#[derive(Debug, Serialize)]
struct Summary<'a> {
    scene: &'a str,
    /// Lowest and highest corner of what can be hit, in metres.
    bounds: [[f64; 3]; 2],
    up: &'static str,
    /// Of all meshes, each counted once.
    triangles: usize,
    /// Of all instances.
    placed_triangles: usize,
    repeated_corner: usize,
    zero_area: usize,
    instances: usize,
    meshes: Vec<MeshSummary<'a>>,
    materials: &'a [String],
    /// Of all meshes, each counted once.
    cutouts: usize,
    cameras: Vec<CameraSummary<'a>>,
    trees: TreeSummary,
    instruction_set: &'static str,
    /// Commands that hit something in this scene, as a shell takes them.
    examples: Vec<String>,
}

#[derive(Debug, Serialize)]
struct MeshSummary<'a> {
    name: &'a str,
    triangles: usize,
    repeated_corner: usize,
    zero_area: usize,
    instances: usize,
}

#[derive(Debug, Serialize)]
struct CameraSummary<'a> {
    name: &'a str,
    eye: [f64; 3],
    forward: [f64; 3],
    up: [f64; 3],
    fov_degrees: f64,
}

/// Sums over the trees of all meshes.
#[derive(Debug, Serialize)]
struct TreeSummary {
    nodes: usize,
    leaves: usize,
    /// Of the deepest.
    depth: usize,
    bytes: usize,
    bytes_per_triangle: f64,
}

/// Reports.
pub fn run(args: &Args) -> Result<(), Failure> {
    let loaded = Loaded::open(&args.scene)?;
    let summary = Summary::new(&loaded);
    if args.json { report::json(&summary) } else { print(&summary.text(&loaded.extent())) }
}

impl<'a> Summary<'a> {
    fn new(loaded: &'a Loaded) -> Summary<'a> {
        let model = &loaded.model;
        let nodes = loaded.nodes_of_meshes();
        let meshes = model.meshes.iter().zip(&nodes).map(|(named, nodes)| {
            let counts = named.mesh.counts();
            MeshSummary {
                name: &named.name,
                triangles: counts.triangles,
                repeated_corner: counts.repeated_corner,
                zero_area: counts.zero_area,
                instances: nodes.len(),
            }
        });
        let meshes: Vec<MeshSummary<'_>> = meshes.collect();
        let cameras = model.cameras.iter().map(|named| CameraSummary {
            name: &named.name,
            eye: named.camera.eye().to_array(),
            forward: named.camera.forward().to_array(),
            up: named.camera.up().to_array(),
            fov_degrees: (2.0 * libm::atan(named.camera.tan_half_fov())).to_degrees(),
        });
        let (low, high) = loaded.bounds();
        let sum = |of: fn(&MeshSummary<'_>) -> usize| meshes.iter().map(of).sum();
        Summary {
            scene: &loaded.name,
            bounds: [low.to_array(), high.to_array()],
            up: match model.up {
                Up::Y => "+Y",
                Up::Z => "+Z",
            },
            triangles: sum(|mesh| mesh.triangles),
            placed_triangles: sum(|mesh| mesh.triangles * mesh.instances),
            repeated_corner: sum(|mesh| mesh.repeated_corner),
            zero_area: sum(|mesh| mesh.zero_area),
            instances: model.nodes.len(),
            materials: &model.materials,
            cutouts: model.meshes.iter().map(|named| named.mesh.cutouts().len()).sum(),
            cameras: cameras.collect(),
            trees: TreeSummary::new(model.meshes.iter().map(|named| named.mesh.stats())),
            instruction_set: loaded.scene.isa().name(),
            examples: suggest::commands(loaded),
            meshes,
        }
    }

    /// The same for people; the scene fills `extent`.
    fn text(&self, extent: &str) -> String {
        let [low, high] = self.bounds.map(hitscan::glam::DVec3::from);
        let size = (high - low).to_array().map(digits).join(" x ");
        let names = |names: &mut dyn Iterator<Item = &str>| {
            let names: Vec<&str> = names.collect();
            let shown = names.iter().take(6).map(|name| printable(name)).collect::<Vec<_>>().join(", ");
            match names.len() {
                0 => "none".to_owned(),
                1..=6 => shown,
                n => format!("{shown}, … and {} more", count(n - 6)),
            }
        };
        let degenerate = match (self.repeated_corner, self.zero_area) {
            (0, 0) => "none of them degenerate".to_owned(),
            (repeated, zero) => {
                format!("of them {} with a repeated corner and {} of zero area", count(repeated), count(zero))
            }
        };
        let trees = &self.trees;
        let meshes = counted(self.meshes.len(), "mesh");
        let mut facts = vec![
            ("size", format!("{size} m, from {extent}, {} is up", self.up)),
            ("triangles", format!("{} in {meshes}, {degenerate}", count(self.triangles))),
            (
                "instances",
                format!("{}, {} in all", count(self.instances), counted(self.placed_triangles, "triangle")),
            ),
            ("materials", names(&mut self.materials.iter().map(String::as_str))),
            ("cameras", names(&mut self.cameras.iter().map(|camera| camera.name))),
            (
                "trees",
                format!(
                    "{}, {} bytes a triangle, {}, {}, depth {}; walked by {}",
                    bytes(trees.bytes),
                    digits(trees.bytes_per_triangle.round()),
                    counted(trees.nodes, "node"),
                    counted(trees.leaves, "leaf"),
                    trees.depth,
                    self.instruction_set,
                ),
            ),
        ];
        if self.cutouts > 0 {
            let holes = format!("{}, where rays go through", counted(self.cutouts, "image with holes"));
            let place = facts.iter().position(|&(name, _)| name == "cameras").unwrap_or(facts.len());
            facts.insert(place, ("cutouts", holes));
        }
        let mut text = format!("{}\n", printable(self.scene));
        for (name, fact) in facts {
            text += &format!("  {name:<10} {fact}\n");
        }
        text += &format!("\n{}", self.mesh_table());
        if !self.examples.is_empty() {
            text += "\ntry\n";
            for example in &self.examples {
                text += &format!("  {example}\n");
            }
        }
        text
    }

    fn mesh_table(&self) -> String {
        let mut largest: Vec<&MeshSummary<'_>> = self.meshes.iter().collect();
        largest.sort_by_key(|mesh| std::cmp::Reverse(mesh.triangles));
        let mut table = Table::new(["mesh", ">triangles", ">degenerate", ">instances"]);
        for mesh in largest.iter().take(LISTED) {
            table.row([
                mesh.name.to_owned(),
                count(mesh.triangles),
                count(mesh.repeated_corner + mesh.zero_area),
                count(mesh.instances),
            ]);
        }
        match largest.len().saturating_sub(LISTED) {
            0 => table.to_string(),
            more => format!("{table}and {} more\n", count(more)),
        }
    }
}

impl TreeSummary {
    fn new(trees: impl Iterator<Item = Stats>) -> TreeSummary {
        let mut sum = TreeSummary { nodes: 0, leaves: 0, depth: 0, bytes: 0, bytes_per_triangle: 0.0 };
        let mut triangles = 0;
        for stats in trees {
            sum.nodes += stats.nodes;
            sum.leaves += stats.leaves;
            sum.depth = sum.depth.max(stats.depth);
            sum.bytes += stats.bytes;
            triangles += stats.triangles;
        }
        sum.bytes_per_triangle = sum.bytes as f64 / triangles.max(1) as f64;
        sum
    }
}
