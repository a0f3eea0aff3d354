//! `check`: what is wrong with a scene and where, and whether its trees are sound.

mod kind;
mod record;
mod topology;

use std::process::ExitCode;

use hitscan_io::NamedMesh;
use rayon::prelude::*;

use self::kind::Kind;
use self::record::Report;
use self::topology::{Findings, Place};
use crate::args::{SceneArg, places};
use crate::failure::Failure;
use crate::number::{count, counted, digits, option};
use crate::output::print;
use crate::report;
use crate::scene::Loaded;
use crate::table::{Table, printable};

/// Options of `check`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Findings:
  repeated corner    a triangle with two corners at one position; no ray hits it
  zero area          a triangle with three corners on a line; kept, and hit
  duplicate          a triangle with the corners of an earlier one
  back to back       the same, turned over: a sheet with two sides
  hole               a chain of border edges: with a triangle on one side only;
                     the rim of an open surface is one too
  non-manifold edge  an edge with more than two triangles
  flipped edge       an edge whose two triangles disagree about front and back

Examples:
  hitscan check part.glb --strict && echo sound
  hitscan check part.glb --json --places 1000 > findings.json

Corners are the same where their positions are, to the bit. Places are told in \
the coordinates of the file, where a mesh stands for the first time; triangles \
count from 0 in each mesh. Trees are without triangles that have a repeated corner. \
None of the findings stops a scene from answering.")]
pub struct Args {
    #[command(flatten)]
    scene: SceneArg,
    /// Exit with 1 where anything was found
    #[arg(long)]
    strict: bool,
    /// Everything, as JSON
    #[arg(long)]
    json: bool,
    /// Tell N places of each kind in each mesh [default: 3 in the worst meshes,
    /// 100 with --json]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = places)]
    places: Option<usize>,
}

/// Rows of each table; the largest come first.
const LISTED: usize = 10;

/// Where nothing else is asked for: places of each kind in each mesh, for people and for programs.
const PLACES: usize = 3;
const PLACES_JSON: usize = 100;

/// Meshes of which places are told where nothing else is asked for.
const MESHES_WITH_PLACES: usize = 3;

/// Reports; the exit code is 1 for findings under `--strict`.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let loaded = Loaded::open(&args.scene)?;
    verify(&loaded)?;
    let kept = args.places.unwrap_or(if args.json { PLACES_JSON } else { PLACES });
    let meshes = &loaded.model.meshes;
    let findings: Vec<Findings> = meshes.par_iter().map(|named| Findings::new(&named.mesh, kept)).collect();
    let told = if args.json {
        report::json(&Report::new(&loaded, &findings))
    } else {
        print(&text(&loaded, &findings, args.places))
    };
    let found = findings.iter().any(|found| found.total() > 0);
    match told {
        // A reader that has seen enough does not mend what was found.
        Ok(()) | Err(Failure::ClosedPipe) if args.strict && found => Ok(ExitCode::FAILURE),
        told => told.map(|()| ExitCode::SUCCESS),
    }
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

/// The report for people.
fn text(loaded: &Loaded, findings: &[Findings], places_asked: Option<usize>) -> String {
    let meshes = &loaded.model.meshes;
    let mut suspects: Vec<usize> = (0..meshes.len()).filter(|&i| findings[i].total() > 0).collect();
    suspects.sort_by_key(|&i| std::cmp::Reverse(findings[i].total()));
    let triangles = meshes.iter().map(|named| named.mesh.counts().triangles).sum();
    let mut text = format!(
        "{}: {} in {}\n",
        printable(&loaded.name),
        counted(triangles, "triangle"),
        counted(meshes.len(), "mesh"),
    );
    if suspects.is_empty() {
        text += "nothing found: no triangle is degenerate or repeated, every edge has two that agree\n";
    } else {
        text += &format!("found {}\n\n", summary(findings));
        text += &findings_table(meshes, findings, &suspects);
        if places_asked != Some(0) {
            text += &where_they_are(loaded, findings, &suspects, places_asked);
        }
    }
    text + "\ntrees: sound\n" + &tree_table(meshes)
}

/// The places of findings.
fn where_they_are(
    loaded: &Loaded,
    findings: &[Findings],
    suspects: &[usize],
    places_asked: Option<usize>,
) -> String {
    let mut text = "\nwhere\n".to_owned();
    let told = places_asked.map_or(MESHES_WITH_PLACES, |_| suspects.len());
    let places = Places::new(loaded);
    for &i in suspects.iter().take(told) {
        text += &places.of_mesh(i, &findings[i]);
    }
    if told < suspects.len() {
        let more = counted(suspects.len() - told, "mesh");
        text += &format!("  and in {more} more; --places N tells N places in each\n");
    }
    text
}

