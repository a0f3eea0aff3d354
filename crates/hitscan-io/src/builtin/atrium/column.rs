//! A fluted column with a base and a leafy capital, from its foot upwards.

use std::f64::consts::{PI, TAU};

use hitscan::glam::DVec3;

use super::Material::{Marble, Sandstone};
use super::object::{Object, rise};

/// Hollows around a shaft.
const FLUTES: u32 = 20;

/// Adds a column that stands on the frame's origin; `radius` is that of its shaft, at the bottom.
pub(super) fn column(object: &mut Object, height: f64, radius: f64) {
    let r = radius;
    let plinth = 0.6 * r;
    object.block(Sandstone, [-1.42 * r, 0.0, -1.42 * r], [1.42 * r, plinth, 1.42 * r]);
    let base = [
        [1.30, 0.0],
        [1.40, 0.10],
        [1.40, 0.26],
        [1.28, 0.36],
        [1.16, 0.42],
        [1.12, 0.52],
        [1.20, 0.60],
        [1.24, 0.68],
        [1.18, 0.76],
        [1.04, 0.82],
        [1.0, 0.92],
    ];
    let base = base.map(|[radius, height]| [radius * r, plinth + height * r]);
    let cells = [object.fine(56.0, 10), object.fine(20.0, 5)];
    object.turned(Sandstone, cells, &base, |_, _| 1.0);

    let (low, high) = (plinth + 0.92 * r, height - 2.5 * r);
    let cells = [FLUTES * object.fine(5.0, 1), object.fine(26.0, 3)];
    object.wrapped(Marble, cells, [true, false], move |u, v| {
        // A little narrower upwards, and not on a straight line; flutes end in a round hollow at both ends.
        let narrow = 1.0 - 0.15 * v * (0.35 + 0.65 * v);
        let flute = u * f64::from(FLUTES);
        let side = (flute - libm::floor(flute) - 0.5) / 0.44;
        let hollow = libm::sqrt((1.0 - side * side).max(0.0));
        let ends = libm::sqrt(rise(0.015, 0.06, v) * rise(0.985, 0.94, v));
        let radius = r * narrow * (1.0 - 0.12 * hollow * ends);
        let angle = TAU * u;
        DVec3::new(radius * libm::sin(angle), low + (high - low) * v, radius * libm::cos(angle))
    });
    capital(object, height, 0.85 * r);
}

/// The top of a column: a ring, a bell with two rows of leaves that curl outwards, four scrolls and a slab.
fn capital(object: &mut Object, top: f64, r: f64) {
    let low = top - 2.5 / 0.85 * r;
    let ring = [[1.0, 0.0], [1.14, 0.06], [1.14, 0.16], [1.0, 0.22]];
    let ring = ring.map(|[radius, height]| [radius * r, low + height * r]);
    let cells = [object.fine(56.0, 10), object.fine(8.0, 2)];
    object.turned(Sandstone, cells, &ring, |_, _| 1.0);

    let (low, high) = (low + 0.22 * r, top - 0.42 * r);
    let cells = [object.fine(112.0, 12), object.fine(44.0, 4)];
    object.wrapped(Marble, cells, [true, false], move |u, v| {
        let bell = r * (0.98 + 0.42 * v * v * v);
        let leaves = leaf(u * 8.0, v / 0.46).max(leaf(u * 8.0 + 0.5, (v - 0.30) / 0.50));
        let (angle, radius) = (TAU * u, bell + r * leaves);
        DVec3::new(radius * libm::sin(angle), low + (high - low) * v, radius * libm::cos(angle))
    });

    let cells = [object.fine(7.0, 3), object.fine(34.0, 4)];
    for corner in 0..4 {
        let angle = PI / 4.0 + PI / 2.0 * f64::from(corner);
        let out = DVec3::new(libm::sin(angle), 0.0, libm::cos(angle));
        let across = out.cross(DVec3::Y);
        let centre = out * (1.62 * r) + DVec3::Y * (top - 0.70 * r);
        object.tube(Marble, cells, false, across, 0.075 * r, move |t| {
            // From the bell over the top into the middle, twice around.
            let (turn, far) = (TAU * (0.45 - 1.9 * t), r * (0.34 - 0.27 * t));
            centre + (out * -libm::cos(turn) + DVec3::Y * libm::sin(turn)) * far
        });
    }
    object.block(Sandstone, [-1.55 * r, top - 0.42 * r, -1.55 * r], [1.55 * r, top - 0.2 * r, 1.55 * r]);
    object.block(Sandstone, [-1.68 * r, top - 0.2 * r, -1.68 * r], [1.68 * r, top, 1.68 * r]);
}

/// How far a leaf stands out: `around` counts leaves, `up` goes from its foot at 0 to its tip at 1.
fn leaf(around: f64, up: f64) -> f64 {
    if !(0.0..=1.0).contains(&up) {
        return 0.0;
    }
    let side = 2.0 * (around - libm::floor(around) - 0.5);
    let half = 0.92 - 0.55 * up * up;
    let flesh = (1.0 - side * side / (half * half)).max(0.0);
    // A rib in the middle, and notches along the edge.
    let vein = 1.0 - 0.25 * (1.0 - (side / 0.12) * (side / 0.12)).max(0.0);
    let notch = 1.0 - 0.22 * (0.5 - 0.5 * libm::cos(TAU * 4.0 * up)) * side.abs();
    let curl = 0.10 + 0.34 * up * up * up;
    curl * libm::sqrt(flesh) * vein * notch
}
