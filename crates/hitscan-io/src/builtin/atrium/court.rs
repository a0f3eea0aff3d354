//! The court: a floor of large tiles, and a fountain in its middle.

use std::f64::consts::{PI, TAU};

use hitscan::glam::DVec3;

use super::Material::{Bronze, DarkTile, Marble, PaleTile, Sandstone, Water};
use super::object::{Frame, Object};
use super::plan::{BAY, BAYS, Hall};

/// Side of a tile.
const TILE: f64 = 0.75;

/// Adds both.
pub(super) fn add(hall: &mut Hall) {
    hall.add("court floor".to_owned(), Frame::HALL, floor);
    hall.add("fountain".to_owned(), Frame::HALL, fountain);
}

/// Tiles of two triangles, dark and pale by turns.
fn floor(object: &mut Object) {
    let [long, short] = BAYS.map(|bays| f64::from(bays) * BAY / 2.0);
    let tiles = [short, long].map(|half| (2.0 * half / TILE) as i64);
    for i in 0..tiles[0] {
        for j in 0..tiles[1] {
            let corner = DVec3::new(-short + i as f64 * TILE, 0.0, -long + (j + 1) as f64 * TILE);
            let material = if (i + j) % 2 == 0 { PaleTile } else { DarkTile };
            object.flat(material, corner, corner + DVec3::X * TILE, corner - DVec3::Z * TILE);
        }
    }
}

/// An eight-sided basin, a foot, two bowls and a finial; the water has rings.
fn fountain(object: &mut Object) {
    let wall = [
        [1.75, 0.0],
        [1.75, 0.1],
        [1.62, 0.16],
        [1.60, 0.42],
        [1.70, 0.50],
        [1.72, 0.58],
        [1.60, 0.62],
        [1.45, 0.60],
        [1.42, 0.50],
        [1.42, 0.05],
    ];
    let cells = [8 * object.fine(16.0, 2), object.fine(44.0, 9)];
    object.turned(Sandstone, cells, &wall, |u, _| {
        let side = u * 8.0 - libm::floor(u * 8.0) - 0.5;
        libm::cos(PI / 8.0) / libm::cos(side * PI / 4.0)
    });
    water(object, 1.42, 0.46, 0.16);
    let foot = [
        [0.50, 0.0],
        [0.50, 0.5],
        [0.36, 0.58],
        [0.20, 0.72],
        [0.17, 0.95],
        [0.26, 1.05],
        [0.20, 1.15],
        [0.30, 1.25],
    ];
    let cells = [object.fine(64.0, 12), object.fine(48.0, 8)];
    object.turned(Marble, cells, &foot, |_, _| 1.0);
    bowl(object, 1.25, 0.92);
    let stem = [[0.22, 1.35], [0.15, 1.5], [0.10, 1.75], [0.15, 1.83], [0.10, 1.9], [0.17, 1.98]];
    object.turned(Marble, cells, &stem, |_, _| 1.0);
    bowl(object, 1.98, 0.48);
    let finial =
        [[0.12, 2.05], [0.08, 2.2], [0.13, 2.3], [0.14, 2.38], [0.05, 2.5], [0.06, 2.55], [0.008, 2.72]];
    object.turned(Bronze, cells, &finial, |_, _| 1.0);
}

/// A shallow bowl with a scalloped outside, full of water.
fn bowl(object: &mut Object, low: f64, radius: f64) {
    let profile = [
        [0.25, 0.0],
        [0.6, 0.05],
        [0.9, 0.16],
        [1.0, 0.26],
        [0.97, 0.29],
        [0.92, 0.26],
        [0.8, 0.17],
        [0.3, 0.1],
    ];
    let profile = profile.map(|[out, up]| [out * radius, low + up * radius]);
    let cells = [object.fine(128.0, 24), object.fine(56.0, 8)];
    object.turned(Marble, cells, &profile, |u, v| {
        // Only the outside, which is the first half of the profile, has ribs.
        let ribs = (1.0 - 2.2 * v).max(0.0) * (2.2 * v).min(1.0);
        1.0 + 0.10 * ribs * libm::cos(TAU * 18.0 * u).abs()
    });
    water(object, 0.9 * radius, low + 0.23 * radius, 0.12);
}

/// Water in a round basin, around what stands in its middle.
fn water(object: &mut Object, radius: f64, height: f64, inner: f64) {
    let cells = [object.fine(72.0, 16), object.fine(40.0, 3)];
    object.wrapped(Water, cells, [true, false], move |u, v| {
        let far = radius + (inner - radius) * v;
        let wave = 0.006 * libm::sin(TAU * far / 0.11) * (1.0 - 0.6 * v);
        DVec3::new(far * libm::sin(TAU * u), height + wave, far * libm::cos(TAU * u))
    });
}
