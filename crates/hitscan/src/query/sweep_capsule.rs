//! The first triangle that a moving capsule meets.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::SweepHit;
use super::batch::each;
use crate::bvh::layout::Stored;
use crate::bvh::nearest::{Boxes, Corners, Search};
use crate::bvh::node::WIDTH;
use crate::intersect::{Ahead, Motion, sweep_capsule_triangle};
use crate::mesh::{Mesh, MeshData};
use crate::shape::{Capsule, Triangle};
use crate::simd::stack::NearestFirst;

/// The first so far.
struct First<'a> {
    mesh: &'a MeshData,
    ahead: Ahead<'a>,
    best: Option<SweepHit>,
}

impl Search for First<'_> {
    type Order = NearestFirst;

    #[inline(always)]
    fn bounds(&self, boxes: &Boxes) -> [f64; WIDTH] {
        self.ahead.boxes(boxes)
    }

    #[inline(always)]
    fn bounds_of_triangles(&self, corners: &Corners) -> [f64; WIDTH] {
        self.ahead.triangles(corners)
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.ahead.limit(self.best.as_ref().map(|best| &best.sweep))
    }

    fn visit(&mut self, stored: &Stored) {
        let triangle = Triangle::derived(stored.corners.map(|corner| corner.map(f64::from).into()));
        let Some(sweep) = sweep_capsule_triangle(self.ahead.capsule, self.ahead.motion, &triangle) else {
            return;
        };
        let found = SweepHit::of_mesh(self.mesh, stored.prim, sweep);
        if self.best.is_none_or(|best| found.order(&best) == Ordering::Less) {
            self.best = Some(found);
        }
    }
}

impl Mesh {
    /// The first triangle that a moving capsule meets: a character that walks, a bone, a stick. `None` where it meets none. As
    /// [`Mesh::sweep_sphere`], but each triangle is judged as [`sweep_capsule_triangle`] judges it.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::intersect::{Motion, Sweep};
    /// use hitscan::shape::Capsule;
    /// let step = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [8.0, 0.0, 0.0], [8.0, 0.0, 8.0], [0.0, 0.0, 8.0], [8.0, 4.0, 0.0], [8.0, 4.0, 8.0]],
    ///     [[0u32, 2, 1], [0, 3, 2], [1, 2, 5], [1, 5, 4]],
    /// )?;
    /// let walker = Capsule::new([2.0, 0.5, 4.0], [2.0, 1.5, 4.0], 0.5)?;
    /// let walk = step.sweep_capsule(&walker, &Motion::new([11.0, 0.0, 0.0])?).expect("the wall");
    /// assert_eq!((walk.prim, walk.sweep.t()), (2, 0.5)); // the ground below does not stop it
    /// let jump = step.sweep_capsule(&walker, &Motion::new([0.0, 3.0, 0.0])?);
    /// assert!(jump.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "capsulecast")]
    pub fn sweep_capsule(&self, capsule: &Capsule, motion: &Motion) -> Option<SweepHit> {
        let mut search = First { mesh: &self.data, ahead: Ahead::new(capsule, motion), best: None };
        self.data.search(self.kernel, &mut search);
        search.best
    }

    /// [`Mesh::sweep_capsule`] for each capsule and its motion, on all cores with the feature `rayon`.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::intersect::Motion;
    /// use hitscan::shape::Capsule;
    /// let ground = Mesh::new([[-9.0f32, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]], [[0u32, 2, 1]])?;
    /// let walker = Capsule::new([0.0, 3.0, 0.0], [0.0, 4.0, 0.0], 1.0)?;
    /// let motions = [Motion::new([0.0, -4.0, 0.0])?, Motion::new([0.0, 4.0, 0.0])?];
    /// let hits = ground.sweep_capsule_batch(&motions.map(|motion| (walker, motion)));
    /// assert!(hits[0].is_some() && hits[1].is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sweep_capsule_batch(&self, sweeps: &[(Capsule, Motion)]) -> Vec<Option<SweepHit>> {
        each(sweeps, |(capsule, motion)| self.sweep_capsule(capsule, motion))
    }
}
