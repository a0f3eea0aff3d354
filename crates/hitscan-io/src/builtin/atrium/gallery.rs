//! Behind the arcades: vaults with ribs below, beams and braces above, doors, shutters, and the roof over it all.

use std::f64::consts::PI;

use hitscan::glam::DVec3;

use super::Material::{Beam, Bronze, Oak, Plaster, RoofTile, Sandstone};
use super::object::Object;
use super::plan::{BAY, DEPTH, FLOOR, Hall, SPRING, Side, UPPER_FLOOR, UPPER_TOP};
use super::stone::course;

/// Adds the gallery of a side, with the corner before it.
pub(super) fn add(hall: &mut Hall, side: &Side) {
    for bay in 0..=side.bays {
        // The corner is the bay before the first one.
        let frame = side.frame.at((f64::from(bay) - 1.0) * BAY, 0.0, 0.0);
        hall.add(format!("{} vault {}", side.name, bay), frame, vault);
    }
    for bay in 0..side.bays {
        let frame = side.bay(bay).at(BAY / 2.0, 0.0, -DEPTH);
        if bay % 2 == 1 {
            hall.add(format!("{} door {}", side.name, bay + 1), frame.at(0.0, FLOOR, 0.0), door);
        }
        hall.add(format!("{} shutters {}", side.name, bay + 1), frame.at(0.0, UPPER_FLOOR, 0.0), shutters);
    }
    hall.add(format!("{} ceiling", side.name), side.frame, |object| ceiling(object, side));
    hall.add(format!("{} roof", side.name), side.frame, |object| roof(object, side.length()));
}

/// Two barrels that cross, with a rib on each diagonal and one to the next bay.
fn vault(object: &mut Object) {
    let half = BAY / 2.0;
    let across = move |t: f64| half * (1.0 - libm::cos(PI * t));
    // An even number, so that the crown is a corner of the grid.
    let cells = 2 * object.fine(10.0, 2);
    object.patch(Plaster, [cells, cells], move |u, v| {
        let rise = libm::sin(PI * u).max(libm::sin(PI * v));
        DVec3::new(across(u), SPRING + half * rise, across(v) - DEPTH)
    });
    let cells = [object.fine(8.0, 3), object.fine(36.0, 6)];
    for mirror in [false, true] {
        let (sideways, level) =
            if mirror { (-1.0, DVec3::new(1.0, 0.0, 1.0)) } else { (1.0, DVec3::new(-1.0, 0.0, 1.0)) };
        object.tube(Sandstone, cells, false, level, 0.055, move |t| {
            let x = half + sideways * (across(t) - half);
            DVec3::new(x, SPRING + half * libm::sin(PI * t), across(t) - DEPTH)
        });
    }
    object.tube(Sandstone, cells, false, DVec3::X, 0.08, move |t| {
        DVec3::new(BAY, SPRING + half * libm::sin(PI * t), across(t) - DEPTH)
    });
}

/// Beams across the upper gallery, boards above them, and a brace from the wall to each beam.
fn ceiling(object: &mut Object, side: &Side) {
    const STEP: f64 = 0.75;
    let length = side.length();
    course(object, length, Oak, &[[-DEPTH, UPPER_TOP], [-0.3, UPPER_TOP]]);
    let beams = libm::round((length + 2.0 * DEPTH) / STEP) as u32 - 1;
    for i in 0..beams {
        let x = STEP * f64::from(i + 1) - DEPTH;
        // On the diagonal of a corner the beams of the next side go on.
        let end = if x < 0.0 { x } else { (length - x).min(0.0) } - 0.3;
        object.block(Beam, [x - 0.06, UPPER_TOP - 0.2, -DEPTH], [x + 0.06, UPPER_TOP, end]);
        if (0.0..=length).contains(&x) {
            let foot = DVec3::new(x, UPPER_TOP - 1.1, -DEPTH);
            let head = DVec3::new(x, UPPER_TOP - 0.12, -DEPTH + 1.0);
            object.tube(Beam, [4, 1], false, DVec3::X, 0.045, move |t| foot + (head - foot) * t);
        }
    }
}

/// A panelled door in a stone frame, with two handles.
fn door(object: &mut Object) {
    for (low, high) in
        [([-0.85, 0.0], [-0.65, 2.7]), ([0.65, 0.0], [0.85, 2.7]), ([-0.95, 2.7], [0.95, 2.95])]
    {
        object.block(Sandstone, [low[0], low[1], 0.0], [high[0], high[1], 0.14]);
    }
    object.block(Oak, [-0.65, 0.0, 0.0], [0.65, 2.7, 0.05]);
    for x in [-0.56, 0.08] {
        for (low, high) in [(0.2, 1.0), (1.15, 1.7), (1.85, 2.55)] {
            object.block(Beam, [x, low, 0.05], [x + 0.48, high, 0.07]);
            object.block(Oak, [x + 0.06, low + 0.06, 0.07], [x + 0.42, high - 0.06, 0.085]);
        }
    }
    let cells = [object.fine(8.0, 3), object.fine(24.0, 5)];
    for x in [-0.08, 0.08] {
        object.tube(Bronze, cells, true, DVec3::Z, 0.012, move |t| {
            let angle = 2.0 * PI * t;
            DVec3::new(x + 0.05 * libm::cos(angle), 1.1 + 0.05 * libm::sin(angle), 0.1)
        });
    }
}

/// A window with closed shutters of thin slats.
fn shutters(object: &mut Object) {
    const SLATS: u32 = 20;
    let (low, high) = (0.9, 2.7);
    object.block(Sandstone, [-0.75, low - 0.16, 0.0], [0.75, low, 0.2]);
    object.block(Sandstone, [-0.72, high, 0.0], [0.72, high + 0.18, 0.16]);
    for x in [-0.62, 0.02] {
        for (from, to) in [(x, x + 0.07), (x + 0.53, x + 0.60)] {
            object.block(Beam, [from, low, 0.0], [to, high, 0.06]);
        }
        for i in 0..SLATS {
            let y = low + (high - low) * (f64::from(i) + 0.5) / f64::from(SLATS);
            let [a, b] = [DVec3::new(x + 0.07, y - 0.035, 0.05), DVec3::new(x + 0.53, y - 0.035, 0.05)];
            object.flat(Beam, a, b, a + DVec3::new(0.0, 0.07, -0.035));
        }
    }
}

/// Rows of round tiles that slope down to the court.
fn roof(object: &mut Object, length: f64) {
    const TILE: f64 = 0.24;
    let (low, high) = ([0.85, UPPER_TOP + 0.50], [-DEPTH - 0.7, UPPER_TOP + 1.75]);
    let tiles = libm::round((length + 2.0 * DEPTH) / TILE);
    let cells = [tiles as u32 * object.fine(4.0, 2), object.fine(20.0, 2)];
    object.patch(RoofTile, cells, move |u, v| {
        let z = low[0] + (high[0] - low[0]) * v;
        let x = z + (length - 2.0 * z) * u;
        // Each tile lies on the one below it.
        let (row, column) = (v * 10.0, x / TILE);
        let step = 0.03 * (1.0 - (row - libm::floor(row)));
        let round = libm::sqrt((1.0 - 0.9 * libm::cos(PI * column) * libm::cos(PI * column)).max(0.0));
        DVec3::new(x, low[1] + (high[1] - low[1]) * v + 0.07 * round + step, z)
    });
    course(
        object,
        length,
        Beam,
        &[[-DEPTH - 0.7, high[1] - 0.05], [0.85, low[1] - 0.05], [0.85, low[1] + 0.05]],
    );
}
