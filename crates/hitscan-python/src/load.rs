//! Scenes from files of any format.

use hitscan_io::Options;
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
    on_team(py, threads, progress.as_ref(), |work| {
        let model = work
            .watched(|watch| hitscan_io::open_with(&path, &Options { cell, relief, preset, watch, memory }));
        model.map_err(errors::of_reading).and_then(|model| Scene::of_model(&model))
    })?
}
