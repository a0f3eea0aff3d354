//! Rays through the pixels of a square picture.

use hitscan::Ray;

use super::rounded;
use crate::scenes::Loaded;

/// Pixels of a tile's side.
const TILE: u32 = 8;

pub fn lines(scene: &Loaded, side: u32) -> Vec<Ray> {
    (0..side * side).filter_map(|i| through(scene, side, i % side, i / side)).collect()
}

pub fn tiles(scene: &Loaded, side: u32) -> Vec<Ray> {
    let across = side / TILE;
    (0..side * side)
        .filter_map(|i| {
            let (tile, place) = (i / (TILE * TILE), i % (TILE * TILE));
            let x = tile % across * TILE + even_bits(place);
            let y = tile / across * TILE + even_bits(place >> 1);
            through(scene, side, x, y)
        })
        .collect()
}

/// Bits 0, 2 and 4 of a number, pushed together.
fn even_bits(n: u32) -> u32 {
    (n & 1) | ((n >> 1) & 2) | ((n >> 2) & 4)
}

fn through(scene: &Loaded, side: u32, x: u32, y: u32) -> Option<Ray> {
    let ray = scene.camera.ray([f64::from(x) + 0.5, f64::from(y) + 0.5], [side, side]).ok()?;
    rounded(ray.origin(), ray.dir())
}
