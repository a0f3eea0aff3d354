//! Ray and sphere: a quadratic that does not cancel.

use core::cmp::Ordering;

use glam::DVec3;

use super::Span;
use crate::exact::{Big, Bounded, Double, Number, Vector, cross, difference, dot, vector};
use crate::ray::Ray;
use crate::shape::Sphere;

/// The part of a line that lies in a sphere.
///
/// ```
/// use hitscan::intersect::ray_sphere;
/// use hitscan::shape::Sphere;
/// use hitscan::Ray;
/// let ball = Sphere::new([0.0; 3], 1.0)?;
/// // A graze: 2^-40 below the top, from far away.
/// let height = 1.0 - 2f64.powi(-40);
/// let graze = Ray::new([-1e9, height, 0.0], [1.0, 0.0, 0.0])?;
/// let chord = ray_sphere(&graze, &ball).expect("just");
/// let exact = 2.0 * (2f64.powi(-39) - 2f64.powi(-80)).sqrt();
/// assert!((chord.length - exact).abs() <= 1e-15 * exact);
/// // The ends are a billion away, where `f64` has steps of 1e-7.
/// assert!((chord.span.length() - exact).abs() > 1e-3 * exact);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chord {
    /// Where it is inside.
    pub span: Span,
    /// How long it is, in units of the ray's direction: 0 exactly where the line touches the sphere in one point, and
    /// right to 2^-42 of itself however short it is, which `exit - enter` is not.
    pub length: f64,
}

impl Chord {
    /// How many points the line and the surface have in common: 1 or 2.
    ///
    /// ```
    /// use hitscan::intersect::ray_sphere;
    /// use hitscan::shape::Sphere;
    /// use hitscan::Ray;
    /// let ball = Sphere::new([0.0; 3], 1.0)?;
    /// let tangent = Ray::new([-3.0, 1.0, 0.0], [1.0, 0.0, 0.0])?;
    /// let chord = ray_sphere(&tangent, &ball).expect("it touches");
    /// assert_eq!((chord.solutions(), chord.span.enter, chord.length), (1, 3.0, 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solutions(&self) -> usize {
        if self.length == 0.0 { 1 } else { 2 }
    }
}

/// The coefficients of `A t^2 + 2 B t + C = 0`, and a quarter of its discriminant.
struct Quadratic<N> {
    a: N,
    b: N,
    c: N,
    quarter: N,
}

/// With `f` from the centre to the origin: `A = d . d`, `B = d . f`, `C = f . f - r^2`. The discriminant's quarter
/// `B^2 - A C` is taken as `A r^2 - |d x f|^2`, which is the same and loses nothing for a far origin.
fn quadratic<N: Number>([origin, centre, dir]: [DVec3; 3], radius: f64) -> Quadratic<N> {
    let (d, f): (Vector<N>, Vector<N>) = (vector(dir), difference(origin, centre));
    let (a, square) = (dot(&d, &d), N::from(radius) * N::from(radius));
    let across = cross(&d, &f);
    Quadratic { a, b: dot(&d, &f), c: dot(&f, &f) - square, quarter: a * square - dot(&across, &across) }
}

