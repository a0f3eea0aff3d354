//! Quickhull in space (Barber, Dobkin, Huhdanpaa: The Quickhull Algorithm for Convex Hulls, 1996), with exact signs.
//!
//! A face that a point sees goes, with all other faces that it sees, and new ones join their outline to the point. A
//! point sees a face only from strictly in front, so faces in one plane stay together and the outline is always one
//! loop: no tolerance is needed, and none can fail.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec3;

use crate::exact::{collinear, side};
use crate::shape::ShapeError;

/// Places of three points, counter-clockwise from outside.
pub(crate) type Triangle = [usize; 3];

/// A face under construction.
struct Face {
    corners: Triangle,
    /// The faces across the edges from each corner to the next.
    beside: [usize; 3],
    /// Points in front of it that no other face took.
    outside: Vec<usize>,
    alive: bool,
}

/// The surface of the hull as triangles. Triangles may lie in one plane; none has an area of 0.
///
/// # Errors
/// [`ShapeError::Hull`] for points that enclose no volume.
pub(crate) fn build(points: &[DVec3]) -> Result<Vec<Triangle>, ShapeError> {
    let mut hull = Hull { points, faces: Vec::new() };
    hull.begin(first_four(points)?);
    let mut pending: Vec<usize> = (0..hull.faces.len()).collect();
    while let Some(face) = pending.pop() {
        if !hull.faces[face].alive {
            continue;
        }
        if let Some(point) = hull.farthest(face) {
            let first_new = hull.faces.len();
            hull.add(face, point);
            pending.extend(first_new..hull.faces.len());
        }
    }
    Ok(hull.faces.iter().filter(|face| face.alive).map(|face| face.corners).collect())
}

/// Four points that do not lie in one plane, the fourth behind the triangle of the others.
fn first_four(points: &[DVec3]) -> Result<[usize; 4], ShapeError> {
    let flat = |what| Err(ShapeError::Hull { what });
    if points.is_empty() {
        return flat("has no points");
    }
    let a = 0;
    let by_distance = |i: usize| (points[i] - points[a]).abs().max_element();
    let Some(b) = best(points, by_distance).filter(|&b| points[b] != points[a]) else {
        return flat("is a single point");
    };
    let area = |i: usize| (points[b] - points[a]).cross(points[i] - points[a]).abs().max_element();
    let off_line = |&i: &usize| !collinear([a, b, i].map(|i| points[i]));
    let Some(c) = best(points, area).filter(off_line).or_else(|| (0..points.len()).find(off_line)) else {
        return flat("is a line, its points lie on it");
    };
    let corners = [a, b, c].map(|i| points[i]);
    let cross = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    let volume = |i: usize| cross.dot(points[i] - corners[0]).abs();
    let off_plane = |&i: &usize| side(corners, points[i]) != Ordering::Equal;
    let Some(d) = best(points, volume).filter(off_plane).or_else(|| (0..points.len()).find(off_plane)) else {
        return flat("is flat, its points lie in one plane");
    };
    Ok(if side(corners, points[d]) == Ordering::Less { [a, b, c, d] } else { [a, c, b, d] })
}

/// The point with the largest measure.
fn best(points: &[DVec3], measure: impl Fn(usize) -> f64) -> Option<usize> {
    (0..points.len()).max_by(|&i, &j| measure(i).total_cmp(&measure(j)))
}

struct Hull<'a> {
    points: &'a [DVec3],
    faces: Vec<Face>,
}

impl Hull<'_> {
    /// The tetrahedron of four points, and who sees which of its faces.
    fn begin(&mut self, [a, b, c, d]: [usize; 4]) {
        let all = (0..self.points.len()).collect();
        for (corners, beside) in
            [([a, b, c], [1, 2, 3]), ([b, a, d], [0, 3, 2]), ([c, b, d], [0, 1, 3]), ([a, c, d], [0, 2, 1])]
        {
            self.faces.push(Face { corners, beside, outside: Vec::new(), alive: true });
        }
        self.share_out(all, 0);
    }

    fn sees(&self, point: usize, face: usize) -> bool {
        let corners = self.faces[face].corners.map(|i| self.points[i]);
        side(corners, self.points[point]) == Ordering::Greater
    }

    /// Gives each point to the first of the newest faces that it sees; the others are inside.
    fn share_out(&mut self, points: Vec<usize>, first_face: usize) {
        for point in points {
            if let Some(face) = (first_face..self.faces.len()).find(|&face| self.sees(point, face)) {
                self.faces[face].outside.push(point);
            }
        }
    }

    /// The point in front of a face that is farthest from it, as `f64` rounds: any would do, this one leaves the fewest.
    fn farthest(&self, face: usize) -> Option<usize> {
        let Face { corners, outside, .. } = &self.faces[face];
        let [a, b, c] = corners.map(|i| self.points[i]);
        let normal = (b - a).cross(c - a);
        let height = |point: usize| normal.dot(self.points[point] - a);
        outside.iter().copied().max_by(|&i, &j| height(i).total_cmp(&height(j)))
    }

    /// Makes a point that sees `start` a corner of the hull.
    fn add(&mut self, start: usize, point: usize) {
        let mut orphans = Vec::new();
        // Edges between a face that goes and one that stays, as the former runs along them.
        let mut outline: Vec<(usize, usize, usize)> = Vec::new();
        self.faces[start].alive = false;
        let mut going = vec![start];
        while let Some(face) = going.pop() {
            orphans.append(&mut self.faces[face].outside);
            let Face { corners, beside, .. } = self.faces[face];
            for edge in 0..3 {
                let other = beside[edge];
                if !self.faces[other].alive {
                    continue;
                }
                if self.sees(point, other) {
                    self.faces[other].alive = false;
                    going.push(other);
                } else {
                    outline.push((corners[edge], corners[(edge + 1) % 3], other));
                }
            }
        }
        let first_new = self.faces.len();
        let starting_at: BTreeMap<usize, usize> =
            outline.iter().enumerate().map(|(i, &(from, ..))| (from, first_new + i)).collect();
        let ending_at: BTreeMap<usize, usize> =
            outline.iter().enumerate().map(|(i, &(_, to, _))| (to, first_new + i)).collect();
        for (i, &(from, to, kept)) in outline.iter().enumerate() {
            // The outline is a loop, so another edge starts where this one ends.
            let new = first_new + i;
            let next = starting_at.get(&to).copied().unwrap_or(new);
            let last = ending_at.get(&from).copied().unwrap_or(new);
            self.faces.push(Face {
                corners: [from, to, point],
                beside: [kept, next, last],
                outside: Vec::new(),
                alive: true,
            });
            let Face { corners, beside, .. } = &mut self.faces[kept];
            if let Some(edge) = (0..3).find(|&edge| corners[edge] == to && corners[(edge + 1) % 3] == from) {
                beside[edge] = new;
            }
        }
        orphans.retain(|&orphan| orphan != point);
        self.share_out(orphans, first_new);
    }
}
