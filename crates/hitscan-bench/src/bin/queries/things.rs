//! What is asked about: the same bits on every machine.

use hitscan::glam::{DMat3, DQuat, DVec3};
use hitscan::{Mesh, Ray, Transform};
use hitscan_bench::rays::random::Random;

/// A sphere of about radius 1 with waves, closed: so many columns around, so many rows from pole to pole, and
/// `2 * columns * (rows - 1)` triangles.
pub fn boulder(columns: u32, rows: u32) -> Mesh {
    use core::f64::consts::{PI, TAU};
    let corner = |row: u32, column: u32| {
        let down = PI * f64::from(row) / f64::from(rows);
        let around = TAU * f64::from(column) / f64::from(columns);
        let across = libm::sin(down);
        let out = DVec3::new(across * libm::cos(around), libm::cos(down), across * libm::sin(around));
        let waves = libm::sin(7.0 * out.x + 1.0) * libm::sin(6.0 * out.y)
            + libm::sin(9.0 * out.z) * libm::sin(4.0 * out.x);
        (out * (1.0 + 0.1 * waves)).as_vec3().to_array()
    };
    let rings = (1..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let vertices: Vec<[f32; 3]> =
        [(0, 0), (rows, 0)].into_iter().chain(rings).map(|(row, column)| corner(row, column)).collect();
    // The poles are the first two.
    let at = |row: u32, column: u32| match row {
        0 => 0,
        row if row == rows => 1,
        row => 2 + (row - 1) * columns + column % columns,
    };
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let triangles = cells.flat_map(|(row, column)| {
        let [a, b, c, d] =
            [at(row, column), at(row, column + 1), at(row + 1, column), at(row + 1, column + 1)];
        let upper = (row > 0).then_some([a, b, d]);
        let lower = (row + 1 < rows).then_some([a, d, c]);
        upper.into_iter().chain(lower)
    });
    Mesh::new(vertices, triangles).expect("finite corners, and indices of them")
}

/// Where something stands, without a scale, since parry3d has none.
pub struct Place {
    pub turn: DQuat,
    pub offset: DVec3,
}

impl Place {
    pub fn transform(&self) -> Transform {
        Transform::new(DMat3::from_quat(self.turn), self.offset).expect("a turn and a finite offset")
    }
}

/// Places in a cube around the origin, turned at random.
pub fn places(count: usize, side: f64, random: &mut Random) -> Vec<Place> {
    (0..count)
        .map(|_| {
            let half = core::f64::consts::PI * random.unit();
            let axis = random.on_sphere() * libm::sin(half);
            let turn = DQuat::from_xyzw(axis.x, axis.y, axis.z, libm::cos(half)).normalize();
            Place { turn, offset: within(cube(side), random) }
        })
        .collect()
}

/// A cube around the origin.
pub fn cube(side: f64) -> [DVec3; 2] {
    [DVec3::splat(-0.5 * side), DVec3::splat(0.5 * side)]
}

/// A point of `f32` numbers between two corners.
pub fn within(bounds: [DVec3; 2], random: &mut Random) -> DVec3 {
    random.within(bounds).as_vec3().as_dvec3()
}

/// Segments between points of `f32` numbers, asked up to `t = 1`.
pub fn segments(count: usize, mut ends: impl FnMut() -> [DVec3; 2]) -> Vec<Ray> {
    let segment = |_| {
        let [from, to] = ends();
        Ray::from_f32(from.as_vec3(), (to - from).as_vec3()).and_then(|ray| ray.with_range(0.0, 1.0)).ok()
    };
    (0..count).filter_map(segment).collect()
}

/// Hills: a square of so many samples a side, which fill the range of 16 bits.
pub fn hills(side: usize) -> Vec<u16> {
    let height = |i: usize| {
        let (x, z) = ((i % side) as f64, (i / side) as f64);
        let wave = |length: f64, turn: f64| {
            let phase = (x * libm::cos(turn) + z * libm::sin(turn)) * core::f64::consts::TAU / length;
            libm::sin(phase + 3.0 * turn)
        };
        let sum = 0.5 * wave(331.0, 0.3) * wave(270.0, 1.9)
            + 0.3 * wave(97.0, 1.1)
            + 0.15 * wave(23.0, 2.3)
            + 0.05 * wave(7.0, 0.7);
        (32767.5 * (1.0 + sum)) as u16
    };
    (0..side * side).map(height).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boulder_is_closed() {
        let mesh = boulder(25, 21);
        assert_eq!((mesh.triangles().len(), mesh.counts().hittable()), (1000, 1000));
        assert!(mesh.contains([0.0; 3]));
        assert!(!mesh.contains([1.5, 0.0, 0.0]));
    }

    #[test]
    fn hills_fill_their_range() {
        let samples = hills(513);
        let (low, high) = (samples.iter().min(), samples.iter().max());
        assert!(low < Some(&6_000) && high > Some(&59_000), "{low:?} to {high:?}");
    }
}
