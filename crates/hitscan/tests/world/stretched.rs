//! Balls and capsules that their placement stretches unevenly: the way out of them, the nearest point, and what lies in them.

use hitscan::glam::{DMat3, DVec3};
use hitscan::intersect::{Motion, Sweep};
use hitscan::shape::{Aabb, Capsule, Sphere};
use hitscan::{Facing, Filter, Geometry, Instance, Scene, Transform, World};
use hitscan_oracle::{Rng, rng};

use crate::support::turn;

/// From inside of a ball that was flattened a hundredfold, from its surface and from outside: no direction of a fine net has a nearer
/// plane against it.
#[test]
fn flattened_balls_are_left_by_the_shortest_way() {
    let mut rng = Rng::new(rng::seed(906));
    let ball = Sphere::new([0.0; 3], 1.0).unwrap();
    for axes in [[1.0, 0.3, 0.1], [1.0, 0.1, 0.03], [1.0, 0.001, 0.01]] {
        let matrix = DMat3::from_diagonal(axes.into());
        let mut world = World::new();
        world.insert(Instance::new(ball).at(Transform::new(matrix, [0.0; 3]).unwrap()));
        let scene = world.commit();
        for round in 0..200 {
            let far = [0.5, 0.999, 1.0, 1.0 + 1e-12, 1.5][round % 5];
            let point = matrix * (DVec3::from(rng.direction()) * far);
            // How far the plane across a direction that touches the ball lies before the point: nowhere less than at the nearest place.
            let way = |along: DVec3| (matrix * along).length() - along.dot(point);
            let found = scene.closest_point(point, &Filter::ALL).unwrap();
            let context = || format!("{axes:?} {point}: {found:?}");
            let on_it = (matrix.inverse() * found.position).length();
            assert!((on_it - 1.0).abs() < 1e-6, "{}: {on_it}", context());
            assert!((found.distance - point.distance(found.position)).abs() < 1e-12, "{}", context());
            let signed = if far < 1.0 { found.distance } else { -found.distance };
            let normal = matrix.inverse() * matrix.inverse() * found.position;
            for spread in [1.0, 0.1, 1e-2, 1e-3].into_iter().flat_map(|spread| [spread; 100]) {
                let along = normal.normalize() + DVec3::from(rng.direction()) * spread;
                let other = way(along.normalize());
                assert!(other > signed - 1e-7, "{}: {other}", context());
            }
        }
    }
}

/// The same of a capsule that was flattened, whose way out has more valleys than the two of a ball.
#[test]
fn flattened_capsules_are_left_by_the_shortest_way() {
    let mut rng = Rng::new(rng::seed(908));
    let near = |scene: &Scene, point: DVec3| scene.closest_point(point, &Filter::ALL).unwrap();
    let placed = |a: DVec3, b: DVec3, matrix: DMat3| {
        let mut world = World::new();
        let pill = Capsule::new(a, b, 0.5).unwrap();
        world.insert(Instance::new(pill).at(Transform::new(matrix, [0.0; 3]).unwrap()));
        world.commit()
    };
    let flat = DMat3::from_diagonal([1.0, 1.0, 0.01].into());
    let found = near(&placed(DVec3::ZERO, DVec3::new(4.0, 3.0, 0.0), flat), DVec3::new(1.82, 1.74, 0.001));
    assert!((found.distance - 0.002_999_916).abs() < 1e-9 && found.position.z > 0.0, "{found:?}");
    for round in 0..600 {
        let axes = [[1.0, 1.0, 0.01], [1.0, 0.1, 0.03], [1.0, 1e-4, 0.5], [1.0, 0.9, 0.8]][round % 4];
        let matrix = turn(&mut rng) * DMat3::from_diagonal(axes.into()) * turn(&mut rng);
        let [a, b] = [(); 2].map(|()| DVec3::from(rng.in_cube(2.0)));
        let local = a.lerp(b, rng.unit()) + DVec3::from(rng.direction()) * (0.4999 * rng.unit());
        let point = matrix * local;
        let way = |along: DVec3| {
            let round = 0.5 * (matrix.transpose() * along).length();
            round + (matrix * a - point).dot(along).max((matrix * b - point).dot(along))
        };
        let found = near(&placed(a, b, matrix), point);
        let context = || format!("{a} {b} {matrix} {point}: {found:?}");
        assert!((found.distance - point.distance(found.position)).abs() < 1e-9, "{}", context());
        // Normals of all places, those in between, and what is beside the best.
        let normal = |v: DVec3| (matrix.inverse().transpose() * v).normalize();
        let mut best = (f64::INFINITY, DVec3::X);
        for spread in [8.0, 8.0, 8.0, 1.0, 0.1, 1e-2, 1e-3, 1e-4] {
            for _ in 0..200 {
                let other = DVec3::from(rng.direction());
                let other = normal(matrix.transpose() * best.1 / 8.0 + other * spread * 0.125);
                best = if way(other) < best.0 { (way(other), other) } else { best };
            }
        }
        assert!(best.0 > found.distance - 1e-7, "{}: {best:?}", context());
    }
}

