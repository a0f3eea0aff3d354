//! Picking: what is under the cursor, and what is near it, for things too thin to be met exactly.

use std::error::Error;

use hitscan::glam::DMat3;
use hitscan::shape::{Aabb, Plane, Sphere};
use hitscan::{Camera, Filter, Instance, Transform, World};

mod picture;
use picture::{BLUE, Picture, RED};

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new();
    world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
    let names = ["ground", "ball", "crate", "pole"];
    world.insert(Sphere::new([-1.5, 1.0, 0.0], 1.0)?);
    let turned = Transform::new(DMat3::from_rotation_y(0.5), [1.5, 0.0, -1.0])?;
    world.insert(Instance::new(Aabb::new([-0.8, 0.0, -0.8], [0.8, 1.6, 0.8])?).at(turned));
    world.insert(Aabb::new([3.0, 0.0, 0.0], [3.03, 3.0, 0.03])?);
    let scene = world.commit();

    let (camera, size) =
        (Camera::look_at([0.0, 3.0, 8.0], [0.5, 1.0, 0.0], [0.0, 1.0, 0.0], 45.0)?, [960, 540]);
    let mut picture = Picture::of(&scene, camera);
    for cursor in [[300.0, 260.0], [560.0, 270.0], [690.0, 160.0], [480.0, 460.0]] {
        // The nearest to the cursor among rays around it, ring by ring, wins over what lies behind it.
        let rings = (0..=4).flat_map(|ring| {
            (0..if ring == 0 { 1 } else { 8 * ring }).map(move |i| {
                let angle = f64::from(i) / f64::from(8 * ring.max(1)) * std::f64::consts::TAU;
                [
                    cursor[0] + 2.0 * f64::from(ring) * angle.cos(),
                    cursor[1] + 2.0 * f64::from(ring) * angle.sin(),
                ]
            })
        });
        let hits = rings.filter_map(|pixel| scene.closest(&camera.ray(pixel, size).ok()?, &Filter::ALL));
        let hits: Vec<_> = hits.collect();
        let exact = hits.first().map_or("nothing", |hit| names[hit.instance.slot() as usize]);
        let thing = hits.iter().find(|hit| hit.instance.slot() != 0);
        let near = thing.map_or(exact, |hit| names[hit.instance.slot() as usize]);
        println!("({:.0}, {:.0}): {exact} under the cursor, {near} within 8 pixels", cursor[0], cursor[1]);
        if let Some(hit) = thing.or(hits.first()) {
            picture.dot(hit.position, if exact == near { BLUE } else { RED });
        }
    }
    picture.save("picking.png")
}
