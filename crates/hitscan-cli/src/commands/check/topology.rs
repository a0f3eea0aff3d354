//! How the triangles of a mesh fit together. Corners are the same where their positions are.

use std::ops::Range;

use hitscan::Mesh;
use rayon::prelude::*;

use super::PLACES;

/// Something that a sound mesh does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A triangle with two corners at one position.
    RepeatedCorner,
    /// A triangle with three distinct corners on a line.
    ZeroArea,
    /// A triangle with the corners of an earlier one.
    Duplicate,
    /// An edge with a triangle on one side only.
    Border,
    /// An edge with more than two triangles.
    NonManifold,
    /// An edge whose two triangles run along it in the same direction.
    Flipped,
}

impl Kind {
    /// All of them, in the order of reports.
    pub const ALL: [Kind; 6] = [
        Kind::RepeatedCorner,
        Kind::ZeroArea,
        Kind::Duplicate,
        Kind::Border,
        Kind::NonManifold,
        Kind::Flipped,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::RepeatedCorner => "repeated corner",
            Kind::ZeroArea => "zero area",
            Kind::Duplicate => "duplicate",
            Kind::Border => "border edge",
            Kind::NonManifold => "non-manifold edge",
            Kind::Flipped => "flipped edge",
        }
    }
}

/// Where something was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Row of the triangle list; for an edge the lowest of its triangles.
    pub triangle: u32,
    /// The middle of the triangle or of the edge, in the mesh's frame.
    pub position: [f64; 3],
}

/// What was found in one mesh.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    counts: [usize; 6],
    places: [Vec<Place>; 6],
    /// Connected chains of border edges.
    pub holes: usize,
}

/// One side of an edge: the triangle that has it, and in which direction it runs.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// The lower corner in the upper half, the higher one in the lower half.
    edge: u64,
    triangle: u32,
    forward: bool,
}

impl Findings {
    /// Inspects a mesh.
    pub fn new(mesh: &Mesh) -> Findings {
        let ids = weld(mesh.vertices());
        let corners = |triangle: u32| mesh.triangles()[triangle as usize].map(|vertex| ids[vertex as usize]);
        let mut findings = Findings::default();

        // Triangles with the same corners become neighbours.
        let mut sets: Vec<([u32; 3], u32)> = Vec::with_capacity(mesh.triangles().len());
        for triangle in 0..mesh.triangles().len() as u32 {
            let mut set = corners(triangle);
            set.sort_unstable();
            if set[0] == set[1] || set[1] == set[2] {
                findings.add(Kind::RepeatedCorner, triangle, || middle(mesh, triangle, 0..3));
                continue;
            }
            if has_no_area(mesh, triangle) {
                findings.add(Kind::ZeroArea, triangle, || middle(mesh, triangle, 0..3));
            }
            sets.push((set, triangle));
        }
        sets.par_sort_unstable();
        let mut sides: Vec<Side> = Vec::with_capacity(3 * sets.len());
        for same in sets.chunk_by(|a, b| a.0 == b.0) {
            for &(_, triangle) in &same[1..] {
                findings.add(Kind::Duplicate, triangle, || middle(mesh, triangle, 0..3));
            }
            sides.extend(sides_of(corners(same[0].1), same[0].1));
        }
        drop(sets);
        sides.par_sort_unstable_by_key(|side| (side.edge, side.triangle));

        let mut holes = Chains::default();
        for same in sides.chunk_by(|a, b| a.edge == b.edge) {
            let kind = match same {
                [side] => {
                    holes.join((side.edge >> 32) as u32, side.edge as u32, ids.len());
                    Kind::Border
                }
                [a, b] if a.forward != b.forward => continue,
                [_, _] => Kind::Flipped,
                _ => Kind::NonManifold,
            };
            let Side { edge, triangle, .. } = same[0];
            findings.add(kind, triangle, || {
                let ends = [(edge >> 32) as u32, edge as u32];
                let corner = corners(triangle).iter().position(|id| !ends.contains(id)).unwrap_or(0);
                middle(mesh, triangle, corner + 1..corner + 3)
            });
        }
        findings.holes = holes.count();
        findings
    }

    /// How many there are of a kind.
    pub fn count(&self, kind: Kind) -> usize {
        self.counts[kind as usize]
    }

    /// Where the first ones are.
    pub fn places(&self, kind: Kind) -> &[Place] {
        &self.places[kind as usize]
    }

    /// How many there are of all kinds.
    pub fn total(&self) -> usize {
        self.counts.iter().sum()
    }

    fn add(&mut self, kind: Kind, triangle: u32, position: impl FnOnce() -> [f64; 3]) {
        self.counts[kind as usize] += 1;
        // Edges come in the order of their corners; the places told are those of the lowest triangles.
        let places = &mut self.places[kind as usize];
        if places.len() == PLACES && places.last().is_some_and(|last| last.triangle <= triangle) {
            return;
        }
        places.push(Place { triangle, position: position() });
        places.sort_by_key(|place| place.triangle);
        places.truncate(PLACES);
    }
}

/// Connected components of edges.
#[derive(Debug, Default)]
struct Chains {
    /// The parent of each corner; itself for the root of a component.
    parents: Vec<u32>,
    corners: usize,
    joins: usize,
    seen: Vec<bool>,
}

