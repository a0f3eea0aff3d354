//! Parallel rays from above.

use hitscan::Ray;
use hitscan::glam::DVec3;

use super::{bounds, rounded};
use crate::scenes::Loaded;

/// They start above the box by a tenth of its largest side, at the centres of a square grid, row by row.
pub fn rays(scene: &Loaded, side: u32) -> Vec<Ray> {
    let [low, high] = bounds(scene);
    let (up, size) = (scene.up, high - low);
    let (a, b) = ((up + 1) % 3, (up + 2) % 3);
    let mut down = DVec3::ZERO;
    down[up] = -1.0;
    (0..side * side)
        .filter_map(|i| {
            let mut from = low;
            from[a] += size[a] * (f64::from(i % side) + 0.5) / f64::from(side);
            from[b] += size[b] * (f64::from(i / side) + 0.5) / f64::from(side);
            from[up] = high[up] + 0.1 * size.max_element();
            rounded(from, down)
        })
        .collect()
}
