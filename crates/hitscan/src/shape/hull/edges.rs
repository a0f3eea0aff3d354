//! The edges of a hull: where two of its faces meet. How a face is cut into triangles makes none.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use glam::DVec3;

use super::quickhull::Triangle;
use crate::shape::Plane;

/// One side of an edge: each edge has one for either face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edge {
    pub ends: [DVec3; 2],
    /// The face that ends there.
    pub face: usize,
}

/// The edges of a closed surface, of whose triangles the faces are known.
pub(crate) fn between(points: &[DVec3], triangles: &[Triangle], face_of: &[usize]) -> Vec<Edge> {
    let each = || {
        let sides = |(&[a, b, c], &face): (&Triangle, &usize)| [(a, b, face), (b, c, face), (c, a, face)];
        triangles.iter().zip(face_of).flat_map(sides)
    };
    let beside: BTreeMap<(usize, usize), usize> = each().map(|(from, to, face)| ((from, to), face)).collect();
    let ends_face = |&(from, to, face): &(usize, usize, usize)| beside.get(&(to, from)) != Some(&face);
    each().filter(ends_face).map(|(a, b, face)| Edge { ends: [points[a], points[b]], face }).collect()
}

/// The points of triangles, each once, and the triangles by the places of their corners among them.
pub(crate) fn numbered(triangles: &[[DVec3; 3]]) -> (Vec<DVec3>, Vec<Triangle>) {
    let (mut points, mut known) = (Vec::new(), BTreeMap::new());
    let mut place = |point: DVec3| {
        // Both zeros are one place.
        let key = point.to_array().map(|coordinate| (coordinate + 0.0).to_bits());
        *known.entry(key).or_insert_with(|| {
            points.push(point);
            points.len() - 1
        })
    };
    let triangles = triangles.iter().map(|triangle| triangle.map(&mut place)).collect();
    (points, triangles)
}

/// The face that a triangle between rounded corners lies in: the lowest of those that its corners are least off from.
pub(crate) fn face_of(planes: &[Plane], corners: &[DVec3; 3]) -> usize {
    let mut best = (f64::INFINITY, 0);
    for (number, plane) in planes.iter().enumerate() {
        let off = corners.iter().fold(0.0f64, |most, &corner| most.max(plane.signed_distance(corner).abs()));
        if off < best.0 {
            best = (off, number);
        }
    }
    best.1
}
