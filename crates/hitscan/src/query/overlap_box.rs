//! Every triangle that touches a box, axis-aligned or oriented.

use alloc::vec::Vec;

use glam::DVec3;

use super::Buffer;
use super::batch::each;
use super::touching::Region;
use crate::bvh::nearest::{Boxes, Corners, NEVER, boxes_around};
use crate::bvh::node::WIDTH;
use crate::intersect::{triangle_aabb, triangle_obb};
use crate::mesh::Mesh;
use crate::shape::{Aabb, Obb, Triangle};

/// More than what axes that are off from right angles by as much as an [`Obb`] may be add to the box around it, as a part of its
/// half sizes; and more than all roundings.
const ASKEW: f64 = 1e-5;

/// A box around an oriented box.
pub(crate) fn reach_of_obb(bounds: &Obb) -> (DVec3, DVec3) {
    let [x, y, z] = [0, 1, 2].map(|i| (bounds.axes().col(i).abs() + ASKEW) * bounds.half()[i]);
    // Rounding may take from the corners what the half sizes are too small to give.
    let reach = x + y + z;
    ((bounds.centre() - reach).map(f64::next_down), (bounds.centre() + reach).map(f64::next_up))
}

/// What touches something within a box.
struct Near<F> {
    low: DVec3,
    high: DVec3,
    touches: F,
}

impl<F: Fn(&Triangle) -> bool> Region for Near<F> {
    #[inline(always)]
    fn bounds(&self, boxes: &Boxes) -> [f64; WIDTH] {
        reaching(self.low, self.high, boxes)
    }

    #[inline(always)]
    fn bounds_of_triangles(&self, corners: &Corners) -> [f64; WIDTH] {
        self.bounds(&boxes_around(corners))
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        0.0
    }

    fn touches(&self, triangle: &Triangle) -> bool {
        (self.touches)(triangle)
    }
}

/// 0 for each of eight boxes that has a point in common with a box, or [`NEVER`].
#[inline(always)]
pub(crate) fn reaching<T: Into<f64> + Copy>(low: DVec3, high: DVec3, boxes: &Boxes<T>) -> [f64; WIDTH] {
    let (low, high) = (low.to_array(), high.to_array());
    let mut bounds = [0.0; WIDTH];
    for axis in 0..3 {
        for lane in 0..WIDTH {
            let (first, last): (f64, f64) = (boxes[axis][lane].into(), boxes[3 + axis][lane].into());
            let apart = first > high[axis] || last < low[axis];
            bounds[lane] = if apart { NEVER } else { bounds[lane] };
        }
    }
    bounds
}

