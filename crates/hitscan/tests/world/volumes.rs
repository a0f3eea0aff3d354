//! What touches a sphere or a box, the nearest point, and what holds a point, in a world: on bits against a plain list of its
//! triangles, and against its solids by points of them and by planes.

use hitscan::glam::{DMat3, DVec3};
use hitscan::intersect::{point_triangle, sphere_triangle, triangle_aabb, triangle_obb};
use hitscan::shape::{Aabb, Obb, Sphere};
use hitscan::{
    Buffer, Build, Candidate, ClosestPoint, Filter, Geometry, Instance, InstanceId, Mesh, Overlap, Preset,
    Rule, Scene, SignedAxis, Transform, Verdict, World,
};
use hitscan_oracle::{Rng, rng};

use crate::bodies::{holds, mesh_of, point_of, support, triangles};
use crate::support::{bits as bits_of, geometry, place, turn};

fn crowd(rng: &mut Rng, members: usize, far: f64) -> (Vec<(InstanceId, Instance)>, Scene) {
    let mut world = World::new();
    for _ in 0..members {
        world.insert(Instance::new(geometry(rng)).at(place(rng, far)));
    }
    (world.iter().map(|(id, instance)| (id, instance.clone())).collect(), world.commit())
}

fn pairs(found: &[Overlap]) -> Vec<(InstanceId, u32)> {
    found.iter().map(|touched| (touched.instance, touched.prim)).collect()
}

/// The triangles of a list that something holds of, and the shapes that were found, whose turn comes elsewhere.
fn expected(
    instances: &[(InstanceId, Instance)],
    about: DVec3,
    touches: impl Fn(&hitscan::shape::Triangle) -> bool,
) -> Vec<(InstanceId, u32)> {
    let of = |(id, instance): &(InstanceId, Instance)| {
        let touched = triangles(instance, about).into_iter().filter(|(_, triangle)| touches(triangle));
        touched.map(|(prim, _)| (*id, prim)).collect::<Vec<_>>()
    };
    instances.iter().flat_map(of).collect()
}

/// Only those of triangles.
fn of_meshes(instances: &[(InstanceId, Instance)], found: Vec<(InstanceId, u32)>) -> Vec<(InstanceId, u32)> {
    let is_mesh = |id: InstanceId| mesh_of(&instances[id.slot() as usize].1).is_some();
    found.into_iter().filter(|&(id, _)| is_mesh(id)).collect()
}

#[test]
fn triangles_that_touch_are_those_of_a_plain_list() {
    let mut rng = Rng::new(rng::seed(901));
    let mut touched = 0;
    for _ in 0..60 {
        let (instances, scene) = crowd(&mut rng, 30, 6.0);
        for _ in 0..12 {
            let centre = point_of(&instances[rng.below(30)].1, &mut rng);
            let sphere = Sphere::new(centre, rng.any_size(0.05, 4.0)).unwrap();
            let found = pairs(&scene.overlap_sphere(&sphere, &Filter::ALL));
            assert!(found.is_sorted());
            let here = Sphere::new(DVec3::ZERO, sphere.radius()).unwrap();
            let list = expected(&instances, centre, |triangle| sphere_triangle(&here, triangle).is_some());
            touched += list.len();
            assert_eq!(of_meshes(&instances, found), list);

            let half = DVec3::new(rng.any_size(0.05, 3.0), rng.any_size(0.05, 3.0), rng.any_size(0.05, 3.0));
            let bounds = Aabb::new(centre - half, centre + half).unwrap();
            let found = pairs(&scene.overlap_aabb(&bounds, &Filter::ALL));
            let list = expected(&instances, DVec3::ZERO, |triangle| triangle_aabb(triangle, &bounds));
            touched += list.len();
            assert_eq!(of_meshes(&instances, found), list);

            let bounds = Obb::new(centre, turn(&mut rng), half).unwrap();
            let found = pairs(&scene.overlap_obb(&bounds, &Filter::ALL));
            let list = expected(&instances, DVec3::ZERO, |triangle| triangle_obb(triangle, &bounds));
            touched += list.len();
            assert_eq!(of_meshes(&instances, found), list);
            assert_eq!(
                scene.overlap_obb_batch(&[bounds], &Filter::ALL)[0],
                scene.overlap_obb(&bounds, &Filter::ALL)
            );
        }
    }
    assert!(touched > 5_000, "{touched}");
}

