//! Ray and box: the verdict and the faces are exact, `t` is within 2^-51, and Woo's steps say the same as the slabs.

use hitscan::Ray;
use hitscan::intersect::{BoxFace, ThroughBox, ray_aabb, ray_aabb_woo};
use hitscan::shape::Aabb;
use hitscan_oracle::Rng;
use hitscan_oracle::rng::seed;
use hitscan_oracle::solids::line_aabb;

use crate::cases::{Line, SCALES, assert_span_is_near, grid_line, line_at};

/// Both algorithms, which agree.
fn both(ray: &Ray, bounds: &Aabb) -> Option<ThroughBox> {
    let (slab, woo) = (ray_aabb(ray, bounds), ray_aabb_woo(ray, bounds));
    let bits =
        |hit: ThroughBox| (hit.span.enter.to_bits(), hit.span.exit.to_bits(), hit.entry_face, hit.exit_face);
    assert_eq!(slab.map(bits), woo.map(bits), "{ray:?} {bounds:?}");
    slab
}

fn assert_exact(line: &Line, low: [f64; 3], high: [f64; 3]) -> bool {
    let bounds = Aabb::new(low, high).expect("a sound box");
    let found = both(&line.ray(), &bounds);
    let exact = line_aabb(line.origin, line.dir, low, high);
    let what = format!("{line:?} {bounds:?}");
    assert_eq!(found.is_some(), exact.is_some(), "{what}");
    if let (Some(found), Some(exact)) = (found, &exact) {
        assert_span_is_near(found.span.enter, found.span.exit, exact, 51, &what);
        assert_eq!(found.entry_face as usize, exact.entry_faces[0], "{what}");
        assert_eq!(found.exit_face as usize, exact.exit_faces[0], "{what}");
    }
    exact.is_some()
}

/// As [`assert_exact`], but for `t`, which may be too small for a number of full precision.
fn assert_exact_verdict(line: &Line, low: [f64; 3], high: [f64; 3]) -> bool {
    let bounds = Aabb::new(low, high).expect("a sound box");
    let exact = line_aabb(line.origin, line.dir, low, high);
    let found = both(&line.ray().with_range(f64::NEG_INFINITY, f64::INFINITY).expect("a line"), &bounds);
    let faces = found.map(|found| (found.entry_face as usize, found.exit_face as usize));
    let expected = exact.as_ref().map(|exact| (exact.entry_faces[0], exact.exit_faces[0]));
    assert_eq!(faces, expected, "{line:?} {bounds:?}");
    exact.is_some()
}

#[test]
fn every_line_is_judged_as_exact_arithmetic_does() {
    let mut rng = Rng::new(seed(41));
    let mut hits = 0;
    for i in 0..20_000 {
        let scale = SCALES[i % SCALES.len()];
        let low: [f64; 3] = std::array::from_fn(|_| scale * rng.range(-1.0, 1.0));
        let high = low.map(|c| c + scale * rng.pick(&[1e-9, 0.3, 1.0, 2.0]));
        hits += usize::from(assert_exact(&line_at(&mut rng, low, high), low, high));
    }
    assert!((6_000..18_000).contains(&hits), "{hits} of 20000 hit");
}

#[test]
fn a_far_shooter_is_judged_exactly_too() {
    let mut rng = Rng::new(seed(42));
    for _ in 0..5_000 {
        let low = rng.in_cube(1.0);
        let high = low.map(|c| c + 1.0);
        let origin = rng.direction().map(|c| c * rng.any_size(1e3, 1e15));
        let corner: [f64; 3] = std::array::from_fn(|i| rng.pick(&[low[i], high[i]]));
        let dir = std::array::from_fn(|i| corner[i] - origin[i]);
        assert_exact(&Line { origin, dir }, low, high);
    }
}

#[test]
fn on_a_grid_every_number_is_the_exact_one() {
    let mut rng = Rng::new(seed(43));
    let mut hits = 0;
    for _ in 0..20_000 {
        let low: [f64; 3] = std::array::from_fn(|_| rng.int(-8, 7) as f64);
        let high = low.map(|c| c + rng.int(1, 6) as f64);
        let line = grid_line(&mut rng, 8);
        let bounds = Aabb::new(low, high).expect("a sound box");
        let exact = line_aabb(line.origin, line.dir, low, high);
        let found = both(&line.ray(), &bounds);
        assert_eq!(found.is_some(), exact.is_some(), "{line:?} {bounds:?}");
        let (Some(found), Some(exact)) = (found, exact) else { continue };
        hits += 1;
        // The nearest number: within half a unit of the last of 53 places.
        assert_span_is_near(found.span.enter, found.span.exit, &exact, 53, "on a grid");
    }
    assert!(hits > 1_000, "{hits} of 20000 hit");
}

#[test]
fn zeros_in_the_direction_are_no_trap_on_the_planes() {
    let unit = Aabb::new([0.0; 3], [1.0; 3]).expect("a sound box");
    for zero in [0.0, -0.0] {
        for on_plane in [0.0, -0.0, 1.0] {
            let ray = Ray::new([-1.0, on_plane, 0.5], [2.0, zero, -zero]).expect("a sound ray");
            let hit = both(&ray, &unit).expect("along a face");
            assert_eq!((hit.span.enter, hit.span.exit), (0.5, 1.0));
            assert_eq!((hit.entry_face, hit.exit_face), (BoxFace::LowX, BoxFace::HighX));
        }
        for beside in [-f64::MIN_POSITIVE, 1.0f64.next_up()] {
            let ray = Ray::new([-1.0, beside, 0.5], [2.0, zero, zero]).expect("a sound ray");
            assert_eq!(both(&ray, &unit), None);
        }
    }
    // Along an edge, and from a corner away.
    let edge = Ray::new([1.0, 1.0, 5.0], [0.0, -0.0, -1.0]).expect("a sound ray");
    assert_eq!(both(&edge, &unit).expect("along an edge").span.enter, 4.0);
    let away = Ray::new([1.0; 3], [1.0, -1.0, 0.0]).expect("a sound ray");
    let touch = both(&away, &unit).expect("it starts on the corner").span;
    assert_eq!((touch.enter, touch.exit), (0.0, 0.0));
    assert!(touch.enter.is_sign_positive());
}

