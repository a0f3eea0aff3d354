//! A walker on terrain: how high the ground is under each step, and where the view ahead is blocked.

use std::error::Error;

use hitscan::glam::DVec3;
use hitscan::heightfield::Heightfield;
use hitscan::{Camera, Filter, Ray, World};

mod picture;
use picture::{BLUE, Picture, RED, YELLOW};

const SIDE: usize = 129;

fn main() -> Result<(), Box<dyn Error>> {
    let height = |i: usize| {
        let (x, z) = ((i % SIDE) as f32 * 0.25, (i / SIDE) as f32 * 0.25);
        2.2 * (0.31 * x).sin() * (0.23 * z + 0.4).cos() + 0.5 * (0.9 * x + 0.7 * z).sin()
    };
    let terrain = Heightfield::builder(SIDE, SIDE)
        .spacing([0.25, 0.25])
        .build_f32((0..SIDE * SIDE).map(height).collect::<Vec<f32>>())?;
    let mut world = World::new();
    world.insert(&terrain);
    let scene = world.commit();

    let mut steps: Vec<DVec3> = Vec::new();
    for step in 0..=40 {
        let (x, z) = (4.0 + 0.6 * f64::from(step), 26.0 - 0.45 * f64::from(step));
        let ground = terrain.height_at(x, z).ok_or("the path stays on the terrain")?;
        steps.push(DVec3::new(x, ground, z));
    }
    let climb: f64 = steps.windows(2).map(|pair| (pair[1].y - pair[0].y).max(0.0)).sum();
    println!("{} steps, {climb:.2} m up in all", steps.len() - 1);

    // What is told is where a ray from above meets the terrain.
    for step in &steps {
        let down = Ray::new([step.x, 99.0, step.z], [0.0, -1.0, 0.0])?;
        assert!(scene.closest(&down, &Filter::ALL).is_some_and(|hit| (hit.position.y - step.y).abs() < 1e-6));
    }

    // From the head at the first step to the last one.
    let (eye, goal) = (steps[0] + DVec3::Y * 1.7, steps[40] + DVec3::Y * 1.7);
    let sight = Ray::between(eye, goal)?;
    let blocked = scene.closest(&sight, &Filter::ALL);
    match blocked {
        Some(hit) => println!("the goal is hidden: a hill is in the way after {:.2} m", hit.distance),
        None => println!("the goal is in sight"),
    }

    let camera = Camera::look_at([14.0, 15.0, 44.0], [16.0, 0.0, 14.0], [0.0, 1.0, 0.0], 45.0)?;
    let mut picture = Picture::of(&scene, camera);
    for step in &steps {
        picture.dot(*step, BLUE);
    }
    picture.line(eye, blocked.map_or(goal, |hit| hit.position), YELLOW);
    if let Some(hit) = blocked {
        picture.dot(hit.position, RED);
    }
    picture.save("walker.png")
}
