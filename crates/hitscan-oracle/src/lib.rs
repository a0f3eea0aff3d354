//! Slow and obvious answers that `hitscan`'s fast ones are compared with.
//!
//! Nothing here knows the library: it is written from the law alone (the head of `hitscan`'s `lib.rs`), on plain
//! arrays, without trees, SIMD or threads. Where the two differ, one of them breaks the law.
//!
//! - [`brute`] answers a ray by looking at every triangle, border edges included.
//! - [`exact`] judges one line and one triangle without any rounding, [`distance`] one point and one triangle; [`dyadic`]
//!   is exact arithmetic for other formulas, with the weight that bounds of rounding errors are stated in; [`triangle`]
//!   has the sums of the textbook tests.
//! - [`solids`] judges one line, or one point, and a box, a sphere, a hull or a closed mesh in the same way.
//! - [`sweep`] finds when a point that moves comes near a triangle, by looking for it; [`gaps`] counts the users of edges, and
//!   [`winding`] adds up spherical triangles.
//! - [`closed`] tells which meshes enclose a volume, [`suite`] aims at all that could leak of them, and [`seams`] between
//!   instances.
//! - [`meshes`], [`placements`] and [`rays`] make hostile input, from seeds ([`rng`]) that replay on every
//!   platform.

pub mod brute;
pub mod closed;
pub mod distance;
pub mod dyadic;
pub mod entry;
pub mod exact;
pub mod gaps;
pub mod meshes;
pub mod outline;
pub mod placements;
pub mod rays;
pub mod recipe;
pub mod rng;
pub mod seams;
pub mod solids;
pub mod suite;
pub mod sweep;
pub mod triangle;
pub mod winding;

pub use brute::{Hit, Placed, all_hits, all_hits_of_mesh};
pub use meshes::TriMesh;
pub use rays::Ray;
pub use rng::Rng;
