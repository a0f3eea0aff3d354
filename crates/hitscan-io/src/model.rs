//! What every reader gives: meshes, the nodes that place them, materials and cameras.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use hitscan::{Build, Camera, Cutout, Instance, Mesh, MeshError, Scene, Transform, World};
use rayon::prelude::*;

use crate::error::quoted;
use crate::reading::Reading;
use crate::{Options, Raster, ReadError, Rig};

/// The name of material 0: triangles that the file gives no material.
///
/// ```
/// let model = hitscan_io::open("builtin:sphere:1k")?;
/// assert_eq!(model.materials[0], hitscan_io::DEFAULT_MATERIAL);
/// # Ok::<(), hitscan_io::ReadError>(())
/// ```
pub const DEFAULT_MATERIAL: &str = "default";

/// A scene as its file tells it.
///
/// ```
/// use hitscan::{Filter, Mesh, Ray, Transform};
/// use hitscan_io::{Model, NamedMesh, Node};
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
/// let pane = |name: &str, z| Ok::<Node, hitscan::TransformError>(Node {
///     name: name.to_owned(),
///     mesh: 0,
///     transform: Transform::translation([0.0, 0.0, z])?,
/// });
/// let model = Model {
///     meshes: vec![NamedMesh { name: "pane".to_owned(), mesh }],
///     nodes: vec![pane("near", -1.0)?, pane("far", -2.0)?],
///     materials: vec!["default".to_owned()],
///     cameras: Vec::new(),
///     up: hitscan_io::Up::Y,
///     files: Vec::new(),
///     files_read: Vec::new(),
///     rig: hitscan_io::Rig::default(),
///     raster: None,
/// };
/// assert_eq!(model.triangles(), 2);
/// let hit = model.scene().closest(&Ray::new([0.2, 0.2, -1.5], [0.0, 0.0, -1.0])?, &Filter::ALL);
/// assert_eq!(hit.map(|hit| model.nodes[hit.instance.slot() as usize].name.as_str()), Some("far"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    /// The meshes that nodes show, in file order.
    pub meshes: Vec<NamedMesh>,
    /// What stands where, depth first; the row is the [`hitscan::InstanceId`].
    pub nodes: Vec<Node>,
    /// Names; the row is [`hitscan::Hit::material`], and row 0 is [`DEFAULT_MATERIAL`].
    pub materials: Vec<String>,
    /// Cameras in world space, depth first.
    pub cameras: Vec<NamedCamera>,
    /// Which way is up.
    pub up: Up,
    /// Files that belong to the model beside the one that was named: buffers and images of a glTF.
    pub files: Vec<PathBuf>,
    /// Those of them that were opened, in that order: pictures that cut no holes are not.
    pub files_read: Vec<PathBuf>,
    /// What moves: skins and animations of a glTF.
    pub rig: Rig,
    /// The grid of a heightmap, as the file has it.
    pub raster: Option<Raster>,
}

/// The axis that points upwards.
///
/// ```
/// assert_eq!(hitscan_io::open("builtin:sphere:1k")?.up, hitscan_io::Up::Y);
/// # Ok::<(), hitscan_io::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Up {
    /// glTF says so; for formats that say nothing it is the convention here.
    #[default]
    Y,
    /// Maps have it: x is east, y is north.
    Z,
}

impl Up {
    /// 1 for Y, 2 for Z.
    ///
    /// ```
    /// use hitscan_io::Up;
    /// assert_eq!([Up::Y, Up::Z].map(Up::axis), [1, 2]);
    /// ```
    pub fn axis(self) -> usize {
        match self {
            Up::Y => 1,
            Up::Z => 2,
        }
    }
}

/// A mesh and what the file calls it.
///
/// ```
/// let model = hitscan_io::open("builtin:sphere:1k")?;
/// assert_eq!(model.meshes[0].name, "sphere");
/// # Ok::<(), hitscan_io::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct NamedMesh {
    /// The file's name for it, or `mesh12` after its number in the file. Names need not be unique.
    pub name: String,
    /// Its triangles, in its own frame.
    pub mesh: Mesh,
}

/// One place where a mesh stands.
///
/// ```
/// use hitscan::Transform;
/// let model = hitscan_io::open("builtin:sphere:1k")?;
/// assert_eq!((model.nodes[0].mesh, model.nodes[0].transform), (0, Transform::IDENTITY));
/// # Ok::<(), hitscan_io::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Node {
    /// The file's name for it, or `node3` after its number in the file. Names need not be unique.
    pub name: String,
    /// Row of [`Model::meshes`].
    pub mesh: usize,
    /// From the mesh's frame to world space.
    pub transform: Transform,
}

