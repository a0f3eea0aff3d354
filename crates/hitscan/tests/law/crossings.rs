//! Rays at the outlines of closed meshes, by the kernel of what is asked: none escapes, and entries and exits pair up.

use hitscan::{Face, Filter, Hit, Ray};
use hitscan_oracle::{Rng, TriMesh};

use crate::compare::Target;

/// Every vertex, the middle of every edge and a random point of it.
pub fn outline_points(mesh: &TriMesh, rng: &mut Rng) -> Vec<[f64; 3]> {
    let vertex = |index: u32| mesh.vertices[index as usize].map(f64::from);
    let mut points: Vec<[f64; 3]> = (0..mesh.vertices.len() as u32).map(vertex).collect();
    for [p, q] in mesh.edges() {
        let (p, q) = (vertex(p), vertex(q));
        for part in [0.5, rng.unit()] {
            points.push(std::array::from_fn(|i| p[i] + part * (q[i] - p[i])));
        }
    }
    points
}

/// Fronts count 1, backs -1.
pub fn signed_crossings<'a>(hits: impl IntoIterator<Item = &'a Hit>) -> i32 {
    hits.into_iter().map(|hit| if hit.facing == Face::Front { 1 } else { -1 }).sum()
}

/// Every ray from a point that the outline goes around `depth` times hits, and leaves the solid `depth` times more
/// than it enters it.
pub fn assert_no_ray_escapes<T: Target>(target: &T, name: &str, rays: &[Ray], depth: i32) {
    assert_ne!(depth, 0, "{name}: the rays start inside");
    let isa = target.isa();
    let all = target.all_hits_batch(rays, &Filter::ALL);
    let occluded = target.occluded_batch(rays, &Filter::ALL);
    let closest = target.closest_batch(rays, &Filter::ALL);
    for (i, ray) in rays.iter().enumerate() {
        assert_eq!(signed_crossings(all.get(i)), -depth, "{isa}, {name}: {ray:?}");
        assert!(occluded[i], "{isa}, {name}: {ray:?}");
        assert_eq!(closest[i].as_ref(), all.get(i).first(), "{isa}, {name}: {ray:?}");
    }
}

/// Every line enters the solid as often as it leaves it.
pub fn assert_crossings_pair_up<T: Target>(target: &T, name: &str, lines: &[Ray]) {
    let isa = target.isa();
    let all = target.all_hits_batch(lines, &Filter::ALL);
    for (line, hits) in lines.iter().zip(all.iter()) {
        assert_eq!(signed_crossings(hits), 0, "{isa}, {name}: {line:?}: {hits:?}");
    }
}
