//! Moving sphere and triangle: its centre against the triangle grown by the radius.
//!
//! The grown triangle is what two faces beside the triangle, the cylinders around its edges and the balls around its
//! corners hold together; from outside it is entered where the first of them is. Each is a quadratic whose discriminant is exact, so
//! a graze is none, and whose small root does not cancel.

use core::cmp::Ordering;

use glam::DVec3;

use super::{Fattened, Motion, Sweep};
use crate::exact::{Number, Vector, difference, dot, normal, side, sign_of, vector};
use crate::intersect::point_triangle::{Feature, Seen, point_triangle};
use crate::intersect::quadratic::{Equation, Quadratic, Roots, roots};
use crate::intersect::ray_capsule::{self, Cylinder};
use crate::intersect::ray_sphere::Ball;
use crate::intersect::sphere_triangle::{sphere_triangle, towards_centre};
use crate::root::sqrt;
use crate::shape::plane::power_of_two;
use crate::shape::{Sphere, Triangle};

/// When a moving sphere meets a triangle, and where. A triangle whose corners lie on a line is the segment, or the point, that
/// they are.
///
/// - [`Sweep::Touching`] where the sphere touches the triangle at the start, as [`sphere_triangle`] says: exactly. Where it
///   is then exactly at the touching distance (a sphere of the next smaller radius would not touch) and the motion has no part
///   against the normal, it moves away or along, and misses.
/// - [`Sweep::Hit`] where it begins to go in at some `t` up to 1. A sphere that only grazes the triangle misses.
///
/// Accuracy: with `L` the largest of the radius, of the way along an axis, and of the distances that a corner has along an axis
/// from where the centre starts, the distance of the centre at `t` is the radius up to `2^-40 L`; and whether the sphere hits is
/// right unless it passes within `2^-40 L` of a graze. A graze on small whole numbers is decided without rounding.
///
/// The triangle is refused where the motion misses its [own box](crate::Mesh::sweep_sphere), grown by the radius, and `t` lies in
/// the interval in which that is passed, so that a tree over many triangles cannot change the answer.
///
/// Source: Ericson, Real-Time Collision Detection, 2005, section 5.5.6; Schroeder, Collision Detection Using Ray Casting, 2001.
///
/// ```
/// use hitscan::intersect::{Motion, Sweep, sweep_sphere_triangle};
/// use hitscan::shape::{Sphere, Triangle};
/// let wall = Triangle::new([0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0])?;
/// let bullet = Sphere::new([2.0, 2.0, 5.0], 1.0)?;
/// let hit = sweep_sphere_triangle(&bullet, &Motion::new([0.0, 0.0, -8.0])?, &wall);
/// let Some(Sweep::Hit { t, position, normal }) = hit else { panic!("into the face") };
/// assert_eq!((t, position.to_array(), normal.to_array()), (0.5, [2.0, 2.0, 0.0], [0.0, 0.0, 1.0]));
/// // Its edge reaches a triangle that its centre passes by.
/// let beside = Sphere::new([4.0, -0.5, 5.0], 1.0)?;
/// assert!(sweep_sphere_triangle(&beside, &Motion::new([0.0, 0.0, -8.0])?, &wall).is_some());
/// // A ball that rolls on the wall is not stopped by it.
/// let resting = Sphere::new([2.0, 2.0, 1.0], 1.0)?;
/// assert_eq!(sweep_sphere_triangle(&resting, &Motion::new([3.0, 0.0, 0.0])?, &wall), None);
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
#[doc(alias = "swept sphere")]
#[doc(alias = "ellipsoid collision")]
pub fn sweep_sphere_triangle(sphere: &Sphere, motion: &Motion, triangle: &Triangle) -> Option<Sweep> {
    let (centre, by, radius) = (sphere.centre(), motion.by(), sphere.radius());
    let (low, high) = triangle.bounds();
    let [enter, exit] = Fattened::new(low, high, radius).passed(centre, by)?;
    // Outside of its box it touches nothing.
    if enter == 0.0
        && let Some(contact) = sphere_triangle(sphere, triangle)
    {
        let at_distance = || {
            let smaller = Sphere::derived(centre, radius.next_down());
            sphere_triangle(&smaller, triangle).is_none()
        };
        if at_distance() && !approaches(sphere, motion, triangle) {
            return None;
        }
        let (depth, position, normal) = (contact.depth, contact.point, contact.normal);
        return Some(Sweep::Touching { depth, position, normal });
    }
    if by == DVec3::ZERO || stays_clear(centre, by, radius, triangle) {
        return None;
    }
    let t = first_entry(centre, by, radius, triangle).filter(|&t| t <= 1.0)?.clamp(enter, exit) + 0.0;
    let seen = Seen::new(centre + by * t, triangle);
    let nearest = seen.nearest();
    let (position, normal) = (nearest.on(triangle), towards_centre(triangle, &seen, &nearest));
    // So near that rounding says on which side it is, it is on the one from which it comes.
    let way = centre.abs().max((by * t).abs()).max_element();
    let is_lost = seen.shrunk(radius) <= RIM * (1.0 + seen.shrunk(way));
    let normal = if is_lost && normal.dot(by) > 0.0 { -normal } else { normal };
    Some(Sweep::Hit { t, position, normal })
}

