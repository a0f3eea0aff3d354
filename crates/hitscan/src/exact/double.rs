//! Arithmetic with twice the digits of `f64`, as sums of two, that carries a bound of its own error (Dekker: A
//! floating-point technique for extending the available precision, 1971).

use core::ops::{Add, Mul, Sub};

use super::{Number, PRECISION};

/// The number `high + low`, at most `error` from the true one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Double {
    high: f64,
    low: f64,
    error: f64,
}

/// 2^-100: a sum errs by less than 2^-103 of itself and a product by less than 2^-102.
const ROUNDING: f64 = 1.0 / (1u128 << 100) as f64;

impl Double {
    /// The number, where it is known to [`PRECISION`] of itself.
    pub fn precise(self) -> Option<f64> {
        let precise = self.error <= self.high.abs() * PRECISION && self.error < f64::INFINITY;
        precise.then_some(self.high)
    }

    /// With the first part rounded from the sum of both.
    fn joined(high: f64, low: f64, carried: f64) -> Double {
        let (high, low) = sum(high, low);
        // The smallest normal number, several times, covers what underflows.
        let error = (carried + high.abs() * ROUNDING) * 1.01;
        let exact = carried == 0.0 && high == 0.0;
        Double { high, low, error: if exact { 0.0 } else { error } }
    }
}

impl From<f64> for Double {
    fn from(high: f64) -> Double {
        Double { high, low: 0.0, error: 0.0 }
    }
}

impl Number for Double {}

impl Add for Double {
    type Output = Double;
    fn add(self, other: Double) -> Double {
        let (high, lost) = sum(self.high, other.high);
        let (low, lost_below) = sum(self.low, other.low);
        let (high, rest) = sum(high, lost + low);
        Double::joined(high, rest + lost_below, self.error + other.error)
    }
}

impl Sub for Double {
    type Output = Double;
    fn sub(self, other: Double) -> Double {
        self + Double { high: -other.high, low: -other.low, error: other.error }
    }
}

impl Mul for Double {
    type Output = Double;
    fn mul(self, other: Double) -> Double {
        let zero = |x: &Double| x.high == 0.0 && x.error == 0.0;
        if zero(&self) || zero(&other) {
            return Double::from(0.0);
        }
        let (high, lost) = product(self.high, other.high);
        let low = lost + (self.high * other.low + self.low * other.high);
        let carried = (self.high.abs() + self.error) * other.error + other.high.abs() * self.error;
        Double::joined(high, low, carried * 1.01 + 8.0 * f64::MIN_POSITIVE)
    }
}

/// A sum and what its rounding lost.
fn sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// A product and what its rounding lost.
fn product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((a, c), (b, d)) = (halves(a), halves(b));
    (product, ((a * b - product) + a * d + c * b) + c * d)
}

/// Two parts of at most 26 bits each.
fn halves(x: f64) -> (f64, f64) {
    let large = x * ((1u64 << 27) + 1) as f64;
    let high = large - (large - x);
    (high, x - high)
}

#[cfg(test)]
mod tests {
    use hitscan_oracle::Rng;

    use super::super::Big;
    use super::*;

    fn rounded(x: Big) -> f64 {
        x.ratio(&Big::from(1.0))
    }

    #[test]
    fn errors_stay_within_the_bound() {
        let mut rng = Rng::new(7);
        let mut next = || rng.range(-0.5, 0.5);
        for _ in 0..2000 {
            let [a, b, c, d] = [next(), next(), next(), next()];
            fn cancelling<N: Number>([a, b, c, d]: [f64; 4]) -> N {
                let square = |x: f64, y: f64| N::from(x) * N::from(y);
                let (p, q) = (square(a, b) - square(c, d), square(a, c) + square(b, d));
                p * p - q * q + (q + p) * (q - p) + p * N::from(1e-12)
            }
            let (twice, exact): (Double, Big) = (cancelling([a, b, c, d]), cancelling([a, b, c, d]));
            let off = exact - Big::from(twice.high) - Big::from(twice.low);
            let off = rounded(off);
            assert!(off.abs() <= twice.error, "{off:?} above {:e}", twice.error);
            assert!(twice.error < 1e-28);
            assert!(
                twice.precise().is_some_and(|value| (value - rounded(exact)).abs() < 1e-12 * value.abs())
            );
        }
        assert_eq!((Double::from(0.1) - Double::from(0.1)).precise(), Some(0.0));
        assert_eq!((Double::from(1e-200) * Double::from(1e-200)).precise(), None, "underflow is no zero");
    }
}
