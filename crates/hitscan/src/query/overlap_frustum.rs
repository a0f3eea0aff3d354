//! Every triangle that touches a frustum, or a selection of several.

use alloc::vec::Vec;

use glam::DVec3;

use super::Buffer;
use super::batch::each;
use super::touching::Region;
use crate::bvh::nearest::{Boxes, Corners, one_by_one};
use crate::bvh::node::WIDTH;
use crate::intersect::{triangle_frustum, triangle_frustum_from};
use crate::mesh::Mesh;
use crate::shape::{Frustum, Triangle};
use crate::view::{Coverage, Selection};

impl Selection {
    /// Whether a triangle is selected, as seen from where the frusta are.
    pub(crate) fn has(&self, triangle: &Triangle, coverage: Coverage) -> bool {
        let touches = |part: &Frustum| part.touches(triangle);
        self.pieces.iter().any(touches) && (coverage == Coverage::Touching || !self.walls.iter().any(touches))
    }
}

impl Frustum {
    /// Whether it touches a triangle, as seen from where it is.
    pub(crate) fn touches(&self, triangle: &Triangle) -> bool {
        let (low, high) = triangle.bounds();
        !self.misses(low, high) && triangle_frustum_from(triangle, self, DVec3::ZERO)
    }
}

impl Mesh {
    /// The `prim` of every triangle that has a point in a frustum, its surface included, in ascending order; empty where none
    /// has. The frustum is in the mesh's own frame.
    ///
    /// Exact: each triangle is judged as [`triangle_frustum`] judges it, so the answer does not depend on the tree. Triangles with
    /// two corners at one position are left out, as rays leave them out; those of no area with three distinct corners are the
    /// segments that they are, and [cutouts](Mesh::with_cutout) play no part. What hides behind something else counts as well.
    ///
    /// ```
    /// use hitscan::{Camera, Mesh};
    /// let quad = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]],
    ///     [[0u32, 1, 2], [0, 2, 3]],
    /// )?;
    /// let view = Camera::look_at([2.0, 2.0, 5.0], [2.0, 2.0, 0.0], [0.0, 1.0, 0.0], 90.0)?.view([400, 400])?;
    /// assert_eq!(quad.overlap_frustum(&view.frustum([190.0, 190.0], [210.0, 210.0])?), [0, 1]);
    /// assert_eq!(quad.overlap_frustum(&view.frustum([230.0, 240.0], [260.0, 270.0])?), [0]);
    /// assert!(quad.overlap_frustum(&view.frustum([300.0, 240.0], [360.0, 270.0])?).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "frustum culling")]
    pub fn overlap_frustum(&self, frustum: &Frustum) -> Vec<u32> {
        Buffer::filled(|touched| self.overlap_frustum_into(frustum, touched))
    }

