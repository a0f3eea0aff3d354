//! Picking with a radius: what is drawn nearest to the cursor, against rays all around it and against each triangle on its own.

use hitscan::glam::dcamera::{lh, rh};
use hitscan::glam::{DMat3, DVec3};
use hitscan::shape::{Aabb, Capsule, ConvexHull, Plane, Sphere};
use hitscan::{
    Camera, DepthRange, Facing, Filter, Geometry, Instance, Mesh, Picked, Preset, Scene, Transform, View,
    Viewport, World,
};
use hitscan_oracle::meshes::{all_open, all_solids, needles};
use hitscan_oracle::rng::{Rng, seed};

use crate::support::{geometry, place};

const SIZE: [u32; 2] = [640, 480];

/// A view from around the origin at things there: of a camera, or of matrices with a finite or an infinite far plane, left- or
/// right-handed, or parallel.
fn view(rng: &mut Rng, distance: f64) -> View {
    let eye = DVec3::from(rng.direction()) * distance;
    let up = DVec3::from(rng.direction());
    let window = |depth| Viewport::new([20.0, 10.0], [640.0, 480.0], depth).expect("a sound viewport");
    let (near, far) = (distance * 0.01, distance * 9.0);
    match rng.below(4) {
        0 => Camera::look_at(eye, [0.0; 3], up, 50.0).expect("a sound camera").view(SIZE),
        1 => {
            let lens = rh::proj::directx::perspective_infinite_reverse(0.9, 4.0 / 3.0, near);
            window(DepthRange::OneToZero).view(&rh::view::look_at_mat4(eye, DVec3::ZERO, up), &lens)
        }
        2 => {
            let lens = lh::proj::directx::perspective(0.9, 4.0 / 3.0, near, far);
            window(DepthRange::ZeroToOne).view(&lh::view::look_at_mat4(eye, DVec3::ZERO, up), &lens)
        }
        _ => {
            let half = 0.5 * distance;
            let lens =
                rh::proj::opengl::orthographic(-half * 4.0 / 3.0, half * 4.0 / 3.0, -half, half, near, far);
            window(DepthRange::MinusOneToOne).view(&rh::view::look_at_mat4(eye, DVec3::ZERO, up), &lens)
        }
    }
    .expect("sound matrices")
}