/// Points that lie in a part of space.
type Inside<'a> = &'a dyn Fn(DVec3) -> bool;

/// Whether what was said of a solid agrees with points in both, and with planes between them.
fn check_solid(
    instance: &Instance,
    said: bool,
    inside: Inside<'_>,
    region_support: &dyn Fn(DVec3) -> f64,
    own: &[DVec3],
    rng: &mut Rng,
) -> (bool, bool) {
    let mut common = own.iter().any(|&point| holds(instance, point));
    for _ in 0..60 {
        let point = point_of(instance, rng);
        // Points of the surface are off by rounding.
        common |= inside(point) && holds(instance, point);
    }
    let parted = (0..60).any(|_| {
        let along = DVec3::from(rng.direction());
        support(instance, along) < -region_support(-along) - 1e-6
    });
    assert!(!(common && parted), "the test contradicts itself: {instance:?}");
    assert!(!common || said, "{instance:?} has a point in it");
    assert!(!parted || !said, "{instance:?} lies behind a plane");
    (common, parted)
}

#[test]
fn solids_that_touch_have_a_point_in_common_and_others_a_plane_between() {
    let mut rng = Rng::new(rng::seed(902));
    let (mut together, mut apart) = (0, 0);
    for _ in 0..3_000 {
        let (instances, scene) = crowd(&mut rng, 1, 2.0);
        let instance = &instances[0].1;
        if mesh_of(instance).is_some() || matches!(instance.geometry(), Geometry::Plane(_)) {
            continue;
        }
        let centre = DVec3::from(rng.in_cube(6.0));
        let radius = rng.any_size(0.1, 4.0);
        let sphere = Sphere::new(centre, radius).unwrap();
        let half = DVec3::new(rng.any_size(0.1, 3.0), rng.any_size(0.1, 3.0), rng.any_size(0.1, 3.0));
        let (straight, turned) = (
            Aabb::new(centre - half, centre + half).unwrap(),
            Obb::new(centre, turn(&mut rng), half).unwrap(),
        );
        let axes = turned.axes();
        let mut own: Vec<DVec3> = (0..60)
            .map(|_| centre + DVec3::from(rng.direction()) * (radius * rng.unit()))
            .filter(|&point| sphere.contains(point))
            .collect();
        own.push(centre);
        let of_box = |axes: DMat3, rng: &mut Rng| -> Vec<DVec3> {
            let part = |rng: &mut Rng| DVec3::from(rng.in_cube(1.0)) * half * (1.0 - 1e-12);
            (0..60).map(|_| centre + axes * part(rng)).collect()
        };
        let (in_straight, in_turned) = (of_box(DMat3::IDENTITY, &mut rng), of_box(axes, &mut rng));
        let said = |found: Vec<Overlap>| !found.is_empty();
        let answers = [
            check_solid(
                instance,
                said(scene.overlap_sphere(&sphere, &Filter::ALL)),
                &|point| sphere.contains(point),
                &|along| along.dot(centre) + radius,
                &own,
                &mut rng,
            ),
            check_solid(
                instance,
                said(scene.overlap_aabb(&straight, &Filter::ALL)),
                &|point| straight.contains(point),
                &|along| along.dot(centre) + along.abs().dot(half),
                &in_straight,
                &mut rng,
            ),
            check_solid(
                instance,
                said(scene.overlap_obb(&turned, &Filter::ALL)),
                &|point| turned.contains(point),
                &|along| along.dot(centre) + (axes.transpose() * along).abs().dot(half),
                &in_turned,
                &mut rng,
            ),
        ];
        for (common, parted) in answers {
            together += usize::from(common);
            apart += usize::from(parted);
        }
    }
    assert!(together > 200 && apart > 400, "{together} {apart}");
}

