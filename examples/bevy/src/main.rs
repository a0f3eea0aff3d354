//! A bullet, a click and a step on the ground, in a world of Bevy's meshes.

mod convert;
mod plugin;

use bevy_math::{DVec3, Dir3, Isometry3d, Quat, Vec2, Vec3, dproj};
use bevy_mesh::{MeshBuilder, Meshable};
use bevy_shape::{Cuboid, Plane3d, Ray3d, Sphere};
use convert::{placement, ray, solid};
use hitscan::glam::dcamera::rh::view::look_at_mat4;
use hitscan::{DepthRange, Filter, Instance, Viewport, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new();
    let ground = Plane3d::default().mesh().size(40.0, 40.0).build();
    world.insert(&solid(&ground)?);
    let crate_at = Isometry3d::new(Vec3::new(0.0, 0.5, -5.0), Quat::from_rotation_y(0.5));
    let crate_ = world
        .insert(Instance::new(&solid(&Cuboid::default().mesh().build())?).at(placement(crate_at.into())?));
    let ball_at = Isometry3d::from_translation(Vec3::new(2.0, 1.0, -6.0));
    let ball =
        world.insert(Instance::new(&solid(&Sphere::new(1.0).mesh().build())?).at(placement(ball_at.into())?));
    let scene = world.commit();

    // A bullet, as far as it flies in this frame.
    let muzzle = Ray3d::new(Vec3::new(0.0, 0.6, 3.0), Dir3::NEG_Z);
    let hit = scene.closest(&ray(muzzle, 20.0)?, &Filter::ALL).expect("the crate is in the way");
    assert_eq!(hit.instance, crate_);
    println!("bullet: the crate at {:.3}, {:.3} m away", hit.position.as_vec3(), hit.distance);

    // A click: Bevy's camera has reversed depth and, in perspective, no far plane.
    let view = look_at_mat4(DVec3::new(0.0, 2.0, 6.0), DVec3::new(0.0, 1.0, -5.0), DVec3::Y);
    let lens = dproj::perspective_infinite_reverse(0.8, 16.0 / 9.0, 0.1);
    let window = Viewport::new([0.0, 0.0], [1280.0, 720.0], DepthRange::OneToZero)?.view(&view, &lens)?;
    let cursor = Vec2::new(795.0, 330.0);
    let picked =
        scene.pick(&window.aim(cursor.as_dvec2().into(), 4.0)?, &Filter::ALL).expect("something is there");
    assert_eq!(picked.hit.instance, ball);
    println!("click: the ball at {:.3}", picked.hit.position.as_vec3());

    // The ground, or what stands on it, below a walker's knee.
    let knee = Ray3d::new(Vec3::new(0.2, 1.5, -5.1), Dir3::NEG_Y);
    let step = scene.closest(&ray(knee, 2.0)?, &Filter::ALL).expect("there is ground");
    assert_eq!((step.instance, step.position.as_vec3().y), (crate_, 1.0));
    println!("step: onto {:.3} m", step.position.y);

    plugin::run()
}
