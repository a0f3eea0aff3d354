//! Frusta, rectangles and lassos: against each triangle on its own, against clipping, against picking, and against the even-odd
//! rule written out.

use hitscan::glam::DVec3;
use hitscan::glam::dcamera::rh;
use hitscan::intersect::triangle_frustum;
use hitscan::shape::Triangle;
use hitscan::{
    Camera, Coverage, DepthRange, Filter, Geometry, Instance, InstanceId, Mesh, Transform, View, Viewport,
    World,
};
use hitscan_oracle::meshes::{all_open, all_solids};
use hitscan_oracle::rng::{Rng, seed};

use crate::support::{geometry, place};

const SIZE: [u32; 2] = [640, 480];

fn camera(rng: &mut Rng, distance: f64) -> Camera {
    let eye = DVec3::from(rng.direction()) * distance;
    Camera::look_at(eye, [0.0; 3], rng.direction(), 50.0).expect("a sound camera")
}

/// With and without a near and a far plane.
fn view(rng: &mut Rng, distance: f64) -> View {
    if rng.one_in(2) {
        return camera(rng, distance).view(SIZE).expect("a sound view");
    }
    let eye = DVec3::from(rng.direction()) * distance;
    let lens = rh::proj::directx::perspective(0.9, 4.0 / 3.0, distance * 0.3, distance * 1.5);
    let window = Viewport::new([0.0; 2], [640.0, 480.0], DepthRange::ZeroToOne).expect("a sound viewport");
    window
        .view(&rh::view::look_at_mat4(eye, DVec3::ZERO, DVec3::from(rng.direction())), &lens)
        .expect("sound matrices")
}

fn rectangle(rng: &mut Rng) -> [[f64; 2]; 2] {
    let (x, y) = (rng.range(-50.0, 690.0), rng.range(-50.0, 530.0));
    [[x, y], [x + rng.any_size(1.0, 400.0), y + rng.any_size(1.0, 400.0)]]
}

#[test]
fn a_tree_finds_what_each_triangle_on_its_own_says() {
    let mut rng = Rng::new(seed(71));
    let mut meshes = all_open(&mut rng);
    meshes.extend(all_solids().into_iter().map(|solid| solid.mesh));
    let (mut touched, mut missed) = (0, 0);
    for source in meshes.iter().filter(|mesh| mesh.triangles.len() <= 6000) {
        let mesh = Mesh::new(source.vertices.clone(), source.triangles.clone()).expect("a sound mesh");
        let (size, middle) = (source.half_size(), DVec3::from(source.middle()));
        for _ in 0..8 {
            let eye = middle + DVec3::from(rng.direction()) * (size * rng.any_size(0.1, 8.0));
            let camera = Camera::look_at(eye, middle, rng.direction(), 60.0).expect("a sound camera");
            let [a, b] = rectangle(&mut rng);
            let frustum = camera.view(SIZE).and_then(|view| view.frustum(a, b)).expect("a sound rectangle");
            let expected: Vec<u32> = (0..source.triangles.len())
                .filter(|&prim| !source.repeats_a_corner(prim))
                .filter(|&prim| {
                    let [a, b, c] = source.corners(prim).map(|corner| corner.map(f64::from));
                    triangle_frustum(&Triangle::new(a, b, c).expect("a sound triangle"), &frustum)
                })
                .map(|prim| prim as u32)
                .collect();
            touched += expected.len();
            missed += source.triangles.len() - expected.len();
            assert_eq!(mesh.overlap_frustum(&frustum), expected, "{}", source.name);
        }
    }
    assert!(touched > 1000 && missed > 1000, "{touched} touched, {missed} missed");
}

/// How much of a polygon is left in the end by cutting it at each side of a frustum that is `margin` larger, drawn from the view's
/// own rays.
fn clipped(corners: [DVec3; 3], eye: DVec3, rays: &[DVec3; 4], margin: f64) -> bool {
    let mut polygon = corners.to_vec();
    let middle: DVec3 = rays.iter().copied().sum();
    for i in 0..4 {
        let normal = rays[i].cross(rays[(i + 1) % 4]).normalize();
        let normal = if normal.dot(middle) > 0.0 { normal } else { -normal };
        let height = |point: DVec3| normal.dot(point - eye) + margin;
        polygon = (0..polygon.len())
            .flat_map(|j| {
                let (a, b) = (polygon[j], polygon[(j + 1) % polygon.len()]);
                let (from, to) = (height(a), height(b));
                let own = (from >= 0.0).then_some(a);
                let cut = ((from >= 0.0) != (to >= 0.0)).then(|| a + (b - a) * (from / (from - to)));
                [own, cut].into_iter().flatten().collect::<Vec<_>>()
            })
            .collect();
    }
    !polygon.is_empty()
}

