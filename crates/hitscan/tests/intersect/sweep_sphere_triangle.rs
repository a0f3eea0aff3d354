//! Moving sphere and triangle, against a search along the path with exact distances, and cases that are known.

use std::cmp::Ordering;

use hitscan::glam::DVec3;
use hitscan::intersect::{Motion, Sweep, sphere_triangle, sweep_sphere_triangle};
use hitscan::shape::{Sphere, Triangle};
use hitscan_oracle::distance::point_triangle;
use hitscan_oracle::sweep::Path;
use hitscan_oracle::{Rng, rng};

use crate::sphere_triangle::{Corners, shape, spread};

pub fn sweep(centre: [f64; 3], radius: f64, by: [f64; 3], corners: Corners) -> Option<Sweep> {
    let sphere = Sphere::new(centre, radius).unwrap_or_else(|error| panic!("{error}"));
    let [a, b, c] = corners;
    sweep_sphere_triangle(&sphere, &Motion::new(by).unwrap(), &Triangle::new(a, b, c).unwrap())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Miss,
    Touching,
    Hit,
    Unsure,
}

/// Compares one sweep with the search.
fn check(centre: [f64; 3], radius: f64, by: [f64; 3], corners: Corners) -> Outcome {
    let found = sweep(centre, radius, by, corners);
    let context = || format!("{centre:?} {radius:e} {by:?} {corners:?}: {found:?}");
    let path = Path { start: centre, by };
    let way = by.iter().fold(0.0f64, |m, c| m.max(c.abs()));
    let placing = centre.iter().fold(0.0f64, |m, c| m.max(c.abs())) * f64::EPSILON;
    let slack = radius.max(way).max(spread(centre, corners)) / 2f64.powi(40) + 4.0 * placing;
    match point_triangle(centre, corners).compare(radius) {
        Ordering::Less => {
            let smaller = point_triangle(centre, corners).compare(radius.next_down()) != Ordering::Greater;
            match found {
                Some(Sweep::Touching { depth, position, normal }) => {
                    let sphere = Sphere::new(centre, radius).unwrap();
                    let [a, b, c] = corners;
                    let contact =
                        sphere_triangle(&sphere, &Triangle::new(a, b, c).unwrap()).expect("it touches");
                    assert_eq!((depth, position, normal), (contact.depth, contact.point, contact.normal));
                }
                other => assert!(other.is_none() && !smaller, "{}", context()),
            }
            return Outcome::Touching;
        }
        Ordering::Equal => {
            assert!(!matches!(found, Some(Sweep::Hit { .. })), "{}", context());
            return Outcome::Touching;
        }
        Ordering::Greater => {}
    }
    let (_, least) = path.nearest(corners);
    match found {
        None => {
            assert!(least >= radius - slack, "{}: it comes within {least:e}", context());
            if least > radius + slack { Outcome::Miss } else { Outcome::Unsure }
        }
        Some(Sweep::Touching { .. }) => panic!("{}", context()),
        Some(Sweep::Hit { t, position, normal }) => {
            assert!(least <= radius + slack, "{}: it comes within {least:e}", context());
            assert!((0.0..=1.0).contains(&t), "{}", context());
            let away = path.distance(t, corners);
            assert!((away - radius).abs() <= slack, "{}: {away:e} away", context());
            if let Some(first) = path.first_within(radius - slack, corners) {
                assert!(t <= first, "{}: it was within at {first:e}", context());
            }
            assert!((normal.length() - 1.0).abs() < 1e-14, "{}", context());
            let off = point_triangle(position.to_array(), corners).roughly();
            assert!(off <= slack, "{}: {off:e} off the triangle", context());
            let gap = (DVec3::from(path.at(t)) - position).length();
            assert!((gap - radius).abs() <= 4.0 * slack, "{}: {gap:e}", context());
            Outcome::Hit
        }
    }
}

