//! The point of a scene nearest to another point.

use alloc::vec::Vec;

use glam::DVec3;

use super::{admits, side};
use crate::bvh::nearest::{Boxes, Corners};
use crate::bvh::node::WIDTH;
use crate::filter::Filter;
use crate::hit::Face;
use crate::intersect::{Feature, Polytope, Seen, distances_sq, gaps_sq, point_triangle, towards_centre};
use crate::query::ClosestPoint;
use crate::query::batch::each;
use crate::ray::MAX_COORDINATE;
use crate::scene::Scene;
use crate::shape::Triangle;
use crate::shape::plane::{length, unit};
use crate::simd::stack::NearestFirst;
use crate::world::placing::Solid;
use crate::world::top::search::{At, WorldSearch};

/// The nearest so far.
struct Nearest<'a> {
    /// The point that is asked about.
    about: DVec3,
    filter: &'a Filter<'a>,
    /// What is farther is not wanted.
    limit: f64,
    best: Option<ClosestPoint>,
}

impl Nearest<'_> {
    fn offer(&mut self, at: &At<'_>, facing: Face, found: ClosestPoint) {
        let is_first = |best: &ClosestPoint| {
            (found.distance, found.instance, found.prim) < (best.distance, best.instance, best.prim)
        };
        if found.distance <= self.limit
            && self.best.as_ref().is_none_or(is_first)
            && admits(self.filter, at, found.prim, facing, found.distance, [found.u, found.v])
        {
            self.limit = found.distance;
            self.best = Some(found);
        }
    }
}

impl WorldSearch for Nearest<'_> {
    type Order = NearestFirst;

    fn about(&self) -> DVec3 {
        self.about
    }

    fn filter(&self) -> &Filter<'_> {
        self.filter
    }

    /// Coordinates are within 2^102, so no square is too large. What a shape's distance is rounded by, 2^-44 of itself and of the shape's
    /// place, bounds have room for.
    #[inline(always)]
    fn bounds(&self, boxes: &Boxes<f64>) -> [f64; WIDTH] {
        gaps_sq(DVec3::ZERO, 1.0, boxes)
    }

    #[inline(always)]
    fn bounds_of_triangles(&self, corners: &Corners<f64>) -> [f64; WIDTH] {
        distances_sq(DVec3::ZERO, 1.0, corners)
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.limit * self.limit + f64::MIN_POSITIVE
    }

    fn triangle(&mut self, at: &At<'_>, prim: u32, triangle: &Triangle) {
        let nearest = point_triangle(DVec3::ZERO, triangle);
        let facing = side(triangle, -nearest.position);
        let found = ClosestPoint {
            distance: nearest.distance,
            position: self.about + nearest.position,
            instance: at.id,
            prim,
            u: nearest.u,
            v: nearest.v,
            feature: nearest.feature,
        };
        self.offer(at, facing, found);
    }

    fn solid(&mut self, at: &At<'_>, solid: &Solid<'_>) {
        let Some((nearest, facing)) = on_surface(solid) else { return };
        let found = ClosestPoint {
            distance: length(nearest),
            position: self.about + nearest,
            instance: at.id,
            prim: at.instance.face_at(self.about, nearest),
            u: 0.0,
            v: 0.0,
            feature: Feature::Face,
        };
        self.offer(at, facing, found);
    }
}

/// The point of a shape's surface that is nearest to the origin, and the side that it shows there. `None` for a hull without a
/// surface, which only a file holds.
fn on_surface(solid: &Solid<'_>) -> Option<(DVec3, Face)> {
    let round = |axis: DVec3, outwards: DVec3, radius: f64| {
        let facing = if length(axis) >= radius { Face::Front } else { Face::Back };
        (axis + outwards * radius, facing)
    };
    Some(match solid {
        Solid::Ball(sphere) => {
            round(sphere.centre(), unit(-sphere.centre()).unwrap_or(DVec3::X), sphere.radius())
        }
        Solid::Pill(capsule) => {
            let axis = Triangle::derived([capsule.a(), capsule.b(), capsule.b()]);
            let seen = Seen::new(DVec3::ZERO, &axis);
            let nearest = seen.nearest();
            round(nearest.on(&axis), towards_centre(&axis, &seen, &nearest), capsule.radius())
        }
        Solid::Uneven(target) => {
            let (nearest, normal) = target.nearest(DVec3::ZERO);
            (nearest, if nearest.dot(normal) <= 0.0 { Face::Front } else { Face::Back })
        }
        Solid::Flat(plane) => {
            let height = plane.signed_distance(DVec3::ZERO);
            (plane.normal() * -height, if height >= 0.0 { Face::Front } else { Face::Back })
        }
        Solid::Block(block) => {
            let mut best = (f64::INFINITY, DVec3::ZERO);
            block.each_triangle(&mut |triangle| {
                let nearest = point_triangle(DVec3::ZERO, triangle);
                if nearest.distance < best.0 {
                    best = (nearest.distance, nearest.position);
                }
            });
            if best.0 == f64::INFINITY {
                return None;
            }
            (best.1, if block.holds(DVec3::ZERO) { Face::Back } else { Face::Front })
        }
    })
}

