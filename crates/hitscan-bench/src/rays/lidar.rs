//! A scanner with channels above each other that turns once.

use hitscan::Ray;
use hitscan::glam::DVec3;

use super::rounded;
use crate::scenes::Loaded;

/// Channels, which fire together.
const CHANNELS: u32 = 64;

/// Elevation of the lowest and of the highest channel, degrees.
const ELEVATION: [f64; 2] = [-25.0, 15.0];

pub fn rays(scene: &Loaded, side: u32) -> Vec<Ray> {
    let (steps, up) = (side * side / CHANNELS, scene.up);
    let (a, b) = ((up + 1) % 3, (up + 2) % 3);
    (0..steps * CHANNELS)
        .filter_map(|i| {
            let azimuth = core::f64::consts::TAU * f64::from(i / CHANNELS) / f64::from(steps);
            let share = f64::from(i % CHANNELS) / f64::from(CHANNELS - 1);
            let elevation = (ELEVATION[0] + (ELEVATION[1] - ELEVATION[0]) * share).to_radians();
            let mut dir = DVec3::ZERO;
            dir[a] = libm::cos(elevation) * libm::cos(azimuth);
            dir[b] = libm::cos(elevation) * libm::sin(azimuth);
            dir[up] = libm::sin(elevation);
            rounded(scene.camera.eye(), dir)
        })
        .collect()
}
