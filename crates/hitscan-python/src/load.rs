//! Scenes from files of any format.

use std::fs;
use std::path::Path;

use hitscan_io::{Options, ReadError};
use pyo3::prelude::*;

use crate::errors;
use crate::mesh::{on_team, preset};
use crate::scene::Scene;

/// Reads a file, or makes what is built in.
#[pyfunction]
#[pyo3(signature = (path, cell, relief, preset_name, memory, threads, progress))]
pub fn load(
    py: Python<'_>,
    path: String,
    cell: Option<f64>,
    relief: Option<[f64; 2]>,
    preset_name: &str,
    memory: Option<u64>,
    threads: Option<i64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Scene> {
    let preset = preset(preset_name)?;
    let name = Path::new(&path);
    if hitscan_io::is_saved(&path) && cell.is_none() && relief.is_none() {
        // As it is, with shapes and masks, which a model does not have.
        let length = fs::metadata(name).map_err(|error| errors::of_io(name, &error))?.len();
        if let Some(budget) = memory.filter(|&budget| length > budget) {
            let (path, what) = (name.into(), "the file takes");
            return Err(errors::of_reading(ReadError::Memory { path, what, needs: length, budget }));
        }
        return Scene::read(py, name, false, threads);
    }
    on_team(py, threads, progress.as_ref(), |work| {
        let model = work
            .watched(|watch| hitscan_io::open_with(&path, &Options { cell, relief, preset, watch, memory }));
        model.map_err(errors::of_reading).and_then(|model| Scene::of_model(&model))
    })?
}
