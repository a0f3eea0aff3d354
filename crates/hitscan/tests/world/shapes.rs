//! Shapes of all kinds beside meshes, against a plain list.

use hitscan::glam::{DMat3, DVec3};
use hitscan::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Sphere};
use hitscan::{Face, Facing, Filter, Geometry, HitRecord, Instance, Isa, Ray, Scene, Transform, World};
use hitscan_oracle::{Rng, rng};

use crate::support::{Bits, all_crossings, bits, geometry, place, ray_at, turn};

/// Compares every question with the plain list.
fn assert_agrees(scene: &Scene, rays: &[Ray]) {
    for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_available()) {
        let scene = scene.with_isa(isa).unwrap();
        let expected: Vec<Vec<Bits>> = rays.iter().map(|ray| all_crossings(scene.iter(), ray)).collect();
        for (ray, expected) in rays.iter().zip(&expected) {
            let hits = scene.all_hits(ray, &Filter::ALL);
            assert_eq!(hits.iter().map(bits).collect::<Vec<_>>(), *expected, "{isa}, {ray:?}");
            assert_eq!(scene.closest(ray, &Filter::ALL), hits.first().copied(), "{isa}, {ray:?}");
            assert_eq!(scene.occluded(ray, &Filter::ALL), !hits.is_empty(), "{isa}, {ray:?}");
            assert_eq!(scene.first_n(ray, &Filter::ALL, 3), hits[..hits.len().min(3)], "{isa}, {ray:?}");
            for facing in [Facing::Front, Facing::Back] {
                let front = facing == Facing::Front;
                let own: Vec<Bits> = expected.iter().copied().filter(|bits| bits.3 == front).collect();
                let hits = scene.all_hits(ray, &Filter::new().facing(facing));
                assert_eq!(hits.iter().map(bits).collect::<Vec<_>>(), own, "{isa}, {ray:?}");
            }
        }
        let mut records: Vec<HitRecord> = Vec::new();
        scene.closest_records(rays, &Filter::ALL, &mut records);
        assert_eq!(records.len(), rays.len(), "{isa}");
        for (ray, record) in rays.iter().zip(&records) {
            assert_eq!(scene.describe(ray, record), scene.closest(ray, &Filter::ALL), "{isa}, {ray:?}");
        }
        let lists = scene.all_hits_batch(rays, &Filter::ALL);
        assert_eq!((lists.len(), expected.len()), (rays.len(), rays.len()), "{isa}");
        assert!(
            lists
                .iter()
                .zip(&expected)
                .all(|(hits, expected)| hits.iter().map(bits).eq(expected.iter().copied()))
        );
    }
}

#[test]
fn worlds_of_all_shapes() {
    let mut rng = Rng::new(rng::seed(701));
    for round in 0..40 {
        let mut world = World::new();
        for _ in 0..[1, 3, 12, 60][round % 4] {
            let far = rng.any_size(1.0, 30.0);
            world.insert(Instance::new(geometry(&mut rng)).at(place(&mut rng, far)));
        }
        let rays: Vec<Ray> = {
            let instances: Vec<Instance> = world.iter().map(|(_, instance)| instance.clone()).collect();
            (0..120).map(|_| ray_at(&instances[rng.below(instances.len())], &mut rng)).collect()
        };
        let scene = world.commit();
        scene.check().unwrap();
        assert_agrees(&scene, &rays);
    }
}

/// Rays that touch a sphere, or pass it by as little as `f64` can tell, from near and from far.
#[test]
fn rays_that_graze() {
    let mut rng = Rng::new(rng::seed(702));
    for _ in 0..30 {
        let mut world = World::new();
        for _ in 0..20 {
            let ball = Sphere::new([0.0; 3], 1.0).unwrap();
            let at = Transform::new(turn(&mut rng) * rng.any_size(1e-2, 1e2), rng.in_cube(50.0)).unwrap();
            world.insert(Instance::new(ball).at(at));
        }
        let instances: Vec<Instance> = world.iter().map(|(_, instance)| instance.clone()).collect();
        let rays: Vec<Ray> = (0..200)
            .map(|_| {
                let instance = &instances[rng.below(instances.len())];
                let out = DVec3::from(rng.direction());
                let along = out.cross(DVec3::from(rng.direction())).normalize();
                let height = 1.0 + (rng.below(9) as f64 - 4.0) * f64::EPSILON;
                let from = instance.transform().point(out * height - along * rng.any_size(1.0, 1e7));
                let to = instance.transform().point(out * height);
                Ray::new(from, to - from).unwrap()
            })
            .collect();
        assert_agrees(&world.commit(), &rays);
    }
}

