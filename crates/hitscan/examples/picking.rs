//! Picking: what is under the cursor, what is near it, for things too thin to be met exactly, and what a lasso takes in.

use std::error::Error;

use hitscan::glam::DMat3;
use hitscan::shape::{Aabb, Capsule, Plane, Sphere};
use hitscan::{Camera, Coverage, Filter, Instance, Transform, World};

mod picture;
use picture::{BLUE, GREEN, Picture, RED, YELLOW};

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new();
    let mut names = vec!["ground", "ball", "crate", "pole"];
    let ground = world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
    world.insert(Sphere::new([-1.5, 1.0, 0.0], 1.0)?);
    let turned = Transform::new(DMat3::from_rotation_y(0.5), [1.5, 0.0, -1.0])?;
    world.insert(Instance::new(Aabb::new([-0.8, 0.0, -0.8], [0.8, 1.6, 0.8])?).at(turned));
    world.insert(Aabb::new([3.0, 0.0, 0.0], [3.03, 3.0, 0.03])?);
    // A wire of 2 mm, and pebbles.
    names.push("wire");
    world.insert(Capsule::new([-4.5, 2.2, -1.0], [3.0, 2.8, 0.0], 0.001)?);
    for pebble in 0..6 {
        names.push("pebble");
        world.insert(Sphere::new([-2.4 + 0.6 * f64::from(pebble), 0.12, 2.0], 0.12)?);
    }
    let scene = world.commit();

    let camera = Camera::look_at([0.0, 3.0, 8.0], [0.5, 1.0, 0.0], [0.0, 1.0, 0.0], 45.0)?;
    let view = camera.view([960, 540])?;
    let mut picture = Picture::of(&scene, camera);
    for cursor in [[300.0, 260.0], [560.0, 270.0], [690.0, 160.0], [415.0, 140.0], [480.0, 480.0]] {
        let exact = scene.closest(&view.ray(cursor)?, &Filter::ALL);
        let exact = exact.map_or("nothing", |hit| names[hit.instance.slot() as usize]);
        // Everything within 8 pixels, the nearest first; the ground only where nothing else is.
        let near = scene.pick_all(&view.aim(cursor, 8.0)?, &Filter::ALL);
        let picked = near.iter().find(|picked| picked.hit.instance != ground).or(near.first());
        let Some(picked) = picked else { continue };
        let name = names[picked.hit.instance.slot() as usize];
        let [x, y] = cursor;
        println!("({x:.0}, {y:.0}): {exact} under the cursor, {name} {:.1} pixels away", picked.distance);
        picture.dot(picked.hit.position, if exact == name { BLUE } else { RED });
    }

    let lasso =
        [[255.0, 415.0], [330.0, 385.0], [455.0, 390.0], [490.0, 440.0], [430.0, 480.0], [290.0, 475.0]];
    let selection = view.lasso(lasso)?;
    let movable = |coverage| -> Vec<_> {
        let found = scene.select(&selection, coverage, &Filter::ALL);
        found.into_iter().filter(|&id| id != ground).collect()
    };
    let (touched, whole) = (movable(Coverage::Touching), movable(Coverage::Inside));
    println!("the lasso touches {} things, {} of them are inside", touched.len(), whole.len());
    assert_eq!((touched.len(), whole.len()), (4, 3));
    picture.outline(&lasso, YELLOW);
    for id in touched {
        let colour = if whole.contains(&id) { GREEN } else { RED };
        if let Some(hitscan::Geometry::Sphere(pebble)) = scene.get(id).map(Instance::geometry) {
            picture.dot(pebble.centre(), colour);
        }
    }
    picture.save("picking.png")
}
