//! The edges of a mesh by the positions of their ends, as the law takes them.
//!
//! Triangles with two corners at one position use their edge there and back, which changes nothing, and are left out.

use alloc::vec;
use alloc::vec::Vec;

use crate::bvh::repeats_a_corner;
use crate::mesh::MeshData;

/// An edge as a triangle runs along it: the names of its ends.
pub(super) type Edge = (u32, u32);

/// The triangles of a mesh with names for their corners.
pub(super) struct Edges<'a> {
    data: &'a MeshData,
    /// For each vertex, the same for all at one position: the lowest of their numbers.
    names: Vec<u32>,
}

impl<'a> Edges<'a> {
    pub fn of(data: &'a MeshData) -> Edges<'a> {
        Edges { data, names: names(&data.vertices) }
    }

    /// Triangles by their row, each with its edges AB, BC, CA.
    pub fn of_triangles(&self) -> impl Iterator<Item = (u32, [Edge; 3])> {
        let is_used =
            |triangle: &[u32; 3]| !repeats_a_corner(triangle.map(|i| self.data.vertices[i as usize]));
        let rows = (0u32..).zip(&self.data.triangles).filter(move |(_, triangle)| is_used(triangle));
        rows.map(|(row, triangle)| {
            let [a, b, c] = triangle.map(|i| self.names[i as usize]);
            (row, [(a, b), (b, c), (c, a)])
        })
    }

    /// All of them, triangle by triangle.
    pub fn all(&self) -> impl Iterator<Item = Edge> {
        self.of_triangles().flat_map(|(_, edges)| edges)
    }
}

/// The same for both directions of an edge; its upper half is the lower name.
pub(super) fn key((from, to): Edge) -> u64 {
    u64::from(from.min(to)) << 32 | u64::from(from.max(to))
}

/// On all cores with the feature `rayon`.
pub(super) fn sort<T: Ord + Send>(keys: &mut [T]) {
    #[cfg(feature = "rayon")]
    rayon::slice::ParallelSliceMut::par_sort_unstable(keys);
    #[cfg(not(feature = "rayon"))]
    keys.sort_unstable();
}

fn names(vertices: &[[f32; 3]]) -> Vec<u32> {
    // Both zeros are one.
    let place = |vertex: &[f32; 3]| vertex.map(|c| (c + 0.0).to_bits());
    let mut order: Vec<([u32; 3], u32)> = vertices.iter().map(place).zip(0..).collect();
    sort(&mut order);
    let mut names = vec![0; vertices.len()];
    for same in order.chunk_by(|a, b| a.0 == b.0) {
        for &(_, vertex) in same {
            names[vertex as usize] = same[0].1;
        }
    }
    names
}
