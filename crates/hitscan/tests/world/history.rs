//! The past, against worlds that are built as it was.

use std::thread;

use hitscan::glam::{DMat3, DVec3};
use hitscan::shape::Sphere;
use hitscan::{Filter, HistoryError, Instance, InstanceId, Mesh, Ray, Transform, World};
use hitscan_oracle::meshes::integer_box;
use hitscan_oracle::{Rng, rng};

use crate::support::{bits, geometry, place, ray_at};

/// At each tick the history answers as the world did, and names its instances as the world does.
#[test]
fn ticks_are_as_they_were() {
    let mut rng = Rng::new(rng::seed(731));
    let mut world = World::new();
    world.keep(16);
    let mut ids: Vec<InstanceId> = Vec::new();
    let mut past = Vec::new();
    for tick in 0..40u64 {
        for _ in 0..3 {
            ids.push(world.insert(Instance::new(geometry(&mut rng)).at(place(&mut rng, 4.0))));
        }
        if ids.len() > 12 {
            world.remove(ids.swap_remove(rng.below(ids.len()))).unwrap();
            world.set_mask(ids[rng.below(ids.len())], rng.bits() as u32).unwrap();
        }
        for &id in &ids {
            if rng.one_in(2) {
                world.set_transform(id, place(&mut rng, 4.0)).unwrap();
            }
        }
        world.record(3 * tick + 1).unwrap();
        past.push((3 * tick + 1, world.clone()));
    }
    let history = world.history();
    assert!(history.ticks().eq(past.iter().map(|&(tick, _)| tick).skip(24)));
    for (tick, then) in &mut past[24..] {
        let instances: Vec<Instance> = then.iter().map(|(_, instance)| instance.clone()).collect();
        let (expected, scene) = (then.commit(), history.at(*tick as f64).unwrap());
        scene.check().unwrap();
        for _ in 0..40 {
            let ray = ray_at(&instances[rng.below(instances.len())], &mut rng);
            for filter in [Filter::ALL, Filter::new().mask(1)] {
                let hits = scene.all_hits(&ray, &filter);
                assert_eq!(hits, expected.all_hits(&ray, &filter), "tick {tick}");
                assert!(hits.iter().map(bits).all(|(_, id, ..)| then.get(id).is_some()));
            }
        }
    }
}

/// Between two ticks each instance stands between its two places, and answers as a world that is built there.
#[test]
fn between_ticks_everything_is_on_its_way() {
    let mut rng = Rng::new(rng::seed(732));
    let turn = |angle: f64| DMat3::from_rotation_y(angle);
    for _ in 0..50 {
        let (from, by) = (rng.in_cube(3.0), rng.in_cube(2.0));
        let angle = rng.range(-3.0, 3.0);
        let shape = geometry(&mut rng);
        let mut world = World::new();
        world.keep(2);
        let id =
            world.insert(Instance::new(shape.clone()).at(Transform::new(DMat3::IDENTITY, from).unwrap()));
        world.record(10).unwrap();
        let end = DVec3::from(from) + DVec3::from(by);
        world.set_transform(id, Transform::new(turn(angle), end).unwrap()).unwrap();
        world.record(14).unwrap();
        for part in [0.25, 0.5, 0.75] {
            let then = world.history().at(10.0 + 4.0 * part).unwrap();
            let place = then.get(id).unwrap().transform();
            let (matrix, offset) = (turn(part * angle), DVec3::from(from) + part * DVec3::from(by));
            let off = place.matrix() - matrix;
            assert!(off.to_cols_array().iter().all(|c| c.abs() < 1e-12), "{angle}");
            assert!((place.offset() - offset).length() < 1e-12);
            let mut rebuilt = World::new();
            let instance = Instance::new(shape.clone()).at(*place);
            rebuilt.insert(instance.clone());
            let ray = ray_at(&instance, &mut rng);
            assert_eq!(then.all_hits(&ray, &Filter::ALL), rebuilt.commit().all_hits(&ray, &Filter::ALL));
        }
    }
}

