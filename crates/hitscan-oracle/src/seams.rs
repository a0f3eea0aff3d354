//! Instances of one mesh that are exact translations of each other, side by side: what a ray could slip between.

use crate::meshes::integer_box;
use crate::rays::beside;
use crate::{Ray, Rng, TriMesh};

/// The side of a tile, in units of its mesh.
const SIDE: f64 = 4.0;

/// Tiles in a row, and rows.
const TILES: usize = 3;

/// A wall of tiles, which faces +Z and ends at `z = 4`.
#[derive(Clone, Debug)]
pub struct Wall {
    /// One tile.
    pub tile: TriMesh,
    /// Where its origin stands: whole numbers.
    pub places: Vec<[f64; 3]>,
}

impl Wall {
    /// Of cubes, each closed.
    pub fn of_cubes() -> Wall {
        let tile = integer_box([0; 3], [SIDE as i32; 3], 4).mesh;
        let places = (0..TILES * TILES).map(|i| [SIDE * (i % TILES) as f64, SIDE * (i / TILES) as f64, 0.0]);
        Wall { tile, places: places.collect() }
    }

    /// Of sheets: the faces of the cubes that look to +Z.
    pub fn of_sheets() -> Wall {
        let mut wall = Wall::of_cubes();
        let TriMesh { vertices, triangles, name } = &mut wall.tile;
        triangles.retain(|t| t.iter().all(|&index| f64::from(vertices[index as usize][2]) == SIDE));
        *name = "sheet".to_owned();
        wall
    }

    /// Rays from in front at inner seams, their crossings and the corners of triangles among them, and 0 to 10 rounding errors
    /// beside them; of `f32` coordinates.
    pub fn aim(&self, count: usize, rng: &mut Rng) -> Vec<Ray> {
        let end = SIDE * TILES as f64;
        let mut rays = Vec::with_capacity(2 * count);
        for _ in 0..count {
            let along =
                if rng.one_in(2) { rng.range(1.0, end - 1.0) } else { rng.int(1, end as i64 - 1) as f64 };
            let seam = SIDE * rng.int(1, TILES as i64 - 1) as f64;
            let point = if rng.one_in(2) { [along, seam, SIDE] } else { [seam, along, SIDE] };
            let origin = [rng.range(0.0, end), rng.range(0.0, end), SIDE + rng.any_size(1.0, 1e4)];
            rays.extend([Ray::towards(origin, point), beside(origin, point, rng)].map(Ray::rounded));
        }
        rays
    }
}

/// The same ray from the nearest point whose coordinates are multiples of 1/1024, and at most 15 beyond the wall: in the frame of each
/// tile `f32` holds it, and it is within four times the tile's reach.
pub fn from_grid(ray: &Ray) -> Ray {
    let mut origin = ray.origin.map(|c| (c * 1024.0).round() / 1024.0);
    origin[2] = origin[2].clamp(SIDE + 1.0, 15.0);
    let target: [f64; 3] = std::array::from_fn(|i| ray.origin[i] + ray.dir[i]);
    Ray::towards(origin, target)
}
