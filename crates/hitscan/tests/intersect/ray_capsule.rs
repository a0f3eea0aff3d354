//! Ray and capsule: hit or miss exactly, the ends by the exact distance of where they lie from the segment.

use std::cmp::Ordering;

use hitscan::Ray;
use hitscan::intersect::{CapsulePart, ThroughCapsule, ray_capsule, ray_sphere};
use hitscan::shape::{Capsule, Sphere};
use hitscan_oracle::Rng;
use hitscan_oracle::distance::point_triangle;
use hitscan_oracle::rng::seed;
use hitscan_oracle::solids::line_capsule;

use crate::cases::{Line, SCALES, grid_line, line_at, point};

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

fn length(v: [f64; 3]) -> f64 {
    dot(v, v).sqrt()
}

/// The verdict on one line, and the part of it that is inside.
fn assert_right(line: &Line, [a, b]: [[f64; 3]; 2], radius: f64) -> Option<ThroughCapsule> {
    let capsule = Capsule::new(a, b, radius).expect("a sound capsule");
    let found = ray_capsule(&line.ray(), &capsule);
    let exact = line_capsule(line.origin, line.dir, [a, b], radius);
    let what = format!("{line:?} {capsule:?} {found:?}");
    assert_eq!(found.is_some(), exact != Ordering::Greater, "{what}");
    let through = found?;
    let (enter, exit) = (through.span.enter, through.span.exit);
    assert!(enter <= exit, "{what}");
    let reach = length(minus(a, line.origin)).max(length(minus(b, line.origin))) + radius;
    // Also what rounding a place to `f64` moves it by.
    let largest = [a, b, line.origin].as_flattened().iter().fold(0.0f64, |m, c| m.max(c.abs()));
    let slack = reach / 2f64.powi(39) + 4.0 * f64::EPSILON * largest;
    for (t, part) in [(enter, through.entry), (exit, through.exit)] {
        let place: [f64; 3] = std::array::from_fn(|i| line.origin[i] + t * line.dir[i]);
        let away = point_triangle(place, [a, b, b]).roughly();
        assert!((away - radius).abs() <= slack, "{what}: {away:e} at {t:e}");
        let along = dot(minus(place, a), minus(b, a)) / dot(minus(b, a), minus(b, a));
        // Where the ends are so near to each other that rounding takes one ball for the other, the part says little.
        let slack = 1e-9 + 1e-11 * (reach + largest) * reach / dot(minus(b, a), minus(b, a));
        match part {
            CapsulePart::CapA => assert!(a == b || along <= slack, "{what}: {along}"),
            CapsulePart::CapB => assert!(along >= 1.0 - slack, "{what}: {along}"),
            CapsulePart::Side => assert!((-slack..=1.0 + slack).contains(&along), "{what}: {along}"),
        }
    }
    // The middle is the deepest place but for one, and the capsule is convex.
    let middle: [f64; 3] = std::array::from_fn(|i| line.origin[i] + 0.5 * (enter + exit) * line.dir[i]);
    let away = point_triangle(middle, [a, b, b]).roughly();
    assert!(away <= radius + slack, "{what}: {away:e} in the middle");
    found
}

/// Capsules of every shape: long, short, nearly and exactly a ball, along an axis.
fn ends(rng: &mut Rng, scale: f64) -> [[f64; 3]; 2] {
    let a = rng.in_cube(scale);
    let along = rng.direction();
    let size = scale * rng.any_size(1e-9, 10.0);
    let b = match rng.below(5) {
        0 => a,
        1 => {
            let axis = rng.below(3);
            std::array::from_fn(|i| if i == axis { a[i] + scale } else { a[i] })
        }
        _ => std::array::from_fn(|i| a[i] + size * along[i]),
    };
    [a, b]
}

#[test]
fn every_line_is_judged_as_exact_arithmetic_does() {
    let mut rng = Rng::new(seed(2601));
    let (mut hits, mut sides) = (0, 0);
    for i in 0..12_000 {
        let scale = SCALES[i % SCALES.len()];
        let [a, b] = ends(&mut rng, scale);
        let radius = scale * rng.pick(&[1e-6, 0.05, 0.3, 1.0]);
        let low = std::array::from_fn(|i| a[i].min(b[i]) - radius);
        let high = std::array::from_fn(|i| a[i].max(b[i]) + radius);
        let line = line_at(&mut rng, low, high);
        if let Some(through) = assert_right(&line, [a, b], radius) {
            hits += 1;
            sides += usize::from(through.entry == CapsulePart::Side);
        }
    }
    assert!((2_000..11_000).contains(&hits) && sides > 500, "{hits} hits, {sides} at the side");
}

/// Lines that touch the side, or an end, or nearly do; from near and from 1e8 away; along the axis, or nearly.
#[test]
fn grazing_lines_from_any_distance() {
    let mut rng = Rng::new(seed(2602));
    let (mut hits, mut misses) = (0, 0);
    for i in 0..8_000 {
        let scale = SCALES[i % SCALES.len()];
        let [a, b] = ends(&mut rng, scale);
        let radius = scale * rng.any_size(1e-4, 10.0);
        let (u, towards) = (minus(b, a), rng.direction());
        let dir = match rng.below(4) {
            0 if a != b => u.map(|c| c / length(u)),
            1 if a != b => {
                let tilt = rng.any_size(1e-15, 1e-3);
                std::array::from_fn(|i| u[i] / length(u) + tilt * towards[i])
            }
            _ => rng.direction(),
        };
        let across = {
            let d = dot(dir, towards) / dot(dir, dir);
            let v: [f64; 3] = std::array::from_fn(|i| towards[i] - d * dir[i]);
            v.map(|c| c / length(v))
        };
        let s = rng.pick(&[0.0, 1.0, 0.5, -0.1, 1.1]);
        let height = radius * (1.0 - rng.pick(&[1.0, -1.0, 0.0]) * rng.any_size(1e-15, 1e-2));
        let away = rng.pick(&[0.0, 1.0, 1e3, 1e8]) * scale;
        let origin = std::array::from_fn(|i| a[i] + s * u[i] + height * across[i] - away * dir[i]);
        match assert_right(&Line { origin, dir: dir.map(|c| c * 3.0) }, [a, b], radius) {
            Some(_) => hits += 1,
            None => misses += 1,
        }
    }
    assert!(hits > 1_500 && misses > 1_500, "{hits} hits, {misses} misses");
}

