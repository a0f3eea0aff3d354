//! Frustum: what a view shows of the world through a part of its picture.

use core::cmp::Ordering;

use glam::DVec3;

use crate::exact::{Number, difference, dot, sign_of, vector};
use crate::view::Linear;

/// A convex solid between up to six planes, mostly a pyramid without its top: what lies behind a rectangle of a picture, between
/// the near and the far plane; its surface belongs to it. Without a far plane it has no end.
/// [`View::frustum`](crate::View::frustum) makes it.
///
/// ```
/// use hitscan::{Camera, Filter, World, shape::Sphere};
/// let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?.view([640, 480])?;
/// let right = view.frustum([320.0, 0.0], [640.0, 480.0])?; // the right half of the picture
/// assert!(right.contains([0.0; 3]) && !right.contains([-0.1, 0.0, 0.0]));
/// assert!(right.contains([1.0, 0.0, -1e9]) && !right.contains([1.0, 0.0, 6.0])); // without an end, not behind the eye
///
/// let mut world = World::new();
/// let balls = [-2.0, 0.0, 2.0].map(|x| Sphere::new([x, 0.0, 0.0], 0.5).map(|ball| world.insert(ball)));
/// let seen = world.commit().overlap_frustum(&right, &Filter::ALL);
/// let seen: Vec<_> = seen.iter().map(|overlap| overlap.instance).collect();
/// assert_eq!(seen, [balls[1].clone()?, balls[2].clone()?]); // one across the middle, and one to the right of it
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "pyramid")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frustum {
    /// Where all coordinates are seen from.
    about: DVec3,
    /// Not below 0 within it, as far as there are any.
    planes: [Linear; SIDES],
    count: usize,
    /// The corners around the near end, and those around the far one, or, without an end, how the edges run on: for each unit of
    /// [`depth`](Self::depth).
    near: [DVec3; 4],
    far: Far,
    /// Grows from the near end on.
    depth: Linear,
}

/// The planes of one at most.
pub(crate) const SIDES: usize = 6;

/// The other end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Far {
    Corners([DVec3; 4]),
    Endless([DVec3; 4]),
}

/// More than the roundings of a height over a plane, for one unit of its terms: 2^-48.
const ROUNDING: f64 = 1.0 / (1u64 << 48) as f64;

impl Frustum {
    /// From planes and corners as seen from a point.
    pub(crate) fn new(
        about: DVec3,
        planes: impl IntoIterator<Item = Linear>,
        near: [DVec3; 4],
        far: Far,
        depth: Linear,
    ) -> Frustum {
        let mut frustum =
            Frustum { about, planes: [Linear::new(DVec3::ZERO, 0.0); SIDES], count: 0, near, far, depth };
        for (place, plane) in frustum.planes.iter_mut().zip(planes) {
            *place = plane;
            frustum.count += 1;
        }
        frustum
    }

    /// Whether a point as seen from another one, which stands for its own, lies in it or on its surface.
    pub(crate) fn holds(&self, point: DVec3, from: DVec3) -> bool {
        self.planes().iter().all(|plane| sign_of!(height(plane, point, from)) != Ordering::Less)
    }

    /// Where its coordinates are seen from.
    pub(crate) fn about(&self) -> DVec3 {
        self.about
    }

    pub(crate) fn planes(&self) -> &[Linear] {
        &self.planes[..self.count]
    }

    /// Whether a box as seen from its own point lies outside for sure: beyond one of the planes.
    pub(crate) fn misses(&self, low: DVec3, high: DVec3) -> bool {
        let largest = low.abs().max(high.abs());
        self.planes().iter().any(|plane| {
            let end = DVec3::select(plane.slope.cmpgt(DVec3::ZERO), high, low);
            let size = plane.slope.abs().dot(largest) + plane.constant.abs();
            plane.at(end) < -ROUNDING * size
        })
    }

    /// How far the box between two points reaches along it.
    pub(crate) fn depth_of(&self, low: DVec3, high: DVec3) -> f64 {
        self.depth.at(DVec3::select(self.depth.slope.cmpgt(DVec3::ZERO), high, low))
    }

    /// Its corners as seen from its own point: left and right of the near end, above, then below, and the same of the far end; one
    /// without an end is cut off at a depth.
    pub(crate) fn corners(&self, depth: f64) -> [DVec3; 8] {
        let near = self.near;
        let far = match self.far {
            Far::Corners(corners) => corners,
            Far::Endless(along) => core::array::from_fn(|i| near[i] + along[i] * depth),
        };
        [near[0], near[1], near[3], near[2], far[0], far[1], far[3], far[2]]
    }

    /// How its edges run on, where it has no end.
    pub(crate) fn endless(&self) -> Option<[DVec3; 4]> {
        match self.far {
            Far::Corners(_) => None,
            Far::Endless(along) => Some(along),
        }
    }
}

/// How far inside of a plane a point lies, times some positive factor.
pub(crate) fn height<N: Number>(plane: &Linear, point: DVec3, from: DVec3) -> N {
    dot::<N>(&vector(plane.slope), &difference(point, from)) + N::from(plane.constant)
}