fn gap(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// Whether a ray at some distance from the cursor hits something.
fn hits_at(scene: &Scene, view: &View, cursor: [f64; 2], distance: f64, angle: f64) -> bool {
    let pixel = [cursor[0] + distance * angle.cos(), cursor[1] + distance * angle.sin()];
    scene.occluded(&view.ray(pixel).expect("a sound pixel"), &Filter::ALL)
}

fn is_plane(instance: &Instance) -> bool {
    matches!(instance.geometry(), Geometry::Plane(_))
}

#[test]
fn no_ray_nearer_to_the_cursor_hits_anything_and_one_right_beyond_does() {
    let mut rng = Rng::new(seed(61));
    let (mut under, mut beside, mut nothing) = (0, 0, 0);
    for round in 0..400 {
        let mut world = World::new();
        for _ in 0..1 + rng.below(6) {
            let instance = Instance::new(geometry(&mut rng)).at(place(&mut rng, 4.0));
            if !is_plane(&instance) {
                world.insert(instance);
            }
        }
        let scene = world.commit();
        let view = view(&mut rng, rng_distance(round));
        let cursor = [rng.range(0.0, 640.0), rng.range(0.0, 480.0)];
        let radius = rng.any_size(1.0, 300.0);
        let picked = scene.pick(&view.aim(cursor, radius).expect("a sound aim"), &Filter::ALL);
        let reach = picked.map_or(radius, |picked| picked.distance);
        match picked {
            Some(picked) if picked.distance == 0.0 => {
                under += 1;
                let hit = scene.closest(&view.ray(cursor).expect("a sound cursor"), &Filter::ALL);
                assert_eq!(Some(picked.hit), hit, "{round}");
                continue;
            }
            Some(picked) => {
                beside += 1;
                assert!(picked.distance <= radius);
                assert!((gap(picked.pixel, cursor) - picked.distance).abs() <= 1e-9 * radius, "{round}");
                let drawn = view.project(picked.hit.position).expect("it is seen");
                assert!(
                    gap(drawn, picked.pixel) < 1e-5,
                    "{round}: drawn at {drawn:?}, not {:?}",
                    picked.pixel
                );
                // Right beyond it, something is hit: what is picked is not out of the air.
                let angle = (picked.pixel[1] - cursor[1]).atan2(picked.pixel[0] - cursor[0]);
                let beyond = [1e-3, 1e-2, 0.1].into_iter().any(|further| {
                    let aside = (0..9).map(|i| f64::from(i - 4) * 0.3 * further / reach);
                    aside.into_iter().any(|a| hits_at(&scene, &view, cursor, reach + further, angle + a))
                });
                assert!(beyond, "{round}: nothing beyond {picked:?}");
            }
            None => nothing += 1,
        }
        for _ in 0..300 {
            let (distance, angle) = (reach * rng.unit().sqrt() - 1e-4, rng.range(-3.2, 3.2));
            assert!(
                !hits_at(&scene, &view, cursor, distance.max(0.0), angle),
                "{round}: a ray {distance} beside {cursor:?} hits, nearer than {picked:?}"
            );
        }
    }
    assert!(under > 30 && beside > 60 && nothing > 60, "{under} under, {beside} beside, {nothing} nothing");
}

fn rng_distance(round: u32) -> f64 {
    [9.0, 15.0, 40.0][round as usize % 3]
}

/// All that says which was picked, as bits.
fn bits(picked: &Picked) -> ([u64; 3], u64, [u64; 2], bool) {
    let Picked { hit, pixel, distance, .. } = picked;
    let place = hit.position.to_array().map(f64::to_bits);
    (place, distance.to_bits(), pixel.map(f64::to_bits), hit.facing == hitscan::Face::Front)
}

#[test]
fn each_triangle_on_its_own_gives_the_same_bits_as_every_tree() {
    let mut rng = Rng::new(seed(62));
    let mut meshes = all_open(&mut rng);
    meshes.extend(all_solids().into_iter().map(|solid| solid.mesh));
    meshes.push(needles(200, &mut rng));
    let mut compared = 0;
    for source in meshes.iter().filter(|mesh| mesh.triangles.len() <= 3000) {
        let size = source.half_size();
        let middle = DVec3::from(source.middle());
        let trees = [Preset::Fast, Preset::Balanced, Preset::Best, Preset::Compact].map(|preset| {
            Mesh::build(preset, source.vertices.clone(), source.triangles.clone()).expect("a sound mesh")
        });
        for round in 0..16 {
            // In the mesh's frame, so that the view moves instead.
            let eye = middle + DVec3::from(rng.direction()) * (size * rng.range(1.5, 6.0));
            let camera = Camera::look_at(eye, middle, rng.direction(), 60.0).expect("a sound camera");
            let view = camera.view(SIZE).expect("a sound view");
            let cursor = [rng.range(-99.0, 740.0), rng.range(-99.0, 580.0)];
            let seen = view.aim(cursor, rng.any_size(2.0, 400.0)).expect("a sound aim");
            let aim = seen.through();
            let picks = trees.each_ref().map(|tree| tree.pick(&aim, &Filter::ALL));
            assert_eq!(picks[0], picks[1], "{} {round}", source.name);
            assert_eq!(picks[0], picks[2], "{} {round}", source.name);
            let visible = trees.each_ref().map(|tree| tree.pick(&seen, &Filter::ALL));
            assert_eq!(visible[0], visible[1], "{} {round}", source.name);
            assert_eq!(visible[0], visible[2], "{} {round}", source.name);
            if trees[0].closest(aim.ray(), &Filter::ALL).is_some() {
                continue;
            }
            let alone = (0..source.triangles.len()).filter_map(|prim| {
                let triangle = source.corners(prim);
                let mesh = Mesh::new(triangle, [[0u32, 1, 2]]).expect("a sound triangle");
                mesh.pick(&aim, &Filter::ALL).map(|picked| (prim as u32, picked))
            });
            let best = alone.min_by(|(a, p), (b, q)| {
                let key = |prim: &u32, picked: &Picked| (picked.hit.facing, *prim);
                p.distance
                    .total_cmp(&q.distance)
                    .then(p.hit.t.total_cmp(&q.hit.t))
                    .then(key(a, p).cmp(&key(b, q)))
            });
            compared += usize::from(best.is_some());
            assert_eq!(picks[0].map(|p| bits(&p)), best.map(|(_, p)| bits(&p)), "{} {round}", source.name);
            assert_eq!(picks[0].map(|p| p.hit.prim), best.map(|(prim, _)| prim), "{} {round}", source.name);
        }
    }
    assert!(compared > 30, "{compared} picks compared");
}

#[test]
fn an_instance_in_a_crowd_is_picked_as_alone() {
    let mut rng = Rng::new(seed(63));
    let mut picked = 0;
    for _ in 0..60 {
        let mut world = World::new();
        let instances: Vec<Instance> =
            (0..40).map(|_| Instance::new(geometry(&mut rng)).at(place(&mut rng, 20.0))).collect();
        let instances: Vec<Instance> = instances.into_iter().filter(|instance| !is_plane(instance)).collect();
        let ids: Vec<_> = instances.iter().map(|instance| world.insert(instance.clone())).collect();
        let scene = world.commit();
        let view = view(&mut rng, 60.0);
        let cursor = [rng.range(0.0, 640.0), rng.range(0.0, 480.0)];
        let aim = view.aim(cursor, 60.0).expect("a sound aim").through();
        let mut expected: Vec<Picked> = Vec::new();
        for (instance, &id) in instances.iter().zip(&ids) {
            let mut alone = World::new();
            // In the same slot, so that its name is the same.
            for _ in 0..id.slot() {
                alone.insert(Instance::new(instance.geometry().clone()).mask(0));
            }
            alone.insert(instance.clone());
            expected.extend(alone.commit().pick(&aim, &Filter::ALL));
        }
        expected.sort_by(|a, b| {
            let by_distance = a.distance.total_cmp(&b.distance);
            by_distance.then(a.hit.t.total_cmp(&b.hit.t)).then(a.hit.instance.cmp(&b.hit.instance))
        });
        picked += expected.len();
        assert_eq!(scene.pick_all(&aim, &Filter::ALL), expected);
        let first = scene.pick(&aim, &Filter::ALL);
        assert_eq!(first, expected.first().copied());
    }
    assert!(picked > 100, "{picked} picked");
}

#[test]
fn what_is_hidden_is_not_picked_unless_asked() {
    let mut world = World::new();
    let wire = world.insert(
        Mesh::new([[-9.0f32, 0.0, 0.0], [9.0, 0.0, 0.0], [9.0, 0.001, 0.0]], [[0u32, 1, 2]])
            .expect("a sound mesh"),
    );
    let wall = Mesh::new([[-20.0f32, -0.5, 2.0], [20.0, -0.5, 2.0], [0.0, 30.0, 2.0]], [[0u32, 1, 2]]);
    let wall = world.insert(wall.expect("a sound mesh"));
    let scene = world.commit();
    let front = Camera::look_at([0.0, 0.0, 9.0], [0.0; 3], [0.0, 1.0, 0.0], 60.0).expect("a sound camera");
    let back = Camera::look_at([0.0, 0.0, -9.0], [0.0; 3], [0.0, 1.0, 0.0], 60.0).expect("a sound camera");
    let names = |camera: Camera, through: bool| -> Vec<_> {
        let aim = camera.view(SIZE).and_then(|view| view.aim([320.0, 250.0], 12.0)).expect("a sound aim");
        let aim = if through { aim.through() } else { aim };
        scene.pick_all(&aim, &Filter::ALL).iter().map(|picked| picked.hit.instance).collect()
    };
    assert_eq!(names(front, false), [wall]);
    assert_eq!(names(front, true), [wall, wire]);
    assert_eq!(names(back, false), [wall, wire], "the wall is behind it, and under the cursor");
}

#[test]
fn filters_hold_for_what_is_picked_and_for_what_hides_it() {
    let quad = Mesh::new([[-1.0f32, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]);
    let quad = quad.expect("a sound mesh");
    let mut world = World::new();
    let [ghost, solid] = [(0b01, 1.0), (0b10, 0.0)].map(|(mask, z)| {
        let at = Transform::translation([0.0, 0.0, z]).expect("a sound place");
        world.insert(Instance::new(&quad).at(at).mask(mask))
    });
    let scene = world.commit();
    let camera = Camera::look_at([0.0, 0.0, 9.0], [0.0; 3], [0.0, 1.0, 0.0], 60.0).expect("a sound camera");
    let aim = camera.view(SIZE).and_then(|view| view.aim([320.0, 300.0], 20.0)).expect("a sound aim");
    let name = |filter: &Filter<'_>| scene.pick(&aim, filter).map(|picked| picked.hit.instance);
    assert_eq!(name(&Filter::ALL), Some(ghost));
    assert_eq!(name(&Filter::new().mask(0b10)), Some(solid), "what the mask leaves out hides nothing");
    assert_eq!(name(&Filter::new().facing(Facing::Back)), None);
    assert_eq!(name(&Filter::new().skip(ghost, 0)), Some(solid));
    let judge = |candidate: &hitscan::Candidate| {
        if candidate.instance == ghost { hitscan::Verdict::Ignore } else { hitscan::Verdict::Accept }
    };
    assert_eq!(name(&Filter::new().judge(&judge)), Some(solid));
}

#[test]
fn far_from_the_origin_a_wire_is_picked_as_near_to_it() {
    let wire = Mesh::new([[-9.0f32, 0.0, 0.0], [9.0, 0.0, 0.0], [9.0, 0.001, 0.0]], [[0u32, 1, 2]]);
    let wire = wire.expect("a sound mesh");
    for far in [0.0, 6.4e6, 1e9] {
        let at = DVec3::new(far, -far, far);
        let mut world = World::new();
        world.insert(Instance::new(&wire).at(Transform::translation(at).expect("a sound place")));
        let camera = Camera::new(at + DVec3::new(0.0, 0.0, 5.0), DVec3::NEG_Z, DVec3::Y, 60.0);
        let view = camera.expect("a sound camera").view(SIZE).expect("a sound view");
        let aim = view.aim([320.0, 244.0], 5.0).expect("a sound aim");
        let picked = world.commit().pick(&aim, &Filter::ALL).expect("it is 4 pixels away");
        assert!((picked.distance - 4.0).abs() < 1e-6, "{far:e}: {}", picked.distance);
    }
}

/// Boxes are kept as seen from the middle of all, here 2^60, from which the ball's own box is not to be told from its place.
#[test]
fn a_ball_among_some_beyond_all_digits_is_picked_as_alone() {
    let ball = Sphere::new([0.0; 3], 1.0).expect("a sound ball");
    let camera = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], DVec3::Y, 60.0).expect("a sound camera");
    let view = camera.view(SIZE).expect("a sound view");
    let aim = view.aim([408.0, 240.0], 5.0).expect("a sound aim");
    let picked = |others: &[f64]| {
        let mut world = World::new();
        world.insert(ball);
        for &x in others {
            world.insert(
                Instance::new(ball).at(Transform::translation([x, 0.0, 0.0]).expect("a sound place")),
            );
        }
        let scene = world.commit();
        let all = scene.pick_all(&aim, &Filter::ALL);
        (scene.pick(&aim, &Filter::ALL).map(|picked| picked.distance), all.len())
    };
    let two60 = f64::from(1u32 << 30) * f64::from(1u32 << 30);
    let (alone, count) = picked(&[]);
    assert!(alone.is_some_and(|distance| (2.0..4.0).contains(&distance)) && count == 1, "{alone:?}");
    assert_eq!(picked(&[3.0 * two60 - 4096.0, -two60]), (alone, 1));
}

