//! Arithmetic without rounding: whole numbers times powers of two, on the stack.

use core::cmp::Ordering;
use core::ops::{Add, Mul, Sub};

use super::{Number, whole};

/// Enough for every formula of the crate. A difference of coordinates spans at most 2^101 to 2^-1074, 1176 bits, and a
/// direction's components 1275 bits; the longest product, two planes of three points each against one ray, has
/// five differences and a direction, 7155 bits with the carries of its sums. Planes given as equations have fewer factors, and
/// an offset of up to 2100 bits; where they meet, corners are at most 2^200 away, and the square of a ball's height over three of them
/// has six differences of 1275 bits. A point that is asked for in a hull may lie anywhere, 2098 bits, but only one of three factors is
/// its difference.
const LIMBS: usize = 120;

/// A number: its limbs, the least significant first, times `2^exponent`, and its sign.
#[derive(Clone, Copy)]
pub(crate) struct Big {
    limbs: [u64; LIMBS],
    /// Limbs in use; the highest is not 0. No limbs: zero.
    len: usize,
    exponent: i32,
    negative: bool,
}

impl Big {
    const ZERO: Big = Big { limbs: [0; LIMBS], len: 0, exponent: 0, negative: false };

    /// Against zero.
    pub fn sign(&self) -> Ordering {
        match (self.len, self.negative) {
            (0, _) => Ordering::Equal,
            (_, true) => Ordering::Less,
            (_, false) => Ordering::Greater,
        }
    }

    /// A number in `[1, 2]` with the sign, and the power of two that is missing; `(0, 0)` for zero. Exact where 53 bits
    /// hold the number, else within 2^-52 of itself.
    pub fn parts(&self) -> (f64, i32) {
        if self.len == 0 {
            return (0.0, 0);
        }
        let top = self.limbs[self.len - 1];
        let zeros = top.leading_zeros();
        let below = if self.len > 1 { self.limbs[self.len - 2] } else { 0 };
        // The leading 64 bits.
        let leading = if zeros == 0 { top } else { top << zeros | below >> (64 - zeros) };
        let mantissa = leading as f64 / (1u64 << 63) as f64;
        let exponent = self.exponent + 64 * self.len as i32 - zeros as i32 - 1;
        (if self.negative { -mantissa } else { mantissa }, exponent)
    }

    /// The quotient of two numbers that may lie beyond `f64`, within 2^-50 of itself; exact where 53 bits hold each of the
    /// three.
    pub fn ratio(&self, divisor: &Big) -> f64 {
        let (n, d) = (self.parts(), divisor.parts());
        libm::scalbn(n.0 / d.0, n.1 - d.1)
    }

    /// Times `2^power`.
    pub fn scaled(self, power: i32) -> Big {
        Big { exponent: self.exponent + power, ..self }
    }

    /// Multiplies by `2^bits` without changing the exponent.
    fn shifted(&self, bits: u32) -> Big {
        let (whole, part) = ((bits / 64) as usize, bits % 64);
        let mut result = Big { exponent: self.exponent, negative: self.negative, ..Big::ZERO };
        for i in 0..self.len {
            result.limbs[whole + i] |= self.limbs[i] << part;
            if part > 0 && self.limbs[i] >> (64 - part) != 0 {
                result.limbs[whole + i + 1] = self.limbs[i] >> (64 - part);
            }
        }
        result.trimmed(whole + self.len + 1)
    }

    /// With `len` lowered to the highest limb that is not 0, of at most `most`.
    fn trimmed(mut self, most: usize) -> Big {
        self.len = self.limbs[..most.min(LIMBS)].iter().rposition(|&limb| limb != 0).map_or(0, |i| i + 1);
        self
    }

    /// The sizes of two numbers of equal exponent.
    fn cmp_size(&self, other: &Big) -> Ordering {
        let limbs = |x: &Big| x.limbs;
        self.len
            .cmp(&other.len)
            .then_with(|| limbs(self)[..self.len].iter().rev().cmp(limbs(other)[..other.len].iter().rev()))
    }

    /// The sum of the sizes, for equal exponents.
    fn plus_size(mut self, other: &Big) -> Big {
        let most = self.len.max(other.len);
        let mut carry = false;
        for i in 0..most {
            let (sum, first) = self.limbs[i].overflowing_add(other.limbs[i]);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            self.limbs[i] = sum;
            carry = first || second;
        }
        if carry {
            self.limbs[most] = 1;
        }
        self.trimmed(most + 1)
    }

    /// The difference of the sizes, for equal exponents and an `other` that is not larger.
    fn minus_size(mut self, other: &Big) -> Big {
        let mut borrow = false;
        for i in 0..self.len {
            let (rest, first) = self.limbs[i].overflowing_sub(other.limbs[i]);
            let (rest, second) = rest.overflowing_sub(u64::from(borrow));
            self.limbs[i] = rest;
            borrow = first || second;
        }
        let most = self.len;
        self.trimmed(most)
    }
}

