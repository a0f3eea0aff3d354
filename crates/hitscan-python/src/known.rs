//! What meshes know of their edges, whether they are closed and where their boundary is: found out before points are asked about, on
//! all threads, and remembered.
//!
//! The library finds it out where a point first asks, in whatever pool of threads that is: the global one here, where the
//! thread that calls answers, and there is none in a child of a `fork`; or on each of several threads at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hitscan::Rule;
use pyo3::prelude::*;

use crate::mesh::on_team;

/// What is known of a mesh, or of all meshes of a scene.
#[derive(Clone, Default)]
pub struct Known(Arc<Of>);

/// Whether the first open edge is known, for parity, and the boundary, for winding numbers.
#[derive(Default)]
struct Of {
    closed: AtomicBool,
    boundary: AtomicBool,
}

impl Known {
    /// Makes sure of what a rule needs. Can be ended between two meshes.
    pub fn of<'a, M: Iterator<Item = &'a hitscan::Mesh>>(
        &self,
        py: Python<'_>,
        rule: Rule,
        threads: Option<i64>,
        meshes: impl Fn() -> M + Sync,
    ) -> PyResult<()> {
        let known = match rule {
            Rule::Parity => &self.0.closed,
            Rule::Winding => &self.0.boundary,
        };
        if known.load(Ordering::Relaxed) {
            return Ok(());
        }
        on_team(py, threads, None, |work| {
            for mesh in meshes().take_while(|_| !work.cancel.is_cancelled()) {
                // Quick from the second time on, as for other instances of one mesh.
                match rule {
                    Rule::Parity => drop(mesh.open_edge()),
                    Rule::Winding => drop(mesh.boundary_edges()),
                }
            }
        })?;
        known.store(true, Ordering::Relaxed);
        Ok(())
    }
}
