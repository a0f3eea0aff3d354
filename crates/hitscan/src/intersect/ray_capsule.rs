//! Ray and capsule: two balls and the cylinder between them.
//!
//! The ray is inside from the first place where it enters one of the three to the last where it leaves one; the flat ends of
//! the cylinder lie in the balls, so of it only the side counts. A line that misses the ball at an end cannot leave the
//! cylinder beyond that end, so the place along the axis is asked only where rounding it does no harm.

use core::cmp::Ordering;

use glam::DVec3;

use super::Span;
use super::quadratic::{Equation, Quadratic, Roots, roots};
use super::ray_sphere::Ball;
use crate::exact::{Number, Vector, cross, difference, dot, sign_of, vector};
use crate::ray::Ray;
use crate::shape::Capsule;
use crate::shape::plane::power_of_two;

/// A part of the surface of a capsule.
///
/// ```
/// use hitscan::intersect::{CapsulePart, ray_capsule};
/// use hitscan::shape::Capsule;
/// use hitscan::Ray;
/// let pill = Capsule::new([0.0; 3], [0.0, 2.0, 0.0], 1.0)?;
/// let slanted = Ray::new([-3.0, 0.5, 0.0], [2.0, 1.0, 0.0])?;
/// let hit = ray_capsule(&slanted, &pill).expect("through the middle");
/// assert_eq!((hit.entry, hit.exit), (CapsulePart::Side, CapsulePart::CapB));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CapsulePart {
    /// The half of a sphere around the end A; all of it where both ends are at one place.
    CapA,
    /// The half of a sphere around the end B.
    CapB,
    /// The side of the cylinder.
    Side,
}

/// A line through a capsule: where, and through which parts of the surface.
///
/// ```
/// use hitscan::intersect::{CapsulePart, ray_capsule};
/// use hitscan::shape::Capsule;
/// use hitscan::Ray;
/// let walker = Capsule::new([0.0, 0.5, 0.0], [0.0, 1.5, 0.0], 0.5)?;
/// let falling = Ray::new([0.0, 5.0, 0.0], [0.0, -1.0, 0.0])?;
/// let hit = ray_capsule(&falling, &walker).expect("on the head");
/// assert_eq!((hit.span.enter, hit.span.exit), (3.0, 5.0));
/// assert_eq!((hit.entry, hit.exit), (CapsulePart::CapB, CapsulePart::CapA));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThroughCapsule {
    /// Where it is inside.
    pub span: Span,
    /// Where it enters; a cap, and of two the cap at A, where two parts meet.
    pub entry: CapsulePart,
    /// Where it leaves, in the same way.
    pub exit: CapsulePart,
}

/// The line `origin + t dir` and the infinite cylinder of a radius around the line from `a` to `b`, which are neither at one
/// place nor along the line.
///
/// With `f` from `a` to the origin and `u` from `a` to `b`: `A = |d x u|^2`, `B = (d x u) . (f x u)`, `C = |f x u|^2 - r^2
/// |u|^2`, and `B^2 - A C = |u|^2 (r^2 A - (f . (d x u))^2)`: the line passes the axis at the distance `|f . (d x u)| / |d x u|`.
pub(super) struct Cylinder {
    pub origin: DVec3,
    pub dir: DVec3,
    pub ends: [DVec3; 2],
    pub radius: f64,
}

impl Equation for Cylinder {
    fn coefficients<N: Number>(&self) -> Quadratic<N> {
        let [a, b] = self.ends;
        let (d, f, u): (Vector<N>, Vector<N>, Vector<N>) =
            (vector(self.dir), difference(self.origin, a), difference(b, a));
        let (du, fu) = (cross(&d, &u), cross(&f, &u));
        let (square, length_sq) = (N::from(self.radius) * N::from(self.radius), dot(&u, &u));
        let (across_sq, beside) = (dot(&du, &du), dot(&f, &du));
        Quadratic {
            a: across_sq,
            b: dot(&du, &fu),
            c: dot(&fu, &fu) - square * length_sq,
            quarter: square * across_sq - beside * beside,
            factor: Some(length_sq),
        }
    }
}

impl Cylinder {
    /// The square of the cross product of line and axis: 0 where they run alongside, or the axis is a point.
    fn across_sq<N: Number>(&self) -> N {
        let [a, b] = self.ends;
        let du: Vector<N> = cross(&vector(self.dir), &difference(b, a));
        dot(&du, &du)
    }

    /// Whether the equation has an `A` above zero.
    fn is_crossed(&self) -> bool {
        sign_of!(self.across_sq()) == Ordering::Greater
    }

