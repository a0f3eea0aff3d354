//! Randomness that is the same everywhere: an integer hash, smooth noise made of it, and a sequence.

use hitscan::glam::DVec3;

/// A well mixed number for a lattice point (the finaliser of MurmurHash3 over the coordinates).
pub(super) fn hash(x: i64, y: i64, seed: u64) -> u64 {
    let mut h = seed
        ^ (x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (y as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    for factor in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
        h = (h ^ (h >> 33)).wrapping_mul(factor);
    }
    h ^ (h >> 33)
}

/// The hash as a number in `[0, 1)`.
pub(super) fn unit(x: i64, y: i64, seed: u64) -> f64 {
    (hash(x, y, seed) >> 11) as f64 / (1u64 << 53) as f64
}

/// Smooth noise in `[-1, 1]`: random slopes at the points of the unit grid (Perlin), blended by quintics.
fn gradient(x: f64, y: f64, seed: u64) -> f64 {
    let (cell_x, cell_y) = (libm::floor(x), libm::floor(y));
    let (fx, fy) = (x - cell_x, y - cell_y);
    let blend = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let (bx, by) = (blend(fx), blend(fy));
    let corner = |dx: i64, dy: i64| {
        let angle = std::f64::consts::TAU * unit(cell_x as i64 + dx, cell_y as i64 + dy, seed);
        libm::cos(angle) * (fx - dx as f64) + libm::sin(angle) * (fy - dy as f64)
    };
    let mix = |a: f64, b: f64, t: f64| a + (b - a) * t;
    let value = mix(mix(corner(0, 0), corner(1, 0), bx), mix(corner(0, 1), corner(1, 1), bx), by);
    value * std::f64::consts::SQRT_2
}

/// Noise over several octaves, each of half the size and a little less than half the height, in about `[-1, 1]`.
pub(super) fn fractal(x: f64, y: f64, octaves: u32, seed: u64) -> f64 {
    let (mut sum, mut height, mut frequency) = (0.0, 0.55, 1.0);
    for octave in 0..octaves {
        sum += height * gradient(x * frequency, y * frequency, seed + u64::from(octave));
        height *= 0.46;
        frequency *= 2.0;
    }
    sum
}

/// A sequence of numbers that only look random (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators).
pub(super) struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Random {
        // Neighbouring seeds would otherwise begin alike.
        Random(hash(seed as i64, 0, 0))
    }

    /// The next number in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in `[low, high)`.
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform on the unit sphere.
    pub fn on_sphere(&mut self) -> DVec3 {
        let (z, angle) = (2.0 * self.unit() - 1.0, std::f64::consts::TAU * self.unit());
        let around = libm::sqrt(1.0 - z * z);
        DVec3::new(around * libm::cos(angle), around * libm::sin(angle), z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_smooth_and_bounded() {
        let mut last = fractal(0.0, 0.3, 6, 1);
        for step in 1..20_000 {
            let next = fractal(f64::from(step) * 1e-3, 0.3, 6, 1);
            assert!(next.abs() < 1.0 && (next - last).abs() < 0.02);
            last = next;
        }
    }

    #[test]
    fn the_hash_is_uniform() {
        let mean = (0..10_000).map(|i| unit(i % 100, i / 100, 7)).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.01);
    }
}
