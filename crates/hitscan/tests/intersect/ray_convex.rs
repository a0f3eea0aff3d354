//! Ray and convex hull: the verdict is exact for the points or planes as given, `t` is within 2^-44.

use hitscan::glam::DVec3;
use hitscan::intersect::ray_convex;
use hitscan::shape::{ConvexHull, Plane};
use hitscan_oracle::Rng;
use hitscan_oracle::rng::seed;
use hitscan_oracle::solids::{line_planes, line_points};

use crate::cases::{Line, SCALES, assert_span_is_near, grid_line, line_at};

fn assert_points_exact(line: &Line, points: &[[f64; 3]], hull: &ConvexHull, bits: u32) -> bool {
    let found = ray_convex(&line.ray(), hull);
    let exact = line_points(line.origin, line.dir, points);
    let what = format!("{line:?} {points:?}");
    assert_eq!(found.is_some(), exact.is_some(), "{what}");
    if let (Some(found), Some(exact)) = (found, &exact) {
        assert_span_is_near(found.span.enter, found.span.exit, exact, bits, &what);
        // The faces are planes through those places.
        for (face, t) in [(found.entry_face, found.span.enter), (found.exit_face, found.span.exit)] {
            let ray = line.ray();
            let scale = points.iter().flatten().fold(0.0f64, |m, c| m.max(c.abs()))
                + ray.at(t).abs().max_element()
                + ray.origin().abs().max_element();
            let height = hull.planes()[face].signed_distance(ray.at(t));
            assert!(height.abs() <= 1e-11 * scale, "{what}: face {face} is {height:e} away at {t}");
        }
        let entry = hull.planes()[found.entry_face].normal().dot(line.ray().dir());
        assert!(entry < 1e-12 * line.ray().dir().length(), "{what}: enters where it would leave");
    }
    exact.is_some()
}

#[test]
fn hulls_of_points_are_judged_as_exact_arithmetic_does() {
    let mut rng = Rng::new(seed(71));
    let (mut hits, mut tries) = (0, 0);
    for i in 0..700 {
        let scale = SCALES[i % SCALES.len()];
        let count = 4 + rng.below(5);
        let points: Vec<[f64; 3]> = (0..count).map(|_| rng.in_cube(scale)).collect();
        let hull = ConvexHull::from_points(points.iter().copied()).expect("random points have a volume");
        for _ in 0..4 {
            let mut line = line_at(&mut rng, [-scale; 3], [scale; 3]);
            match rng.below(3) {
                // From a corner to a corner, and at a point of an edge.
                0 => line.origin = rng.pick(&points),
                1 => {
                    let (a, b) = (rng.pick(&points), rng.pick(&points));
                    line.dir = std::array::from_fn(|k| 0.5 * (a[k] + b[k]) - line.origin[k]);
                }
                _ => {}
            }
            if line.dir == [0.0; 3] {
                continue;
            }
            tries += 1;
            hits += usize::from(assert_points_exact(&line, &points, &hull, 44));
        }
    }
    assert!(hits > tries / 5 && hits < tries, "{hits} of {tries} hit");
}

#[test]
fn on_a_grid_every_number_is_the_exact_one() {
    let mut rng = Rng::new(seed(72));
    let (mut hits, mut hulls) = (0, 0);
    while hulls < 400 {
        let count = 4 + rng.below(6);
        let points: Vec<[f64; 3]> =
            (0..count).map(|_| std::array::from_fn(|_| rng.int(-3, 3) as f64)).collect();
        let Ok(hull) = ConvexHull::from_points(points.iter().copied()) else { continue };
        hulls += 1;
        for _ in 0..6 {
            hits += usize::from(assert_points_exact(&grid_line(&mut rng, 3), &points, &hull, 52));
        }
    }
    assert!(hits > 300, "{hits} hit");
}

