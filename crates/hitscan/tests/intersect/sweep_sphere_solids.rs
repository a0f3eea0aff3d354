//! A moving sphere and planes, spheres, capsules and boxes, against a search along the path and cases that are known.

use hitscan::Ray;
use hitscan::glam::{DMat3, DQuat, DVec3};
use hitscan::intersect::{
    Motion, Sweep, point_triangle, ray_convex, sweep_sphere_aabb, sweep_sphere_capsule, sweep_sphere_convex,
    sweep_sphere_obb, sweep_sphere_plane, sweep_sphere_sphere,
};
use hitscan::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Sphere, Triangle};
use hitscan_oracle::{Rng, rng};

/// A distance along a path, which is convex: its first time within `reach`, and its least value.
fn search(distance: impl Fn(DVec3) -> f64, start: DVec3, by: DVec3, reach: f64) -> (Option<f64>, f64) {
    let at = |t: f64| distance(start + by * t);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..120 {
        let third = (high - low) / 3.0;
        if at(low + third) <= at(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    let ends = [0.0, low, high, 1.0].map(|t| (t, at(t)));
    let (nearest, least) = ends.into_iter().reduce(|a, b| if b.1 < a.1 { b } else { a }).unwrap();
    if least > reach {
        return (None, least);
    }
    let (mut apart, mut within) = (0.0, nearest);
    for _ in 0..100 {
        let middle = 0.5 * (apart + within);
        *(if at(middle) > reach { &mut apart } else { &mut within }) = middle;
    }
    (Some(within), least)
}

/// Compares an answer with the search; all is of about the size 1.
fn check(
    found: Option<Sweep>,
    distance: impl Fn(DVec3) -> f64,
    sphere: &Sphere,
    motion: &Motion,
    counts: &mut [usize; 3],
    what: &str,
) {
    const SLACK: f64 = 1e-11;
    let (centre, by, radius) = (sphere.centre(), motion.by(), sphere.radius());
    let (first, least) = search(&distance, centre, by, radius);
    let start = distance(centre);
    let context = format!("{what} {sphere:?} {motion:?}: {found:?}, search {first:?}, {least:e}");
    match found {
        None => {
            let leaves = start >= radius - SLACK && least >= start - SLACK;
            assert!(least >= radius - SLACK || leaves, "{context}");
            counts[0] += 1;
        }
        Some(Sweep::Touching { depth, position, normal }) => {
            assert!(start <= radius + SLACK, "{context}");
            // Inside, the nearest face decides, of which the distance says nothing.
            if start > 0.0 {
                assert!((depth - (radius - start)).abs() <= SLACK, "{context}");
            } else {
                assert!(depth >= radius - SLACK, "{context}");
            }
            assert!((normal.length() - 1.0).abs() < 1e-12 && distance(position) < SLACK, "{context}");
            // Moved out, it only touches.
            let out = distance(centre + normal * depth);
            assert!((out - radius).abs() < 1e-6, "{context}: {out}");
            counts[1] += 1;
        }
        Some(Sweep::Hit { t, position, normal }) => {
            assert!(start >= radius - SLACK && (0.0..=1.0).contains(&t), "{context}");
            let away = distance(centre + by * t);
            assert!((away - radius).abs() <= SLACK, "{context}: {away}");
            if let Some(first) = search(&distance, centre, by, radius - SLACK).0 {
                assert!(t <= first, "{context}");
            }
            assert!((normal.length() - 1.0).abs() < 1e-12, "{context}");
            assert!(distance(position) < SLACK, "{context}");
            assert!((position + normal * radius - (centre + by * t)).length() < 1e-6, "{context}");
            counts[2] += 1;
        }
    }
}

fn ball_and_motion(rng: &mut Rng) -> (Sphere, Motion) {
    let start = rng.in_cube(3.0);
    let towards = rng.in_cube(1.5);
    let far = rng.pick(&[0.5, 1.0, 2.0]);
    let by = match rng.below(4) {
        0 => std::array::from_fn(|_| rng.pick(&[-4.0, 0.0, 0.0, 4.0])),
        1 => [0.0; 3],
        _ => std::array::from_fn(|i| far * (towards[i] - start[i])),
    };
    (Sphere::new(start, rng.any_size(1e-2, 2.0)).unwrap(), Motion::new(by).unwrap())
}

fn assert_all(counts: [usize; 3]) {
    assert!(counts.iter().all(|&n| n > 100), "misses, contacts, hits: {counts:?}");
}

#[test]
fn spheres_and_capsules() {
    let mut rng = Rng::new(rng::seed(2771));
    let mut counts = [0; 3];
    for i in 0..4000 {
        let (ball, motion) = ball_and_motion(&mut rng);
        let radius = rng.any_size(1e-2, 1.0);
        let a = DVec3::from(rng.in_cube(1.0));
        let b = if i % 8 == 0 { a } else { DVec3::from(rng.in_cube(1.0)) };
        let to_point = |p: DVec3| (p.distance(a) - radius).max(0.0);
        let sphere = Sphere::new(a, radius).unwrap();
        check(sweep_sphere_sphere(&ball, &motion, &sphere), to_point, &ball, &motion, &mut counts, "sphere");
        let to_segment = |p: DVec3| {
            let s =
                if a == b { 0.0 } else { ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0) };
            (p.distance(a + (b - a) * s) - radius).max(0.0)
        };
        let capsule = Capsule::new(a, b, radius).unwrap();
        let found = sweep_sphere_capsule(&ball, &motion, &capsule);
        // What lies within the capsule's own surface is deeper than the distance says.
        if to_segment(ball.centre()) > 0.0 {
            check(found, to_segment, &ball, &motion, &mut counts, "capsule");
        } else {
            assert!(matches!(found, Some(Sweep::Touching { depth, .. }) if depth >= ball.radius() - 1e-12));
        }
    }
    assert_all(counts);
}

#[test]
fn planes_from_both_sides() {
    let mut rng = Rng::new(rng::seed(2772));
    let mut counts = [0; 3];
    for _ in 0..4000 {
        let (ball, motion) = ball_and_motion(&mut rng);
        let plane = Plane::new(rng.direction(), rng.in_cube(1.0)).unwrap();
        let distance = |p: DVec3| plane.signed_distance(p).abs();
        check(sweep_sphere_plane(&ball, &motion, &plane), distance, &ball, &motion, &mut counts, "plane");
    }
    assert_all(counts);
    // A motion along the plane, at exactly the radius, and one that goes in by the least step.
    let ground = Plane::new([0.0, 1.0, 0.0], [0.0; 3]).unwrap();
    let ball = Sphere::new([0.0, 1.0, 0.0], 1.0).unwrap();
    let sweep = |by: [f64; 3]| sweep_sphere_plane(&ball, &Motion::new(by).unwrap(), &ground);
    assert_eq!((sweep([5.0, 0.0, 0.0]), sweep([0.0, 1e-300, 0.0]), sweep([0.0; 3])), (None, None, None));
    assert!(matches!(sweep([5.0, -1e-300, 0.0]), Some(Sweep::Touching { depth: 0.0, .. })));
    let far = Sphere::new([0.0, 1e30, 0.0], 1e-300).unwrap();
    let fall = sweep_sphere_plane(&far, &Motion::new([0.0, -1e30, 0.0]).unwrap(), &ground);
    assert_eq!(fall.map(|sweep| sweep.t()), Some(1.0));
}

#[test]
fn boxes() {
    let mut rng = Rng::new(rng::seed(2773));
    let mut counts = [0; 3];
    for _ in 0..4000 {
        let (ball, motion) = ball_and_motion(&mut rng);
        let half = DVec3::from_array(std::array::from_fn(|_| rng.any_size(1e-2, 1.0)));
        let centre = DVec3::from(rng.in_cube(0.5));
        let bounds = Aabb::new(centre - half, centre + half).unwrap();
        let distance = |p: DVec3| p.distance(p.clamp(bounds.low(), bounds.high()));
        check(sweep_sphere_aabb(&ball, &motion, &bounds), distance, &ball, &motion, &mut counts, "aabb");
        let axis = DVec3::from(rng.direction()).normalize();
        let axes = DMat3::from_quat(DQuat::from_axis_angle(axis, rng.range(0.0, 7.0)));
        let bounds = Obb::new(centre, axes, half).unwrap();
        let distance = |p: DVec3| {
            let local = bounds.local(p);
            local.distance(local.clamp(-half, half))
        };
        check(sweep_sphere_obb(&ball, &motion, &bounds), distance, &ball, &motion, &mut counts, "obb");
    }
    assert_all(counts);
}

/// The distance of the hull is the least one of all triangles between its points, unless the point is inside.
#[test]
fn hulls_of_points_and_of_planes() {
    let mut rng = Rng::new(rng::seed(2775));
    let mut counts = [0; 3];
    for _ in 0..1200 {
        let (ball, motion) = ball_and_motion(&mut rng);
        let points: Vec<[f64; 3]> = (0..rng.int(4, 7)).map(|_| rng.in_cube(1.0)).collect();
        let hull = ConvexHull::from_points(points.clone()).unwrap();
        let mut triangles = Vec::new();
        for i in 0..points.len() {
            for j in 0..i {
                triangles.extend((0..j).map(|k| Triangle::new(points[i], points[j], points[k]).unwrap()));
            }
        }
        let distance = |p: DVec3| {
            if hull.contains(p) {
                return 0.0;
            }
            triangles
                .iter()
                .map(|triangle| point_triangle(p, triangle).distance)
                .fold(f64::INFINITY, f64::min)
        };
        let found = sweep_sphere_convex(&ball, &motion, &hull);
        check(found, distance, &ball, &motion, &mut counts, "hull");
        // The same hull by its planes, whose rounding moves its corners a little.
        let by_planes = ConvexHull::from_planes(hull.planes().iter().copied()).unwrap();
        let other = sweep_sphere_convex(&ball, &motion, &by_planes);
        match (found, other) {
            (Some(Sweep::Hit { t, normal, .. }), Some(Sweep::Hit { t: s, normal: n, .. })) => {
                let gap = (motion.by() * (t - s)).length();
                assert!(gap < 1e-6 && (normal - n).length() < 1e-3, "{hull:?} {ball:?}: {gap:e}");
            }
            (Some(Sweep::Touching { depth, .. }), Some(Sweep::Touching { depth: d, .. })) => {
                assert!((depth - d).abs() < 1e-9, "{hull:?} {ball:?}");
            }
            _ => assert_eq!((found, other), (None, None), "{hull:?} {ball:?}"),
        }
    }
    assert!(counts.iter().all(|&n| n > 40), "misses, contacts, hits: {counts:?}");
}

/// A box by every shape that can be one.
#[test]
fn a_box_is_a_box_whatever_made_it() {
    let mut rng = Rng::new(rng::seed(2776));
    let (low, high) = ([-1.0, -0.5, -0.25], [1.0, 0.5, 0.75]);
    let corner =
        |i: usize| std::array::from_fn(|axis| if i >> axis & 1 == 0 { low[axis] } else { high[axis] });
    let by_points = ConvexHull::from_points((0..8).map(corner)).unwrap();
    let by_planes = ConvexHull::from_planes(by_points.planes().iter().copied()).unwrap();
    let aabb = Aabb::new(low, high).unwrap();
    let obb = Obb::new([0.0, 0.0, 0.25], DMat3::IDENTITY, [1.0, 0.5, 0.5]).unwrap();
    let mut counts = [0; 3];
    for _ in 0..3000 {
        let (ball, motion) = ball_and_motion(&mut rng);
        let all = [
            sweep_sphere_aabb(&ball, &motion, &aabb),
            sweep_sphere_obb(&ball, &motion, &obb),
            sweep_sphere_convex(&ball, &motion, &by_points),
            sweep_sphere_convex(&ball, &motion, &by_planes),
        ];
        let number = |sweep: &Option<Sweep>| match sweep {
            None => (0, 0.0),
            Some(Sweep::Touching { depth, .. }) => (1, *depth),
            Some(Sweep::Hit { t, .. }) => (2, *t),
        };
        counts[number(&all[0]).0] += 1;
        for other in &all[1..] {
            let ((k, x), (l, y)) = (number(&all[0]), number(other));
            assert!(k == l && (x - y).abs() < 1e-12, "{ball:?} {motion:?}: {all:?}");
        }
    }
    assert_all(counts);
}

#[test]
fn balls_on_whole_numbers() {
    let target = Sphere::new([0.0; 3], 2.0).unwrap();
    let ball = Sphere::new([-9.0, 3.0, 0.0], 3.0).unwrap();
    let hit = sweep_sphere_sphere(&ball, &Motion::new([10.0, 0.0, 0.0]).unwrap(), &target);
    let Some(Sweep::Hit { t, position, normal }) = hit else { panic!("{hit:?}") };
    assert_eq!(t, 0.5);
    assert!((position - DVec3::new(-1.6, 1.2, 0.0)).length() < 1e-15, "{position}");
    assert!((normal - DVec3::new(-0.8, 0.6, 0.0)).length() < 1e-15, "{normal}");
    let graze = Sphere::new([-9.0, 5.0, 0.0], 3.0).unwrap();
    assert_eq!(sweep_sphere_sphere(&graze, &Motion::new([20.0, 0.0, 0.0]).unwrap(), &target), None);
    let one_place = sweep_sphere_sphere(&target, &Motion::new([0.0; 3]).unwrap(), &target);
    assert!(matches!(one_place, Some(Sweep::Touching { depth: 4.0, normal, .. }) if normal.length() == 1.0));
}

/// Both move: the same as one that moves by the difference.
#[test]
fn a_fast_bullet_and_a_moving_can() {
    let mut rng = Rng::new(rng::seed(2774));
    let mut hits = 0;
    for _ in 0..5000 {
        let (a, b) = (DVec3::from(rng.in_cube(3.0)), DVec3::from(rng.in_cube(3.0)));
        let (u, v) = (DVec3::from(rng.in_cube(50.0)), DVec3::from(rng.in_cube(2.0)));
        let (bullet, can) = (Sphere::new(a, 0.05).unwrap(), Sphere::new(b, 0.8).unwrap());
        let (flight, fall) = (Motion::new(u).unwrap(), Motion::new(v).unwrap());
        let Some(Sweep::Hit { t, .. }) =
            sweep_sphere_sphere(&bullet, &flight.relative_to(&fall).unwrap(), &can)
        else {
            continue;
        };
        hits += 1;
        assert!(((a + u * t).distance(b + v * t) - 0.85).abs() < 1e-12);
        for earlier in [0.25 * t, 0.5 * t, 0.99 * t] {
            assert!((a + u * earlier).distance(b + v * earlier) > 0.85);
        }
    }
    assert!(hits > 50, "{hits}");
}

/// A centre that was computed to lie on a face is half the time outside by what it was rounded.
#[test]
fn a_ball_whose_centre_lies_on_a_face_is_pushed_outwards() {
    let mut rng = Rng::new(rng::seed(2777));
    let rest = Motion::new([0.0; 3]).unwrap();
    let mut outside = [0; 2];
    for _ in 0..4000 {
        let (radius, away) = (rng.pick(&[0.25, 100.0, 1e-3, 1e-6, 1e-12]), rng.pick(&[0.0, 0.0, 1e7]));
        let outwards = |found: Option<Sweep>, out: DVec3, what: &dyn std::fmt::Debug| {
            let Some(Sweep::Touching { depth, normal, .. }) = found else { return };
            assert!(normal.dot(out) > 0.999, "{radius:e} {what:?}: {found:?}, out is {out}");
            assert!(
                (depth - radius).abs() <= 1e-10 + 1e-13 * (radius + away),
                "{radius:e} {what:?}: {found:?}"
            );
        };
        let axis = DVec3::from(rng.direction());
        let axes = DMat3::from_quat(DQuat::from_axis_angle(axis, rng.range(0.0, 7.0)));
        let half = DVec3::from(rng.in_cube(0.75)) + 1.25;
        let bounds = Obb::new(DVec3::from(rng.in_cube(1.0)) + away, axes, half).unwrap();
        let (face, sign) = (rng.below(3), rng.pick(&[-1.0, 1.0]));
        let mut local = DVec3::from(rng.in_cube(0.4));
        local[face] = sign * half[face];
        let centre = bounds.centre() + axes * local;
        let ball = Sphere::new(centre, radius).unwrap();
        outwards(sweep_sphere_obb(&ball, &rest, &bounds), axes.col(face) * sign, &(&bounds, centre));
        outside[0] += usize::from(!bounds.contains(centre));

        let [a, b, c, d] = [(); 4].map(|()| DVec3::from(rng.in_cube(1.0)) + away);
        let hull = ConvexHull::from_points([a, b, c, d]).unwrap();
        let by_planes = ConvexHull::from_planes(hull.planes().iter().copied()).unwrap();
        let (u, v) = (rng.range(0.2, 0.4), rng.range(0.2, 0.4));
        let centre = a * (1.0 - u - v) + b * u + c * v;
        let normal = (b - a).cross(c - a).normalize();
        let out = normal * (normal.dot(a - d)).signum();
        let ball = Sphere::new(centre, radius).unwrap();
        // As thin as that, the way through is as short.
        if normal.dot(a - d).abs() > 1e-3 {
            outwards(sweep_sphere_convex(&ball, &rest, &hull), out, &([a, b, c, d], centre));
            outwards(sweep_sphere_convex(&ball, &rest, &by_planes), out, &([a, b, c, d], centre));
            outside[1] += usize::from(!hull.contains(centre));
        }
    }
    assert!(outside.iter().all(|&count| count > 1000), "{outside:?}");
}

/// A tent so flat that its sides are nearly one plane, alone and with walls that leave only its top.
#[test]
fn planes_at_small_angles_keep_their_corners() {
    let plane = |n: [f64; 3], d: f64| Plane::from_equation(n, d).unwrap();
    let ball = Sphere::new([0.0, 0.0, 3.0], 0.5).unwrap();
    let fall = Motion::new([0.0, 0.0, -4.0]).unwrap();
    for h in [1e-3, 1e-5, 1e-6, 9e-7, 1e-7, 1e-9, 1e-12, 1e-16, 1e-17, 1e-30, 1e-150] {
        for height in [h, 1000.0 * h] {
            let sides =
                [[h, 0.0, 1.0], [-h, 0.0, 1.0], [0.0, h, 1.0], [0.0, -h, 1.0]].map(|n| plane(n, -height));
            let floor = plane([0.0, 0.0, -1.0], 0.0);
            let walls = [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y].map(|n| plane(n.to_array(), -500.0));
            let all = sides.into_iter().chain([floor]).chain(walls.into_iter().filter(|_| height != h));
            let tent = ConvexHull::from_planes(all).unwrap();
            let met = sweep_sphere_convex(&ball, &fall, &tent).map(|sweep| sweep.t());
            let expected = (2.5 - height) / 4.0;
            assert!(met.is_some_and(|t| (t - expected).abs() < 1e-12), "{h:e} {height:e}: {met:?}");
            // Beside it, where its base ends.
            let end = (height / h).min(500.0);
            for (x, y) in [(1.0, 1.0), (-1.0, 0.5), (0.0, -1.0)].map(|(x, y): (f64, f64)| (x * end, y * end))
            {
                let beyond = |part: f64| {
                    let small = Sphere::new([x * part, y * part, 3.0], 1e-5).unwrap();
                    sweep_sphere_convex(&small, &fall, &tent).is_some()
                };
                assert!(beyond(0.99) && !beyond(1.01), "{h:e} {height:e}: {x} {y}");
            }
        }
    }
}

/// A spike in any place, its sides given once, twice, and with copies that are a little off: balls do not pass through its tip.
#[test]
fn planes_given_twice_leave_the_tip_of_a_spike() {
    let mut rng = Rng::new(rng::seed(2778));
    for aspect in [1.0, 30.0, 150.0, 1e3, 1e5, 1e8] {
        for _ in 0..40 {
            let axis = DVec3::from(rng.direction()).normalize();
            let side = axis.any_orthonormal_vector();
            let turned = DMat3::from_cols(axis, side, axis.cross(side));
            let apex = axis * aspect;
            let mut planes = vec![Plane::new(-axis, -axis).unwrap()];
            for i in 0..3 {
                let (sin, cos) = (f64::from(i) * std::f64::consts::TAU / 3.0).sin_cos();
                planes.push(Plane::new(turned * DVec3::new(1.0 / aspect, cos, sin), apex).unwrap());
            }
            // Farther out by the least bits, so that they cut nothing off.
            let near = |plane: &Plane| {
                let normal = (plane.normal() + DVec3::from(rng.in_cube(1.0)) * 1e-16).to_array();
                Plane::from_equation(normal, plane.offset() - 1e-15 * aspect).unwrap()
            };
            let near: Vec<Plane> = planes[1..].iter().map(near).collect();
            let single = ConvexHull::from_planes(planes.iter().copied()).unwrap();
            let double = ConvexHull::from_planes(planes.iter().chain(&planes[1..]).copied()).unwrap();
            let almost = ConvexHull::from_planes(planes.iter().chain(&near).copied()).unwrap();
            let at = axis * (0.8 * aspect);
            let from = at + side * 5.0;
            let (ball, motion) = (Sphere::new(from, 0.25).unwrap(), Motion::new(at - from).unwrap());
            let [one, two, other] = [&single, &double, &almost]
                .map(|hull| sweep_sphere_convex(&ball, &motion, hull).map(|s| s.t()));
            let same =
                |t: Option<f64>| t.zip(one).is_some_and(|(t, one)| (t - one).abs() < 1e-14 * (1.0 + aspect));
            assert!(same(one) && same(two) && same(other), "{aspect}, {axis}: {one:?} {two:?} {other:?}");
        }
    }
}

/// Lenses and spindles of planes, some given twice and some nearly so: a small ball meets them where a ray does.
#[test]
fn thin_hulls_of_planes_are_met_where_rays_meet_them() {
    let mut rng = Rng::new(rng::seed(2779));
    let mut met = 0;
    for _ in 0..400 {
        let flat = rng.pick(&[1.0, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e2, 1e4, 1e6]);
        let (size, axis) = (DVec3::new(1.0, 1.0, flat), DVec3::from(rng.direction()));
        let turned = rng.pick(&[DMat3::IDENTITY, DMat3::from_axis_angle(axis.normalize(), 1.0)]);
        let away = DVec3::from(rng.in_cube(1.0)) * rng.pick(&[0.0, flat.min(1.0), 1.0, 100.0]);
        let direction = |rng: &mut Rng| DVec3::from(rng.direction());
        let mut planes: Vec<Plane> = (0..rng.int(6, 17))
            .map(|_| {
                let on = direction(&mut rng);
                Plane::new(turned * (on / size), turned * (on * size) + away).unwrap()
            })
            .collect();
        for _ in 0..3 {
            let plane = rng.pick(&planes);
            let normal = plane.normal() + direction(&mut rng) * 1e-16;
            planes.extend([plane, Plane::from_equation(normal, plane.offset() - 1e-15).unwrap()]);
        }
        let Ok(hull) = ConvexHull::from_planes(planes) else { continue };
        let radius = 1e-9 * size.max_element();
        let rounded = 1e-12 * (size.max_element() + away.length());
        for _ in 0..6 {
            let to = turned * (direction(&mut rng) * size * rng.range(0.0, 0.9)) + away;
            let from = turned * (DVec3::from(rng.in_cube(20.0)) * size.max(DVec3::ONE)) + away;
            let Some(through) = ray_convex(&Ray::between(from, to).unwrap(), &hull) else { continue };
            let (by, ball) = (to - from, Sphere::new(from, radius).unwrap());
            let found = sweep_sphere_convex(&ball, &Motion::new(by).unwrap(), &hull);
            let context = || format!("{hull:?} {from} {to}: {found:?}, {through:?}");
            let Some(Sweep::Hit { t, .. }) = found else {
                assert!(hull.contains(from) || found.is_some(), "{}", context());
                continue;
            };
            let slope = hull.planes()[through.entry_face].normal().dot(by).abs();
            assert!(t <= through.span.enter + rounded / slope, "{}", context());
            // Not before it is near to all planes.
            let heights = hull.planes().iter().map(|plane| plane.signed_distance(from + by * t));
            assert!(heights.fold(0.0, f64::max) <= radius * 1.1 + rounded, "{}", context());
            met += 1;
        }
    }
    assert!(met > 1000, "{met}");
}

/// Where rounding leaves no side of the box on which the ball is, it is on the one from which it comes.
#[test]
fn a_ball_smaller_than_rounding_meets_a_box_from_where_it_comes() {
    let against = |start: DVec3, radius: f64, by: DVec3, bounds: &Aabb| {
        let (ball, motion) = (Sphere::new(start, radius).unwrap(), Motion::new(by).unwrap());
        let Some(Sweep::Hit { normal, .. }) = sweep_sphere_aabb(&ball, &motion, bounds) else { return false };
        assert!(normal.dot(by) <= 1e-9, "{ball:?} {motion:?} {bounds:?}: {normal}");
        true
    };
    let bounds = Aabb::new([-0.9180255746960703; 3], [0.7389712612334147; 3]).unwrap();
    let start = DVec3::new(-3.8837902892144487, 0.9213310523415372, -0.2594649906919695);
    let by = DVec3::new(6.934142325671796, -0.27353968666218376, 0.61637793330779);
    assert!(against(start, 1e-20, by, &bounds));
    let (mut rng, mut hits) = (Rng::new(rng::seed(2801)), 0);
    for _ in 0..4_000 {
        let low = DVec3::from(rng.in_cube(1.0));
        let bounds = Aabb::new(low, low + DVec3::from(rng.in_cube(1.0)).abs()).unwrap();
        let start = DVec3::from(rng.in_cube(10.0));
        let by = (bounds.centre() - start) * rng.range(1.0, 2.0);
        hits += usize::from(against(start, rng.any_size(1e-20, 1e-12), by, &bounds));
    }
    assert!(hits > 3_000, "{hits}");
}

/// Corners are where their planes meet, and no rounding is added to them.
#[test]
fn a_cube_of_planes_has_the_corners_of_its_planes() {
    let cube = |centre: DVec3| {
        let faces = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
        ConvexHull::from_planes(faces.map(|normal| Plane::new(normal, centre + normal).unwrap())).unwrap()
    };
    // What lies beside a face is not in it.
    let (ball, rest) = (Sphere::new([1.0 + 2e-15, 0.3, 0.2], 1e-15).unwrap(), Motion::new([0.0; 3]).unwrap());
    assert_eq!(sweep_sphere_convex(&ball, &rest, &cube(DVec3::ZERO)), None);
    let centre = DVec3::splat(1e9);
    let ball = Sphere::new(centre + DVec3::new(1.0 + 5e-6, 0.3, 0.2), 1e-6).unwrap();
    let found = sweep_sphere_convex(&ball, &Motion::new([-6.0, 0.0, 0.0]).unwrap(), &cube(centre));
    let Some(Sweep::Hit { t, normal, .. }) = found else { panic!("{found:?}") };
    assert!(t < 1e-6 && normal.x > 0.99, "{found:?}");
}
