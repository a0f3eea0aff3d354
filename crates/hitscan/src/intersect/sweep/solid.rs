//! What the boxes have in common: a solid with flat faces is met first at its surface, which is triangles.

use glam::DVec3;

use super::{Fattened, Motion, Sweep, sweep_sphere_triangle};
use crate::shape::{Sphere, Triangle};

/// The corners of the twelve triangles of a box: bit 0 of a corner's number is its end along the first axis, bit 1 that along
/// the second, bit 2 that along the third. Counter-clockwise seen from outside.
const BOX: [[usize; 3]; 12] = [
    [0, 4, 6],
    [0, 6, 2],
    [1, 3, 7],
    [1, 7, 5],
    [0, 1, 5],
    [0, 5, 4],
    [2, 6, 7],
    [2, 7, 3],
    [0, 2, 3],
    [0, 3, 1],
    [4, 5, 7],
    [4, 7, 6],
];

/// A sphere whose centre starts outside of a box of these corners.
pub(super) fn sweep_box(sphere: &Sphere, motion: &Motion, corners: [DVec3; 8]) -> Option<Sweep> {
    let (low, high) =
        corners[1..].iter().fold((corners[0], corners[0]), |(low, high), &c| (low.min(c), high.max(c)));
    Fattened::new(low, high, sphere.radius()).passed(sphere.centre(), motion.by())?;
    let triangles = BOX.iter().map(|triangle| Triangle::derived(triangle.map(|i| corners[i])));
    Sweep::first(triangles.filter_map(|triangle| sweep_sphere_triangle(sphere, motion, &triangle)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_twelve_triangles_close_the_box_and_look_outwards() {
        let corner = |i: usize| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64);
        let mut area = 0.0;
        for triangle in BOX {
            let triangle = Triangle::derived(triangle.map(corner));
            area += triangle.area();
            let normal = triangle.normal().expect("an area");
            assert!(normal.dot(triangle.corners()[0] - DVec3::splat(0.5)) == 0.5, "{triangle:?}");
        }
        assert_eq!(area, 6.0);
    }
}
