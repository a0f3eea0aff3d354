//! From triangles to faces: triangles in one plane are one face, and what is left of the points are corners.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec3;

use super::quickhull::Triangle;
use crate::exact::side;

/// The faces of a hull, each by one of its triangles, and its corners.
pub(crate) struct Outline {
    pub triangles: Vec<[DVec3; 3]>,
    pub corners: Vec<DVec3>,
    /// The face of each triangle of the surface.
    pub face_of: Vec<usize>,
}

/// Joins the triangles of a closed surface that lie exactly in one plane with a neighbour.
pub(crate) fn merge(points: &[DVec3], triangles: &[Triangle]) -> Outline {
    let by_edge: BTreeMap<(usize, usize), usize> = triangles
        .iter()
        .enumerate()
        .flat_map(|(i, &[a, b, c])| [((a, b), i), ((b, c), i), ((c, a), i)])
        .collect();
    let mut face_of = vec![usize::MAX; triangles.len()];
    let mut planes = Vec::new();
    for first in 0..triangles.len() {
        if face_of[first] != usize::MAX {
            continue;
        }
        let face = planes.len();
        let plane = triangles[first].map(|i| points[i]);
        planes.push(plane);
        face_of[first] = face;
        let mut reached = vec![first];
        while let Some(triangle) = reached.pop() {
            let [a, b, c] = triangles[triangle];
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let Some(&other) = by_edge.get(&(to, from)) else { continue };
                let coplanar = || triangles[other].iter().all(|&i| side(plane, points[i]) == Ordering::Equal);
                if face_of[other] == usize::MAX && coplanar() {
                    face_of[other] = face;
                    reached.push(other);
                }
            }
        }
    }
    // A point within a face belongs to one face, one on an edge to two.
    let mut faces_at: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (triangle, &face) in triangles.iter().zip(&face_of) {
        for &corner in triangle {
            faces_at.entry(corner).or_default().insert(face);
        }
    }
    let is_corner = |(&point, faces): (&usize, &BTreeSet<usize>)| (faces.len() > 2).then_some(points[point]);
    let corners = faces_at.iter().filter_map(is_corner).collect();
    Outline { triangles: planes, corners, face_of }
}
