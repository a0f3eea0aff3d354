//! `A t^2 + 2 B t + C = 0` with roots that do not cancel: where a line meets a ball, a cylinder or a slab.
//!
//! The sign of the discriminant is exact. The root of larger size comes from a sum of like signs and the other one from the
//! product of both; coefficients that lost too many digits are computed again with twice the digits, and without rounding
//! where that does not help.

use core::cmp::Ordering;

use crate::exact::{Big, Bounded, Double, Number};
use crate::root::sqrt;

/// The coefficients, and the quarter of the discriminant, `B^2 - A C`, as `quarter * factor`: the formulas of a cylinder and
/// a slab split into two factors, and their product would be too long.
pub(super) struct Quadratic<N> {
    pub a: N,
    pub b: N,
    pub c: N,
    pub quarter: N,
    /// Above zero; none is 1.
    pub factor: Option<N>,
}

/// What has coefficients: the formulas, written once. `A` is above zero.
pub(super) trait Equation {
    fn coefficients<N: Number>(&self) -> Quadratic<N>;
}

/// Both solutions, in any order, and how far apart they are: 0 exactly where they are one.
#[derive(Clone, Copy)]
pub(super) struct Roots {
    pub first: f64,
    pub second: f64,
    pub length: f64,
}

impl Roots {
    fn touch(t: f64) -> Roots {
        Roots { first: t, second: t, length: 0.0 }
    }

    /// A length that is too short for `f64` stays above 0.
    fn apart(first: f64, second: f64, length: f64) -> Roots {
        Roots { first, second, length: length.max(f64::from_bits(1)) }
    }

    pub fn enter(&self) -> f64 {
        self.first.min(self.second)
    }

    pub fn exit(&self) -> f64 {
        self.first.max(self.second)
    }
}

/// The solutions within 2^-42 of themselves; none exactly where there is none.
pub(super) fn roots(equation: &impl Equation) -> Option<Roots> {
    let quick: Quadratic<Bounded> = equation.coefficients();
    if quick.quarter.sign() == Some(Ordering::Less) {
        return None;
    }
    let rounded = quick.precise(Bounded::precise).or_else(|| {
        let twice: Quadratic<Double> = equation.coefficients();
        twice.precise(Double::precise)
    });
    match rounded {
        Some([a, b, c, quarter]) => rounded_roots(a, b, c, quarter),
        None => equation.coefficients::<Big>().roots(),
    }
}

impl<N: Number> Quadratic<N> {
    /// The coefficients and the quarter of the discriminant, where each is known to [`PRECISION`](crate::exact::PRECISION) of
    /// itself, with exact zeros and signs.
    fn precise(&self, of: fn(N) -> Option<f64>) -> Option<[f64; 4]> {
        let quarter = self.factor.map_or(self.quarter, |factor| self.quarter * factor);
        Some([of(self.a)?, of(self.b)?, of(self.c)?, of(quarter)?])
    }
}

fn rounded_roots(a: f64, b: f64, c: f64, quarter: f64) -> Option<Roots> {
    if quarter < 0.0 {
        return None;
    }
    if quarter == 0.0 {
        return Some(Roots::touch(-b / a));
    }
    let root = sqrt(quarter);
    // Like signs.
    let sum = if b < 0.0 { root - b } else { -root - b };
    Some(Roots::apart(sum / a, c / sum, 2.0 * root / a))
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
        let factor = self.factor.map_or((1.0, 0), |factor| factor.parts());
        let quarter = (quarter.0 * factor.0, quarter.1 + factor.1);
        let odd = quarter.1 & 1;
        let root = (sqrt(libm::scalbn(quarter.0, odd)), (quarter.1 - odd) / 2);
        let exponent = if b.0 == 0.0 { root.1 } else { b.1.max(root.1) };
        let size = libm::scalbn(b.0.abs(), b.1 - exponent) + libm::scalbn(root.0, root.1 - exponent);
        let sum = (if b.0 < 0.0 { size } else { -size }, exponent);
        let quotient = |n: (f64, i32), d: (f64, i32)| libm::scalbn(n.0 / d.0, n.1 - d.1);
        Some(Roots::apart(quotient(sum, a), quotient(c, sum), 2.0 * quotient(root, a)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `t^2 - 3 t + 2` times 4, its discriminant in two factors.
    struct Known {
        scale: f64,
    }

    impl Equation for Known {
        fn coefficients<N: Number>(&self) -> Quadratic<N> {
            let n = |x: f64| N::from(x * self.scale);
            let (quarter, factor) = (N::from(4.0 * self.scale), Some(N::from(self.scale)));
            Quadratic { a: n(4.0), b: n(-6.0), c: n(8.0), quarter, factor }
        }
    }

    #[test]
    fn two_factors_are_as_good_as_their_product() {
        // The squares of the last ones are beyond `f64`.
        for scale in [1.0, 2f64.powi(-300), 2f64.powi(-600), 2f64.powi(900)] {
            let roots = roots(&Known { scale }).expect("two roots");
            assert_eq!((roots.enter(), roots.exit(), roots.length), (1.0, 2.0, 1.0), "{scale:e}");
        }
    }
}
