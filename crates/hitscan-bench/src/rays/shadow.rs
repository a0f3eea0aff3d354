//! Rays to a lamp.

use hitscan::Ray;

use super::bounce::{hits, lifted, spread};
use super::{primary, rounded, up_to_one};
use crate::scenes::Loaded;

/// With the camera's sight being the median of how far it sees, the lamp is half of it ahead, and a sixth up and right.
pub fn rays(scene: &Loaded, side: u32) -> Vec<Ray> {
    let pixels = primary::lines(scene, side);
    let hits = hits(scene, &pixels);
    let mut far: Vec<f64> = hits.iter().map(|hit| hit.distance).collect();
    far.sort_by(f64::total_cmp);
    let reach = far.get(far.len() / 2).copied().unwrap_or(0.0);
    let camera = &scene.camera;
    let lamp = camera.eye() + (camera.forward() / 2.0 + (camera.up() + camera.right()) / 6.0) * reach;
    spread(&hits, pixels.len())
        .filter_map(|hit| {
            let from = lifted(hit);
            up_to_one(rounded(from, lamp - from)?)
        })
        .collect()
}