/// From near or far towards some point about the triangle, or past it at nearly the radius.
fn path(corners: Corners, radius: f64, rng: &mut Rng) -> ([f64; 3], [f64; 3]) {
    let [a, b, c] = corners;
    let (u, v) = (rng.unit(), rng.unit());
    let (u, v) = (rng.pick(&[u, u, 0.0, 1.0]), rng.pick(&[v, v, 0.0]));
    let v = v * (1.0 - u);
    let on: [f64; 3] = std::array::from_fn(|i| a[i] + u * (b[i] - a[i]) + v * (c[i] - a[i]));
    let dir = match rng.below(5) {
        0 => std::array::from_fn(|i| b[i] - a[i]), // along an edge
        1 => std::array::from_fn(|i| (b[i] - a[i]) + rng.clone().unit() * (c[i] - a[i])), // in the plane
        2 => std::array::from_fn(|_| rng.pick(&[-1.0, 0.0, 0.0, 1.0])),
        _ => rng.direction(),
    };
    let dir = if dir == [0.0; 3] { [0.0, 1.0, 0.0] } else { dir };
    let across = DVec3::from(dir).cross(DVec3::from(rng.direction())).normalize_or_zero().to_array();
    let graze = match rng.below(4) {
        0 => 0.0,
        1 => 1.0 + rng.pick(&[1.0, -1.0]) * rng.any_size(1e-15, 1e-3),
        2 => 1.0,
        _ => 2.0 * rng.unit(),
    };
    let back = rng.pick(&[1.0, 1.0, 3.0, 0.0, 1e3, 1e8]) * rng.unit();
    let start = std::array::from_fn(|i| on[i] + graze * radius * across[i] - back * dir[i]);
    let forth = rng.pick(&[1.0, 2.0, 0.5]) * back + rng.pick(&[0.0, 1.0]);
    (start, dir.map(|c| c * forth))
}

#[test]
fn sweeps_are_what_a_search_along_the_path_finds() {
    let mut rng = Rng::new(rng::seed(2731));
    let mut outcomes = [0; 4];
    for scale in [1.0, 2f64.powi(-200), 2f64.powi(60)] {
        for _ in 0..900 {
            let corners = shape(&mut rng);
            let radius = rng.any_size(1e-4, 10.0);
            let (start, by) = path(corners, radius, &mut rng);
            let scaled = |p: [f64; 3]| p.map(|c| c * scale);
            outcomes[check(scaled(start), radius * scale, scaled(by), corners.map(scaled)) as usize] += 1;
        }
    }
    let [miss, touching, hit, _] = outcomes;
    assert!(miss > 200 && touching > 200 && hit > 400, "{outcomes:?}");
}

#[test]
fn far_from_the_origin() {
    let mut rng = Rng::new(rng::seed(2732));
    for away in [1e3, 1e8] {
        for _ in 0..200 {
            let corners = shape(&mut rng).map(|p| p.map(|c| c + away));
            let radius = rng.any_size(1e-2, 10.0);
            let (start, by) = path(corners, radius, &mut rng);
            check(start, radius, by, corners);
        }
    }
}

/// Everything times a power of two: the same bits.
#[test]
fn powers_of_two_change_nothing() {
    let mut rng = Rng::new(rng::seed(2733));
    let mut hits = 0;
    for _ in 0..8000 {
        let corners = shape(&mut rng);
        let radius = rng.any_size(1e-4, 10.0);
        let (start, by) = path(corners, radius, &mut rng);
        let one = sweep(start, radius, by, corners);
        for power in [-500, -90, 60] {
            let scale = 2f64.powi(power);
            let scaled = |p: [f64; 3]| p.map(|c| c * scale);
            let other = sweep(scaled(start), radius * scale, scaled(by), corners.map(scaled));
            let back = other.map(|sweep| match sweep {
                Sweep::Hit { t, position, normal } => Sweep::Hit { t, position: position / scale, normal },
                Sweep::Touching { depth, position, normal } => {
                    Sweep::Touching { depth: depth / scale, position: position / scale, normal }
                }
            });
            assert_eq!(back, one, "{start:?} {radius:e} {by:?} {corners:?}");
        }
        hits += usize::from(one.is_some());
    }
    assert!(hits > 1000, "{hits}");
}

const FLOOR: Corners = [[0.0, 0.0, 0.0], [12.0, 0.0, 0.0], [0.0, 12.0, 0.0]];

fn hit(found: Option<Sweep>) -> Option<(f64, [f64; 3], [f64; 3])> {
    match found? {
        Sweep::Hit { t, position, normal } => Some((t, position.to_array(), normal.to_array())),
        Sweep::Touching { .. } => None,
    }
}