/// Whether a sphere that only touches a triangle begins to go into it: its centre moves towards the nearest point of the triangle.
/// Exact for the part of the triangle on which that lies.
fn approaches(sphere: &Sphere, motion: &Motion, triangle: &Triangle) -> bool {
    let (centre, corners) = (sphere.centre(), triangle.corners());
    let by = motion.by();
    let away = match point_triangle(centre, triangle).feature {
        Feature::Corner(i) => sign_of!(along_corner(centre, by, corners[i])),
        Feature::Edge(i) => sign_of!(along_edge(centre, by, [corners[i], corners[(i + 1) % 3]])),
        Feature::Face => match side(corners, centre) {
            Ordering::Less => sign_of!(along_face(by, corners)).reverse(),
            _ => sign_of!(along_face(by, corners)),
        },
    };
    away == Ordering::Less
}

/// The part of a motion away from a corner, in some positive unit; those below are of an edge and of the front of a face.
fn along_corner<N: Number>(centre: DVec3, by: DVec3, corner: DVec3) -> N {
    dot(&difference(centre, corner), &vector(by))
}

fn along_edge<N: Number>(centre: DVec3, by: DVec3, [from, to]: [DVec3; 2]) -> N {
    let (edge, away, by): (Vector<N>, _, _) = (difference(to, from), difference(centre, from), vector(by));
    dot(&away, &by) * dot(&edge, &edge) - dot(&edge, &by) * dot(&edge, &away)
}

fn along_face<N: Number>(by: DVec3, corners: [DVec3; 3]) -> N {
    dot(&normal(corners), &vector(by))
}

/// Whether the sphere stays so far on one side of the triangle's plane that no rounding matters: most that pass by do.
fn stays_clear(centre: DVec3, by: DVec3, radius: f64, triangle: &Triangle) -> bool {
    let [a, b, c] = triangle.corners();
    let (normal, away) = ((b - a).cross(c - a), centre - a);
    let length_sq = normal.length_squared();
    let length = sqrt(length_sq);
    let sum = |v: DVec3| v.abs().element_sum();
    // What each formula here is off by: the normal by a part of the edges, which in slivers is more than a part of itself.
    let reach = sum(away) + sum(by) + radius;
    let error = reach * (CLEAR * length + WHOLE * sum(b - a) * sum(c - a));
    let height = normal.dot(away);
    let closing = (-normal.dot(by) * height.signum()).max(0.0);
    // A square or a product that underflows says nothing. False for what is not a number.
    length_sq.min(error) >= f64::MIN_POSITIVE && height.abs() - radius * length - closing > error
}

/// More than the accuracy of an entry, 2^-40 of the sizes, and than the rounding of a product: 2^-36 and 2^-48.
const CLEAR: f64 = 1.0 / (1u64 << 36) as f64;
const WHOLE: f64 = 1.0 / (1u64 << 48) as f64;

