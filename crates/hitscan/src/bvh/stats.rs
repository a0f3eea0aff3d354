//! What a tree weighs and what it should cost.

use core::mem::size_of;

use super::Bvh;
use super::node::{Bounds, LeafRef, Node};
use crate::simd::row::Row;

/// A tree's size and quality.
///
/// ```
/// use hitscan::Mesh;
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
/// let stats = mesh.stats();
/// assert_eq!((stats.nodes, stats.leaves, stats.triangles, stats.depth), (1, 1, 1, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Stats {
    /// Inner nodes.
    pub nodes: usize,
    /// Leaves.
    pub leaves: usize,
    /// Triangles in leaves: those that a ray can hit, and after a [refit](crate::Mesh::refit) those that it could.
    pub triangles: usize,
    /// Inner nodes on the longest way from the root to a leaf, both counted; 0 for an empty tree.
    pub depth: usize,
    /// Expected visits of nodes and leaves by a ray that meets the root's box, each visit counted as 1. (The
    /// builder counts a leaf as 0.6 of a node.)
    pub sah_cost: f64,
    /// Bytes of nodes and leaves. The mesh's own vertices and triangles are not included.
    pub bytes: usize,
}

impl Stats {
    /// [`Stats::bytes`] over [`Stats::triangles`]; 0 for an empty tree.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    /// let stats = mesh.stats();
    /// assert_eq!(stats.bytes_per_triangle(), stats.bytes as f64);
    /// assert_eq!(hitscan::bvh::Stats::default().bytes_per_triangle(), 0.0);
    /// ```
    pub fn bytes_per_triangle(&self) -> f64 {
        if self.triangles == 0 { 0.0 } else { self.bytes as f64 / self.triangles as f64 }
    }
}

impl Bvh {
    pub(crate) fn stats(&self) -> Stats {
        let bytes = self.nodes.len() * size_of::<Node>() + self.rows.len() * size_of::<Row>();
        let mut stats = Stats { nodes: self.nodes.len(), bytes, ..Stats::default() };
        if !self.nodes.is_empty() {
            let root = half_area(&self.bounds);
            // A flat line of triangles has no area; every visit then counts in full. What a refit left empty is never met.
            let share = |bounds: &Bounds| match bounds.is_empty() {
                true => 0.0,
                false if root > 0.0 => half_area(bounds) / root,
                false => 1.0,
            };
            stats.sah_cost = 1.0;
            self.measure(0, 1, &share, &mut stats);
        }
        stats
    }

    fn measure(&self, index: usize, depth: usize, share: &dyn Fn(&Bounds) -> f64, stats: &mut Stats) {
        stats.depth = stats.depth.max(depth);
        let node = &self.nodes[index];
        for place in node.occupied() {
            stats.sah_cost += share(&node.child_bounds(place));
            match node.children[place].split() {
                Ok(payload) => {
                    stats.leaves += 1;
                    stats.triangles += LeafRef::from_payload(payload).count;
                }
                Err(inner) => self.measure(inner, depth + 1, share, stats),
            }
        }
    }
}

fn half_area(bounds: &Bounds) -> f64 {
    let d: [f64; 3] = core::array::from_fn(|i| f64::from(bounds.high[i]) - f64::from(bounds.low[i]));
    d[0] * d[1] + d[1] * d[2] + d[2] * d[0]
}
