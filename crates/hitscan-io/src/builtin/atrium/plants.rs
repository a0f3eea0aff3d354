//! Plants in pots: agaves before every second column, palms in the corners of the court.

use std::f64::consts::TAU;

use hitscan::glam::DVec3;

use super::Material::{Beam, Leaf, Soil, Terracotta};
use super::object::Object;
use super::plan::{FLOOR, Hall, Side};
use crate::builtin::noise::Random;

/// Adds the plants of a side, with the palm in its first corner.
pub(super) fn add(hall: &mut Hall, side: &Side) {
    for bay in (2..side.bays).step_by(2) {
        let seed = side.name.len() as u64 * 16 + u64::from(bay);
        let frame = side.bay(bay).at(0.0, 0.0, 1.15);
        hall.add(format!("{} agave {}", side.name, bay / 2), frame, |object| agave(object, seed));
    }
    let frame = side.frame.at(1.55, 0.0, 1.55);
    hall.add(format!("{} palm", side.name), frame, |object| palm(object, u64::from(side.name.as_bytes()[0])));
}

/// A pot with a rim, full of soil; gives the height of the soil.
fn pot(object: &mut Object, size: f64) -> f64 {
    let profile = [
        [0.30, 0.0],
        [0.33, 0.03],
        [0.40, 0.30],
        [0.47, 0.62],
        [0.46, 0.68],
        [0.54, 0.70],
        [0.55, 0.80],
        [0.50, 0.82],
        [0.46, 0.79],
        [0.42, 0.66],
    ];
    let profile = profile.map(|[radius, height]| [radius * size, height * size]);
    let cells = [object.fine(48.0, 10), object.fine(40.0, 9)];
    object.turned(Terracotta, cells, &profile, |_, _| 1.0);
    let height = 0.72 * size;
    object.wrapped(Soil, [cells[0], 2], [true, false], move |u, v| {
        let radius = size * (0.47 - 0.46 * v);
        DVec3::new(radius * libm::sin(TAU * u), height + 0.05 * size * v, radius * libm::cos(TAU * u))
    });
    height
}

/// A blade from `root` outwards and up, that bends down; half as wide as `width` at most to each side, and folded
/// along its middle.
fn blade(object: &mut Object, cells: [u32; 2], root: DVec3, out: DVec3, length: f64, steep: f64, width: f64) {
    let across = DVec3::Y.cross(out);
    object.patch(Leaf, cells, move |u, v| {
        let (far, high) =
            (length * v * (1.0 - 0.3 * steep), length * (steep * v - (0.25 + 0.3 * steep) * v * v));
        let side = 2.0 * u - 1.0;
        // Never quite a point: a point would be a triangle without an area.
        let half = width * (0.04 + 2.2 * libm::sqrt(v) * (1.0 - v));
        root + out * far + DVec3::Y * (high + 0.5 * half * side.abs()) + across * (half * side)
    });
}

/// A rosette of broad leaves.
fn agave(object: &mut Object, seed: u64) {
    const LEAVES: u32 = 40;
    let soil = pot(object, 0.72 - FLOOR * 0.2);
    let mut random = Random::new(seed);
    for leaf in 0..LEAVES {
        let share = f64::from(leaf) / f64::from(LEAVES);
        // Each leaf is turned by the golden angle from the one before; the last ones stand up.
        let angle = TAU * 0.381_966 * f64::from(leaf) + random.range(-0.15, 0.15);
        let out = DVec3::new(libm::sin(angle), 0.0, libm::cos(angle));
        let length = random.range(0.62, 0.82) * (1.0 - 0.25 * share);
        let root = out * (0.10 * (1.0 - share)) + DVec3::Y * (soil + 0.1 * share);
        let cells = [2 * object.fine(1.5, 1), object.fine(14.0, 2)];
        blade(object, cells, root, out, length, 0.45 + 1.5 * share, 0.055);
    }
}

/// A bent trunk with a crown of fronds, each a rib with narrow leaves to both sides.
fn palm(object: &mut Object, seed: u64) {
    const FRONDS: u32 = 16;
    const PAIRS: u32 = 20;
    let soil = pot(object, 1.0);
    let mut random = Random::new(seed);
    let lean = random.range(0.0, TAU);
    let lean = DVec3::new(libm::sin(lean), 0.0, libm::cos(lean));
    let (foot, height) = (DVec3::Y * soil, random.range(2.0, 2.6));
    let cells = [object.fine(24.0, 6), object.fine(90.0, 8)];
    object.wrapped(Beam, cells, [true, false], move |u, v| {
        // Scars of old leaves make rings.
        let ring = v * 16.0;
        let radius = (0.12 - 0.05 * v) * (1.0 + 0.13 * (ring - libm::floor(ring)));
        let round = DVec3::new(libm::sin(TAU * u), 0.0, libm::cos(TAU * u));
        foot + DVec3::Y * (height * v) + lean * (0.35 * v * v) + round * radius
    });
    let crown = foot + DVec3::Y * height + lean * 0.35;
    for frond in 0..FRONDS {
        let angle = TAU * 0.381_966 * f64::from(frond);
        let out = DVec3::new(libm::sin(angle), 0.0, libm::cos(angle));
        let across = DVec3::Y.cross(out);
        let (length, steep) = (random.range(1.15, 1.5), random.range(0.35, 1.5));
        let rib = move |t: f64| {
            let high = length * (steep * t - (0.45 + 0.45 * steep) * t * t);
            crown + out * (length * t * (1.0 - 0.25 * steep * 0.5)) + DVec3::Y * high
        };
        let cells = [object.fine(5.0, 3), object.fine(20.0, 4)];
        object.tube(Leaf, cells, false, across, 0.011, rib);
        let cells = [1, object.fine(3.0, 1)];
        for pair in 0..PAIRS {
            let t = 0.12 + 0.86 * f64::from(pair) / f64::from(PAIRS);
            let (root, along) = (rib(t), (rib(t + 0.01) - rib(t)).normalize());
            let long = 0.42 * libm::sqrt(t * (1.15 - t));
            for side in [1.0, -1.0] {
                object.patch(Leaf, cells, move |u, v| {
                    let half = 0.016 * (1.03 - v) * (u - 0.5) * 2.0;
                    let tip = across * (side * 0.88 * v) + along * (0.45 * v) - DVec3::Y * (0.35 * v * v);
                    root + tip * long + along * (half * side)
                });
            }
        }
    }
}