#[test]
fn hits_lie_on_the_surface_and_normals_point_out() {
    let mut rng = Rng::new(rng::seed(703));
    let mut hits = 0;
    for _ in 0..400 {
        let mut world = World::new();
        let instance = Instance::new(geometry(&mut rng)).at(place(&mut rng, 5.0)).material(3);
        let id = world.insert(instance.clone());
        let ray = ray_at(&instance, &mut rng);
        for hit in world.commit().all_hits(&ray, &Filter::ALL) {
            assert_eq!(hit.instance, id);
            assert_eq!(hit.material, if instance.mesh().is_some() { 0 } else { 3 });
            assert!((hit.normal.length() - 1.0).abs() < 1e-12);
            let against = hit.normal.dot(ray.dir()) <= 1e-6 * ray.dir().length();
            assert!(
                against == (hit.facing == Face::Front)
                    || hit.normal.dot(ray.dir()).abs() < 1e-6 * ray.dir().length()
            );
            // As far as `t` says, which is some digits of the distance.
            let off = (hit.position - ray.at(hit.t)).length();
            let scale = (ray.dir() * hit.t).length() + ray.origin().length() + 10.0;
            assert!(off <= 1e-6 * scale, "{off} at {scale}: {hit:?}");
            hits += 1;
        }
    }
    assert!(hits > 200, "{hits}");
}

#[test]
fn each_shape_reports_its_faces() {
    let mut world = World::new();
    let cube = Aabb::new([-1.0; 3], [1.0; 3]).unwrap();
    world.insert(cube);
    world.insert(
        Instance::new(Obb::new([0.0; 3], DMat3::IDENTITY, [1.0; 3]).unwrap())
            .at(Transform::translation([4.0, 0.0, 0.0]).unwrap()),
    );
    let corners: Vec<[f64; 3]> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from)).collect();
    let hull = ConvexHull::from_points(corners).unwrap();
    let top = hull.planes().iter().position(|plane| plane.normal().z == 1.0).unwrap() as u32;
    world.insert(Instance::new(hull).at(Transform::translation([7.0, 0.0, 0.0]).unwrap()));
    world.insert(Plane::new([0.0, 0.0, 1.0], [0.0, 0.0, -3.0]).unwrap());
    let scene = world.commit();
    let prims = |x: f64| -> Vec<u32> {
        let down = Ray::new([x, 0.5, 9.0], [0.0, 0.0, -1.0]).unwrap();
        scene.all_hits(&down, &Filter::ALL).iter().map(|hit| hit.prim).collect()
    };
    assert_eq!((prims(0.0), prims(4.0)), (vec![5, 4, 0], vec![5, 4, 0]));
    assert_eq!(prims(7.5)[0], top);
    let skipped = Filter::new().skip(hitscan::InstanceId::first(0), 5);
    let down = Ray::new([0.0, 0.5, 9.0], [0.0, 0.0, -1.0]).unwrap();
    assert_eq!(scene.closest(&down, &skipped).unwrap().t, 10.0);
}

