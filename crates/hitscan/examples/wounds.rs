//! Entry and exit wounds: what a shot goes through, how far, and what is left of it.

use std::error::Error;

use hitscan::shape::{Aabb, Plane, Sphere};
use hitscan::{Camera, Filter, Instance, Ray, World};

mod picture;
use picture::{BLUE, Picture, RED, YELLOW};

/// Name, and the energy that a metre of it takes.
const MATERIALS: [(&str, f64); 4] =
    [("ground", 9000.0), ("door", 12_000.0), ("flesh", 2500.0), ("steel", 400_000.0)];

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new();
    world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
    world.insert(Instance::new(Aabb::new([2.0, 0.0, -1.0], [2.05, 2.2, 1.0])?).material(1));
    world.insert(Instance::new(Sphere::new([4.0, 1.2, 0.0], 0.35)?).material(2));
    world.insert(Instance::new(Aabb::new([6.0, 0.0, -1.0], [6.1, 2.2, 1.0])?).material(3));
    let scene = world.commit();

    let muzzle = [0.0, 1.3, 0.3];
    let shot = Ray::new(muzzle, [1.0, -0.02, -0.06])?;
    let mut energy = 3500.0; // in joules
    let camera = Camera::look_at([1.0, 3.4, 6.5], [3.4, 0.8, 0.0], [0.0, 1.0, 0.0], 50.0)?;
    let mut picture = Picture::of(&scene, camera);
    let (mut end, mut wounds) = (shot.at(8.0), Vec::new());
    for piece in scene.intervals(&shot, &Filter::ALL) {
        let (name, toughness) = MATERIALS[piece.material as usize];
        let taken = toughness * piece.thickness;
        wounds.push(name);
        picture.dot(shot.at(piece.enter), RED);
        if taken >= energy {
            let depth = energy / toughness;
            println!("{name}: stuck after {:.1} mm with {energy:.0} J", 1e3 * depth);
            end = shot.at(piece.enter + depth / shot.dir().length());
            break;
        }
        energy -= taken;
        println!("{name}: through {:.1} mm, {energy:.0} J left", 1e3 * piece.thickness);
        picture.dot(shot.at(piece.exit), BLUE);
    }
    assert_eq!(wounds, ["door", "flesh", "steel"]);
    picture.line(muzzle, end, YELLOW);
    picture.save("wounds.png")
}