#[test]
fn an_edge_through_the_eyes_plane_is_followed_to_where_it_is_seen() {
    // From far ahead to far behind, 0.1 below the eye: it is drawn downwards from the middle.
    let rail = Mesh::new([[0.0f32, -0.1, 50.0], [0.0, -0.1, -50.0], [0.001, -0.1, -50.0]], [[0u32, 1, 2]]);
    let rail = rail.expect("a sound mesh");
    let camera =
        Camera::look_at([0.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0], 90.0).expect("a sound camera");
    let aim = camera.view(SIZE).and_then(|view| view.aim([316.0, 400.0], 9.0)).expect("a sound aim");
    let picked = rail.pick(&aim, &Filter::ALL).expect("it passes 4 pixels away");
    assert!((picked.distance - 4.0).abs() < 0.05 && (picked.pixel[1] - 400.0).abs() < 1.0, "{picked:?}");
    // Its depth there: 0.1 below at 160 of 240 pixels.
    assert!((picked.hit.position.z + 0.15).abs() < 1e-3, "{picked:?}");
}

/// Painted holes are no candidates: the same as a filter that ignores what is in them.
#[test]
fn an_edge_in_a_hole_is_not_picked() {
    let alpha: Vec<u8> =
        (0..16).map(|i| if (5..7).contains(&i) || (9..11).contains(&i) { 255 } else { 0 }).collect();
    let corners = [[-1.0f32, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
    let quad = Mesh::new(corners, [[0u32, 1, 2], [0, 2, 3]]).unwrap();
    let uvs = vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
    let holed = quad.clone().with_uvs(uvs).unwrap();
    let holed = holed.with_cutout(0, hitscan::Cutout::new(4, 4, alpha, 0.5).unwrap()).unwrap();
    let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0).unwrap();
    let view = view.view([640, 480]).unwrap();
    let aim = view.aim([372.0, 240.0], 6.0).unwrap();
    assert!(quad.pick(&aim, &Filter::ALL).is_some());
    assert_eq!(holed.pick(&aim, &Filter::ALL), None);
    let middle = view.aim([320.0, 240.0], 6.0).unwrap();
    assert_eq!(holed.pick(&middle, &Filter::ALL).map(|picked| picked.distance), Some(0.0));
}

/// The foot of the cursor on the line of an edge may lie beyond the eye.
#[test]
fn the_tip_of_a_long_triangle_is_picked() {
    let spike = [[-0.1f32, -1.0, -1.0], [0.1, -1.0, -1.0], [0.0, -1.0, -100.0]];
    let spike = Mesh::new(spike, [[0u32, 1, 2]]).unwrap();
    let view = Camera::look_at([0.0; 3], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0], 90.0).unwrap();
    let view = view.view([640, 480]).unwrap();
    let picked = spike.pick(&view.aim([320.0, 238.0], 8.0).unwrap(), &Filter::ALL).expect("the tip is near");
    assert!((picked.distance - 4.4).abs() < 1e-9 && picked.hit.position.z == -100.0, "{picked:?}");
}

