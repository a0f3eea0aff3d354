//! Ray and sphere: none, one or two solutions, exactly; `t` and the chord within 2^-42.

use hitscan::Ray;
use hitscan::intersect::{Chord, ray_sphere};
use hitscan::shape::Sphere;
use hitscan_oracle::Rng;
use hitscan_oracle::rng::seed;
use hitscan_oracle::solids::line_sphere;

use crate::cases::{Line, SCALES, grid_line, line_at};

fn assert_exact(line: &Line, centre: [f64; 3], radius: f64) -> Option<Chord> {
    let sphere = Sphere::new(centre, radius).expect("a sound sphere");
    let found = ray_sphere(&line.ray(), &sphere);
    let exact = line_sphere(line.origin, line.dir, centre, radius);
    let what = format!("{line:?} {sphere:?} {found:?}");
    assert_eq!(found.is_some(), exact.is_some(), "{what}");
    if let (Some(chord), Some(exact)) = (found, exact) {
        assert_eq!(chord.solutions() == 1, exact.is_tangent(), "{what}");
        assert!(exact.enters_near(chord.span.enter, 42), "{what}");
        assert!(exact.leaves_near(chord.span.exit, 42), "{what}");
        assert!(exact.is_length_near(chord.length, 42), "{what}");
        assert!(chord.span.enter <= chord.span.exit, "{what}");
    }
    found
}

#[test]
fn every_line_is_judged_as_exact_arithmetic_does() {
    let mut rng = Rng::new(seed(61));
    let mut hits = 0;
    for i in 0..20_000 {
        let scale = SCALES[i % SCALES.len()];
        let centre = rng.in_cube(scale);
        let radius = scale * rng.pick(&[1e-6, 0.3, 1.0, 7.0]);
        let line = line_at(&mut rng, centre.map(|c| c - radius), centre.map(|c| c + radius));
        hits += usize::from(assert_exact(&line, centre, radius).is_some());
    }
    assert!((5_000..19_000).contains(&hits), "{hits} of 20000 hit");
}

#[test]
fn grazing_lines_keep_their_chords_from_any_distance() {
    let mut rng = Rng::new(seed(62));
    let (mut hits, mut misses) = (0, 0);
    for i in 0..6_000 {
        let scale = SCALES[i % SCALES.len()];
        let centre = rng.in_cube(100.0 * scale);
        let radius = scale * rng.any_size(1e-3, 1e3);
        let away = rng.any_size(1e-3, 1e12) * radius;
        // A chord of r times this, or as far beside the sphere.
        let height = rng.pick(&[1.0, -1.0]) * rng.any_size(1e-15, 1e-2);
        let along = rng.direction();
        let across = perpendicular(along, rng.direction());
        let distance = radius * (1.0 - height);
        let origin = std::array::from_fn(|i| centre[i] + across[i] * distance - along[i] * away);
        match assert_exact(&Line { origin, dir: along.map(|c| c * 3.0) }, centre, radius) {
            Some(_) => hits += 1,
            None => misses += 1,
        }
    }
    assert!(hits > 1_500 && misses > 1_500, "{hits} hits, {misses} misses");
}

/// A unit vector at right angles to another, towards a third.
fn perpendicular(along: [f64; 3], towards: [f64; 3]) -> [f64; 3] {
    let dot: f64 = (0..3).map(|i| along[i] * towards[i]).sum();
    let v: [f64; 3] = std::array::from_fn(|i| towards[i] - along[i] * dot);
    let length = v.iter().map(|c| c * c).sum::<f64>().sqrt();
    v.map(|c| c / length)
}

