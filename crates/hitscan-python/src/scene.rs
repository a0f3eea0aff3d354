//! What answers, and what its file told beside it.

use std::path::{Path, PathBuf};

use hitscan::SignedAxis;
use hitscan::saved::{Notes, Saved};
use hitscan_io::Model;
use pyo3::prelude::*;

use crate::errors;
use crate::known::Known;
use crate::mesh::on_team;
use crate::trusted;

/// A scene of the library.
#[pyclass(frozen, module = "hitscan._hitscan")]
pub struct Scene {
    pub scene: hitscan::Scene,
    pub known: Known,
    /// What is saved with it.
    notes: Notes,
    told: Told,
}

/// A camera: its name, eye, forward, right, up and the tangent of half its vertical field of view.
type Camera = (String, [f64; 3], [f64; 3], [f64; 3], [f64; 3], f64);

/// What a file tells of its scene.
#[derive(Default)]
struct Told {
    /// Of each instance, in order, and the number and the name of its mesh.
    nodes: Vec<(String, usize, String)>,
    materials: Vec<String>,
    cameras: Vec<Camera>,
    /// Which way is up.
    up: Option<SignedAxis>,
}

/// The note that has which way is up where somebody said so who loaded the scene: a file's own says no more than y or z.
const UP: &str = "hitscan.up";

impl Told {
    fn of(model: &Model) -> Told {
        let camera = |named: &hitscan_io::NamedCamera| {
            let camera = &named.camera;
            let [eye, forward, right, up] =
                [camera.eye(), camera.forward(), camera.right(), camera.up()].map(|v| v.to_array());
            (named.name.clone(), eye, forward, right, up, camera.tan_half_fov())
        };
        Told {
            nodes: model
                .nodes
                .iter()
                .map(|node| (node.name.clone(), node.mesh, model.meshes[node.mesh].name.clone()))
                .collect(),
            materials: model.materials.clone(),
            cameras: model.cameras.iter().map(camera).collect(),
            up: SignedAxis::ALL.into_iter().find(|up| up.index() == model.up.axis() && up.sign() > 0.0),
        }
    }
}

impl Scene {
    /// A scene that a program made.
    pub fn made(scene: hitscan::Scene) -> Scene {
        Scene { scene, known: Known::default(), notes: Notes::new(), told: Told::default() }
    }

    /// That of a model.
    pub fn of_model(model: &Model) -> PyResult<Scene> {
        let Saved { scene, notes } =
            model.to_saved().map_err(|error| errors::refused("path", None, error))?;
        Ok(Scene { scene, known: Known::default(), notes, told: Told::of(model) })
    }

    /// Reads a saved one, or takes its file as memory.
    pub fn read(py: Python<'_>, path: &Path, mmap: bool, threads: Option<i64>) -> PyResult<Scene> {
        let open = || if mmap { trusted::map(path) } else { Saved::open(path) };
        let scene = on_team(py, threads, None, |_| open().map(|saved| Scene::of_saved(path, saved)))?;
        scene.map_err(|error| errors::of_opening(path, error))
    }

    /// What holds other things than meshes, or was saved without names, has none.
    fn of_saved(path: &Path, saved: Saved) -> Scene {
        let mut told = if saved.notes.iter().all(|(name, _)| name == UP) {
            Told::default()
        } else {
            Model::of_saved(path, saved.clone())
                .map_or_else(|_| Told::default(), |(model, _)| Told::of(&model))
        };
        let noted = saved.notes.get(UP).and_then(|up| std::str::from_utf8(up).ok()?.parse().ok());
        told.up = noted.or(told.up);
        Scene { scene: saved.scene, known: Known::default(), notes: saved.notes, told }
    }
}

#[pymethods]
impl Scene {
    /// Reads a saved scene, or takes its file as memory.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf, mmap: bool, threads: Option<i64>) -> PyResult<Scene> {
        Scene::read(py, &path, mmap, threads)
    }

    /// Writes it to a file, with which way is up where somebody says so who loaded it.
    fn save(&self, py: Python<'_>, path: PathBuf, up: Option<String>) -> PyResult<()> {
        let mut notes = self.notes.clone();
        if let Some(up) = up {
            notes.set(UP, up).map_err(|error| errors::refused("up", None, error))?;
        }
        let saved = Saved { scene: self.scene.clone(), notes };
        let saved = on_team(py, None, None, |_| saved.save(&path))?;
        saved.map_err(|error| errors::of_saving(&path, error))
    }

    /// How many instances there are.
    fn __len__(&self) -> usize {
        self.scene.iter().count()
    }

    /// How many triangles there are, summed over instances.
    #[getter]
    fn triangles(&self) -> usize {
        let of = |(_, instance): (_, &hitscan::Instance)| {
            instance.mesh().map_or(0, |mesh| mesh.counts().triangles)
        };
        self.scene.iter().map(of).sum()
    }

    /// The lowest and the highest corner of a box that holds every hit.
    #[getter]
    fn bounds(&self) -> Option<[[f64; 3]; 2]> {
        self.scene.bounds().map(|(low, high)| [low.to_array(), high.to_array()])
    }

    /// The numbers of the instances.
    #[getter]
    fn instances(&self) -> Vec<u32> {
        self.scene.iter().map(|(id, _)| id.slot()).collect()
    }

    /// What stands at each instance, in order: its name, and the number and the name of its mesh.
    #[getter]
    fn nodes(&self) -> Vec<(String, usize, String)> {
        self.told.nodes.clone()
    }

    /// The names of materials.
    #[getter]
    fn materials(&self) -> Vec<String> {
        self.told.materials.clone()
    }

    /// Cameras: name, eye, forward, right, up, and the tangent of half the vertical field of view.
    #[getter]
    fn cameras(&self) -> Vec<Camera> {
        self.told.cameras.clone()
    }

    /// Which way is up, where the scene says.
    #[getter]
    fn up(&self) -> Option<String> {
        self.told.up.map(|up| up.to_string().to_lowercase())
    }
}