#[test]
fn planes_are_touched_where_a_region_reaches_both_sides() {
    let mut world = World::new();
    let tilted = Transform::new(DMat3::from_rotation_z(0.5) * 3.0, [0.0, 2.0, 0.0]).unwrap();
    world.insert(Instance::new(hitscan::shape::Plane::new([0.0, 1.0, 0.0], [0.0; 3]).unwrap()).at(tilted));
    let scene = world.commit();
    let normal = DMat3::from_rotation_z(0.5) * DVec3::Y;
    let at = |height: f64| DVec3::new(0.0, 2.0, 0.0) + normal * height;
    for (height, touches) in [(0.0, true), (0.999, true), (1.001, false), (-0.999, true), (-1.001, false)] {
        let sphere = Sphere::new(at(height), 1.0).unwrap();
        assert_eq!(!scene.overlap_sphere(&sphere, &Filter::ALL).is_empty(), touches, "{height}");
        let aligned = Obb::new(at(height), DMat3::from_rotation_z(0.5), [9.0, 1.0, 2.0]).unwrap();
        assert_eq!(!scene.overlap_obb(&aligned, &Filter::ALL).is_empty(), touches, "{height}");
    }
    assert!(!scene.overlap_aabb(&Aabb::new([-1.0; 3], [3.0; 3]).unwrap(), &Filter::ALL).is_empty());
    assert!(scene.overlap_aabb(&Aabb::new([-1.0; 3], [0.5; 3]).unwrap(), &Filter::ALL).is_empty());
}

#[test]
fn what_only_touches_is_touched() {
    let ball = |x: f64, radius: f64| Sphere::new([x, 0.0, 0.0], radius).unwrap();
    for [own, other] in [[1.0, 1.0], [1.0, 3.0], [3.0, 1.0], [1.0, 4.0], [4.0, 1.0], [0.5, 8.0]] {
        let pill = hitscan::shape::Capsule::new([0.0; 3], [-2.0, 0.0, 0.0], own).unwrap();
        let stretched = Transform::new(DMat3::from_diagonal(DVec3::new(1.0, 2.0, 1.5)), [0.0; 3]).unwrap();
        let kinds: [Instance; 3] =
            [ball(0.0, own).into(), pill.into(), Instance::new(ball(0.0, own)).at(stretched)];
        for instance in kinds {
            let mut world = World::new();
            world.insert(instance);
            let scene = world.commit();
            let there = |x: f64| !scene.overlap_sphere(&ball(x, other), &Filter::ALL).is_empty();
            assert!(there(own + other) && there(own + other - 1e-6) && !there(own + other + 1e-6));
        }
    }
}

#[test]
fn a_hull_of_planes_at_small_angles_is_a_place() {
    let d = 2f64.powi(-21);
    let side = |angle: f64| {
        hitscan::shape::Plane::from_equation([d * angle.cos(), d * angle.sin(), 1.0], -1.0).unwrap()
    };
    let floor = hitscan::shape::Plane::from_equation([0.0, 0.0, -1.0], 0.0).unwrap();
    let third = std::f64::consts::TAU / 3.0;
    let hull = hitscan::shape::ConvexHull::from_planes([floor, side(0.0), side(third), side(2.0 * third)]);
    let mut world = World::new();
    world.insert(hull.unwrap());
    let scene = world.commit();
    let nearest = scene.closest_point([0.0, 0.0, 5.0], &Filter::ALL).unwrap();
    assert!((nearest.distance - 4.0).abs() < 1e-12 && (nearest.position - DVec3::Z).length() < 1e-12);
    let ball = |height: f64| Sphere::new([0.0, 0.0, height], 0.5).unwrap();
    let touched = |height: f64| scene.overlap_sphere(&ball(height), &Filter::ALL).len();
    assert_eq!([touched(1.4), touched(1.6)], [1, 0]);
}

fn bits(found: &ClosestPoint) -> (u64, InstanceId, u32, [u64; 5]) {
    let p = found.position;
    (
        found.distance.to_bits(),
        found.instance,
        found.prim,
        [p.x, p.y, p.z, found.u, found.v].map(f64::to_bits),
    )
}

