//! `f64` arithmetic that carries a bound of its own error.

use core::cmp::Ordering;
use core::ops::{Add, Mul, Sub};

use super::{Number, PRECISION};

/// A number that differs from the true one by at most `error`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounded {
    value: f64,
    error: f64,
}

/// 2^-52: twice what one rounding errs by, so that it also covers the rounding of the bound itself.
const ROUNDING: f64 = f64::EPSILON;

/// Covers the roundings of a sum of error terms.
const SLACK: f64 = 1.0 + 8.0 * f64::EPSILON;

impl Bounded {
    pub fn new(value: f64, error: f64) -> Bounded {
        Bounded { value, error }
    }

    pub fn value(self) -> f64 {
        self.value
    }

    /// The sign of the true number, where it is certain.
    pub fn sign(self) -> Option<Ordering> {
        if self.error == 0.0 || self.value.abs() > self.error { self.value.partial_cmp(&0.0) } else { None }
    }

    /// Whether the error is at most [`PRECISION`] of the number.
    pub fn is_precise(self) -> bool {
        self.error < f64::INFINITY && self.error <= self.value.abs() * PRECISION
    }

    /// Whether it is exactly zero.
    fn is_zero(self) -> bool {
        self.value == 0.0 && self.error == 0.0
    }

    /// The quotient, with an infinite error where the divisor may be zero.
    pub fn over(self, divisor: Bounded) -> Bounded {
        let value = self.value / divisor.value;
        let room = divisor.value.abs() - divisor.error;
        let error = (self.error + value.abs() * divisor.error) / room;
        let error = (error + value.abs() * ROUNDING + f64::MIN_POSITIVE) * SLACK;
        // Also where it is not a number.
        let sound = room > 0.0 && error.is_finite() && value.is_finite();
        Bounded { value, error: if sound { error } else { f64::INFINITY } }
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
        let third = Bounded::from(1.0).over(3.0.into());
        let sum = third + third + third - Bounded::from(1.0);
        assert_eq!(sum.sign(), None);
        assert_eq!(third.sign(), Some(Ordering::Greater));
        assert_eq!((Bounded::from(2.0) - Bounded::from(2.0)).sign(), Some(Ordering::Equal));
        assert_eq!((Bounded::from(0.0) * third).sign(), Some(Ordering::Equal));
        assert_eq!(third.over(sum).sign(), None, "the divisor may be zero");
        let tiny = Bounded::from(1e-200) * Bounded::from(1e-200);
        assert_eq!((tiny.value(), tiny.sign()), (0.0, None), "underflow is no zero");
    }
}
