//! Embree: its scenes, and the ways to ask them. Rays and packets are in its own layout before the clock starts, and
//! what it answers stays there, as it would in a renderer.

mod ffi;
mod find;

use std::sync::Arc;

use hitscan::{Isa, Mesh, Ray, Transform};
use rayon::prelude::*;

use super::per_ray::TASK;
use super::{Build, Rival, Session, far, is_alone};
use crate::forms::{Calls, FIRST, Form, Query};
use crate::measure::Run;
use ffi::{Crossings, Kind, LANES, MISSED, Ray1, Ray16, RayHit1, RayHit16};
pub use ffi::{Device, Embree};
pub use find::named;

/// One ray a call, default scene; also its build.
pub const FAST: &str = "Embree";
/// One ray a call, robust scene.
pub const ROBUST: &str = "Embree robust";
const PACKETS: &str = "Embree 16";
const COHERENT: &str = "Embree 16 coherent";
const FILTER: &str = "Embree filter";
const UNORDERED: &str = "Embree occluded filter";

/// The scenes over one mesh.
pub struct Scenes {
    fast: ffi::Scene,
    robust: ffi::Scene,
    recording: ffi::Scene,
}

/// How many threads a device has whose scenes are only asked, which counts for their builds alone. Not one: a worker that its scheduler
/// (oneTBB) has woken would yield for ever, and keep a core busy beside all that is measured.
fn every_core() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A device's configuration.
fn config(threads: usize, forced: Option<Isa>) -> String {
    format!("threads={threads}{}", if forced == Some(Isa::Avx2) { ",isa=avx2" } else { "" })
}

impl Scenes {
    /// Three scenes over one mesh.
    ///
    /// # Errors
    /// What Embree reports.
    pub fn new(library: &'static Embree, mesh: &Mesh, forced: Option<Isa>) -> Result<Scenes, String> {
        let device = Device::new(library, &config(every_core(), forced))?;
        let scene = |kind| ffi::Scene::new(&device, mesh, kind);
        Ok(Scenes {
            fast: scene(Kind::Fast)?,
            robust: scene(Kind::Robust)?,
            recording: scene(Kind::Recording)?,
        })
    }

    /// All modes that answer a form.
    pub fn rivals<'a>(&'a self, rays: &'a [Ray], form: Form) -> Vec<Rival<'a>> {
        let (fast, robust, recording) = (&self.fast, &self.robust, &self.recording);
        let task = Task { rays, form };
        let mut all = Vec::new();
        match form.query {
            Query::Closest => {
                all.push(task.rival(FAST, hit1, |rays| fast.closest(rays), t_of_hits));
                all.push(task.rival(ROBUST, hit1, |rays| robust.closest(rays), t_of_hits));
                if form.calls != Calls::Single {
                    all.push(task.rival(PACKETS, hit16, |p| fast.closest16(p, false), t_of_hits16));
                    all.push(task.rival(COHERENT, hit16, |p| fast.closest16(p, true), t_of_hits16));
                }
            }
            Query::Occluded => {
                all.push(task.rival(FAST, ray1, |rays| fast.occluded(rays), blocked));
                all.push(task.rival(ROBUST, ray1, |rays| robust.occluded(rays), blocked));
                if form.calls != Calls::Single {
                    all.push(task.rival(PACKETS, Ray16::new, |p| fast.occluded16(p, false), blocked16));
                    all.push(task.rival(COHERENT, Ray16::new, |p| fast.occluded16(p, true), blocked16));
                }
            }
            Query::AllHits => {
                all.push(task.rival(FILTER, hit1, |rays| recording.crossings(rays, None), counts));
                all.push(task.rival(UNORDERED, ray1, |rays| recording.crossings_unordered(rays), counts));
            }
            Query::First => {
                all.push(task.rival(FILTER, hit1, |rays| recording.crossings(rays, Some(FIRST)), counts));
            }
        }
        all
    }
}

/// The default scene alone, for meshes of which three would not fit.
pub struct Plain(ffi::Scene);

impl Plain {
    /// One scene over one mesh.
    ///
    /// # Errors
    /// What Embree reports.
    pub fn new(library: &'static Embree, mesh: &Mesh, forced: Option<Isa>) -> Result<Plain, String> {
        let device = Device::new(library, &config(every_core(), forced))?;
        Ok(Plain(ffi::Scene::new(&device, mesh, Kind::Fast)?))
    }

    /// One ray a call, closest hits.
    pub fn closest<'a>(&'a self, rays: &'a [Ray], form: Form) -> Rival<'a> {
        Task { rays, form }.rival(FAST, hit1, |rays| self.0.closest(rays), t_of_hits)
    }
}