#[test]
fn the_nearest_point_is_that_of_a_plain_list() {
    let mut rng = Rng::new(rng::seed(903));
    let mut near = 0;
    for round in 0..40 {
        let mut world = World::new();
        while world.iter().count() < 25 {
            let geometry = geometry(&mut rng);
            if matches!(geometry, Geometry::Mesh(_) | Geometry::Heightfield(_)) {
                world.insert(Instance::new(geometry).at(place(&mut rng, [3.0, 20.0][round % 2])));
            }
        }
        let instances: Vec<(InstanceId, Instance)> =
            world.iter().map(|(id, instance)| (id, instance.clone())).collect();
        let scene = world.commit();
        for _ in 0..60 {
            let about = DVec3::from(rng.in_cube(25.0));
            let limit = if rng.one_in(2) { f64::INFINITY } else { rng.any_size(0.1, 20.0) };
            let odd =
                |c: &Candidate| if c.prim.is_multiple_of(2) { Verdict::Ignore } else { Verdict::Accept };
            let judges = rng.one_in(3);
            let filter = if judges { Filter::new().judge(&odd) } else { Filter::ALL };
            let mut best: Option<(f64, InstanceId, u32, [f64; 5])> = None;
            for (id, instance) in &instances {
                for (prim, triangle) in triangles(instance, about) {
                    let near = point_triangle(DVec3::ZERO, &triangle);
                    if near.distance > limit || (judges && prim % 2 == 0) {
                        continue;
                    }
                    if best.is_none_or(|best| (near.distance, *id, prim) < (best.0, best.1, best.2)) {
                        let p = about + near.position;
                        best = Some((near.distance, *id, prim, [p.x, p.y, p.z, near.u, near.v]));
                    }
                }
            }
            let found = scene.closest_point_within(about, limit, &filter);
            let expected = best.map(|(d, id, prim, rest)| (d.to_bits(), id, prim, rest.map(f64::to_bits)));
            assert_eq!(found.as_ref().map(bits), expected);
            near += usize::from(found.is_some());
            if limit == f64::INFINITY {
                assert_eq!(scene.closest_point(about, &filter), found);
                assert_eq!(scene.closest_point_batch(&[about], &filter), [found]);
            }
        }
    }
    assert!(near > 1_000, "{near}");
}

#[test]
fn the_nearest_point_of_a_solid_is_on_it_and_no_other_is_nearer() {
    let mut rng = Rng::new(rng::seed(904));
    let (mut inside, mut outside) = (0, 0);
    for _ in 0..3_000 {
        let (instances, scene) = crowd(&mut rng, 1, 3.0);
        let instance = &instances[0].1;
        if mesh_of(instance).is_some() {
            continue;
        }
        let deep = rng.one_in(2) && !matches!(instance.geometry(), Geometry::Plane(_));
        let point = if deep {
            point_of(instance, &mut rng).lerp(point_of(instance, &mut rng), 0.5)
        } else {
            DVec3::from(rng.in_cube(9.0))
        };
        let found = scene.closest_point(point, &Filter::ALL).expect("there is a solid");
        let context = || format!("{instance:?} {point}: {found:?}");
        assert!((found.distance - point.distance(found.position)).abs() < 1e-9, "{}", context());
        if let Geometry::Plane(_) = instance.geometry() {
            for _ in 0..50 {
                let other = point_of(instance, &mut rng);
                assert!(other.distance(point) >= found.distance - 1e-9, "{}", context());
            }
            continue;
        }
        let away = point - found.position;
        for _ in 0..100 {
            let along = DVec3::from(rng.direction());
            assert!(found.position.dot(along) <= support(instance, along) + 1e-6, "{}: not on it", context());
        }
        if holds(instance, point) {
            inside += usize::from(found.distance > 1e-2);
            // The ball around the point up to the surface stays inside.
            let sure = 1e-6;
            let on_ball =
                |rng: &mut Rng| point + DVec3::from(rng.direction()) * (found.distance * (1.0 - sure));
            let outside = (0..100).filter(|_| !holds(instance, on_ball(&mut rng))).count();
            assert!(outside == 0 || found.distance < 1e-6, "{}: {outside} of 100", context());
            // Just beyond it is outside.
            let beyond = found.position - away * sure;
            assert!(found.distance <= 1e-2 || !holds(instance, beyond), "{}", context());
        } else if found.distance > 1e-6 {
            outside += 1;
            let normal = away.normalize();
            let reach = support(instance, normal);
            assert!((reach - normal.dot(found.position)).abs() < 1e-6, "{}: {reach}", context());
        }
    }
    assert!(inside > 300 && outside > 300, "{inside} {outside}");
}

