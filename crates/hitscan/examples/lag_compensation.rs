//! Lag compensation: a shot is judged by what its shooter saw, which for others is past.

use std::error::Error;

use hitscan::glam::DVec3;
use hitscan::shape::{Capsule, Plane};
use hitscan::{Camera, Filter, Instance, Ray, Transform, World};

mod picture;
use picture::{BLUE, Picture, RED, YELLOW};

const TICKS_A_SECOND: f64 = 64.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new();
    world.keep(64); // one second
    world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
    let runner = world.insert(Instance::new(Capsule::new([0.0, 0.4, 0.0], [0.0, 1.4, 0.0], 0.4)?));
    for tick in 0..=64u64 {
        let x = -4.0 + 6.0 * tick as f64 / TICKS_A_SECOND; // 6 m/s
        world.set_transform(runner, Transform::translation([x, 0.0, 0.0])?)?;
        world.record(tick)?;
    }

    // 120 ms of delay: the shooter aims at where the runner was.
    let (now, delay) = (64.0, 0.120 * TICKS_A_SECOND);
    let then = world.history().at(now - delay)?;
    let seen = then.get(runner).ok_or("the runner was there")?.transform().offset();
    let eye = [0.0, 1.6, 6.0];
    let aim = seen + DVec3::new(0.0, 0.9, 0.0);
    let shot = Ray::between(eye, aim)?;

    let present = world.commit();
    println!(
        "now, {:.2} m on: {}",
        (now - 64.0 + delay) / TICKS_A_SECOND * 6.0,
        if present.occluded(&shot, &Filter::ALL) { "hit" } else { "missed" }
    );
    assert!(!present.occluded(&shot, &Filter::ALL));
    let hit = then.closest(&shot, &Filter::ALL).ok_or("it was aimed well")?;
    assert_eq!(hit.instance, runner);
    println!("120 ms ago: hit instance {} at {:.2}", hit.instance.slot(), hit.position);

    let camera = Camera::look_at([-3.5, 3.6, 8.5], [0.6, 0.7, 0.0], [0.0, 1.0, 0.0], 45.0)?;
    let mut picture = Picture::of(&present, camera);
    for past in (1..=12).map(|step| now - f64::from(step) * delay / 4.0) {
        let place = world.history().at(past)?.get(runner).ok_or("the runner was there")?.transform().offset();
        picture.dot([place.x, 0.9, 0.0], BLUE);
    }
    picture.line(eye, hit.position, YELLOW);
    picture.dot(hit.position, RED);
    picture.save("lag_compensation.png")
}