/// A search from outside ends a little beside a needle's surface for points that lie well inside.
#[test]
fn needles_hold_what_lies_in_them() {
    let ball = Sphere::new([0.0; 3], 1.0).unwrap();
    let pill = Capsule::new([0.0; 3], [0.5, 0.0, 0.0], 1.0).unwrap();
    for (step, thin) in (1..40).flat_map(|step| [1e-4, 1e-5, 1e-6].map(|thin| (step, thin))) {
        let turned = DMat3::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), f64::from(step) * 0.1);
        let matrix = turned * DMat3::from_diagonal([1.0, thin, thin].into());
        for shape in [Geometry::from(ball), pill.into()] {
            let mut world = World::new();
            world.insert(Instance::new(shape.clone()).at(Transform::new(matrix, [0.0; 3]).unwrap()));
            let scene = world.commit();
            for part in 1..8 {
                let point = matrix * DVec3::new(0.02 * f64::from(part), 0.01, 0.0);
                let inside = Filter::new().facing(Facing::Back);
                let found = scene.closest_point(point, &inside);
                let context = || format!("{shape:?} {step} {thin} {part}: {found:?}");
                assert!(
                    found.as_ref().is_some_and(|found| (0.95..1.0).contains(&(found.distance / thin))),
                    "{}",
                    context()
                );
                let speck = Aabb::new(point - 1e-10, point + 1e-10).unwrap();
                assert_eq!(scene.overlap_aabb(&speck, &Filter::ALL).len(), 1, "{}", context());
                let (dot, rest) = (Sphere::new(point, 1e-9).unwrap(), Motion::new([0.0; 3]).unwrap());
                let Some(hit) = scene.sweep_sphere(&dot, &rest, &Filter::ALL) else {
                    panic!("{}", context())
                };
                let Sweep::Touching { depth, .. } = hit.sweep else { panic!("{}: {hit:?}", context()) };
                assert!(depth > 0.95 * thin, "{}: {hit:?}", context());
            }
        }
    }
}

/// A power of two changes nothing else, however small: neither where the square of a radius is nothing, nor where a flattened one is.
#[test]
fn tiny_stretched_shapes_are_as_large_ones() {
    let matrix = DMat3::from_rotation_x(0.3) * DMat3::from_diagonal([1.0, 0.25, 0.5].into());
    let ask = |size: f64, pill: bool, point: DVec3| {
        let mut world = World::new();
        let end = DVec3::X * if pill { size } else { 0.0 };
        let shape = Capsule::new([0.0; 3], end, size).unwrap();
        let shape = if pill { Geometry::from(shape) } else { Sphere::new([0.0; 3], size).unwrap().into() };
        world.insert(Instance::new(shape).at(Transform::new(matrix, [0.0; 3]).unwrap()));
        let scene = world.commit();
        let near = scene.closest_point(point * size, &Filter::ALL).unwrap();
        let beside = Sphere::new(point * size, 0.25 * size).unwrap();
        let touched = scene.overlap_sphere(&beside, &Filter::ALL).len();
        let half = DVec3::splat(0.25 * size);
        let cube = Aabb::new(beside.centre() - half, beside.centre() + half).unwrap();
        let touched = (touched, scene.overlap_aabb(&cube, &Filter::ALL).len());
        let swept = scene.sweep_sphere(&beside, &Motion::new(-point * size).unwrap(), &Filter::ALL);
        let swept = swept.map(|hit| match hit.sweep {
            Sweep::Touching { depth, normal, .. } => (depth / size, normal),
            Sweep::Hit { t, normal, .. } => (t, normal),
        });
        (near.distance / size, near.position / size, touched, swept)
    };
    let mut rng = Rng::new(rng::seed(909));
    for _ in 0..200 {
        let point = DVec3::from(rng.direction()) * rng.range(0.05, 1.5);
        for pill in [false, true] {
            let expected = ask(1.0, pill, point);
            for exponent in [-300, -540, -900] {
                assert_eq!(ask(2f64.powi(exponent), pill, point), expected, "2^{exponent} {pill} {point}");
            }
        }
    }
    // Nothing of it is left in its place.
    let mut world = World::new();
    let flat = DMat3::from_diagonal([1.0, 1e-20, 1.0].into());
    world.insert(
        Instance::new(Sphere::new([0.0; 3], 1e-310).unwrap()).at(Transform::new(flat, [0.0; 3]).unwrap()),
    );
    let scene = world.commit();
    let (ball, motion) = (Sphere::new([0.0; 3], 1.0).unwrap(), Motion::new([1.0, 0.0, 0.0]).unwrap());
    let hit = scene.sweep_sphere(&ball, &motion, &Filter::ALL).expect("it is in the ball");
    let Sweep::Touching { depth, position, normal } = hit.sweep else { panic!("{hit:?}") };
    assert!((depth - 1.0).abs() < 1e-12 && position.length() < 1e-11, "{hit:?}");
    assert_eq!(normal.y.abs(), 1.0, "{hit:?}");
    let pole = Capsule::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.5).unwrap();
    let hit = scene.sweep_capsule(&pole, &motion, &Filter::ALL).expect("the ball is in it");
    let Sweep::Touching { depth, position, .. } = hit.sweep else { panic!("{hit:?}") };
    assert!((depth - 0.5).abs() < 1e-12 && position.length() < 1e-11, "{hit:?}");
}

