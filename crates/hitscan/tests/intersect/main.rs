//! Every test of a ray and a shape, against exact arithmetic. One file a pair.
//!
//! Seeds are printed where a test fails; `HITSCAN_SEED` replays another one.

mod collision_matrix;
mod mistakes_triangle;
mod ray_triangle;
mod ray_triangle_cases;
mod ray_triangle_columns;
