//! Builds, commits, queries and cancellations on all threads at once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use hitscan::saved::{Notes, Saved};
use hitscan::{Build, Cancel, Filter, Hit, Mesh, MeshError, Preset, Progress, Ray, Watch};
use hitscan_oracle as oracle;
use hitscan_oracle::entry::Placement;
use hitscan_oracle::rays::{KINDS, Shooter};
use hitscan_oracle::{Rng, TriMesh, meshes};

use crate::compare::{Bits, all_bits, bits, expected_bits};
use crate::memory;
use crate::stage::{Moment, Stage};

/// One answer in so many is held against brute force.
const CHECKED: u64 = 1000;

/// Rays of a batch.
const RAYS: usize = 2000;

/// How long all work before they come to a rest, about, and how many rests there are at least.
const LAP: Duration = Duration::from_secs(60);
const LAPS: u32 = 6;

/// At a rest nothing is left of what was worked on. Memory is flat where what is allocated at the last rest is at most so much
/// more than at the first: what the threads that remain may keep.
const LEFT: u64 = 1 << 20;

/// What was done.
#[derive(Default)]
struct Tally {
    builds: AtomicU64,
    ended_builds: AtomicU64,
    commits: AtomicU64,
    answers: AtomicU64,
    ended_batches: AtomicU64,
    checked: AtomicU64,
    saved: AtomicU64,
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
        write!(
            f,
            "{} builds and {} that were ended, {} commits, {} answers, {} of them checked, {} batches that were ended, {} scenes saved and opened",
            count(&self.builds),
            count(&self.ended_builds),
            count(&self.commits),
            count(&self.answers),
            count(&self.checked),
            count(&self.ended_batches),
            count(&self.saved)
        )
    }
}

/// Works for so long, lap by lap, and fails where an answer is wrong, something panics or memory is left behind.
pub fn run(time: Duration, threads: usize, seed: u64) -> Result<(), String> {
    println!("{} minutes on {threads} threads, seed {seed}", time.as_secs() / 60);
    let (begin, tally) = (Instant::now(), Tally::default());
    let lap = LAP.min(time / LAPS);
    let mut rests = Vec::new();
    while begin.elapsed() < time {
        let until = (begin.elapsed() + lap).min(time);
        work_until(begin, until, threads, seed ^ (rests.len() as u64) << 48, &tally)
            .map_err(|broken| format!("{broken}; --seed {seed} begins the same way"))?;
        let rest = memory::Level::now();
        eprintln!("{:>5} s: at rest: {rest}", begin.elapsed().as_secs());
        rests.push(rest);
    }
    println!("{tally}");
    flat(&rests)
}