impl Mesh {
    /// The `prim` of every triangle that has a point in a solid box, its surface included, in ascending order; empty where none
    /// has. The box is in the mesh's own frame.
    ///
    /// Exact: each triangle is judged as [`triangle_aabb`] judges it, so the answer does not depend on the tree. Triangles with
    /// two corners at one position are left out, as rays leave them out; those of no area with three distinct corners are the
    /// segments that they are, and [cutouts](Mesh::with_cutout) play no part. A box inside of a closed mesh that reaches no triangle touches none: ask [`Mesh::contains`].
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::shape::Aabb;
    /// let quad = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]],
    ///     [[0u32, 1, 2], [0, 2, 3]],
    /// )?;
    /// let touched = |low: [f64; 3], high: [f64; 3]| Aabb::new(low, high).map(|bounds| quad.overlap_aabb(&bounds));
    /// assert_eq!(touched([1.0, 1.0, -1.0], [2.0, 2.0, 0.0])?, [0, 1]);
    /// assert_eq!(touched([3.0, 0.0, -1.0], [4.0, 1.0, 1.0])?, [0]);
    /// assert!(touched([3.0, 0.0, 0.5], [4.0, 1.0, 1.0])?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_aabb(&self, bounds: &Aabb) -> Vec<u32> {
        Buffer::filled(|touched| self.overlap_aabb_into(bounds, touched))
    }

    /// [`Mesh::overlap_aabb`] into memory that is used again.
    ///
    /// ```
    /// use hitscan::{Buffer, Mesh, shape::Aabb};
    /// let quad = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]],
    ///     [[0u32, 1, 2], [0, 2, 3]],
    /// )?;
    /// let mut touched = Buffer::new(); // one for all questions
    /// quad.overlap_aabb_into(&Aabb::new([3.0, 0.0, -1.0], [4.0, 1.0, 1.0])?, &mut touched);
    /// assert_eq!(touched[..], [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_aabb_into(&self, bounds: &Aabb, touched: &mut Buffer<u32>) {
        self.overlapping(bounds.low(), bounds.high(), |triangle| triangle_aabb(triangle, bounds), touched);
    }

    /// [`Mesh::overlap_aabb`] for each of many, on all cores with the feature `rayon`.
    ///
    /// ```
    /// use hitscan::{Mesh, shape::Aabb};
    /// let quad = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]],
    ///     [[0u32, 1, 2], [0, 2, 3]],
    /// )?;
    /// let boxes = [Aabb::new([1.0, 1.0, -1.0], [2.0, 2.0, 1.0])?, Aabb::new([5.0; 3], [6.0; 3])?];
    /// assert_eq!(quad.overlap_aabb_batch(&boxes), [vec![0, 1], vec![]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_aabb_batch(&self, boxes: &[Aabb]) -> Vec<Vec<u32>> {
        each(boxes, |bounds| self.overlap_aabb(bounds))
    }

    /// The same for an oriented box, by [`triangle_obb`].
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::glam::{DMat3, DVec3};
    /// use hitscan::shape::Obb;
    /// let quad = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]],
    ///     [[0u32, 1, 2], [0, 2, 3]],
    /// )?;
    /// let turned = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z); // a quarter turn
    /// assert_eq!(quad.overlap_obb(&Obb::new([3.5, 1.0, 0.0], turned, [1.0, 0.25, 0.5])?), [0]);
    /// assert!(quad.overlap_obb(&Obb::new([5.0, 1.0, 0.0], turned, [2.0, 0.5, 0.5])?).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_obb(&self, bounds: &Obb) -> Vec<u32> {
        Buffer::filled(|touched| self.overlap_obb_into(bounds, touched))
    }

    /// [`Mesh::overlap_obb`] into memory that is used again.
    ///
    /// ```
    /// use hitscan::glam::{DMat3, DVec3};
    /// use hitscan::{Buffer, Mesh, shape::Obb};
    /// let quad = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]],
    ///     [[0u32, 1, 2], [0, 2, 3]],
    /// )?;
    /// let turned = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z); // a quarter turn
    /// let mut touched = Buffer::new(); // one for all questions
    /// quad.overlap_obb_into(&Obb::new([3.5, 1.0, 0.0], turned, [1.0, 0.25, 0.5])?, &mut touched);
    /// assert_eq!(touched[..], [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_obb_into(&self, bounds: &Obb, touched: &mut Buffer<u32>) {
        let (low, high) = reach_of_obb(bounds);
        self.overlapping(low, high, |triangle| triangle_obb(triangle, bounds), touched);
    }

    /// [`Mesh::overlap_obb`] for each of many, on all cores with the feature `rayon`.
    ///
    /// ```
    /// use hitscan::glam::{DMat3, DVec3};
    /// use hitscan::{Mesh, shape::Obb};
    /// let quad = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]],
    ///     [[0u32, 1, 2], [0, 2, 3]],
    /// )?;
    /// let turned = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z); // a quarter turn
    /// let boxes = [3.5, 9.0].map(|x| Obb::new([x, 1.0, 0.0], turned, [1.0, 0.25, 0.5]).unwrap());
    /// assert_eq!(quad.overlap_obb_batch(&boxes), [vec![0], vec![]]);
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn overlap_obb_batch(&self, boxes: &[Obb]) -> Vec<Vec<u32>> {
        each(boxes, |bounds| self.overlap_obb(bounds))
    }

    /// The triangles near a box of which something holds.
    fn overlapping(
        &self,
        low: DVec3,
        high: DVec3,
        touches: impl Fn(&Triangle) -> bool,
        touched: &mut Buffer<u32>,
    ) {
        self.touching(&Near { low, high, touches }, touched);
    }
}