/// Where a placement is nearly singular, the way back into its frame loses most digits; what is judged there is judged alike in any company.
#[test]
fn nearly_singular_placements_hold_what_their_frames_hold() {
    let mut rng = Rng::new(rng::seed(907));
    let cube = Aabb::new([-1.0; 3], [1.0; 3]).unwrap();
    let (mut held, mut off) = (0, 0);
    for _ in 0..20_000 {
        let [a, b, aside] = [0; 3].map(|_| DVec3::from(rng.in_cube(1.0)));
        let c = a * rng.range(-1.0, 1.0)
            + b * rng.range(-1.0, 1.0)
            + aside * 10f64.powi(-15 + rng.below(4) as i32);
        let Ok(place) = Transform::new(DMat3::from_cols(a, b, c), [0.0; 3]) else { continue };
        let corner = DVec3::from([0; 3].map(|_| if rng.one_in(2) { 0.99 } else { -0.99 }));
        let mut point = place.point(corner.to_array());
        for _ in 0..30 {
            point += place.matrix() * (corner - place.inverse() * point);
        }
        if !cube.contains(place.inverse() * point) {
            continue;
        }
        held += 1;
        off += usize::from(place.point((place.inverse() * point).to_array()).distance(point) > 1e-5);
        let mut world = World::new();
        let id = world.insert(Instance::new(cube).at(place));
        let alone = world.commit().containing(point, Rule::Parity, &Filter::ALL);
        assert_eq!(alone, Ok(vec![id]), "{place:?} {point}");
    }
    assert!(held > 500 && off > 10, "{held} {off}");
}

#[test]
fn what_holds_a_point_is_what_each_says_of_itself() {
    let mut rng = Rng::new(rng::seed(905));
    let mut held = 0;
    for _ in 0..60 {
        let (instances, scene) = crowd(&mut rng, 40, 2.0);
        let points: Vec<DVec3> = (0..40).map(|_| DVec3::from(rng.in_cube(4.0))).collect();
        for &point in &points {
            // As near to the surface as rounding, either may be right.
            let sure = |instance: &Instance| {
                (0..6).all(|i| {
                    let aside = DVec3::AXES[i % 3] * if i < 3 { 1e-9 } else { -1e-9 };
                    holds(instance, point + aside) == holds(instance, point)
                })
            };
            if !instances.iter().all(|(_, instance)| sure(instance)) {
                continue;
            }
            let expected: Vec<InstanceId> =
                instances.iter().filter(|(_, instance)| holds(instance, point)).map(|(id, _)| *id).collect();
            held += expected.len();
            for rule in [Rule::Parity, Rule::Winding] {
                assert_eq!(scene.containing(point, rule, &Filter::ALL), Ok(expected.clone()), "{point}");
            }
        }
        let each: Vec<_> =
            points.iter().map(|&p| scene.containing(p, Rule::Parity, &Filter::ALL).unwrap()).collect();
        assert_eq!(scene.containing_batch(&points, Rule::Parity, &Filter::ALL), Ok(each));
    }
    assert!(held > 1_000, "{held}");
}

