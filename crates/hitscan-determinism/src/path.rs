//! The ways to the answers, which all have to be the same.

use hitscan::{Instance, Isa, Mesh, Preset, Transform, World};

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
}

impl Tree {
    /// All of them.
    pub const ALL: [Tree; 3] = [Tree::Built, Tree::Refitted, Tree::Rebuilt];

    /// As the command line has it.
    pub fn name(self) -> &'static str {
        match self {
            Tree::Built => "built",
            Tree::Refitted => "refitted",
            Tree::Rebuilt => "rebuilt",
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
            Things::Mesh(mesh) => Subject::Mesh(on(self.isa, &self.mesh(mesh), Mesh::with_isa)),
            Things::Heightfield(field) => {
                Subject::Heightfield(on(self.isa, field, hitscan::heightfield::Heightfield::with_isa))
            }
            Things::World { geometries, instances } => {
                let geometries: Vec<_> = geometries
                    .iter()
                    .map(|geometry| geometry.mesh().map_or(geometry.clone(), |mesh| self.mesh(mesh).into()))
                    .collect();
                let mut world = World::new();
                let placed = instances.iter().map(|&(row, transform, material)| {
                    let first = if self.tree == Tree::Built { transform } else { elsewhere(&transform) };
                    let instance = Instance::new(geometries[row].clone()).at(first).material(material);
                    (world.insert(instance), transform)
                });
                let placed: Vec<_> = placed.collect();
                if self.tree != Tree::Built {
                    // The tree over the instances that the last commit moves.
                    world.commit();
                    for (id, transform) in placed {
                        world.set_transform(id, transform).expect("it was just inserted");
                    }
                }
                Subject::Scene(on(self.isa, &world.commit(), hitscan::Scene::with_isa))
            }
        }
    }

    /// A mesh of the same triangles.
    fn mesh(&self, mesh: &Mesh) -> Mesh {
        let vertices: Vec<[f32; 3]> = match self.tree {
            Tree::Built => mesh.vertices().to_vec(),
            Tree::Refitted | Tree::Rebuilt => mesh.vertices().iter().map(|&v| bent(v)).collect(),
        };
        let made = Mesh::build(self.preset, vertices, mesh.triangles().iter().copied());
        let mut made = made.expect("the lists of a mesh are a mesh, bent or not");
        if self.tree != Tree::Built {
            made.refit(mesh.vertices().iter().copied()).expect("as many vertices, all of them a mesh's");
        }
        if self.tree == Tree::Rebuilt {
            made.rebuild();
        }
        made = made.with_materials(materials(mesh)).expect("one for each triangle");
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

/// The material of each triangle, as hits report it.
fn materials(mesh: &Mesh) -> Vec<u32> {
    let ray = hitscan::Ray::new([0.0; 3], [1.0, 0.0, 0.0]).expect("a direction");
    let of = |prim: u32| {
        let instance = hitscan::InstanceId::first(0);
        let record = hitscan::HitRecord { t: 0.0, prim, instance, ..hitscan::HitRecord::MISS };
        mesh.describe(&ray, &record).map_or(0, |hit| hit.material)
    };
    (0..mesh.triangles().len() as u32).map(of).collect()
}
