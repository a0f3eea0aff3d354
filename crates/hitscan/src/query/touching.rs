//! The triangles of a mesh that touch something: spheres, boxes, frusta and lassos ask so.

use glam::DVec3;

use super::Buffer;
use crate::bvh::layout::Stored;
use crate::bvh::nearest::{Boxes, Corners, Search};
use crate::bvh::node::WIDTH;
use crate::mesh::Mesh;
use crate::shape::Triangle;
use crate::simd::stack::AnyOrder;

/// A part of space, in the frame of a mesh.
pub(super) trait Region {
    /// As [`Search::bounds`].
    fn bounds(&self, boxes: &Boxes) -> [f64; WIDTH];
    /// As [`Search::bounds_of_triangles`].
    fn bounds_of_triangles(&self, corners: &Corners) -> [f64; WIDTH];
    /// The largest bound of what may touch it.
    fn limit(&self) -> f64;
    fn touches(&self, triangle: &Triangle) -> bool;
}

struct Touching<'a, R> {
    region: &'a R,
    found: &'a mut Buffer<u32>,
}

impl<R: Region> Search for Touching<'_, R> {
    type Order = AnyOrder;

    #[inline(always)]
    fn bounds(&self, boxes: &Boxes) -> [f64; WIDTH] {
        self.region.bounds(boxes)
    }

    #[inline(always)]
    fn bounds_of_triangles(&self, corners: &Corners) -> [f64; WIDTH] {
        self.region.bounds_of_triangles(corners)
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.region.limit()
    }

    fn visit(&mut self, stored: &Stored) {
        // A mesh's corners are finite and within 2^100.
        let corners = stored.corners.map(|corner| DVec3::from(corner.map(f64::from)));
        if self.region.touches(&Triangle::derived(corners)) {
            self.found.answers.push(stored.prim);
        }
    }
}

impl Mesh {
    /// The `prim` of every triangle that touches the region, in ascending order.
    pub(super) fn touching(&self, region: &impl Region, found: &mut Buffer<u32>) {
        found.answers.clear();
        self.data.search(self.kernel, &mut Touching { region, found });
        found.answers.sort_unstable();
    }
}
