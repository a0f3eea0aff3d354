//! Ironwork: lanterns on chains in the arches, and thin cables across the court.

use std::f64::consts::TAU;

use hitscan::glam::DVec3;

use super::Material::{Bronze, Lamp, Steel};
use super::object::Object;
use super::plan::{BAY, BAYS, Hall, LOWER_TOP, SPRING, Side, UPPER_SPRING};

/// Adds the ironwork of a side; that of the court is strung from one of its long sides.
pub(super) fn add(hall: &mut Hall, side: &Side) {
    for bay in 0..side.bays {
        let frame = side.bay(bay).at(BAY / 2.0, SPRING + 1.18, 0.0);
        hall.add(format!("{} lantern {}", side.name, bay + 1), frame, |object| {
            let below = chain(object, 9);
            lantern(object, below);
        });
    }
    if side.name == "east" {
        hall.add("cables".to_owned(), side.frame, cables);
    }
}

/// Links that hang from the frame's origin, every second one turned; gives the height of the last one's end.
fn chain(object: &mut Object, links: u32) -> f64 {
    const STEP: f64 = 0.062;
    let cells = [object.fine(5.0, 3), object.fine(12.0, 4)];
    for link in 0..links {
        let y = -STEP * (f64::from(link) + 0.6);
        let (level, across) = if link % 2 == 0 { (DVec3::X, DVec3::Z) } else { (DVec3::Z, DVec3::X) };
        object.tube(Bronze, cells, true, across, 0.007, move |t| {
            level * (0.021 * libm::cos(TAU * t)) + DVec3::Y * (y + 0.04 * libm::sin(TAU * t))
        });
    }
    -STEP * (f64::from(links) + 0.2)
}

/// A six-sided lantern around a lamp; its top is at `top`.
fn lantern(object: &mut Object, top: f64) {
    let at = move |profile: &[[f64; 2]]| -> Vec<[f64; 2]> {
        profile.iter().map(|[radius, up]| [*radius, top - 0.46 + up]).collect()
    };
    let cells = [object.fine(24.0, 5), object.fine(16.0, 4)];
    let cap = at(&[[0.155, 0.30], [0.15, 0.33], [0.10, 0.38], [0.045, 0.43], [0.02, 0.46]]);
    object.turned(Bronze, cells, &cap, |_, _| 1.0);
    let foot = at(&[[0.008, 0.0], [0.025, 0.02], [0.02, 0.04], [0.10, 0.07], [0.12, 0.09]]);
    object.turned(Bronze, cells, &foot, |_, _| 1.0);
    let glow = at(&[[0.01, 0.09], [0.055, 0.13], [0.07, 0.19], [0.05, 0.25], [0.01, 0.30]]);
    object.turned(Lamp, cells, &glow, |_, _| 1.0);
    let cells = [object.fine(5.0, 3), 1];
    for bar in 0..6 {
        let angle = TAU * f64::from(bar) / 6.0;
        let out = DVec3::new(libm::sin(angle), 0.0, libm::cos(angle));
        object.tube(Bronze, cells, false, out, 0.006, move |t| {
            out * (0.118 + 0.03 * t) + DVec3::Y * (top - 0.37 + 0.21 * t)
        });
    }
}

/// Cables from column to column, two that cross in every second pair of bays, with lanterns where they do.
fn cables(object: &mut Object) {
    const HEIGHT: f64 = UPPER_SPRING - 0.4;
    let width = f64::from(BAYS[1]) * BAY;
    let side = object.frame;
    for pair in 0..BAYS[0] / 2 {
        let [near, far] = [0, 2].map(|step| f64::from(2 * pair + step) * BAY);
        let cells = [object.fine(5.0, 3), object.fine(40.0, 6)];
        for (from, to) in [(near, far), (far, near)] {
            object.tube(Steel, cells, false, DVec3::Y, 0.014, move |t| {
                let sag = 4.0 * t * (1.0 - t) * 0.55;
                DVec3::new(from + (to - from) * t, HEIGHT - sag, 0.25 + (width - 0.5) * t)
            });
        }
        object.frame = side.at((near + far) / 2.0, HEIGHT - 0.55, width / 2.0);
        let below = chain(object, 22);
        lantern(object, below);
        object.frame = side;
    }
    // Ties from wall to wall, in the direction of the short arcades.
    let cells = [object.fine(5.0, 3), 1];
    for bay in 0..=BAYS[0] {
        let x = f64::from(bay) * BAY;
        object.tube(Steel, cells, false, DVec3::Y, 0.02, move |t| {
            DVec3::new(x, LOWER_TOP - 1.62, -0.2 - (BAY - 0.3) * t)
        });
    }
}
