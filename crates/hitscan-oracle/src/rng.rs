//! Random numbers from a seed: the same on every platform, so that a failure replays.
//!
//! SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). Nothing here calls an
//! elementary function, whose bits differ between platforms.

/// A sequence of random numbers that its seed decides.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

/// The seed to use: the environment variable `HITSCAN_SEED` where it is set, else `default`.
///
/// Prints the choice, which the test harness shows where a test fails.
///
/// # Panics
/// Where `HITSCAN_SEED` is not a number.
pub fn seed(default: u64) -> u64 {
    let seed = match std::env::var("HITSCAN_SEED") {
        Ok(text) => text.trim().parse().expect("HITSCAN_SEED needs to be a whole number"),
        Err(_) => default,
    };
    println!("replay with HITSCAN_SEED={seed}");
    seed
}

impl Rng {
    /// The sequence of this seed.
    pub fn new(seed: u64) -> Rng {
        Rng { state: seed }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number in `[low, high)`.
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A whole number in `0..n`; 0 where `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n.max(1) as u64) as usize
    }

    /// A whole number in `low..=high`.
    pub fn int(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the elements.
    ///
    /// # Panics
    /// Where there are none.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A point in the cube `[-half, half)^3`.
    pub fn in_cube(&mut self, half: f64) -> [f64; 3] {
        std::array::from_fn(|_| self.range(-half, half))
    }

    /// A direction, every one as likely, of length 1 up to rounding.
    pub fn direction(&mut self) -> [f64; 3] {
        loop {
            let v = self.in_cube(1.0);
            let sq = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            if sq > 1e-4 && sq <= 1.0 {
                return v.map(|c| c / sq.sqrt());
            }
        }
    }

    /// A power of two in `2^low ..= 2^high`.
    pub fn power_of_two(&mut self, low: i32, high: i32) -> f64 {
        f64::powi(2.0, self.int(i64::from(low), i64::from(high)) as i32)
    }

    /// A number whose logarithm is spread evenly over `[low, high]`, both positive: each decade as often.
    pub fn any_size(&mut self, low: f64, high: f64) -> f64 {
        let doublings = ((high / low).to_bits() >> 52) as i32 - 1023;
        (low * self.power_of_two(0, doublings.max(0)) * self.range(1.0, 2.0)).clamp(low, high)
    }

    /// The elements in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_published_sequence() {
        let mut rng = Rng::new(1234567);
        let expected: [u64; 3] = [6457827717110365317, 3203168211198807973, 9817491932198370423];
        assert_eq!([rng.bits(), rng.bits(), rng.bits()], expected);
    }

    #[test]
    fn ranges_hold() {
        let mut rng = Rng::new(1);
        for _ in 0..1000 {
            assert!((0.0..1.0).contains(&rng.unit()));
            assert!((-3..=5).contains(&rng.int(-3, 5)));
            assert!((1e-3..=1e9).contains(&rng.any_size(1e-3, 1e9)));
        }
    }
}
