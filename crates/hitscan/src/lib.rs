//! What does this ray hit?
//!
//! `hitscan` answers that question for worlds of triangles: a bullet between two frames, a laser sight, the
//! object under the cursor, the height of the ground, every wall that a shot goes through, line of sight.
//!
//! ```
//! use hitscan::{Filter, Mesh, Ray, World};
//!
//! let mut world = World::new();
//! world.insert(&Mesh::new([[-9.0f32, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]], [[0u32, 2, 1]])?);
//! let scene = world.commit(); // immutable: ask from any thread
//!
//! let bullet = Ray::between([0.0, 2.0, 0.0], [1.0, -2.0, 1.0])?;
//! let hit = scene.closest(&bullet, &Filter::ALL).expect("the ground is there");
//! assert_eq!((hit.t, hit.position.y, hit.prim), (0.5, 0.0, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The law
//! The answer depends on the scene and the ray and on nothing else, bit for bit: not on the tree,
//! on whether it was built or refitted, the instruction set, the number of threads, nor on single or batch form. Brute force over all triangles is
//! the specification.
//!
//! - Closed meshes do not leak, and a crossing of a shared edge or corner is one hit. A ray exactly on an edge
//!   or corner is decided as if it had been moved by an infinitely small step; the free borders of open meshes
//!   are hit.
//! - [`Scene::occluded`] holds exactly when [`Scene::closest`] finds something, exactly when
//!   [`Scene::all_hits`] is not empty, and `closest` is its first.
//! - The rule rounds the way of a ray that runs along no axis, so a triangle that its origin or its end lies on is met or not by that
//!   rounding: half of the rays that leave a surface from exactly there meet it.
//! - Hits are ordered by `(t, instance, prim)`; at equal `t` the lower number wins.
//! - Two corners of a triangle at one position: never hit. Zero area with three distinct corners: judged by the same rule, which
//!   hits one only where rounding into the ray's frame gives it an area; so it stitches what it stands between, and is no target.
//! - There is no epsilon anywhere. Scaling a scene and its rays by a power of two changes nothing else, as long as
//!   no difference of coordinates over- or underflows in `f32`.
//! - Two meshes that only touch each keep their own rule: the seam between them is closed only where their placements are
//!   translations that `f32` holds exactly, and where it also holds the ray's origin exactly in each of their frames, no further
//!   than four times the largest coordinate there. Elsewhere a ray at the seam of two sheets may slip through.
//! - The floating-point mode is the default one: no flushing of subnormal numbers to zero.
//!
//! # Conventions
//! - World space is `f64`, mesh space is `f32`: an object is hit with its own precision wherever it stands.
//! - The interval `[t_min, t_max]` of a [`Ray`] is closed, and `t` counts in units of its direction, which is
//!   never normalised.
//! - The front of a triangle is the side from which its corners run counter-clockwise; normals point there
//!   and are never flipped. A mirrored instance keeps both true in world space.
//! - `P = (1 - u - v) A + u B + v C`. Distances are in world units.
//! - A triangle without area has no normal of its own: its hits report the ray's direction, turned as the side says.
//! - Coordinates beyond 2^100 are refused.
//! - Holes that a [`Cutout`] paints on a mesh are holes for rays; balls, boxes and points meet whole triangles.
//! - A miss is `None`. Bad input is never a miss: it is refused where it is made, so a query on what was
//!   accepted cannot fail.
//! - A single question takes no heap memory on its way, but for lists: those go into a [`Buffer`] that is used again, with
//!   [`Scene::all_hits_into`] and its like, or are made anew. ([`Scene::explain`] and what counts its work are for people, and take what they need; without `std`, so
//!   do rays exactly along borders.)
//!
//! # Features
//! - `std` (default): the fastest instruction set is detected at run time, and `HITSCAN_ISA` chooses another; scenes are saved
//!   and opened ([`saved`]). Without it the crate needs `alloc` alone and uses what it was compiled for.
//! - `rayon` (default): trees are built and batches answered on all cores.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod attribute;
mod build;
pub mod bvh;
mod camera;
mod columns;
mod cutout;
mod entry;
mod error;
mod exact;
mod filter;
mod frame;
pub mod grid;
mod halving;
pub mod heightfield;
mod hit;
pub mod intersect;
mod mesh;
mod pick;
mod plumb;
mod query;
mod ray;
mod refit;
mod root;
#[cfg(feature = "std")]
pub mod saved;
mod scene;
pub mod shape;
mod simd;
mod skin;
mod source;
mod square;
mod stock;
mod target;
mod transform;
mod view;
mod watch;
mod world;

pub use attribute::Attribute;
pub use build::Build;
pub use bvh::Preset;
pub use camera::Camera;
pub use columns::{Columns, ColumnsError, Number, Status};
pub use cutout::{Cutout, Sampling, Wrap};
pub use error::{
    AttributeError, CameraError, CutoutError, HistoryError, MeshError, OpenInstanceError, OpenMeshError,
    PickError, RayError, SkinError, StaleInstance, TransformError,
};
pub use filter::{Candidate, Facing, Filter, Verdict};
pub use frame::Frame;
pub use glam;
pub use hit::{Face, Hit, HitRecord, InstanceId};
pub use mesh::{MAX_TRIANGLES, Mesh, MeshCounts};
pub use pick::{DepthRange, Viewport};
pub use plumb::{AxisError, Fall, Plumb, SignedAxis};
pub use query::{
    Bounded, Buffer, ClosestPoint, Containment, Explanation, HitLists, Interval, NearMiss, OpenEdge,
    OutOfSteps, Outcome, Overlap, Picked, Rule, SweepHit, Watched,
};
pub use ray::{MAX_COORDINATE, Ray};
pub use refit::Refit;
pub use scene::Scene;
pub use simd::pages::{prefer_large_pages, reserve_ahead};
pub use simd::{Isa, IsaError};
pub use skin::Skin;
pub use transform::Transform;
pub use view::{Aim, Coverage, Selection, View};
pub use watch::{Cancel, Cancelled, Progress, Watch};
pub use world::{Geometry, History, Instance, World};

/// The README's example, compiled and run with the others.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// That of those who come from elsewhere.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/equivalents.md")]
struct Equivalents;
