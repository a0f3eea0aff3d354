//! What is asked, and the questions.

use hitscan::heightfield::Heightfield;
use hitscan::{Filter, Mesh, Ray, Scene};

use crate::Calls;
use crate::digest::Digest;

/// A mesh or a heightfield in its own frame, or a scene.
pub enum Subject {
    Mesh(Mesh),
    Heightfield(Heightfield),
    Scene(Scene),
}

/// How many of the first hits are asked for.
const FIRST: usize = 3;

/// Lists, which take longer, are asked of one ray in so many: a number that shares no factor with that of kinds of rays.
const LISTS: usize = 5;

/// Asks a block one question after the other: all rays for the closest hit and for occlusion, some for lists.
macro_rules! ask {
    ($target:expr, $rays:expr, $some:expr, $calls:expr, $digest:expr) => {{
        let (target, rays, some, digest, filter) = ($target, $rays, $some, $digest, Filter::ALL);
        match $calls {
            Calls::Single => {
                rays.iter().for_each(|ray| digest.closest(target.closest(ray, &filter).as_ref()));
                rays.iter().for_each(|ray| digest.occluded(target.occluded(ray, &filter)));
                some.iter().for_each(|ray| digest.hits(&target.all_hits(ray, &filter)));
                some.iter().for_each(|ray| digest.hits(&target.first_n(ray, &filter, FIRST)));
            }
            Calls::Batch => {
                target.closest_batch(rays, &filter).iter().for_each(|hit| digest.closest(hit.as_ref()));
                target.occluded_batch(rays, &filter).into_iter().for_each(|found| digest.occluded(found));
                target.all_hits_batch(some, &filter).iter().for_each(|hits| digest.hits(hits));
                target.first_n_batch(some, &filter, FIRST).iter().for_each(|hits| digest.hits(hits));
            }
        }
    }};
}

/// The question that heightfields, which enclose nothing, do not have.
macro_rules! ask_for_intervals {
    ($target:expr, $some:expr, $calls:expr, $digest:expr) => {{
        let (target, some, digest, filter) = ($target, $some, $digest, Filter::ALL);
        match $calls {
            Calls::Single => some.iter().for_each(|ray| digest.intervals(&target.intervals(ray, &filter))),
            Calls::Batch => {
                target.intervals_batch(some, &filter).iter().for_each(|pieces| digest.intervals(pieces));
            }
        }
    }};
}

impl Subject {
    /// Asks all that there is to ask of a block of rays.
    pub fn ask(&self, rays: &[Ray], calls: Calls, digest: &mut Digest) {
        let some: Vec<Ray> = rays.iter().step_by(LISTS).copied().collect();
        let some = some.as_slice();
        match self {
            Subject::Mesh(mesh) => {
                ask!(mesh, rays, some, calls, &mut *digest);
                ask_for_intervals!(mesh, some, calls, digest);
            }
            Subject::Heightfield(field) => ask!(field, rays, some, calls, digest),
            Subject::Scene(scene) => {
                ask!(scene, rays, some, calls, &mut *digest);
                ask_for_intervals!(scene, some, calls, digest);
            }
        }
    }
}
