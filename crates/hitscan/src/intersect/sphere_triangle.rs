//! Sphere and triangle: whether they touch, in three stages or by the closest point, and how deep.
//!
//! Both are exact: they answer for the numbers as given, without rounding, so they agree on every input. Rounding only
//! decides how fast they are.

use core::cmp::Ordering;

use glam::DVec3;

use super::point_in::left_of;
use super::point_triangle::{Nearest, Seen, gap};
use crate::exact::{NEARLY, Number, Vector, difference, dot, normal, sign_of};
use crate::root::sqrt;
use crate::shape::plane::{length, unit};
use crate::shape::{Sphere, Triangle};

/// How a sphere touches a triangle: the triangle's point that is nearest to the sphere's centre, and the shortest way to
/// part them.
///
/// ```
/// use hitscan::intersect::sphere_triangle;
/// use hitscan::shape::{Sphere, Triangle};
/// let floor = Triangle::new([0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0])?;
/// let ball = Sphere::new([8.0, -3.0, 0.0], 4.0)?;
/// let contact = sphere_triangle(&ball, &floor).expect("it holds a corner");
/// assert_eq!((contact.point.to_array(), contact.depth), ([8.0, 0.0, 0.0], 1.0));
/// assert_eq!(contact.normal.to_array(), [0.0, -1.0, 0.0]); // move it by 1 that way, and it only touches
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Contact {
    /// The point of the triangle nearest to the sphere's centre, as [`Triangle::closest_point`] gives it.
    pub point: DVec3,
    /// The radius less the distance of that point: how far to move the sphere along `normal` until it only touches. 0 for a
    /// touch, never negative, at most the radius.
    pub depth: f64,
    /// Of length 1, from the triangle towards the sphere's centre. Where the centre lies on the triangle, the
    /// front's normal; and where there is none, since the corners lie on a line, some direction across that line.
    pub normal: DVec3,
}

/// What [`sphere_triangle_three_stages`] found first.
///
/// ```
/// use hitscan::intersect::{Stage, sphere_triangle_three_stages};
/// use hitscan::shape::{Sphere, Triangle};
/// let floor = Triangle::new([0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0])?;
/// let ball = Sphere::new([8.0, -3.0, 0.0], 4.0)?;
/// assert_eq!(sphere_triangle_three_stages(&ball, &floor), Some(Stage::Corner(1)));
/// let aside = Sphere::new([4.0, -3.0, 0.0], 4.0)?;
/// assert_eq!(sphere_triangle_three_stages(&aside, &floor), Some(Stage::Edge(0))); // from A to B
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The corner of this number, A = 0 to C = 2, lies in the sphere.
    Corner(usize),
    /// No corner does, but the edge that begins at the corner of this number (AB, BC, CA) crosses the sphere.
    Edge(usize),
    /// Only the inside of the face does.
    Face,
}

/// Where a sphere touches a triangle, by the triangle's point nearest to its centre. `None` where the nearest point lies
/// outside of the sphere.
///
/// Both are closed: a sphere that only touches the triangle has a contact of depth 0. Whether there is one is exact, for
/// every sphere and triangle that exist, and the same as [`sphere_triangle_three_stages`] says. `depth` is within `2^-45`
/// of the larger of the radius and the largest distance along an axis from centre to corner. A triangle whose corners
/// lie on a line is the segment, or the point, that they are.
///
/// The default for this pair: it answers as [`sphere_triangle_three_stages`] does, says how deep they touch, and takes about half
/// of its time (76.6 to 140.1 ns, by the table of `hitscan bench --tests` in `docs/performance.md`).
///
/// ```
/// use hitscan::intersect::sphere_triangle;
/// use hitscan::shape::{Sphere, Triangle};
/// let floor = Triangle::new([-9.0, 0.0, 9.0], [9.0, 0.0, 9.0], [0.0, 0.0, -9.0])?;
/// let contact = sphere_triangle(&Sphere::new([0.0, 1.5, 0.0], 2.0)?, &floor).expect("it sinks in");
/// assert_eq!(contact.point.to_array(), [0.0, 0.0, 0.0]);
/// assert_eq!((contact.depth, contact.normal.to_array()), (0.5, [0.0, 1.0, 0.0]));
/// assert_eq!(sphere_triangle(&Sphere::new([0.0, 2.0, 0.0], 2.0)?, &floor).unwrap().depth, 0.0); // touches
/// assert!(sphere_triangle(&Sphere::new([0.0, 2.0f64.next_up(), 0.0], 2.0)?, &floor).is_none());
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
pub fn sphere_triangle(sphere: &Sphere, triangle: &Triangle) -> Option<Contact> {
    let seen = Seen::new(sphere.centre(), triangle);
    let nearest = seen.nearest();
    let touches = certain(&seen, nearest.offset, seen.shrunk(sphere.radius()))
        .unwrap_or_else(|| sphere_triangle_three_stages(sphere, triangle).is_some());
    touches.then(|| {
        let distance = sqrt(nearest.offset.length_squared());
        Contact {
            point: nearest.on(triangle),
            depth: (sphere.radius() - seen.grown(distance)).max(0.0),
            normal: towards_centre(triangle, &seen, &nearest),
        }
    })
}

