//! The point of a mesh nearest to another point.

use alloc::vec::Vec;

use glam::DVec3;

use super::batch::each;
use crate::bvh::layout::Stored;
use crate::bvh::nearest::{Boxes, Corners, Search};
use crate::bvh::node::WIDTH;
use crate::hit::InstanceId;
use crate::intersect::{Feature, distances_sq, gaps_sq, point_triangle};
use crate::mesh::Mesh;
use crate::shape::Triangle;
use crate::shape::plane::power_of_two;
use crate::simd::stack::NearestFirst;

/// The point of a mesh or a scene nearest to another point.
///
/// ```
/// use hitscan::Mesh;
/// use hitscan::intersect::Feature;
/// let step = Mesh::new([[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 4.0]], [[0u32, 2, 1]])?;
/// let nearest = step.closest_point([1.0, 3.0, -4.0]).expect("there is a triangle");
/// assert_eq!((nearest.distance, nearest.position.to_array()), (5.0, [1.0, 0.0, 0.0]));
/// assert_eq!((nearest.prim, nearest.u, nearest.v), (0, 0.0, 0.25));
/// assert_eq!(nearest.feature, Feature::Edge(2)); // from C to A
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClosestPoint {
    /// How far it is, at least 0.
    pub distance: f64,
    /// Where it is, on the triangle.
    pub position: DVec3,
    /// Which instance of the scene; the first where a mesh was asked directly.
    pub instance: InstanceId,
    /// Its triangle: the row in the mesh's own list; of a shape the number of its face, as for rays.
    pub prim: u32,
    /// The weight of corner B, with `P = (1 - u - v) A + u B + v C`.
    pub u: f64,
    /// The weight of corner C.
    pub v: f64,
    /// The part of the triangle that it lies on.
    pub feature: Feature,
}

/// The nearest so far.
struct Nearest {
    point: DVec3,
    /// A power of two that brings distances below some 4.
    scale: f64,
    /// What is farther is not wanted.
    limit: f64,
    best: Option<ClosestPoint>,
}

impl Search for Nearest {
    type Order = NearestFirst;

    /// The squared distances of the boxes, by the scale.
    #[inline(always)]
    fn bounds(&self, boxes: &Boxes) -> [f64; WIDTH] {
        gaps_sq(self.point, self.scale, boxes)
    }

    #[inline(always)]
    fn bounds_of_triangles(&self, corners: &Corners) -> [f64; WIDTH] {
        distances_sq(self.point, self.scale, corners)
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        let limit = self.limit * self.scale;
        // Bounds have room for roundings; the smallest normal number covers squares that underflow.
        limit * limit + f64::MIN_POSITIVE
    }

    fn visit(&mut self, stored: &Stored) {
        let [a, b, c] = stored.corners.map(|corner| corner.map(f64::from));
        // A mesh's corners are finite and within 2^100, so the triangle exists.
        let Ok(triangle) = Triangle::new(a, b, c) else { return };
        let nearest = point_triangle(self.point, &triangle);
        let (distance, prim) = (nearest.distance, stored.prim);
        let is_first = |best: &ClosestPoint| (distance, prim) < (best.distance, best.prim);
        if distance <= self.limit && self.best.as_ref().is_none_or(is_first) {
            self.limit = distance;
            let (position, feature) = (nearest.position, nearest.feature);
            let (instance, u, v) = (InstanceId::first(0), nearest.u, nearest.v);
            self.best = Some(ClosestPoint { distance, position, instance, prim, u, v, feature });
        }
    }
}

impl Mesh {
    /// The point of the mesh nearest to `point`, in the mesh's own frame; of equally near ones that of the lowest `prim`.
    /// `None` for a mesh without triangles, and for a point with a coordinate that is not a number or infinite.
    ///
    /// Each triangle is judged as [`point_triangle`] judges it, and no tree changes the answer by a bit. Where two triangles
    /// share the nearest edge or corner, both are equally near, and the lower one is named. Triangles with two corners at one
    /// position are left out, as rays leave them out; those of no area with three distinct corners are the segments that
    /// they are. All are whole: [cutouts](Mesh::with_cutout) are holes for rays alone.
    ///
    /// Opens the nearest boxes first: some microseconds where the point is near, more for one that many triangles are almost
    /// equally far from.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let quad = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]],
    ///     [[0u32, 1, 2], [0, 2, 3]],
    /// )?;
    /// let nearest = quad.closest_point([1.0, 3.0, -2.0]).expect("there are triangles");
    /// assert_eq!((nearest.distance, nearest.prim), (2.0, 1));
    /// let shared = quad.closest_point([2.0, 2.0, 5.0]).expect("there are triangles");
    /// assert_eq!(shared.prim, 0); // both have it on their edge
    /// assert!(quad.closest_point([f64::NAN, 0.0, 0.0]).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "nearest_point")]
    #[doc(alias = "project_point")]
    pub fn closest_point(&self, point: impl Into<[f64; 3]>) -> Option<ClosestPoint> {
        self.closest_point_within(point, f64::INFINITY)
    }

    /// The same among points at most `max_distance` away: faster the smaller it is. `None` where all are farther, and for
    /// a distance that is not a number.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let ground = Mesh::new([[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 4.0]], [[0u32, 2, 1]])?;
    /// assert!(ground.closest_point_within([1.0, 2.0, 1.0], 2.0).is_some());
    /// assert!(ground.closest_point_within([1.0, 2.0, 1.0], 1.9).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest_point_within(
        &self,
        point: impl Into<[f64; 3]>,
        max_distance: f64,
    ) -> Option<ClosestPoint> {
        let point = DVec3::from(point.into());
        if !point.is_finite() || max_distance.is_nan() || max_distance < 0.0 {
            return None;
        }
        let largest = point.abs().max_element().max(f64::from(self.data.reach));
        let mut search =
            Nearest { point, scale: 1.0 / power_of_two(largest), limit: max_distance, best: None };
        self.data.search(self.kernel, &mut search);
        search.best
    }

    /// [`Mesh::closest_point`] for each point, on all cores with the feature `rayon`.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let ground = Mesh::new([[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 4.0]], [[0u32, 2, 1]])?;
    /// let nearest = ground.closest_point_batch(&[[1.0, 2.0, 1.0], [1.0, -3.0, 1.0]]);
    /// assert_eq!([2.0, 3.0].map(Some).to_vec(), nearest.iter().map(|n| n.map(|n| n.distance)).collect::<Vec<_>>());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest_point_batch<P: Into<[f64; 3]> + Copy + Sync>(
        &self,
        points: &[P],
    ) -> Vec<Option<ClosestPoint>> {
        each(points, |&point| self.closest_point(point))
    }

    /// [`Mesh::closest_point_within`] for each point, on all cores with the feature `rayon`.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let ground = Mesh::new([[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 4.0]], [[0u32, 2, 1]])?;
    /// let nearest = ground.closest_point_within_batch(&[[1.0, 2.0, 1.0], [1.0, -3.0, 1.0]], 2.5);
    /// assert!(nearest[0].is_some() && nearest[1].is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest_point_within_batch<P: Into<[f64; 3]> + Copy + Sync>(
        &self,
        points: &[P],
        max_distance: f64,
    ) -> Vec<Option<ClosestPoint>> {
        each(points, |&point| self.closest_point_within(point, max_distance))
    }
}
