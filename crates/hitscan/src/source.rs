//! Where triangles come from: the leaves of a mesh, or a formula.
//!
//! What a query needs of them beyond the block that it tests: their numbers, their corners, and where a ray runs exactly
//! along an outline, their neighbours.

use crate::bvh::layout::{Place, Stored};
use crate::bvh::meter::Meter;
use crate::intersect::watertight::Crossing;
use crate::mesh::MeshData;

/// Triangles by their place in a block.
pub(crate) trait Source {
    /// The row in the list of triangles.
    fn prim(&self, place: Place) -> u32;
    fn corners(&self, place: Place) -> [[f32; 3]; 3];
    /// Calls `visit` for every triangle with three distinct corners, one of them at this position; not for all once the meter is
    /// spent.
    fn each_at(&self, position: [f32; 3], meter: &mut dyn Meter, visit: &mut dyn FnMut(&Stored));
    /// Whether a crossing goes through a hole that is painted on its triangle.
    #[inline(always)]
    fn cuts(&self, _prim: u32, _crossing: &Crossing) -> bool {
        false
    }
}

impl Source for MeshData {
    #[inline(always)]
    fn prim(&self, place: Place) -> u32 {
        self.leaves().prim(place)
    }

    #[inline(always)]
    fn corners(&self, place: Place) -> [[f32; 3]; 3] {
        self.leaves().corners(place)
    }

    fn each_at(&self, position: [f32; 3], meter: &mut dyn Meter, visit: &mut dyn FnMut(&Stored)) {
        self.tree.leaves_at(position, meter, &mut |at| {
            self.leaves()
                .triangles(at)
                .filter(|triangle| triangle.corners.contains(&position))
                .for_each(|triangle| visit(&triangle));
        });
    }

    #[inline(always)]
    fn cuts(&self, prim: u32, crossing: &Crossing) -> bool {
        self.cuts(prim, crossing)
    }
}
