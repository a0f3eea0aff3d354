//! Rays that look for something and find nothing.

use hitscan::{Filter, Ray};

use super::random::Random;
use super::{bounds, rounded};
use crate::scenes::Loaded;

/// Tries for each ray; a room whose walls leave no way through gives fewer rays than asked for.
const TRIES: u32 = 32;

/// From a sphere around the scene towards points of its box, those that hit nothing.
pub fn rays(scene: &Loaded, side: u32) -> Vec<Ray> {
    let count = side * side;
    let bounds @ [low, high] = bounds(scene);
    let (middle, radius) = ((low + high) / 2.0, (high - low).length());
    let mut random = Random(3);
    let mut found = Vec::with_capacity(count as usize);
    for _ in 0..TRIES {
        let tried: Vec<Ray> = (0..count)
            .filter_map(|_| {
                let from = middle + random.on_sphere() * radius;
                rounded(from, random.within(bounds) - from)
            })
            .collect();
        let blocked = scene.mesh.occluded_batch(&tried, &Filter::ALL);
        found.extend(tried.into_iter().zip(blocked).filter(|(_, blocked)| !blocked).map(|(ray, _)| ray));
        if found.len() >= count as usize {
            break;
        }
    }
    found.truncate(count as usize);
    found
}
