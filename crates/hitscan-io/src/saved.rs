//! Saved scenes as models: what a file told of its scene beside triangles is kept as a note.

use std::path::Path;

use hitscan::saved::{NoteError, Notes, OpenError, Saved};
use hitscan::{Camera, InstanceId, Mesh, Scene};

use crate::model::{DEFAULT_MATERIAL, Model, NamedCamera, NamedMesh, Node, Up};
use crate::raster::{Georeference, Raster};
use crate::{ReadError, Rig};

/// The note that has the names, the cameras and the grid.
const NOTE: &str = "hitscan.model";

/// The version of that note.
const VERSION: u32 = 1;

pub(crate) use hitscan::saved::recognises;

/// The model of a saved scene in a file.
pub(crate) fn open(path: &Path) -> Result<Model, ReadError> {
    let saved = Saved::open(path).map_err(|source| ReadError::of_saved(path, source))?;
    Model::of_saved(path, saved).map(|(model, _)| model)
}

/// The same of bytes.
pub(crate) fn read(path: &Path, bytes: &[u8]) -> Result<Model, ReadError> {
    let saved = Saved::read(bytes).map_err(|source| ReadError::of_saved(path, source))?;
    Model::of_saved(path, saved).map(|(model, _)| model)
}

impl ReadError {
    /// Why a saved scene was not opened.
    ///
    /// ```
    /// use hitscan::saved::Saved;
    /// use hitscan_io::ReadError;
    /// let path = std::path::Path::new("town.hitscan");
    /// let error = ReadError::of_saved(path, Saved::open(path).unwrap_err());
    /// assert_eq!(error.to_string(), "town.hitscan: no such file; a scene is a file or builtin:NAME");
    /// ```
    pub fn of_saved(path: &Path, source: OpenError) -> ReadError {
        match source {
            OpenError::Io(source) => ReadError::io(path, "a scene is a file or builtin:NAME", source),
            source => ReadError::Saved { path: path.into(), source },
        }
    }
}

impl Model {
    /// The scene with what the model knows beside it as a note, ready to be saved. Skins and animations are left out: the
    /// meshes keep the shape that they have. So are meshes that no node shows, and a grid that no heightmap has.
    ///
    /// # Errors
    /// More names than a note holds: 2^28 bytes.
    ///
    /// # Panics
    /// As [`Model::to_world`].
    ///
    /// ```
    /// # let path = std::path::Path::new("ball.hitscan");
    /// use hitscan_io::Model;
    /// let model = hitscan_io::open("builtin:sphere:1k")?;
    /// let (again, scene) = Model::of_saved(path, model.to_saved()?)?;
    /// assert_eq!(again.nodes[0].name, model.nodes[0].name);
    /// assert_eq!(scene.bounds(), model.scene().bounds());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_saved(&self) -> Result<Saved, NoteError> {
        // A scene has what is shown, and a program may have changed that.
        let mut is_shown = vec![false; self.meshes.len()];
        self.nodes.iter().for_each(|node| is_shown[node.mesh] = true);
        let shown: Vec<usize> = (0..self.meshes.len()).filter(|&row| is_shown[row]).collect();
        let default = [DEFAULT_MATERIAL.to_owned()];
        let materials = if self.materials.is_empty() { &default[..] } else { &self.materials };
        let raster = self.raster.as_ref().filter(|raster| raster.has_cells());