/// From above, an upright capsule's outline is the circle of its side.
#[test]
fn a_capsule_seen_along_its_axis_is_picked() {
    let mut rng = Rng::new(seed(2791));
    for _ in 0..200 {
        let foot = DVec3::new(rng.range(-3.0, 3.0), 0.0, rng.range(-2.0, 2.0));
        let walker = Capsule::new(foot, foot + DVec3::Y, 0.5).unwrap();
        let mut world = World::new();
        world.insert(walker);
        let eye = rh::view::look_at_mat4(DVec3::new(0.0, 9.0, 0.0), DVec3::ZERO, DVec3::NEG_Z);
        let flat = rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.5, 20.0);
        let window = Viewport::new([0.0, 0.0], [800.0, 600.0], DepthRange::ZeroToOne).unwrap();
        let view = window.view(&eye, &flat).unwrap();
        let direction = DVec3::from(rng.direction());
        let side = DVec3::new(direction.x, 0.0, direction.z).normalize();
        let pixel = view.project(foot + side * 0.6).expect("in the picture");
        let picked = world.commit().pick(&view.aim(pixel, 12.0).unwrap(), &Filter::ALL);
        let picked = picked.unwrap_or_else(|| panic!("{foot} {side}: nothing"));
        assert!((picked.distance - 10.0).abs() < 1e-6, "{picked:?}");
    }
}

