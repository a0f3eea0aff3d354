//! `f64` arithmetic that carries a bound of its own error.

use core::cmp::Ordering;
use core::ops::{Add, Mul, Sub};

use glam::DVec3;

use super::{Number, PRECISION};

/// A number that differs from the true one by at most `error`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounded {
    value: f64,
    error: f64,
}

/// 2^-52: twice what one rounding errs by, so that it also covers the rounding of the bound itself.
const ROUNDING: f64 = f64::EPSILON;

/// A sum of products above it has lost nothing that matters to underflow, though components reach from 2^200 down to
/// nothing: 2^-700.
const LEAST: f64 = {
    let tiny = 1.0 / (1u128 << 100) as f64;
    tiny * tiny * tiny * tiny * tiny * tiny * tiny
};

/// Covers the roundings of a sum of error terms.
const SLACK: f64 = 1.0 + 8.0 * f64::EPSILON;

impl Bounded {
    pub fn new(value: f64, error: f64) -> Bounded {
        Bounded { value, error }
    }

    /// The dot product of vectors whose components are each off by at most 2^-52 of themselves: as [`dot`](super::dot) in this
    /// arithmetic, but faster. `None` where products may underflow, or are all zero.
    #[inline]
    pub fn quick_dot(a: DVec3, b: DVec3) -> Option<Bounded> {
        let products = a * b;
        let size = products.abs().element_sum();
        // Two roundings in each factor, one of the product, two of the sums, and the same again for the sum of sizes.
        (size > LEAST).then(|| Bounded { value: products.element_sum(), error: size * (8.0 * ROUNDING) })
    }

    pub fn value(self) -> f64 {
        self.value
    }

    pub fn error(self) -> f64 {
        self.error
    }

    /// The sign of the true number, where it is certain.
    pub fn sign(self) -> Option<Ordering> {
        if self.error == 0.0 || self.value.abs() > self.error { self.value.partial_cmp(&0.0) } else { None }
    }

    /// The number, where it is known to [`PRECISION`] of itself.
    pub fn precise(self) -> Option<f64> {
        let precise = self.error <= self.value.abs() * PRECISION && self.error < f64::INFINITY;
        precise.then_some(self.value)
    }

    /// Whether it is exactly zero.
    fn is_zero(self) -> bool {
        self.value == 0.0 && self.error == 0.0
    }
}

impl From<f64> for Bounded {
    fn from(value: f64) -> Bounded {
        Bounded { value, error: 0.0 }
    }
}

impl Number for Bounded {}

impl Add for Bounded {
    type Output = Bounded;
    #[inline]
    fn add(self, other: Bounded) -> Bounded {
        let value = self.value + other.value;
        // A sum that underflows is exact, and so is a sum with zero.
        if self.is_zero() || other.is_zero() {
            return Bounded { value, error: self.error + other.error };
        }
        Bounded { value, error: ((self.error + other.error) + value.abs() * ROUNDING) * SLACK }
    }
}

impl Sub for Bounded {
    type Output = Bounded;
    #[inline]
    fn sub(self, other: Bounded) -> Bounded {
        self + Bounded { value: -other.value, error: other.error }
    }
}

impl Mul for Bounded {
    type Output = Bounded;
    #[inline]
    fn mul(self, other: Bounded) -> Bounded {
        if self.is_zero() || other.is_zero() {
            return Bounded { value: 0.0, error: 0.0 };
        }
        let value = self.value * other.value;
        let carried = (self.value.abs() + self.error) * other.error + other.value.abs() * self.error;
        // The smallest normal number covers products that underflow, of the value and of the bound.
        Bounded { value, error: ((carried + value.abs() * ROUNDING) + f64::MIN_POSITIVE) * SLACK }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_is_given_only_where_it_is_certain() {
        let tenth = Bounded::from(0.1) * Bounded::from(3.0) - Bounded::from(0.3);
        assert_eq!(tenth.sign(), None);
        assert_eq!((tenth + Bounded::from(1e-9)).sign(), Some(Ordering::Greater));
        assert_eq!((Bounded::from(2.0) - Bounded::from(2.0)).sign(), Some(Ordering::Equal));
        assert_eq!((Bounded::from(0.0) * tenth).sign(), Some(Ordering::Equal));
        let tiny = Bounded::from(1e-200) * Bounded::from(1e-200);
        assert_eq!((tiny.value(), tiny.sign()), (0.0, None), "underflow is no zero");
    }

    #[test]
    fn the_quick_dot_product_knows_when_it_cannot() {
        let (x, tiny) = (DVec3::X, DVec3::splat(1e-200));
        assert!(Bounded::quick_dot(x, DVec3::Y).is_none() && Bounded::quick_dot(tiny, tiny).is_none());
        let almost = Bounded::quick_dot(DVec3::new(0.1, 0.3, 0.0), DVec3::new(3.0, -1.0, 0.0));
        assert_eq!(almost.map(Bounded::sign), Some(None));
    }
}