/// An object at the end of the world is as exact as one beside the origin.
#[test]
fn far_objects_keep_their_precision() {
    for far in [1.0, 1e3, 1e6, 6.4e6, 1e8] {
        let mut world = World::new();
        let at = Transform::translation([far, -far, far]).unwrap();
        let ball = world.insert(Instance::new(Sphere::new([0.0; 3], 0.5).unwrap()).at(at));
        let quad = hitscan::Mesh::new(
            [[-1.0f32, -1.0, 0.125], [1.0, -1.0, 0.125], [1.0, 1.0, 0.125], [-1.0, 1.0, 0.125]],
            [[0u32, 1, 2], [0, 2, 3]],
        );
        let quad = world.insert(Instance::new(quad.unwrap()).at(at));
        let shot = Ray::new([far + 0.25, -far, far + 2.0], [0.0, 0.0, -1.0]).unwrap();
        let hits = world.commit().all_hits(&shot, &Filter::ALL);
        let edge = 0.1875f64.sqrt();
        let expected = [(ball, 2.0 - edge), (quad, 1.875), (ball, 2.0 + edge)];
        for (hit, (id, t)) in hits.iter().zip(expected) {
            assert_eq!(hit.instance, id);
            assert!((hit.t - t).abs() <= 1e-12, "{far}: {} is not {t}", hit.t);
        }
        assert_eq!(hits.len(), 3);
    }
}

/// A shooter so far away that `t` cannot tell where on a tiny shape it hits: the hit is on it all the same.
#[test]
fn tiny_shapes_are_hit_on_their_surface_from_afar() {
    for radius in [1.0, 1e-9, 1e-12, 1e-170] {
        let mut world = World::new();
        let ball = world.insert(Sphere::new([0.0; 3], radius).unwrap());
        world.insert(Capsule::new([0.0; 3], [0.0, radius, 0.0], radius).unwrap());
        for distance in [3.0 * radius, 1.0, 1e8] {
            let ray = Ray::new([distance, 0.0, 0.0], [-1.0, 0.0, 0.0]).unwrap();
            let hits = world.commit().all_hits(&ray, &Filter::ALL);
            assert!(!hits.is_empty(), "{radius} at {distance}");
            for hit in hits {
                assert!(hit.position.is_finite() && (hit.normal.length() - 1.0).abs() < 1e-12, "{hit:?}");
                assert_eq!(hit, hit);
                if hit.instance == ball {
                    let side = if hit.facing == Face::Front { 1.0 } else { -1.0 };
                    assert_eq!(
                        (hit.position.x, hit.normal.x),
                        (side * radius, side),
                        "{radius} at {distance}"
                    );
                }
            }
        }
    }
}

#[test]
fn what_is_met_beyond_all_numbers_is_a_miss() {
    let plane = Plane::new([1e-300, 1.0, 0.0], [0.0; 3]).unwrap();
    let large = Transform::new(DMat3::from_diagonal(DVec3::splat(2f64.powi(90))), [0.0; 3]).unwrap();
    let rays: Vec<Ray> = [1e-15, 1.0, 1e15, 1e59]
        .into_iter()
        .flat_map(|size| [-size, size].map(|x| Ray::new([0.0, 1e20, 0.0], [x, 0.0, 0.0]).unwrap()))
        .collect();
    let mut misses = 0;
    for transform in [Transform::IDENTITY, large] {
        let mut world = World::new();
        world.insert(Instance::new(plane).at(transform));
        let scene = world.commit();
        let lists = scene.all_hits_batch(&rays, &Filter::ALL);
        assert_eq!(lists.len(), rays.len());
        for (ray, list) in rays.iter().zip(lists.iter()) {
            let hits = scene.all_hits(ray, &Filter::ALL);
            for hit in &hits {
                let place = hit.position.is_finite() && hit.normal.is_finite();
                assert!(place && hit.t.is_finite() && hit.distance.is_finite(), "{ray:?}: {hit:?}");
            }
            assert_eq!(list, hits, "{ray:?}");
            assert_eq!(scene.closest(ray, &Filter::ALL), hits.first().copied(), "{ray:?}");
            assert_eq!(scene.occluded(ray, &Filter::ALL), !hits.is_empty(), "{ray:?}");
            misses += usize::from(hits.is_empty());
        }
    }
    assert!(misses > 4, "{misses} misses");
    let scene = alone_in_a_world(plane);
    assert_agrees(&scene, &rays);
    let ray = Ray::new([0.0, 1e20, 0.0], [-1e15, 0.0, 0.0]).unwrap();
    assert_eq!(scene.closest(&ray, &Filter::ALL), None);
}

fn alone_in_a_world(geometry: impl Into<Geometry>) -> Scene {
    let mut world = World::new();
    world.insert(Instance::new(geometry));
    world.commit()
}