#[test]
fn an_open_mesh_is_refused_by_parity_where_its_box_holds_the_point() {
    let corners = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let tent = Mesh::new(corners, [[0u32, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap();
    let mut world = World::new();
    world.insert(Sphere::new([5.0, 0.0, 0.0], 1.0).unwrap());
    let tent =
        world.insert(Instance::new(&tent).at(Transform::translation([10.0, 0.0, 0.0]).unwrap()).mask(2));
    let scene = world.commit();
    let inside = [10.1, 0.1, 0.5];
    let error = scene.containing(inside, Rule::Parity, &Filter::ALL).unwrap_err();
    assert_eq!(error.id, tent);
    assert_eq!(
        error.to_string(),
        "instance 1 (generation 0): the mesh is open at the edge from (0.0, 0.0, 0.0) to (1.0, 0.0, 0.0) of \
         triangle 0, which an odd number of triangles use; parity needs a closed mesh, take the winding number"
    );
    assert_eq!(scene.containing(inside, Rule::Parity, &Filter::new().mask(1)), Ok(vec![]));
    assert_eq!(scene.containing([5.0, 0.0, 0.0], Rule::Parity, &Filter::ALL).unwrap().len(), 1);
    assert_eq!(scene.containing(inside, Rule::Winding, &Filter::ALL), Ok(vec![tent]));
    assert_eq!(scene.containing([f64::NAN, 0.0, 0.0], Rule::Parity, &Filter::ALL), Ok(vec![]));
}

/// A mesh that is open has no inside that its shape tells, and so no point that its box alone could leave out: also where it is turned,
/// and the box around it is not that of the turned box.
#[test]
fn a_turned_open_mesh_answers_as_in_its_own_frame() {
    let mut rng = Rng::new(rng::seed(911));
    let corners = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let tent = Mesh::new(corners, [[0u32, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap();
    // Two sheets at one place, around whose middle the winding number is near one on either side.
    let corners = [[1.0f32, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0]];
    let sheets = Mesh::new(corners, [[0u32, 1, 2], [0, 1, 2], [0, 2, 3], [0, 2, 3]]).unwrap();
    let (mut refused, mut held) = (0, 0);
    for _ in 0..2_000 {
        let place = Transform::new(turn(&mut rng) * rng.range(0.5, 2.0), rng.in_cube(3.0)).unwrap();
        let mut world = World::new();
        let other = Sphere::new(rng.in_cube(3.0), 0.5).unwrap();
        let ids = [
            world.insert(other),
            world.insert(Instance::new(&tent).at(place)),
            world.insert(Instance::new(&sheets).at(place)),
        ];
        let scene = world.commit();
        let local = [0; 3].map(|_| rng.range(-0.2, 1.2));
        let in_box = local.iter().all(|c| (0.0..=1.0).contains(c));
        if local.iter().any(|c| c.abs() < 1e-9 || (c - 1.0).abs() < 1e-9) {
            continue;
        }
        let point = place.point(local);
        let parity = scene.containing(point, Rule::Parity, &Filter::ALL);
        assert_eq!(
            parity.as_ref().err().map(|error| error.id),
            in_box.then_some(ids[1]),
            "{local:?} {place:?}"
        );
        refused += usize::from(in_box);
        let by_winding = |mesh: &Mesh| in_box && mesh.contains_by(local, Rule::Winding).unwrap();
        let expected: Vec<InstanceId> = ids
            .into_iter()
            .zip([other.contains(point), by_winding(&tent), by_winding(&sheets)])
            .filter_map(|(id, holds)| holds.then_some(id))
            .collect();
        held += usize::from(by_winding(&sheets));
        assert_eq!(scene.containing(point, Rule::Winding, &Filter::ALL), Ok(expected), "{local:?} {place:?}");
    }
    assert!(refused > 300 && held > 30, "{refused} {held}");
}

/// Boxes around what is turned are found by its tree, of which no answer may depend.
#[test]
fn where_a_turned_mesh_is_does_not_depend_on_its_tree() {
    // A ball of so many triangles that no tree has all of them in few levels.
    let (around, up) = (300u32, 150u32);
    let vertex = |i: u32, j: u32| {
        let (a, b) = (
            std::f64::consts::TAU * f64::from(i) / f64::from(around),
            std::f64::consts::PI * f64::from(j) / f64::from(up),
        );
        [a.cos() * b.sin(), b.cos(), a.sin() * b.sin()].map(|c| c as f32)
    };
    let vertices: Vec<_> = (0..=up).flat_map(|j| (0..around).map(move |i| vertex(i, j))).collect();
    let at = |i: u32, j: u32| j * around + i % around;
    let triangles: Vec<_> = (0..up)
        .flat_map(|j| (0..around).map(move |i| [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]))
        .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]])
        .collect();
    let place =
        Transform::new(DMat3::from_rotation_x(0.5) * DMat3::from_rotation_y(0.6), [0.1, 0.2, 0.3]).unwrap();
    let seen = |mesh: &Mesh| {
        let mut world = World::new();
        world.insert(Instance::new(mesh).at(place));
        let scene = world.commit();
        let fall = scene.plumb(SignedAxis::Y).fall([0.15, 0.35], None).unwrap();
        let ground = scene.ground(&fall, &Filter::ALL, &mut Buffer::new()).unwrap();
        (scene.bounds().unwrap(), bits_of(&ground))
    };
    let build =
        |preset| Mesh::build(Build::new().preset(preset), vertices.clone(), triangles.clone()).unwrap();
    let expected = seen(&build(Preset::Balanced));
    for &preset in Preset::ALL {
        let mut mesh = build(preset);
        assert_eq!(seen(&mesh), expected, "{preset:?}");
        mesh.refit(vertices.iter().map(|[x, y, z]| [*z, *x, *y])).unwrap();
        seen(&mesh);
        mesh.refit(vertices.clone()).unwrap();
        assert_eq!(seen(&mesh), expected, "{preset:?}, refit");
        mesh.rebuild();
        assert_eq!(seen(&mesh), expected, "{preset:?}, built anew");
    }
}
