//! Triangles with their tree.

use hitscan::{Build, MAX_COORDINATE, MeshError, Preset};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

use crate::errors::{self, refused};
use crate::known::Known;
use crate::points::Given;
use crate::pools::{self, Lent};
use crate::wait::Work;

/// A mesh of the library.
#[pyclass(frozen, module = "hitscan._hitscan")]
pub struct Mesh {
    pub mesh: hitscan::Mesh,
    pub known: Known,
}

/// The triangle of an edge, and its ends.
type Edge = (u32, [f32; 3], [f32; 3]);

/// How good a tree is to be.
pub fn preset(name: &str) -> PyResult<Preset> {
    let known = Preset::ALL.iter().copied().find(|preset| preset.name() == name);
    known.ok_or_else(|| {
        let message = format!("preset is {name:?}; expected 'fast', 'balanced', 'best' or 'compact'");
        PyValueError::new_err(message)
    })
}

/// Does something long on all threads that are asked for; what it gave.
pub fn on_team<R: Send>(
    py: Python<'_>,
    threads: Option<i64>,
    progress: Option<&Py<PyAny>>,
    act: impl Fn(&Work) -> R + Sync,
) -> PyResult<R> {
    let team = Lent::team(py, pools::count(threads)?)?;
    let (work, answer) = (Work::default(), Mutex::new(None));
    work.run(py, team, progress, || {
        let given = act(&work);
        *answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(given);
    })?;
    answer.into_inner().unwrap_or_else(PoisonError::into_inner).ok_or_else(errors::interrupted)
}

#[pymethods]
impl Mesh {
    /// Triangles, checked, and their tree. `faces` is an array of `int64`, `materials` one of `uint32`.
    #[new]
    #[pyo3(signature = (vertices, faces, materials, preset, memory, threads, progress))]
    fn new(
        py: Python<'_>,
        vertices: Given<'_>,
        faces: PyReadonlyArray2<'_, i64>,
        materials: Option<PyReadonlyArray1<'_, u32>>,
        preset: &str,
        memory: Option<u64>,
        threads: Option<i64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Mesh> {
        let preset = self::preset(preset)?;
        let vertices = vertices.points::<3>(0, 3)?;
        if !(faces.is_c_contiguous() && faces.shape()[1] == 3) {
            return Err(PyValueError::new_err("faces: expected an array of shape (n, 3) in C order"));
        }
        let faces = faces.as_slice()?.as_chunks::<3>().0;
        let materials = materials.map(|materials| materials.as_slice().map(<[u32]>::to_vec)).transpose()?;
        let built = on_team(py, threads, progress.as_ref(), |work| {
            let corners = corners(vertices.count, |row| vertices.get(row))?;
            let triangles = triangles(faces, vertices.count)?;
            let mesh = work.watched(|watch| {
                let how = Build::new().preset(preset).watch(watch);
                let how = memory.map_or(how, |bytes| how.memory(bytes));
                hitscan::Mesh::build(how, corners, triangles)
            });
            let mesh = mesh.map_err(Refused::Mesh)?;
            match &materials {
                Some(materials) => mesh.with_materials(materials.clone()).map_err(Refused::Mesh),
                None => Ok(mesh),
            }
        })?;
        built.map(|mesh| Mesh { mesh, known: Known::default() }).map_err(Refused::into)
    }

    /// The vertices, as they are kept.
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let vertices = self.mesh.vertices();
        PyArray1::from_slice(py, vertices.as_flattened()).reshape([vertices.len(), 3])
    }

    /// The triangles, as given.
    #[getter]
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let triangles = self.mesh.triangles();
        let numbers = triangles.as_flattened().iter().map(|&index| i64::from(index)).collect();
        PyArray1::from_vec(py, numbers).reshape([triangles.len(), 3])
    }

    /// The materials, if there are any.
    #[getter]
    fn materials<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<u32>>> {
        let materials = self.mesh.materials();
        (!materials.is_empty()).then(|| PyArray1::from_slice(py, materials))
    }

    /// How many vertices there are.
    fn __len__(&self) -> usize {
        self.mesh.vertices().len()
    }

    /// All triangles, those with two equal corners, and those of zero area.
    #[getter]
    fn counts(&self) -> (usize, usize, usize) {
        let counts = self.mesh.counts();
        (counts.triangles, counts.repeated_corner, counts.zero_area)
    }

    /// The lowest and the highest corner of what can be hit.
    #[getter]
    fn bounds(&self) -> Option<[[f32; 3]; 2]> {
        self.mesh.bounds().map(|(low, high)| [low.to_array(), high.to_array()])
    }

    /// The first open edge: its triangle and its two ends.
    fn open_edge(&self, py: Python<'_>, threads: Option<i64>) -> PyResult<Option<Edge>> {
        let edge = on_team(py, threads, None, |_| self.mesh.open_edge())?;
        Ok(edge.map(|edge| (edge.prim, edge.from.to_array(), edge.to.to_array())))
    }
}

/// Why there is no mesh.
enum Refused {
    Mesh(MeshError),
    Vertex { row: usize, axis: char, value: f64 },
    Index { row: usize, index: i64, vertices: usize },
}

impl From<Refused> for PyErr {
    fn from(refusal: Refused) -> PyErr {
        match refusal {
            Refused::Mesh(error) => errors::of_mesh(error),
            Refused::Vertex { row, axis, value } => {
                let why = if value.is_finite() {
                    format!("{axis} is {value:e}; a mesh needs coordinates of at most 2^100")
                } else {
                    format!("{axis} is {value}; a mesh needs finite coordinates")
                };
                refused("vertices", Some(row), why)
            }
            Refused::Index { row, index, vertices: 0 } => {
                refused("faces", Some(row), format!("names vertex {index}; the mesh has none"))
            }
            Refused::Index { row, index, vertices } => {
                let why = format!("names vertex {index}; the mesh has {vertices} (0 to {})", vertices - 1);
                refused("faces", Some(row), why)
            }
        }
    }
}

/// Vertices in `f32`, rounded where they were not.
fn corners(count: usize, vertex: impl Fn(usize) -> [f64; 3]) -> Result<Vec<[f32; 3]>, Refused> {
    let corner = |row: usize| {
        let vertex = vertex(row);
        match ['x', 'y', 'z']
            .into_iter()
            .zip(vertex)
            .find(|(_, value)| value.is_nan() || value.abs() > MAX_COORDINATE)
        {
            Some((axis, value)) => Err(Refused::Vertex { row, axis, value }),
            None => Ok(vertex.map(|value| value as f32)),
        }
    };
    (0..count).map(corner).collect()
}

/// Triangles by numbers that are vertices.
fn triangles(faces: &[[i64; 3]], vertices: usize) -> Result<Vec<[u32; 3]>, Refused> {
    let most = u32::try_from(vertices).unwrap_or(u32::MAX);
    let triangle = |(row, face): (usize, &[i64; 3])| {
        let mut triangle = [0; 3];
        for (corner, &index) in triangle.iter_mut().zip(face) {
            match u32::try_from(index) {
                Ok(number) if number < most => *corner = number,
                _ => return Err(Refused::Index { row, index, vertices }),
            }
        }
        Ok(triangle)
    };
    faces.iter().enumerate().map(triangle).collect()
}
