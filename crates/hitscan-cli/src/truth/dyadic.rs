//! Whole numbers times powers of two: what every finite `f64` is, and what their sums and products are.

use std::ops::{Mul, Sub};

use hitscan::glam::DVec3;
use num_bigint::{BigInt, Sign};

/// `m * 2^exponent`.
#[derive(Clone, Debug)]
pub struct Dyadic {
    m: BigInt,
    exponent: i32,
}

/// Three of them.
pub type Vector = [Dyadic; 3];

impl Dyadic {
    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match self.m.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }
    }

    /// Turns its sign.
    pub fn negate(&mut self) {
        self.m = -std::mem::take(&mut self.m);
    }

    /// About this number, within 2^-52 of itself: to show.
    pub fn to_f64(&self) -> f64 {
        let (m, exponent) = self.parts();
        libm::scalbn(m, exponent)
    }

    /// About the quotient of two numbers; not a number for 0 / 0.
    pub fn ratio(&self, divisor: &Dyadic) -> f64 {
        let (n, d) = (self.parts(), divisor.parts());
        libm::scalbn(n.0 / d.0, n.1 - d.1)
    }

    /// About 2^63 in size, and the power of two that is missing.
    fn parts(&self) -> (f64, i32) {
        let excess = i32::try_from(self.m.bits()).unwrap_or(i32::MAX).saturating_sub(63).max(0);
        let leading = i64::try_from(&self.m >> excess).unwrap_or_default();
        (leading as f64, excess + self.exponent)
    }

    fn plus(&self, other: &Dyadic, sign: i32) -> Dyadic {
        let exponent = self.exponent.min(other.exponent);
        let shifted = |x: &Dyadic| &x.m << (x.exponent - exponent);
        let (a, b) = (shifted(self), shifted(other));
        Dyadic { m: if sign < 0 { a - b } else { a + b }, exponent }
    }
}

impl From<f64> for Dyadic {
    /// The number itself; 0 for what is not finite, which no shape and no ray holds.
    fn from(x: f64) -> Dyadic {
        let (mantissa, exponent) = libm::frexp(x);
        let m = libm::scalbn(mantissa, 53) as i64;
        Dyadic { m: m.into(), exponent: if m == 0 { 0 } else { exponent - 53 } }
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;
    fn sub(self, other: &Dyadic) -> Dyadic {
        self.plus(other, -1)
    }
}

impl Mul for &Dyadic {
    type Output = Dyadic;
    fn mul(self, other: &Dyadic) -> Dyadic {
        Dyadic { m: &self.m * &other.m, exponent: self.exponent + other.exponent }
    }
}

/// A vector as given.
pub fn given(v: DVec3) -> Vector {
    v.to_array().map(Dyadic::from)
}

/// `a - b`.
pub fn difference(a: DVec3, b: DVec3) -> Vector {
    std::array::from_fn(|axis| &Dyadic::from(a[axis]) - &Dyadic::from(b[axis]))
}

/// The dot product.
pub fn dot(a: &Vector, b: &Vector) -> Dyadic {
    (&a[0] * &b[0]).plus(&(&a[1] * &b[1]), 1).plus(&(&a[2] * &b[2]), 1)
}

/// The cross product.
pub fn cross(a: &Vector, b: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &(&a[i] * &b[j]) - &(&a[j] * &b[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_products_are_exact() {
        let big = |x: f64| Dyadic::from(x);
        let tiny = f64::from_bits(1);
        let sum = big(2f64.powi(101)).plus(&big(tiny), 1);
        assert_eq!((&sum - &big(2f64.powi(101))).to_f64(), tiny);
        // (1/3 as f64) * 3 - 1 = -2^-54.
        assert_eq!((&(&big(1.0 / 3.0) * &big(3.0)) - &big(1.0)).to_f64(), -(2f64.powi(-54)));
        assert_eq!(big(-7.0).ratio(&big(2.0)), -3.5);
        assert_eq!((big(0.0).signum(), big(-0.5).signum(), big(tiny).signum()), (0, -1, 1));
        assert!(big(0.0).ratio(&big(0.0)).is_nan());
    }
}
