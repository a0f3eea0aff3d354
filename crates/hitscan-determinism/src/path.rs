//! The ways to the answers, which all have to be the same.

use hitscan::heightfield::Heightfield;
use hitscan::saved::{Notes, Saved};
use hitscan::{Geometry, Instance, Isa, Mesh, Preset, Scene, Transform, World};

use crate::parts::Things;
use crate::subject::Subject;

/// How a tree came to be what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tree {
    /// Built of the vertices that are asked.
    Built,
    /// Built of vertices elsewhere, which were then moved to where they are asked; of worlds the same for placements.
    Refitted,
    /// The same, and then built anew.
    Rebuilt,
    /// Built, saved and opened again; not on machines with the highest byte first, which refuse to.
    Saved,
}

impl Tree {
    /// All of them.
    pub const ALL: [Tree; 4] = [Tree::Built, Tree::Refitted, Tree::Rebuilt, Tree::Saved];

    /// As the command line has it.
    pub fn name(self) -> &'static str {
        match self {
            Tree::Built => "built",
            Tree::Refitted => "refitted",
            Tree::Rebuilt => "rebuilt",
            Tree::Saved => "saved",
        }
    }
}

/// How rays are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// One a call.
    Single,
    /// Many a call, on all threads of the pool that the caller is in.
    Batch,
}

impl Calls {
    /// All of them.
    pub const ALL: [Calls; 2] = [Calls::Single, Calls::Batch];

    /// As the command line has it.
    pub fn name(self) -> &'static str {
        match self {
            Calls::Single => "single",
            Calls::Batch => "batch",
        }
    }
}

/// One way to the answers. The default is what a program gets that does not choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path {
    /// What walks the trees; it has to be available.
    pub isa: Isa,
    /// What builds them.
    pub preset: Preset,
    /// What became of them since.
    pub tree: Tree,
    /// How rays are asked.
    pub calls: Calls,
}

impl Default for Path {
    fn default() -> Path {
        Path { isa: Isa::best(), preset: Preset::default(), tree: Tree::Built, calls: Calls::Batch }
    }
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Path { isa, preset, tree, calls } = self;
        write!(f, "{isa}, {}, {}, {}", preset.name(), tree.name(), calls.name())
    }
}

impl Path {
    /// What the rays of a part are asked of.
    pub(crate) fn lead(&self, things: &Things) -> Subject {
        match things {
            Things::Mesh(mesh) => {
                let mut mesh = self.mesh(mesh);
                if self.tree == Tree::Saved {
                    let opened = alone(mesh);
                    mesh = opened.mesh().expect("it was one").clone();
                }
                Subject::Mesh(on(self.isa, &mesh, Mesh::with_isa))
            }
            Things::Heightfield(field) => {
                let field = match self.tree {
                    Tree::Saved => match alone(field.clone()) {
                        Geometry::Heightfield(opened) => opened,
                        other => panic!("a heightfield was saved, and opened is {other:?}"),
                    },
                    _ => field.clone(),
                };
                Subject::Heightfield(on(self.isa, &field, Heightfield::with_isa))
            }
            Things::World { geometries, instances } => {
                let geometries: Vec<_> = geometries
                    .iter()
                    .map(|geometry| geometry.mesh().map_or(geometry.clone(), |mesh| self.mesh(mesh).into()))
                    .collect();
                let mut world = World::new();
                let placed = instances.iter().map(|&(row, transform, material)| {
                    let first = if self.moves() { elsewhere(&transform) } else { transform };
                    let instance = Instance::new(geometries[row].clone()).at(first).material(material);
                    (world.insert(instance), transform)
                });
                let placed: Vec<_> = placed.collect();
                if self.moves() {
                    // The tree over the instances that the last commit moves.
                    world.commit();
                    for (id, transform) in placed {
                        world.set_transform(id, transform).expect("it was just inserted");
                    }
                }
                let scene = world.commit();
                let scene = if self.tree == Tree::Saved { opened(scene) } else { scene };
                Subject::Scene(on(self.isa, &scene, Scene::with_isa))
            }
        }
    }

    /// Whether things are first built elsewhere.
    fn moves(&self) -> bool {
        matches!(self.tree, Tree::Refitted | Tree::Rebuilt)
    }

    /// A mesh of the same triangles.
    fn mesh(&self, mesh: &Mesh) -> Mesh {
        let place = |&vertex: &[f32; 3]| if self.moves() { bent(vertex) } else { vertex };
        let vertices: Vec<[f32; 3]> = mesh.vertices().iter().map(place).collect();
        let made = Mesh::build(self.preset, vertices, mesh.triangles().iter().copied());
        let mut made = made.expect("the lists of a mesh are a mesh, bent or not");
        if self.moves() {
            made.refit(mesh.vertices().iter().copied()).expect("as many vertices, all of them a mesh's");
        }
        if self.tree == Tree::Rebuilt {
            made.rebuild();
        }
        if !mesh.materials().is_empty() {
            made = made.with_materials(mesh.materials().to_vec()).expect("one for each triangle");
        }
        if !mesh.uvs().is_empty() {
            made = made.with_uvs(mesh.uvs().to_vec()).expect("one pair for each vertex");
        }
        for (material, cutout) in mesh.cutouts() {
            made = made.with_cutout(material, cutout.clone()).expect("it has coordinates");
        }
        made
    }
}

/// The thing, walked by an instruction set that this machine has.
fn on<T>(isa: Isa, thing: &T, with_isa: impl Fn(&T, Isa) -> Option<T>) -> T {
    with_isa(thing, isa).unwrap_or_else(|| panic!("{isa} is not available here"))
}

/// A vertex elsewhere, so that other triangles are neighbours.
fn bent([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x * 0.25 + y, z - x * 0.5, y * 0.125 + z * 2.0]
}

/// Another place, to be moved from.
fn elsewhere(transform: &Transform) -> Transform {
    let offset = transform.offset();
    let other = [offset.z * 2.0 + 1.0, offset.x * 0.5, -offset.y];
    Transform::new(transform.matrix(), other).expect("the matrix of a transform")
}

/// A scene, saved and opened again.
fn opened(scene: Scene) -> Scene {
    let (mut file, notes) = (Vec::new(), Notes::new());
    Saved { scene, notes }.write(&mut file).expect("memory takes everything");
    Saved::read(&file).expect("the file was just written").scene
}

/// One thing, saved and opened again.
fn alone(thing: impl Into<Instance>) -> Geometry {
    let mut world = World::new();
    let id = world.insert(thing);
    opened(world.commit()).get(id).expect("it was saved").geometry().clone()
}
