//! Numbers that only look random.

use hitscan::glam::DVec3;

/// Knuth's 64-bit linear congruential generator: the same numbers everywhere.
pub struct Random(pub u64);

impl Random {
    /// In `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform between two corners.
    pub fn within(&mut self, [low, high]: [DVec3; 2]) -> DVec3 {
        let (x, y) = (self.unit(), self.unit());
        low + (high - low) * DVec3::new(x, y, self.unit())
    }

    /// Uniform on the unit sphere.
    pub fn on_sphere(&mut self) -> DVec3 {
        let (z, angle) = (2.0 * self.unit() - 1.0, core::f64::consts::TAU * self.unit());
        let around = libm::sqrt(1.0 - z * z);
        DVec3::new(around * libm::cos(angle), around * libm::sin(angle), z)
    }
}
