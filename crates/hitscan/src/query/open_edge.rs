//! Where a mesh is open.
//!
//! Crossings of a surface are even or odd in the same way along every ray from a point exactly when each edge belongs to an
//! even number of triangles: what a ray gains or loses as it turns, it does at edges. So that is what closed means here: by
//! position, as the law takes edges, whatever the windings, and with triangles of zero area, which close T-junctions.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, Ordering};

use glam::Vec3;

use super::edges::{Edges, key, sort};
use crate::mesh::{Mesh, MeshData};

/// An edge that an odd number of triangles use.
///
/// ```
/// use hitscan::Mesh;
/// let sheet = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
/// let edge = sheet.open_edge().expect("it has three");
/// assert_eq!((edge.prim, edge.from.to_array(), edge.to.to_array()), (0, [0.0; 3], [1.0, 0.0, 0.0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct OpenEdge {
    /// The triangle: its row in the mesh's own list.
    pub prim: u32,
    /// Where the edge begins, as that triangle runs around it.
    pub from: Vec3,
    /// Where it ends.
    pub to: Vec3,
}

/// What is known of a mesh: 0 for nothing yet, 1 for closed, else 2 more than three times the triangle and the number of its
/// edge. Whoever asks first finds out, and everybody finds the same.
#[derive(Debug, Default)]
pub(crate) struct Closed(AtomicU32);

const CLOSED: u32 = 1;
const FIRST_OPEN: u32 = 2;

impl Clone for Closed {
    fn clone(&self) -> Closed {
        Closed(AtomicU32::new(self.0.load(Ordering::Relaxed)))
    }
}

impl Mesh {
    /// The first open edge: that of the lowest triangle that has one, in the order AB, BC, CA; `None` for a closed mesh.
    ///
    /// Closed means that each edge, by the positions of its ends, belongs to an even number of triangles, so that parity says
    /// the same along every ray. Windings do not matter. A T-junction is open unless a triangle of zero area closes it.
    ///
    /// The first call sorts all edges, `O(n log n)`, and takes 16 bytes of memory an edge while it does; the mesh and its
    /// clones keep the answer until a [`refit`](Mesh::refit).
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let corners = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let tetrahedron = Mesh::new(corners, [[0u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap();
    /// assert!(tetrahedron.open_edge().is_none());
    /// let without_floor = Mesh::new(corners, [[0u32, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap();
    /// assert_eq!(without_floor.open_edge().map(|edge| edge.prim), Some(0));
    /// ```
    #[doc(alias = "is_watertight")]
    #[doc(alias = "is_closed")]
    pub fn open_edge(&self) -> Option<OpenEdge> {
        let data = &self.data;
        let mut known = data.closed.0.load(Ordering::Relaxed);
        if known < CLOSED {
            known = first_open(data).map_or(CLOSED, |edge| edge + FIRST_OPEN);
            data.closed.0.store(known, Ordering::Relaxed);
        }
        let edge = known.checked_sub(FIRST_OPEN)?;
        let (prim, first) = (edge / 3, edge as usize % 3);
        let corners = data.triangles[prim as usize].map(|i| Vec3::from(data.vertices[i as usize]));
        Some(OpenEdge { prim, from: corners[first], to: corners[(first + 1) % 3] })
    }
}

/// Three times the triangle and the number of its edge: the lowest of an open edge.
fn first_open(data: &MeshData) -> Option<u32> {
    let edges = Edges::of(data);
    let mut keys: Vec<u64> = edges.all().map(key).collect();
    sort(&mut keys);
    let open: Vec<u64> =
        keys.chunk_by(|a, b| a == b).filter(|uses| uses.len() % 2 == 1).map(|uses| uses[0]).collect();
    if open.is_empty() {
        return None;
    }
    let mut places = edges.of_triangles().flat_map(|(row, edges)| (3 * row..).zip(edges));
    places.find(|&(_, edge)| open.binary_search(&key(edge)).is_ok()).map(|(place, _)| place)
}
