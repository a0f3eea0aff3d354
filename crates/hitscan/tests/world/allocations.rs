//! What takes heap memory, and what does not.

use allocation_counter::measure;
use hitscan::intersect::Motion;
use hitscan::shape::{Capsule, Sphere};
use hitscan::{Filter, Instance, InstanceId, Ray, Scene, World};
use hitscan_oracle::{Rng, rng};

use crate::support::{geometry, place, ray_at};

fn crowd(rng: &mut Rng) -> (World, Vec<InstanceId>, Vec<Ray>) {
    let mut world = World::new();
    let ids = (0..300).map(|_| world.insert(Instance::new(geometry(rng)).at(place(rng, 20.0)))).collect();
    let instances: Vec<Instance> = world.iter().map(|(_, instance)| instance.clone()).collect();
    let rays = (0..300).map(|i| ray_at(&instances[i], rng)).collect();
    (world, ids, rays)
}

#[test]
fn a_single_query_takes_none() {
    let mut rng = Rng::new(rng::seed(751));
    let (mut world, _, rays) = crowd(&mut rng);
    let scene = world.commit();
    let ask = |scene: &Scene| {
        for ray in &rays {
            let hit = scene.closest(ray, &Filter::ALL);
            assert_eq!(hit.is_some(), scene.occluded(ray, &Filter::ALL));
        }
    };
    ask(&scene);
    assert_eq!(measure(|| ask(&scene)).count_total, 0);
}

#[test]
fn a_sweep_and_a_nearest_point_take_none() {
    let mut rng = Rng::new(rng::seed(753));
    let (mut world, _, rays) = crowd(&mut rng);
    let scene = world.commit();
    let ask = || {
        let mut found = 0;
        for ray in &rays {
            let at = ray.at(0.9);
            let ball = Sphere::new(at, 0.5).unwrap();
            let walker = Capsule::new(at, at + 1.0, 0.5).unwrap();
            let motion = Motion::new(ray.dir() * 0.2).unwrap();
            found += usize::from(scene.sweep_sphere(&ball, &motion, &Filter::ALL).is_some());
            found += usize::from(scene.sweep_capsule(&walker, &motion, &Filter::ALL).is_some());
            found += usize::from(scene.closest_point(at, &Filter::ALL).is_some());
        }
        found
    };
    assert!(ask() > 300);
    assert_eq!(measure(|| assert!(ask() > 300)).count_total, 0);
}

#[test]
fn commits_hold_no_more_after_the_second() {
    let mut rng = Rng::new(rng::seed(752));
    let (mut world, ids, _) = crowd(&mut rng);
    let mut scene = world.commit();
    let mut frame = |world: &mut World, rng: &mut Rng| {
        for &id in &ids {
            world.set_transform(id, place(rng, 20.0)).unwrap();
        }
        scene = world.commit();
    };
    for _ in 0..8 {
        frame(&mut world, &mut rng);
    }
    let held: i64 = (0..50).map(|_| measure(|| frame(&mut world, &mut rng)).bytes_current).sum();
    // A tree that is built anew may have a few nodes more or fewer than the one before.
    assert!(held.abs() < 64 * 1024, "{held} bytes more after 50 frames");
}
