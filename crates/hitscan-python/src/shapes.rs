//! Shapes that are known exactly, and terrain.

use hitscan::Geometry;
use hitscan::heightfield::{Heightfield, HeightfieldError, Up};
use hitscan::shape::{Aabb, Capsule, ConvexHull, Plane, ShapeError, Sphere};
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

impl<G: Into<Geometry>> From<G> for Shape {
    fn from(shape: G) -> Shape {
        Shape { geometry: shape.into() }
    }
}

/// Why there is no shape, by the argument that is to blame: the one of the two that the error speaks of, which for
/// most of them is the first.
fn unmade([first, second]: [&str; 2], error: ShapeError) -> PyErr {
    match error {
        ShapeError::HullPoint { point, .. } => refused(first, Some(point), error),
        ShapeError::Radius { .. } => refused("radius", None, error),
        ShapeError::Coordinate { what: "the high corner" | "the end B" | "the plane's point", .. } => {
            refused(second, None, error)
        }
        error => refused(first, None, error),
    }
}

/// The same of terrain.
fn unmade_terrain(error: HeightfieldError) -> PyErr {
    match error {
        HeightfieldError::Height { row, .. } => refused("samples", Some(row), error),
        HeightfieldError::TooFar { index: 0, .. } => refused("origin", None, error),
        HeightfieldError::Spacing { .. }
        | HeightfieldError::TooFar { .. }
        | HeightfieldError::Coincident { .. } => refused("spacing", None, error),
        error => refused("samples", None, error),
    }
}

#[pymethods]
impl Shape {
    #[staticmethod]
    fn sphere(center: [f64; 3], radius: f64) -> PyResult<Shape> {
        Sphere::new(center, radius).map(Shape::from).map_err(|error| unmade(["center", "radius"], error))
    }

    #[staticmethod]
    fn r#box(low: [f64; 3], high: [f64; 3]) -> PyResult<Shape> {
        Aabb::new(low, high).map(Shape::from).map_err(|error| unmade(["low", "high"], error))
    }

    #[staticmethod]
    fn capsule(a: [f64; 3], b: [f64; 3], radius: f64) -> PyResult<Shape> {
        Capsule::new(a, b, radius).map(Shape::from).map_err(|error| unmade(["a", "b"], error))
    }

    #[staticmethod]
    fn plane(normal: [f64; 3], point: [f64; 3]) -> PyResult<Shape> {
        Plane::new(normal, point).map(Shape::from).map_err(|error| unmade(["normal", "point"], error))
    }

    /// The convex hull of points.
    #[staticmethod]
    fn hull(py: Python<'_>, points: Given<'_>) -> PyResult<Shape> {
        let points = points.points::<3>(0, 3)?;
        let hull = on_team(py, None, None, |_| {
            ConvexHull::from_points((0..points.count).map(|row| points.get(row)))
        });
        hull?.map(Shape::from).map_err(|error| unmade(["points"; 2], error))
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
        let terrain = on_team(py, None, None, |_| builder.clone().build_f32(samples))?;
        terrain.map(Shape::from).map_err(unmade_terrain)
    }
}