/// The outline of a disc that the eye sees edge on is a line.
#[test]
fn a_flat_ball_seen_edge_on_is_picked() {
    let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 60.0).unwrap().view(SIZE).unwrap();
    let mut rng = Rng::new(seed(2802));
    for thin in [1e-3, 1e-6, 1e-8, 1e-9, 1e-12] {
        for round in 0..40 {
            let turned =
                DMat3::from_rotation_z(if round == 0 { 30f64.to_radians() } else { rng.range(-3.0, 3.0) });
            let matrix = turned * DMat3::from_diagonal([1.0, thin, 1.0].into());
            let mut world = World::new();
            let ball = Sphere::new([0.0; 3], 1.0).unwrap();
            world.insert(Instance::new(ball).at(Transform::new(matrix, [0.0; 3]).unwrap()));
            let scene = world.commit();
            // Beside it by three pixels, and beyond its end.
            let middle = view.project(turned.x_axis * rng.range(-0.9, 0.9)).expect("in the picture");
            let beside = [middle[0] + 3.0 * turned.y_axis.x, middle[1] - 3.0 * turned.y_axis.y];
            let (sine, cosine) = (0.2f64, 0.96f64.sqrt()); // of the angle in which it is seen
            let end = 240.0 * 3f64.sqrt() * sine / cosine + 4.0;
            let beyond = [320.0 + end * turned.x_axis.x, 240.0 - end * turned.x_axis.y];
            for (pixel, expected) in [(beside, 3.0), (beyond, 4.0)] {
                let picked = scene.pick(&view.aim(pixel, 8.0).unwrap(), &Filter::ALL);
                let picked = picked.unwrap_or_else(|| panic!("{thin} {turned} {expected}: nothing"));
                assert!(
                    (picked.distance - expected).abs() < 1e-3 + 240.0 * thin,
                    "{thin} {turned}: {picked:?}"
                );
            }
        }
    }
}

