//! What the boxes have in common: a solid with flat faces is met first at its surface, which is triangles.

use glam::DVec3;

use super::{Fattened, Motion, Sweep, sweep_sphere_triangle};
use crate::shape::{Aabb, Obb, Sphere, Triangle};

/// The corners of the twelve triangles of a box: bit 0 of a corner's number is its end along the first axis, bit 1 that along
/// the second, bit 2 that along the third. Counter-clockwise seen from outside.
pub(crate) const BOX: [[usize; 3]; 12] = [
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

/// The corners of a box along the axes, in the order of [`BOX`].
pub(crate) fn corners_of_aabb(bounds: &Aabb) -> [DVec3; 8] {
    let (low, high) = (bounds.low(), bounds.high());
    core::array::from_fn(|i| {
        let end = |axis: usize| if i >> axis & 1 == 0 { low[axis] } else { high[axis] };
        DVec3::new(end(0), end(1), end(2))
    })
}

/// The corners of an oriented box, rounded, in the order of [`BOX`].
pub(crate) fn corners_of_obb(bounds: &Obb) -> [DVec3; 8] {
    let axes = bounds.axes();
    // Each edge is at right angles to two of the axes, and as long as it takes along the third.
    let [x, y, z] = [0, 1, 2].map(|i| {
        let across = axes.col((i + 1) % 3).cross(axes.col((i + 2) % 3));
        across * (bounds.half()[i] / across.dot(axes.col(i)))
    });
    core::array::from_fn(|i| {
        let end = |bit: usize, edge: DVec3| if i >> bit & 1 == 0 { -edge } else { edge };
        bounds.centre() + (end(0, x) + end(1, y) + end(2, z))
    })
}

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
