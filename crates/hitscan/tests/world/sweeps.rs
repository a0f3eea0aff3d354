//! Moving spheres and capsules in a world, against a plain list of its triangles, on bits, and against its solids by planes that
//! part them: where a plane has the solid on one side and the moving shape on the other, and both touch it, they touch.

use std::cmp::Ordering;

use hitscan::glam::{DMat3, DVec3};
use hitscan::intersect::{Motion, Sweep, sweep_capsule_plane, sweep_capsule_triangle};
use hitscan::shape::{Aabb, Capsule, Plane, Sphere};
use hitscan::{
    Candidate, Face, Facing, Filter, Geometry, Instance, InstanceId, Scene, SweepHit, Transform, Verdict,
    World,
};
use hitscan_oracle::{Rng, rng};

use crate::bodies::{is_round, point_of, support, triangles};
use crate::support::{geometry, place};

/// A capsule, or where both ends are one place a sphere, that moves towards something or just past it.
fn moving(instance: &Instance, rng: &mut Rng) -> (Capsule, Motion) {
    let target = point_of(instance, rng);
    let a = target + DVec3::from(rng.direction()) * rng.any_size(0.05, 30.0);
    let b = if rng.one_in(2) { a } else { a + DVec3::from(rng.in_cube(1.5)) };
    let by = (target - a) * rng.range(0.0, 2.0) + DVec3::from(rng.in_cube(0.5));
    (Capsule::new(a, b, rng.any_size(0.01, 1.0)).unwrap(), Motion::new(by).unwrap())
}

/// Asks as a sphere where it is one.
fn ask(scene: &Scene, capsule: &Capsule, motion: &Motion, filter: &Filter<'_>) -> Option<SweepHit> {
    let found = scene.sweep_capsule(capsule, motion, filter);
    if capsule.a() == capsule.b() {
        let sphere = Sphere::new(capsule.a(), capsule.radius()).unwrap();
        assert_eq!(scene.sweep_sphere(&sphere, motion, filter), found);
        assert_eq!(scene.sweep_sphere_batch(&[(sphere, *motion)], filter), [found]);
    }
    assert_eq!(scene.sweep_capsule_batch(&[(*capsule, *motion)], filter), [found]);
    found
}

/// When, how deep, where and what, as bits.
fn bits(instance: InstanceId, prim: u32, sweep: &Sweep) -> (InstanceId, u32, u64, [u64; 6]) {
    let (p, n) = (sweep.position(), sweep.normal());
    let key = match *sweep {
        Sweep::Hit { t, .. } => t,
        Sweep::Touching { depth, .. } => -1.0 - depth,
    };
    (instance, prim, key.to_bits(), [p.x, p.y, p.z, n.x, n.y, n.z].map(f64::to_bits))
}

fn order(a: &Sweep, b: &Sweep) -> Ordering {
    let rank = |sweep: &Sweep| match *sweep {
        Sweep::Touching { depth, .. } => (0, -depth),
        Sweep::Hit { t, .. } => (1, t),
    };
    rank(a).partial_cmp(&rank(b)).expect("numbers")
}