impl Scene {
    /// The point of any surface nearest to `point`; of equally near ones that of the lowest instance, then of the lowest `prim`.
    /// `None` where there is nothing, and for a point with a coordinate that is not a number or beyond 2^100.
    ///
    /// Triangles are judged as [`point_triangle`] judges them, in their places as seen from the point. Of a shape it is the
    /// surface too, also from inside; of one that its transform stretches unevenly to about 2^-24 of the sizes; by less than 2^-20
    /// of itself it counts as round, and as large as where it is largest. Of the [`Filter`], the mask
    /// counts, what is skipped (a shape as a whole, whichever face is named), facing as the side that the point sees, and the closure,
    /// which gets the distance as `t`. No tree changes the answer by a bit.
    ///
    /// ```
    /// use hitscan::shape::{Plane, Sphere};
    /// use hitscan::{Filter, World};
    /// let mut world = World::new();
    /// let ground = world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
    /// let ball = world.insert(Sphere::new([0.0, 5.0, 0.0], 1.0)?);
    /// let scene = world.commit();
    /// let nearest = scene.closest_point([3.0, 1.0, 0.0], &Filter::ALL).expect("there is ground");
    /// assert_eq!((nearest.instance, nearest.distance), (ground, 1.0));
    /// let above = scene.closest_point([3.0, 9.0, 0.0], &Filter::ALL).expect("there is a ball");
    /// assert_eq!((above.instance, above.distance), (ball, 4.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "project_point")]
    pub fn closest_point(&self, point: impl Into<[f64; 3]>, filter: &Filter<'_>) -> Option<ClosestPoint> {
        self.closest_point_within(point, f64::INFINITY, filter)
    }

    /// The same among points at most `max_distance` away: faster the smaller it is. `None` where all are farther, and for
    /// a distance that is not a number.
    ///
    /// ```
    /// use hitscan::shape::Plane;
    /// use hitscan::{Filter, World};
    /// let mut world = World::new();
    /// world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
    /// let scene = world.commit();
    /// assert!(scene.closest_point_within([0.0, 2.0, 0.0], 2.0, &Filter::ALL).is_some());
    /// assert!(scene.closest_point_within([0.0, 2.0, 0.0], 1.9, &Filter::ALL).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest_point_within(
        &self,
        point: impl Into<[f64; 3]>,
        max_distance: f64,
        filter: &Filter<'_>,
    ) -> Option<ClosestPoint> {
        let about = DVec3::from(point.into());
        let in_range = about.abs().max_element() <= MAX_COORDINATE; // false for NaN
        if !in_range || max_distance.is_nan() || max_distance < 0.0 {
            return None;
        }
        let mut search = Nearest { about, filter, limit: max_distance, best: None };
        self.top.search(self.kernel, &mut search);
        search.best
    }

    /// [`Scene::closest_point`] for each point, on all cores with the feature `rayon`.
    ///
    /// ```
    /// use hitscan::shape::Plane;
    /// use hitscan::{Filter, World};
    /// let mut world = World::new();
    /// world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
    /// let nearest = world.commit().closest_point_batch(&[[0.0, 2.0, 0.0], [0.0, -3.0, 0.0]], &Filter::ALL);
    /// assert_eq!([2.0, 3.0].map(Some).to_vec(), nearest.iter().map(|n| n.map(|n| n.distance)).collect::<Vec<_>>());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest_point_batch<P: Into<[f64; 3]> + Copy + Sync>(
        &self,
        points: &[P],
        filter: &Filter<'_>,
    ) -> Vec<Option<ClosestPoint>> {
        each(points, |&point| self.closest_point(point, filter))
    }
}
