//! Cameras: their axes, by the elementary functions that every platform shares. Pixels are NumPy's business.

use hitscan::Camera;
use pyo3::prelude::*;

use crate::errors::refused;

type Axes = ([f64; 3], [f64; 3], [f64; 3], [f64; 3], f64);

/// Eye, forward, right, up, and the tangent of half the vertical field of view.
#[pyfunction]
pub fn camera(eye: [f64; 3], forward: [f64; 3], up: [f64; 3], fov: f64) -> PyResult<Axes> {
    let camera = Camera::new(eye, forward, up, fov).map_err(|error| refused("camera", None, error))?;
    let [eye, forward, right, up] =
        [camera.eye(), camera.forward(), camera.right(), camera.up()].map(|v| v.to_array());
    Ok((eye, forward, right, up, camera.tan_half_fov()))
}