#[test]
fn hulls_of_planes_are_judged_as_exact_arithmetic_does() {
    let mut rng = Rng::new(seed(73));
    let (mut hits, mut tries) = (0, 0);
    for i in 0..600 {
        let scale = SCALES[i % SCALES.len()];
        let centre = rng.in_cube(scale);
        let mut planes = Vec::new();
        for axis in 0..3 {
            for end in [-1.0, 1.0] {
                let mut normal = [0.0; 3];
                normal[axis] = end;
                planes.push(Plane::new(normal, std::array::from_fn(|k| centre[k] + scale * normal[k])));
            }
        }
        for _ in 0..rng.below(8) {
            let normal = rng.direction();
            let reach = scale * rng.range(0.3, 2.0); // beyond sqrt(3) it bounds nothing
            planes.push(Plane::new(normal, std::array::from_fn(|k| centre[k] + reach * normal[k])));
        }
        let planes: Vec<Plane> = planes.into_iter().map(|plane| plane.expect("a normal")).collect();
        let hull = ConvexHull::from_planes(planes.iter().copied()).expect("a solid");
        let equations: Vec<([f64; 3], f64)> =
            hull.planes().iter().map(|p| (p.normal().to_array(), p.offset())).collect();
        for _ in 0..8 {
            let line = line_at(&mut rng, centre.map(|c| c - scale), centre.map(|c| c + scale));
            let found = ray_convex(&line.ray(), &hull);
            let exact = line_planes(line.origin, line.dir, &equations);
            let what = format!("{line:?} {equations:?}");
            assert_eq!(found.is_some(), exact.is_some(), "{what}");
            tries += 1;
            if let (Some(found), Some(exact)) = (found, exact) {
                hits += 1;
                assert_span_is_near(found.span.enter, found.span.exit, &exact, 44, &what);
                assert_eq!(found.entry_face, exact.entry_faces[0], "{what}");
                assert_eq!(found.exit_face, exact.exit_faces[0], "{what}");
            }
        }
    }
    assert!(hits > tries / 5 && hits < tries, "{hits} of {tries} hit");
}

#[test]
fn slivers_are_judged_as_exact_arithmetic_does() {
    let mut rng = Rng::new(seed(74));
    let (mut hits, mut tries) = (0, 0);
    for i in 0..400 {
        let scale = SCALES[i % SCALES.len()];
        let (long, wide) = (DVec3::from(rng.direction()), DVec3::from(rng.direction()));
        let thin = DVec3::from(rng.direction()) * 1e-9;
        let points: Vec<[f64; 3]> = (0..5 + rng.below(3))
            .map(|_| {
                let [x, y, z] = rng.in_cube(scale);
                (long * x + wide * y + thin * z).to_array()
            })
            .collect();
        let hull = ConvexHull::from_points(points.iter().copied()).expect("thin, but there");
        for _ in 0..4 {
            let (a, b, start) = (rng.pick(&points), rng.pick(&points), rng.in_cube(2.0 * scale));
            // At a corner, at the middle of an edge or of the inside, from outside or along the sliver.
            let origin = if rng.one_in(3) { rng.pick(&points) } else { start };
            let dir = std::array::from_fn(|k| 0.5 * (a[k] + b[k]) - origin[k]);
            if dir == [0.0; 3] {
                continue;
            }
            let line = Line { origin, dir };
            let found = ray_convex(&line.ray(), &hull);
            let exact = line_points(origin, dir, &points);
            assert_eq!(found.is_some(), exact.is_some(), "{line:?} {points:?}");
            tries += 1;
            let (Some(found), Some(exact)) = (found, exact) else { continue };
            hits += 1;
            assert_span_is_near(found.span.enter, found.span.exit, &exact, 44, "a sliver");
        }
    }
    assert!(hits > tries / 5 && hits < tries, "{hits} of {tries} hit");
}

#[test]
fn planes_on_a_grid_give_the_exact_numbers() {
    let mut rng = Rng::new(seed(75));
    let mut hits = 0;
    for _ in 0..2_000 {
        let low: [f64; 3] = std::array::from_fn(|_| rng.int(-6, 5) as f64);
        let high = low.map(|c| c + rng.int(1, 5) as f64);
        // Two of each, in any order: the first in the list counts.
        let mut planes: Vec<Plane> = (0..12)
            .map(|i| {
                let (axis, up) = (i % 3, i % 2 == 0);
                let mut normal = [0.0; 3];
                normal[axis] = if up { 1.0 } else { -1.0 };
                Plane::new(normal, if up { high } else { low }).expect("a normal")
            })
            .collect();
        rng.shuffle(&mut planes);
        let hull = ConvexHull::from_planes(planes.iter().copied()).expect("a box");
        let equations: Vec<([f64; 3], f64)> =
            planes.iter().map(|p| (p.normal().to_array(), p.offset())).collect();
        for _ in 0..4 {
            let line = grid_line(&mut rng, 6);
            let found = ray_convex(&line.ray(), &hull);
            let exact = line_planes(line.origin, line.dir, &equations);
            assert_eq!(found.is_some(), exact.is_some(), "{line:?} {planes:?}");
            let (Some(found), Some(exact)) = (found, exact) else { continue };
            hits += 1;
            assert_span_is_near(found.span.enter, found.span.exit, &exact, 53, "on a grid");
            assert_eq!((found.entry_face, found.exit_face), (exact.entry_faces[0], exact.exit_faces[0]));
        }
    }
    assert!(hits > 500, "{hits} hit");
}
