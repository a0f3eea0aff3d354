//! What `check` found, as JSON tells it: docs/check.schema.json.

use std::collections::BTreeMap;

use serde::Serialize;

use super::kind::Kind;
use super::topology::Findings;
use crate::scene::Loaded;

/// A scene as JSON tells what is wrong with it.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    scene: &'a str,
    /// Nothing was found.
    sound: bool,
    triangles: usize,
    findings: Counts,
    meshes: Vec<MeshRecord<'a>>,
}

/// How many were found of each kind, and the border edges of the holes.
type Counts = BTreeMap<&'static str, usize>;

#[derive(Debug, Serialize)]
struct MeshRecord<'a> {
    name: &'a str,
    triangles: usize,
    instances: usize,
    /// Where it stands for the first time: positions are told there.
    first_instance: Option<usize>,
    findings: Counts,
    places: Vec<PlaceRecord>,
    tree: TreeRecord,
}

#[derive(Debug, Serialize)]
struct PlaceRecord {
    kind: &'static str,
    triangles: Vec<u32>,
    edges: Option<usize>,
    position: [f64; 3],
}

#[derive(Debug, Serialize)]
struct TreeRecord {
    nodes: usize,
    leaves: usize,
    depth: usize,
    sah_cost: f64,
    bytes: usize,
}

impl<'a> Report<'a> {
    /// All meshes in the order of the file, with what was found in each.
    pub fn new(loaded: &'a Loaded, findings: &[Findings]) -> Report<'a> {
        let nodes = loaded.nodes_of_meshes();
        let meshes = loaded.model.meshes.iter().zip(findings).zip(&nodes).map(|((named, found), nodes)| {
            let stats = named.mesh.stats();
            let places = Kind::ALL.into_iter().flat_map(|kind| {
                found.places(kind).iter().map(move |place| PlaceRecord {
                    kind: kind.key(),
                    triangles: place.triangles.clone(),
                    edges: place.edges,
                    position: loaded.first_place(nodes, place.position).to_array(),
                })
            });
            MeshRecord {
                name: &named.name,
                triangles: named.mesh.counts().triangles,
                instances: nodes.len(),
                first_instance: nodes.first().copied(),
                findings: counts(&[found]),
                places: places.collect(),
                tree: TreeRecord {
                    nodes: stats.nodes,
                    leaves: stats.leaves,
                    depth: stats.depth,
                    sah_cost: stats.sah_cost,
                    bytes: stats.bytes,
                },
            }
        });
        Report {
            scene: &loaded.name,
            sound: findings.iter().all(|found| found.total() == 0),
            triangles: loaded.model.meshes.iter().map(|named| named.mesh.counts().triangles).sum(),
            findings: counts(&findings.iter().collect::<Vec<_>>()),
            meshes: meshes.collect(),
        }
    }
}

fn counts(findings: &[&Findings]) -> Counts {
    let kinds = Kind::ALL.map(|kind| (kind.key(), findings.iter().map(|found| found.count(kind)).sum()));
    let border = findings.iter().map(|found| found.border_edges).sum();
    kinds.into_iter().chain([("border_edge", border)]).collect()
}
