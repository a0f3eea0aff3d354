//! Shapes that are known exactly, and terrain.

use hitscan::Geometry;
use hitscan::heightfield::{Heightfield, Up};
use hitscan::shape::{Aabb, Capsule, ConvexHull, Plane, Sphere};
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::refused;
use crate::mesh::on_team;
use crate::points::Given;

/// A shape of the library.
#[pyclass(frozen, module = "hitscan._hitscan")]
pub struct Shape {
    pub geometry: Geometry,
}

fn made<G: Into<Geometry>, E: std::fmt::Display>(name: &str, made: Result<G, E>) -> PyResult<Shape> {
    match made {
        Ok(shape) => Ok(Shape { geometry: shape.into() }),
        Err(error) => Err(refused(name, None, error)),
    }
}

#[pymethods]
impl Shape {
    #[staticmethod]
    fn sphere(center: [f64; 3], radius: f64) -> PyResult<Shape> {
        made("sphere", Sphere::new(center, radius))
    }

    #[staticmethod]
    fn r#box(low: [f64; 3], high: [f64; 3]) -> PyResult<Shape> {
        made("box", Aabb::new(low, high))
    }

    #[staticmethod]
    fn capsule(a: [f64; 3], b: [f64; 3], radius: f64) -> PyResult<Shape> {
        made("capsule", Capsule::new(a, b, radius))
    }

    #[staticmethod]
    fn plane(normal: [f64; 3], point: [f64; 3]) -> PyResult<Shape> {
        made("plane", Plane::new(normal, point))
    }

    /// The convex hull of points.
    #[staticmethod]
    fn hull(py: Python<'_>, points: Given<'_>) -> PyResult<Shape> {
        let points = points.points::<3>(0, 3)?;
        let hull = on_team(py, None, None, |_| {
            ConvexHull::from_points((0..points.count).map(|row| points.get(row)))
        });
        made("hull", hull?)
    }

    /// Terrain: an array of samples, row by row.
    #[staticmethod]
    fn heightfield(
        py: Python<'_>,
        samples: PyReadonlyArray2<'_, f32>,
        spacing: [f64; 2],
        origin: [f64; 2],
        up: usize,
    ) -> PyResult<Shape> {
        if !samples.is_c_contiguous() {
            return Err(PyValueError::new_err("samples: expected an array in C order"));
        }
        let up = if up == 2 { Up::Z } else { Up::Y };
        let [rows, columns] = [samples.shape()[0], samples.shape()[1]];
        let builder = Heightfield::builder(columns, rows).spacing(spacing).origin(origin).up(up);
        let samples = samples.as_slice()?;
        made("samples", on_team(py, None, None, |_| builder.clone().build_f32(samples))?)
    }
}
