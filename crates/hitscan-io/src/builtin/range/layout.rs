//! What stands where.

use hitscan::glam::DVec3;

use super::Material::{
    Aluminium, Blue, Brass, Concrete, Glass, Gravel, Green, Orange, Red, Steel, Stone, White,
};
use super::{Builder, Frame, house, parts};
use crate::builtin::place::Place;

/// The default camera, looking down the range from beside the shooters.
pub(super) const EYE: [f64; 3] = [-2.9, 2.7, 8.3];
pub(super) const LOOK: [f64; 3] = [3.1, 0.85, -1.6];
pub(super) const FOV: f64 = 39.0;

/// Where the building stands.
const HOUSE: [f64; 3] = [0.4, 0.0, -8.2];

pub(super) fn place_all(range: &mut Builder, frame: Frame) {
    grounds(range);
    building(range);
    statue(range);
    plates(range);
    fence(range);
    targets(range);
    crates_and_balls(range);
    posts(range);
    bench(range, frame);
}

fn grounds(range: &mut Builder) {
    range.single("ground", parts::ground(), Place::here());
    range.single("pad", parts::slab(Concrete, 3.6, 0.06, 4.4), Place::at(-1.6, 0.0, 1.6));
    range.single("lane", parts::slab(Gravel, 16.0, 0.035, 3.0), Place::at(2.0, 0.0, 1.9));
}

fn building(range: &mut Builder) {
    let [x, y, z] = HOUSE;
    let at = |dx: f64, dy: f64, dz: f64| Place::at(x + dx, y + dy, z + dz);
    range.single("house walls", house::walls(), at(0.0, 0.0, 0.0));
    range.single("house roof", house::roof(), at(0.0, 0.0, 0.0).turned(DVec3::Y, 90.0));
    range.single("house floor", house::floor(), at(0.0, 0.0, 0.0));
    range.single("house chimney", house::chimney(), at(1.5, 0.0, -0.7));
    range.single("house door", house::door(), at(house::DOOR[1] - 0.02, 0.12, 2.03).turned(DVec3::Y, 72.0));
    let gable = range.mesh("gable", house::gable());
    for (i, along) in house::GABLES.into_iter().enumerate() {
        range.put(format!("house gable {}", i + 1), gable, at(along, 0.0, 0.0).turned(DVec3::Y, 90.0));
    }
    let window = range.mesh("window", house::window());
    for (i, ([dx, dy, dz], width, in_side)) in house::windows().into_iter().enumerate() {
        let turn = if in_side { 90.0 } else { 0.0 };
        let place = at(dx, dy, dz).turned(DVec3::Y, turn).scaled(width, 1.0, 1.0);
        range.put(format!("house window {}", i + 1), window, place);
    }
}

fn statue(range: &mut Builder) {
    let [x, z] = [1.75, -1.5];
    range.single("pedestal", parts::pedestal(), Place::at(x, 0.0, z));
    range.single("statue", parts::statue(), Place::at(x, parts::PEDESTAL_HEIGHT, z).turned(DVec3::Y, -22.0));
}

/// Five plates across one line of fire, glass and steel by turns.
fn plates(range: &mut Builder) {
    let foot = range.mesh("plate foot", parts::plate_foot());
    let kinds = [
        ("2 mm glass", range.mesh("plate, 2 mm glass", parts::plate(Glass, 0.002))),
        ("50 mm steel", range.mesh("plate, 50 mm steel", parts::plate(Steel, 0.05))),
        ("8 mm glass", range.mesh("plate, 8 mm glass", parts::plate(Glass, 0.008))),
        ("20 mm aluminium", range.mesh("plate, 20 mm aluminium", parts::plate(Aluminium, 0.02))),
    ];
    for (i, (kind, mesh)) in kinds.into_iter().enumerate() {
        let x = 3.0 + 0.95 * i as f64;
        range.put(format!("plate {}, {kind}", i + 1), mesh, Place::at(x, 0.31, 3.2));
        range.put(format!("plate foot {}", i + 1), foot, Place::at(x, 0.03, 3.2));
    }
}

/// Panels along z at the far end of the lane; every second one is mirrored.
fn fence(range: &mut Builder) {
    let panel = range.mesh("fence panel", parts::fence_panel());
    let post = range.mesh("fence post", parts::fence_post());
    let (x, near) = (8.6, 5.2);
    let [length, _] = parts::PANEL;
    let count = 5;
    for i in 0..count {
        let z = near - length * f64::from(i);
        let place = if i % 2 == 0 {
            Place::at(x, 0.02, z).turned(DVec3::Y, 90.0)
        } else {
            Place::at(x, 0.02, z - length).turned(DVec3::Y, 90.0).scaled(-1.0, 1.0, 1.0)
        };
        range.put(format!("fence panel {}", i + 1), panel, place);
    }
    for i in 0..=count {
        range.put(format!("fence post {}", i + 1), post, Place::at(x, 0.0, near - length * f64::from(i)));
    }
}

