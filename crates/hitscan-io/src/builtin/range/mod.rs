//! `builtin:range`: a shooting range, in metres. Shots go along +x, the hills are at -z.
//!
//! Things that occur more than once are instances of one mesh; every second fence panel is mirrored, the rocks
//! are a sphere under uneven scales. Three cans move between two frames.

mod house;
mod layout;
mod parts;

use hitscan::Transform;

use super::place::Place;
use super::surface::Surface;
use crate::{Draft, Model, Node, Parts};

/// Which of two moments, one sixtieth of a second apart.
///
/// ```
/// use hitscan_io::builtin::range::{self, Frame};
/// let [first, second] = [Frame::First, Frame::Second].map(range::model);
/// let moved = first.nodes.iter().zip(&second.nodes).filter(|(a, b)| a.transform != b.transform);
/// assert!(moved.count() > 0); // what flies and swings
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// The moment before.
    First,
    /// The moment after; what `builtin:range` is.
    Second,
}

/// What things are made of; the number is the row in [`Model::materials`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
enum Material {
    Grass = 1,
    Gravel,
    Concrete,
    Plaster,
    RoofTiles,
    Brick,
    Wood,
    DarkWood,
    Steel,
    Glass,
    Aluminium,
    Wire,
    Marble,
    Stone,
    Brass,
    White,
    Red,
    Green,
    Blue,
    Orange,
    Black,
}

/// Names of the materials, in the order of [`Material`], after the one that stands for none.
const MATERIALS: [&str; 22] = [
    crate::DEFAULT_MATERIAL,
    "grass",
    "gravel",
    "concrete",
    "plaster",
    "roof tiles",
    "brick",
    "wood",
    "dark wood",
    "steel",
    "glass",
    "aluminium",
    "wire",
    "marble",
    "stone",
    "brass",
    "white paint",
    "red paint",
    "green paint",
    "blue paint",
    "orange paint",
    "black paint",
];

/// The range at one of its two frames. Meshes, nodes and their order are the same in both.
///
/// ```
/// use hitscan_io::builtin::range::{self, Frame};
/// let (before, after) = (range::model(Frame::First), hitscan_io::open("builtin:range")?);
/// assert!(before.nodes.iter().map(|node| &node.name).eq(after.nodes.iter().map(|node| &node.name)));
/// # Ok::<(), hitscan_io::ReadError>(())
/// ```
pub fn model(frame: Frame) -> Model {
    super::made("range", parts(frame))
}

/// The lists that it is made of.
pub(super) fn parts(frame: Frame) -> Parts {
    let mut range = Builder::default();
    layout::place_all(&mut range, frame);
    Parts {
        drafts: range.drafts,
        nodes: range.nodes,
        materials: MATERIALS.map(str::to_owned).into(),
        cameras: vec![super::default_camera(layout::EYE, layout::LOOK, layout::FOV)],
        ..Parts::default()
    }
}

/// The model under construction.
#[derive(Debug, Default)]
struct Builder {
    drafts: Vec<Draft>,
    nodes: Vec<Node>,
}

impl Builder {
    /// Adds a mesh and gives its row.
    fn mesh(&mut self, name: &str, surface: Surface) -> usize {
        self.drafts.push(surface.draft(name));
        self.drafts.len() - 1
    }

    /// Puts a mesh somewhere.
    fn put(&mut self, name: impl Into<String>, mesh: usize, place: Place) {
        let transform: Transform = place.transform();
        self.nodes.push(Node { name: name.into(), mesh, transform });
    }

    /// Adds a mesh that stands once.
    fn single(&mut self, name: &str, surface: Surface, place: Place) {
        let mesh = self.mesh(name, surface);
        self.put(name, mesh, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NamedMesh;
    use crate::builtin::closed::assert_mesh_closed;

    #[test]
    fn everything_but_the_ground_is_closed() {
        let model = model(Frame::Second);
        for NamedMesh { name, mesh } in &model.meshes {
            if name != "ground" {
                assert_mesh_closed(name, mesh);
            }
            assert_eq!((mesh.counts().repeated_corner, mesh.counts().zero_area), (0, 0), "{name}");
        }
        assert!(model.nodes.iter().any(|node| node.transform.mirrored()));
        assert!(model.nodes.len() > model.meshes.len() + 20, "things are instances");
    }

    #[test]
    fn names_are_unique_and_materials_exist() {
        let model = model(Frame::Second);
        let mut names: Vec<&str> = model.nodes.iter().map(|node| node.name.as_str()).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
        assert_eq!(model.materials.len(), Material::Black as usize + 1);
    }

    #[test]
    fn three_cans_move_and_nothing_else() {
        let [first, second] = [Frame::First, Frame::Second].map(model);
        let mut moved = Vec::new();
        for (a, b) in first.nodes.iter().zip(&second.nodes) {
            assert_eq!((&a.name, a.mesh), (&b.name, b.mesh));
            assert_eq!(a.transform.matrix(), b.transform.matrix(), "{} keeps its attitude", a.name);
            if a.transform.offset() != b.transform.offset() {
                moved.push(a.name.as_str());
            }
        }
        assert_eq!(moved, ["can 4", "can 5", "can 6"]);
        for (a, b) in first.meshes.iter().zip(&second.meshes) {
            assert_eq!(a.mesh.vertices(), b.mesh.vertices(), "{}", a.name);
            assert_eq!(a.mesh.triangles(), b.mesh.triangles(), "{}", a.name);
        }
    }
}
