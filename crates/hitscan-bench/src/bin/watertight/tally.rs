//! Counts of misses and of wrong sums.

use std::error::Error;

use hitscan::{Face, Filter, Instance, Mesh, Ray, Transform, World};
use hitscan_bench::peers::embree::{self, Embree, Instanced};
use hitscan_oracle::seams::Wall;
use hitscan_oracle::suite::{self, Aimed};
use hitscan_oracle::{self as oracle, Rng};

use crate::engines;
use crate::subjects::Subject;

/// What is wrong with one engine's answers.
pub struct Faults {
    pub engine: &'static str,
    /// Rays that have to hit something, and do not.
    pub misses: u64,
    /// Rays whose crossings do not add up; `None` where they were not asked for.
    pub sums: Option<u64>,
}

/// One line of the table.
pub struct Row {
    pub name: String,
    /// Sizes and places.
    pub cases: usize,
    pub rays: u64,
    /// How many of them have to hit something.
    pub sure: u64,
    /// Ours first.
    pub faults: Vec<Faults>,
}

impl Row {
    /// Faults of ours.
    pub fn ours(&self) -> u64 {
        self.faults[0].misses + self.faults[0].sums.unwrap_or(0)
    }

    fn add(&mut self, engine: &'static str, misses: u64, sums: Option<u64>) {
        match self.faults.iter_mut().find(|faults| faults.engine == engine) {
            None => self.faults.push(Faults { engine, misses, sums }),
            Some(faults) => {
                faults.misses += misses;
                faults.sums = faults.sums.zip(sums).map(|(all, more)| all + more);
            }
        }
    }
}

fn ray(ray: &oracle::Ray) -> Ray {
    Ray::new(ray.origin, ray.dir).expect("a direction that is not zero")
}

/// The suite's rays at a mesh of every size and at every place; one point of the outline in so many.
pub fn of_meshes(
    subject: &Subject,
    embree: Option<&'static Embree>,
    step: usize,
    rng: &mut Rng,
) -> Result<Row, Box<dyn Error>> {
    let mut row = Row { name: subject.mesh.name.clone(), cases: 0, rays: 0, sure: 0, faults: Vec::new() };
    let mut within = Rng::new(rng.bits());
    for case in suite::cases(&subject.mesh, subject.sizes, subject.offsets, &mut within) {
        let mesh = Mesh::new(case.mesh.vertices.clone(), case.mesh.triangles.clone())?;
        let points: Vec<[f64; 3]> = suite::outline(&case.mesh, rng).into_iter().step_by(step).collect();
        let aimed = case.aim(&points, rng);
        let rays: Vec<Ray> = aimed.iter().map(|aimed| ray(&aimed.ray)).collect();
        let sure = |aimed: &Aimed| aimed.depth != 0;
        for engine in engines::all(&mesh, embree)? {
            let (hits, sums) = (engine.hits(&rays), engine.sums(&rays));
            let misses = hits.iter().zip(&aimed).filter(|(hit, aimed)| sure(aimed) && !**hit).count();
            let wrong = sums.iter().zip(&aimed).filter(|(sum, aimed)| **sum != -aimed.depth).count();
            row.add(engine.name(), misses as u64, Some(wrong as u64));
        }
        row.cases += 1;
        row.rays += rays.len() as u64;
        row.sure += aimed.iter().filter(|aimed| sure(aimed)).count() as u64;
    }
    Ok(row)
}

/// Rays at the seams between instances of a cube; all have to hit. parry3d has no instances.
pub fn of_seams(
    embree: Option<&'static Embree>,
    points: usize,
    rng: &mut Rng,
) -> Result<Row, Box<dyn Error>> {
    let wall = Wall::of_cubes();
    let tile = Mesh::new(wall.tile.vertices.clone(), wall.tile.triangles.clone())?;
    let places: Vec<Transform> =
        wall.places.iter().map(|&place| Transform::translation(place)).collect::<Result<_, _>>()?;
    let rays: Vec<Ray> = wall.aim(points, rng).iter().map(ray).collect();
    let mut world = World::new();
    for &place in &places {
        world.insert(Instance::new(&tile).at(place));
    }
    let lists = world.commit().all_hits_batch(&rays, &Filter::ALL);
    let side = |facing| if facing == Face::Front { 1 } else { -1 };
    let wrong = lists.iter().filter(|hits| hits.iter().map(|hit| side(hit.facing)).sum::<i32>() != 0);
    let misses = lists.iter().filter(|hits| hits.is_empty());
    let count = rays.len() as u64;
    let name = "seams between cubes".to_owned();
    let mut row = Row { name, cases: 1, rays: count, sure: count, faults: Vec::new() };
    row.add("hitscan", misses.count() as u64, Some(wrong.count() as u64));
    if let Some(library) = embree {
        for (name, robust) in [(embree::FAST, false), (embree::ROBUST, true)] {
            let hits = Instanced::new(library, &tile, &places, robust)?.hits(&rays);
            row.add(name, hits.iter().filter(|hit| !**hit).count() as u64, None);
        }
    }
    Ok(row)
}
