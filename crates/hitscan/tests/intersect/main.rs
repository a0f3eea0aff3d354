//! Every test of a ray and a shape, and of two shapes at rest or moving, against exact arithmetic, one file a pair; and what a mesh
//! answers by them, against a plain loop over its triangles.
//!
//! Seeds are printed where a test fails; `HITSCAN_SEED` replays another one.

mod cases;
mod collision_matrix;
mod convex_shapes;
mod hostile;
mod mesh_closest_point;
mod mesh_inside;
mod mesh_overlap_box;
mod mesh_sweep;
mod mistakes_solids;
mod mistakes_sphere_triangle;
mod mistakes_triangle;
mod point_in;
mod point_triangle;
mod ray_aabb;
mod ray_capsule;
mod ray_convex;
mod ray_obb;
mod ray_plane;
mod ray_sphere;
mod ray_triangle;
mod ray_triangle_cases;
mod ray_triangle_columns;
mod ray_triangle_traces;
mod sizes;
mod sphere_triangle;
mod sweep_capsule;
mod sweep_sphere_solids;
mod sweep_sphere_triangle;
mod triangle_box;
mod triangle_parts;