#[test]
fn whole_numbers_have_whole_answers() {
    // The face from above and below, an edge, a corner.
    let down = [0.0, 0.0, -8.0];
    assert_eq!(hit(sweep([3.0, 3.0, 9.0], 5.0, down, FLOOR)), Some((0.5, [3.0, 3.0, 0.0], [0.0, 0.0, 1.0])));
    let up = [0.0, 0.0, 8.0];
    assert_eq!(hit(sweep([3.0, 3.0, -9.0], 5.0, up, FLOOR)), Some((0.5, [3.0, 3.0, 0.0], [0.0, 0.0, -1.0])));
    assert_eq!(
        hit(sweep([6.0, -3.0, 8.0], 5.0, down, FLOOR)),
        Some((0.5, [6.0, 0.0, 0.0], [0.0, -0.6, 0.8]))
    );
    assert_eq!(hit(sweep([-3.0, -4.0, 8.0], 5.0, down, FLOOR)), None, "only a graze of the corner");
    assert_eq!(
        hit(sweep([15.0, 0.0, 8.0], 5.0, down, FLOOR)),
        Some((0.5, [12.0, 0.0, 0.0], [0.6, 0.0, 0.8]))
    );
    // Up to the end, and not a bit less.
    assert_eq!(hit(sweep([3.0, 3.0, 9.0], 5.0, [0.0, 0.0, -4.0], FLOOR)).map(|h| h.0), Some(1.0));
    assert_eq!(sweep([3.0, 3.0, 9.0], 5.0, [0.0, 0.0, (-4.0f64).next_up()], FLOOR), None);
    // Fast enough to be on the other side.
    assert_eq!(hit(sweep([3.0, 3.0, 9.0], 5.0, [0.0, 0.0, -4096.0], FLOOR)).map(|h| h.0), Some(4.0 / 4096.0));
}

#[test]
fn grazes_on_whole_numbers_miss_and_what_goes_in_by_the_least_step_hits() {
    // Over the face, beside an edge and beside a corner, at exactly the radius.
    for (start, by) in [
        ([-30.0, 3.0, 5.0], [60.0, 0.0, 0.0]),
        ([-30.0, 3.0, 5.0], [60.0, 1.0, 0.0]),
        ([-30.0, -5.0, 0.0], [60.0, 0.0, 0.0]),
        ([-30.0, -3.0, 4.0], [60.0, 0.0, 0.0]),
        ([-30.0, -3.0, -4.0], [60.0, 0.0, 0.0]),
        ([15.0, -30.0, 4.0], [0.0, 60.0, 0.0]),
        ([-3.0, -4.0, 30.0], [0.0, 0.0, -60.0]),
    ] {
        assert_eq!(sweep(start, 5.0, by, FLOOR), None, "{start:?} {by:?}");
        let larger = 5.0f64.next_up();
        assert!(sweep(start, larger, by, FLOOR).is_some(), "{start:?} {by:?}");
        assert_eq!(sweep(start, 5.0f64.next_down(), by, FLOOR), None, "{start:?} {by:?}");
    }
}

#[test]
fn at_the_touching_distance_the_direction_decides() {
    for (start, into) in [
        ([3.0, 3.0, 5.0], [0.0, 0.0, -1.0]),
        ([3.0, 3.0, -5.0], [0.0, 0.0, 1.0]),
        ([6.0, -3.0, 4.0], [0.0, 3.0, -4.0]),
        ([-3.0, 0.0, -4.0], [3.0, 0.0, 4.0]),
    ] {
        let Some(Sweep::Touching { depth, .. }) = sweep(start, 5.0, into, FLOOR) else {
            panic!("{start:?}: into it");
        };
        assert_eq!(depth, 0.0);
        assert_eq!(sweep(start, 5.0, into.map(|c: f64| -c), FLOOR), None, "{start:?}: away");
        assert_eq!(sweep(start, 5.0, [0.0; 3], FLOOR), None, "{start:?}: at rest");
        // Deeper by a bit, it is in contact whichever way it goes.
        let away = sweep(start, 5.001, into.map(|c: f64| -c), FLOOR);
        assert!(matches!(away, Some(Sweep::Touching { depth, .. }) if depth > 0.0009), "{start:?}");
        assert_eq!(sweep(start, 4.999, into.map(|c: f64| -c), FLOOR), None);
    }
    assert_eq!(sweep([3.0, 3.0, 5.0], 5.0, [7.0, -7.0, 0.0], FLOOR), None, "along");
}

