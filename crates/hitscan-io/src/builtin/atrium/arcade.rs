//! What stands between two columns: the arch with the wall above it, and the balustrade. `x` runs from the middle of
//! one column to the middle of the next.

use std::f64::consts::PI;

use hitscan::glam::DVec3;

use super::Material::{Marble, Plaster, Sandstone};
use super::object::{Object, smooth};
use super::plan::{BAY, RAIL, UPPER_FLOOR};

/// Of the arch's opening.
const RADIUS: f64 = 1.2;

/// Half of the wall's thickness.
pub(super) const HALF: f64 = 0.3;

/// Adds the wall from the height where the arch springs to its top, with mouldings around the arch on both sides.
pub(super) fn arch(object: &mut Object, spring: f64, top: f64) {
    let steps = object.fine(30.0, 6);
    let middle = BAY / 2.0;
    let on_arch = move |t: f64, radius: f64, z: f64| {
        let angle = PI * (1.0 - t);
        DVec3::new(middle + radius * libm::cos(angle), spring + radius * libm::sin(angle), z)
    };
    for side in [1.0, -1.0] {
        let z = side * HALF;
        // The back is the front seen from behind: what runs to the right runs to the left.
        let turn = move |t: f64| if side > 0.0 { t } else { 1.0 - t };
        object.patch(Plaster, [steps, 1], move |u, v| {
            let low = on_arch(turn(u), RADIUS, z);
            DVec3::new(low.x, low.y + (top - low.y) * v, z)
        });
        for (from, to) in [(0.0, middle - RADIUS), (middle + RADIUS, BAY)] {
            object.patch(Plaster, [1, 1], move |u, v| {
                DVec3::new(from + (to - from) * turn(u), spring + (top - spring) * v, z)
            });
        }
        // Three rounds and two hollows, growing outwards; radius and height above the wall.
        let moulding: [[f64; 2]; 12] = [
            [0.0, -0.04],
            [0.0, 0.03],
            [0.025, 0.055],
            [0.06, 0.05],
            [0.075, 0.03],
            [0.10, 0.035],
            [0.12, 0.07],
            [0.16, 0.075],
            [0.18, 0.05],
            [0.21, 0.055],
            [0.235, 0.085],
            [0.26, 0.0],
        ];
        let cells = [object.fine(48.0, 6), object.fine(22.0, 4)];
        object.patch(Sandstone, cells, move |u, v| {
            let [out, depth] = smooth(&moulding, v);
            on_arch(turn(u), RADIUS - 0.015 + out, z + side * depth)
        });
    }
    object.patch(Sandstone, [steps, 2], move |u, v| on_arch(u, RADIUS, 2.0 * HALF * v - HALF));
    keystone(object, spring);
}

/// A wedge at the crown, with a knob of turned stone.
fn keystone(object: &mut Object, spring: f64) {
    let (low, high, z) = (spring + RADIUS - 0.05, spring + RADIUS + 0.34, HALF + 0.12);
    let corner = move |right: f64, up: f64, front: f64| {
        let half = 0.09 + 0.05 * up;
        DVec3::new(BAY / 2.0 + half * (2.0 * right - 1.0), low + (high - low) * up, z * (2.0 * front - 1.0))
    };
    object.patch(Sandstone, [1, 1], move |u, v| corner(u, v, 1.0));
    object.patch(Sandstone, [1, 1], move |u, v| corner(1.0 - u, v, 0.0));
    object.patch(Sandstone, [1, 1], move |u, v| corner(0.0, v, u));
    object.patch(Sandstone, [1, 1], move |u, v| corner(1.0, v, 1.0 - u));
    object.patch(Sandstone, [1, 1], move |u, v| corner(u, 1.0, 1.0 - v));
    object.patch(Sandstone, [1, 1], move |u, v| corner(u, 0.0, v));
    let cells = [object.fine(24.0, 5), object.fine(12.0, 3)];
    object.patch(Marble, cells, move |u, v| {
        // Half a ball, from its rim to a small hole at the front where the last ring ends.
        let (angle, up) = (2.0 * PI * u, 0.5 * PI * (1.0 - 0.98 * v));
        let (radius, front) = (0.075 * libm::sin(up), 0.06 * libm::cos(up));
        let place = corner(0.5, 0.55, 1.0);
        place + DVec3::new(radius * libm::cos(angle), radius * libm::sin(angle), front)
    });
}

/// Balusters between two columns.
const BALUSTERS: u32 = 9;

/// Adds the pedestal of the column and the balusters between it and the next, from the floor upwards.
pub(super) fn balustrade(object: &mut Object) {
    let height = RAIL - UPPER_FLOOR;
    object.block(Sandstone, [-0.33, 0.0, -0.33], [0.33, 0.12, 0.33]);
    object.block(Marble, [-0.29, 0.12, -0.29], [0.29, height - 0.12, 0.29]);
    object.block(Sandstone, [-0.34, height - 0.12, -0.34], [0.34, height, 0.34]);
    object.block(Sandstone, [0.33, 0.0, -0.16], [BAY - 0.33, 0.11, 0.16]);
    object.block(Sandstone, [0.29, height - 0.13, -0.18], [BAY - 0.29, height - 0.01, 0.18]);
    let profile: [[f64; 2]; 12] = [
        [0.085, 0.0],
        [0.085, 0.04],
        [0.055, 0.055],
        [0.05, 0.09],
        [0.075, 0.16],
        [0.088, 0.23],
        [0.070, 0.33],
        [0.045, 0.44],
        [0.036, 0.53],
        [0.058, 0.58],
        [0.045, 0.61],
        [0.078, 0.64],
    ];
    let foot = object.frame;
    for i in 0..BALUSTERS {
        let x = 0.5 + (BAY - 1.0) * f64::from(i) / f64::from(BALUSTERS - 1);
        object.frame = foot.at(x, 0.11, 0.0);
        let cells = [object.fine(16.0, 4), object.fine(26.0, 4)];
        let scale = (height - 0.24) / 0.64;
        let profile = profile.map(|[radius, y]| [radius, y * scale]);
        object.turned(Marble, cells, &profile, |_, _| 1.0);
    }
    object.frame = foot;
}
