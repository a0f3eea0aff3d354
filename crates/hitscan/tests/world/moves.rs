//! Instances inserted, removed, moved and exchanged in any order, against a plain list.

use std::collections::BTreeMap;

use hitscan::shape::Sphere;
use hitscan::{Filter, Geometry, Instance, InstanceId, Ray, Scene, Transform, World};
use hitscan_oracle::{Rng, rng};

use crate::support::{all_crossings, bits, geometry, place, ray_at};

/// What a world is to be, and all names that it ever gave out.
#[derive(Default)]
struct List {
    instances: BTreeMap<InstanceId, Instance>,
    names: Vec<InstanceId>,
}

impl List {
    fn any(&self, rng: &mut Rng) -> Option<InstanceId> {
        let alive = self.instances.len();
        if alive == 0 { None } else { self.instances.keys().nth(rng.below(alive)).copied() }
    }
}

/// One change, of the world and of the list alike.
fn change(world: &mut World, list: &mut List, rng: &mut Rng) {
    let some = list.any(rng);
    match (rng.below(12), some) {
        (0 | 1, _) | (_, None) => {
            let instance = Instance::new(geometry(rng)).at(place(rng, 8.0));
            let id = world.insert(instance.clone());
            assert!(
                list.instances.insert(id, instance).is_none() && !list.names.contains(&id),
                "{id:?} is new"
            );
            list.names.push(id);
        }
        (2, Some(id)) => {
            world.remove(id).unwrap();
            list.instances.remove(&id);
        }
        (3, Some(id)) => {
            let geometry = geometry(rng);
            world.set_geometry(id, geometry.clone()).unwrap();
            let instance = &list.instances[&id];
            let moved = Instance::new(geometry).at(*instance.transform());
            list.instances.insert(id, moved);
        }
        (4, _) => {
            let stale = list.names[rng.below(list.names.len())];
            let known = list.instances.contains_key(&stale);
            assert_eq!(world.get(stale).is_some(), known);
            assert_eq!(world.set_mask(stale, u32::MAX).is_ok(), known);
            if !known {
                assert_eq!(world.remove(stale).unwrap_err().id, stale);
                assert!(world.set_transform(stale, Transform::IDENTITY).is_err());
                assert!(world.set_geometry(stale, Sphere::new([0.0; 3], 1.0).unwrap()).is_err());
            }
        }
        (5, Some(id)) => {
            // A mesh that bends.
            let Some(mesh) = list.instances[&id].mesh() else { return };
            let mut mesh = mesh.clone();
            let bent: Vec<[f32; 3]> =
                mesh.vertices().iter().map(|v| v.map(|c| c * (1.0 + rng.below(8) as f32 / 16.0))).collect();
            mesh.refit(bent).unwrap();
            world.set_geometry(id, &mesh).unwrap();
            let moved = Instance::new(&mesh).at(*list.instances[&id].transform());
            list.instances.insert(id, moved);
        }
        (_, Some(id)) => {
            let place = place(rng, 8.0);
            world.set_transform(id, place).unwrap();
            let moved = list.instances[&id].clone().at(place);
            list.instances.insert(id, moved);
        }
    }
    assert_eq!((world.len(), world.is_empty()), (list.instances.len(), list.instances.is_empty()));
}

fn assert_agrees(scene: &Scene, list: &List, rng: &mut Rng) {
    scene.check().unwrap();
    assert!(scene.iter().map(|(id, _)| id).eq(list.instances.keys().copied()));
    let instances: Vec<&Instance> = list.instances.values().collect();
    if instances.is_empty() {
        return;
    }
    for _ in 0..4 {
        let ray = ray_at(instances[rng.below(instances.len())], rng);
        let expected = all_crossings(list.instances.iter().map(|(&id, instance)| (id, instance)), &ray);
        let hits = scene.all_hits(&ray, &Filter::ALL);
        assert_eq!(hits.iter().map(bits).collect::<Vec<_>>(), expected, "{ray:?}");
        assert_eq!(scene.closest(&ray, &Filter::ALL), hits.first().copied(), "{ray:?}");
        assert_eq!(scene.occluded(&ray, &Filter::ALL), !hits.is_empty(), "{ray:?}");
    }
}

/// Changes that one run makes: all of them where `HITSCAN_SHORT` is not set.
fn changes() -> usize {
    let short = cfg!(debug_assertions) || std::env::var_os("HITSCAN_SHORT").is_some();
    if short { 20_000 } else { 300_000 }
}

#[test]
fn any_changes_in_any_order() {
    // Two worlds, each half of the changes.
    std::thread::scope(|scope| {
        for seed in [721, 724] {
            scope.spawn(move || any_changes(seed, changes() / 2));
        }
    });
}

fn any_changes(seed: u64, changes: usize) {
    let mut rng = Rng::new(rng::seed(seed));
    let (mut world, mut list) = (World::new(), List::default());
    let mut kept: Vec<Scene> = Vec::new();
    for step in 0..changes {
        if rng.one_in(4000) {
            (world, list) = (World::new(), List::default());
        }
        change(&mut world, &mut list, &mut rng);
        if rng.one_in(20) {
            let scene = world.commit();
            assert_agrees(&scene, &list, &mut rng);
            // Some scenes live on, so that the world may not touch their memory.
            kept.push(scene);
            if rng.one_in(2) {
                kept.clear();
            }
        }
        if rng.one_in(5000) {
            world = world.clone();
        }
        assert!(step == 0 || !list.names.is_empty());
    }
}

