//! Where the planes of a hull meet: its corners, as `f64` rounds them, and the surface between them.
//!
//! Two planes meet in a line, of which the others leave an edge; its ends are corners. An edge or a corner that rounding makes of
//! several planes through one point is as long as that rounding, and does no harm.

use alloc::vec::Vec;

use glam::DVec3;

use super::quickhull;
use crate::shape::Plane;

/// Planes at a smaller angle, 2^-20, have their line lost in rounding; their corners are found with the planes beside them.
const PARALLEL: f64 = 1.0 / (1u64 << 20) as f64;

/// What rounding moves a line by, as a part of its distance from the origin of coordinates and of that of the plane: 2^-47. The
/// planes are pushed out by as much, so that a solid thinner than that keeps its edges.
const SLACK: f64 = 1.0 / (1u64 << 47) as f64;

/// Triangles that cover the surface of the solid behind these planes, which has a volume and an end.
pub(crate) fn surface(planes: &[Plane]) -> Vec<[DVec3; 3]> {
    let mut corners: Vec<DVec3> = Vec::new();
    for (i, first) in planes.iter().enumerate() {
        for second in &planes[i + 1..] {
            corners.extend(edge(first, second, planes).into_iter().flatten());
        }
    }
    match quickhull::build(&corners) {
        Ok(triangles) => triangles.iter().map(|triangle| triangle.map(|i| corners[i])).collect(),
        // As thin as rounding: whatever lies between corners in a plane lies in a triangle of the first one.
        Err(_) => {
            let pairs = (0..corners.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
            pairs.map(|(i, j)| [corners[0], corners[i], corners[j]]).collect()
        }
    }
}

/// The part of the line of two planes that lies behind all the others.
fn edge(first: &Plane, second: &Plane, planes: &[Plane]) -> Option<[DVec3; 2]> {
    let (m, n) = (first.normal(), second.normal());
    let along = m.cross(n);
    let length_sq = along.length_squared();
    if length_sq < PARALLEL * PARALLEL {
        return None;
    }
    let on_it = (m * second.offset() - n * first.offset()).cross(along) / length_sq;
    let (mut enter, mut exit) = (f64::NEG_INFINITY, f64::INFINITY);
    for plane in planes {
        if core::ptr::eq(plane, first) || core::ptr::eq(plane, second) {
            continue;
        }
        let slack = SLACK * (plane.offset().abs() + on_it.abs().max_element());
        let (height, slope) = (plane.signed_distance(on_it) - slack, plane.normal().dot(along));
        let t = -height / slope;
        if slope < 0.0 {
            enter = enter.max(t);
        } else if slope > 0.0 {
            exit = exit.min(t);
        } else if height > 0.0 {
            return None;
        }
        if enter > exit {
            return None;
        }
    }
    let ends = [enter, exit].map(|t| on_it + along * t);
    ends.iter().all(|end| end.is_finite()).then_some(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corners_of_a_cube_and_of_one_with_a_cut_corner() {
        let faces = [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z];
        let mut planes: Vec<Plane> =
            faces.iter().map(|&n| Plane::from_equation(n, -1.0).expect("a plane")).collect();
        let area = |planes: &[Plane]| -> f64 {
            surface(planes).iter().map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).sum()
        };
        assert!((area(&planes) - 24.0).abs() < 1e-12);
        // A plane that only touches an edge, and one given twice, change nothing.
        planes.push(Plane::from_equation([1.0, 1.0, 0.0], -2.0).expect("a plane"));
        planes.push(planes[0]);
        assert!((area(&planes) - 24.0).abs() < 1e-12);
        planes.push(Plane::from_equation([1.0, 1.0, 1.0], -2.0).expect("a plane"));
        // Three corners of 1/2 go, and an equilateral triangle of side sqrt 2 comes.
        let expected = 24.0 - 1.5 + 3f64.sqrt() / 2.0;
        assert!((area(&planes) - expected).abs() < 1e-12, "{}", area(&planes));
    }
}
