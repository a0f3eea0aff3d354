//! How the triangles of a mesh fit together. Corners are the same where their positions are.

use std::collections::HashMap;
use std::ops::Range;

use hitscan::Mesh;
use rayon::prelude::*;

use super::kind::Kind;

/// Where something was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Rows of the triangle list, at most [`ROWS`]: of an edge all of its triangles, of a repeated triangle itself and
    /// the first of its corners, of a hole the lowest on its border.
    pub triangles: Vec<u32>,
    /// Edges of a hole's border.
    pub edges: Option<usize>,
    /// The middle of the first triangle, or of the edge, in the mesh's frame.
    pub position: [f64; 3],
}

/// Rows that are told of one place.
const ROWS: usize = 8;

/// What was found in one mesh.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    counts: [usize; 7],
    places: [Vec<Place>; 7],
    /// Places of each kind that are kept.
    kept: usize,
    /// Once there were more: the highest triangle that may still be kept.
    highest: [Option<u32>; 7],
    /// Edges with a triangle on one side only.
    pub border_edges: usize,
}

/// One side of an edge: the triangle that has it, and in which direction it runs.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// The lower corner in the upper half, the higher one in the lower half.
    edge: u64,
    triangle: u32,
    /// [`FORWARD`], [`BACKWARD`], or both for triangles that lie back to back.
    directions: u8,
}

/// From the lower corner to the higher one.
const FORWARD: u8 = 1;
const BACKWARD: u8 = 2;

impl Side {
    fn ends(&self) -> [u32; 2] {
        [(self.edge >> 32) as u32, self.edge as u32]
    }
}

/// A triangle by its corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Corners {
    sorted: [u32; 3],
    triangle: u32,
    /// Whether the corners run around in the order of their numbers.
    ascending: bool,
}