#[test]
fn triangles_are_met_as_in_a_plain_list() {
    let mut rng = Rng::new(rng::seed(891));
    let mut outcomes = [0; 3];
    for round in 0..60 {
        let (mut world, mut masks) = (World::new(), Vec::new());
        while world.iter().count() < 25 {
            let geometry = geometry(&mut rng);
            if matches!(geometry, Geometry::Mesh(_) | Geometry::Heightfield(_)) {
                let (far, mask) = ([3.0, 8.0, 20.0][round % 3], 1 << rng.below(2));
                world.insert(Instance::new(geometry).at(place(&mut rng, far)).mask(mask));
                masks.push(mask);
            }
        }
        let instances: Vec<(InstanceId, Instance)> =
            world.iter().map(|(id, instance)| (id, instance.clone())).collect();
        let scene = world.commit();
        for _ in 0..100 {
            let (capsule, motion) = moving(&instances[rng.below(25)].1, &mut rng);
            let about = capsule.a();
            let seen = Capsule::new(DVec3::ZERO, capsule.b() - about, capsule.radius()).unwrap();
            let facing = rng.pick(&[Facing::Both, Facing::Front, Facing::Back]);
            let skip = rng.below(12) as u32;
            let odd =
                |c: &Candidate| if c.prim.is_multiple_of(3) { Verdict::Ignore } else { Verdict::Accept };
            let mask = rng.pick(&[1, 2, 3]);
            let skipped = instances[rng.below(25)].0;
            let filter = Filter::new().mask(mask).facing(facing).skip(skipped, skip);
            let judges = rng.one_in(3);
            let filter = if judges { filter.judge(&odd) } else { filter };
            let mut best: Option<(InstanceId, u32, Sweep)> = None;
            for ((id, instance), own) in instances.iter().zip(&masks) {
                if mask & own == 0 {
                    continue;
                }
                for (prim, triangle) in triangles(instance, about) {
                    let Some(sweep) = sweep_capsule_triangle(&seen, &motion, &triangle) else { continue };
                    let along = triangle.cross().dot(sweep.normal());
                    let front = along >= 0.0;
                    let wanted = match facing {
                        Facing::Both => true,
                        Facing::Front => front,
                        Facing::Back => !front,
                    };
                    if !wanted || (*id == skipped && prim == skip) || (judges && prim % 3 == 0) {
                        continue;
                    }
                    let is_first = best.is_none_or(|(first, number, found)| {
                        order(&sweep, &found).then((*id, prim).cmp(&(first, number))).is_lt()
                    });
                    if is_first {
                        best = Some((*id, prim, sweep));
                    }
                }
            }
            let moved = |sweep: Sweep| match sweep {
                Sweep::Hit { t, position, normal } => Sweep::Hit { t, position: about + position, normal },
                Sweep::Touching { depth, position, normal } => {
                    Sweep::Touching { depth, position: about + position, normal }
                }
            };
            let expected = best.map(|(id, prim, sweep)| bits(id, prim, &moved(sweep)));
            let found = ask(&scene, &capsule, &motion, &filter);
            assert_eq!(
                found.map(|hit| bits(hit.instance, hit.prim, &hit.sweep)),
                expected,
                "{capsule:?} {motion:?}"
            );
            outcomes[match found.map(|hit| hit.sweep) {
                None => 0,
                Some(Sweep::Hit { .. }) => 1,
                Some(Sweep::Touching { .. }) => 2,
            }] += 1;
        }
    }
    assert!(outcomes.iter().all(|&count| count > 200), "{outcomes:?}");
}

/// How near the answers for a solid are to the truth: round ones that were stretched go by steps.
fn slack(instance: &Instance, sizes: f64) -> f64 {
    sizes * if is_round(instance) { 1e-7 } else { 1e-9 }
}

