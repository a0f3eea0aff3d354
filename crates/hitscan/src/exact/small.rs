//! Arithmetic without rounding as far as 128 bits reach: whole numbers times powers of two. That is far enough for three
//! factors of corners and points on a grid, which is where most ties are.

use core::cmp::Ordering;
use core::ops::{Add, Mul, Neg, Sub};

use super::{Number, whole};

/// A number, or none where it has too many bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Small(Option<Whole>);

/// A whole number times `2^exponent`.
#[derive(Clone, Copy, Debug)]
struct Whole {
    mantissa: i128,
    exponent: i32,
}

impl Small {
    /// Against zero, where it is known.
    pub fn sign(self) -> Option<Ordering> {
        self.0.map(|whole| whole.mantissa.cmp(&0))
    }
}

/// How many bits the size of a number has.
fn bits(mantissa: i128) -> u32 {
    i128::BITS - mantissa.unsigned_abs().leading_zeros()
}

/// Bits that a sum of two may have, its sign aside, and may gain one.
const MOST: u32 = i128::BITS - 2;

impl From<f64> for Small {
    fn from(x: f64) -> Small {
        let (mantissa, exponent) = whole(x);
        Small(Some(Whole { mantissa: mantissa.into(), exponent }))
    }
}

impl Number for Small {}

impl Add for Small {
    type Output = Small;
    fn add(self, other: Small) -> Small {
        let (Some(a), Some(b)) = (self.0, other.0) else { return Small(None) };
        if a.mantissa == 0 {
            return other;
        }
        if b.mantissa == 0 {
            return self;
        }
        let (low, high) = if a.exponent <= b.exponent { (a, b) } else { (b, a) };
        let shift = high.exponent.abs_diff(low.exponent);
        if bits(low.mantissa).max(bits(high.mantissa).saturating_add(shift)) > MOST {
            return Small(None);
        }
        Small(Some(Whole { mantissa: low.mantissa + (high.mantissa << shift), exponent: low.exponent }))
    }
}

impl Neg for Small {
    type Output = Small;
    fn neg(self) -> Small {
        // No number is the most negative one.
        Small(self.0.map(|whole| Whole { mantissa: -whole.mantissa, ..whole }))
    }
}

impl Sub for Small {
    type Output = Small;
    fn sub(self, other: Small) -> Small {
        self + -other
    }
}

impl Mul for Small {
    type Output = Small;
    fn mul(self, other: Small) -> Small {
        let (Some(a), Some(b)) = (self.0, other.0) else { return Small(None) };
        if bits(a.mantissa) + bits(b.mantissa) > MOST {
            return Small(None);
        }
        Small(Some(Whole { mantissa: a.mantissa * b.mantissa, exponent: a.exponent + b.exponent }))
    }
}

#[cfg(test)]
mod tests {
    use hitscan_oracle::Rng;

    use super::super::Big;
    use super::*;

    /// What it says is what arithmetic without an end says, and of numbers on a grid it says something.
    #[test]
    fn signs_are_those_of_big_numbers() {
        fn volume<N: Number>(v: [f64; 9]) -> N {
            let [a, b, c, d, e, f, g, h, i] = v.map(N::from);
            (a - d) * (b * f - c * e) + (d - g) * (e * i - f * h) - (g - a) * (h * c - i * b)
        }
        let mut rng = Rng::new(11);
        let (mut known, mut ties) = ([0; 4], 0);
        for round in 0..40_000 {
            // On coarse and fine grids, any, and of sizes whose products are far beyond `f64`.
            let kind = round % 4;
            let next = |_: f64| match kind {
                0 => rng.below(9) as f64 - 4.0,
                1 => f64::from(rng.range(-100.0, 100.0) as f32),
                2 => rng.range(-1.0, 1.0),
                _ => f64::from(rng.range(-100.0, 100.0) as f32) * 2f64.powi(rng.below(9) as i32 - 500),
            };
            let numbers = [0.0; 9].map(next);
            let exact = volume::<Big>(numbers).sign();
            if let Some(sign) = volume::<Small>(numbers).sign() {
                assert_eq!(sign, exact, "{numbers:?}");
                known[kind] += 1;
                ties += usize::from(exact.is_eq());
            }
        }
        assert!(
            known[0] == 10_000 && known[1] > 9_000 && known[2] < 10_000 && known[3] > 1_000 && ties > 500,
            "{known:?} {ties}"
        );
    }

    #[test]
    fn what_does_not_fit_is_not_known() {
        let (one, power) = (Small::from(1.0), |n: i32| Small::from(2f64.powi(n)));
        assert_eq!((one + power(-125)).sign(), Some(Ordering::Greater));
        assert_eq!((one + power(-126)).sign(), None);
        assert_eq!((power(-200) - power(-200)).sign(), Some(Ordering::Equal));
        assert_eq!((power(1000) * power(1000) * power(1000) - one).sign(), None, "a sum of far powers");
        let long = Small::from(1.0 - f64::EPSILON / 2.0); // 53 bits
        assert_eq!(((long * long) * (one - power(10))).sign(), Some(Ordering::Less));
        assert_eq!((long * long * long).sign(), None);
        assert_eq!((Small::from(f64::NAN) + Small::from(-0.0)).sign(), Some(Ordering::Equal));
        assert_eq!(Small::from(-f64::from_bits(1)).sign(), Some(Ordering::Less));
    }
}