/// Over the middle plane of a flattened ball by a height that has no digits.
#[test]
fn a_point_beside_the_middle_plane_is_as_one_in_it() {
    let mut world = World::new();
    let wide = DMat3::from_diagonal([2.0, 1.0, 2.0].into());
    world.insert(
        Instance::new(Sphere::new([0.0; 3], 1.0).unwrap()).at(Transform::new(wide, [0.0; 3]).unwrap()),
    );
    let scene = world.commit();
    for height in [5e-324, 1e-320, 1e-310, 1e-300, 1e-292, 1e-280, 1e-20] {
        for side in [1.0, -1.0] {
            let found = scene.closest_point([1.0, side * height, 0.0], &Filter::ALL).unwrap();
            assert!((found.distance - (2.0f64 / 3.0).sqrt()).abs() < 1e-12, "{height:e}: {found:?}");
            // Of the least number of all nothing is left, not even its sign; and from 1e-280 on each side has a rounding of its own.
            let has_side = (1e-323..1e-290).contains(&height);
            assert!(!has_side || found.position.y * side > 0.7, "{height:e}: {found:?}");
        }
    }
}

/// What no filter admits stands so far away that the world's boxes are coarse.
fn with_others(instance: &Instance, others: &[f64]) -> Scene {
    let mut world = World::new();
    world.insert(instance.clone());
    for &y in others {
        world.insert(Instance::new(Sphere::new([0.0, y, 0.0], 1e-3).unwrap()).mask(0));
    }
    world.commit()
}

fn stretched_by(axes: [f64; 3], at: [f64; 3]) -> Transform {
    Transform::new(DMat3::from_diagonal(axes.into()), at).unwrap()
}

/// Sweeps from very far away that graze a stretched capsule, and balls of 100,000 km that end beside a stretched ball.
#[test]
fn what_else_there_is_does_not_decide_what_is_met_from_far_away() {
    let mut rng = Rng::new(rng::seed(907));
    let (mut met, mut passed) = (0, 0);
    for round in 0..1500 {
        let place = stretched_by([1.0, 1.5, 1.0], rng.in_cube(3.0));
        let pill = Capsule::new([0.0; 3], [1.0, 0.5, 0.2], 0.5).unwrap();
        let pill = Instance::new(pill).at(place);
        let along = DVec3::from(rng.direction());
        let aside = along.cross(rng.direction().into()).normalize();
        let radius = 0.04;
        let beside = place.point([0.5, 0.25, 0.1]) + aside * rng.range(0.45, 0.8);
        let far = [1e9, 1e12, 1e13][round % 3];
        let ball = Sphere::new(beside - along * far, radius).unwrap();
        let motion = Motion::new(along * (1.1 * far)).unwrap();
        let ask = |others: &[f64]| {
            let hit = with_others(&pill, others).sweep_sphere(&ball, &motion, &Filter::ALL);
            hit.map(|hit| hit.sweep.t().to_bits())
        };
        let alone = ask(&[]);
        assert_eq!(alone, ask(&[1e6, -1e6]), "{far:e}: {ball:?} {motion:?}");
        assert_eq!(alone, ask(&[1e9]), "{far:e}: {ball:?} {motion:?}");
        *if alone.is_some() { &mut met } else { &mut passed } += 1;
    }
    assert!(met > 200 && passed > 200, "{met} {passed}");

    let (mut met, mut passed) = (0, 0);
    for round in 0..2000 {
        let place = stretched_by([1.0, rng.range(1.0, 1.1), rng.range(1.0, 2.0)], rng.in_cube(2.0));
        let egg = Instance::new(Sphere::new([0.0; 3], 1.0).unwrap()).at(place);
        let far = [1e6, 1e8][round % 2];
        let top = place.offset() + DVec3::Y * place.matrix().y_axis.y;
        let gap = far * rng.range(-2.0, 2.0) * 2f64.powi(-45);
        let ball = Sphere::new(top + DVec3::Y * far, far - gap).unwrap();
        let ask = |others: &[f64]| with_others(&egg, others).overlap_sphere(&ball, &Filter::ALL).len();
        let alone = ask(&[]);
        assert_eq!(alone, ask(&[20.0, -20.0]), "{egg:?} {ball:?}");
        assert_eq!(alone, ask(&[2e8]), "{egg:?} {ball:?}");
        *if alone > 0 { &mut met } else { &mut passed } += 1;
    }
    assert!(met > 500 && passed > 500, "{met} {passed}");
}