#[test]
fn solids_are_met_where_a_plane_parts_them() {
    let mut rng = Rng::new(rng::seed(892));
    let mut outcomes = [[0; 3]; 6];
    for _ in 0..6_000 {
        let geometry = geometry(&mut rng);
        let kind = match &geometry {
            Geometry::Sphere(_) => 0,
            Geometry::Aabb(_) => 1,
            Geometry::Obb(_) => 2,
            Geometry::ConvexHull(_) => 3,
            Geometry::Capsule(_) => 4,
            Geometry::Plane(_) => 5,
            _ => continue,
        };
        let turned = if rng.one_in(3) {
            Transform::new(crate::support::turn(&mut rng) * rng.any_size(0.2, 5.0), rng.in_cube(9.0)).unwrap()
        } else {
            place(&mut rng, 9.0)
        };
        let instance = Instance::new(geometry).at(turned).material(9);
        let mut world = World::new();
        let id = world.insert(instance.clone());
        let scene = world.commit();
        let (capsule, motion) = moving(&instance, &mut rng);
        let found = ask(&scene, &capsule, &motion, &Filter::ALL);
        let context = || format!("{instance:?}\n{capsule:?} {motion:?}\n{found:?}");
        let at = |t: f64| [capsule.a() + motion.by() * t, capsule.b() + motion.by() * t];
        let low = |ends: [DVec3; 2], n: DVec3| ends[0].dot(n).min(ends[1].dot(n)) - capsule.radius();
        let slack = slack(&instance, 60.0);
        if let Some(hit) = found {
            assert_eq!((hit.instance, hit.material), (id, 9), "{}", context());
        }
        if let Geometry::Plane(plane) = instance.geometry() {
            outcomes[kind][check_plane(plane, &instance, &capsule, &motion, found.map(|hit| hit.sweep))] += 1;
            continue;
        }
        outcomes[kind][match found.map(|hit| hit.sweep) {
            None => {
                // No point of the solid is within the radius of the segment at any time.
                for _ in 0..200 {
                    let (point, t) = (point_of(&instance, &mut rng), rng.unit());
                    let [a, b] = at(t);
                    let place = ((point - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
                    let nearest = a + (b - a) * if place.is_nan() { 0.0 } else { place };
                    assert!(nearest.distance(point) >= capsule.radius() - slack, "{} at {t}", context());
                }
                0
            }
            Some(Sweep::Hit { t, position, normal }) => {
                assert!((0.0..=1.0).contains(&t) && (normal.length() - 1.0).abs() < 1e-9, "{}", context());
                let (solid, capsule_low) = (support(&instance, normal), low(at(t), normal));
                assert!((solid - capsule_low).abs() <= slack, "{}: {solid} {capsule_low}", context());
                assert!((position.dot(normal) - solid).abs() <= slack, "{}", context());
                assert!(motion.by().dot(normal) < slack, "{}", context());
                1
            }
            Some(Sweep::Touching { depth, position, normal }) => {
                assert!(depth >= 0.0 && (normal.length() - 1.0).abs() < 1e-9, "{}", context());
                // The depth parts them along the normal, and no less does.
                let (solid, capsule_low) = (support(&instance, normal), low(at(0.0), normal) + depth);
                assert!((solid - capsule_low).abs() <= slack, "{}: {solid} {capsule_low}", context());
                assert!((position.dot(normal) - solid).abs() <= slack, "{}", context());
                2
            }
        }] += 1;
    }
    assert!(outcomes.iter().flatten().all(|&count| count > 40), "{outcomes:?}");
}

/// A plane stays one in any place, so the pair's own test says it, up to how the plane was moved.
fn check_plane(
    plane: &Plane,
    instance: &Instance,
    capsule: &Capsule,
    motion: &Motion,
    found: Option<Sweep>,
) -> usize {
    let transform = instance.transform();
    let normal = transform.inverse().transpose() * plane.normal();
    let point = transform.point(plane.normal() * -plane.offset());
    let placed = Plane::new(normal, point).unwrap();
    let expected = sweep_capsule_plane(capsule, motion, &placed);
    match (expected, found) {
        (None, None) => 0,
        (Some(Sweep::Hit { t: a, normal: m, .. }), Some(Sweep::Hit { t: b, normal: n, .. })) => {
            assert!((a - b).abs() < 1e-9 && m.distance(n) < 1e-9, "{a} {b}");
            1
        }
        (Some(Sweep::Touching { depth: a, .. }), Some(Sweep::Touching { depth: b, .. })) => {
            assert!((a - b).abs() < 1e-9, "{a} {b}");
            2
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_crowd_is_met_at_the_first_of_its_members() {
    let mut rng = Rng::new(rng::seed(893));
    let mut hits = 0;
    for _ in 0..40 {
        let mut world = World::new();
        for _ in 0..30 {
            world.insert(Instance::new(geometry(&mut rng)).at(place(&mut rng, 8.0)));
        }
        let instances: Vec<(InstanceId, Instance)> =
            world.iter().map(|(id, instance)| (id, instance.clone())).collect();
        let alone: Vec<Scene> = instances
            .iter()
            .map(|(_, instance)| {
                let mut world = World::new();
                world.insert(instance.clone());
                world.commit()
            })
            .collect();
        let scene = world.commit();
        for _ in 0..60 {
            let (capsule, motion) = moving(&instances[rng.below(30)].1, &mut rng);
            let each = instances.iter().zip(&alone).filter_map(|((id, _), scene)| {
                let hit = scene.sweep_capsule(&capsule, &motion, &Filter::ALL)?;
                Some((*id, hit.prim, hit.sweep))
            });
            let first =
                each.reduce(|best, other| if order(&other.2, &best.2).is_lt() { other } else { best });
            let found = ask(&scene, &capsule, &motion, &Filter::ALL);
            let bits_of = |(id, prim, sweep): (InstanceId, u32, Sweep)| bits(id, prim, &sweep);
            assert_eq!(found.map(|hit| bits(hit.instance, hit.prim, &hit.sweep)), first.map(bits_of));
            hits += usize::from(found.is_some());
        }
    }
    assert!(hits > 1_000, "{hits}");
}

#[test]
fn far_from_the_origin_as_near_to_it() {
    let mut rng = Rng::new(rng::seed(894));
    let mut hits = 0;
    for _ in 0..300 {
        let geometry = geometry(&mut rng);
        let here = place(&mut rng, 0.0);
        let far = DVec3::new(6_400_000.0, -1_048_576.0, 123_456.0);
        let moved = Transform::new(here.matrix(), far).unwrap();
        let [near, away] = [here, moved].map(|transform| {
            let mut world = World::new();
            world.insert(Instance::new(geometry.clone()).at(transform));
            world.commit()
        });
        let (capsule, motion) = moving(near.iter().next().expect("one").1, &mut rng);
        // On a grid that both places have.
        let grid = |p: DVec3| (p * 1024.0).round() / 1024.0;
        let [a, b] = [grid(capsule.a()), grid(capsule.b())];
        let here = Capsule::new(a, b, capsule.radius()).unwrap();
        let there = Capsule::new(a + far, b + far, capsule.radius()).unwrap();
        let found = [(&near, here), (&away, there)].map(|(scene, capsule)| {
            let hit = scene.sweep_capsule(&capsule, &motion, &Filter::ALL);
            hit.map(|hit| (hit.prim, hit.sweep.t(), hit.sweep.normal()))
        });
        assert_eq!(found[0], found[1], "{geometry:?} {here:?} {motion:?}");
        hits += usize::from(found[0].is_some());
    }
    assert!(hits > 100, "{hits}");
}

#[test]
fn a_stretched_capsule_is_met_where_both_surfaces_are() {
    let stretched = |matrix: DMat3| {
        let mut world = World::new();
        let bar = Capsule::new([-5.0, 0.0, 0.0], [5.0, 0.0, 0.0], 1.0).unwrap();
        world.insert(Instance::new(bar).at(Transform::new(matrix, [0.0; 3]).unwrap()));
        world.commit()
    };
    let wide = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 2.0));
    let fall = Motion::new([0.0, -5.0, 0.0]).unwrap();
    for [x, slant] in [[0.0, 0.0], [3.0, 0.0], [-2.0, 0.5], [1.0, -1.0]] {
        let bat = Capsule::new([x, 4.0 - slant, -5.0], [x, 4.0 + slant, 5.0], 0.5).unwrap();
        let hit = stretched(wide).sweep_capsule(&bat, &fall, &Filter::ALL).expect("across the bar");
        let position = hit.sweep.position();
        let local = position / DVec3::new(1.0, 1.0, 2.0);
        let away = local - DVec3::new(local.x.clamp(-5.0, 5.0), 0.0, 0.0);
        assert!((away.length() - 1.0).abs() < 1e-6, "on the bar: {hit:?}");
        let (a, b) = (bat.a() + fall.by() * hit.sweep.t(), bat.b() + fall.by() * hit.sweep.t());
        let along = ((position - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        assert!((position.distance(a.lerp(b, along)) - 0.5).abs() < 1e-6, "on the bat: {hit:?}");
        assert!((position.x - x).abs() < 1e-4, "{hit:?}");
    }
}

#[test]
fn sides_are_those_that_rays_see() {
    let mesh =
        hitscan::Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    for mirror in [1.0, -1.0] {
        let mut world = World::new();
        let turned = Transform::new(DMat3::from_diagonal(DVec3::new(mirror, 1.0, 1.0)), [0.0; 3]).unwrap();
        world.insert(Instance::new(&mesh).at(turned));
        let scene = world.commit();
        for way in [1.0, -1.0] {
            let from = DVec3::new(0.25 * mirror, 0.25, way);
            let ray = hitscan::Ray::new(from, [0.0, 0.0, -way]).unwrap();
            let facing = scene.closest(&ray, &Filter::ALL).expect("it is there").facing;
            let same = Filter::new().facing(if facing == Face::Front { Facing::Front } else { Facing::Back });
            let other =
                Filter::new().facing(if facing == Face::Front { Facing::Back } else { Facing::Front });
            let (ball, motion) = (Sphere::new(from, 0.125).unwrap(), Motion::new([0.0, 0.0, -way]).unwrap());
            assert!(scene.sweep_sphere(&ball, &motion, &same).is_some());
            assert!(scene.sweep_sphere(&ball, &motion, &other).is_none());
            assert!(
                scene.closest_point(from, &same).is_some() && scene.closest_point(from, &other).is_none()
            );
        }
    }
}

#[test]
fn a_ball_on_the_axis_of_a_capsule_is_parted_across_it() {
    let pill = Capsule::new([0.0, 0.1, 0.0], [0.0, 1.7, 0.0], 0.5).unwrap();
    let mut world = World::new();
    let id = world.insert(pill);
    let scene = world.commit();
    for height in [0.1, 0.7, 0.9, 1.3] {
        let ball = Sphere::new([0.0, height, 0.0], 0.25).unwrap();
        let rest = Motion::new([0.0; 3]).unwrap();
        let hit = scene.sweep_sphere(&ball, &rest, &Filter::ALL).expect("it is inside");
        let Sweep::Touching { depth, normal, .. } = hit.sweep else { panic!("{hit:?}") };
        assert!((depth - 0.75).abs() < 1e-12 && normal.y.abs() < 1e-9, "{hit:?}");
        let nearest = scene.closest_point([0.0, height, 0.0], &Filter::ALL).expect("it is there");
        assert!((nearest.distance - 0.5).abs() < 1e-12 && (nearest.position.y - height).abs() < 1e-9);
        // Skipped as a whole, whichever part is named.
        for part in 0..3 {
            let skip = Filter::new().skip(id, part);
            assert!(scene.sweep_sphere(&ball, &rest, &skip).is_none());
            assert!(scene.closest_point(ball.centre(), &skip).is_none());
            assert!(scene.overlap_sphere(&ball, &skip).is_empty());
        }
    }
}

#[test]
fn what_others_there_are_does_not_change_an_answer() {
    let huge = Instance::new(Aabb::new([2f64.powi(99); 3], [2f64.powi(100); 3]).unwrap()).at(Transform::new(
        DMat3::from_diagonal(DVec3::splat(2f64.powi(100))),
        [0.0; 3],
    )
    .unwrap());
    let flat = 0.75 * 2f64.powi(-100);
    let tilted = DMat3::from_rotation_z(std::f64::consts::FRAC_PI_4)
        * DMat3::from_diagonal(DVec3::new(flat, flat, flat * 2.0));
    let steep = Instance::new(Plane::new([1.0, 1.0, 0.0], [0.0; 3]).unwrap())
        .at(Transform::new(tilted, [0.0; 3]).unwrap());
    let mut world = World::new();
    let ball = world.insert(Sphere::new([0.0; 3], 1.0).unwrap());
    world.insert(huge);
    let plane = world.insert(steep);
    let scene = world.commit();
    let here = Sphere::new([0.0; 3], 0.5).unwrap();
    let touched = scene.overlap_sphere(&here, &Filter::ALL);
    assert_eq!(touched.iter().map(|t| t.instance).collect::<Vec<_>>(), [ball, plane]);
    assert_eq!(scene.containing([0.5, 0.0, 0.0], hitscan::Rule::Parity, &Filter::ALL), Ok(vec![ball]));
    assert_eq!(scene.closest_point([0.0, 3.0, 0.0], &Filter::ALL).map(|near| near.instance), Some(ball));
    assert!(scene.closest_point([1e31, 0.0, 0.0], &Filter::ALL).is_none());
    // Far apart, and never together.
    let mut world = World::new();
    world.insert(Sphere::new([2f64.powi(100), 0.0, 0.0], 2f64.powi(98)).unwrap());
    let far = Sphere::new([-(2f64.powi(100)), 0.0, 0.0], 2f64.powi(98)).unwrap();
    let half = Motion::new([2f64.powi(100), 0.0, 0.0]).unwrap();
    assert!(world.commit().sweep_sphere(&far, &half, &Filter::ALL).is_none());
}

#[test]
fn sides_count_and_what_stops_is_the_first_anyway() {
    let mut world = World::new();
    let ground = world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3]).unwrap());
    let scene = world.commit();
    let fall = Motion::new([0.0, -8.0, 0.0]).unwrap();
    let above = Sphere::new([0.0, 4.0, 0.0], 1.0).unwrap();
    let below = Sphere::new([0.0, -4.0, 0.0], 1.0).unwrap();
    let rise = Motion::new([0.0, 8.0, 0.0]).unwrap();
    let front = Filter::new().facing(Facing::Front);
    let back = Filter::new().facing(Facing::Back);
    assert!(scene.sweep_sphere(&above, &fall, &front).is_some());
    assert!(scene.sweep_sphere(&above, &fall, &back).is_none());
    assert!(scene.sweep_sphere(&below, &rise, &front).is_none());
    assert!(scene.sweep_sphere(&below, &rise, &back).is_some());
    let seen = std::sync::Mutex::new(Vec::new());
    let stop = |c: &Candidate| {
        seen.lock().unwrap().push((c.instance, c.t, c.facing));
        Verdict::Stop
    };
    assert!(scene.sweep_sphere(&above, &fall, &Filter::new().judge(&stop)).is_some());
    assert_eq!(*seen.lock().unwrap(), [(ground, 0.375, Face::Front)]);
}

/// Across an axis a place is known far better than along it.
#[test]
fn what_is_near_the_axis_of_a_long_capsule_is_on_its_own_side() {
    for along in [DVec3::X, DVec3::new(2.0, -3.0, 6.0) / 7.0] {
        let side = along.cross(DVec3::new(0.3, 0.4, -1.0)).normalize();
        let end = along * 1e6;
        let capsule = Capsule::new(-end, end, 1e-5).unwrap();
        let mut world = World::new();
        world.insert(capsule);
        let scene = world.commit();
        for middle in [DVec3::ZERO, along * 0.37] {
            let centre = middle + side * 5e-6;
            let near = scene.closest_point(centre, &Filter::ALL).expect("it is there");
            assert!((near.distance - 5e-6).abs() < 1e-9, "{along} {middle}: {near:?}");
            let (ball, rest) = (Sphere::new(centre, 1e-6).unwrap(), Motion::new([0.0; 3]).unwrap());
            let hit = scene.sweep_sphere(&ball, &rest, &Filter::ALL).expect("it is inside");
            assert!(hit.sweep.normal().dot(side) > 1.0 - 1e-6, "{along} {middle}: {hit:?}");
        }
        // Beyond the end of the axis the nearest way is on along it.
        let near = scene.closest_point(end + along * 5e-6, &Filter::ALL).expect("it is there");
        assert!((near.distance - 5e-6).abs() < 1e-9, "{along}: {near:?}");
    }
    let mut world = World::new();
    world.insert(Capsule::new([-1e12, 0.0, 0.0], [1e12, 0.0, 0.0], 10.0).unwrap());
    let near = world.commit().closest_point([0.0, 0.0, 5.0], &Filter::ALL).expect("it is there");
    assert!((near.distance - 5.0).abs() < 1e-6 && near.position.z > 9.0, "{near:?}");
}
