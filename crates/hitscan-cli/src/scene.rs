//! From a name on the command line to a scene that answers.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use hitscan::glam::DVec3;
use hitscan::saved::Saved;
use hitscan::{InstanceId, Scene, SignedAxis};
use hitscan_io::{Model, NamedMesh, Node, ReadError};

use crate::args::{Reading, SceneArg};
use crate::failure::Failure;
use crate::number::Grain;
use crate::output::STANDARD_STREAM;
use crate::trusted;

/// The scene of `demo` and `render` where none is named.
pub const DEFAULT_SCENE: &str = "builtin:range";

/// A scene with the names of what is in it.
#[derive(Debug)]
pub struct Loaded {
    /// As the command line named it.
    pub name: String,
    /// What the command line said because the file does not.
    pub reading: Reading,
    /// Meshes, nodes, materials and cameras.
    pub model: Model,
    /// What answers.
    pub scene: Scene,
}

impl Loaded {
    /// Opens a scene; one without a triangle that could be hit is refused.
    pub fn open(arg: &SceneArg) -> Result<Loaded, Failure> {
        Loaded::named(&arg.scene, arg.reading)
    }

    /// The same where the name may be missing from the command line.
    pub fn named(name: &str, reading: Reading) -> Result<Loaded, Failure> {
        if name == STANDARD_STREAM {
            return Loaded::of_bytes(name, standard_input()?, reading);
        }
        if is_stream(name) {
            return Loaded::of_bytes(name, stream(name)?, reading);
        }
        if hitscan_io::is_saved(name) && reading.has_no_measures() {
            let saved = if reading.trusts() { trusted::map(name) } else { Saved::open(name) };
            let path = Path::new(name);
            let saved = saved.map_err(|error| ReadError::of_saved(path, error))?;
            let (model, scene) = Model::of_saved(path, saved)?;
            return Ok(Loaded { name: name.to_owned(), reading, model, scene });
        }
        refuse_trust(name, reading)?;
        Ok(Loaded::of_model(name, reading, hitscan_io::open_with(name, &reading.options())?))
    }

    /// The same where other scenes than heightmaps have cells too, which are none of the reader's business.
    pub fn with_cells(
        name: &str,
        cell: Option<f64>,
        relief: Option<[f64; 2]>,
        trust: bool,
    ) -> Result<Loaded, Failure> {
        let reading = |has_cells: bool| Reading::new(cell.filter(|_| has_cells), relief, trust);
        if name == STANDARD_STREAM {
            let bytes = standard_input()?;
            let has_cells = hitscan_io::bytes_have_cells(&bytes);
            return Loaded::of_bytes(name, bytes, reading(has_cells));
        }
        if is_stream(name) {
            let bytes = stream(name)?;
            let has_cells = hitscan_io::bytes_have_cells(&bytes);
            return Loaded::of_bytes(name, bytes, reading(has_cells));
        }
        Loaded::named(name, reading(hitscan_io::has_cells(name)))
    }

    fn of_bytes(name: &str, bytes: Vec<u8>, reading: Reading) -> Result<Loaded, Failure> {
        let place = if name == STANDARD_STREAM { "standard input" } else { name };
        refuse_trust(place, reading)?;
        let model = hitscan_io::read(place, bytes, &reading.options())?;
        Ok(Loaded::of_model(name, reading, model))
    }

    fn of_model(name: &str, reading: Reading, model: Model) -> Loaded {
        let scene = model.scene();
        Loaded { name: name.to_owned(), reading, model, scene }
    }

    /// The unit vector that points upwards.
    pub fn up(&self) -> DVec3 {
        self.up_axis().vector()
    }

    /// The axis that points upwards, where no option says otherwise.
    pub fn up_axis(&self) -> SignedAxis {
        SignedAxis::ALL[2 * self.model.up.axis()]
    }

