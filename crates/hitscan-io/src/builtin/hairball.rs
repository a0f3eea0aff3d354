//! `builtin:hairball`: long thin curved hairs wound around each other, the worst that boxes can be asked to hold.

use hitscan::glam::DVec3;

use super::noise::Random;
use super::surface::Surface;
use crate::Parts;

/// Flat sides around a hair.
const SIDES: u32 = 3;

/// Pieces along a hair.
const PIECES: usize = 80;

/// Thickness of the hair of a ball of one; of `n` hairs it is this over the root of `n`, so that a ball of any size
/// is about as dense.
const THICKNESS: f64 = 0.075;

/// What the hairs are made of, by turns at random.
const MATERIALS: [&str; 3] = ["brown hair", "orange hair", "yellow hair"];

/// The ball of radius 1 around the origin with about this many triangles.
pub(super) fn parts(triangles: usize) -> Parts {
    let hairs = triangles.div_ceil(of_hair(PIECES)).max(1);
    let share = triangles as f64 / hairs as f64;
    let pieces = libm::round((share - f64::from(2 * (SIDES - 2))) / f64::from(2 * SIDES)).max(1.0) as usize;
    let mut surface = Surface::default();
    let radius = THICKNESS / libm::sqrt(hairs as f64).max(4.0);
    for hair in 0..hairs {
        let mut random = Random::new(hair as u64);
        surface.material = 1 + (random.unit() * MATERIALS.len() as f64) as u32;
        let hair = Hair::new(&mut random);
        let path: Vec<DVec3> = (0..=pieces).map(|i| hair.at(i as f64 / pieces as f64)).collect();
        surface.wire(&path, radius, SIDES, hair.axis);
    }
    let camera = super::default_camera([1.2, 1.0, 2.7], [0.0; 3], 38.0);
    super::single("hairball", &MATERIALS, surface, camera)
}

/// Triangles of a hair of so many pieces, with its two ends.
fn of_hair(pieces: usize) -> usize {
    pieces * 2 * SIDES as usize + 2 * (SIDES as usize - 2)
}

/// A curve around the origin, between a core and the ball's surface.
struct Hair {
    /// Around which it runs.
    axis: DVec3,
    across: DVec3,
    /// How far around it runs, in radians.
    way: f64,
    /// Waves along the axis, and between core and surface: amplitude, frequency, phase.
    rise: [[f64; 3]; 2],
    depth: [[f64; 3]; 2],
}

impl Hair {
    fn new(random: &mut Random) -> Hair {
        let axis = random.on_sphere();
        let other = if axis.x.abs() < 0.6 { DVec3::X } else { DVec3::Y };
        let turn = std::f64::consts::TAU * random.unit();
        let (right, up) = (axis.cross(other).normalize(), axis.cross(axis.cross(other).normalize()));
        let mut wave = |amplitude: f64, slow: f64, fast: f64| {
            [
                amplitude * (0.3 + 0.7 * random.unit()),
                slow + (fast - slow) * random.unit(),
                std::f64::consts::TAU * random.unit(),
            ]
        };
        Hair {
            axis,
            across: right * libm::cos(turn) + up * libm::sin(turn),
            rise: [wave(0.75, 1.0, 3.0), wave(0.14, 8.0, 15.0)],
            depth: [wave(0.30, 2.0, 6.0), wave(0.05, 12.0, 21.0)],
            way: 4.0 + 4.0 * random.unit(),
        }
    }

    /// The point at a share of its length; nowhere does it run along its axis.
    fn at(&self, share: f64) -> DVec3 {
        let sum = |waves: &[[f64; 3]; 2]| -> f64 {
            waves.iter().map(|[size, fast, phase]| size * libm::sin(fast * share + phase)).sum()
        };
        let angle = self.way * share;
        let around = self.across * libm::cos(angle) + self.axis.cross(self.across) * libm::sin(angle);
        let (rise, depth) = (sum(&self.rise).clamp(-0.9, 0.9), sum(&self.depth));
        let towards = around * libm::sqrt(1.0 - rise * rise) + self.axis * rise;
        towards * (0.63 + depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::closed::assert_mesh_closed;

    #[test]
    fn hairs_are_closed_and_stay_in_the_ball() {
        let model = crate::builtin::build("hairball:20k").unwrap();
        let mesh = &model.meshes[0].mesh;
        assert_mesh_closed("hairball", mesh);
        for v in mesh.vertices() {
            let far = DVec3::from(v.map(f64::from)).length();
            assert!((0.2..1.05).contains(&far), "{far}");
        }
    }
}