/// A camera and what the file calls it.
///
/// ```
/// let model = hitscan_io::open("builtin:range")?;
/// assert_eq!(model.cameras[0].name, "default");
/// assert!(model.cameras[0].camera.eye().y > 0.0);
/// # Ok::<(), hitscan_io::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct NamedCamera {
    /// The camera's name, or else its node's, or else `camera0` after its number in the file.
    pub name: String,
    /// In world space.
    pub camera: Camera,
}

impl Model {
    /// A world with one instance a node, in order, so that `InstanceId::first(i)` is `nodes[i]`.
    ///
    /// # Panics
    /// Where a node of a hand-made model names a mesh that does not exist; readers give no such nodes.
    ///
    /// ```
    /// use hitscan::shape::Sphere;
    /// let model = hitscan_io::open("builtin:sphere:1k")?;
    /// let mut world = model.to_world();
    /// let beside = world.insert(Sphere::new([9.0, 0.0, 0.0], 1.0)?); // more than the file has
    /// assert_eq!((world.len(), beside.slot()), (2, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_world(&self) -> World {
        let mut world = World::new();
        for node in &self.nodes {
            world.insert(Instance::new(&self.meshes[node.mesh].mesh).at(node.transform));
        }
        world
    }

    /// The world of [`Model::to_world`], ready to be asked.
    ///
    /// # Panics
    /// As [`Model::to_world`].
    ///
    /// ```
    /// use hitscan::{Filter, Ray};
    /// let scene = hitscan_io::open("builtin:sphere:1k")?.scene();
    /// assert!(scene.occluded(&Ray::new([0.0, 0.0, 5.0], [0.0, 0.0, -1.0])?, &Filter::ALL));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn scene(&self) -> Scene {
        self.to_world().commit()
    }

    /// The lists that it is made of.
    pub(crate) fn into_parts(self) -> Parts {
        let drafts = self.meshes.into_iter().map(|NamedMesh { name, mesh }| Draft {
            name,
            vertices: mesh.vertices().to_vec(),
            triangles: mesh.triangles().to_vec(),
            materials: mesh.materials().to_vec(),
            uvs: mesh.uvs().to_vec(),
            cutouts: mesh.cutouts().map(|(material, cutout)| (material, cutout.clone())).collect(),
        });
        let drafts = drafts.collect();
        let Model { nodes, materials, cameras, up, files, files_read, rig, raster, .. } = self;
        Parts { drafts, nodes, materials, cameras, up, files, files_read, rig, raster }
    }

    /// How many triangles stand in the world: those of each node's mesh, summed over the nodes.
    ///
    /// # Panics
    /// As [`Model::to_world`].
    ///
    /// ```
    /// let mut model = hitscan_io::open("builtin:sphere:1k")?;
    /// let of_one = model.triangles();
    /// model.nodes.push(model.nodes[0].clone());
    /// assert_eq!(model.triangles(), 2 * of_one);
    /// # Ok::<(), hitscan_io::ReadError>(())
    /// ```
    pub fn triangles(&self) -> usize {
        self.nodes.iter().map(|node| self.meshes[node.mesh].mesh.triangles().len()).sum()
    }
}

/// A mesh before its tree.
///
/// ```
/// let parts = hitscan_io::draft("builtin:sphere:1k", &hitscan_io::Options::new())?;
/// let draft = &parts.drafts[0];
/// let mesh = hitscan::Mesh::new(draft.vertices.iter().copied(), draft.triangles.iter().copied())?;
/// assert_eq!((draft.name.as_str(), mesh.triangles().len()), ("sphere", draft.triangles.len()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// As [`NamedMesh::name`].
    pub name: String,
    /// Positions in the mesh's own frame.
    pub vertices: Vec<[f32; 3]>,
    /// Rows of `vertices`, counter-clockwise seen from the front, in file order.
    pub triangles: Vec<[u32; 3]>,
    /// Rows of [`Parts::materials`], one for each triangle, or empty where all are 0.
    pub materials: Vec<u32>,
    /// Texture coordinates, one pair a vertex, or empty where nothing needs them.
    pub uvs: Vec<[f32; 2]>,
    /// What is painted as holes, with the materials that it is painted on.
    pub cutouts: Vec<(u32, Cutout)>,
}

