//! A thick bullet: a ball in flight, which does not fit where a ray does.

use std::error::Error;

use hitscan::intersect::{Motion, Sweep};
use hitscan::shape::{Plane, Sphere};
use hitscan::{Camera, Filter, Mesh, Ray, World};

mod picture;
use picture::{Picture, RED, YELLOW};

fn main() -> Result<(), Box<dyn Error>> {
    // A wall with a slit of 20 cm.
    let sheets = [[-3.0f32, -0.1], [0.1, 3.0]];
    let corners = sheets
        .iter()
        .flat_map(|&[from, to]| [[5.0, 0.0, from], [5.0, 0.0, to], [5.0, 2.5, to], [5.0, 2.5, from]]);
    let wall = Mesh::new(corners, [[0u32, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]])?;
    let mut world = World::new();
    world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
    world.insert(&wall);

    let (from, by) = ([0.0, 1.2, 0.0], [9.0, 0.0, 0.09]);
    let ray = Ray::new(from, by)?.with_range(0.0, 1.0)?;
    println!("a ray: {}", if wall.occluded(&ray, &Filter::ALL) { "stopped" } else { "through the slit" });
    let ball = Sphere::new(from, 0.15)?;
    let hit = wall.sweep_sphere(&ball, &Motion::new(by)?).ok_or("the ball is thicker than the slit")?;
    let Sweep::Hit { t, position, normal, .. } = hit.sweep else { return Err("it starts in the air".into()) };
    println!("a ball of 30 cm: stopped after {t:.3} of its way, at {position:.3}, pushed along {normal:.2}");

    assert!(!wall.occluded(&ray, &Filter::ALL));
    // It touches the edge of the slit, a radius away from its centre there.
    assert!((ray.at(t).distance(position) - ball.radius()).abs() < 1e-9 && position.z.abs() as f32 == 0.1);

    let stopped = ray.at(t);
    world.insert(Sphere::new(stopped, 0.15)?);
    let camera = Camera::look_at([0.5, 3.2, 4.5], [4.4, 1.0, 0.0], [0.0, 1.0, 0.0], 45.0)?;
    let mut picture = Picture::of(&world.commit(), camera);
    picture.line(from, stopped, YELLOW);
    picture.dot(position, RED);
    picture.save("thick_bullet.png")
}
