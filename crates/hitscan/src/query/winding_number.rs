//! How often a surface goes around a point, also where it has holes.
//!
//! Each triangle takes up a part of the sphere around the point, its solid angle, positive where its back is seen; together
//! they are the number of times that the surface goes around, a whole number for a closed one and one with holes in it for
//! others. (Jacobson, Kavan, Sorkine-Hornung: Robust inside-outside segmentation using generalized winding numbers, 2013.)
//!
//! So it is the number that is counted above the point, and what the boundary of the surface takes up: no other triangle
//! need be looked at. Neither depends on the tree, so every tree gives the same bits.

use alloc::vec;
use alloc::vec::Vec;

use glam::DVec3;

use super::batch::task;
use super::contains::{Upward, seen_from};
use super::contains_batch::seen_from_each;
use crate::bvh::parallel::in_tasks;
use crate::mesh::Mesh;

/// Most points of which is kept at once what they see: some 50 MB.
const TOGETHER: usize = 1 << 20;

/// Eights of edges that one task looks at, for all of its points: about a millisecond, much more than its hand-over.
const LOOKS: usize = 1 << 14;

/// A point with a larger coordinate sees nothing: 2^300, where products of distances are still numbers, and no mesh
/// takes up more than 2^-390 of the sphere.
const FARTHEST: f64 = {
    let far = (1u128 << 100) as f64;
    far * far * far
};

impl Mesh {
    /// The generalised winding number of a point: how often the surface goes around it, counter-clockwise fronts counted
    /// outwards. For a closed mesh a whole number up to rounding, 1 inside and 0 outside, -1 inside of one that is inside out; for
    /// an open one something between, which changes smoothly but for a jump by 1 through each triangle; 0 for one without
    /// triangles. In the mesh's own frame.
    ///
    /// Exactly on a triangle, and for a point with a coordinate that is not a number or infinite, it says nothing (but is always
    /// the same number). Triangles with [cutouts](Mesh::with_cutout) are whole. Exact for a mesh without a boundary, one whose
    /// triangles run along each edge as often one way as back. Else each edge of the boundary adds an error of some `2^-50`, times how
    /// many times farther its ends are than the edge itself. On which side of a triangle the point lies is exact, but for points
    /// nearer to a corner than `2^-500`.
    ///
    /// As fast as [`Mesh::containment`] for a mesh without a boundary; an edge of that takes a few nanoseconds more. The order of
    /// summation is fixed, so that neither the tree nor the instruction set changes a bit. The first call finds the boundary, as
    /// [`Mesh::boundary_edges`] does.
    ///
    /// Source: Jacobson, Kavan, Sorkine-Hornung, Robust inside-outside segmentation using generalized winding numbers, 2013;
    /// Martens, Bessmeltsev, One-shot method for computing generalized winding numbers, 2025.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let corners = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let tetrahedron = Mesh::new(corners, [[0u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let winding = |point: [f64; 3]| tetrahedron.winding_number(point);
    /// assert!((winding([0.2, 0.2, 0.2]) - 1.0).abs() < 1e-14 && winding([0.5, 0.5, 0.5]).abs() < 1e-14);
    /// let floor = Mesh::new(corners, [[0u32, 2, 1]])?; // from just above it, half of all directions
    /// assert!((floor.winding_number([0.2, 0.2, 1e-9]) - 0.5).abs() < 1e-7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "solid angle")]
    pub fn winding_number(&self, point: impl Into<[f64; 3]>) -> f64 {
        self.winding_at(DVec3::from(point.into()), |_, winding| winding)
    }

    /// [`Mesh::winding_number`] for each point, on all cores with the feature `rayon`.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let corners = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let tetrahedron = Mesh::new(corners, [[0u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let windings = tetrahedron.winding_number_batch(&[[0.2, 0.2, 0.2], [0.5, 0.5, 0.5]]);
    /// assert_eq!(windings.iter().map(|w| w.round()).collect::<Vec<_>>(), [1.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn winding_number_batch<P: Into<[f64; 3]> + Copy + Sync>(&self, points: &[P]) -> Vec<f64> {
        self.winding_batch(points, |_, winding| winding)
    }

    /// What is made of whether a point lies on a triangle, and of its winding number.
    pub(super) fn winding_at<A>(&self, point: DVec3, answer: impl Fn(bool, f64) -> A) -> A {
        let seen = if point.is_finite() { seen_from(self, point) } else { Upward::default() };
        answer(seen.touched, self.winding_from(point, seen))
    }

    /// The same of each point.
    pub(super) fn winding_batch<P: Into<[f64; 3]> + Copy + Sync, A: Clone + Default + Send>(
        &self,
        points: &[P],
        answer: impl Fn(bool, f64) -> A + Sync,
    ) -> Vec<A> {
        let most = LOOKS / (self.data.boundary().len() + 1);
        let mut answers = vec![A::default(); points.len()];
        for (points, answers) in points.chunks(TOGETHER).zip(answers.chunks_mut(TOGETHER)) {
            let seen = points.iter().copied().zip(seen_from_each(self, points));
            let looked: Vec<(P, Upward)> = seen.collect();
            in_tasks(&looked, answers, task(points.len()).min(most).max(1), &|looked, answers| {
                for (&(point, seen), place) in looked.iter().zip(answers) {
                    *place = answer(seen.touched, self.winding_from(DVec3::from(point.into()), seen));
                }
            });
        }
        answers
    }

    /// The winding number of a point that sees this above it.
    fn winding_from(&self, point: DVec3, seen: Upward) -> f64 {
        let in_reach = point.abs().cmple(DVec3::splat(FARTHEST)).all(); // false for NaN
        if in_reach { self.data.turns_around(self.kernel, point, seen.turns) } else { 0.0 }
    }
}
