//! The triangles of a mesh of which something holds: spheres, boxes, frusta and lassos ask so.

use glam::DVec3;

use super::Buffer;
use crate::bvh::leaf;
use crate::bvh::node::Bounds;
use crate::mesh::Mesh;
use crate::shape::Triangle;

impl Mesh {
    /// The `prim` of every triangle that `holds`, in ascending order, of those in boxes that are `near`.
    pub(super) fn touching(
        &self,
        near: impl Fn(&Bounds) -> bool,
        holds: impl Fn(&Triangle) -> bool,
        found: &mut Buffer<u32>,
    ) {
        let found = &mut found.answers;
        found.clear();
        self.data.tree.leaves_where(&near, &mut |leaf| {
            for stored in leaf::triangles(&self.data.tree.rows, leaf) {
                // A mesh's corners are finite and within 2^100.
                let corners = stored.corners.map(|corner| DVec3::from(corner.map(f64::from)));
                if holds(&Triangle::derived(corners)) {
                    found.push(stored.prim);
                }
            }
        });
        found.sort_unstable();
    }
}