#[test]
fn components_that_almost_vanish_are_exact() {
    let unit = Aabb::new([0.0; 3], [1.0; 3]).expect("a sound box");
    let tiny = f64::from_bits(1);
    // It leaves the slab of y only beyond all numbers.
    let inside = Ray::new([-1.0, 1.0, 0.5], [1.0, -tiny, 0.0]).expect("a sound ray");
    assert_eq!(both(&inside, &unit).expect("into the box").span.enter, 1.0);
    let rising = Ray::new([-1.0, 1.0, 0.5], [1.0, tiny, 0.0]).expect("a sound ray");
    assert_eq!(both(&rising, &unit), None, "already above the box when it gets there");
    let below = Ray::new([-1.0, -tiny, 0.5], [1.0, tiny, 0.0]).expect("a sound ray");
    assert_eq!(both(&below, &unit).expect("at the edge, exactly").span.enter, 1.0);
    let too_low = Ray::new([-1.0, -3.0 * tiny, 0.5], [1.0, tiny, 0.0]).expect("a sound ray");
    assert_eq!(both(&too_low, &unit), None);
}

#[test]
fn the_interval_is_closed() {
    let unit = Aabb::new([0.0; 3], [1.0; 3]).expect("a sound box");
    let line = Ray::new([-1.0, 0.5, 0.5], [1.0, 0.0, 0.0]).expect("a sound ray");
    let asked = |low: f64, high: f64| both(&line.with_range(low, high).expect("a range"), &unit).is_some();
    assert!(asked(0.0, 1.0) && !asked(0.0, 1.0f64.next_down()));
    assert!(asked(2.0, 3.0) && !asked(2.0f64.next_up(), 3.0));
    assert!(asked(1.25, 1.5), "a segment inside hits");
    assert!(asked(f64::NEG_INFINITY, f64::INFINITY) && asked(2.0, f64::INFINITY));
    assert!(!asked(f64::INFINITY, f64::INFINITY) && !asked(f64::NEG_INFINITY, f64::NEG_INFINITY));
    assert!(asked(-0.0, f64::MAX) && asked(1.0, 1.0));
}

#[test]
fn crossings_are_those_of_the_surface_within_the_ray() {
    let unit = Aabb::new([0.0; 3], [1.0; 3]).expect("a sound box");
    let crossings = |origin: [f64; 3], dir: [f64; 3], t_max: f64| -> Vec<f64> {
        let ray = Ray::new(origin, dir).and_then(|ray| ray.with_range(0.0, t_max)).expect("a sound ray");
        both(&ray, &unit).expect("a hit").span.crossings(&ray).collect()
    };
    assert_eq!(crossings([-1.0, 0.5, 0.5], [1.0, 0.0, 0.0], 9.0), [1.0, 2.0]);
    assert_eq!(crossings([-1.0, 0.5, 0.5], [1.0, 0.0, 0.0], 1.5), [1.0]);
    assert_eq!(crossings([0.5, 0.5, 0.5], [1.0, 0.0, 0.0], 9.0), [0.5]);
    assert_eq!(crossings([0.5, 0.5, 0.5], [1.0, 0.0, 0.0], 0.25), []);
    assert_eq!(crossings([-1.0, 0.0, 0.5], [1.0, 1.0, 0.0], 9.0), [1.0], "one point of an edge");
}

#[test]
fn both_agree_where_a_quotient_leaves_the_range_of_numbers() {
    // The line enters y first in exact arithmetic, but each `t` is 0 in `f64`, and `t` times the direction is not where it is.
    let (large, x) = (2f64.powi(200), f64::MIN_POSITIVE * 2f64.powi(147));
    let line = Line { origin: [0.0; 3], dir: [large, large, 0.0] };
    assert!(assert_exact_verdict(&line, [x, 0.5 * x, -1.0], [1.0; 3]));
    let mut rng = Rng::new(seed(47));
    let mut hits = 0;
    for _ in 0..20_000 {
        let size = rng.range(-1070.0, 90.0);
        let along = rng.pick(&[size, -195.0, 195.0]);
        let mut near = |size: f64| -> [f64; 3] {
            std::array::from_fn(|_| {
                let power = (size + rng.range(-3.0, 3.0)).round() as i32;
                let whole = rng.pick(&[0.0, 1.0, 1.5, -1.0, -1.25]);
                whole * 2f64.powi(power / 2) * 2f64.powi(power - power / 2)
            })
        };
        let (a, b) = (near(size), near(size));
        let (low, high) = ([0, 1, 2].map(|i| a[i].min(b[i])), [0, 1, 2].map(|i| a[i].max(b[i])));
        let line = Line { origin: near(size), dir: near(along) };
        if Ray::new(line.origin, line.dir).is_ok() && Aabb::new(low, high).is_ok() {
            hits += usize::from(assert_exact_verdict(&line, low, high));
        }
    }
    assert!(hits > 500, "{hits} hit");
}
