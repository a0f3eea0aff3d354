//! Heightfields beside parry3d's: the closest hit of a ray, and what a sample weighs.

use std::error::Error;

use hitscan::glam::DVec3;
use hitscan::heightfield::{HeightScale, Heightfield};
use hitscan::{Filter, Ray};
use hitscan_bench::peers::parry::ray;
use hitscan_bench::peers::{Rival, Team};
use hitscan_bench::rays::random::Random;
use parry3d::math::Vector;
use parry3d::query::RayCast;
use parry3d::shape::HeightField;
use parry3d::utils::Array2;

use crate::contest::{Answers, Bench, Contest, single};
use crate::things::{hills, segments, within};

/// Samples a side: a power of two of cells, so that both have the same corners on every bit.
const SIDES: [usize; 2] = [1025, 4097];
/// Rays of each row.
const ASKED: usize = 16_384;

/// Bytes a sample.
pub struct Memory {
    pub side: usize,
    pub u16: f64,
    pub f32: f64,
    pub parry: f64,
}

pub fn hold(bench: &mut Bench<'_>, teams: &[Team]) -> Result<Vec<Memory>, Box<dyn Error>> {
    let sides = if bench.options.quick { &SIDES[..1] } else { &SIDES };
    sides.iter().map(|&side| one(bench, &teams[0], side)).collect()
}

/// A square of terrain, its samples one unit apart.
fn one(bench: &mut Bench<'_>, team: &Team, side: usize) -> Result<Memory, Box<dyn Error>> {
    let half = 0.5 * (side - 1) as f64;
    let top = 0.06 * (side as f64);
    let scale = HeightScale { offset: 0.0, scale: top / 65535.0, no_data: None };
    let builder = || Heightfield::builder(side, side).origin([-half; 2]);
    let small = builder().build_u16(hills(side), scale)?;
    let heights: Vec<f32> = (0..side * side).filter_map(|i| small.height(i % side, i / side)).collect();
    // Theirs is filled by columns, which run along x as ours do.
    let columns: Vec<f32> = (0..side * side).filter_map(|i| small.height(i / side, i % side)).collect();
    let large = builder().build_f32(heights)?;
    let size = Vector::new(2.0 * half as f32, 1.0, 2.0 * half as f32);
    let peer = HeightField::new(Array2::new(side, side, columns), size);

    let mut random = Random(4);
    let asked = bench.options.few(ASKED);
    let box_of = |low: f64, high: f64| [DVec3::new(-half, low, -half), DVec3::new(half, high, half)];
    let steep = segments(asked, || {
        let from = within(box_of(top, 2.0 * top), &mut random);
        [from, from + random.on_sphere() * top - DVec3::new(0.0, 2.0 * top, 0.0)]
    });
    let level = segments(asked, || {
        [within(box_of(0.9 * top, top), &mut random), within(box_of(0.6 * top, 0.9 * top), &mut random)]
    });
    for (name, rays) in [("steep", steep), ("level", level)] {
        let sizes = rays.iter().map(|ray| 2.0 * half / ray.dir().length()).collect();
        let theirs = rays.iter().map(ray).collect();
        let parry = single("parry3d", theirs, |(ray, far)| {
            let hit = peer.cast_local_ray_and_get_normal(ray, *far, false);
            hit.map_or(f64::INFINITY, |hit| f64::from(hit.time_of_impact))
        });
        bench.hold(Contest {
            what: format!("heightfield of {side} x {side}, closest, {name}"),
            team,
            answers: Answers::Depths(sizes),
            touches: None,
            rivals: vec![ours("hitscan", &rays, &small), ours("hitscan, f32", &rays, &large), parry],
        });
    }
    let samples = (side * side) as f64;
    let statuses = size_of_val(peer.cells_statuses().data());
    Ok(Memory {
        side,
        u16: small.bytes() as f64 / samples,
        f32: large.bytes() as f64 / samples,
        parry: (size_of_val(peer.heights().data()) + statuses) as f64 / samples,
    })
}

fn ours<'a>(name: &'static str, rays: &[Ray], terrain: &'a Heightfield) -> Rival<'a> {
    single(name, rays.to_vec(), |ray| terrain.closest(ray, &Filter::ALL).map_or(f64::INFINITY, |hit| hit.t))
}