/// Fills a stage, works on it until then, and clears it away.
fn work_until(
    begin: Instant,
    until: Duration,
    threads: usize,
    seed: u64,
    tally: &Tally,
) -> Result<(), String> {
    let stage = Stage::new();
    let (done, broken) = (AtomicBool::new(false), Mutex::new(None));
    let worker = |number: usize| {
        let rng = Rng::new(seed ^ (number as u64) << 32);
        Worker { stage: &stage, tally, rng, answers: 0 }
    };
    let mut first = worker(threads);
    while !stage.is_full() {
        first.build()?;
    }
    let end = |error: String| {
        broken.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        done.store(true, Ordering::Relaxed);
    };
    thread::scope(|scope| {
        for number in 0..threads {
            let (worker, done, end) = (worker(number), &done, &end);
            scope.spawn(move || match catch_unwind(AssertUnwindSafe(|| worker.work(done))) {
                Ok(Ok(())) => {}
                Ok(Err(error)) => end(format!("thread {number}: {error}")),
                Err(_) => end(format!("thread {number} panicked")),
            });
        }
        let mut told = begin.elapsed();
        while begin.elapsed() < until && !done.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(100));
            if begin.elapsed() >= told + Duration::from_secs(10) {
                told = begin.elapsed();
                eprintln!("{:>5} s: {tally}; {}", told.as_secs(), memory::Level::now());
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    broken.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

/// Whether as little is left at the last rest as at the first.
fn flat(rests: &[memory::Level]) -> Result<(), String> {
    let ([first, ..], [.., last]) = (rests, rests) else {
        return Err("it never came to a rest".to_owned());
    };
    println!("memory at rest: first {first}; last, the {}th, {last}", rests.len());
    println!("the process never took more than {}", memory::mib(memory::most()));
    if last.allocated > first.allocated + LEFT {
        return Err(format!(
            "memory is left behind: {} bytes at the first rest, {} at the last",
            first.allocated, last.allocated
        ));
    }
    Ok(())
}

struct Worker<'a> {
    stage: &'a Stage,
    tally: &'a Tally,
    rng: Rng,
    /// Answers that were not checked since one was.
    answers: u64,
}

impl Worker<'_> {
    fn work(mut self, done: &AtomicBool) -> Result<(), String> {
        while !done.load(Ordering::Relaxed) {
            match self.rng.below(16) {
                0 => self.build()?,
                1 => self.end_a_build()?,
                2..=4 => {
                    self.stage.shuffle(&mut self.rng)?;
                    count(&self.tally.commits, 1);
                }
                5 => self.save()?,
                6 => self.end_a_batch()?,
                _ => self.ask()?,
            }
        }
        Ok(())
    }

    /// Some mesh of up to some thousand triangles.
    fn shape(&mut self) -> TriMesh {
        let rng = &mut self.rng;
        match rng.below(6) {
            0 => meshes::terrain(8 + rng.below(40), 5, rng),
            1 => meshes::soup(1 + rng.below(2000), rng),
            2 => meshes::any_sizes(1 + rng.below(1000), rng),
            3 => meshes::icosphere(rng.below(4)).mesh,
            4 => meshes::torus(1.0, 0.4, 5 + rng.below(40), 4 + rng.below(20), 0).mesh,
            _ => meshes::open_fan(3 + rng.below(300)),
        }
    }

    fn build(&mut self) -> Result<(), String> {
        let shape = self.shape();
        let preset = self.rng.pick(Preset::ALL);
        let mut mesh = built(Build::new().preset(preset), &shape).map_err(|error| error.to_string())?;
        let mut shape = Arc::new(shape);
        if self.rng.one_in(3) {
            // The same after a move of its vertices.
            let moved = shape.scaled(2.0);
            mesh.refit(moved.vertices.clone()).map_err(|error| error.to_string())?;
            shape = Arc::new(moved);
        }
        mesh.check().map_err(|error| format!("{}: {error}", shape.name))?;
        self.stage.enter(&mesh, &shape, &mut self.rng)?;
        count(&self.tally.builds, 1);
        count(&self.tally.commits, 1);
        Ok(())
    }

    /// Ended when it has told so many times how far it is; what comes back is a whole mesh or none.
    fn end_a_build(&mut self) -> Result<(), String> {
        let shape = meshes::soup(3000, &mut self.rng);
        let (cancel, told, last) = (Cancel::new(), AtomicUsize::new(0), self.rng.below(30));
        let end = |_: Progress| {
            if told.fetch_add(1, Ordering::Relaxed) == last {
                cancel.cancel();
            }
        };
        let build = Build::new()
            .preset(self.rng.pick(Preset::ALL))
            .watch(Watch::new().cancel(&cancel).progress(&end));
        match built(build, &shape) {
            Ok(mesh) => mesh.check().map_err(|error| error.to_string())?,
            Err(MeshError::Cancelled) => count(&self.tally.ended_builds, 1),
            Err(other) => return Err(other.to_string()),
        }
        Ok(())
    }

    fn end_a_batch(&mut self) -> Result<(), String> {
        let moment = self.stage.moment();
        let (_, rays) = self.rays(&moment, RAYS);
        let cancel = Cancel::new();
        let watch = Watch::new().cancel(&cancel);
        let wait = Duration::from_micros(self.rng.below(3_000) as u64);
        let ended = thread::scope(|scope| {
            let ender = scope.spawn(|| {
                thread::sleep(wait);
                cancel.cancel();
            });
            let answered = moment.scene.watched(watch).all_hits_batch(&rays, &Filter::ALL);
            let ended = answered.is_err();
            ender.join().map(|()| ended)
        });
        if ended.map_err(|_| "the thread that ends a batch panicked")? {
            count(&self.tally.ended_batches, 1);
        }
        Ok(())
    }

    /// What is saved and opened again answers as before.
    fn save(&mut self) -> Result<(), String> {
        let moment = self.stage.moment();
        let mut file = Vec::new();
        let saved = Saved { scene: moment.scene.clone(), notes: Notes::new() };
        saved.write(&mut file).map_err(|error| error.to_string())?;
        let opened = Saved::read(&file).map_err(|error| error.to_string())?.scene;
        let (_, rays) = self.rays(&moment, 50);
        for ray in &rays {
            let (before, after) =
                (moment.scene.all_hits(ray, &Filter::ALL), opened.all_hits(ray, &Filter::ALL));
            if before != after {
                return Err(format!("{ray:?}: {before:?}, and of the saved scene {after:?}"));
            }
        }
        count(&self.tally.saved, 1);
        Ok(())
    }

    /// One kind of question, asked of a moment while others change the world.
    fn ask(&mut self) -> Result<(), String> {
        let moment = self.stage.moment();
        let (questions, rays) = self.rays(&moment, RAYS);
        let (scene, all) = (&moment.scene, &Filter::ALL);
        match self.rng.below(5) {
            0 => {
                let answers = scene.closest_batch(&rays, all);
                let agrees =
                    |ray: usize, all: &[Bits]| answers[ray].as_ref().map(bits) == all.first().copied();
                self.check("closest", &moment, &questions, agrees)
            }
            1 => {
                let answers = scene.all_hits_batch(&rays, all);
                self.check("all hits", &moment, &questions, |ray, all| all_bits(answers.get(ray)) == all)
            }
            2 => {
                let answers = scene.occluded_batch(&rays, all);
                self.check("occluded", &moment, &questions, |ray, all| answers[ray] != all.is_empty())
            }
            3 => {
                let answers = scene.first_n_batch(&rays, all, 3);
                let agrees = |ray: usize, all: &[Bits]| all_bits(answers.get(ray)) == all[..all.len().min(3)];
                self.check("the first three", &moment, &questions, agrees)
            }
            _ => {
                let answers: Vec<Vec<Hit>> = rays.iter().map(|ray| scene.all_hits(ray, all)).collect();
                self.check("all hits, one ray at a time", &moment, &questions, |ray, all| {
                    all_bits(&answers[ray]) == all
                })
            }
        }
    }

    /// Holds each thousandth of these answers against brute force.
    fn check(
        &mut self,
        what: &str,
        moment: &Moment,
        questions: &[oracle::Ray],
        agrees: impl Fn(usize, &[Bits]) -> bool,
    ) -> Result<(), String> {
        let placed = moment.placed();
        count(&self.tally.answers, questions.len() as u64);
        for (number, ray) in questions.iter().enumerate() {
            self.answers += 1;
            if self.answers == CHECKED {
                self.answers = 0;
                let expected: Vec<Bits> = oracle::all_hits(&placed, ray)
                    .iter()
                    .map(|hit| expected_bits(&moment.in_world(hit)))
                    .collect();
                if !agrees(number, &expected) {
                    return Err(format!("{what}: {ray:?} in {placed:?}: by brute force {expected:?}"));
                }
                count(&self.tally.checked, 1);
            }
        }
        Ok(())
    }

    /// Rays of every kind at what stands there, or anywhere where nothing does.
    fn rays(&mut self, moment: &Moment, number: usize) -> (Vec<oracle::Ray>, Vec<Ray>) {
        let rng = &mut self.rng;
        let placed = moment.placed();
        let shooters: Vec<(Shooter<'_>, Placement)> =
            placed.iter().map(|placed| (Shooter::new(placed.mesh), placed.placement)).collect();
        let (mut questions, mut rays) = (Vec::with_capacity(number), Vec::with_capacity(number));
        while questions.len() < number {
            let ray = if shooters.is_empty() {
                oracle::Ray::new(rng.in_cube(9.0), rng.direction())
            } else {
                let (shooter, placement) = shooters[rng.below(shooters.len())];
                let local = shooter.ray(rng.pick(&KINDS), rng);
                let to = std::array::from_fn(|i| local.origin[i] + local.dir[i]);
                oracle::Ray::towards(placement.point(local.origin), placement.point(to))
            };
            // A few placements and shooters are so far off that their rays are none.
            if let Ok(asked) = Ray::new(ray.origin, ray.dir) {
                questions.push(ray);
                rays.push(asked);
            }
        }
        (questions, rays)
    }
}

fn count(of: &AtomicU64, more: u64) {
    of.fetch_add(more, Ordering::Relaxed);
}

fn built(build: Build<'_>, shape: &TriMesh) -> Result<Mesh, MeshError> {
    Mesh::build(build, shape.vertices.clone(), shape.triangles.clone())
}