/// A ball that flies by at three millionths of its size, from as far as the other side of the earth.
#[test]
fn what_passes_by_a_stretched_ball_does_not_meet_it_however_far_it_comes() {
    let egg = Instance::new(Sphere::new([0.0; 3], 1.0).unwrap()).at(stretched_by([1.0, 1.5, 1.0], [0.0; 3]));
    let scene = with_others(&egg, &[]);
    for far in [1e3, 1e5, 6.4e6, 1e8] {
        let gap = 3e-7f64.max(far * 2f64.powi(-48));
        for (height, is_met) in [(2.5 + gap, false), (2.5 - gap, true)] {
            let ball = Sphere::new([-far, height, 0.0], 1.0).unwrap();
            let motion = Motion::new([2.0 * far, 0.0, 0.0]).unwrap();
            let hit = scene.sweep_sphere(&ball, &motion, &Filter::ALL);
            assert_eq!(hit.is_some(), is_met, "from {far:e}, {height}: {hit:?}");
        }
    }
}

/// Questions so large, discs so flat and placements so slanted that rounding is coarser than the boxes around what is asked: an instance far
/// away that the filter leaves out, for which the scene's boxes are rounded more, changes nothing.
#[test]
fn what_else_there_is_does_not_decide_what_hardly_misses() {
    let apart = |instance: &Instance, other: [f64; 3]| {
        let mut world = World::new();
        world.insert(instance.clone().mask(1));
        let alone = world.commit();
        world.insert(Instance::new(Sphere::new(other, 1e-3).unwrap()).mask(2));
        [alone, world.commit()]
    };
    let mask = Filter::new().mask(1);
    let ball = Sphere::new([0.0; 3], 1.0).unwrap();
    let egg = Instance::new(ball).at(stretched_by([1.0, 1.5, 1.0], [0.0; 3]));
    let below = Aabb::new([-1e8; 3], [1e8, -1.50003, 1e8]).unwrap();
    for scene in apart(&egg, [0.0, 1e9, 0.0]) {
        assert!(scene.overlap_aabb(&below, &mask).is_empty());
    }
    let disc = Instance::new(ball).at(stretched_by([1e6, 1e6, 1e-3], [0.0; 3]));
    let above = Sphere::new([0.0, 0.0, 1e-3 + 5e-7], 1e-9).unwrap();
    for scene in apart(&disc, [0.0, 0.0, 1e3]) {
        assert!(scene.overlap_sphere(&above, &mask).is_empty());
    }
    let falling = Sphere::new([0.0, 0.0, 2.001e-3], 1e-3).unwrap();
    let motion = Motion::new([0.0, 0.0, -1e-3]).unwrap();
    let hits = apart(&disc, [0.0, 0.0, 1e3])
        .map(|scene| scene.sweep_sphere(&falling, &motion, &mask).unwrap().sweep.t());
    assert!(hits[0] == hits[1] && hits[0] > 0.0, "{hits:?}");

    let slanted = DMat3::from_cols_array_2d(&[
        [0.3428733247457618, 0.5735857140391762, 0.9825183173159586],
        [-0.29854074065066843, -0.49942264835620875, -0.8554813833100977],
        [0.6551572516300348, -0.5340541307141935, 0.21509421187167713],
    ])
    .transpose();
    let block = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    let block = Instance::new(block).at(Transform::new(slanted, [0.0; 3]).unwrap());
    let at = Sphere::new([1.8999918441483556, -1.6543280898316672, 0.3361973317875184], 1e-6).unwrap();
    let still = Motion::new([0.0; 3]).unwrap();
    let [alone, beside] = apart(&block, [1e6, 0.0, 0.0])
        .map(|scene| (scene.overlap_sphere(&at, &mask), scene.sweep_sphere(&at, &still, &mask)));
    assert_eq!(alone, beside);
}