    /// Where the line comes nearest to the axis: how far from the end `from` towards the end `to`, times `|u|^2 A`.
    fn middle<N: Number>(&self, from: DVec3, to: DVec3) -> N {
        let (d, f, u): (Vector<N>, Vector<N>, Vector<N>) =
            (vector(self.dir), difference(self.origin, from), difference(to, from));
        let (du, fu) = (cross(&d, &u), cross(&f, &u));
        dot(&u, &f) * dot(&du, &du) - dot(&u, &d) * dot(&du, &fu)
    }

    /// Whether the line comes nearest to the axis between the ends.
    fn is_crossed_between(&self) -> bool {
        let [a, b] = self.ends;
        sign_of!(self.middle(a, b)) == Ordering::Greater && sign_of!(self.middle(b, a)) == Ordering::Greater
    }

    /// Whether a crossing lies between the ends. Beyond an end whose ball is missed it does not lie, so it is not asked.
    pub fn is_beside(&self, t: f64, [a, b]: [bool; 2]) -> bool {
        if !(a || b) {
            return true;
        }
        let place = self.place(t);
        (!a || place >= 0.0) && (!b || place <= 1.0)
    }

    /// The place of a point of the line along the axis: 0 at the first end, 1 at the other.
    fn place(&self, t: f64) -> f64 {
        let [a, b] = self.ends;
        let (along, away) = (b - a, (self.origin - a) + self.dir * t);
        // By a power of two, so that squares neither over- nor underflow.
        let scale = 1.0 / power_of_two(along.abs().max_element());
        let (along, away) = (along * scale, away * scale);
        away.dot(along) / along.dot(along)
    }
}

/// The part of a ray in a capsule. Touching counts, and so does a start inside.
///
/// Whether the line meets the closed capsule is exact. `enter` and `exit` are within 2^-40 of the larger of themselves and of
/// the largest distance from the ray's origin to a point of the capsule, in units of `dir`; they are compared with `t_min` and
/// `t_max` as they are returned. `dir` needs no length of 1, and a line along the axis is no special case for the caller.
///
/// Source: Ericson, Real-Time Collision Detection, 2005, section 5.3.7, for the cylinder; the discriminant that does not cancel
/// is that of the distance of two lines.
///
/// ```
/// use hitscan::intersect::{CapsulePart, ray_capsule};
/// use hitscan::shape::Capsule;
/// use hitscan::Ray;
/// let walker = Capsule::new([0.0, 0.5, 0.0], [0.0, 1.5, 0.0], 0.5)?;
/// let shot = Ray::new([-4.0, 1.0, 0.0], [2.0, 0.0, 0.0])?;
/// let hit = ray_capsule(&shot, &walker).expect("in the chest");
/// assert_eq!((hit.span.enter, hit.span.exit, hit.entry), (1.75, 2.25, CapsulePart::Side));
/// assert!(ray_capsule(&Ray::new([-4.0, 2.1, 0.0], [2.0, 0.0, 0.0])?, &walker).is_none()); // over the head
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "ray_cylinder")]
pub fn ray_capsule(ray: &Ray, capsule: &Capsule) -> Option<ThroughCapsule> {
    let (origin, dir, radius) = (ray.origin(), ray.dir(), capsule.radius());
    let ends = [capsule.a(), capsule.b()];
    let [a, b] = ends.map(|centre| roots(&Ball { origin, dir, centre, radius }));
    let side = through_side(&Cylinder { origin, dir, ends, radius }, [a.is_some(), b.is_some()]);
    let parts = [CapsulePart::CapA, CapsulePart::CapB, CapsulePart::Side];
    let known = |ends: [Option<f64>; 3]| ends.into_iter().zip(parts).filter_map(|(t, part)| Some((t?, part)));
    let enters = [a.as_ref().map(Roots::enter), b.as_ref().map(Roots::enter), side[0]];
    let exits = [a.as_ref().map(Roots::exit), b.as_ref().map(Roots::exit), side[1]];
    let first = known(enters).reduce(|best, other| if other.0 < best.0 { other } else { best })?;
    let last = known(exits).reduce(|best, other| if other.0 > best.0 { other } else { best })?;
    Some(ThroughCapsule { span: Span::within(first.0, last.0, ray)?, entry: first.1, exit: last.1 })
}

/// Where a line goes in and out through the side between the ends, of whose balls it is known whether they are met.
fn through_side(cylinder: &Cylinder, met: [bool; 2]) -> [Option<f64>; 2] {
    match side(cylinder, met) {
        Some(roots) => [roots.enter(), roots.exit()].map(|t| cylinder.is_beside(t, met).then_some(t)),
        None => [None; 2],
    }
}

/// Where a line crosses the infinite cylinder, if it does so between the ends at one place at least.
pub(super) fn side(cylinder: &Cylinder, met: [bool; 2]) -> Option<Roots> {
    if !cylinder.is_crossed() {
        return None;
    }
    let roots = roots(cylinder)?;
    // Past both balls there is only the side between them.
    (met != [false; 2] || cylinder.is_crossed_between()).then_some(roots)
}