/// `2 duplicates, 1 hole of 4 border edges`
fn summary(findings: &[Findings]) -> String {
    let kinds = Kind::ALL.into_iter().filter_map(|kind| {
        let n = findings.iter().map(|found| found.count(kind)).sum();
        let noun = match kind {
            Kind::ZeroArea => format!("{} of zero area", count(n)),
            Kind::BackToBack => format!("{} back to back", count(n)),
            Kind::Hole => {
                let edges = findings.iter().map(|found| found.border_edges).sum();
                format!("{} of {}", counted(n, "hole"), counted(edges, "border edge"))
            }
            _ => counted(n, kind.name()),
        };
        (n > 0).then_some(noun)
    });
    kinds.collect::<Vec<_>>().join(", ")
}

/// A row for each of the worst meshes, a column for each kind that was found.
fn findings_table(meshes: &[NamedMesh], findings: &[Findings], suspects: &[usize]) -> String {
    let kinds: Vec<Kind> =
        Kind::ALL.into_iter().filter(|&kind| suspects.iter().any(|&i| findings[i].count(kind) > 0)).collect();
    let mut names = vec!["mesh".to_owned(), ">triangles".to_owned()];
    names.extend(kinds.iter().map(|kind| format!(">{}", kind.name())));
    let mut table = Table::new(names);
    let mut row = |name: String, of: &[usize]| {
        let sum = |of_mesh: &dyn Fn(usize) -> usize| -> usize { of.iter().map(|&i| of_mesh(i)).sum() };
        let mut cells = vec![name, count(sum(&|i| meshes[i].mesh.counts().triangles))];
        cells.extend(kinds.iter().map(|&kind| match sum(&|i| findings[i].count(kind)) {
            0 => "-".to_owned(),
            n => count(n),
        }));
        table.row(cells);
    };
    for &i in suspects.iter().take(LISTED) {
        row(meshes[i].name.clone(), &[i]);
    }
    if suspects.len() > 1 {
        let name = match suspects.len().saturating_sub(LISTED) {
            0 => format!("all {}", count(suspects.len())),
            more => format!("all {}, {} not listed", count(suspects.len()), count(more)),
        };
        row(name, suspects);
    }
    let rest = match meshes.len() - suspects.len() {
        0 => String::new(),
        1 => "1 mesh more has no findings\n".into(),
        clean => format!("{} meshes more have no findings\n", count(clean)),
    };
    format!("{table}{rest}")
}

/// Tells where something is.
struct Places<'a> {
    loaded: &'a Loaded,
    /// Rows of the nodes that show each mesh.
    nodes: Vec<Vec<usize>>,
    /// How fine coordinates are: as the scene needs it, wherever it is.
    step: f64,
}

impl<'a> Places<'a> {
    fn new(loaded: &'a Loaded) -> Places<'a> {
        let (low, high) = loaded.bounds();
        Places { loaded, nodes: loaded.nodes_of_meshes(), step: (high - low).max_element() / 1e5 }
    }

    /// The first places of each kind in a mesh.
    fn of_mesh(&self, mesh: usize, findings: &Findings) -> String {
        let name = &self.loaded.model.meshes[mesh].name;
        let node_name = |row: usize| &self.loaded.model.nodes[row].name;
        let mut text = format!("  {}", printable(name));
        text += &match self.nodes[mesh][..] {
            [first, _, ..] => {
                let times = count(self.nodes[mesh].len());
                format!(", placed {times} times, first as {}", printable(node_name(first)))
            }
            [only] if node_name(only) != name => format!(", placed as {}", printable(node_name(only))),
            _ => String::new(),
        };
        text.push('\n');
        for kind in Kind::ALL {
            let found = findings.places(kind);
            for place in found {
                text += &format!("    {:<18} {}\n", kind.name(), self.told(mesh, kind, place));
            }
            if findings.count(kind) > found.len() && !found.is_empty() {
                text += &format!("    {:<18} and {} more\n", "", count(findings.count(kind) - found.len()));
            }
        }
        text
    }

    /// `triangle 12 is triangle 3 again, at 0.5,1,2`: the position as every vector option takes it.
    fn told(&self, mesh: usize, kind: Kind, place: &Place) -> String {
        let rows = &place.triangles;
        let what = match (kind, rows.as_slice()) {
            (Kind::Duplicate, [row, like]) => format!("triangle {row} is triangle {like} again"),
            (Kind::BackToBack, [row, like]) => format!("triangle {row} is triangle {like} turned over"),
            (Kind::Hole, [row]) => {
                format!("{}, the first on triangle {row}", counted(place.edges.unwrap_or(0), "edge"))
            }
            (_, [row]) => format!("triangle {row}"),
            _ => {
                let rows: Vec<String> = rows.iter().map(u32::to_string).collect();
                format!("triangles {}", rows.join(", "))
            }
        };
        let position = self.loaded.first_place(&self.nodes[mesh], place.position);
        format!("{what}, at {}", option(&position.to_array(), self.step))
    }
}

fn tree_table(meshes: &[NamedMesh]) -> String {
    let columns = ["mesh", ">in the tree", ">nodes", ">leaves", ">depth", ">SAH cost", ">bytes a triangle"];
    let mut table = Table::new(columns);
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
    match meshes.len().saturating_sub(LISTED) {
        0 => table.to_string(),
        more => format!("{table}and {} more, none of them larger\n", counted(more, "mesh")),
    }
}