/// The part of a ray in a sphere: no solution is `None`, one is a chord of length 0, two are its ends. A start inside
/// counts, and so does touching. [`Span::crossings`] gives the solutions within the ray's interval.
///
/// Whether the line meets the closed sphere, and whether it only touches, is exact. `enter`, `exit` and the chord's length
/// are within 2^-42 of themselves, wherever the origin lies: the root of larger size comes from a sum of like signs,
/// the other one from the product of both, and what cancels nevertheless is computed with twice the digits or without rounding. `t` is compared with
/// `t_min` and `t_max` as it is returned. `dir` needs no length of 1.
///
/// Source: Sanchez-Crespo, Core Techniques and Algorithms in Game Programming, 2003, chapter 22, whose `A` and `B` are
/// misprinted; the stable form is in Press et al., Numerical Recipes, section 5.6.
///
/// ```
/// use hitscan::intersect::ray_sphere;
/// use hitscan::shape::Sphere;
/// use hitscan::Ray;
/// let can = Sphere::new([0.0; 3], 0.5)?;
/// let bullet = Ray::new([-3.0, 0.0, 0.0], [2.0, 0.0, 0.0])?;
/// let chord = ray_sphere(&bullet, &can).expect("through the middle");
/// assert_eq!((chord.span.enter, chord.span.exit, chord.length), (1.25, 1.75, 0.5));
/// assert!(ray_sphere(&Ray::new([-3.0, 0.6, 0.0], [1.0, 0.0, 0.0])?, &can).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "discriminant")]
#[doc(alias = "ray_sphere_quadratic")]
pub fn ray_sphere(ray: &Ray, sphere: &Sphere) -> Option<Chord> {
    let (points, radius, unscale) = in_range(ray, sphere);
    let quick: Quadratic<Bounded> = quadratic(points, radius);
    if quick.quarter.sign() == Some(Ordering::Less) {
        return None;
    }
    let Quadratic { a, b, c, quarter } = precise(&quick, points, radius);
    let t = |t: f64| libm::scalbn(t, unscale);
    if quarter < 0.0 {
        return None;
    }
    if quarter == 0.0 {
        let touch = t(-b / a);
        return Some(Chord { span: Span::within(touch, touch, ray)?, length: 0.0 });
    }
    let root = libm::sqrt(quarter);
    // Like signs.
    let sum = if b < 0.0 { root - b } else { -root - b };
    let length = t(2.0 * root / a).max(f64::MIN_POSITIVE);
    Some(Chord { span: Span::within(t(sum / a), t(c / sum), ray)?, length })
}

/// The coefficients, each to [`PRECISION`](crate::exact::PRECISION) of itself, with exact zeros and signs: with twice the
/// digits where `f64` has lost too many, and without rounding where that does not help.
fn precise(quick: &Quadratic<Bounded>, points: [DVec3; 3], radius: f64) -> Quadratic<f64> {
    if let [Some(a), Some(b), Some(c), Some(quarter)] =
        [quick.a.precise(), quick.b.precise(), quick.c.precise(), quick.quarter.precise()]
    {
        return Quadratic { a, b, c, quarter };
    }
    let twice: Quadratic<Double> = quadratic(points, radius);
    let exact = || quadratic::<Big>(points, radius);
    Quadratic {
        a: twice.a.precise().unwrap_or_else(|| exact().a.to_f64()),
        b: twice.b.precise().unwrap_or_else(|| exact().b.to_f64()),
        c: twice.c.precise().unwrap_or_else(|| exact().c.to_f64()),
        quarter: twice.quarter.precise().unwrap_or_else(|| exact().quarter.to_f64()),
    }
}

/// Origin, centre, direction and radius, multiplied by powers of two where squares of squares would leave `f64`, and the
/// power of two that `t` lacks then. All of it is exact, since nothing is made smaller.
fn in_range(ray: &Ray, sphere: &Sphere) -> ([DVec3; 3], f64, i32) {
    let (origin, centre, dir, radius) = (ray.origin(), sphere.centre(), ray.dir(), sphere.radius());
    let size = (origin - centre).abs().max_element().max(radius);
    let speed = dir.abs().max_element();
    if size > SMALL && speed > SMALL {
        return ([origin, centre, dir], radius, 0);
    }
    // Coordinates and radius are at most 2^100, a direction at most 2^200.
    let widest = origin.abs().max(centre.abs()).max_element().max(radius);
    let (grow, hasten) = ((100 - libm::ilogb(widest)).max(0), (200 - libm::ilogb(speed)).max(0));
    let by = |v: DVec3, power: i32| DVec3::from_array(v.to_array().map(|x| libm::scalbn(x, power)));
    let points = [by(origin, grow), by(centre, grow), by(dir, hasten)];
    (points, libm::scalbn(radius, grow), hasten - grow)
}

/// 2^-100: above it, a product of four lengths is a normal number, with room for what cancels.
const SMALL: f64 = 1.0 / (1u128 << 100) as f64;
