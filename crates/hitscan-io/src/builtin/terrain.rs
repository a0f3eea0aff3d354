//! `builtin:terrain`: rolling hills on a square grid.

use hitscan::Watch;
use hitscan::glam::DVec3;
use rayon::prelude::*;

use super::noise::fractal;
use super::surface::Surface;
use crate::Parts;

/// Length of a side, in metres.
const SIDE: f64 = 1000.0;

/// Fewest heights that a core computes in one go.
const ROW: usize = 256;

/// The slope beyond which no grass grows, and over what distance to both sides it is measured, in metres.
const STEEP: f64 = 0.75;
const REACH: f64 = 9.0;

/// The hills with about this many triangles, made by all cores; not to its end where nobody wants it any more.
pub(super) fn parts(triangles: usize, watch: Watch<'_>) -> Parts {
    let cells = libm::round(libm::sqrt(triangles as f64 / 2.0)).max(1.0) as u32;
    let mut surface = Surface::default();
    surface.heights(
        -SIDE / 2.0,
        SIDE / 2.0,
        cells,
        |x, z| if watch.is_cancelled() { 0.0 } else { hills(x, z) },
    );
    let Surface { vertices, triangles, materials, .. } = &mut surface;
    materials.par_iter_mut().zip(triangles).with_min_len(ROW).for_each(|(material, corners)| {
        if watch.is_cancelled() {
            return;
        }
        let [a, b, c] = corners.map(|i| DVec3::from(vertices[i as usize].map(f64::from)));
        let DVec3 { x, z, .. } = (a + b + c) / 3.0;
        // Over a few steps, so that single triangles do not stand out.
        let rise = |dx: f64, dz: f64| (hills(x + dx, z + dz) - hills(x - dx, z - dz)) / (2.0 * REACH);
        let slope = libm::hypot(rise(REACH, 0.0), rise(0.0, REACH));
        *material = if slope < STEEP { 1 } else { 2 };
    });
    let camera = super::default_camera([-330.0, 260.0, 560.0], [10.0, 20.0, -20.0], 38.0);
    super::single("terrain", &["grass", "rock"], surface, camera)
}

fn hills(x: f64, z: f64) -> f64 {
    let plain = fractal(x / 350.0, z / 350.0, 9, 11);
    // Folded into ridges, rounded at the top, and only where the land is high.
    let fold = fractal(x / 300.0, z / 300.0, 7, 71);
    let ridge = 1.0 - 2.0 * libm::sqrt(fold * fold + 0.004);
    let high = (0.55 + plain).clamp(0.0, 1.0);
    90.0 * plain + 130.0 * high * ridge * ridge
}

impl Surface {
    /// Adds the graph of `height` over a square from `low` to `high` along x and z.
    pub fn heights(&mut self, low: f64, high: f64, cells: u32, height: impl Fn(f64, f64) -> f64 + Sync) {
        let first = self.vertices.len() as u32;
        let at = |i: u32| low + (high - low) * f64::from(i) / f64::from(cells);
        let side = cells as usize + 1;
        let samples = (0..side * side).into_par_iter().with_min_len(ROW).map(|sample| {
            let (x, z) = (at((sample % side) as u32), at((sample / side) as u32));
            [x, height(x, z), z].map(|c| c as f32)
        });
        self.vertices.par_extend(samples);
        for row in 0..cells {
            for column in 0..cells {
                let a = first + row * (cells + 1) + column;
                let below = a + cells + 1;
                // The diagonal alternates, so that slopes of one kind do not look combed.
                if (row + column) % 2 == 0 {
                    self.quad(a, below, below + 1, a + 1);
                } else {
                    self.quad(below, below + 1, a + 1, a);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use hitscan::{Face, Filter, Ray};

    #[test]
    fn the_ground_is_everywhere_once_and_faces_up() {
        let scene = crate::builtin::build("terrain:20k").unwrap().scene();
        for i in 0..1000 {
            let (x, z) = (f64::from(i % 40) * 25.0 - 500.0, f64::from(i / 40) * 40.0 - 480.0);
            let down = Ray::new([x, 1e4, z], [0.0, -1.0, 0.0]).unwrap();
            let hits = scene.all_hits(&down, &Filter::ALL);
            assert_eq!(hits.len(), 1, "at {x}, {z}");
            assert_eq!(hits[0].facing, Face::Front);
        }
    }
}
