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
    // Mirrors that send the beam from each stop to the next.
    let stops = [[-6.0, 1.0, 0.0], [5.0, 1.0, 1.0], [1.0, 1.0, -5.0], [-4.0, 1.0, 3.0], [3.0, 1.0, 3.5]]
        .map(DVec3::from);
    let pane = Aabb::new([-0.1, 0.0, -0.9], [0.0, 2.0, 0.9])?; // its front is at x = 0
    for legs in stops.windows(3) {
        let [before, here, next] = [legs[0], legs[1], legs[2]];
        let normal = ((before - here).normalize() + (next - here).normalize()).normalize();
        let turn = DMat3::from_cols(normal, DVec3::Y, normal.cross(DVec3::Y));
        world.insert(Instance::new(pane).at(Transform::new(turn, [here.x, 0.0, here.z])?));
    }
    let target = world.insert(Sphere::new(stops[4], 0.8)?);
    let scene = world.commit();

    let mut ray = Ray::new(stops[0], stops[1] - stops[0])?;
    let (mut filter, mut path) = (Filter::ALL, vec![stops[0]]);
    while let Some(hit) = scene.closest(&ray, &filter) {
        path.push(hit.position);
        let what = if hit.instance == target { "the target" } else { "a mirror" };
        println!("after {:.3} m: {what} at {:.3}", hit.distance, hit.position);
        if hit.instance == target || path.len() > 12 {
            break;
        }
        let onward = ray.dir() - hit.normal * (2.0 * ray.dir().dot(hit.normal));
        ray = Ray::new(hit.position, onward)?;
        filter = Filter::new().skip(hit.instance, hit.prim);
    }

    // Each mirror was met in its middle; the ball ends the beam before its own.
    assert_eq!(path.len(), stops.len());
    assert!(path[..4].iter().zip(stops).all(|(met, stop)| met.distance(stop) < 1e-9));

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
