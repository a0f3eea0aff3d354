//! Where triangles come from: the leaves of a mesh, or a formula.
//!
//! What a query needs of them beyond the block that it tests: their numbers, their corners, and where a ray runs exactly
//! along an outline, their neighbours.

use crate::bvh::layout::{Place, Stored};
use crate::bvh::meter::Meter;
use crate::intersect::watertight::Crossing;
use crate::mesh::MeshData;

/// Steps of a search for what is most often near at hand: several times as many as the way to two leaves of a large mesh has.
const NEAR: u32 = 64;

/// Triangles by their place in a block.
pub(crate) trait Source {
    /// The row in the list of triangles.
    fn prim(&self, place: Place) -> u32;
    fn corners(&self, place: Place) -> [[f32; 3]; 3];
    /// Calls `visit` for every triangle with three distinct corners, one of them at this position; not for all once the meter is
    /// spent.
    fn each_at(&self, position: [f32; 3], meter: &mut dyn Meter, visit: &mut dyn FnMut(&Stored));
    /// Whether one of the triangles in the block of a place that have three distinct corners, one of them at this position, is wanted.
    fn any_beside(&self, place: Place, position: [f32; 3], wanted: &mut dyn FnMut(&Stored) -> bool) -> bool;
    /// Whether one of the triangles with three distinct corners, one at the first of these positions and one at each other, is wanted.
    /// Looked for not far: where there is none near at hand, that says nothing.
    fn any_at(
        &self,
        positions: &[[f32; 3]],
        meter: &mut dyn Meter,
        wanted: &mut dyn FnMut(&Stored) -> bool,
    ) -> bool;
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
        self.tree.leaves_at(&[position], u32::MAX, meter, &mut |at| {
            self.leaves().triangles_at(at, position).for_each(|triangle| visit(&triangle));
            false
        });
    }

    fn any_beside(&self, place: Place, position: [f32; 3], wanted: &mut dyn FnMut(&Stored) -> bool) -> bool {
        self.leaves().triangles_at(place.payload, position).any(|triangle| wanted(&triangle))
    }

    fn any_at(
        &self,
        positions: &[[f32; 3]],
        meter: &mut dyn Meter,
        wanted: &mut dyn FnMut(&Stored) -> bool,
    ) -> bool {
        self.tree.leaves_at(positions, NEAR, meter, &mut |at| {
            self.leaves().triangles_at(at, positions[0]).any(|triangle| wanted(&triangle))
        })
    }

    #[inline(always)]
    fn cuts(&self, prim: u32, crossing: &Crossing) -> bool {
        self.cuts(prim, crossing)
    }
}
