//! What stands where.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;
use std::{mem, process};

use hitscan::glam::DMat3;
use hitscan::{Geometry, Instance, InstanceId, StaleInstance, Transform};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;

use crate::errors::refused;
use crate::mesh::{Mesh, on_team};
use crate::scene::Scene;
use crate::shapes::Shape;

/// A world of the library.
#[pyclass(frozen, module = "hitscan._hitscan")]
pub struct World {
    /// Locked only with the interpreter's lock held, and for as long as nothing of Python runs: neither a signal's handler
    /// nor a child of a `fork` finds it locked.
    state: Mutex<State>,
}

#[derive(Clone, Default)]
struct State {
    world: hitscan::World,
    /// The instances that are there, by their numbers.
    ids: HashMap<u32, InstanceId>,
    /// Who has taken the world out to commit it: a process and its thread.
    committing: Option<(u32, ThreadId)>,
}

/// How often a thread looks whether another's commit has ended.
const NOW_AND_THEN: Duration = Duration::from_millis(1);

/// A number and how many instances had it before.
type Name = (u32, Option<u32>);

impl State {
    fn id(&self, (slot, generation): Name) -> PyResult<InstanceId> {
        let known =
            self.ids.get(&slot).filter(|id| generation.is_none_or(|wanted| id.generation() == wanted));
        known.copied().ok_or_else(|| match generation {
            Some(generation) => {
                let why = format!(
                    "{slot} (generation {generation}) is not there; it needs to be one that was not removed"
                );
                refused("instance", None, why)
            }
            None => refused(
                "instance",
                None,
                format!("{slot} is not there; it needs to be one that was not removed"),
            ),
        })
    }
}

fn geometry(of: &Bound<'_, PyAny>) -> PyResult<Geometry> {
    if let Ok(mesh) = of.cast::<Mesh>() {
        return Ok(Geometry::from(&mesh.get().mesh));
    }
    match of.cast::<Shape>() {
        Ok(shape) => Ok(shape.get().geometry.clone()),
        Err(_) => Err(PyTypeError::new_err("expected a Mesh or a shape")),
    }
}

/// A placement of its rows: the matrix, then what it moves by.
fn transform(rows: [[f64; 4]; 3]) -> PyResult<Transform> {
    let column = |number: usize| rows.map(|row| row[number]).into();
    let matrix = DMat3::from_cols(column(0), column(1), column(2));
    Transform::new(matrix, rows.map(|row| row[3])).map_err(|error| refused("transform", None, error))
}

fn stale(error: StaleInstance) -> PyErr {
    refused("instance", None, error)
}

impl World {
    /// The state as it is, whether or not the world is there.
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, State> {
        self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// The state with its world, once no other thread commits it.
    fn whole(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, State>> {
        loop {
            let state = self.lock(py);
            let Some((process, thread)) = state.committing else { return Ok(state) };
            drop(state);
            // In a handler of the thread that commits, or in a child that it is missing from: it never ends there.
            if process != process::id() {
                return Err(PyRuntimeError::new_err(
                    "the world was being committed when this process was forked; make another",
                ));
            }
            if thread == thread::current().id() {
                return Err(PyRuntimeError::new_err("the world is being committed"));
            }
            py.check_signals()?;
            py.detach(|| thread::sleep(NOW_AND_THEN));
        }
    }
}

#[pymethods]
impl World {
    #[new]
    fn new() -> World {
        World { state: Mutex::default() }
    }

    /// Adds an instance: its number, and how many had it before.
    fn insert(
        &self,
        py: Python<'_>,
        of: &Bound<'_, PyAny>,
        placement: [[f64; 4]; 3],
        mask: u32,
        material: u32,
    ) -> PyResult<(u32, u32)> {
        let instance = Instance::new(geometry(of)?).at(transform(placement)?).mask(mask).material(material);
        let mut state = self.whole(py)?;
        let id = state.world.insert(instance);
        state.ids.insert(id.slot(), id);
        Ok((id.slot(), id.generation()))
    }

    fn remove(&self, py: Python<'_>, name: Name) -> PyResult<()> {
        let mut state = self.whole(py)?;
        let id = state.id(name)?;
        state.world.remove(id).map_err(stale)?;
        state.ids.remove(&id.slot());
        Ok(())
    }

    fn set_transform(&self, py: Python<'_>, name: Name, placement: [[f64; 4]; 3]) -> PyResult<()> {
        let placement = transform(placement)?;
        let mut state = self.whole(py)?;
        let id = state.id(name)?;
        state.world.set_transform(id, placement).map_err(stale)
    }

    fn set_mask(&self, py: Python<'_>, name: Name, mask: u32) -> PyResult<()> {
        let mut state = self.whole(py)?;
        let id = state.id(name)?;
        state.world.set_mask(id, mask).map_err(stale)
    }

    fn set_geometry(&self, py: Python<'_>, name: Name, of: &Bound<'_, PyAny>) -> PyResult<()> {
        let of = geometry(of)?;
        let mut state = self.whole(py)?;
        let id = state.id(name)?;
        state.world.set_geometry(id, of).map_err(stale)
    }

    /// The world as it is now.
    fn commit(&self, py: Python<'_>, threads: Option<i64>) -> PyResult<Scene> {
        let world = {
            let mut state = self.whole(py)?;
            state.committing = Some((process::id(), thread::current().id()));
            Mutex::new(mem::take(&mut state.world))
        };
        let scene =
            on_team(py, threads, None, |_| world.lock().unwrap_or_else(PoisonError::into_inner).commit());
        let mut state = self.lock(py);
        state.world = world.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.committing = None;
        scene.map(Scene::made)
    }

    /// Another with the same instances.
    fn copy(&self, py: Python<'_>) -> PyResult<World> {
        Ok(World { state: Mutex::new(self.whole(py)?.clone()) })
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.whole(py)?.world.len())
    }

    /// The instances that are there: numbers, and how many had them before.
    fn instances(&self, py: Python<'_>) -> PyResult<Vec<(u32, u32)>> {
        Ok(self.whole(py)?.world.iter().map(|(id, _)| (id.slot(), id.generation())).collect())
    }
}
