//! Diffuse rays from surfaces.

use hitscan::glam::DVec3;
use hitscan::{Face, Filter, Hit, Ray};

use super::random::Random;
use super::{primary, rounded};
use crate::scenes::Loaded;

/// As many rays as there were pixels in every generation: where some of the last one left the scene, the hits of the
/// others serve more than once.
pub fn rays(scene: &Loaded, side: u32, generation: u32) -> Vec<Ray> {
    let mut random = Random(1);
    let mut last = primary::lines(scene, side);
    for _ in 0..generation {
        last = spread(&hits(scene, &last), last.len())
            .filter_map(|hit| {
                let normal = towards(hit);
                rounded(lifted(hit), normal + random.on_sphere())
            })
            .collect();
    }
    last
}

/// What rays hit, in their order.
pub fn hits(scene: &Loaded, rays: &[Ray]) -> Vec<Hit> {
    scene.mesh.closest_batch(rays, &Filter::ALL).into_iter().flatten().collect()
}

/// A list of `count`, in the order of a list, each of its hits about equally often.
pub fn spread(hits: &[Hit], count: usize) -> impl Iterator<Item = &Hit> {
    let count = if hits.is_empty() { 0 } else { count };
    (0..count).map(move |i| &hits[i * hits.len() / count])
}

/// A hit's place, off its surface by a ten-thousandth of the way there.
pub fn lifted(hit: &Hit) -> DVec3 {
    hit.position + towards(hit) * (1e-4 * hit.distance)
}

/// The unit normal on the side that was hit.
fn towards(hit: &Hit) -> DVec3 {
    if hit.facing == Face::Front { hit.normal } else { -hit.normal }
}