/// A scene, default or robust, and its twin that records: for whether there is a hit, and for all of them, on one thread.
pub struct Outline {
    plain: ffi::Scene,
    recording: ffi::Scene,
}

impl Outline {
    /// Two scenes over one mesh.
    ///
    /// # Errors
    /// What Embree reports.
    pub fn new(library: &'static Embree, mesh: &Mesh, robust: bool) -> Result<Outline, String> {
        let device = Device::new(library, &config(every_core(), None))?;
        let kinds =
            if robust { [Kind::Robust, Kind::RobustRecording] } else { [Kind::Fast, Kind::Recording] };
        let [plain, recording] = kinds.map(|kind| ffi::Scene::new(&device, mesh, kind));
        Ok(Outline { plain: plain?, recording: recording? })
    }

    /// Whether each ray hits something.
    pub fn hits(&self, rays: &[Ray]) -> Vec<bool> {
        hits(&self.plain, rays)
    }

    /// The triangles that each ray crosses, in the order of the crossings.
    pub fn crossings(&self, rays: &[Ray]) -> Vec<Vec<u32>> {
        let mut asked: Vec<RayHit1> = rays.iter().map(|ray| RayHit1::new(single(ray))).collect();
        let Crossings { ends, found } = self.recording.crossings(&mut asked, None);
        let of_one = |from: &mut usize, end: usize| {
            let found = &found[std::mem::replace(from, end)..end];
            Some(found.iter().map(|found| found.prim).collect())
        };
        ends.into_iter().scan(0, of_one).collect()
    }
}

/// Whether each ray hits something in a scene that does not record.
fn hits(scene: &ffi::Scene, rays: &[Ray]) -> Vec<bool> {
    let mut asked: Vec<RayHit1> = rays.iter().map(|ray| RayHit1::new(single(ray))).collect();
    scene.closest(&mut asked);
    asked.iter().map(|asked| asked.hit.geom != MISSED).collect()
}

/// A ray in Embree's layout.
fn single(ray: &Ray) -> Ray1 {
    let (origin, dir) = (ray.origin().as_vec3(), ray.dir().as_vec3());
    Ray1::new(origin.to_array(), dir.to_array(), ray.t_min() as f32, far(ray))
}

/// A scene of two levels: instances of one mesh, default or robust scenes both.
pub struct Instanced(ffi::Scene);

impl Instanced {
    /// One instance of the mesh at each place.
    ///
    /// # Errors
    /// What Embree reports.
    pub fn new(
        library: &'static Embree,
        mesh: &Mesh,
        places: &[Transform],
        robust: bool,
    ) -> Result<Instanced, String> {
        let device = Device::new(library, &config(every_core(), None))?;
        let kind = if robust { Kind::Robust } else { Kind::Fast };
        let mesh = ffi::Scene::new(&device, mesh, kind)?;
        let columns = |place: &Transform| {
            let mut numbers = [0.0; 12];
            let offset = place.offset().to_array();
            let all = place.matrix().to_cols_array().into_iter().chain(offset);
            numbers.iter_mut().zip(all).for_each(|(number, given)| *number = given as f32);
            numbers
        };
        let places: Vec<[f32; 12]> = places.iter().map(columns).collect();
        Ok(Instanced(ffi::Scene::of_instances(&mesh, &places, kind)?))
    }

    /// Whether each ray hits something.
    pub fn hits(&self, rays: &[Ray]) -> Vec<bool> {
        hits(&self.0, rays)
    }

    /// All modes that answer a form of closest hits.
    pub fn closest<'a>(&'a self, rays: &'a [Ray], form: Form) -> Vec<Rival<'a>> {
        let (scene, task) = (&self.0, Task { rays, form });
        let mut all = vec![task.rival(FAST, hit1, |rays| scene.closest(rays), t_of_hits)];
        if !form.is_single() {
            all.push(task.rival(PACKETS, hit16, |p| scene.closest16(p, false), t_of_hits16));
        }
        all
    }
}

/// What is asked, and who asks.
#[derive(Clone, Copy)]
struct Task<'a> {
    rays: &'a [Ray],
    form: Form,
}

impl<'a> Task<'a> {
    /// `make` takes as many rays as one `P` holds; `read` takes what was asked and what came back beside it.
    fn rival<P: Send + 'a, O: Send + 'a>(
        self,
        name: &'static str,
        make: fn(&[Ray1]) -> P,
        ask: impl Fn(&mut [P]) -> O + Send + Sync + 'a,
        read: fn(&[P], &[O]) -> Vec<f64>,
    ) -> Rival<'a> {
        let lanes = if size_of::<P>() < size_of::<Ray16>() { 1 } else { LANES };
        let session = InPlace { task: self, lanes, make, ask, read, asked: Vec::new(), beside: Vec::new() };
        Rival { name, session: Box::new(session) }
    }
}

