//! Segments between random points.

use hitscan::Ray;

use super::random::Random;
use super::{bounds, rounded, up_to_one};
use crate::scenes::Loaded;

pub fn rays(scene: &Loaded, side: u32) -> Vec<Ray> {
    let (mut random, bounds) = (Random(2), bounds(scene));
    (0..side * side)
        .filter_map(|_| {
            let from = random.within(bounds);
            up_to_one(rounded(from, random.within(bounds) - from)?)
        })
        .collect()
}