impl Draft {
    fn build(self, how: Build<'_>) -> Result<NamedMesh, (String, MeshError)> {
        let Draft { name, vertices, triangles, materials, uvs, cutouts } = self;
        let build = || {
            let mut mesh = Mesh::build(how, vertices, triangles)?;
            if !materials.is_empty() {
                mesh = mesh.with_materials(materials)?;
            }
            if !uvs.is_empty() {
                mesh = mesh.with_uvs(uvs)?;
            }
            cutouts.into_iter().try_fold(mesh, |mesh, (material, cutout)| mesh.with_cutout(material, cutout))
        };
        match build() {
            Ok(mesh) => Ok(NamedMesh { name, mesh }),
            Err(error) => Err((name, error)),
        }
    }
}

/// What a file holds, as plain lists: a [`Model`] before its trees. [`crate::parse`] gives it.
///
/// ```
/// use hitscan_io::Options;
/// let mut parts = hitscan_io::draft("builtin:sphere:1k", &Options::new())?;
/// parts.drafts[0].vertices.iter_mut().for_each(|[_, y, _]| *y *= 0.5); // before its tree is built
/// let model = parts.build("ellipsoid".as_ref(), &Options::new())?;
/// assert!(model.meshes[0].mesh.bounds().is_some_and(|(_, high)| high.y <= 0.5));
/// # Ok::<(), hitscan_io::ReadError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// The meshes that nodes show, in file order.
    pub drafts: Vec<Draft>,
    /// What stands where; [`Node::mesh`] is a row of `drafts`.
    pub nodes: Vec<Node>,
    /// Names, [`DEFAULT_MATERIAL`] first.
    pub materials: Vec<String>,
    /// As [`Model::cameras`].
    pub cameras: Vec<NamedCamera>,
    /// Which way is up.
    pub up: Up,
    /// As [`Model::files`].
    pub files: Vec<PathBuf>,
    /// As [`Model::files_read`].
    pub files_read: Vec<PathBuf>,
    /// As [`Model::rig`].
    pub rig: Rig,
    /// As [`Model::raster`].
    pub raster: Option<Raster>,
}

impl Parts {
    /// Builds the trees on all cores, and refuses a model that no ray can hit. `path` is what errors call the file.
    ///
    /// # Errors
    /// Triangles that make no mesh, and none to hit; trees that would take more memory than they may; an end before all is
    /// built.
    ///
    /// ```
    /// use hitscan::Preset;
    /// use hitscan_io::Options;
    /// let parts = hitscan_io::draft("builtin:sphere:1k", &Options::default())?;
    /// let options = Options { preset: Preset::Best, ..Options::default() };
    /// assert!(parts.build("builtin:sphere:1k".as_ref(), &options)?.triangles() > 900);
    /// # Ok::<(), hitscan_io::ReadError>(())
    /// ```
    pub fn build(self, path: &Path, options: &Options<'_>) -> Result<Model, ReadError> {
        let total: usize = self.drafts.iter().map(|draft| draft.triangles.len()).sum();
        let bytes_of = |draft: &Draft| {
            let beside = 4 * draft.materials.len() + 8 * draft.uvs.len();
            Build::bytes_for(draft.vertices.len(), draft.triangles.len()) + beside as u64
        };
        let needs = self.drafts.iter().map(bytes_of).sum();
        Reading::new(path, options).check_memory("the meshes and their trees take", needs)?;
        let how = Build::new().preset(options.preset).watch(options.watch.untold());
        let done = AtomicUsize::new(0);
        let make = |draft: Draft| {
            let triangles = draft.triangles.len();
            let built = draft.build(how);
            if built.is_ok() {
                options.watch.tell(done.fetch_add(triangles, Ordering::Relaxed) + triangles, total);
            }
            built
        };
        let Parts { drafts, nodes, materials, cameras, up, files, files_read, rig, raster } = self;
        // All results first, so that the error told is the first in the file, not the first in time.
        let built: Vec<_> = drafts.into_par_iter().map(make).collect();
        let meshes =
            built.into_iter().collect::<Result<Vec<NamedMesh>, _>>().map_err(
                |(name, source)| match source {
                    MeshError::Cancelled => ReadError::Cancelled { path: path.into() },
                    source => ReadError::Mesh { path: path.into(), mesh: quoted(name.as_bytes()), source },
                },
            )?;
        let model = Model { meshes, nodes, materials, cameras, up, files, files_read, rig, raster };

        let (mut triangles, mut repeated_corner, mut zero_area) = (0, 0, 0);
        for node in &model.nodes {
            let counts = model.meshes[node.mesh].mesh.counts();
            triangles += counts.triangles;
            repeated_corner += counts.repeated_corner;
            zero_area += counts.zero_area;
        }
        if triangles == repeated_corner + zero_area {
            return Err(ReadError::NothingToHit { path: path.into(), triangles, repeated_corner, zero_area });
        }
        Ok(model)
    }
}
