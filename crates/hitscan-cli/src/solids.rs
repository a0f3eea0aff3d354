//! Which solids of a scene a point lies in.
//!
//! A solid is one instance: the mesh of a node where it stands. Instances are asked one by one, each by the library's
//! rule in its own frame, so that solids within solids and solids that overlap all count. The innermost is the one with
//! the smallest box around it in the world, at equal ones the first in the file.

use hitscan::glam::DVec3;
use hitscan::{Containment, InstanceId, Rule};

use crate::failure::Failure;
use crate::number::point;
use crate::scene::Loaded;
use crate::table::printable;

/// The solids of a scene, ready to be asked.
#[derive(Debug)]
pub struct Solids<'a> {
    loaded: &'a Loaded,
    rule: Rule,
    /// Rows of the nodes, the innermost first.
    nodes: Vec<usize>,
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
        Ok(Solids { loaded, rule, nodes: nodes.into_iter().map(|(_, row)| row).collect() })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Those that a point lies in or exactly on, the innermost first.
    pub fn around(&self, point: DVec3) -> impl Iterator<Item = InstanceId> {
        let inside = self.nodes.iter().filter(move |&&row| {
            let mesh = &self.loaded.model.meshes[self.loaded.model.nodes[row].mesh].mesh;
            // Parity has been refused where it is an error.
            mesh.contains_by(self.local(row, point), self.rule).is_ok_and(|inside| inside)
        });
        inside.map(|&row| InstanceId::first(row as u32))
    }

    /// How many of them there are, and which one is the innermost.
    pub fn inside(&self, point: DVec3) -> Inside {
        let mut around = self.around(point);
        let innermost = around.next();
        Inside { solids: usize::from(innermost.is_some()) + around.count(), innermost }
    }

    /// Whether a point lies exactly on the surface of an instance.
    pub fn touches(&self, instance: InstanceId, point: DVec3) -> bool {
        let local = self.local(instance.slot() as usize, point);
        self.loaded.mesh(instance).mesh.containment(local) == Containment::Surface
    }

    /// The point in the frame of a node's mesh, as a ray from there would enter it.
    fn local(&self, row: usize, point: DVec3) -> [f64; 3] {
        let transform = &self.loaded.model.nodes[row].transform;
        (transform.inverse() * (point - transform.offset())).to_array()
    }
}

/// Refuses the first mesh that is open, and tells where.
fn check_closed(loaded: &Loaded) -> Result<(), Failure> {
    let nodes = loaded.nodes_of_meshes();
    let mut meshes = loaded.model.meshes.iter().zip(&nodes).filter(|(_, nodes)| !nodes.is_empty());
    let open = meshes.find_map(|(named, nodes)| Some((named, nodes, named.mesh.open_edge()?)));
    if let Some((named, nodes, gap)) = open {
        let [from, to] = [gap.from, gap.to].map(|end| loaded.first_place(nodes, end.as_dvec3().to_array()));
        let what = format!(
            "{} is open at the edge from {} to {} of triangle {}, which an odd number of triangles use",
            printable(&named.name),
            point(from),
            point(to),
            gap.prim
        );
        let expected = "parity needs closed meshes, --rule winding takes open ones";
        return Err(Failure::new(&loaded.name, format_args!("{what}; {expected}")));
    }
    Ok(())
}
