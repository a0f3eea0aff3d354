//! Instances of a mesh, asked for closest hits: beside Embree's scenes of two levels, and parry3d.

use std::error::Error;

use hitscan::{Filter, HitRecord, Instance, Ray, Scene, World};
use hitscan_bench::measure::Run;
use hitscan_bench::peers::embree::{Embree, Instanced};
use hitscan_bench::peers::parry::ray;
use hitscan_bench::peers::{Rival, Session, Team};
use hitscan_bench::rays::random::Random;
use parry3d::shape::CompositeShapeRef;

use crate::contest::{Answers, BATCH, Bench, Contest, SINGLE, single};
use crate::crowd::Crowd;
use crate::things::{boulder, cube, places, segments, within};

/// Instances, and columns and rows of the mesh.
const WORLDS: [(usize, [u32; 2]); 3] = [(1_000, [25, 21]), (10_000, [25, 21]), (1_000, [250, 201])];
/// Rays of each row.
const ASKED: usize = 1 << 16;

pub fn hold(
    bench: &mut Bench<'_>,
    teams: &[Team],
    embree: Option<&'static Embree>,
) -> Result<(), Box<dyn Error>> {
    let worlds = if bench.options.quick { &WORLDS[..1] } else { &WORLDS };
    for &(count, shape) in worlds {
        one(bench, teams, embree, count, shape)?;
    }
    Ok(())
}

/// Segments through a cube that instances fill thinly enough for half of them to miss.
fn one(
    bench: &mut Bench<'_>,
    teams: &[Team],
    embree: Option<&'static Embree>,
    count: usize,
    [columns, rows]: [u32; 2],
) -> Result<(), Box<dyn Error>> {
    let mut random = Random(5);
    let mesh = boulder(columns, rows);
    let side = 4.0 * libm::cbrt(count as f64);
    let places = places(count, side, &mut random);
    let transforms: Vec<_> = places.iter().map(|place| place.transform()).collect();
    let mut world = World::new();
    for &transform in &transforms {
        world.insert(Instance::new(&mesh).at(transform));
    }
    let (scene, crowd) = (world.commit(), Crowd::new(&mesh, &places)?);
    let embree = embree.map(|library| Instanced::new(library, &mesh, &transforms, false)).transpose()?;

    let bounds = cube(side);
    let rays =
        segments(bench.options.few(ASKED), || [within(bounds, &mut random), within(bounds, &mut random)]);
    let sizes = || Answers::Depths(rays.iter().map(|ray| side / ray.dir().length()).collect());
    let name = format!("{count} instances of {} k, closest", mesh.triangles().len() / 1000);

    let mut rivals = vec![single("hitscan", rays.clone(), |ray| scene.closest_record(ray, &Filter::ALL).t)];
    rivals.extend(embree.iter().flat_map(|embree| embree.closest(&rays, SINGLE)));
    let theirs = rays.iter().map(ray).collect();
    rivals.push(single("parry3d", theirs, |(ray, far)| {
        let hit = CompositeShapeRef(&crowd).cast_local_ray_and_get_normal(ray, *far, false);
        hit.map_or(f64::INFINITY, |(_, hit)| f64::from(hit.time_of_impact))
    }));
    bench.hold(Contest {
        what: format!("{name}, single"),
        team: &teams[0],
        answers: sizes(),
        touches: None,
        rivals,
    });

    for team in teams {
        let session = Batches { scene: &scene, rays: &rays, records: Vec::new() };
        let mut rivals = vec![Rival { name: "hitscan", session: Box::new(session) }];
        rivals.extend(embree.iter().flat_map(|embree| embree.closest(&rays, BATCH)));
        let what = format!("{name}, batch of {} k", rays.len() >> 10);
        bench.hold(Contest { what, team, answers: sizes(), touches: None, rivals });
    }
    Ok(())
}

/// All rays in one call, into a list that is used again, as Embree's rays are.
struct Batches<'a> {
    scene: &'a Scene,
    rays: &'a [Ray],
    records: Vec<HitRecord>,
}

impl Run for Batches<'_> {
    fn run(&mut self) {
        self.scene.closest_records(self.rays, &Filter::ALL, &mut self.records);
    }
}

impl Session for Batches<'_> {
    fn answers(&self) -> Vec<f64> {
        self.records.iter().map(|record| record.t).collect()
    }
}