#[test]
fn on_a_grid_tangents_and_starts_on_the_surface_are_exact() {
    let mut rng = Rng::new(seed(63));
    let (mut tangents, mut on_surface) = (0, 0);
    for _ in 0..40_000 {
        let centre: [f64; 3] = std::array::from_fn(|_| rng.int(-3, 3) as f64);
        let radius = rng.int(1, 7) as f64;
        let line = grid_line(&mut rng, 4);
        let Some(chord) = assert_exact(&line, centre, radius) else { continue };
        tangents += usize::from(chord.solutions() == 1);
        let from_centre: f64 = (0..3).map(|i| (line.origin[i] - centre[i]).powi(2)).sum();
        if from_centre == radius * radius {
            on_surface += 1;
            assert!(chord.span.enter == 0.0 || chord.span.exit == 0.0, "{line:?} {centre:?} {radius}");
        }
        // Where the roots are whole numbers over a small power of two, they come out as such.
        let [a, b] = [0, 1].map(|k| -> f64 {
            (0..3).map(|i| line.dir[i] * if k == 0 { line.dir[i] } else { line.origin[i] - centre[i] }).sum()
        });
        let root = (b * b - a * (from_centre - radius * radius)).sqrt();
        if root.fract() == 0.0 && a == 1.0 {
            assert_eq!((chord.span.enter, chord.span.exit, chord.length), (-b - root, -b + root, 2.0 * root));
        }
    }
    assert!(tangents > 100 && on_surface > 100, "{tangents} tangents, {on_surface} starts on the surface");
}

#[test]
fn tiny_and_huge_spheres_and_directions_neither_under_nor_overflow() {
    for power in [-1000, -600, -300, -110, 0, 95] {
        for dir_power in [-199, -150, 0, 199] {
            let (size, speed) = (2f64.powi(power), 2f64.powi(dir_power));
            let line = Line { origin: [-3.0 * size, 0.5 * size, 0.0], dir: [speed, 0.0, 0.0] };
            let unit = line.dir[0] / size;
            let sphere = Sphere::new([0.0; 3], size).expect("a sound sphere");
            let chord = ray_sphere(&line.ray(), &sphere).expect("a hit");
            let half = 0.75f64.sqrt();
            for (t, expected) in
                [(chord.span.enter, 3.0 - half), (chord.span.exit, 3.0 + half), (chord.length, 2.0 * half)]
            {
                assert!(t > 0.0 || unit.is_infinite(), "{power} {dir_power}: {t}");
                assert!(
                    unit.is_infinite() || (t * unit - expected).abs() < 1e-12,
                    "{power} {dir_power}: {t}"
                );
            }
            let beside = Line { origin: [-3.0 * size, 1.0001 * size, 0.0], ..line };
            assert!(ray_sphere(&beside.ray(), &sphere).is_none(), "{power} {dir_power}");
        }
    }
}

/// The squares of these radii are no numbers, and a power of two that brings the sphere near 1 takes the rest out of range.
#[test]
fn tiny_spheres_far_from_the_origin_of_coordinates_keep_their_chords() {
    let mut rng = Rng::new(seed(64));
    for radius in [1e-40, 1e-160, 1e-200, 1e-300] {
        for dir in [[1.0, 0.0, 0.0], [3.0, 0.0, -1e-300], [2f64.powi(-199), 0.0, 0.0]] {
            for centre in [[1.0, 0.0, 0.0], [-1e30, 1.0, 0.0], [0.0; 3]] {
                let mut aside = || radius * rng.range(-0.7, 0.7);
                let beside = [centre[0] - 3.0, centre[1], aside()];
                let within = [centre[0] + aside(), centre[1], aside()];
                for origin in [centre, beside, within] {
                    let found = assert_exact(&Line { origin, dir }, centre, radius);
                    assert!(found.is_some() || dir[2] != 0.0, "{origin:?} {dir:?} {centre:?} {radius:e}");
                }
            }
        }
    }
}

#[test]
fn the_interval_is_closed_and_a_segment_inside_hits() {
    let ball = Sphere::new([0.0; 3], 1.0).expect("a sound sphere");
    let line = Ray::new([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]).expect("a sound ray");
    let asked = |low: f64, high: f64| {
        let ray = line.with_range(low, high).expect("a range");
        ray_sphere(&ray, &ball).map(|chord| chord.span.crossings(&ray).collect::<Vec<_>>())
    };
    assert_eq!(asked(0.0, 2.0), Some(vec![2.0]));
    assert_eq!(asked(0.0, 2.0f64.next_down()), None);
    assert_eq!(asked(2.5, 3.5), Some(vec![]));
    assert_eq!(asked(4.0, f64::INFINITY), Some(vec![4.0]));
    assert_eq!(asked(4.0f64.next_up(), f64::INFINITY), None);
    assert_eq!(asked(f64::NEG_INFINITY, f64::INFINITY), Some(vec![2.0, 4.0]));
}
