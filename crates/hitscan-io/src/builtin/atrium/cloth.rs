//! Curtains in the arcades of the long sides, and carpets that hang over the balustrades.

use std::f64::consts::{PI, TAU};

use hitscan::glam::DVec3;

use super::Material::{self, Blue, Bronze, Green, Red};
use super::object::{Object, smooth};
use super::plan::{BAY, FLOOR, Hall, RAIL, SPRING, Side};
use crate::builtin::noise::Random;

/// What the cloth of neighbouring bays is dyed with.
const DYES: [Material; 3] = [Red, Green, Blue];

/// Adds the cloth of a side.
pub(super) fn add(hall: &mut Hall, side: &Side) {
    for bay in (0..side.bays).filter(|_| side.is_long()) {
        let dye = DYES[(bay / 2) as usize % DYES.len()];
        let seed = u64::from(bay) + if side.name == "east" { 100 } else { 0 };
        let name = |thing: &str| format!("{} {thing} {}", side.name, bay + 1);
        if bay % 2 == 0 {
            hall.add(name("curtains"), side.bay(bay), |object| curtains(object, dye, seed));
        } else {
            hall.add(name("carpet"), side.bay(bay), |object| carpet(object, dye, seed));
        }
    }
}

/// Two halves on a rod below the arch, each tied to its column.
fn curtains(object: &mut Object, dye: Material, seed: u64) {
    const TOP: f64 = SPRING - 0.08;
    let cells = [object.fine(6.0, 3), object.fine(24.0, 2)];
    object.tube(Bronze, cells, false, DVec3::Z, 0.025, |t| DVec3::new(0.2 + (BAY - 0.4) * t, TOP, 0.0));
    let mut random = Random::new(seed);
    for side in [1.0, -1.0] {
        let phases: [f64; 3] = std::array::from_fn(|_| random.range(0.0, TAU));
        // How wide the half is, from the floor upwards; a rope holds it in.
        let widths = [[0.58], [0.50], [0.30], [0.20], [0.42], [0.85], [1.12], [1.16]];
        let cells = [object.fine(104.0, 10), object.fine(72.0, 8)];
        object.patch(dye, cells, move |u, v| {
            let across = if side > 0.0 { u } else { 1.0 - u };
            let [width] = smooth(&widths, v);
            let slack = 1.0 - 0.75 * width;
            let folds = libm::sin(TAU * 7.0 * across + phases[0] + 0.9 * libm::sin(3.0 * v + phases[1]));
            let small = libm::sin(TAU * 17.0 * across + phases[2] + 4.0 * v);
            let depth = (0.035 + 0.055 * slack) * folds + 0.012 * small;
            // Between the rings at the top the cloth hangs through.
            let hang = 0.035 * v * v * v * (1.0 - libm::cos(PI * 9.0 * across).abs());
            let from = if side > 0.0 { 0.34 } else { BAY - 0.34 };
            let y = FLOOR + 0.03 + (TOP - FLOOR - 0.03) * v - hang;
            DVec3::new(from + side * width * across, y, depth)
        });
        // The rope around the waist.
        let cells = [object.fine(6.0, 3), object.fine(40.0, 5)];
        let from = if side > 0.0 { 0.34 } else { BAY - 0.34 };
        object.tube(Bronze, cells, true, DVec3::Y, 0.018, move |t| {
            let (x, z) = (0.10 + 0.13 * libm::cos(TAU * t), 0.11 * libm::sin(TAU * t));
            DVec3::new(from + side * x, FLOOR + 1.5 + 0.05 * libm::cos(TAU * t), z)
        });
    }
}

/// A long cloth over the handrail into the court, with a fringe of thin threads.
fn carpet(object: &mut Object, dye: Material, seed: u64) {
    const WIDTH: f64 = 1.25;
    const LOW: f64 = 4.75;
    let phase = Random::new(seed).range(0.0, TAU);
    let place = move |u: f64, v: f64| {
        // Down in front of the rail; what hangs behind it is short.
        let (x, wave) = (BAY / 2.0 + WIDTH * (u - 0.5), libm::sin(TAU * 2.2 * u + phase + 2.0 * v));
        let free = (1.0 - v) * (1.0 - v);
        let flutter = (0.012 + 0.07 * free) * wave + 0.02 * free * libm::sin(TAU * 5.0 * u + 7.0 * v);
        let front = [
            [0.80, LOW],
            [0.79, 5.2],
            [0.78, 5.75],
            [0.66, 6.2],
            [0.30, 6.6],
            [0.19, RAIL + 0.01],
            [-0.10, RAIL + 0.03],
            [-0.215, RAIL - 0.05],
            [-0.225, 6.3],
        ];
        let [z, y] = smooth(&front, v);
        DVec3::new(x, y, z + flutter)
    };
    let cells = [object.fine(72.0, 8), object.fine(96.0, 8)];
    object.patch(dye, cells, place);
    const THREADS: u32 = 40;
    let cells = [3, object.fine(5.0, 1)];
    for i in 0..THREADS {
        let top = place((f64::from(i) + 0.5) / f64::from(THREADS), 0.0);
        object.tube(Bronze, cells, false, DVec3::Z, 0.004, move |t| top - DVec3::Y * (0.16 * t));
    }
}
