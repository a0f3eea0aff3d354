//! Rays at the outlines of closed meshes, by the kernel of what is asked: none escapes, and entries and exits pair up.

use hitscan::{Face, Filter, Hit, Ray};
use hitscan_oracle::suite::Aimed;

use crate::compare::{Target, ray};

/// Fronts count 1, backs -1.
pub fn signed_crossings<'a>(hits: impl IntoIterator<Item = &'a Hit>) -> i32 {
    hits.into_iter().map(|hit| if hit.facing == Face::Front { 1 } else { -1 }).sum()
}

/// Every ray leaves the solid as many times more than it enters it as the outline goes around where it begins, and every
/// query sees that there is something.
pub fn assert_no_faults<T: Target>(target: &T, name: &str, aimed: &[Aimed]) {
    let isa = target.isa();
    let rays: Vec<Ray> = aimed.iter().map(|aimed| ray(&aimed.ray)).collect();
    let all = target.all_hits_batch(&rays, &Filter::ALL);
    let occluded = target.occluded_batch(&rays, &Filter::ALL);
    let closest = target.closest_batch(&rays, &Filter::ALL);
    for (i, (ray, aimed)) in rays.iter().zip(aimed).enumerate() {
        let hits = all.get(i);
        assert_eq!(signed_crossings(hits), -aimed.depth, "{isa}, {name}: {ray:?}: {hits:?}");
        assert_eq!(occluded[i], !hits.is_empty(), "{isa}, {name}: {ray:?}");
        assert_eq!(closest[i].as_ref(), hits.first(), "{isa}, {name}: {ray:?}");
    }
}
