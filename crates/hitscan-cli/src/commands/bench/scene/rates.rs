//! Questions asked in every form, by turns, until the time is over.

use std::hint::black_box;
use std::time::Instant;

use hitscan::{Filter, Isa, Ray, Scene};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;

use super::Clock;
use super::rays::{Kind, Recorder};
use super::spread::Spread;
use super::trees::Built;
use crate::failure::Failure;

/// What is asked of a ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    Closest,
    Occluded,
    AllHits,
    FirstEight,
}

impl Question {
    /// All of them, in the order of the table.
    pub const ALL: [Question; 4] =
        [Question::Closest, Question::Occluded, Question::AllHits, Question::FirstEight];

    /// As the table calls it.
    pub fn name(self) -> &'static str {
        ["closest", "occluded", "all hits", "first 8"][self as usize]
    }
}

/// How it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A call for each ray, one after the other.
    Calls,
    /// One call for all rays, on one thread.
    Batch,
    /// The same on all threads.
    AllThreads,
}

impl Form {
    /// As JSON calls it.
    pub fn name(self) -> &'static str {
        ["calls", "batch", "all threads"][self as usize]
    }
}

/// A question in a form, measured.
#[derive(Debug, Serialize)]
pub struct Rate {
    /// What its tree was built with.
    pub preset: &'static str,
    pub kind: &'static str,
    pub question: &'static str,
    pub form: &'static str,
    pub instruction_set: &'static str,
    pub threads: usize,
    /// Rays of a round.
    pub rays: usize,
    /// Of a round: rays that hit something, or hits where the answers are lists.
    pub hits: usize,
    pub million_rays_per_second: Spread,
}

/// All of them, with what the trees of each preset answer: see [`super::trees::Tree::closest`].
pub struct Measured {
    pub rates: Vec<Rate>,
    pub closest: Vec<f64>,
    pub rounds: usize,
}

/// Rounds that the time is divided into, the fewest, and the most.
const ROUNDS: [usize; 3] = [7, 3, 31];

/// Sides of the squares of rays: of the first try, and the least and the largest of a round.
const TRIED: u32 = 32;
const SIDES: [f64; 2] = [32.0, 1024.0];

/// One row of the measurement: a question in a form to a scene.
struct Cell<'a> {
    preset: &'static str,
    scene: Scene,
    kind: usize,
    question: Question,
    form: Form,
    one: &'a ThreadPool,
    hits: usize,
    seconds: Vec<f64>,
}

/// Asks the scene of each preset: of the first one in every form and with every instruction set.
pub fn measured(recorder: &Recorder<'_>, scenes: &[Built], clock: &mut Clock) -> Result<Measured, Failure> {
    let one = ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .map_err(|error| Failure::new("the system", format_args!("{error}; expected one more thread")))?;
    let mut cells = cells(scenes, &one);

    // The first try tells what a ray takes, and so how many there is time for.
    clock.tell("trying");
    let tried = Kind::ALL.map(|kind| recorder.rays(kind, TRIED));
    for cell in &mut cells {
        cell.ask(&tried[cell.kind]);
    }
    let share = clock.left() / (ROUNDS[0] * Kind::ALL.len()) as f64;
    let sides: Vec<u32> =
        tried.iter().enumerate().map(|(kind, tried)| side(&cells, kind, tried.len(), share)).collect();
    clock.tell("recording rays");
    let rays: Vec<Vec<Ray>> =
        Kind::ALL.iter().zip(sides).map(|(&kind, side)| recorder.rays(kind, side)).collect();
    cells.retain(|cell| !rays[cell.kind].is_empty());
    cells.iter_mut().for_each(|cell| cell.seconds.clear());

    let mut rounds = 0;
    loop {
        let began = clock.passed();
        for cell in &mut cells {
            cell.ask(&rays[cell.kind]);
            clock.tell(&format!("asking, round {}", rounds + 1));
        }
        rounds += 1;
        let is_over = 1.5 * (clock.passed() - began) > clock.left();
        if rounds == ROUNDS[2] || rounds >= ROUNDS[1] && is_over {
            break;
        }
    }
    agree(&cells)?;
    let closest = scenes.iter().map(|built| closest(&cells, built.preset, &rays)).collect();
    let rates = cells.into_iter().map(|cell| cell.rate(&rays)).collect();
    Ok(Measured { rates, closest, rounds })
}

