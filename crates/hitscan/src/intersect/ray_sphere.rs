//! Ray and sphere: a quadratic that does not cancel.

use core::cmp::Ordering;

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

/// The coefficients of `A t^2 + 2 B t + C = 0`, and a quarter of its discriminant.
struct Quadratic<N> {
    a: N,
    b: N,
    c: N,
    quarter: N,
}

/// With `f` from the centre to the origin: `A = d . d`, `B = d . f`, `C = f . f - r^2`. The discriminant's quarter
/// `B^2 - A C` is taken as `A r^2 - |d x f|^2`, which is the same and loses nothing for a far origin.
fn quadratic<N: Number>(ray: &Ray, sphere: &Sphere) -> Quadratic<N> {
    let (d, f): (Vector<N>, Vector<N>) = (vector(ray.dir()), difference(ray.origin(), sphere.centre()));
    let (a, square) = (dot(&d, &d), N::from(sphere.radius()) * N::from(sphere.radius()));
    let across = cross(&d, &f);
    Quadratic { a, b: dot(&d, &f), c: dot(&f, &f) - square, quarter: a * square - dot(&across, &across) }
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
    let quick: Quadratic<Bounded> = quadratic(ray, sphere);
    if quick.quarter.sign() == Some(Ordering::Less) {
        return None;
    }
    // With twice the digits where `f64` has lost too many, and without rounding where that does not help.
    let rounded = quick.precise(Bounded::precise).or_else(|| {
        let twice: Quadratic<Double> = quadratic(ray, sphere);
        twice.precise(Double::precise)
    });
    let Roots { first, second, length } = match rounded {
        Some(quadratic) => quadratic.roots(),
        None => quadratic::<Big>(ray, sphere).roots(),
    }?;
    Some(Chord { span: Span::within(first, second, ray)?, length })
}

/// Both solutions, in any order, and how far apart they are.
struct Roots {
    first: f64,
    second: f64,
    length: f64,
}

impl Roots {
    fn touch(t: f64) -> Roots {
        Roots { first: t, second: t, length: 0.0 }
    }

    /// A length that is too short for `f64` stays above 0.
    fn apart(first: f64, second: f64, length: f64) -> Roots {
        Roots { first, second, length: length.max(f64::from_bits(1)) }
    }
}

impl<N: Copy> Quadratic<N> {
    /// The coefficients, where each is known to [`PRECISION`](crate::exact::PRECISION) of itself, with exact zeros and signs.
    fn precise(&self, of: fn(N) -> Option<f64>) -> Option<Quadratic<f64>> {
        Some(Quadratic { a: of(self.a)?, b: of(self.b)?, c: of(self.c)?, quarter: of(self.quarter)? })
    }
}

impl Quadratic<f64> {
    fn roots(&self) -> Option<Roots> {
        let Quadratic { a, b, c, quarter } = *self;
        if quarter < 0.0 {
            return None;
        }
        if quarter == 0.0 {
            return Some(Roots::touch(-b / a));
        }
        let root = libm::sqrt(quarter);
        // Like signs.
        let sum = if b < 0.0 { root - b } else { -root - b };
        Some(Roots::apart(sum / a, c / sum, 2.0 * root / a))
    }
}

impl Quadratic<Big> {
    /// The same with the powers of two apart: the squares of lengths may lie beyond `f64` where the lengths do not.
    #[cold]
    fn roots(&self) -> Option<Roots> {
        match self.quarter.sign() {
            Ordering::Less => return None,
            Ordering::Equal => return Some(Roots::touch(-self.b.ratio(&self.a))),
            Ordering::Greater => {}
        }
        let [a, b, c, quarter] = [self.a, self.b, self.c, self.quarter].map(|n| n.parts());
        let odd = quarter.1 & 1;
        let root = (libm::sqrt(libm::scalbn(quarter.0, odd)), (quarter.1 - odd) / 2);
        let exponent = if b.0 == 0.0 { root.1 } else { b.1.max(root.1) };
        let size = libm::scalbn(b.0.abs(), b.1 - exponent) + libm::scalbn(root.0, root.1 - exponent);
        let sum = (if b.0 < 0.0 { size } else { -size }, exponent);
        let quotient = |n: (f64, i32), d: (f64, i32)| libm::scalbn(n.0 / d.0, n.1 - d.1);
        Some(Roots::apart(quotient(sum, a), quotient(c, sum), 2.0 * quotient(root, a)))
    }
}
