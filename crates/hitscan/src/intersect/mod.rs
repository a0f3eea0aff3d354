//! One ray, one shape; one shape and another, at rest or moving: pure geometry, one pair a file. Several algorithms for one pair are named after their authors.
//!
//! They are the tests that textbooks describe, closed as their authors wrote them: touching counts, on edges, corners,
//! faces and at the ends of the ray. A ray is asked within its own interval `[t_min, t_max]`, and `t` counts in units of its
//! direction. A miss is `None`.
//!
//! Meshes do not use the triangle tests of this module: a neighbour of a closed triangle would be hit a second time at a
//! shared edge. [`Mesh`](crate::Mesh) and [`Scene`](crate::Scene) follow the watertight recipe that the law in the
//! [crate's head](crate#the-law) describes.
//!
//! ```
//! use hitscan::intersect::{ray_plane, ray_triangle};
//! use hitscan::shape::{Plane, Triangle};
//! use hitscan::Ray;
//!
//! let shot = Ray::between([0.25, 0.25, 2.0], [0.25, 0.25, -2.0])?;
//! let wall = Plane::new([0.0, 0.0, 1.0], [0.0; 3])?;
//! assert_eq!(ray_plane(&shot, &wall), Some(0.5));
//! let pane = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])?;
//! let hit = ray_triangle(&shot, &pane).expect("it goes through the middle");
//! assert_eq!((hit.t, hit.u, hit.v), (0.5, 0.25, 0.25));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clip;
mod gaps;
mod point_in;
mod point_triangle;
mod quadratic;
mod ray_aabb;
mod ray_capsule;
mod ray_convex;
mod ray_obb;
mod ray_plane;
mod ray_sphere;
mod ray_triangle;
mod span;
mod sphere_triangle;
mod sweep;
mod triangle_box;
mod triangle_frustum;
pub(crate) mod watertight;

pub(crate) use clip::HalfSpaces;
pub(crate) use gaps::{distances_sq, gaps_sq};
pub(crate) use point_triangle::Seen;
pub use point_triangle::{Feature, NearestPoint, point_triangle};
pub use ray_aabb::{BoxFace, ThroughBox, ray_aabb, ray_aabb_woo};
pub use ray_capsule::{CapsulePart, ThroughCapsule, ray_capsule};
pub use ray_convex::{ThroughHull, ray_convex};
pub use ray_obb::ray_obb;
pub use ray_plane::{line_plane, ray_plane};
pub use ray_sphere::{Chord, ray_sphere};
pub use ray_triangle::{
    CollisionError, CollisionMatrices, CollisionMatrix, HitColumns, Inclusion, MatrixColumns, MatrixTrace,
    Path, PlaneTrace, Precision, Segment, TriangleColumns, TriangleHit, TriangleSums, WatertightPlace,
    WatertightRay, WatertightTrace, line_triangle, ray_triangle, ray_triangle_moeller_trumbore,
    ray_triangle_moeller_trumbore_one_sided, ray_triangle_through_plane, ray_triangle_through_plane_trace,
    ray_triangles_collision_matrix, ray_triangles_moeller_trumbore, ray_triangles_moeller_trumbore_one_sided,
    ray_triangles_through_plane,
};
pub use span::Span;
pub use sphere_triangle::{Contact, Stage, sphere_triangle, sphere_triangle_three_stages};
pub(crate) use sphere_triangle::{sphere_touches_triangle, towards_centre};
pub(crate) use sweep::polytope::{Polytope, box_triangles, capsule_reaches_polytope, sweep_capsule_polytope};
pub(crate) use sweep::{Ahead, Fattened, corners_of_aabb, corners_of_obb};
pub use sweep::{
    Motion, Sweep, sweep_capsule_aabb, sweep_capsule_capsule, sweep_capsule_convex, sweep_capsule_obb,
    sweep_capsule_plane, sweep_capsule_sphere, sweep_capsule_triangle, sweep_sphere_aabb,
    sweep_sphere_capsule, sweep_sphere_convex, sweep_sphere_obb, sweep_sphere_plane, sweep_sphere_sphere,
    sweep_sphere_triangle,
};
pub use triangle_box::{triangle_aabb, triangle_obb};
pub use triangle_frustum::triangle_frustum;
pub(crate) use triangle_frustum::triangle_frustum_from;
