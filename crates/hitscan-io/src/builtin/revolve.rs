//! Closed solids of revolution around the y axis: cans, posts, pedestals.

use std::f64::consts::TAU;

use hitscan::glam::DVec3;

use super::surface::Surface;

/// One ring of a profile: radius, height, and the material of the band from here to the next ring.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring {
    pub radius: f64,
    pub height: f64,
    pub material: u32,
}

impl Ring {
    pub fn new(radius: f64, height: f64, material: u32) -> Ring {
        Ring { radius, height, material }
    }
}

impl Surface {
    /// Adds a closed solid: rings from the bottom upwards around the y axis, all of positive radius, closed by a
    /// fan of triangles below the first and above the last.
    pub fn revolve(&mut self, profile: &[Ring], segments: u32) {
        let first = self.vertices.len() as u32;
        for ring in profile {
            for segment in 0..segments {
                let angle = TAU * f64::from(segment) / f64::from(segments);
                let (x, z) = (libm::sin(angle), libm::cos(angle));
                self.vertex(DVec3::new(x * ring.radius, ring.height, z * ring.radius));
            }
        }
        let at = |ring: usize, segment: u32| first + ring as u32 * segments + segment % segments;
        for (ring, band) in profile.windows(2).enumerate() {
            self.material = band[0].material;
            for segment in 0..segments {
                let (a, b) = (at(ring, segment), at(ring, segment + 1));
                self.quad(a, b, at(ring + 1, segment + 1), at(ring + 1, segment));
            }
        }
        let (bottom, top) = (&profile[0], &profile[profile.len() - 1]);
        let centre = |ring: &Ring| DVec3::new(0.0, ring.height, 0.0);
        let (below, above) = (self.vertex(centre(bottom)), self.vertex(centre(top)));
        for segment in 0..segments {
            self.material = bottom.material;
            self.triangle(below, at(0, segment + 1), at(0, segment));
            self.material = top.material;
            self.triangle(above, at(profile.len() - 1, segment), at(profile.len() - 1, segment + 1));
        }
    }
}
