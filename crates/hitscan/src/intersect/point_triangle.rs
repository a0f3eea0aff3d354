//! The point of a triangle that is nearest to another point.
//!
//! Four candidates, of which the nearest wins: the foot on the plane, if it lies inside, and the nearest point of each
//! edge. The plane is spanned by the longest edge and the height over it, which are at right angles, so slivers lose no
//! more than other triangles do: an error of the height moves no point by more than that error. (Ericson, Real-Time
//! Collision Detection, 2005, section 5.1.5, finds the region first, by signs that rounding turns in slivers.)

use glam::DVec3;

use crate::shape::Triangle;

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
        let exponent = if largest > 0.0 { libm::ilogb(largest).clamp(-1000, 1000) } else { 0 };
        let shrink = libm::scalbn(1.0, -exponent);
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

/// The point of the edge nearest to the origin, as its place between 0 and 1 and where it is.
fn nearest_of_edge(from: DVec3, to: DVec3) -> (f64, DVec3) {
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