/// Scenes stay as they were, whatever becomes of the world.
#[test]
fn old_scenes_stay_as_they_were() {
    let mut rng = Rng::new(rng::seed(722));
    let mut world = World::new();
    let ids: Vec<InstanceId> = (0..50).map(|_| world.insert(Instance::new(geometry(&mut rng)))).collect();
    let instances: Vec<Instance> = world.iter().map(|(_, instance)| instance.clone()).collect();
    let rays: Vec<Ray> = (0..50).map(|_| ray_at(&instances[rng.below(50)], &mut rng)).collect();
    let mut past = Vec::new();
    for _ in 0..20 {
        let scene = world.commit();
        let answers: Vec<_> = rays.iter().map(|ray| scene.all_hits(ray, &Filter::ALL)).collect();
        past.push((scene, answers));
        for &id in &ids {
            world.set_transform(id, place(&mut rng, 8.0)).unwrap();
        }
    }
    for (scene, answers) in past {
        for (ray, expected) in rays.iter().zip(answers) {
            assert_eq!(scene.all_hits(ray, &Filter::ALL), expected);
        }
    }
}

/// A tree that keeps its shape while everything in it is mixed up is built anew in time, also where something is so far away
/// that the crowd is nothing beside the whole.
#[test]
fn a_worn_tree_is_built_anew() {
    let mut rng = Rng::new(rng::seed(723));
    let ball = Sphere::new([0.0; 3], 1.0).unwrap();
    let spot = |i: usize| [(i % 30) as f64 * 4.0, 0.0, (i / 30) as f64 * 4.0];
    let at = |place: [f64; 3]| Instance::new(ball).at(Transform::translation(place).unwrap());
    let cost = |scene: &Scene| -> u32 {
        let down = |i: usize| Ray::new([spot(i)[0], 9.0, spot(i)[2]], [0.0, -1.0, 0.0]).unwrap();
        (0..900).map(|i| scene.closest_cost(&down(i), &Filter::ALL).1.nodes).sum()
    };
    for runaway in [None, Some([1e6; 3])] {
        let mut world = World::new();
        let ids: Vec<InstanceId> = (0..900).map(|i| world.insert(at(spot(i)))).collect();
        if let Some(place) = runaway {
            world.insert(at(place));
        }
        let fresh = cost(&world.commit());
        let mut order: Vec<usize> = (0..900).collect();
        rng.shuffle(&mut order);
        for (&id, &i) in ids.iter().zip(&order) {
            world.set_transform(id, Transform::translation(spot(i)).unwrap()).unwrap();
        }
        let mixed = cost(&world.commit());
        assert!(mixed < fresh + fresh / 2, "{mixed} nodes, not {fresh}, {runaway:?}");
    }
}

#[test]
fn a_world_of_nothing_is_never_hit() {
    let mut world = World::new();
    let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]).unwrap();
    assert!(world.commit().closest(&ray, &Filter::ALL).is_none());
    let id = world.insert(Geometry::from(Sphere::new([3.0, 0.0, 0.0], 1.0).unwrap()));
    assert!(world.commit().occluded(&ray, &Filter::ALL));
    world.remove(id).unwrap();
    let scene = world.commit();
    assert!(!scene.occluded(&ray, &Filter::ALL) && scene.bounds().is_none() && scene.get(id).is_none());
}

/// More instances than one thread takes in one go, placed anew in memory that a scene before had.
#[test]
fn thousands_of_instances_are_where_they_were_put() {
    const COUNT: u32 = 9_001;
    const COLUMNS: u32 = 97;
    let mut world = World::new();
    let ball = Sphere::new([0.0; 3], 0.25).unwrap();
    let ids: Vec<InstanceId> = (0..COUNT).map(|_| world.insert(ball)).collect();
    let stand = |i: u32| [i % COLUMNS, i / COLUMNS].map(|c| 2.0 * f64::from(c));
    let height = |i: u32, moment: u32| f64::from(i.wrapping_mul(2_654_435_761) >> 24) + f64::from(moment);
    let rays: Vec<Ray> = (0..COUNT)
        .map(|i| {
            let [x, z] = stand(i);
            Ray::new([x, 1e3, z], [0.0, -1.0, 0.0]).unwrap()
        })
        .collect();
    for moment in 0..4 {
        for (i, &id) in (0..).zip(&ids) {
            let [x, z] = stand(i);
            world.set_transform(id, Transform::translation([x, height(i, moment), z]).unwrap()).unwrap();
        }
        let scene = world.commit();
        let hits = scene.closest_batch(&rays, &Filter::ALL);
        assert_eq!(hits.len(), ids.len());
        for ((i, hit), &id) in (0..).zip(hits).zip(&ids) {
            let hit = hit.expect("each ray is above one of them");
            assert_eq!((hit.instance, hit.t), (id, 1e3 - height(i, moment) - 0.25), "{i}, moment {moment}");
        }
    }
}