/// Whether [`sphere_triangle`] finds a contact, for those who ask no more: most triangles are told apart by their boxes, and many that
/// touch by a corner.
pub(crate) fn sphere_touches_triangle(sphere: &Sphere, triangle: &Triangle) -> bool {
    let (centre, radius) = (sphere.centre(), sphere.radius());
    // Where squares neither over- nor underflow.
    if (1e-100..1e100).contains(&radius) {
        let (low, high) = triangle.bounds();
        let radius_sq = radius * radius;
        if gap(centre, low, high).length_squared() > radius_sq * (1.0 + QUICK) {
            return false;
        }
        let inside = radius_sq * (1.0 - QUICK);
        if triangle.corners().iter().any(|corner| corner.distance_squared(centre) < inside) {
            return true;
        }
    }
    let seen = Seen::new(centre, triangle);
    certain(&seen, seen.nearest().offset, seen.shrunk(radius))
        .unwrap_or_else(|| sphere_triangle_three_stages(sphere, triangle).is_some())
}

/// More than the roundings of a squared distance, as a part of itself: 2^-40.
const QUICK: f64 = 1.0 / (1u64 << 40) as f64;

/// The first stage that finds a sphere touching a triangle: a corner inside, an edge that crosses, the face. `None`
/// where none of them does.
///
/// The same answer as [`sphere_triangle`] gives, by the corners and edges first. Each stage compares squared distances
/// without rounding, and touching counts in each.
///
/// Source: the triangle class for XNA (2010), which sends rays along the edges and towards the face. It loses a sphere whose
/// centre lies on the face (a hit at length 0 is no hit there), every touch, and small triangles whose determinant underflows.
///
/// ```
/// use hitscan::intersect::{Stage, sphere_triangle_three_stages};
/// use hitscan::shape::{Sphere, Triangle};
/// let t = Triangle::new([0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0])?;
/// let stage = |centre: [f64; 3]| Sphere::new(centre, 1.0).map(|s| sphere_triangle_three_stages(&s, &t));
/// assert_eq!(stage([8.5, 0.0, 0.0])?, Some(Stage::Corner(1)));
/// assert_eq!(stage([4.0, -1.0, 0.0])?, Some(Stage::Edge(0)));
/// assert_eq!(stage([2.0, 2.0, 0.0])?, Some(Stage::Face));
/// assert_eq!(stage([2.0, 2.0, 1.5])?, None);
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
#[doc(alias = "Intersects")]
pub fn sphere_triangle_three_stages(sphere: &Sphere, triangle: &Triangle) -> Option<Stage> {
    let corners = triangle.corners();
    let ends = |i: usize| [corners[i], corners[(i + 1) % 3]];
    if let Some(corner) = (0..3).find(|&i| corner_touches(sphere, corners[i])) {
        return Some(Stage::Corner(corner));
    }
    if let Some(edge) = (0..3).find(|&i| edge_touches(sphere, ends(i))) {
        return Some(Stage::Edge(edge));
    }
    face_touches(sphere, corners).then_some(Stage::Face)
}

fn corner_touches(sphere: &Sphere, corner: DVec3) -> bool {
    sign_of!(corner_beyond(sphere, corner)) != Ordering::Greater
}

/// The squared distance of a corner, less the squared radius.
fn corner_beyond<N: Number>(sphere: &Sphere, corner: DVec3) -> N {
    let away: Vector<N> = difference(corner, sphere.centre());
    dot(&away, &away) - radius_sq(sphere)
}

fn radius_sq<N: Number>(sphere: &Sphere) -> N {
    N::from(sphere.radius()) * N::from(sphere.radius())
}

/// Whether a segment, which may be a point, has a point in the sphere.
pub(super) fn segment_touches(sphere: &Sphere, ends: [DVec3; 2]) -> bool {
    corner_touches(sphere, ends[0]) || corner_touches(sphere, ends[1]) || edge_touches(sphere, ends)
}