    /// [`Mesh::overlap_frustum`] into memory that is used again.
    ///
    /// ```
    /// use hitscan::{Buffer, Camera, Mesh};
    /// let quad = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]],
    ///     [[0u32, 1, 2], [0, 2, 3]],
    /// )?;
    /// let view = Camera::look_at([2.0, 2.0, 5.0], [2.0, 2.0, 0.0], [0.0, 1.0, 0.0], 90.0)?.view([400, 400])?;
    /// let mut touched = Buffer::new(); // one for all questions
    /// quad.overlap_frustum_into(&view.frustum([230.0, 240.0], [260.0, 270.0])?, &mut touched);
    /// assert_eq!(touched[..], [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_frustum_into(&self, frustum: &Frustum, touched: &mut Buffer<u32>) {
        let near = |low: DVec3, high: DVec3| !frustum.misses(low, high);
        self.within(frustum.about(), near, |triangle| triangle_frustum(triangle, frustum), touched);
    }

    /// [`Mesh::overlap_frustum`] for each of many, on all cores with the feature `rayon`.
    ///
    /// ```
    /// use hitscan::{Camera, Mesh};
    /// let quad = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]],
    ///     [[0u32, 1, 2], [0, 2, 3]],
    /// )?;
    /// let view = Camera::look_at([2.0, 2.0, 5.0], [2.0, 2.0, 0.0], [0.0, 1.0, 0.0], 90.0)?.view([400, 400])?;
    /// let frusta = [view.frustum([190.0, 190.0], [210.0, 210.0])?, view.frustum([230.0, 240.0], [260.0, 270.0])?];
    /// assert_eq!(quad.overlap_frustum_batch(&frusta), [vec![0, 1], vec![0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_frustum_batch(&self, frusta: &[Frustum]) -> Vec<Vec<u32>> {
        each(frusta, |frustum| self.overlap_frustum(frustum))
    }

    /// The `prim` of every triangle that a rectangle or a lasso selects, in ascending order; empty where there is none. The
    /// view is in the mesh's own frame. Else as [`Mesh::overlap_frustum`], with corners as seen from the eye, rounded to `f64`.
    ///
    /// ```
    /// use hitscan::{Camera, Coverage, Mesh};
    /// let quad = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]],
    ///     [[0u32, 1, 2], [0, 2, 3]],
    /// )?;
    /// let view = Camera::look_at([2.0, 2.0, 5.0], [2.0, 2.0, 0.0], [0.0, 1.0, 0.0], 90.0)?.view([400, 400])?;
    /// let lasso = view.lasso([[110.0, 290.0], [290.0, 290.0], [290.0, 90.0]])?; // below the diagonal, a little further
    /// assert_eq!(quad.select_triangles(&lasso, Coverage::Touching), [0, 1]);
    /// assert_eq!(quad.select_triangles(&lasso, Coverage::Inside), [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn select_triangles(&self, selection: &Selection, coverage: Coverage) -> Vec<u32> {
        Buffer::filled(|selected| self.select_triangles_into(selection, coverage, selected))
    }

    /// [`Mesh::select_triangles`] into memory that is used again.
    ///
    /// ```
    /// use hitscan::{Buffer, Camera, Coverage, Mesh};
    /// let quad = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]],
    ///     [[0u32, 1, 2], [0, 2, 3]],
    /// )?;
    /// let view = Camera::look_at([2.0, 2.0, 5.0], [2.0, 2.0, 0.0], [0.0, 1.0, 0.0], 90.0)?.view([400, 400])?;
    /// let mut selected = Buffer::new(); // one for all questions
    /// quad.select_triangles_into(&view.rectangle([230.0, 240.0], [260.0, 270.0])?, Coverage::Touching, &mut selected);
    /// assert_eq!(selected[..], [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn select_triangles_into(
        &self,
        selection: &Selection,
        coverage: Coverage,
        selected: &mut Buffer<u32>,
    ) {
        let about = selection.about();
        let near = |low: DVec3, high: DVec3| selection.pieces.iter().any(|piece| !piece.misses(low, high));
        let has = |triangle: &Triangle| {
            selection.has(&Triangle::derived(triangle.corners().map(|corner| corner - about)), coverage)
        };
        self.within(about, near, has, selected);
    }

    /// The triangles in boxes near something, as seen from a point, of which something holds.
    fn within(
        &self,
        about: DVec3,
        near: impl Fn(DVec3, DVec3) -> bool,
        holds: impl Fn(&Triangle) -> bool,
        found: &mut Buffer<u32>,
    ) {
        self.touching(&Seen { about, near, holds }, found);
    }
}

/// What is seen from a point.
struct Seen<N, H> {
    about: DVec3,
    near: N,
    holds: H,
}

impl<N: Fn(DVec3, DVec3) -> bool, H: Fn(&Triangle) -> bool> Region for Seen<N, H> {
    fn bounds(&self, boxes: &Boxes) -> [f64; WIDTH] {
        let seen = |corner: [f32; 3]| DVec3::from(corner.map(f64::from)) - self.about;
        one_by_one(boxes, |low, high| (self.near)(seen(low), seen(high)).then_some(0.0))
    }

    /// What holds of a triangle is found as fast as what holds of its box.
    #[inline(always)]
    fn bounds_of_triangles(&self, _: &Corners) -> [f64; WIDTH] {
        [0.0; WIDTH]
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        0.0
    }

    fn touches(&self, triangle: &Triangle) -> bool {
        (self.holds)(triangle)
    }
}
