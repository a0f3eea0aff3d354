//! Whether a point lies in a concave solid, by Jordan's theorem: a ray from inside crosses the surface an odd number of
//! times.
//!
//! The ray goes along +y, and nothing about it is rounded: the point stays where it is, in `f64`, which triangles lie
//! over it and which of them above it is decided by exact signs, and an edge or a corner over the point by the rule of the
//! law, as if the ray had been moved by an infinitely small `(e, e^2)`. So every crossing of a closed surface counts
//! once, and no other direction would say otherwise.

use core::cmp::Ordering;

use glam::DVec3;

use crate::bvh::above::Visit;
use crate::bvh::layout::{Leaves, Place as Found};
use crate::bvh::repeats_a_corner;
use crate::exact::{Number, side, sign_of};
use crate::mesh::Mesh;
use crate::shape::Triangle;
use crate::simd::lanes::Lanes;

/// Where a point lies, as a mesh sees it.
///
/// ```
/// use hitscan::{Containment, Mesh};
/// let tetrahedron = Mesh::new(
///     [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
///     [[0u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
/// ).unwrap();
/// let places = [[0.25, 0.25, 0.25], [0.5, 0.5, 0.0], [1.0, 1.0, 1.0]].map(|p| tetrahedron.containment(p));
/// assert_eq!(places, [Containment::Inside, Containment::Surface, Containment::Outside]);
/// ```
#[doc(alias = "ContainmentType")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Containment {
    /// The surface goes around it an even number of times, or not at all.
    Outside,
    /// It lies exactly on a triangle, its edges and corners included.
    Surface,
    /// The surface goes around it an odd number of times.
    Inside,
}

/// The axis along which the ray goes.
pub(super) const UP: usize = 1;
/// The axes across it: from the first to the second is a left turn around it.
pub(super) const ACROSS: usize = 2;
pub(super) const OTHER: usize = 0;

impl Mesh {
    /// Whether a point lies inside of the mesh or exactly on its surface; see [`Mesh::containment`].
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let tetrahedron = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    ///     [[0u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    /// ).unwrap();
    /// assert!(tetrahedron.contains([0.1, 0.1, 0.1]) && tetrahedron.contains([0.5, 0.5, 0.0]));
    /// assert!(!tetrahedron.contains([0.5, 0.5, 1e-300]) && !tetrahedron.contains([0.0, -1e300, 0.0]));
    /// ```
    #[doc(alias = "point_in_mesh")]
    pub fn contains(&self, point: impl Into<[f64; 3]>) -> bool {
        self.containment(point) != Containment::Outside
    }

    /// Whether a point lies inside of the mesh, outside or exactly on its surface.
    ///
    /// Inside means that a ray from there along +y crosses the surface an odd number of times. For a closed mesh any other
    /// direction would do as well, windings do not matter, and a place that the surface encloses twice is outside. For an
    /// open one that count is the definition: what lies under a terrain whose y points up is inside. Exact for every
    /// point in `f64`, however near the surface or far away; a point with a coordinate that is not a number or infinite is
    /// outside. Triangles without area separate nothing; those with [cutouts](Mesh::with_cutout) are whole.
    ///
    /// ```
    /// use hitscan::{Containment, Mesh};
    /// let ground = Mesh::new([[-9.0f32, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]], [[0u32, 2, 1]]).unwrap();
    /// assert_eq!(ground.containment([0.0, -1.0, 0.0]), Containment::Inside);
    /// assert_eq!(ground.containment([0.0, 0.0, 0.0]), Containment::Surface);
    /// assert_eq!(ground.containment([0.0, 1e-300, 0.0]), Containment::Outside);
    /// ```
    #[doc(alias = "Jordan curve theorem")]
    #[doc(alias = "point in polyhedron")]
    pub fn containment(&self, point: impl Into<[f64; 3]>) -> Containment {
        let point = DVec3::from(point.into());
        if !point.is_finite() {
            return Containment::Outside;
        }
        Containment::of(seen_from(self, point))
    }
}

impl Containment {
    pub(super) fn of(seen: Upward) -> Containment {
        match (seen.touched, seen.turns % 2 == 0) {
            (true, _) => Containment::Surface,
            (false, true) => Containment::Outside,
            (false, false) => Containment::Inside,
        }
    }
}

