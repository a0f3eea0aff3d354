//! Which meshes are closed: found out before points are asked about, on all threads, and remembered.
//!
//! The library finds it out where a point first asks, in whatever pool of threads that is: the global one here, where the
//! thread that calls answers, and there is none in a child of a `fork`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

use crate::mesh::on_team;

/// Whether it is known of a mesh, or of all meshes of a scene.
#[derive(Clone, Default)]
pub struct Known(Arc<AtomicBool>);

impl Known {
    /// Makes sure of it. Can be ended between two meshes.
    pub fn of<'a, M: Iterator<Item = &'a hitscan::Mesh>>(
        &self,
        py: Python<'_>,
        threads: Option<i64>,
        meshes: impl Fn() -> M + Sync,
    ) -> PyResult<()> {
        if self.0.load(Ordering::Relaxed) {
            return Ok(());
        }
        on_team(py, threads, None, |work| {
            for mesh in meshes().take_while(|_| !work.cancel.is_cancelled()) {
                // Quick from the second time on, as for other instances of one mesh.
                mesh.open_edge();
            }
        })?;
        self.0.store(true, Ordering::Relaxed);
        Ok(())
    }
}