impl Chains {
    fn join(&mut self, a: u32, b: u32, corners: usize) {
        if self.parents.is_empty() {
            self.parents = (0..corners as u32).collect();
            self.seen = vec![false; corners];
        }
        for corner in [a, b] {
            self.corners += usize::from(!std::mem::replace(&mut self.seen[corner as usize], true));
        }
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parents[a as usize] = b;
            self.joins += 1;
        }
    }

    fn root(&mut self, mut corner: u32) -> u32 {
        while self.parents[corner as usize] != corner {
            let above = self.parents[self.parents[corner as usize] as usize];
            self.parents[corner as usize] = above;
            corner = above;
        }
        corner
    }

    fn count(&self) -> usize {
        self.corners - self.joins
    }
}

/// A number for each vertex that is the same exactly where positions are.
fn weld(vertices: &[[f32; 3]]) -> Vec<u32> {
    // Adding 0 turns -0 into 0, which is the same position.
    let key = |vertex: u32| vertices[vertex as usize].map(|c| (c + 0.0).to_bits());
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    order.par_sort_unstable_by_key(|&vertex| key(vertex));
    let mut ids = vec![0; vertices.len()];
    for (id, same) in (0..).zip(order.chunk_by(|&a, &b| key(a) == key(b))) {
        for &vertex in same {
            ids[vertex as usize] = id;
        }
    }
    ids
}

fn sides_of([a, b, c]: [u32; 3], triangle: u32) -> [Side; 3] {
    [(a, b), (b, c), (c, a)].map(|(from, to)| {
        let (low, high) = (from.min(to), from.max(to));
        Side { edge: u64::from(low) << 32 | u64::from(high), triangle, forward: from < to }
    })
}

/// The mean of some corners, counted around the triangle.
fn middle(mesh: &Mesh, triangle: u32, corners: Range<usize>) -> [f64; 3] {
    let count = corners.len() as f64;
    let indices = mesh.triangles()[triangle as usize];
    let mut sum = [0.0; 3];
    for corner in corners {
        let vertex = mesh.vertices()[indices[corner % 3] as usize];
        for axis in 0..3 {
            sum[axis] += f64::from(vertex[axis]) / count;
        }
    }
    sum
}

/// Whether the corners lie on a line, up to the rounding of `f64`.
fn has_no_area(mesh: &Mesh, triangle: u32) -> bool {
    let [a, b, c] =
        mesh.triangles()[triangle as usize].map(|vertex| mesh.vertices()[vertex as usize].map(f64::from));
    let e: [f64; 3] = std::array::from_fn(|i| b[i] - a[i]);
    let f: [f64; 3] = std::array::from_fn(|i| c[i] - a[i]);
    e[1] * f[2] == e[2] * f[1] && e[2] * f[0] == e[0] * f[2] && e[0] * f[1] == e[1] * f[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cube's corners are the bits of their numbers.
    const CUBE: [[u32; 3]; 12] = [
        [0, 2, 3],
        [0, 3, 1],
        [4, 5, 7],
        [4, 7, 6],
        [0, 1, 5],
        [0, 5, 4],
        [2, 6, 7],
        [2, 7, 3],
        [0, 4, 6],
        [0, 6, 2],
        [1, 3, 7],
        [1, 7, 5],
    ];

    fn cube(triangles: &[[u32; 3]]) -> Findings {
        let corner = |i: u32| [i & 1, i >> 1 & 1, i >> 2 & 1].map(|c| c as f32);
        Findings::new(&Mesh::new((0..8).map(corner), triangles.to_vec()).unwrap())
    }

    fn counts(findings: &Findings) -> [usize; 6] {
        Kind::ALL.map(|kind| findings.count(kind))
    }

    #[test]
    fn a_cube_is_sound() {
        let findings = cube(&CUBE);
        assert_eq!((counts(&findings), findings.holes), ([0; 6], 0));
    }

    #[test]
    fn each_kind_is_found() {
        // Without a triangle of the bottom and one of the top there are two holes.
        let holed: Vec<_> = CUBE.iter().copied().filter(|t| *t != CUBE[0] && *t != CUBE[3]).collect();
        let findings = cube(&holed);
        assert_eq!((counts(&findings), findings.holes), ([0, 0, 0, 6, 0, 0], 2));

        let mut flipped = CUBE;
        flipped[5].swap(0, 1);
        assert_eq!(counts(&cube(&flipped)), [0, 0, 0, 0, 0, 3]);

        let more = [CUBE.as_slice(), &[[3, 0, 2], [1, 1, 5]]].concat();
        let findings = cube(&more);
        assert_eq!(counts(&findings), [1, 0, 1, 0, 0, 0]);
        assert_eq!(findings.places(Kind::Duplicate)[0].triangle, 12);

        // A fin on the edge from 0 to 1 and the diagonal from 1 to 7; its third edge is free.
        let fin = [CUBE.as_slice(), &[[0, 1, 7]]].concat();
        let findings = cube(&fin);
        assert_eq!((findings.count(Kind::NonManifold), findings.holes), (2, 1));
        assert_eq!(findings.places(Kind::NonManifold)[0].position, [0.5, 0.0, 0.0]);
    }

    #[test]
    fn corners_are_the_same_by_position() {
        let soup = Mesh::new(
            [
                [0.0f32, 0.0, 0.0],
                [1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [-0.0, 1.0, 0.0],
                [1.0, 0.0, 0.0],
                [1.0, 1.0, 0.0],
            ],
            [[0u32, 1, 2], [3, 4, 5], [0, 1, 1]],
        );
        let findings = Findings::new(&soup.unwrap());
        assert_eq!((counts(&findings), findings.holes), ([1, 0, 0, 4, 0, 0], 1));
        let line = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 1.0, 1.0], [3.0, 3.0, 3.0]], [[0u32, 1, 2]]).unwrap();
        assert_eq!(Findings::new(&line).count(Kind::ZeroArea), 1);
    }
}