/// A camera at (0, 0, 5) that looks at the origin.
fn from_the_front() -> View {
    let camera = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 60.0);
    camera.expect("a sound camera").view(SIZE).expect("a sound view")
}

#[test]
fn a_ball_behind_what_is_under_the_cursor_is_listed_by_its_outline() {
    let mut world = World::new();
    let ball = world.insert(Sphere::new([0.0; 3], 1.0).unwrap());
    let in_front = world.insert(Aabb::new([-0.1, -0.1, 1.5], [0.1, 0.1, 1.7]).unwrap());
    let aim = from_the_front().aim([320.0, 240.0], 100.0).unwrap();
    let names = |scene: &Scene| -> Vec<_> {
        scene.pick_all(&aim, &Filter::ALL).iter().map(|picked| picked.hit.instance).collect()
    };
    let scene = world.commit();
    let near = scene.pick_all(&aim, &Filter::ALL);
    assert_eq!(names(&scene), [in_front, ball]);
    let expected = 240.0 * 3f64.sqrt() / 24f64.sqrt();
    assert!((near[1].distance - expected).abs() < 1e-9, "{near:?}");
    assert_eq!(scene.pick(&aim, &Filter::ALL), Some(near[0]));
    // What is hidden all around is not listed.
    let wall = world.insert(Aabb::new([-9.0, -9.0, 1.2], [9.0, 9.0, 1.4]).unwrap());
    assert!(!names(&world.commit()).contains(&ball), "{wall:?} hides it");
}