        let mut out = Writer::default();
        out.u32(VERSION);
        out.u32(self.up.axis() as u32);
        out.list(materials, |out, name| out.text(name));
        out.list(&shown, |out, row| out.text(&self.meshes[*row].name));
        out.list(&self.nodes, |out, node| {
            out.u32(shown.partition_point(|&row| row < node.mesh) as u32);
            out.text(&node.name);
        });
        out.list(&self.cameras, |out, NamedCamera { name, camera }| {
            out.text(name);
            for v in [camera.eye(), camera.forward(), camera.right(), camera.up()] {
                out.f64s(&v.to_array());
            }
            out.f64s(&[camera.tan_half_fov()]);
        });
        out.list(raster.as_slice(), |out, raster| {
            let (size, [first, column, row], Georeference { doubles, shorts, texts }) = raster.parts();
            size.into_iter().for_each(|side| out.u32(side as u32));
            [first, column, row].iter().for_each(|v| out.f64s(v));
            out.list(doubles, |out, (tag, values)| {
                out.u32(u32::from(*tag));
                out.list(values, |out, value| out.f64s(&[*value]));
            });
            out.list(shorts, |out, (tag, values)| {
                out.u32(u32::from(*tag));
                out.list(values, |out, value| out.u32(u32::from(*value)));
            });
            out.list(texts, |out, (tag, text)| {
                out.u32(u32::from(*tag));
                out.text(text);
            });
        });
        let mut notes = Notes::new();
        notes.set(NOTE, out.bytes)?;
        Ok(Saved { scene: self.scene(), notes })
    }

    /// The model of a saved scene, with the scene that answers for it. A scene that no model was saved with, but a program, gets
    /// names by number. `path` is what errors call it.
    ///
    /// # Errors
    /// A scene of other things than meshes; what was noted of it is not what [`Model::to_saved`] notes.
    ///
    /// ```
    /// use hitscan::{Mesh, World, saved::{Notes, Saved}};
    /// let mut world = World::new();
    /// world.insert(&Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?);
    /// let saved = Saved { scene: world.commit(), notes: Notes::new() }; // by a program that knows no names
    /// let (model, scene) = hitscan_io::Model::of_saved("pane.hitscan".as_ref(), saved)?;
    /// assert_eq!((model.nodes[0].name.as_str(), scene.iter().count()), ("node0", 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_saved(path: &Path, saved: Saved) -> Result<(Model, Scene), ReadError> {
        let Saved { scene, notes } = saved;
        let mut meshes: Vec<&Mesh> = Vec::new();
        let mut is_dense = true;
        for (row, (id, instance)) in scene.iter().enumerate() {
            let Some(mesh) = instance.mesh() else {
                let found = format!("the instance in slot {} is no mesh", id.slot());
                return Err(ReadError::invalid(path, found, "a model is made of meshes alone"));
            };
            is_dense &= id == InstanceId::first(row as u32);
            meshes.push(mesh);
        }
        let told = match notes.get(NOTE).filter(|_| is_dense) {
            Some(note) => Told::read(note).filter(|told| told.fits(&meshes)).ok_or_else(|| {
                ReadError::invalid(
                    path,
                    format!("the note {NOTE} does not fit"),
                    "expected the one that was saved with the scene",
                )
            })?,
            None => Told::by_number(&meshes),
        };
        let nodes = scene.iter().zip(&told.nodes).map(|((_, instance), (mesh, name))| Node {
            name: name.clone(),
            mesh: *mesh,
            transform: *instance.transform(),
        });
        let nodes = nodes.collect();
        let mut named: Vec<Option<&Mesh>> = vec![None; told.meshes.len()];
        for (mesh, (row, _)) in meshes.iter().zip(&told.nodes) {
            named[*row] = Some(mesh);
        }
        let named = told
            .meshes
            .into_iter()
            .zip(named)
            .filter_map(|(name, mesh)| Some(NamedMesh { name, mesh: mesh?.clone() }));
        let model = Model {
            meshes: named.collect(),
            nodes,
            materials: told.materials,
            cameras: told.cameras,
            up: told.up,
            files: Vec::new(),
            files_read: Vec::new(),
            rig: Rig::default(),
            raster: told.raster,
        };
        // Instances are rows of nodes.
        let scene = if is_dense { scene } else { model.scene() };
        Ok((model, scene))
    }
}

/// What a note tells.
struct Told {
    up: Up,
    materials: Vec<String>,
    meshes: Vec<String>,
    nodes: Vec<(usize, String)>,
    cameras: Vec<NamedCamera>,
    raster: Option<Raster>,
}

impl Told {
    /// What is told where nothing is.
    fn by_number(meshes: &[&Mesh]) -> Told {
        let mut distinct: Vec<*const [f32; 3]> = Vec::new();
        let mut rows = std::collections::HashMap::new();
        let nodes = meshes.iter().enumerate().map(|(node, mesh)| {
            // Clones share their vertices; meshes without any are all alike.
            let row =
                *rows.entry((mesh.vertices().as_ptr(), mesh.triangles().as_ptr())).or_insert_with(|| {
                    distinct.push(mesh.vertices().as_ptr());
                    distinct.len() - 1
                });
            (row, format!("node{node}"))
        });
        let nodes = nodes.collect();
        let highest = meshes.iter().flat_map(|mesh| mesh.materials()).max().copied().unwrap_or(0);
        // As many names as materials are likely to be; those beyond have none.
        let materials = (1..=highest.min(1 << 16)).map(|material| format!("material{material}"));
        Told {
            up: Up::Y,
            materials: std::iter::once(DEFAULT_MATERIAL.to_owned()).chain(materials).collect(),
            meshes: (0..distinct.len()).map(|mesh| format!("mesh{mesh}")).collect(),
            nodes,
            cameras: Vec::new(),
            raster: None,
        }
    }