/// What is measured: everything on the trees of the first preset, and the closest hit by calls on those of the others.
fn cells<'a>(scenes: &[Built], one: &'a ThreadPool) -> Vec<Cell<'a>> {
    let mut cells = Vec::new();
    for (number, Built { preset, scene }) in scenes.iter().enumerate() {
        let mut add = |kind, question, form, scene: &Scene| {
            let scene = scene.clone();
            cells.push(Cell { preset, scene, kind, question, form, one, hits: 0, seconds: Vec::new() });
        };
        for kind in 0..Kind::ALL.len() {
            if number > 0 {
                add(kind, Question::Closest, Form::Calls, scene);
                continue;
            }
            for question in Question::ALL {
                for scene in Isa::ALL.iter().filter_map(|&isa| scene.with_isa(isa)) {
                    add(kind, question, Form::Calls, &scene);
                }
                add(kind, question, Form::Batch, scene);
                if rayon::current_num_threads() > 1 {
                    add(kind, question, Form::AllThreads, scene);
                }
            }
        }
    }
    cells
}

/// The side of the square of rays of a kind, so that all their cells together take about so many seconds.
fn side(cells: &[Cell<'_>], kind: usize, tried: usize, seconds: f64) -> u32 {
    let took: f64 = cells.iter().filter(|cell| cell.kind == kind).flat_map(|cell| &cell.seconds).sum();
    let rays = tried as f64 * seconds / took.max(1e-9);
    8 * (rays.sqrt().clamp(SIDES[0], SIDES[1]) / 8.0) as u32
}

/// All forms have to give the same hits.
fn agree(cells: &[Cell<'_>]) -> Result<(), Failure> {
    for cell in cells {
        let same = |other: &&Cell<'_>| (other.kind, other.question) == (cell.kind, cell.question);
        let Some(first) = cells.iter().find(same).filter(|first| first.hits != cell.hits) else { continue };
        return Err(Failure::new(
            format_args!("{} rays, {}", Kind::ALL[cell.kind].name(), cell.question.name()),
            format_args!(
                "{} hits by {} with {}, {} by {} with {}; expected the same number",
                first.hits,
                first.form.name(),
                first.scene.isa(),
                cell.hits,
                cell.form.name(),
                cell.scene.isa(),
            ),
        ));
    }
    Ok(())
}

/// The geometric mean over the kinds of rays, in million rays a second, with the trees of a preset.
fn closest(cells: &[Cell<'_>], preset: &str, rays: &[Vec<Ray>]) -> f64 {
    let best = |cell: &&Cell<'_>| {
        cell.preset == preset
            && cell.question == Question::Closest
            && cell.form == Form::Calls
            && cell.scene.isa() == Isa::best()
    };
    let logs: Vec<f64> =
        cells.iter().filter(best).map(|cell| libm::log(cell.rays_per_second(rays).median)).collect();
    libm::exp(logs.iter().sum::<f64>() / logs.len() as f64) / 1e6
}

impl Cell<'_> {
    /// One round.
    fn ask(&mut self, rays: &[Ray]) {
        let start = Instant::now();
        self.hits = match self.form {
            Form::Calls => calls(&self.scene, self.question, rays),
            Form::Batch => self.one.install(|| batch(&self.scene, self.question, rays)),
            Form::AllThreads => batch(&self.scene, self.question, rays),
        };
        self.seconds.push(start.elapsed().as_secs_f64());
    }

    fn rays_per_second(&self, rays: &[Vec<Ray>]) -> Spread {
        Spread::of(self.seconds.clone()).inverse(rays[self.kind].len() as f64)
    }

    fn rate(self, rays: &[Vec<Ray>]) -> Rate {
        let count = rays[self.kind].len();
        Rate {
            preset: self.preset,
            kind: Kind::ALL[self.kind].name(),
            question: self.question.name(),
            form: self.form.name(),
            instruction_set: self.scene.isa().name(),
            threads: if self.form == Form::AllThreads { rayon::current_num_threads() } else { 1 },
            rays: count,
            hits: self.hits,
            million_rays_per_second: Spread::of(self.seconds).inverse(count as f64 / 1e6),
        }
    }
}

/// The hits of calls of one ray.
fn calls(scene: &Scene, question: Question, rays: &[Ray]) -> usize {
    let all = &Filter::ALL;
    let rays = rays.iter();
    match question {
        Question::Closest => rays.map(|ray| usize::from(black_box(scene.closest(ray, all)).is_some())).sum(),
        Question::Occluded => rays.map(|ray| usize::from(scene.occluded(ray, all))).sum(),
        Question::AllHits => rays.map(|ray| black_box(scene.all_hits(ray, all)).len()).sum(),
        Question::FirstEight => rays.map(|ray| black_box(scene.first_n(ray, all, 8)).len()).sum(),
    }
}

/// The hits of one call for all rays.
fn batch(scene: &Scene, question: Question, rays: &[Ray]) -> usize {
    let all = &Filter::ALL;
    match question {
        Question::Closest => scene.closest_batch(rays, all).iter().flatten().count(),
        Question::Occluded => scene.occluded_batch(rays, all).into_iter().filter(|&blocked| blocked).count(),
        Question::AllHits => scene.all_hits_batch(rays, all).hits().len(),
        Question::FirstEight => scene.first_n_batch(rays, all, 8).hits().len(),
    }
}
