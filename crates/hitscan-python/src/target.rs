//! Who is asked: a mesh in its own frame, or a scene.

use std::iter;

use hitscan::{
    Buffer, ClosestPoint, Fall, Filter, Hit, HitLists, HitRecord, Interval, Plumb, Ray, Rule, SignedAxis,
    World,
};
use pyo3::Borrowed;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::batch::FEW;
use crate::known::Known;
use crate::mesh::Mesh;
use crate::scene::Scene;

/// What answers; cheap to clone, as what it stands for is.
#[derive(Clone)]
pub enum Target {
    Mesh(hitscan::Mesh, Known),
    Scene(hitscan::Scene, Known),
}

impl<'py> FromPyObject<'_, 'py> for Target {
    type Error = PyErr;
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Target> {
        if object.is_none() {
            return Err(PyValueError::new_err("the scene is closed; open it again to ask it"));
        }
        if let Ok(mesh) = object.cast::<Mesh>() {
            let Mesh { mesh, known } = mesh.get();
            return Ok(Target::Mesh(mesh.clone(), known.clone()));
        }
        match object.cast::<Scene>() {
            Ok(scene) => {
                let Scene { scene, known, .. } = scene.get();
                Ok(Target::Scene(scene.clone(), known.clone()))
            }
            Err(_) => Err(PyTypeError::new_err("target: expected a mesh or a scene")),
        }
    }
}

/// The same call for both.
macro_rules! either {
    ($target:expr, $each:ident => $call:expr) => {
        match $target {
            Target::Mesh($each, _) => $call,
            Target::Scene($each, _) => $call,
        }
    };
}

impl Target {
    /// What points are asked about: a mesh shares a bit with all masks but 0, for which there is nothing, as in a scene.
    pub fn shared_with(self, mask: u32) -> Target {
        match self {
            Target::Mesh(..) if mask == 0 => Target::Scene(World::new().commit(), Known::default()),
            target => target,
        }
    }

    /// Makes sure that its meshes know what a rule needs.
    pub fn know(&self, py: Python<'_>, rule: Rule, threads: Option<i64>) -> PyResult<()> {
        match self {
            Target::Mesh(mesh, known) => known.of(py, rule, threads, || iter::once(mesh)),
            Target::Scene(scene, known) => {
                known.of(py, rule, threads, || scene.iter().filter_map(|(_, instance)| instance.mesh()))
            }
        }
    }

    pub fn closest(&self, ray: &Ray, filter: &Filter<'_>) -> Option<Hit> {
        either!(self, each => each.closest(ray, filter))
    }

    pub fn occluded(&self, ray: &Ray, filter: &Filter<'_>) -> bool {
        either!(self, each => each.occluded(ray, filter))
    }

    pub fn all_hits_into(&self, ray: &Ray, filter: &Filter<'_>, hits: &mut Buffer) {
        either!(self, each => each.all_hits_into(ray, filter, hits))
    }

    /// All hits of each of a few rays, or the first `n`, one ray after the other, with how many each has.
    pub fn few_lists(&self, rays: &[Ray], filter: &Filter<'_>, n: Option<usize>) -> (Vec<usize>, Vec<Hit>) {
        let (mut counts, mut all, mut hits) = (Vec::new(), Vec::new(), Buffer::new());
        for ray in rays {
            match n {
                None => self.all_hits_into(ray, filter, &mut hits),
                Some(n) => either!(self, each => each.first_n_into(ray, filter, n, &mut hits)),
            }
            counts.push(hits.len());
            all.extend_from_slice(&hits);
        }
        (counts, all)
    }

    pub fn plumb(&self, up: SignedAxis) -> Plumb {
        either!(self, each => each.plumb(up))
    }

    pub fn ground(&self, fall: &Fall, filter: &Filter<'_>, buffer: &mut Buffer) -> Option<Hit> {
        either!(self, each => each.ground(fall, filter, buffer))
    }

    pub fn intervals_into(&self, ray: &Ray, filter: &Filter<'_>, intervals: &mut Buffer<Interval>) {
        either!(self, each => each.intervals_into(ray, filter, intervals))
    }

    pub fn closest_batch(&self, rays: &[Ray], filter: &Filter<'_>, hits: &mut Vec<Option<Hit>>) {
        if rays.len() <= FEW {
            hits.clear();
            return hits.extend(rays.iter().map(|ray| self.closest(ray, filter)));
        }
        either!(self, each => each.closest_batch_into(rays, filter, hits));
    }

    pub fn closest_records(&self, rays: &[Ray], filter: &Filter<'_>, records: &mut Vec<HitRecord>) {
        either!(self, each => each.closest_records(rays, filter, records))
    }

    pub fn occluded_batch(&self, rays: &[Ray], filter: &Filter<'_>, occluded: &mut Vec<bool>) {
        if rays.len() <= FEW {
            occluded.clear();
            return occluded.extend(rays.iter().map(|ray| self.occluded(ray, filter)));
        }
        either!(self, each => each.occluded_batch_into(rays, filter, occluded));
    }

    /// All hits of each ray, or the first `n`.
    pub fn lists(&self, rays: &[Ray], filter: &Filter<'_>, n: Option<usize>, lists: &mut HitLists) {
        match n {
            None => either!(self, each => each.all_hits_batch_into(rays, filter, lists)),
            Some(n) => either!(self, each => each.first_n_batch_into(rays, filter, n, lists)),
        }
    }

    /// The same as records.
    pub fn records(
        &self,
        rays: &[Ray],
        filter: &Filter<'_>,
        n: Option<usize>,
        lists: &mut HitLists<HitRecord>,
    ) {
        match n {
            None => either!(self, each => each.all_hits_records(rays, filter, lists)),
            Some(n) => either!(self, each => each.first_n_records(rays, filter, n, lists)),
        }
    }

    pub fn closest_point(
        &self,
        point: [f64; 3],
        max_distance: f64,
        filter: &Filter<'_>,
    ) -> Option<ClosestPoint> {
        match self {
            Target::Mesh(mesh, _) => mesh.closest_point_within(point, max_distance),
            Target::Scene(scene, _) => scene.closest_point_within(point, max_distance, filter),
        }
    }
}