impl From<f64> for Big {
    fn from(x: f64) -> Big {
        let (mantissa, exponent) = whole(x);
        if mantissa == 0 {
            return Big::ZERO;
        }
        let mut big = Big { len: 1, exponent, negative: mantissa < 0, ..Big::ZERO };
        big.limbs[0] = mantissa.unsigned_abs();
        big
    }
}

impl Number for Big {}

impl Add for Big {
    type Output = Big;
    fn add(self, other: Big) -> Big {
        if self.len == 0 {
            return other;
        }
        if other.len == 0 {
            return self;
        }
        let (mut low, mut high) = if self.exponent <= other.exponent { (self, other) } else { (other, self) };
        high = high.shifted((high.exponent - low.exponent) as u32);
        high.exponent = low.exponent;
        if low.negative == high.negative {
            return low.plus_size(&high);
        }
        if low.cmp_size(&high) == Ordering::Less {
            core::mem::swap(&mut low, &mut high);
        }
        low.minus_size(&high)
    }
}

impl Sub for Big {
    type Output = Big;
    fn sub(self, other: Big) -> Big {
        self + Big { negative: !other.negative, ..other }
    }
}

impl Mul for Big {
    type Output = Big;
    fn mul(self, other: Big) -> Big {
        if self.len == 0 || other.len == 0 {
            return Big::ZERO;
        }
        let exponent = self.exponent + other.exponent;
        let mut result = Big { exponent, negative: self.negative != other.negative, ..Big::ZERO };
        for i in 0..self.len {
            let mut carry = 0u128;
            for j in 0..other.len {
                let wide = u128::from(self.limbs[i]) * u128::from(other.limbs[j])
                    + u128::from(result.limbs[i + j])
                    + carry;
                result.limbs[i + j] = wide as u64;
                carry = wide >> 64;
            }
            if carry != 0 {
                result.limbs[i + other.len] = carry as u64;
            }
        }
        result.trimmed(self.len + other.len)
    }
}

#[cfg(test)]
mod tests {
    use hitscan_oracle::Rng;

    use super::*;

    /// As `f64`, exactly where one holds it.
    fn rounded(x: Big) -> f64 {
        x.ratio(&Big::from(1.0))
    }

    #[test]
    fn sums_and_products_are_exact() {
        let big = |x: f64| Big::from(x);
        let extremes = big(2f64.powi(101)) + big(f64::from_bits(1));
        assert_eq!(rounded(extremes - big(2f64.powi(101))), f64::from_bits(1));
        assert_eq!((extremes - extremes).sign(), Ordering::Equal);
        let third = 1.0 / 3.0;
        // (1/3 as f64) * 3 - 1 = -2^-54.
        assert_eq!(rounded(big(third) * big(3.0) - big(1.0)), -(2f64.powi(-54)));
        let square = extremes * extremes;
        let rest = square - big(2f64.powi(202)) - big(2f64.powi(102)) * big(f64::from_bits(1));
        assert_eq!(rest.parts(), (1.0, -2148), "the square of the smallest number");
        assert_eq!((big(0.1) - big(0.3)).sign(), Ordering::Less);
        assert_eq!((big(-0.0) * big(5.0)).sign(), Ordering::Equal);
        assert_eq!((big(-1e-200) * big(1e-200)).sign(), Ordering::Less);
        assert_eq!((big(7.0) * big(2f64.powi(-1000))).ratio(&big(-2.0)), -3.5 * 2f64.powi(-1000));
    }

    #[test]
    fn products_of_random_numbers_agree_with_whole_numbers() {
        let mut rng = Rng::new(1);
        let mut next = || rng.bits() as i64 >> 11;
        for _ in 0..1000 {
            let [a, b, c, d] = [next(), next(), next(), next()];
            let whole = i128::from(a) * i128::from(b) - i128::from(c) * i128::from(d);
            let [a, b, c, d] = [a, b, c, d].map(|x| Big::from(x as f64));
            let rest = a * b - c * d;
            // 53 bits at a time, so that each part is an f64.
            let parts = [whole >> 106, whole >> 53 & ((1 << 53) - 1), whole & ((1 << 53) - 1)];
            let unit = Big::from(2f64.powi(53));
            let [high, middle, low] = parts.map(|part| Big::from(part as f64));
            assert_eq!(((high * unit + middle) * unit + low - rest).sign(), Ordering::Equal, "{whole}");
            assert_eq!(rest.sign(), whole.cmp(&0));
        }
    }

    #[test]
    fn the_longest_product_fits() {
        let wide = Big::from(2f64.powi(100)) + Big::from(f64::from_bits(3));
        let dir = Big::from(2f64.powi(200)) + Big::from(f64::from_bits(3));
        let product = wide * wide * wide * wide * wide * dir;
        assert!(product.len < LIMBS - 4, "{} limbs", product.len);
        assert_eq!((product - product).sign(), Ordering::Equal);
        // Of corners where planes meet: a volume, and its square.
        let far = Big::from(2f64.powi(201)) + Big::from(f64::from_bits(3));
        let volume = (0..6).fold(Big::ZERO, |sum, _| sum + far * far * far);
        let square = volume * volume;
        assert!(square.len <= LIMBS && (square + square).len <= LIMBS, "{} limbs", square.len);
    }
}
