//! Which solids of a scene a point lies in.
//!
//! A solid is one instance: the mesh of a node where it stands. The scene names those that hold a point, each judged by
//! the rule in its own frame, so that solids within solids and solids that overlap all count. The innermost is the one
//! with the smallest box around it in the world, at equal ones the first in the file.

use hitscan::glam::DVec3;
use hitscan::{Containment, Filter, InstanceId, Rule};

use crate::failure::Failure;
use crate::scene::Loaded;
use crate::table::printable;

/// The solids of a scene, ready to be asked.
#[derive(Debug)]
pub struct Solids<'a> {
    loaded: &'a Loaded,
    rule: Rule,
    /// For each row of the nodes, how many solids are before it, the innermost first.
    rank: Vec<usize>,
}

/// What a point lies in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inside {
    /// How many solids.
    pub solids: usize,
    /// The innermost of them.
    pub innermost: Option<InstanceId>,
}

impl Inside {
    /// No solid.
    pub const NOTHING: Inside = Inside { solids: 0, innermost: None };
}

impl<'a> Solids<'a> {
    /// All solids of a scene. Parity is refused where a mesh is open, since a ray through the gap would count wrongly.
    pub fn new(loaded: &'a Loaded, rule: Rule) -> Result<Solids<'a>, Failure> {
        if rule == Rule::Parity {
            check_closed(loaded)?;
        }
        let volume =
            |row: usize| loaded.node_bounds(row).map_or(0.0, |(low, high)| (high - low).element_product());
        let mut nodes: Vec<(f64, usize)> =
            (0..loaded.model.nodes.len()).map(|row| (volume(row), row)).collect();
        nodes.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut rank = vec![0; nodes.len()];
        for (before, (_, row)) in nodes.into_iter().enumerate() {
            rank[row] = before;
        }
        Ok(Solids { loaded, rule, rank })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.rank.len()
    }

    /// Those that a point lies in or exactly on, the innermost first.
    pub fn around(&self, point: DVec3) -> Vec<InstanceId> {
        let around = self.loaded.scene.containing(point, self.rule, &Filter::ALL);
        // Parity has been refused where it is an error.
        let mut around = around.unwrap_or_default();
        around.sort_by_key(|id| self.rank[id.slot() as usize]);
        around
    }

    /// How many of them there are, and which one is the innermost.
    pub fn inside(&self, point: DVec3) -> Inside {
        let around = self.around(point);
        Inside { solids: around.len(), innermost: around.first().copied() }
    }

    /// Whether a point lies exactly on the surface of an instance.
    pub fn touches(&self, instance: InstanceId, point: DVec3) -> bool {
        // In the frame of the mesh, as a ray from there would enter it.
        let transform = &self.loaded.node(instance).transform;
        let local = transform.inverse() * (point - transform.offset());
        self.loaded.mesh(instance).mesh.containment(local) == Containment::Surface
    }
}

/// Refuses the first mesh that is open, and tells where.
fn check_closed(loaded: &Loaded) -> Result<(), Failure> {
    let nodes = loaded.nodes_of_meshes();
    let mut meshes = loaded.model.meshes.iter().zip(&nodes).filter(|(_, nodes)| !nodes.is_empty());
    let open = meshes.find_map(|(named, nodes)| Some((named, nodes, named.mesh.open_edge()?)));
    if let Some((named, nodes, gap)) = open {
        let [from, to] = [gap.from, gap.to].map(|end| {
            let at = loaded.first_place(nodes, end.as_dvec3().to_array());
            loaded.place_on(nodes[0], at)
        });
        let what = format!(
            "{} is open at the edge from {} to {} of triangle {}, which an odd number of triangles use",
            printable(&named.name),
            from,
            to,
            gap.prim
        );
        let expected = "parity needs closed meshes, --rule winding takes open ones";
        return Err(Failure::new(&loaded.name, format_args!("{what}; {expected}")));
    }
    Ok(())
}
