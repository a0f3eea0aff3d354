//! `bench SCENE`: this machine and this scene: its trees, then instruction sets and forms side by side.

mod machine;
mod rates;
mod rays;
mod spread;
mod table;
mod trees;

use std::time::{Duration, Instant};

use hitscan::Isa;
use serde::Serialize;

use super::Args;
use crate::args::Common;
use crate::failure::Failure;
use crate::output::print;
use crate::progress::Progress;
use crate::report;
use crate::scene::Loaded;
use crate::view::{default_camera, named};
use rates::Rate;
use rays::Recorder;
use trees::Tree;

/// What was measured, as JSON tells it.
#[derive(Debug, Serialize)]
struct Report<'a> {
    scene: &'a str,
    machine: String,
    architecture: &'static str,
    threads: usize,
    /// The one that walks where nothing else is said.
    instruction_set: &'static str,
    /// Of all meshes, each counted once.
    triangles: usize,
    meshes: usize,
    instances: usize,
    trees: Vec<Tree>,
    rates: Vec<Rate>,
    rounds: usize,
}

/// The share of the time that goes to building.
const BUILDING: f64 = 0.25;

/// Measures and prints.
pub fn run(args: &Args, common: Common) -> Result<(), Failure> {
    let mut clock = Clock::new(args.seconds, common.quiet);
    clock.tell("reading the scene");
    let loaded = Loaded::named(&args.scene, args.reading)?;
    let camera = match &args.camera {
        Some(name) => named(name, &loaded.model, &loaded.name)?,
        None => default_camera(&loaded, [1, 1]).map_err(|error| Failure::new(&loaded.name, error))?,
    };
    let (trees, scenes) = trees::measured(&loaded, &mut clock, BUILDING)?;
    let recorder = Recorder::new(&loaded, &camera);
    let rates::Measured { rates, closest, rounds } = rates::measured(&recorder, &scenes, &mut clock)?;
    let trees = trees.into_iter().zip(closest).map(|(tree, closest)| Tree { closest, ..tree }).collect();
    drop(clock);
    let report = Report {
        scene: &loaded.name,
        machine: machine::name(),
        architecture: std::env::consts::ARCH,
        threads: rayon::current_num_threads(),
        instruction_set: Isa::best().name(),
        triangles: loaded.model.meshes.iter().map(|named| named.mesh.counts().triangles).sum(),
        meshes: loaded.model.meshes.len(),
        instances: loaded.model.nodes.len(),
        trees,
        rates,
        rounds,
    };
    if args.json { report::json(&report) } else { print(&table::text(&report)) }
}

/// How long it has been and may yet be, shown while it runs.
struct Clock {
    began: Instant,
    seconds: f64,
    progress: Progress,
    /// What the bar has been told, in milliseconds.
    shown: u64,
}

impl Clock {
    fn new(seconds: f64, quiet: bool) -> Clock {
        let progress = Progress::new(Some((1e3 * seconds) as u64), quiet);
        Clock { began: Instant::now(), seconds, progress, shown: 0 }
    }

    /// Seconds since the beginning.
    fn passed(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// Seconds that are left; 0 where it took longer.
    fn left(&self) -> f64 {
        (self.seconds - self.passed()).max(0.0)
    }

    /// Moves the bar to where the time is, and says what is done now.
    fn tell(&mut self, words: &str) {
        let now = self.began.elapsed().min(Duration::from_secs_f64(self.seconds)).as_millis() as u64;
        self.progress.advance(now.saturating_sub(self.shown), words.to_owned());
        self.shown = self.shown.max(now);
    }
}