impl Findings {
    /// Inspects a mesh, and keeps so many places of each kind: those with the lowest triangles.
    pub fn new(mesh: &Mesh, kept: usize) -> Findings {
        let ids = weld(mesh.vertices());
        let corners = |triangle: u32| mesh.triangles()[triangle as usize].map(|vertex| ids[vertex as usize]);
        let mut findings = Findings { kept, ..Findings::default() };
        let sets = findings.triangles(mesh, &corners);
        let sides = findings.repeats(mesh, &corners, &sets);
        drop(sets);

        let middle_of = |side: &Side| {
            let ends = side.ends();
            let apart = corners(side.triangle).iter().position(|id| !ends.contains(id)).unwrap_or(0);
            middle(mesh, side.triangle, apart + 1..apart + 3)
        };
        let mut border: Vec<Side> = Vec::new();
        for same in sides.chunk_by(|a, b| a.edge == b.edge) {
            let kind = match same {
                [side] => {
                    border.push(*side);
                    continue;
                }
                [a, b] if a.directions != b.directions || a.directions == FORWARD | BACKWARD => continue,
                [_, _] => Kind::Flipped,
                _ => Kind::NonManifold,
            };
            let rows = same.iter().take(ROWS).map(|side| side.triangle);
            findings.add(kind, same[0].triangle, || Place {
                triangles: rows.collect(),
                edges: None,
                position: middle_of(&same[0]),
            });
        }
        findings.border_edges = border.len();
        for (lowest, edges) in holes(&border, ids.len()) {
            findings.add(Kind::Hole, lowest.triangle, || Place {
                triangles: vec![lowest.triangle],
                edges: Some(edges),
                position: middle_of(&lowest),
            });
        }
        (0..findings.places.len()).for_each(|kind| findings.trim(kind));
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

    /// Finds what is wrong with triangles by themselves, and sorts the others by their corners.
    fn triangles(&mut self, mesh: &Mesh, corners: &dyn Fn(u32) -> [u32; 3]) -> Vec<Corners> {
        let mut sets: Vec<Corners> = Vec::with_capacity(mesh.triangles().len());
        for triangle in 0..mesh.triangles().len() as u32 {
            let [a, b, c] = corners(triangle);
            let place =
                || Place { triangles: vec![triangle], edges: None, position: middle(mesh, triangle, 0..3) };
            if a == b || b == c || c == a {
                self.add(Kind::RepeatedCorner, triangle, place);
                continue;
            }
            if has_no_area(mesh, triangle) {
                self.add(Kind::ZeroArea, triangle, place);
            }
            let mut sorted = [a, b, c];
            sorted.sort_unstable();
            let ascending = [[a, b, c], [b, c, a], [c, a, b]].contains(&sorted);
            sets.push(Corners { sorted, triangle, ascending });
        }
        sets.par_sort_unstable();
        sets
    }

    /// Finds triangles with the same corners, which are one in the eyes of their edges, and sorts the edges.
    fn repeats(&mut self, mesh: &Mesh, corners: &dyn Fn(u32) -> [u32; 3], sets: &[Corners]) -> Vec<Side> {
        let mut sides: Vec<Side> = Vec::with_capacity(3 * sets.len());
        for same in sets.chunk_by(|a, b| a.sorted == b.sorted) {
            let first = same[0];
            let turned = same.iter().position(|other| other.ascending != first.ascending);
            for (i, &Corners { triangle, ascending, .. }) in same.iter().enumerate().skip(1) {
                let kind = if turned == Some(i) { Kind::BackToBack } else { Kind::Duplicate };
                let like = match turned {
                    Some(turned) if i > turned && ascending != first.ascending => same[turned].triangle,
                    _ => first.triangle,
                };
                self.add(kind, triangle, || Place {
                    triangles: vec![triangle, like],
                    edges: None,
                    position: middle(mesh, triangle, 0..3),
                });
            }
            let [a, b, c] = corners(first.triangle);
            sides.extend([(a, b), (b, c), (c, a)].map(|(from, to)| {
                let (low, high) = (from.min(to), from.max(to));
                let direction = if from < to { FORWARD } else { BACKWARD };
                Side {
                    edge: u64::from(low) << 32 | u64::from(high),
                    triangle: first.triangle,
                    directions: if turned.is_some() { FORWARD | BACKWARD } else { direction },
                }
            }));
        }
        sides.par_sort_unstable_by_key(|side| (side.edge, side.triangle));
        sides
    }

    /// Counts one, and keeps its place if it is among the lowest so far.
    fn add(&mut self, kind: Kind, triangle: u32, place: impl FnOnce() -> Place) {
        self.counts[kind as usize] += 1;
        let kind = kind as usize;
        // Trimmed now and then, so that the list is sorted seldom and stays short.
        if self.places[kind].len() > 2 * self.kept + 16 {
            self.trim(kind);
            self.highest[kind] = self.places[kind].last().map(|last| last.triangles[0]);
        }
        if self.highest[kind].is_none_or(|highest| triangle <= highest) {
            self.places[kind].push(place());
        }
    }

    fn trim(&mut self, kind: usize) {
        self.places[kind].sort_by(|a, b| a.triangles.cmp(&b.triangles));
        self.places[kind].truncate(self.kept);
    }
}

/// Connected chains of border edges: of each the side with the lowest triangle, and how many edges it has.
fn holes(border: &[Side], corners: usize) -> Vec<(Side, usize)> {
    if border.is_empty() {
        return Vec::new();
    }
    // The parent of each corner; itself for the root of a chain.
    let mut parents: Vec<u32> = (0..corners as u32).collect();
    for [a, b] in border.iter().map(Side::ends) {
        let (a, b) = (root(&mut parents, a), root(&mut parents, b));
        parents[a as usize] = b;
    }
    let mut rows: HashMap<u32, usize> = HashMap::new();
    let mut chains: Vec<(Side, usize)> = Vec::new();
    for &side in border {
        let row = *rows.entry(root(&mut parents, side.ends()[0])).or_insert_with(|| {
            chains.push((side, 0));
            chains.len() - 1
        });
        let (lowest, edges) = &mut chains[row];
        *edges += 1;
        if (side.triangle, side.edge) < (lowest.triangle, lowest.edge) {
            *lowest = side;
        }
    }
    chains
}

fn root(parents: &mut [u32], mut corner: u32) -> u32 {
    while parents[corner as usize] != corner {
        let above = parents[parents[corner as usize] as usize];
        parents[corner as usize] = above;
        corner = above;
    }
    corner
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
        Findings::new(&Mesh::new((0..8).map(corner), triangles.to_vec()).unwrap(), 3)
    }