#[test]
fn a_needle_a_segment_and_a_point_are_met_too() {
    let needle = [[0.0; 3], [8.0, 0.0, 0.0], [4.0, 1e-300, 0.0]];
    let segment = [[0.0; 3], [8.0, 0.0, 0.0], [4.0, 0.0, 0.0]];
    for corners in [needle, segment] {
        let met = hit(sweep([4.0, 0.0, 9.0], 1.0, [0.0, 0.0, -16.0], corners)).expect("a hit");
        assert!((met.0 - 0.5).abs() < 1e-15 && met.2 == [0.0, 0.0, 1.0], "{corners:?}: {met:?}");
        let end = hit(sweep([-9.0, 0.0, 0.0], 1.0, [16.0, 0.0, 0.0], corners)).expect("a hit");
        assert!((end.0 - 0.5).abs() < 1e-15, "{corners:?}: {end:?}");
        assert_eq!(sweep([4.0, 1.5, 9.0], 1.0, [0.0, 0.0, -16.0], corners), None);
    }
    let point = [[1.0; 3]; 3];
    assert_eq!(hit(sweep([1.0, 1.0, 6.0], 1.0, [0.0, 0.0, -8.0], point)).map(|h| h.0), Some(0.5));
}

/// The square of its normal is nothing, and the ball meets it as it would a point.
#[test]
fn a_triangle_too_small_for_the_square_of_its_area_is_met() {
    for size in [1e-60, 1e-77, 1e-78, 1e-80, 1e-85, 1e-100, 1e-150, 1e-158, 1e-170, 5e-324] {
        let corners = [[0.0; 3], [size, 0.0, 0.0], [0.0, size, 0.0]];
        let met = hit(sweep([0.0, 0.0, 3.0], 1.0, [0.0, 0.0, -2.5], corners));
        assert!(met.is_some_and(|(t, ..)| (t - 0.8).abs() < 1e-12), "{size:e}: {met:?}");
        assert_eq!(sweep([0.0, 0.0, 3.0], 1.0, [0.0, 0.0, -1.5], corners), None, "{size:e}");
        // Beside a ball of its own size.
        let own = [0.25 * size, 0.25 * size, 3.0 * size];
        let met = hit(sweep(own, size, [0.0, 0.0, -2.5 * size], corners));
        assert!(size < 1e-300 || met.is_some_and(|(t, ..)| (t - 0.8).abs() < 1e-12), "{size:e}: {met:?}");
    }
}

/// Where rounding leaves no side of the face on which the ball is, it is on the one from which it comes.
#[test]
fn a_ball_smaller_than_rounding_is_met_from_where_it_comes() {
    let into = |start: [f64; 3], radius: f64, by: [f64; 3], corners: Corners| {
        let found = hit(sweep(start, radius, by, corners));
        let slope = found.map(|(.., normal)| DVec3::from(normal).dot(DVec3::from(by)));
        assert!(
            slope.is_none_or(|slope| slope <= 1e-9),
            "{start:?} {radius:e} {by:?} {corners:?}: {found:?}"
        );
        usize::from(found.is_some())
    };
    let corners = [[0.0f32; 3], [0.9, 0.1, 0.3], [0.2, 0.8, 0.7]].map(|corner| corner.map(f64::from));
    let by = [0.0885, -7.050555000000001, 11.443349999999999];
    assert_eq!(into([0.301, 5.00037, -7.2989], 1e-15, by, corners), 1);
    let (mut rng, mut hits) = (Rng::new(rng::seed(2734)), 0);
    for _ in 0..4000 {
        let away = rng.pick(&[0.0, 0.0, 1e6]);
        let corners = [(); 3].map(|()| DVec3::from(rng.in_cube(1.0)) + away);
        let (u, v) = (rng.range(0.2, 0.4), rng.range(0.2, 0.4));
        let target = corners[0] * (1.0 - u - v) + corners[1] * u + corners[2] * v;
        let start = DVec3::from(rng.in_cube(10.0)) + away;
        let by = (target - start) * rng.range(1.1, 2.0);
        let radius = rng.any_size(1e-20, 1e-9);
        hits += into(start.to_array(), radius, by.to_array(), corners.map(|corner| corner.to_array()));
    }
    assert!(hits > 2000, "{hits}");
}