#[test]
fn a_triangle_touches_where_cutting_it_leaves_something() {
    let mut rng = Rng::new(seed(72));
    let (mut touching, mut apart) = (0, 0);
    for round in 0..4000 {
        let view = camera(&mut rng, 8.0).view(SIZE).expect("a sound view");
        let [[left, top], [right, bottom]] = rectangle(&mut rng);
        let frustum = view.frustum([left, top], [right, bottom]).expect("a sound rectangle");
        let pixels = [[left, top], [right, top], [right, bottom], [left, bottom]];
        let rays = pixels.map(|pixel| view.ray(pixel).expect("a sound pixel"));
        let (eye, dirs) = (rays[0].origin(), rays.map(|ray| ray.dir()));
        let size = rng.any_size(0.1, 30.0);
        let corners = [0; 3].map(|_| DVec3::from(rng.in_cube(size)));
        let triangle = Triangle::new(corners[0], corners[1], corners[2]).expect("a sound triangle");
        let touches = triangle_frustum(&triangle, &frustum);
        // Only where a hair's breadth does not decide.
        let [more, less] = [1e-9, -1e-9].map(|margin| clipped(corners, eye, &dirs, margin));
        if more == less {
            assert_eq!(touches, more, "{round}: {corners:?}");
            if touches { touching += 1 } else { apart += 1 }
        }
    }
    assert!(touching > 500 && apart > 500, "{touching} touching, {apart} apart");
}

#[test]
fn a_square_takes_in_what_is_picked_within_it_and_nothing_beyond() {
    let mut rng = Rng::new(seed(73));
    let (mut taken, mut left_out) = (0, 0);
    for round in 0..2000 {
        let geometry = geometry(&mut rng);
        if matches!(geometry, Geometry::Plane(_)) {
            continue;
        }
        let mut world = World::new();
        let id = world.insert(Instance::new(geometry).at(place(&mut rng, 3.0)));
        let scene = world.commit();
        let view = camera(&mut rng, 25.0).view(SIZE).expect("a sound view");
        let cursor = [rng.range(160.0, 480.0), rng.range(100.0, 380.0)];
        let half = rng.any_size(1.0, 60.0);
        let [low, high] = [-half, half].map(|by| [cursor[0] + by, cursor[1] + by]);
        let touched = scene.select(
            &view.rectangle(low, high).expect("a sound square"),
            Coverage::Touching,
            &Filter::ALL,
        );
        let aim = view.aim(cursor, 2.0 * half).expect("a sound aim").through();
        let distance = scene.pick(&aim, &Filter::ALL).map(|picked| picked.distance);
        if distance.is_some_and(|distance| distance < half * (1.0 - 1e-6)) {
            assert_eq!(touched, [id], "{round}: {distance:?} within {half}");
            taken += 1;
        }
        if distance.is_none_or(|distance| distance > half * (1.0 + 1e-6) * 2f64.sqrt()) {
            assert!(touched.is_empty(), "{round}: {distance:?} beyond {half}: {:?}", scene.get(id));
            left_out += 1;
        }
    }
    assert!(taken > 80 && left_out > 80, "{taken} taken in, {left_out} left out");
}