#[test]
fn what_comes_goes_and_jumps() {
    let ball = Sphere::new([0.0; 3], 0.5).unwrap();
    let at = |x: f64| Transform::translation([x, 0.0, 0.0]).unwrap();
    let mirror = Transform::new(DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0)), [8.0, 0.0, 9.0]).unwrap();
    let mut world = World::new();
    world.keep(4);
    let goes = world.insert(Instance::new(ball).at(at(0.0)));
    let jumps = world.insert(Instance::new(ball).at(at(2.0)));
    let mirrored = world.insert(Instance::new(ball).at(at(4.0)));
    world.record(0).unwrap();
    world.remove(goes).unwrap();
    let comes = world.insert(Instance::new(ball).at(at(0.0)));
    world.teleport(jumps, at(6.0)).unwrap();
    world.set_transform(mirrored, mirror).unwrap();
    world.record(1).unwrap();
    world.set_transform(jumps, at(8.0)).unwrap();
    world.record(2).unwrap();
    let history = world.history();

    let place = |tick: f64, id: InstanceId| {
        history.at(tick).unwrap().get(id).map(|instance| instance.transform().offset().x)
    };
    assert_eq!([place(0.5, goes), place(1.0, goes)], [Some(0.0), None]);
    assert_eq!([place(0.99, comes), place(1.0, comes)], [None, Some(0.0)], "another one in the same slot");
    assert_eq!(comes.slot(), goes.slot());
    assert_eq!([place(0.99, jumps), place(1.0, jumps), place(1.5, jumps)], [Some(2.0), Some(6.0), Some(7.0)]);
    assert_eq!([place(0.99, mirrored), place(1.0, mirrored)], [Some(4.0), Some(8.0)]);
}

#[test]
fn poses_are_those_of_the_tick_before() {
    let cube = integer_box([-1, -1, -1], [1, 1, 1], 1).mesh;
    let mut cube = Mesh::new(cube.vertices, cube.triangles).unwrap();
    let mut world = World::new();
    world.keep(8);
    let id = world.insert(&cube);
    let ray = Ray::new([0.25, 9.0, 0.125], [0.0, -1.0, 0.0]).unwrap();
    for tick in 0..4 {
        let size = 1.0 + tick as f32;
        cube.refit(cube.vertices().iter().map(|v| v.map(|c| c.signum() * size)).collect::<Vec<_>>()).unwrap();
        world.set_geometry(id, &cube).unwrap();
        world.record(tick).unwrap();
    }
    let t = |tick: f64| world.history().at(tick).unwrap().closest(&ray, &Filter::ALL).map(|hit| hit.t);
    assert_eq!([t(0.0), t(0.9), t(1.0), t(3.0)], [Some(8.0), Some(8.0), Some(7.0), Some(5.0)]);
}

#[test]
fn times_that_are_not_kept_are_refused() {
    let mut world = World::new();
    let empty = world.history().at(3.0).unwrap_err();
    assert_eq!(
        empty.to_string(),
        "tick 3 is not kept; the history is empty, and needs room by World::keep and a tick by World::record"
    );
    world.record(1).unwrap();
    assert_eq!(world.history().ticks().len(), 0, "nothing is kept until someone asks for it");
    world.keep(2);
    for tick in [5, 6, 9] {
        world.record(tick).unwrap();
    }
    let order = world.record(9).unwrap_err();
    assert_eq!(order.to_string(), "tick 9 comes after tick 9; ticks need to be recorded in their order");
    let history = world.history();
    for tick in [5.0, 5.999, 9.001, f64::NAN, f64::INFINITY, -1.0] {
        let error = history.at(tick).unwrap_err();
        assert!(matches!(error, HistoryError::NotKept { first: 6, last: 9, .. }), "{error}");
    }
    assert_eq!(history.at(9.5).unwrap_err().to_string(), "tick 9.5 is not kept; the history holds 6 to 9");
    world.keep(1);
    assert!(world.history().ticks().eq([9]) && history.ticks().eq([6, 9]), "what was given out stays");
}

/// Many threads ask for the past while the world goes on.
#[test]
fn the_past_is_asked_while_the_world_goes_on() {
    let mut world = World::new();
    world.keep(64);
    let head = world.insert(Sphere::new([0.0; 3], 0.25).unwrap());
    for tick in 0..64 {
        world.set_transform(head, Transform::translation([tick as f64, 0.0, 0.0]).unwrap()).unwrap();
        world.record(tick).unwrap();
    }
    let history = world.history();
    thread::scope(|scope| {
        for shooter in 0..8 {
            let history = &history;
            scope.spawn(move || {
                for shot in 0..200 {
                    let tick = f64::from((shot * 7 + shooter) % 63) + 0.5;
                    let ray = Ray::new([tick, 0.0, 5.0], [0.0, 0.0, -1.0]).unwrap();
                    assert_eq!(history.at(tick).unwrap().closest(&ray, &Filter::ALL).unwrap().t, 4.75);
                }
            });
        }
        for tick in 64..200 {
            world.set_transform(head, Transform::translation([0.0, tick as f64, 0.0]).unwrap()).unwrap();
            world.record(tick).unwrap();
            let _ = world.commit();
        }
    });
    assert!(history.ticks().eq(0..64));
}