/// What a point sees that looks up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Upward {
    /// It lies on a triangle.
    pub touched: bool,
    /// Triangles above it whose backs it sees, less those whose fronts.
    pub turns: i64,
}

/// What a finite point sees.
pub(super) fn seen_from(mesh: &Mesh, point: DVec3) -> Upward {
    let mut over = Over { leaves: mesh.data.leaves(), point, seen: Upward::default() };
    mesh.data.triangles_between(mesh.kernel, &mut over);
    over.seen
}

/// A point, and what lies over it.
struct Over<'a> {
    leaves: Leaves<'a>,
    point: DVec3,
    seen: Upward,
}

impl Visit for Over<'_> {
    // A box is compared in `f32`, with the numbers next below and above the point.
    fn low(&self) -> [f32; 3] {
        let mut low = self.point.to_array().map(next_below);
        low[UP] = f32::INFINITY;
        low
    }

    fn high(&self) -> [f32; 3] {
        self.point.to_array().map(next_above)
    }

    #[inline(always)]
    fn visit<L: Lanes>(&mut self, _: L, found: Found) {
        let corners = self.leaves.corners(found);
        if !repeats_a_corner(corners) {
            match place(corners.map(|c| DVec3::from(c.map(f64::from))), self.point) {
                Place::Aside => {}
                Place::Behind => self.seen.turns += 1,
                Place::Before => self.seen.turns -= 1,
                Place::Here => self.seen.touched = true,
            }
        }
    }
}

/// The largest `f32` that is not above a number.
pub(super) fn next_below(x: f64) -> f32 {
    let nearest = x as f32;
    if f64::from(nearest) > x { nearest.next_down() } else { nearest }
}

/// The smallest `f32` that is not below a number.
pub(super) fn next_above(x: f64) -> f32 {
    -next_below(-x)
}

/// Where a triangle is, seen from a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Beside the ray or below the point.
    Aside,
    /// The moved ray crosses it from its back to its front.
    Behind,
    /// From its front to its back.
    Before,
    /// The point lies on it.
    Here,
}

/// One triangle. The point lies within some box around it, or below one, so it is finite and near enough for exact signs
/// along the other axes; far below, its height is irrelevant.
pub(super) fn place(corners: [DVec3; 3], point: DVec3) -> Place {
    let (low, high) = corners[1..].iter().fold((corners[0], corners[0]), |(l, h), &c| (l.min(c), h.max(c)));
    let across = |axis: usize| low[axis] <= point[axis] && point[axis] <= high[axis];
    if !(across(ACROSS) && across(OTHER) && point[UP] <= high[UP]) {
        return Place::Aside;
    }
    let below = point[UP] < low[UP];
    if !below && side(corners, point) == Ordering::Equal {
        let on_it = Triangle::new(corners[0], corners[1], corners[2]).is_ok_and(|t| t.contains(point));
        return if on_it { Place::Here } else { Place::Aside };
    }
    let [a, b, c] = corners;
    let turn = moved_sign(a, b, point);
    if turn == Ordering::Equal || moved_sign(b, c, point) != turn || moved_sign(c, a, point) != turn {
        return Place::Aside;
    }
    // Counter-clockwise around the ray: the front looks up, and a point below the triangle lies behind it.
    match turn {
        _ if !below && side(corners, point) != turn.reverse() => Place::Aside,
        Ordering::Greater => Place::Behind,
        _ => Place::Before,
    }
}

/// On which side of an edge the ray passes, by the law's rule where it goes through it: `Greater` for the left one, looking down;
/// `Equal` for an edge along the ray.
pub(super) fn moved_sign(from: DVec3, to: DVec3, point: DVec3) -> Ordering {
    let order = |a: f64, b: f64| a.partial_cmp(&b).unwrap_or(Ordering::Equal); // both zeros are one
    sign_of!(turn(from, to, point)).then(order(from[OTHER], to[OTHER])).then(order(to[ACROSS], from[ACROSS]))
}

/// Twice the area between an edge and the point, seen along the ray.
fn turn<N: Number>(from: DVec3, to: DVec3, point: DVec3) -> N {
    let ahead = |corner: DVec3, axis: usize| N::from(corner[axis]) - N::from(point[axis]);
    ahead(from, ACROSS) * ahead(to, OTHER) - ahead(from, OTHER) * ahead(to, ACROSS)
}