fn targets(range: &mut Builder) {
    let target = range.mesh("target", parts::target());
    let stand = range.mesh("target stand", parts::target_stand());
    for (i, (x, z)) in [(6.6, -2.6), (7.0, -0.9), (7.2, 0.9)].into_iter().enumerate() {
        let place = Place::at(x - 0.04, 1.25, z).turned(DVec3::Z, 90.0);
        range.put(format!("target {}", i + 1), target, place);
        range.put(format!("target stand {}", i + 1), stand, Place::at(x, 0.0, z));
    }
}

fn crates_and_balls(range: &mut Builder) {
    let wooden = range.mesh("crate", parts::crate_box());
    let crates = [
        (4.1, 0.0, -3.4, 12.0, 1.0),
        (5.0, 0.0, -3.55, -6.0, 1.0),
        (4.55, 0.8, -3.5, 3.0, 1.0),
        (3.3, 0.0, -4.2, 40.0, 1.0),
        (4.6, 0.0, 0.2, 28.0, 0.75),
    ];
    for (i, (x, y, z, turn, size)) in crates.into_iter().enumerate() {
        let place = Place::at(x, y, z).turned(DVec3::Y, turn).scaled(size, size, size);
        range.put(format!("crate {}", i + 1), wooden, place);
    }
    for (name, material, [x, y, z], radius) in [
        ("blue ball", Blue, [3.35, 0.5, -0.1], 0.5),
        ("brass ball", Brass, [4.55, 0.82, 0.22], 0.22),
        ("white ball", White, [3.1, 0.28, 1.0], 0.28),
        ("orange ball", Orange, [5.7, 0.36, 0.5], 0.36),
    ] {
        range.single(name, parts::ball(material), Place::at(x, y, z).scaled(radius, radius, radius));
    }
    let rock = range.mesh("rock", parts::ball(Stone));
    let rocks = [
        (-3.2, -3.4, 0.9, 0.55, 0.7),
        (-2.2, -4.2, 0.5, 0.35, 0.45),
        (9.9, -3.2, 0.8, 0.6, 1.1),
        (5.9, -6.6, 1.1, 0.75, 0.8),
    ];
    for (i, (x, z, a, b, c)) in rocks.into_iter().enumerate() {
        let place = Place::at(x, b * 0.35, z).turned(DVec3::Y, 50.0 * i as f64).scaled(a, b, c);
        range.put(format!("rock {}", i + 1), rock, place);
    }
}

/// Two posts that see each other past everything, and one behind the statue.
fn posts(range: &mut Builder) {
    let post = range.mesh("post", parts::post());
    for (name, x, z) in [("post A", -1.3, 0.6), ("post B", 5.5, -1.6), ("post C", 5.6, -4.15)] {
        range.put(name, post, Place::at(x, 0.0, z));
    }
}

/// The bench with cans; three cans were shot off it and are in the air.
fn bench(range: &mut Builder, frame: Frame) {
    let [x, z] = [0.35, 4.55];
    let top = 0.06 + parts::BENCH_HEIGHT;
    range.single("bench", parts::bench(), Place::at(x, 0.06, z));
    // Aimed at the statue.
    let pointer = Place::at(x - 0.75, top + 0.08, z + 0.05).turned(DVec3::Z, 11.0).turned(DVec3::Y, 71.0);
    range.single("pointer", parts::pointer(), pointer);
    let paints = [("can, red", Red), ("can, green", Green), ("can, blue", Blue)];
    let cans = paints.map(|(name, paint)| range.mesh(name, parts::can(paint)));
    for (i, (along, deep)) in [(-0.1, 0.04), (0.12, -0.06), (0.62, 0.05)].into_iter().enumerate() {
        range.put(format!("can {}", i + 1), cans[i], Place::at(x + along, top, z + deep));
    }
    // In the air: where they are at the first frame, how far they get until the second, and their attitude.
    let flying = [
        ([0.62, 1.42, 4.40], [0.03125, 0.015625, 0.0], DVec3::Z, -35.0),
        ([0.98, 1.22, 4.62], [0.046875, -0.0078125, 0.0078125], DVec3::new(0.4, 0.0, 1.0), -70.0),
        ([0.86, 1.66, 4.55], [0.015625, 0.03125, -0.0078125], DVec3::new(-0.5, 0.0, 1.0), 25.0),
    ];
    for (i, ([x, y, z], [dx, dy, dz], axis, degrees)) in flying.into_iter().enumerate() {
        let place = match frame {
            Frame::First => Place::at(x, y, z),
            Frame::Second => Place::at(x + dx, y + dy, z + dz),
        };
        range.put(format!("can {}", i + 4), cans[i], place.turned(axis, degrees));
    }
}