    fn counts(findings: &Findings) -> [usize; 7] {
        Kind::ALL.map(|kind| findings.count(kind))
    }

    #[test]
    fn a_cube_is_sound() {
        let findings = cube(&CUBE);
        assert_eq!((counts(&findings), findings.border_edges), ([0; 7], 0));
    }

    #[test]
    fn holes_have_borders() {
        // Without a triangle of the bottom and one of the top there are two.
        let holed: Vec<_> = CUBE.iter().copied().filter(|t| *t != CUBE[0] && *t != CUBE[3]).collect();
        let findings = cube(&holed);
        assert_eq!((counts(&findings), findings.border_edges), ([0, 0, 0, 0, 2, 0, 0], 6));
        let places = findings.places(Kind::Hole);
        assert_eq!((places[0].triangles[0], places[0].edges), (0, Some(3)));
        assert_eq!(places[0].position, [0.5, 0.5, 0.0], "the diagonal of the bottom");
        assert_eq!((places[1].triangles[0], places[1].edges), (1, Some(3)));
    }

    #[test]
    fn flipped_edges() {
        let mut flipped = CUBE;
        flipped[5].swap(0, 1);
        let findings = cube(&flipped);
        assert_eq!(counts(&findings), [0, 0, 0, 0, 0, 0, 3]);
        assert!(findings.places(Kind::Flipped).iter().all(|place| place.triangles.contains(&5)));
    }

    #[test]
    fn triangles_with_the_same_corners() {
        // Triangle 0 again in the same winding, turned over, and that once more; and a repeated corner.
        let more = [CUBE.as_slice(), &[[3, 0, 2], [2, 0, 3], [0, 3, 2], [1, 1, 5]]].concat();
        let findings = cube(&more);
        assert_eq!(counts(&findings), [1, 0, 2, 1, 0, 0, 0]);
        let rows = |kind| -> Vec<_> { findings.places(kind).iter().map(|p| p.triangles.clone()).collect() };
        assert_eq!(rows(Kind::Duplicate), [[12, 0], [14, 13]]);
        assert_eq!(rows(Kind::BackToBack), [[13, 0]]);
        // A sheet with two sides is not flipped anywhere, whichever side comes first in the file.
        let sheet = cube(&[[0, 2, 3], [0, 3, 2], [3, 0, 1], [0, 3, 1]]);
        assert_eq!((counts(&sheet), sheet.border_edges), ([0, 0, 0, 2, 1, 0, 0], 4));
    }

    #[test]
    fn non_manifold_edges() {
        // A fin on the edge from 0 to 1 and the diagonal from 1 to 7; its third edge is free.
        let fin = [CUBE.as_slice(), &[[0, 1, 7]]].concat();
        let findings = cube(&fin);
        assert_eq!((findings.count(Kind::NonManifold), findings.count(Kind::Hole)), (2, 1));
        let place = &findings.places(Kind::NonManifold)[0];
        assert_eq!((place.triangles.as_slice(), place.position), ([1, 4, 12].as_slice(), [0.5, 0.0, 0.0]));
    }

    #[test]
    fn the_lowest_places_are_kept() {
        // Triangles that share nothing, whose corners come in another order than they: each is a hole.
        let n = 200;
        let vertices = (0..3 * n).map(|i| [(i / 3 * 77 % n) as f32, (i % 3) as f32, (i % 2) as f32]);
        let mesh = Mesh::new(vertices, (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2])).unwrap();
        let findings = Findings::new(&mesh, 5);
        assert_eq!(findings.count(Kind::Hole), n as usize);
        let rows: Vec<u32> = findings.places(Kind::Hole).iter().map(|place| place.triangles[0]).collect();
        assert_eq!(rows, [0, 1, 2, 3, 4]);
        assert!(Findings::new(&mesh, 0).places(Kind::Hole).is_empty());
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
        let findings = Findings::new(&soup.unwrap(), 3);
        assert_eq!((counts(&findings), findings.border_edges), ([1, 0, 0, 0, 1, 0, 0], 4));
        let line = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 1.0, 1.0], [3.0, 3.0, 3.0]], [[0u32, 1, 2]]).unwrap();
        assert_eq!(Findings::new(&line, 3).count(Kind::ZeroArea), 1);
        assert_eq!(line.counts().zero_area, 1, "as the library counts them");
    }
}
