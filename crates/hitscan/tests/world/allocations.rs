//! What takes heap memory, and what does not.

use allocation_counter::measure;
use hitscan::glam::{DMat3, DVec3};
use hitscan::intersect::Motion;
use hitscan::shape::{Aabb, Capsule, Obb, Sphere};
use hitscan::{
    Buffer, Camera, Coverage, Filter, Instance, InstanceId, Interval, Mesh, Overlap, Picked, Ray, Rule,
    Scene, Selection, View, World,
};
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

/// Rays through the corners of an open fan, each of which looks at all edges there. Without `std` there is nowhere to keep what
/// they need from query to query.
#[test]
#[cfg(feature = "std")]
fn a_ray_along_a_border_takes_none() {
    let rim = |i: u32| [f64::from(i).cos(), f64::from(i).sin()].map(|x| (x * 1024.0).round() as f32);
    let corners: Vec<[f32; 3]> =
        core::iter::once([0.0; 3]).chain((0..200).map(|i| [rim(i)[0], rim(i)[1], 0.0])).collect();
    let fan = Mesh::new(corners.clone(), (1..200).map(|i| [0, i, i + 1])).unwrap();
    let ask = || {
        let over = |[x, y, _]: [f32; 3]| Ray::new([x.into(), y.into(), 9.0], [0.0, 0.0, -1.0]).unwrap();
        corners.iter().filter(|&&corner| fan.closest(&over(corner), &Filter::ALL).is_some()).count()
    };
    assert_eq!(ask(), corners.len(), "borders are hit");
    assert_eq!(measure(|| assert_eq!(ask(), corners.len())).count_total, 0);
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

/// What is asked about.
struct Asked<'a> {
    rays: Vec<Ray>,
    view: View,
    selections: Vec<Selection>,
    /// Where each instance is, and its mesh.
    bodies: Vec<(DVec3, Option<&'a Mesh>)>,
}

/// A buffer for each kind of answer.
#[derive(Default)]
struct Lists {
    hits: Buffer,
    intervals: Buffer<Interval>,
    overlaps: Buffer<Overlap>,
    names: Buffer<InstanceId>,
    picked: Buffer<Picked>,
    prims: Buffer<u32>,
}

impl Lists {
    /// Asks every question with a list for an answer, and gives how long the lists were.
    fn ask(&mut self, scene: &Scene, asked: &Asked<'_>) -> [usize; 12] {
        let Lists { hits, intervals, overlaps, names, picked, prims } = self;
        let mut counts = [0; 12];
        let filter = &Filter::ALL;
        for (i, ray) in asked.rays.iter().enumerate() {
            let mut number = 0;
            let mut count = |length: usize| {
                counts[number] += length;
                number += 1;
            };
            let (at, mesh) = asked.bodies[i % asked.bodies.len()];
            let zone = Aabb::new(at - 1.0, at + 1.0).unwrap();
            let frustum = asked.view.frustum([i as f64, 0.0], [i as f64 + 30.0, 30.0]).unwrap();
            scene.all_hits_into(ray, filter, hits);
            count(hits.len());
            scene.first_n_into(ray, filter, 3, hits);
            count(hits.len());
            scene.intervals_into(ray, filter, intervals);
            count(intervals.len());
            scene.overlap_sphere_into(&Sphere::new(at, 1.0).unwrap(), filter, overlaps);
            count(overlaps.len());
            scene.overlap_aabb_into(&zone, filter, overlaps);
            count(overlaps.len());
            scene.overlap_obb_into(&Obb::new(at, DMat3::IDENTITY, [1.0; 3]).unwrap(), filter, overlaps);
            count(overlaps.len());
            scene.overlap_frustum_into(&frustum, filter, overlaps);
            count(overlaps.len());
            scene.select_into(&asked.selections[i], Coverage::Inside, filter, names);
            count(names.len());
            scene.containing_into(at, Rule::Winding, filter, names).unwrap();
            count(names.len());
            scene.pick_all_into(&asked.view.aim([i as f64, 200.0], 9.0).unwrap().through(), filter, picked);
            count(picked.len());
            if let Some(mesh) = mesh {
                mesh.all_hits_into(&Ray::new([0.1, 0.2, -9.0], [0.0, 0.0, 1.0]).unwrap(), filter, hits);
                counts[10] += hits.len();
                mesh.overlap_aabb_into(&Aabb::new([-9.0; 3], [9.0; 3]).unwrap(), prims);
                counts[11] += prims.len();
            }
        }
        counts
    }
}

#[test]
fn a_list_in_a_buffer_takes_none() {
    let mut rng = Rng::new(rng::seed(754));
    let (mut world, _, rays) = crowd(&mut rng);
    let scene = world.commit();
    let camera = Camera::look_at([0.0, 0.0, 60.0], [0.0; 3], [0.0, 1.0, 0.0], 60.0).unwrap();
    let view = camera.view([400, 400]).unwrap();
    let bodies: Vec<_> = scene
        .iter()
        .map(|(_, instance)| (instance.transform().offset(), instance.geometry().mesh()))
        .collect();
    let left = |i: usize| view.rectangle([i as f64, 0.0], [i as f64 + 60.0, 400.0]).unwrap();
    let asked = Asked { selections: (0..rays.len()).map(left).collect(), rays, view, bodies };
    let mut lists = Lists::default();
    let first = lists.ask(&scene, &asked);
    assert!(first.iter().all(|&count| count > 30), "each question finds something: {first:?}");
    let mut again = [0; 12];
    let heap = measure(|| again = lists.ask(&scene, &asked));
    assert_eq!(again, first);
    assert_eq!(heap.count_total, 0);
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