/// Rays nearer to the cursor hit the shape, and one right beyond the point passes it.
#[test]
fn the_outline_around_the_cursor_is_picked_where_it_is_nearest() {
    let mut rng = Rng::new(seed(64));
    let mut picked = 0;
    for round in 0..400 {
        let mut point = || DVec3::from(rng.in_cube(1.5));
        let (a, b) = (point(), point());
        let shape: Geometry = match round % 4 {
            0 => Sphere::new(a, 0.7).unwrap().into(),
            _ => Capsule::new(a, b, 0.7).unwrap().into(),
        };
        let middle = if round % 4 == 0 { a } else { a + (b - a) * rng.range(-0.2, 1.2) };
        // Squashed and turned, as placements may.
        let squashed = DMat3::from_diagonal([1.0, rng.any_size(0.05, 1.0), rng.any_size(0.2, 1.0)].into());
        let turn = |rng: &mut Rng| DMat3::from_axis_angle(rng.direction().into(), rng.range(-3.0, 3.0));
        let matrix = turn(&mut rng) * squashed * turn(&mut rng);
        let instance = Instance::new(shape).at(Transform::new(matrix, [0.0; 3]).unwrap());
        let mut world = World::new();
        let id = world.insert(instance);
        let alone = world.commit();
        let view = view(&mut rng, 9.0);
        let inside = matrix * (middle + DVec3::from(rng.direction()) * (0.6 * rng.unit()));
        let cursor = view.project(inside).expect("it is seen");
        let ray = view.ray(cursor).unwrap();
        let Some(hit) = alone.closest(&ray, &Filter::ALL) else { continue };
        let cover = world.insert(Sphere::new(ray.at(0.5 * hit.t), 1e-4 * hit.t).unwrap());
        let aim = view.aim(cursor, 2000.0).unwrap();
        let near = world.commit().pick_all(&aim, &Filter::ALL);
        let Some(outline) = near.iter().find(|picked| picked.hit.instance == id) else {
            // The cover hides what is less than a pixel away.
            let ends = (0..64).any(|i| !hits_at(&alone, &view, cursor, 1.0, 0.1 * f64::from(i)));
            assert!(ends, "{round}: only {near:?}");
            continue;
        };
        assert_eq!((near.len(), near[0].hit.instance), (2, cover), "{round}");
        picked += 1;
        let drawn = view.project(outline.hit.position).expect("it is seen");
        assert!(gap(drawn, outline.pixel) < 1e-5, "{round}: drawn at {drawn:?}, not {:?}", outline.pixel);
        assert!((gap(outline.pixel, cursor) - outline.distance).abs() < 1e-9 * 2000.0, "{round}");
        let angle = (outline.pixel[1] - cursor[1]).atan2(outline.pixel[0] - cursor[0]);
        let reach = outline.distance;
        assert!(!hits_at(&alone, &view, cursor, reach + 1e-3, angle), "{round}: beyond {outline:?}");
        for _ in 0..300 {
            let (distance, angle) = (reach * rng.unit().sqrt() - 1e-3, rng.range(-3.2, 3.2));
            let hits = hits_at(&alone, &view, cursor, distance.max(0.0), angle);
            assert!(hits, "{round}: it ends {distance} beside {cursor:?}, nearer than {outline:?}");
        }
    }
    assert!(picked > 250, "{picked} picked");
}

