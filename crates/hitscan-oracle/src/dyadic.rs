//! Sums and products of `f64` without any rounding, and how large the terms were that went into them.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

use num_bigint::{BigInt, Sign};

use crate::exact::integer_and_exponent;

/// A whole number times a power of two: what every finite `f64` is, and what their sums and products are.
#[derive(Clone, Debug)]
pub struct Dyadic {
    m: BigInt,
    exponent: i64,
}

impl Dyadic {
    /// 0.
    pub fn zero() -> Dyadic {
        Dyadic { m: BigInt::ZERO, exponent: 0 }
    }

    /// The power of two `2^exponent`.
    pub fn power_of_two(exponent: i64) -> Dyadic {
        Dyadic { m: BigInt::from(1), exponent }
    }

    /// The absolute value.
    pub fn abs(&self) -> Dyadic {
        Dyadic { m: BigInt::from(self.m.magnitude().clone()), exponent: self.exponent }
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match self.m.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }
    }

    /// Roughly this number; only for messages.
    pub fn roughly(&self) -> f64 {
        let shift = self.m.bits().saturating_sub(60);
        let top = i64::try_from(&self.m >> shift).unwrap_or_default();
        let exponent = (shift as i64 + self.exponent).clamp(-1000, 900);
        top as f64 * f64::powi(2.0, exponent as i32)
    }

    /// Both as whole numbers in one unit, and its exponent.
    fn aligned(&self, other: &Dyadic) -> (BigInt, BigInt, i64) {
        let exponent = self.exponent.min(other.exponent);
        let shifted = |x: &Dyadic| &x.m << (x.exponent - exponent);
        (shifted(self), shifted(other), exponent)
    }
}

impl From<f64> for Dyadic {
    /// # Panics
    /// Where the number is not finite.
    fn from(x: f64) -> Dyadic {
        let (m, exponent) = integer_and_exponent(x);
        Dyadic { m: m.into(), exponent }
    }
}

impl Add for &Dyadic {
    type Output = Dyadic;
    fn add(self, other: &Dyadic) -> Dyadic {
        let (a, b, exponent) = self.aligned(other);
        Dyadic { m: a + b, exponent }
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;
    fn sub(self, other: &Dyadic) -> Dyadic {
        let (a, b, exponent) = self.aligned(other);
        Dyadic { m: a - b, exponent }
    }
}

impl Mul for &Dyadic {
    type Output = Dyadic;
    fn mul(self, other: &Dyadic) -> Dyadic {
        Dyadic { m: &self.m * &other.m, exponent: self.exponent + other.exponent }
    }
}

impl Neg for &Dyadic {
    type Output = Dyadic;
    fn neg(self) -> Dyadic {
        Dyadic { m: -&self.m, exponent: self.exponent }
    }
}

impl PartialEq for Dyadic {
    fn eq(&self, other: &Dyadic) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Dyadic) -> Option<Ordering> {
        let (a, b, _) = self.aligned(other);
        Some(a.cmp(&b))
    }
}

/// The exact value of a formula, and its weight: the same formula with all terms taken by their absolute values.
///
/// A computer that rounds each of `k` operations along the way is off by at most `k` rounding errors of the weight.
#[derive(Clone, Debug)]
pub struct Weighed {
    /// What the formula is worth.
    pub value: Dyadic,
    /// The sum of its terms' sizes; at least `|value|`.
    pub weight: Dyadic,
}

impl Weighed {
    /// An input, or a difference of inputs that is one operation: it weighs its own size.
    pub fn leaf(value: Dyadic) -> Weighed {
        let weight = value.abs();
        Weighed { value, weight }
    }

    /// Whether `rounding` errors of the size `2^-53` could change the sign.
    pub fn is_doubtful(&self, rounding: i64) -> bool {
        self.value.abs() <= &(&Dyadic::from(rounding as f64) * &Dyadic::power_of_two(-53)) * &self.weight
    }
}

impl Add for &Weighed {
    type Output = Weighed;
    fn add(self, other: &Weighed) -> Weighed {
        Weighed { value: &self.value + &other.value, weight: &self.weight + &other.weight }
    }
}

impl Sub for &Weighed {
    type Output = Weighed;
    fn sub(self, other: &Weighed) -> Weighed {
        Weighed { value: &self.value - &other.value, weight: &self.weight + &other.weight }
    }
}

impl Mul for &Weighed {
    type Output = Weighed;
    fn mul(self, other: &Weighed) -> Weighed {
        Weighed { value: &self.value * &other.value, weight: &self.weight * &other.weight }
    }
}

impl Neg for &Weighed {
    type Output = Weighed;
    fn neg(self) -> Weighed {
        Weighed { value: -&self.value, weight: self.weight.clone() }
    }
}

/// Three of them.
pub type Vector = [Weighed; 3];

/// The vector from one point to another: one operation a component.
pub fn difference(to: [f64; 3], from: [f64; 3]) -> Vector {
    std::array::from_fn(|i| Weighed::leaf(&Dyadic::from(to[i]) - &Dyadic::from(from[i])))
}

/// A vector that is given.
pub fn given(v: [f64; 3]) -> Vector {
    v.map(|c| Weighed::leaf(c.into()))
}

/// The dot product.
pub fn dot(a: &Vector, b: &Vector) -> Weighed {
    &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
}

/// The cross product.
pub fn cross(a: &Vector, b: &Vector) -> Vector {
    let component = |i: usize, j: usize| &(&a[i] * &b[j]) - &(&a[j] * &b[i]);
    [component(1, 2), component(2, 0), component(0, 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_rounded() {
        let (big, small) = (Dyadic::from(1e300), Dyadic::from(f64::from_bits(1)));
        let sum = &(&big + &small) - &big;
        assert_eq!(sum, small);
        assert_eq!((&(&big * &small) - &(&small * &big)).signum(), 0);
        assert_eq!(Dyadic::from(-0.75).roughly(), -0.75);
        assert!(Dyadic::from(-1.0) < Dyadic::zero() && Dyadic::from(3.0) > Dyadic::from(2.5));
        assert_eq!(Dyadic::power_of_two(-3), Dyadic::from(0.125));
    }

    #[test]
    fn a_sum_that_cancels_keeps_its_weight() {
        let [x, y] = [1.0, -1.0].map(|x| Weighed::leaf(x.into()));
        let sum = &x + &y;
        assert_eq!((sum.value.signum(), sum.weight.roughly()), (0, 2.0));
        assert!(sum.is_doubtful(1) && !x.is_doubtful(8));
    }
}