#[test]
fn an_instance_in_a_crowd_is_selected_as_alone() {
    let mut rng = Rng::new(seed(74));
    let (mut some, mut whole, mut taken) = (0, 0, 0);
    for round in 0..150 {
        let mut world = World::new();
        let instances: Vec<Instance> =
            (0..30).map(|_| Instance::new(geometry(&mut rng)).at(place(&mut rng, 12.0))).collect();
        let ids: Vec<InstanceId> = instances.iter().map(|instance| world.insert(instance.clone())).collect();
        let scene = world.commit();
        let view = view(&mut rng, 40.0);
        let a = [rng.range(-50.0, 250.0), rng.range(-50.0, 200.0)];
        let b = [a[0] + rng.range(200.0, 500.0), a[1] + rng.range(200.0, 400.0)];
        let selection = if round % 2 == 0 {
            view.rectangle(a, b)
        } else {
            view.lasso([a, [b[0], a[1] + 9.0], [b[0] + 30.0, b[1]], [0.5 * (a[0] + b[0]), b[1] - 1.0]])
        };
        let selection = selection.expect("a sound selection");
        for coverage in [Coverage::Touching, Coverage::Inside] {
            let alone = |instance: &Instance| {
                let mut world = World::new();
                let id = world.insert(instance.clone());
                world.commit().select(&selection, coverage, &Filter::ALL) == [id]
            };
            let expected: Vec<InstanceId> = instances
                .iter()
                .zip(&ids)
                .filter(|(instance, _)| alone(instance))
                .map(|(_, &id)| id)
                .collect();
            match coverage {
                Coverage::Touching => some += expected.len(),
                Coverage::Inside => whole += expected.len(),
            }
            assert_eq!(scene.select(&selection, coverage, &Filter::ALL), expected, "{round} {coverage:?}");
        }
        let frusta = [a, [a[0] + 40.0, a[1] - 30.0]].map(|a| view.frustum(a, b).expect("a sound rectangle"));
        let one_by_one = frusta.map(|frustum| scene.overlap_frustum(&frustum, &Filter::ALL));
        assert_eq!(scene.overlap_frustum_batch(&frusta, &Filter::ALL), one_by_one, "{round}");
        taken += one_by_one.map(|overlaps| overlaps.len()).iter().sum::<usize>();
    }
    assert!(some > 60 && whole > 15 && taken > 60, "{some} touching, {whole} inside, {taken} taken");
}

/// The even-odd rule: crossings of a way to the right.
fn is_inside(outline: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let mut odd = false;
    for i in 0..outline.len() {
        let ([ax, ay], [bx, by]) = (outline[i], outline[(i + 1) % outline.len()]);
        if (ay > y) != (by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax) {
            odd = !odd;
        }
    }
    odd
}

