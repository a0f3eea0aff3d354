//! `check`: what is wrong with a scene and where, and whether its trees are sound.

mod topology;

use std::process::ExitCode;

use hitscan_io::NamedMesh;
use rayon::prelude::*;

use self::topology::{Findings, Kind};
use crate::args::SceneArg;
use crate::failure::Failure;
use crate::number::{count, counted, digits, point};
use crate::output::print;
use crate::scene::Loaded;
use crate::table::{Table, printable};

/// Options of `check`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Example:
  hitscan check part.glb --strict && echo sound

Findings do not stop a scene from answering: see the column names.
  repeated      triangles with two corners at one position, which no ray hits
  zero area     triangles with three corners on a line, which are kept and hit
  duplicates    triangles with the same corners as an earlier one
  holes         chains of border edges, that is edges with a triangle on one side only
  non-manifold  edges with more than two triangles
  flipped       edges whose two triangles disagree about front and back")]
pub struct Args {
    #[command(flatten)]
    scene: SceneArg,
    /// Exit with 1 where anything was found
    #[arg(long)]
    strict: bool,
}

/// Rows of each table; the largest come first.
const LISTED: usize = 20;

/// Places told of each kind in each mesh, and meshes of which places are told.
const PLACES: usize = 3;
const MESHES_WITH_PLACES: usize = 3;

/// Reports; the exit code is 1 for findings under `--strict`.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let loaded = Loaded::open(&args.scene)?;
    verify(&loaded)?;
    let meshes = &loaded.model.meshes;
    let findings: Vec<Findings> = meshes.par_iter().map(|named| Findings::new(&named.mesh)).collect();
    let mut suspects: Vec<usize> = (0..meshes.len()).filter(|&i| findings[i].total() > 0).collect();
    suspects.sort_by_key(|&i| std::cmp::Reverse(findings[i].total()));

    let triangles = meshes.iter().map(|named| named.mesh.counts().triangles).sum();
    let mut text = format!(
        "{}: {} in {}\n\n",
        printable(&loaded.name),
        counted(triangles, "triangle"),
        if meshes.len() == 1 { "1 mesh".into() } else { format!("{} meshes", count(meshes.len())) },
    );
    if suspects.is_empty() {
        text +=
            "nothing found: no degenerate or duplicate triangles, every edge has two triangles that agree\n";
    } else {
        text += &findings_table(meshes, &findings, &suspects);
        text += "\nwhere\n";
        for &i in suspects.iter().take(MESHES_WITH_PLACES) {
            text += &places(&loaded, i, &findings[i]);
        }
    }
    text += "\ntrees: sound\n";
    text += &tree_table(meshes);
    print(&text)?;
    Ok(if args.strict && !suspects.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Verifies the trees of all meshes and of the scene.
fn verify(loaded: &Loaded) -> Result<(), Failure> {
    let broken = |what: String, error| {
        Failure::new(&loaded.name, format_args!("the tree of {what} is broken: {error}; please report it"))
    };
    loaded.model.meshes.par_iter().try_for_each(|NamedMesh { name, mesh }| {
        mesh.check().map_err(|error| broken(format!("mesh '{name}'"), error))
    })?;
    loaded.scene.check().map_err(|error| broken("the scene".into(), error))
}

fn findings_table(meshes: &[NamedMesh], findings: &[Findings], suspects: &[usize]) -> String {
    let mut table = Table::new([
        "mesh",
        ">triangles",
        ">repeated",
        ">zero area",
        ">duplicates",
        ">holes",
        ">border edges",
        ">non-manifold",
        ">flipped",
    ]);
    let cell = |n: usize| if n == 0 { "-".to_owned() } else { count(n) };
    let mut row = |name: String, triangles: usize, of: &dyn Fn(Kind) -> usize, holes: usize| {
        table.row([
            name,
            count(triangles),
            cell(of(Kind::RepeatedCorner)),
            cell(of(Kind::ZeroArea)),
            cell(of(Kind::Duplicate)),
            cell(holes),
            cell(of(Kind::Border)),
            cell(of(Kind::NonManifold)),
            cell(of(Kind::Flipped)),
        ]);
    };
    let triangles = |i: usize| meshes[i].mesh.counts().triangles;
    for &i in suspects.iter().take(LISTED) {
        row(meshes[i].name.clone(), triangles(i), &|kind| findings[i].count(kind), findings[i].holes);
    }
    if suspects.len() > 1 {
        let sum = |of: &dyn Fn(usize) -> usize| suspects.iter().map(|&i| of(i)).sum();
        let holes = sum(&|i| findings[i].holes);
        let name = match suspects.len().saturating_sub(LISTED) {
            0 => format!("all {}", suspects.len()),
            more => format!("all {}, {more} not listed", suspects.len()),
        };
        row(name, sum(&triangles), &|kind| sum(&|i| findings[i].count(kind)), holes);
    }
    let clean = meshes.len() - suspects.len();
    let rest = match clean {
        0 => String::new(),
        1 => "1 mesh more has no findings\n".into(),
        _ => format!("{} meshes more have no findings\n", count(clean)),
    };
    format!("{table}{rest}")
}

/// The first places of each kind, in world space where the mesh stands for the first time.
fn places(loaded: &Loaded, mesh: usize, findings: &Findings) -> String {
    let node = loaded.model.nodes.iter().find(|node| node.mesh == mesh);
    let mut text = format!("  {}\n", printable(&loaded.model.meshes[mesh].name));
    for kind in Kind::ALL {
        let found = findings.places(kind);
        if found.is_empty() {
            continue;
        }
        for place in found {
            let world = node.map_or(place.position.into(), |node| node.transform.point(place.position));
            text += &format!("    {:<18} triangle {} at {}\n", kind.name(), place.triangle, point(world));
        }
        if findings.count(kind) > found.len() {
            text += &format!("    {:<18} and {} more\n", "", count(findings.count(kind) - found.len()));
        }
    }
    text
}

fn tree_table(meshes: &[NamedMesh]) -> String {
    let mut table =
        Table::new(["mesh", ">triangles", ">nodes", ">leaves", ">depth", ">SAH cost", ">bytes a triangle"]);
    let mut largest: Vec<&NamedMesh> = meshes.iter().collect();
    largest.sort_by_key(|named| std::cmp::Reverse(named.mesh.counts().triangles));
    for named in largest.iter().take(LISTED) {
        let stats = named.mesh.stats();
        table.row([
            named.name.clone(),
            count(stats.triangles),
            count(stats.nodes),
            count(stats.leaves),
            stats.depth.to_string(),
            digits(stats.sah_cost),
            digits(stats.bytes_per_triangle()),
        ]);
    }
    let rest = match meshes.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!("… and {more} more\n"),
    };
    format!("{table}{rest}")
}