    /// Lowest and highest corner of what can be hit: the meshes' boxes where they stand. For people and pictures;
    /// a ray asks [`Scene::bounds`], which leaves room for rounding.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let boxes = (0..self.model.nodes.len()).filter_map(|row| self.node_bounds(row));
        boxes.reduce(|(low, high), (l, h)| (low.min(l), high.max(h))).unwrap_or_default()
    }

    /// The same of one node: around the corners of its mesh's box. `None` where the mesh has nothing to hit.
    pub fn node_bounds(&self, row: usize) -> Option<(DVec3, DVec3)> {
        let node = &self.model.nodes[row];
        let ends = <[_; 2]>::from(self.model.meshes[node.mesh].mesh.bounds()?).map(|end| end.as_dvec3());
        let corners = (0..8).map(|corner| {
            let local: [f64; 3] = std::array::from_fn(|axis| ends[corner >> axis & 1][axis]);
            node.transform.point(local)
        });
        corners.fold(None, |bounds, corner| {
            let (low, high) = bounds.unwrap_or((corner, corner));
            Some((low.min(corner), high.max(corner)))
        })
    }

    /// Corners of triangles in world space, some thousands of each node: the shape of the scene, for framing.
    pub fn sample(&self) -> Vec<DVec3> {
        const TRIANGLES_A_NODE: usize = 4096;
        let mut points = Vec::new();
        for node in &self.model.nodes {
            let mesh = &self.model.meshes[node.mesh].mesh;
            let step = mesh.triangles().len().div_ceil(TRIANGLES_A_NODE).max(1);
            for corner in mesh.triangles().iter().step_by(step).flatten() {
                points.push(node.transform.point(mesh.vertices()[*corner as usize].map(f64::from)));
            }
        }
        points
    }

    /// The node that became this instance: instances are the nodes with a mesh, in the order of the file.
    pub fn node(&self, instance: InstanceId) -> &Node {
        &self.model.nodes[instance.slot() as usize]
    }

    /// The rows of the nodes that show each mesh, in the order of the file.
    pub fn nodes_of_meshes(&self) -> Vec<Vec<usize>> {
        let mut nodes = vec![Vec::new(); self.model.meshes.len()];
        for (row, node) in self.model.nodes.iter().enumerate() {
            nodes[node.mesh].push(row);
        }
        nodes
    }

    /// Where a point of a mesh is in the coordinates of the file, at the first of the nodes that show it.
    pub fn first_place(&self, nodes: &[usize], position: [f64; 3]) -> DVec3 {
        nodes.first().map_or(position.into(), |&row| self.model.nodes[row].transform.point(position))
    }

    /// A point on an instance, for people.
    pub fn place(&self, instance: InstanceId, at: DVec3) -> String {
        self.place_on(instance.slot() as usize, at)
    }

    /// The same of a node.
    pub fn place_on(&self, row: usize, at: DVec3) -> String {
        let sides = self.node_bounds(row).map_or(DVec3::ZERO, |(low, high)| high - low);
        Grain::new(sides, sides.max_element()).place(at)
    }

    /// How points of the whole scene are told.
    pub fn grain(&self) -> Grain {
        let (low, high) = self.bounds();
        let boxes = (0..self.model.nodes.len()).filter_map(|row| self.node_bounds(row));
        let largest = boxes.map(|(low, high)| (high - low).max_element()).fold(0.0, f64::max);
        Grain::new(high - low, largest)
    }

    /// What [`Loaded::bounds`] says, for people: `(-5, 0, -5) to (5, 4, 5)`.
    pub fn extent(&self) -> String {
        let (grain, (low, high)) = (self.grain(), self.bounds());
        format!("{} to {}", grain.place(low), grain.place(high))
    }

    /// The mesh of an instance.
    pub fn mesh(&self, instance: InstanceId) -> &NamedMesh {
        &self.model.meshes[self.node(instance).mesh]
    }

    /// What people call an instance: its node's name, else its mesh's, else its number.
    pub fn object(&self, instance: InstanceId) -> String {
        let (node, mesh) = (&self.node(instance).name, &self.mesh(instance).name);
        match (node.is_empty(), mesh.is_empty()) {
            (false, false) if node != mesh => format!("{node} ({mesh})"),
            (false, _) => node.clone(),
            (true, false) => mesh.clone(),
            (true, true) => format!("#{}", instance.slot()),
        }
    }
}

/// Only a file of its own has something to be trusted.
pub fn refuse_trust(name: &str, reading: Reading) -> Result<(), Failure> {
    if !reading.trusts() || hitscan_io::is_saved(name) {
        return Ok(());
    }
    Err(Failure::usage("--trust", format_args!("{name} is read anyway; expected a .hitscan file with it")))
}

/// The longest scene that is taken from a pipe, in bytes: memory must not grow with a stream without end.
const LONGEST: u64 = 8 << 30;

pub fn standard_input() -> Result<Vec<u8>, Failure> {
    whole("standard input", io::stdin().lock())
}

/// Whether a name is that of a pipe or a device, as `/dev/stdin` and `<(cat a.obj)` are: like standard input it is known by
/// its bytes, which come once.
fn is_stream(name: &str) -> bool {
    let path = Path::new(name);
    let found = if path.extension().is_none() { fs::metadata(path).ok() } else { None };
    found.is_some_and(|found| name.starts_with("/dev/") || !(found.is_file() || found.is_dir()))
}

fn stream(name: &str) -> Result<Vec<u8>, Failure> {
    whole(name, File::open(name).map_err(|error| Failure::reading(name, &error))?)
}

/// All bytes of a stream.
fn whole(place: &str, stream: impl Read) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = stream.take(LONGEST + 1).read_to_end(&mut bytes);
    let read = read.map_err(|error| Failure::reading(place, &error))?;
    if read as u64 > LONGEST {
        return Err(Failure::new(place, "more than 8 GiB; expected a scene that fits in memory"));
    }
    Ok(bytes)
}