/// When a point that starts outside goes into the triangle grown by a radius.
fn first_entry(origin: DVec3, dir: DVec3, radius: f64, triangle: &Triangle) -> Option<f64> {
    // By a power of two, so that products of twelve lengths neither over- nor underflow, and no such power matters.
    let corners = triangle.corners();
    let largest = corners.iter().fold(origin.abs().max(dir.abs()), |most, corner| most.max(corner.abs()));
    let shrink = 1.0 / power_of_two(largest.max_element().max(radius));
    let scaled = |length: f64| length * shrink;
    let (origin, dir, radius) = (origin.map(scaled), dir.map(scaled), scaled(radius));
    let corners = corners.map(|corner| corner.map(scaled));
    let triangle = &Triangle::derived(corners);
    // One that is only touched is none.
    let goes_in = |roots: &Roots| roots.length > 0.0;
    // Corners at one place are one ball, the edges from there to the third one edge, and there is no face.
    let ball = |centre: DVec3| roots(&Ball { origin, dir, centre, radius }).filter(goes_in);
    let [a, b, c] = corners;
    let first = ball(a);
    let second = if b == a { first } else { ball(b) };
    let third = if c == a {
        first
    } else if c == b {
        second
    } else {
        ball(c)
    };
    let balls = [first, second, third];
    let wanted = match [a == b, b == c, c == a] {
        [false, false, false] => [true; 3],
        [true, true, true] => [false; 3],
        [true, ..] => [false, true, false],
        _ => [true, false, false],
    };
    let edges = [0, 1, 2].map(|i| {
        if !wanted[i] {
            return None;
        }
        let j = (i + 1) % 3;
        let cylinder = Cylinder { origin, dir, ends: [corners[i], corners[j]], radius };
        let met = [balls[i].is_some(), balls[j].is_some()];
        let t = ray_capsule::side(&cylinder, met).filter(goes_in)?.enter();
        cylinder.is_beside(t, met).then_some(t)
    });
    let slab = Slab { origin, dir, corners, radius };
    let face = if wanted == [true; 3] { slab.entry() } else { None };
    let face = face.filter(|&t| {
        let seen = Seen::new(origin + dir * t, triangle);
        let nearest = seen.nearest();
        // At the rim of the face rounding decides what is inside: what is nearly there is, since the edge is met at
        // nearly the same time, or with a little less luck not at all.
        let slack = RIM * (1.0 + seen.shrunk((dir * t).abs().max_element()));
        nearest.is_inside() || sqrt(nearest.offset.length_squared()) <= seen.shrunk(radius) + slack
    });
    let corners = balls.iter().map(|ball| ball.as_ref().map(Roots::enter));
    let all = corners.chain(edges).chain([face]).flatten();
    all.filter(|&t| t >= 0.0).reduce(f64::min)
}

/// What rounding moves the centre by, in units of the largest coordinate around it and of the way that it has come: 2^-44.
pub(super) const RIM: f64 = 1.0 / (1u64 << 44) as f64;

/// The line `origin + t dir` and the points within a radius of the plane of three corners.
///
/// With the normal `N` of any length, `h = N . (origin - a)` and `s = N . dir`: `A = s^2`, `B = h s`, `C = h^2 - r^2 N . N`, and
/// `B^2 - A C = s^2 r^2 N . N`.
struct Slab {
    origin: DVec3,
    dir: DVec3,
    corners: [DVec3; 3],
    radius: f64,
}

impl Slab {
    fn slope<N: Number>(&self) -> N {
        dot(&normal(self.corners), &vector(self.dir))
    }

    /// Where the line enters; `None` where it runs alongside, or the corners lie on a line.
    fn entry(&self) -> Option<f64> {
        let crosses = sign_of!(self.slope()) != Ordering::Equal;
        if crosses { roots(self).map(|roots| roots.enter()) } else { None }
    }
}

impl Equation for Slab {
    fn coefficients<N: Number>(&self) -> Quadratic<N> {
        let n: Vector<N> = normal(self.corners);
        let height = dot(&n, &difference(self.origin, self.corners[0]));
        let (slope, square) = (dot(&n, &vector(self.dir)), N::from(self.radius) * N::from(self.radius));
        let reach_sq = square * dot(&n, &n);
        let slope_sq = slope * slope;
        Quadratic {
            a: slope_sq,
            b: height * slope,
            c: height * height - reach_sq,
            quarter: slope_sq,
            factor: Some(reach_sq),
        }
    }
}
