//! Ray and sphere: a quadratic that does not cancel.

use glam::DVec3;

use super::Span;
use super::quadratic::{Equation, Quadratic, Roots, roots};
use crate::exact::{Number, Vector, cross, difference, dot, vector};
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
    /// right to 2^-42 of itself however short it is, which `exit - enter` is not. (What is shorter than the normal numbers is
    /// the nearest one above 0.)
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

/// The line `origin + t dir` and the ball of a radius around a centre.
///
/// With `f` from the centre to the origin: `A = d . d`, `B = d . f`, `C = f . f - r^2`. The discriminant's quarter
/// `B^2 - A C` is taken as `A r^2 - |d x f|^2`, which is the same and loses nothing for a far origin.
pub(super) struct Ball {
    pub origin: DVec3,
    pub dir: DVec3,
    pub centre: DVec3,
    pub radius: f64,
}

impl Equation for Ball {
    fn coefficients<N: Number>(&self) -> Quadratic<N> {
        let (d, f): (Vector<N>, Vector<N>) = (vector(self.dir), difference(self.origin, self.centre));
        let (a, square) = (dot(&d, &d), N::from(self.radius) * N::from(self.radius));
        let across = cross(&d, &f);
        let quarter = a * square - dot(&across, &across);
        Quadratic { a, b: dot(&d, &f), c: dot(&f, &f) - square, quarter, factor: None }
    }
}

/// The part of a ray in a sphere: no solution is `None`, one is a chord of length 0, two are its ends. A start inside
/// counts, and so does touching. [`Span::crossings`] gives the solutions within the ray's interval.
///
/// Whether the line meets the closed sphere, and whether it only touches, is exact. `enter`, `exit` and the chord's length
/// are within 2^-42 of themselves (as far as normal numbers go), wherever the origin lies and however small the sphere: the
/// root of larger size comes from a sum of like signs, the other one from the product of both, and what cancels
/// nevertheless is computed with twice the digits or without rounding. `t` is compared with `t_min` and `t_max` as it is
/// returned. `dir` needs no length of 1.
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
    let (centre, radius) = (sphere.centre(), sphere.radius());
    let Roots { first, second, length } =
        roots(&Ball { origin: ray.origin(), dir: ray.dir(), centre, radius })?;
    Some(Chord { span: Span::within(first, second, ray)?, length })
}
