//! A bullet that is fast: between two frames it flies through a wall, unless its path is asked.

use std::error::Error;

use hitscan::shape::{Aabb, Plane};
use hitscan::{Camera, Filter, Ray, World};

mod picture;
use picture::{Picture, RED, YELLOW};

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new();
    world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
    let wall = world.insert(Aabb::new([6.0, 0.0, -3.0], [6.1, 2.5, 3.0])?);
    let scene = world.commit();

    // 900 m/s at 60 frames a second: 15 m a frame.
    let (before, now) = ([0.0, 1.5, 0.0], [15.0, 1.4, 0.5]);
    let path = Ray::between(before, now)?;
    let hit = scene.closest(&path, &Filter::ALL).ok_or("the wall is in the way")?;
    assert_eq!(hit.instance, wall);
    println!(
        "the bullet hits the wall at {:.3} of the frame, {:.2} m on its way, at {:.2}",
        hit.t, hit.distance, hit.position
    );

    let camera = Camera::look_at([3.0, 5.0, 11.0], [6.5, 0.8, 0.0], [0.0, 1.0, 0.0], 50.0)?;
    let mut picture = Picture::of(&scene, camera);
    picture.line(before, hit.position, YELLOW);
    picture.dot(hit.position, RED);
    picture.save("bullet.png")
}