/// Whether the foot of the centre lies between the ends of an edge, and in the sphere.
fn edge_touches(sphere: &Sphere, ends: [DVec3; 2]) -> bool {
    let [from, to] = ends;
    sign_of!(along_edge(sphere, [from, to])) == Ordering::Greater
        && sign_of!(along_edge(sphere, [to, from])) == Ordering::Greater
        && sign_of!(edge_beyond(sphere, ends)) != Ordering::Greater
}

/// Above zero where the foot lies beyond the first end, towards the second.
fn along_edge<N: Number>(sphere: &Sphere, [from, to]: [DVec3; 2]) -> N {
    dot(&difference(to, from), &difference(sphere.centre(), from))
}

/// The squared distance of the edge's line, less the squared radius, times the edge's squared length.
fn edge_beyond<N: Number>(sphere: &Sphere, [from, to]: [DVec3; 2]) -> N {
    let edge: Vector<N> = difference(to, from);
    let away: Vector<N> = difference(sphere.centre(), from);
    let along = dot(&edge, &away);
    (dot(&away, &away) - radius_sq(sphere)) * dot(&edge, &edge) - along * along
}

/// Whether the foot of the centre lies inside of the face, and in the sphere.
fn face_touches(sphere: &Sphere, corners: [DVec3; 3]) -> bool {
    let [a, b, c] = corners;
    // A face without area has no inside, and its three signs would all be zero.
    [[a, b, c], [b, c, a], [c, a, b]]
        .into_iter()
        .all(|turned| sign_of!(left_of(turned, sphere.centre())) == Ordering::Greater)
        && sign_of!(face_beyond(sphere, corners)) != Ordering::Greater
}

/// The squared distance of the plane, less the squared radius, times the square of twice the area.
fn face_beyond<N: Number>(sphere: &Sphere, corners: [DVec3; 3]) -> N {
    let normal: Vector<N> = normal(corners);
    let height = dot(&normal, &difference(sphere.centre(), corners[0]));
    height * height - radius_sq::<N>(sphere) * dot(&normal, &normal)
}

/// What [`certain`] allows for: more than all roundings of a foot and of its distance, where the largest coordinate lies
/// below 2. They add up to less than 100 times 2^-53.
const MARGIN: f64 = 1.0 / (1u64 << 45) as f64;

/// Whether a sphere around the origin reaches the triangle, where plain arithmetic can tell. `offset` is a point of the
/// triangle, so its distance is a bound from above; and no corner lies less far along it than the nearest one, which bounds
/// from below, whether or not it is the closest point.
fn certain(seen: &Seen, offset: DVec3, radius: f64) -> Option<bool> {
    let distance = sqrt(offset.length_squared());
    if distance + MARGIN < radius {
        return Some(true);
    }
    let least = seen.corners.iter().fold(f64::INFINITY, |least, corner| least.min(corner.dot(offset)));
    (distance > MARGIN && least > (radius + MARGIN) * distance).then_some(false)
}

/// The unit vector from the nearest point to the origin. Near a face, where rounding turns it, the face's own normal.
pub(crate) fn towards_centre(triangle: &Triangle, seen: &Seen, nearest: &Nearest) -> DVec3 {
    let away = -nearest.offset;
    let [a, b, c] = seen.corners;
    let near = away.length_squared() < sqrt((b - a).cross(c - a).length_squared());
    if nearest.is_inside()
        && near
        && let Some(front) = triangle.normal()
    {
        return if away.dot(front) < 0.0 { -front } else { front };
    }
    // On a segment, rounding moves the nearest point along it. Across it the direction is known far better.
    let size = a.abs().max(b.abs()).max(c.abs()).max_element();
    if away.abs().max_element() < NEARLY * size
        && triangle.normal().is_none()
        && let Some(along) = along(triangle)
        && away.dot(along).abs() <= ROUNDED * size
    {
        let aside = away - along * away.dot(along);
        let is_known = length(aside) > ROUNDED * length(away);
        return unit(aside).ok().filter(|_| is_known).unwrap_or_else(|| along.any_orthonormal_vector());
    }
    let across = || along(triangle).map_or(DVec3::X, |along| along.any_orthonormal_vector());
    unit(away).ok().or_else(|| triangle.normal()).unwrap_or_else(across)
}

/// More than rounding moves the nearest point of a segment along it, as a part of the sizes: 2^-48.
const ROUNDED: f64 = 1.0 / (1u64 << 48) as f64;

/// The direction of a triangle whose corners lie on a line; `None` where they are one point.
fn along(triangle: &Triangle) -> Option<DVec3> {
    triangle.edges().into_iter().find_map(|edge| unit(edge).ok())
}
