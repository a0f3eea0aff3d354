//! The masonry along a side: floors, walls of two triangles, cornices with their dentils, and the pier at its corner.

use hitscan::glam::DVec3;

use super::Material::{self, DarkTile, Plaster, Sandstone, Terracotta};
use super::arcade::HALF;
use super::object::{Object, smooth};
use super::plan::{BAY, DEPTH, FLOOR, Hall, LOWER_TOP, SPRING, Side, UPPER_FLOOR, UPPER_SPRING, UPPER_TOP};

/// Thickness of the wall behind the galleries.
const WALL: f64 = 0.5;

/// Adds what runs along the whole side.
pub(super) fn add(hall: &mut Hall, side: &Side) {
    let named = |thing: &str| format!("{} {thing}", side.name);
    let length = side.length();
    let course =
        |object: &mut Object, material, profile: &[[f64; 2]]| course(object, length, material, profile);
    hall.add(named("lower floor"), side.frame, |object| {
        course(object, Sandstone, &[[0.75, 0.0], [0.75, FLOOR], [0.40, FLOOR]]);
        course(object, DarkTile, &[[0.40, FLOOR], [0.0, FLOOR], [-0.4, FLOOR]]);
        course(object, Terracotta, &[[-0.4, FLOOR], [-DEPTH, FLOOR]]);
    });
    hall.add(named("upper floor"), side.frame, |object| {
        course(object, Terracotta, &[[-HALF, UPPER_FLOOR], [-DEPTH, UPPER_FLOOR]]);
    });
    hall.add(named("wall"), side.frame, |object| {
        course(object, Plaster, &[[-DEPTH, FLOOR], [-DEPTH, UPPER_FLOOR]]);
        course(object, Plaster, &[[-DEPTH, UPPER_FLOOR], [-DEPTH, UPPER_TOP]]);
        course(object, Plaster, &[[-DEPTH - WALL, UPPER_TOP + 1.3], [-DEPTH - WALL, -0.3]]);
    });
    hall.add(named("lower cornice"), side.frame, |object| {
        cornice(object, length, LOWER_TOP, UPPER_FLOOR - LOWER_TOP, 0.34);
        dentils(object, length, LOWER_TOP + 0.1);
    });
    hall.add(named("upper cornice"), side.frame, |object| {
        cornice(object, length, UPPER_TOP, 0.42, 0.42);
        dentils(object, length, UPPER_TOP + 0.1);
    });
    hall.add(named("corner piers"), side.frame, |object| {
        // Fills the corner where the arcades of two sides meet.
        let half = HALF + 0.015;
        object.block(Plaster, [-half, SPRING, -half], [half, LOWER_TOP + 0.2, half]);
        object.block(Plaster, [-half, UPPER_SPRING, -half], [half, UPPER_TOP + 0.2, half]);
    });
    hall.add(named("pilasters"), side.frame, |object| {
        for bay in 0..=side.bays {
            let x = f64::from(bay) * BAY;
            for (low, high) in [(FLOOR, SPRING), (UPPER_FLOOR, UPPER_TOP)] {
                object.block(Sandstone, [x - 0.26, low, -DEPTH], [x + 0.26, low + 0.3, -DEPTH + 0.2]);
                object.block(Plaster, [x - 0.22, low + 0.3, -DEPTH], [x + 0.22, high - 0.25, -DEPTH + 0.14]);
                object.block(Sandstone, [x - 0.28, high - 0.25, -DEPTH], [x + 0.28, high, -DEPTH + 0.24]);
            }
        }
    });
}

/// Adds flat bands along a side, from point to point of a profile of depth into the court and height. They end on
/// the diagonals of the corners. Upwards they face the court, backwards they face up.
pub(super) fn course(object: &mut Object, length: f64, material: Material, profile: &[[f64; 2]]) {
    for ends in profile.windows(2) {
        let [[z0, y0], [z1, y1]] = [ends[0], ends[1]];
        object.patch(material, [1, 1], move |u, v| along(length, u, z0 + (z1 - z0) * v, y0 + (y1 - y0) * v));
    }
}

/// A point of a band, at a share of its length.
fn along(length: f64, share: f64, z: f64, y: f64) -> DVec3 {
    DVec3::new(z + (length - 2.0 * z) * share, y, z)
}

/// Adds a moulding along a side that stands out by `reach` at its top, and its flat top.
fn cornice(object: &mut Object, length: f64, low: f64, height: f64, reach: f64) {
    let profile: [[f64; 2]; 9] = [
        [0.0, 0.0],
        [0.12, 0.04],
        [0.16, 0.18],
        [0.18, 0.42],
        [0.52, 0.48],
        [0.58, 0.62],
        [0.86, 0.70],
        [1.0, 0.84],
        [1.0, 1.0],
    ];
    let profile = profile.map(|[out, up]| [HALF + out * reach, low + up * height]);
    let cells = [1, object.fine(24.0, 6)];
    object.patch(Sandstone, cells, move |u, v| {
        let [z, y] = smooth(&profile, v);
        along(length, u, z, y)
    });
    course(object, length, Sandstone, &[[HALF + reach, low + height], [-HALF, low + height], [-HALF, low]]);
}

/// Adds the row of small blocks under a cornice.
fn dentils(object: &mut Object, length: f64, low: f64) {
    const STEP: f64 = 0.3;
    let count = ((length - 2.0 * HALF) / STEP) as u32;
    for i in 0..count {
        let x = HALF + STEP * (f64::from(i) + 0.3);
        object.block(Sandstone, [x, low, HALF + 0.02], [x + 0.5 * STEP, low + 0.09, HALF + 0.15]);
    }
}