/// How a face is cut into triangles, which the order of the points decides, does not show.
#[test]
fn a_hull_is_picked_by_edges_between_two_faces_alone() {
    let mut rng = Rng::new(seed(65));
    let mut edges = 0;
    for round in 0..200 {
        let (low, high) = (DVec3::from(rng.in_cube(1.0)) - 1.0, DVec3::from(rng.in_cube(1.0)) + 1.0);
        let end = |corner: usize, axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
        let mut corners: Vec<[f64; 3]> = (0..8).map(|i| [0, 1, 2].map(|axis| end(i, axis))).collect();
        for i in 0..8 {
            corners.swap(i, rng.below(8) as usize);
        }
        let planes = [0, 1, 2].into_iter().flat_map(|axis| {
            let normal = DVec3::AXES[axis];
            [(normal, -high[axis]), (-normal, low[axis])].map(|(n, d)| Plane::from_equation(n, d).unwrap())
        });
        let shapes: [Geometry; 3] = [
            Aabb::new(low, high).unwrap().into(),
            ConvexHull::from_points(corners).unwrap().into(),
            ConvexHull::from_planes(planes).unwrap().into(),
        ];
        let view = view(&mut rng, 9.0);
        let cursor = [rng.range(120.0, 520.0), rng.range(40.0, 440.0)];
        let aim = view.aim(cursor, 300.0).unwrap();
        let cover = Sphere::new(aim.ray().at(0.5), 1e-3).unwrap();
        let listed = shapes.map(|shape| {
            let mut world = World::new();
            let (id, _) = (world.insert(shape), world.insert(cover));
            let near = world.commit().pick_all(&aim, &Filter::ALL);
            near.into_iter().find(|picked| picked.hit.instance == id)
        });
        edges += usize::from(listed[0].is_some());
        let [as_box, of_points, of_planes] = listed;
        let place = |picked: &Picked| (picked.distance, picked.pixel, picked.hit.facing);
        assert_eq!(of_points.as_ref().map(place), as_box.as_ref().map(place), "{round}");
        for hull in [of_points, of_planes] {
            let both = as_box.zip(hull);
            assert_eq!(both.is_some(), as_box.is_some(), "{round}");
            let Some((a, b)) = both else { continue };
            assert!((a.distance - b.distance).abs() < 1e-8, "{round}: {a:?}, {b:?}");
            assert!((a.hit.position - b.hit.position).length() < 1e-9, "{round}: {a:?}, {b:?}");
        }
    }
    assert!(edges > 100, "{edges} edges");
}

/// What is picked beside the border of a heightfield has the material of its instance, as what is picked on it.
#[test]
fn a_border_has_the_material_of_its_heightfield() {
    let field = hitscan::heightfield::Heightfield::builder(3, 3).build_f32([0.0; 9]).unwrap();
    let mut world = World::new();
    world.insert(Instance::new(&field).material(7));
    let view = Camera::look_at([1.0, 5.0, 1.0], [1.0, 0.0, 1.0], [0.0, 0.0, -1.0], 60.0)
        .unwrap()
        .view(SIZE)
        .unwrap();
    let scene = world.commit();
    for at in [DVec3::new(1.0, 0.0, 1.0), DVec3::new(-0.05, 0.0, 1.0)] {
        let aim = view.aim(view.project(at).expect("in the picture"), 12.0).unwrap();
        let picked = scene.pick(&aim, &Filter::ALL).expect("the field is there");
        assert_eq!((picked.hit.material, picked.distance > 0.0), (7, at.x < 0.0), "{at}");
    }
}