/// Touches and starts on the surface are exact on whole numbers.
#[test]
fn on_a_grid_touches_are_exact() {
    let mut rng = Rng::new(seed(2603));
    let mut touches = 0;
    for _ in 0..30_000 {
        let [a, b] = [(); 2].map(|()| [(); 3].map(|()| rng.int(-3, 3) as f64));
        let radius = rng.int(1, 5) as f64;
        let line = grid_line(&mut rng, 4);
        let found = assert_right(&line, [a, b], radius);
        let touch = line_capsule(line.origin, line.dir, [a, b], radius) == Ordering::Equal;
        touches += usize::from(touch);
        let (u, d) = (minus(b, a), line.dir);
        let along = (0..3).all(|i| u[i] * d[(i + 1) % 3] == u[(i + 1) % 3] * d[i]);
        if let Some(through) = found.filter(|_| touch && a != b && !along) {
            assert_eq!(through.span.enter, through.span.exit, "{line:?} {a:?} {b:?} {radius}");
        }
        if a == b {
            let ball = Sphere::new(a, radius).expect("a sound sphere");
            assert_eq!(found.map(|f| f.span), ray_sphere(&line.ray(), &ball).map(|chord| chord.span));
        }
    }
    assert!(touches > 100, "{touches} touches");
}

#[test]
fn a_line_along_the_axis_goes_from_cap_to_cap() {
    let pill = Capsule::new([1.0, 2.0, 3.0], [1.0, 6.0, 3.0], 2.0).unwrap();
    for x in [1.0, -1.0, 3.0] {
        let line = Line { origin: [x, 0.0, 3.0], dir: [0.0, -1.0, 0.0] };
        let hit = ray_capsule(&line.ray(), &pill).expect("inside or at the side");
        assert_eq!((hit.entry, hit.exit), (CapsulePart::CapB, CapsulePart::CapA));
        let half = if x == 1.0 { 2.0 } else { 0.0 };
        assert_eq!((hit.span.enter, hit.span.exit), (-6.0 - half, -2.0 + half), "{x}");
    }
    let beside = Line { origin: [3.0f64.next_up(), 0.0, 3.0], dir: [0.0, -1.0, 0.0] };
    assert!(ray_capsule(&beside.ray(), &pill).is_none());
}

/// Sizes so different that nothing but exact arithmetic can compare them: the verdict alone.
#[test]
fn sizes_of_every_kind_together() {
    let mut rng = Rng::new(seed(2604));
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..3_000 {
        let [a, b, mut origin] = [(); 3].map(|()| point(&mut rng));
        if rng.one_in(3) {
            origin = a;
        }
        let target = rng.pick(&[a, b]);
        let dir = if rng.one_in(2) { point(&mut rng) } else { minus(target, origin) };
        let radius = rng.power_of_two(-1000, 99);
        let (Ok(ray), Ok(capsule)) = (Ray::new(origin, dir), Capsule::new(a, b, radius)) else { continue };
        let line = ray.with_range(f64::NEG_INFINITY, f64::INFINITY).unwrap();
        let exact = line_capsule(origin, dir, [a, b], radius);
        let found = ray_capsule(&line, &capsule);
        assert_eq!(found.is_some(), exact != Ordering::Greater, "{ray:?} {capsule:?}");
        match found {
            Some(through) => {
                assert!(through.span.enter <= through.span.exit, "{ray:?} {capsule:?} {through:?}");
                hits += 1;
            }
            None => misses += 1,
        }
        assert_eq!(
            capsule.contains(origin),
            point_triangle(origin, [a, b, b]).compare(radius) != Ordering::Greater
        );
    }
    assert!(hits > 300 && misses > 300, "{hits} hits, {misses} misses");
}

#[test]
fn the_interval_is_closed_and_a_segment_inside_hits() {
    let pill = Capsule::new([0.0, -2.0, 0.0], [0.0, 2.0, 0.0], 1.0).unwrap();
    let line = Ray::new([-3.0, 1.0, 0.0], [1.0, 0.0, 0.0]).unwrap();
    let asked = |low: f64, high: f64| {
        let ray = line.with_range(low, high).unwrap();
        ray_capsule(&ray, &pill).map(|hit| hit.span.crossings(&ray).collect::<Vec<_>>())
    };
    assert_eq!(asked(0.0, 2.0), Some(vec![2.0]));
    assert_eq!(asked(0.0, 2.0f64.next_down()), None);
    assert_eq!(asked(2.5, 3.5), Some(vec![]));
    assert_eq!(asked(4.0, f64::INFINITY), Some(vec![4.0]));
    assert_eq!(asked(4.0f64.next_up(), f64::INFINITY), None);
}
