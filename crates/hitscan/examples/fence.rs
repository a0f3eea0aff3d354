//! A chain-link fence: two triangles with a picture of wires. Bullets go through its meshes, and stop at its wires.

use std::error::Error;

use hitscan::shape::{Aabb, Plane};
use hitscan::{Camera, Cutout, Filter, Instance, Mesh, Ray, Sampling, World};

mod picture;
use picture::{BLUE, Picture, RED, YELLOW};

/// Texels of a square of wire along each side; it repeats.
const TEXELS: u32 = 64;
/// Sides of a square of wire, in metres.
const SQUARE: f32 = 0.25;

/// Two wires that cross: opaque near the diagonals of a square, in steps of alpha at their edges.
fn wires() -> Vec<u8> {
    let texel = |i: u32| {
        let [x, y] = [i % TEXELS, i / TEXELS].map(|i| f64::from(i) + 0.5);
        let side = f64::from(TEXELS);
        let off = (x - y).abs().min((x + y - side).abs()).min(side - (x - y).abs());
        (255.0 * (4.5 - off).clamp(0.0, 1.0)) as u8
    };
    (0..TEXELS * TEXELS).map(texel).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let (width, height) = (6.0f32, 2.0f32);
    let corners = [
        [-0.5 * width, 0.0, 0.0],
        [0.5 * width, 0.0, 0.0],
        [0.5 * width, height, 0.0],
        [-0.5 * width, height, 0.0],
    ];
    // Texture coordinates count squares, with v downwards.
    let uvs = corners.map(|[x, y, _]| [x / SQUARE, (height - y) / SQUARE]).to_vec();
    let image = Cutout::new(TEXELS, TEXELS, wires(), 0.5)?.sampling(Sampling::Linear);
    let fence = Mesh::new(corners, [[0u32, 1, 2], [0, 2, 3]])?.with_uvs(uvs)?.with_cutout(0, image)?;

    let mut world = World::new();
    world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
    let wall = world.insert(Aabb::new([-3.5, 0.0, -2.2], [3.5, 2.4, -2.0])?);
    let fence = world.insert(&fence);
    for x in [-3.0, -1.0, 1.0, 3.0] {
        world.insert(Instance::new(Aabb::new([x - 0.04, 0.0, -0.04], [x + 0.04, 2.1, 0.04])?));
    }
    let scene = world.commit();

    let camera = Camera::look_at([2.6, 1.9, 4.2], [0.1, 0.9, -0.4], [0.0, 1.0, 0.0], 45.0)?;
    let mut picture = Picture::of(&scene, camera);
    let muzzle = [0.0, 1.2, 2.6];
    let (mut through, mut stopped, mut posts) = (0, 0, 0);
    for i in 0..12 {
        let aim = [-1.65 + 0.3 * f64::from(i), 1.0 + 0.05 * f64::from(i % 3), 0.0];
        let shot = Ray::between(muzzle, aim)?.with_range(0.0, f64::INFINITY)?;
        let Some(hit) = scene.closest(&shot, &Filter::ALL) else { continue };
        picture.line(muzzle, hit.position, YELLOW);
        if hit.instance == fence {
            stopped += 1;
            picture.dot(hit.position, RED);
        } else {
            *if hit.instance == wall { &mut through } else { &mut posts } += 1;
            picture.dot(hit.position, BLUE);
        }
    }
    println!("{stopped} shots end at a wire, {posts} at a post, {through} go through to the wall");
    assert_eq!((stopped, posts, through), (5, 2, 5));
    picture.save("fence.png")
}
