//! A laser between mirrors: each hit sends it on, and the surface that it leaves is left out.

use std::error::Error;

use hitscan::glam::{DMat3, DVec3};
use hitscan::shape::{Aabb, Plane, Sphere};
use hitscan::{Camera, Filter, Instance, Ray, Transform, World};

mod picture;
use picture::{GREEN, Picture, RED};

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new();
    world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
    let pane = Aabb::new([-0.05, 0.0, -1.5], [0.05, 2.0, 1.5])?;
    for (x, z, turn) in [(6.0, 0.0, 0.6), (2.0, -5.0, -0.75), (-3.0, 1.0, 0.45)] {
        let at = Transform::new(DMat3::from_rotation_y(turn), [x, 0.0, z])?;
        world.insert(Instance::new(pane).at(at));
    }
    let target = world.insert(Sphere::new([3.0, 1.0, 3.5], 0.8)?);
    let scene = world.commit();

    let mut from = DVec3::new(-6.0, 1.0, -1.2);
    let mut ray = Ray::new(from, [1.0, 0.0, 0.1])?;
    let (mut filter, mut path) = (Filter::ALL, vec![from]);
    while let Some(hit) = scene.closest(&ray, &filter) {
        path.push(hit.position);
        println!("hits instance {} after {:.3} m", hit.instance.slot(), hit.distance);
        if hit.instance == target || path.len() > 12 {
            break;
        }
        from = hit.position;
        let onward = ray.dir() - hit.normal * (2.0 * ray.dir().dot(hit.normal));
        ray = Ray::new(from, onward)?;
        filter = Filter::new().skip(hit.instance, hit.prim);
    }

    let camera = Camera::look_at([0.0, 11.0, 10.0], [0.5, 0.0, -0.6], [0.0, 1.0, 0.0], 50.0)?;
    let mut picture = Picture::of(&scene, camera);
    for leg in path.windows(2) {
        picture.line(leg[0], leg[1], RED);
    }
    for &turn in &path[1..] {
        picture.dot(turn, GREEN);
    }
    picture.save("laser.png")
}
