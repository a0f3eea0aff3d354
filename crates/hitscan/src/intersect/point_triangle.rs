//! The point of a triangle that is nearest to another point.
//!
//! Four candidates, of which the nearest wins: the foot on the plane, if it lies inside, and the nearest point of each
//! edge. The plane is spanned by the longest edge and the height over it, which are at right angles, so slivers lose no
//! more than other triangles do: an error of the height moves no point by more than that error. (Ericson, Real-Time
//! Collision Detection, 2005, section 5.1.5, finds the region first, by signs that rounding turns in slivers.)

use glam::DVec3;

use crate::root::sqrt;
use crate::shape::Triangle;
use crate::shape::plane::{length, power_of_two};

/// A part of a triangle.
///
/// ```
/// use hitscan::intersect::{Feature, point_triangle};
/// use hitscan::shape::Triangle;
/// let t = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
/// let feature = |point: [f64; 3]| point_triangle(point, &t).feature;
/// assert_eq!(feature([1.0, 1.0, 5.0]), Feature::Face);
/// assert_eq!(feature([3.0, 3.0, 5.0]), Feature::Edge(1)); // from B to C
/// assert_eq!(feature([-1.0, -1.0, 5.0]), Feature::Corner(0));
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// The inside.
    Face,
    /// The edge that begins at the corner of this number: AB, BC, CA.
    Edge(usize),
    /// The corner of this number, A = 0 to C = 2.
    Corner(usize),
}

/// The point of a triangle nearest to another point.
///
/// ```
/// use hitscan::intersect::{Feature, point_triangle};
/// use hitscan::shape::Triangle;
/// let t = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
/// let nearest = point_triangle([2.0, -3.0, 4.0], &t);
/// assert_eq!((nearest.distance, nearest.position.to_array()), (5.0, [2.0, 0.0, 0.0]));
/// assert_eq!((nearest.u, nearest.v, nearest.feature), (0.5, 0.0, Feature::Edge(0)));
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestPoint {
    /// How far it is, in units of the world; never below the distance from the box around the triangle.
    pub distance: f64,
    /// Where it is, as [`Triangle::closest_point`] says.
    pub position: DVec3,
    /// The weight of corner B.
    pub u: f64,
    /// The weight of corner C.
    pub v: f64,
    /// The part of the triangle that it lies on: the smallest one, so a corner where it is a corner.
    pub feature: Feature,
}

/// The point of a triangle nearest to `point`, and how far it is.
///
/// Accuracy: as [`Triangle::closest_point`]; `distance` is within `2^-45` of the largest distance along one axis from `point`
/// to a corner, and exactly the same for all triangles that have a nearest edge or corner in common, whichever way they use it
/// (unless a rounding error makes one of them say that it lies inside of its face). For a `point` with a coordinate that is not a
/// number or infinite all numbers say nothing.
///
/// ```
/// use hitscan::intersect::point_triangle;
/// use hitscan::shape::Triangle;
/// let t = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
/// let above = point_triangle([1.0, 2.0, 3.0], &t);
/// assert_eq!((above.distance, above.u, above.v), (3.0, 0.25, 0.5));
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
#[doc(alias = "closest point on triangle")]
pub fn point_triangle(point: impl Into<[f64; 3]>, triangle: &Triangle) -> NearestPoint {
    let point = DVec3::from(point.into());
    let seen = Seen::new(point, triangle);
    let nearest = seen.nearest();
    let (low, high) = triangle.bounds();
    let rounded = seen.grown(sqrt(nearest.offset.length_squared()));
    NearestPoint {
        distance: rounded.max(length(gap(point, low, high))),
        position: nearest.on(triangle),
        u: nearest.weights[1],
        v: nearest.weights[2],
        feature: nearest.feature(),
    }
}

/// How far a point lies outside of a box along each axis; 0 between its sides. Rounding keeps order, so that a box within
/// the box is never said to be nearer.
#[inline]
pub(crate) fn gap(point: DVec3, low: DVec3, high: DVec3) -> DVec3 {
    (low - point).max(point - high).max(DVec3::ZERO)
}

/// A triangle as seen from a point: its corners relative to it, by a power of two so that the largest coordinate lies
/// between 1 and 2.
pub(crate) struct Seen {
    pub corners: [DVec3; 3],
    shrink: f64,
}

/// The nearest point of a triangle.
pub(crate) struct Nearest {
    /// One for each corner: at least 0, their sum 1 up to rounding.
    pub weights: [f64; 3],
    /// From the point that sees, in the scale of [`Seen`].
    pub offset: DVec3,
}

impl Seen {
    pub fn new(from: DVec3, triangle: &Triangle) -> Seen {
        let corners = triangle.corners().map(|corner| corner - from);
        let largest = corners.iter().fold(0.0f64, |m, corner| m.max(corner.abs().max_element()));
        let shrink = if largest > 0.0 { 1.0 / power_of_two(largest) } else { 1.0 };
        Seen { corners: corners.map(|corner| corner * shrink), shrink }
    }

    /// A length in the scale of the corners; infinite where it is far larger than all of them.
    pub fn shrunk(&self, length: f64) -> f64 {
        length * self.shrink
    }

    /// A length in the scale of the corners, in units of the world.
    pub fn grown(&self, length: f64) -> f64 {
        length / self.shrink
    }

