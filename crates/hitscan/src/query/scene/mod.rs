//! The questions about more than a ray, asked of a whole scene.
//!
//! What is asked about stands in the world's coordinates, in `f64`; each triangle and each shape is put beside it, as seen from
//! where it is, and judged there by the test for the pair in [`intersect`](crate::intersect). So any transform is allowed, uneven and
//! mirrored ones too, and the answer is as precise far from the origin as near to it.

mod closest_point;
mod contains;
mod overlap;
mod select;
mod sweep;

pub use overlap::Overlap;

use crate::filter::{Candidate, Filter, Verdict};
use crate::hit::Face;
use crate::shape::Triangle;
use crate::world::top::search::At;
use glam::DVec3;

/// Whether a filter lets something count; what it says of the mask was asked before.
fn admits(filter: &Filter<'_>, at: &At<'_>, prim: u32, facing: Face, t: f64, [u, v]: [f64; 2]) -> bool {
    let instance = at.id;
    filter.admits_data(facing, instance, prim)
        && filter.judged(|| Candidate { t, u, v, prim, instance, facing }) != Verdict::Ignore
}

/// The side of a triangle in its place that looks along a direction; a triangle without area shows its front. By its winding
/// there, which a mirror has turned already.
fn side(triangle: &Triangle, towards: DVec3) -> Face {
    if triangle.cross().dot(towards) >= 0.0 { Face::Front } else { Face::Back }
}