/// How far a pixel is from an outline.
fn away(outline: &[[f64; 2]], p: [f64; 2]) -> f64 {
    let gap = |i: usize| {
        let (a, b) = (outline[i], outline[(i + 1) % outline.len()]);
        let (d, q) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
        let s = ((d[0] * q[0] + d[1] * q[1]) / (d[0] * d[0] + d[1] * d[1])).clamp(0.0, 1.0);
        (q[0] - s * d[0]).hypot(q[1] - s * d[1])
    };
    (0..outline.len()).map(gap).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_lasso_that_crosses_itself_follows_the_even_odd_rule() {
    let mut rng = Rng::new(seed(75));
    let speck = [[0.0f32, 0.0, 0.0], [1e-6, 0.0, 0.0], [0.0, 1e-6, 0.0]];
    let speck = Mesh::new(speck, [[0u32, 1, 2]]).expect("a sound mesh");
    let (mut inside, mut outside) = (0, 0);
    for round in 0..60 {
        let corners = 3 + rng.below(12);
        let outline: Vec<[f64; 2]> =
            (0..corners).map(|_| [rng.range(0.0, 640.0).round(), rng.range(0.0, 480.0).round()]).collect();
        let view = view(&mut rng, 10.0);
        let Ok(lasso) = view.lasso(outline.clone()) else { continue };
        let mut world = World::new();
        let at: Vec<DVec3> = (0..60).map(|_| DVec3::from(rng.in_cube(3.0))).collect();
        for &at in &at {
            world.insert(Instance::new(&speck).at(Transform::translation(at).expect("a sound place")));
        }
        let scene = world.commit();
        let [touching, whole] = [Coverage::Touching, Coverage::Inside]
            .map(|coverage| scene.select(&lasso, coverage, &Filter::ALL));
        for (slot, &at) in at.iter().enumerate() {
            let Some(pixel) = view.project(at) else { continue };
            if away(&outline, pixel) < 0.01 {
                continue;
            }
            let (id, expected) = (InstanceId::first(slot as u32), is_inside(&outline, pixel));
            assert_eq!(touching.contains(&id), expected, "{round}: {pixel:?} of {outline:?}");
            assert_eq!(whole.contains(&id), expected, "{round}: {pixel:?} of {outline:?}");
            if expected { inside += 1 } else { outside += 1 }
        }
    }
    assert!(inside > 300 && outside > 300, "{inside} inside, {outside} outside");
}

#[test]
fn what_is_selected_whole_lies_inside_with_each_of_its_points() {
    let mut rng = Rng::new(seed(76));
    let (mut whole, mut partly) = (0, 0);
    for round in 0..300 {
        let corners: Vec<[f32; 3]> = (0..9).map(|_| rng.in_cube(1.0).map(|c| c as f32)).collect();
        let mesh = Mesh::new(corners.clone(), [[0u32, 1, 2], [3, 4, 5], [6, 7, 8]]).expect("a sound mesh");
        let mut world = World::new();
        let at = place(&mut rng, 3.0);
        world.insert(Instance::new(&mesh).at(at));
        let scene = world.commit();
        let view = view(&mut rng, 14.0);
        // A star around the middle.
        let size = rng.range(50.0, 300.0);
        let outline: Vec<[f64; 2]> = (0..16)
            .map(|i| {
                let (angle, far) = (f64::from(i) * std::f64::consts::TAU / 16.0, size * rng.range(0.4, 1.0));
                [320.0 + far * angle.cos(), 240.0 + far * angle.sin()]
            })
            .collect();
        let lasso = view.lasso(outline.clone()).expect("a sound lasso");
        let touches = !scene.select(&lasso, Coverage::Touching, &Filter::ALL).is_empty();
        let is_whole = !scene.select(&lasso, Coverage::Inside, &Filter::ALL).is_empty();
        let mut samples = Vec::new();
        for triangle in corners.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|i| at.point(triangle[i].map(f64::from)));
            for _ in 0..80 {
                let (u, v) = (rng.unit(), rng.unit());
                let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
                samples.push(view.project(a + (b - a) * u + (c - a) * v));
            }
            samples.extend([a, b, c].map(|corner| view.project(corner)));
        }
        let near = |pixel: [f64; 2]| away(&outline, pixel) < 1e-6;
        let all_inside =
            samples.iter().all(|pixel| pixel.is_some_and(|pixel| is_inside(&outline, pixel) || near(pixel)));
        let some_inside = samples.iter().flatten().any(|&pixel| is_inside(&outline, pixel) && !near(pixel));
        assert!(!is_whole || (all_inside && touches), "{round}: not all of it is inside");
        assert!(!some_inside || touches, "{round}: a part of it is inside");
        let deep = samples.iter().all(|pixel| {
            pixel.is_some_and(|pixel| is_inside(&outline, pixel) && away(&outline, pixel) > 30.0)
        });
        assert!(!deep || is_whole, "{round}: all of it is deep inside");
        if is_whole {
            whole += 1
        } else if touches {
            partly += 1
        }
    }
    assert!(whole > 20 && partly > 50, "{whole} whole, {partly} partly");
}

#[test]
fn no_area_is_no_selection() {
    let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0).expect("a sound camera");
    let view = view.view(SIZE).expect("a sound view");
    let told = |outline: &[[f64; 2]]| view.lasso(outline.to_vec()).expect_err("refused").to_string();
    assert_eq!(
        told(&[[1.0, 1.0], [2.0, 3.0]]),
        "the lasso has less than three corners; a selection needs an area"
    );
    for line in [[[1.0, 1.0], [1.0, 5.0], [1.0, 3.0]], [[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]]] {
        assert_eq!(told(&line), "the lasso goes around nothing; a selection needs an area");
    }
    assert_eq!(
        told(&[[1.0, 1.0], [f64::NAN, 3.0], [4.0, 4.0]]),
        "the cursor's x is or holds NaN; picking needs finite numbers"
    );
    assert!(
        view.rectangle([4.0, 1.0], [4.0, 9.0]).is_err() && view.rectangle([4.0, 9.0], [7.0, 9.0]).is_err()
    );
}