    /// The point nearest to the one that sees.
    pub fn nearest(&self) -> Nearest {
        let length_sq = |i: usize| (self.corners[(i + 1) % 3] - self.corners[i]).length_squared();
        let longest = (1..3).fold(0, |best, i| if length_sq(i) > length_sq(best) { i } else { best });
        let place = [longest, (longest + 1) % 3, (longest + 2) % 3];
        let [p, q, r] = place.map(|i| self.corners[i]);
        let edges = [(p, q, 0), (q, r, 1), (r, p, 2)].map(|(from, to, first)| {
            let (s, offset) = nearest_of_edge(from, to);
            let mut weights = [0.0; 3];
            (weights[first], weights[(first + 1) % 3]) = (1.0 - s, s);
            Nearest { weights, offset }
        });
        let mut best: Option<Nearest> = inside(p, q, r);
        for candidate in edges {
            let nearer = |best: &Nearest| candidate.offset.length_squared() < best.offset.length_squared();
            if best.as_ref().is_none_or(nearer) {
                best = Some(candidate);
            }
        }
        let Nearest { weights: turned, offset } =
            best.unwrap_or(Nearest { weights: [1.0, 0.0, 0.0], offset: p });
        let mut weights = [0.0; 3];
        for (weight, corner) in turned.into_iter().zip(place) {
            weights[corner] = weight;
        }
        Nearest { weights, offset }
    }
}

impl Nearest {
    /// The point itself, on the triangle that was seen.
    pub fn on(&self, triangle: &Triangle) -> DVec3 {
        let corners = triangle.corners();
        match self.weights.iter().position(|&weight| weight == 1.0) {
            Some(corner) => corners[corner],
            None => {
                let [a, b, c] = corners;
                a + ((b - a) * self.weights[1] + (c - a) * self.weights[2])
            }
        }
    }

    /// The smallest part of the triangle that it lies on.
    fn feature(&self) -> Feature {
        if let Some(corner) = self.weights.iter().position(|&weight| weight == 1.0) {
            return Feature::Corner(corner);
        }
        match self.weights.iter().position(|&weight| weight == 0.0) {
            // The edge across from a corner begins at the next one.
            Some(corner) => Feature::Edge((corner + 1) % 3),
            None => Feature::Face,
        }
    }

    /// Whether it lies inside of all edges.
    pub fn is_inside(&self) -> bool {
        self.weights.iter().all(|&weight| weight > 0.0)
    }
}

/// The foot of the origin on the plane, where it lies inside of the triangle whose longest edge is `p q`.
fn inside(p: DVec3, q: DVec3, r: DVec3) -> Option<Nearest> {
    let (along, aside) = (q - p, r - p);
    let along_sq = along.length_squared();
    let r_along = aside.dot(along) / along_sq;
    let height = aside - along * r_along;
    // Once more, for what the first subtraction left along the edge.
    let height = height - along * (height.dot(along) / along_sq);
    let s = -p.dot(along) / along_sq;
    let on_line = p + along * s;
    let t = -on_line.dot(height) / height.length_squared();
    let weights = [1.0 - (s - t * r_along) - t, s - t * r_along, t];
    // False for a triangle without area, whose weights are not numbers.
    let is_inside = weights.iter().all(|&weight| weight > 0.0 && weight < 1.0);
    is_inside.then(|| Nearest { weights, offset: on_line + height * t })
}

/// The point of the edge nearest to the origin, as its place between 0 and 1 and where it is. Two triangles use an edge in
/// opposite directions, and both see the same point to the last bit.
fn nearest_of_edge(from: DVec3, to: DVec3) -> (f64, DVec3) {
    if (to.x, to.y, to.z) < (from.x, from.y, from.z) {
        let (s, offset) = nearest_of_ordered_edge(to, from);
        return (1.0 - s, offset);
    }
    nearest_of_ordered_edge(from, to)
}

fn nearest_of_ordered_edge(from: DVec3, to: DVec3) -> (f64, DVec3) {
    let along = to - from;
    let s = -from.dot(along) / along.length_squared();
    // An edge of length 0 gives no number, and its first end.
    if s >= 1.0 {
        (1.0, to)
    } else if s > 0.0 {
        (s, from + along * s)
    } else {
        (0.0, from)
    }
}

impl Triangle {
    /// The point of the triangle nearest to `point`: inside, on an edge or a corner. Corners on a line, or at one place, are
    /// a segment or a point.
    ///
    /// Accuracy: with `M` the largest distance along one axis from `point` to a corner, the distance to what is returned
    /// exceeds the least one by at most `2^-46 M`, for slivers too, and twice `2^-52` of the largest coordinate for
    /// writing it down. A corner is returned exactly. For a `point` with a coordinate that is not a number or infinite
    /// it is some point of the triangle.
    ///
    /// ```
    /// use hitscan::shape::Triangle;
    /// let t = Triangle::new([0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
    /// assert_eq!(t.closest_point([1.0, 1.0, 5.0]).to_array(), [1.0, 1.0, 0.0]); // the face
    /// assert_eq!(t.closest_point([3.0, 3.0, 1.0]).to_array(), [2.0, 2.0, 0.0]); // an edge
    /// assert_eq!(t.closest_point([9.0, -1.0, 0.0]).to_array(), [4.0, 0.0, 0.0]); // a corner
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn closest_point(&self, point: impl Into<[f64; 3]>) -> DVec3 {
        Seen::new(point.into().into(), self).nearest().on(self)
    }
}