/// Rays in Embree's layout, which its answers overwrite.
struct InPlace<'a, P, O, A> {
    task: Task<'a>,
    /// Rays that one `P` holds.
    lanes: usize,
    make: fn(&[Ray1]) -> P,
    ask: A,
    read: fn(&[P], &[O]) -> Vec<f64>,
    asked: Vec<P>,
    beside: Vec<O>,
}

impl<P: Send, O: Send, A: Fn(&mut [P]) -> O + Send + Sync> Run for InPlace<'_, P, O, A> {
    fn reset(&mut self) {
        self.beside.clear();
        self.asked.clear();
        self.asked.extend(self.task.rays.chunks(self.lanes).map(|rays| {
            let mut few = [Ray1::new([0.0; 3], [1.0; 3], 0.0, 0.0); LANES];
            for (place, given) in few.iter_mut().zip(rays) {
                *place = single(given);
            }
            (self.make)(&few[..rays.len()])
        }));
    }

    fn run(&mut self) {
        let Task { rays, form } = self.task;
        for batch in self.asked.chunks_mut(form.batch_size(rays.len()).div_ceil(self.lanes)) {
            if is_alone() {
                self.beside.push((self.ask)(batch));
            } else {
                self.beside.par_extend(batch.par_chunks_mut(TASK / self.lanes).map(|part| (self.ask)(part)));
            }
        }
    }
}

impl<P: Send, O: Send, A: Fn(&mut [P]) -> O + Send + Sync> Session for InPlace<'_, P, O, A> {
    fn answers(&self) -> Vec<f64> {
        let mut answers = (self.read)(&self.asked, &self.beside);
        // The last packet may have lanes without a ray.
        answers.truncate(self.task.rays.len());
        answers
    }
}

fn ray1(rays: &[Ray1]) -> Ray1 {
    rays[0]
}

fn hit1(rays: &[Ray1]) -> RayHit1 {
    RayHit1::new(rays[0])
}

fn hit16(rays: &[Ray1]) -> RayHit16 {
    RayHit16::new(rays)
}

fn t_of_hits(asked: &[RayHit1], _: &[()]) -> Vec<f64> {
    let t = |asked: &RayHit1| if asked.hit.geom == MISSED { f32::INFINITY } else { asked.ray.t_far };
    asked.iter().map(|asked| f64::from(t(asked))).collect()
}

fn t_of_hits16(asked: &[RayHit16], _: &[()]) -> Vec<f64> {
    let t = |asked: &RayHit16, lane: usize| {
        if asked.hit.geom[lane] == MISSED { f32::INFINITY } else { asked.ray.t_far[lane] }
    };
    asked.iter().flat_map(|asked| (0..LANES).map(move |lane| f64::from(t(asked, lane)))).collect()
}

/// Embree marks an occluded ray by an end of -infinity.
fn occlusion(end: f32) -> f64 {
    if end < 0.0 { 0.0 } else { f64::INFINITY }
}

fn blocked(asked: &[Ray1], _: &[()]) -> Vec<f64> {
    asked.iter().map(|ray| occlusion(ray.t_far)).collect()
}

fn blocked16(asked: &[Ray16], _: &[()]) -> Vec<f64> {
    asked.iter().flat_map(|packet| packet.t_far.map(occlusion)).collect()
}

fn counts<P>(_: &[P], beside: &[Crossings]) -> Vec<f64> {
    let of_one = |crossings: &Crossings| {
        let ends = crossings.ends.iter();
        ends.scan(0, |from, &end| Some((end - std::mem::replace(from, end)) as f64)).collect::<Vec<f64>>()
    };
    beside.iter().flat_map(of_one).collect()
}

/// The default scene, built again for each run.
///
/// # Errors
/// What Embree reports.
pub fn build<'a>(
    library: &'static Embree,
    mesh: &'a Mesh,
    forced: Option<Isa>,
    threads: usize,
) -> Result<Box<dyn Build + 'a>, String> {
    let device = Device::new(library, &config(threads, forced))?;
    Ok(Box::new(Rebuilt { device, mesh, last: None }))
}

struct Rebuilt<'a> {
    device: Arc<Device>,
    mesh: &'a Mesh,
    last: Option<Result<ffi::Scene, String>>,
}

impl Run for Rebuilt<'_> {
    fn reset(&mut self) {
        self.last = None;
    }

    fn run(&mut self) {
        self.last = Some(ffi::Scene::new(&self.device, self.mesh, Kind::Fast));
    }
}

impl Build for Rebuilt<'_> {
    fn bytes(&self) -> Result<Option<usize>, String> {
        self.last.as_ref().map(|last| last.as_ref().map(ffi::Scene::bytes).map_err(String::clone)).transpose()
    }
}