    /// Whether it is told of these meshes, one a node.
    fn fits(&self, meshes: &[&Mesh]) -> bool {
        let mut shown: Vec<Option<&Mesh>> = vec![None; self.meshes.len()];
        let each = self.nodes.iter().zip(meshes).all(|((row, _), mesh)| match shown.get_mut(*row) {
            Some(known) => {
                let before = *known.get_or_insert(mesh);
                before.vertices().as_ptr() == mesh.vertices().as_ptr()
                    && before.triangles().as_ptr() == mesh.triangles().as_ptr()
            }
            None => false,
        });
        each && self.nodes.len() == meshes.len() && shown.iter().all(Option::is_some)
    }

    /// `None` where the note is not what [`Model::to_saved`] writes.
    fn read(note: &[u8]) -> Option<Told> {
        let from = &mut Reader(note);
        if from.u32()? != VERSION {
            return None;
        }
        let up = match from.u32()? {
            1 => Up::Y,
            2 => Up::Z,
            _ => return None,
        };
        let materials = from.list(4, Reader::text)?;
        let meshes = from.list(4, Reader::text)?;
        let nodes = from.list(8, |from| Some((from.u32()? as usize, from.text()?)))?;
        let cameras = from.list(4 + 13 * 8, |from| {
            let name = from.text()?;
            let [eye, forward, right, up] = [from.f64s::<3>()?, from.f64s()?, from.f64s()?, from.f64s()?];
            let [tan_half_fov] = from.f64s()?;
            let camera = Camera::from_axes(eye, [forward, right, up], tan_half_fov).ok()?;
            Some(NamedCamera { name, camera })
        })?;
        let mut rasters = from.list(8 + 6 * 8, |from| {
            let size = [from.u32()? as usize, from.u32()? as usize];
            let [first, column, row] = [from.f64s::<2>()?, from.f64s()?, from.f64s()?];
            let tag = |from: &mut Reader<'_>| u16::try_from(from.u32()?).ok();
            let doubles = from.list(12, |from| {
                Some((tag(from)?, from.list(8, |from| from.f64s().map(|[value]| value))?))
            })?;
            let shorts = from
                .list(12, |from| Some((tag(from)?, from.list(4, |from| u16::try_from(from.u32()?).ok())?)))?;
            let texts = from.list(8, |from| Some((tag(from)?, from.text()?)))?;
            Raster::of_parts(size, [first, column, row], Georeference { doubles, shorts, texts })
        })?;
        let raster = rasters.pop();
        let is_all = from.0.is_empty() && rasters.is_empty() && !materials.is_empty();
        is_all.then_some(Told { up, materials, meshes, nodes, cameras, raster })
    }
}

/// Appends numbers, little-endian, and texts.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    fn f64s(&mut self, values: &[f64]) {
        values.iter().for_each(|value| self.bytes.extend(value.to_le_bytes()));
    }

    fn text(&mut self, text: &str) {
        self.u32(text.len() as u32);
        self.bytes.extend(text.as_bytes());
    }

    fn list<T>(&mut self, list: &[T], mut each: impl FnMut(&mut Writer, &T)) {
        self.bytes.extend((list.len() as u64).to_le_bytes());
        list.iter().for_each(|one| each(self, one));
    }
}

/// Takes them off the front.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn f64s<const N: usize>(&mut self) -> Option<[f64; N]> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = f64::from_le_bytes(self.array()?);
        }
        Some(values)
    }

    fn text(&mut self) -> Option<String> {
        let length = self.u32()? as usize;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).ok()
    }

    /// A list whose elements take at least `least` bytes each.
    fn list<T>(&mut self, least: usize, mut each: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = usize::try_from(u64::from_le_bytes(self.array()?)).ok()?;
        if count > self.0.len() / least {
            return None;
        }
        (0..count).map(|_| each(self)).collect()
    }
}
