//! Ray and plane: the error that the documentation states, parallels, ends, and grids.

use hitscan::Ray;
use hitscan::glam::DVec3;
use hitscan::intersect::{line_plane, ray_plane};
use hitscan::shape::Plane;
use hitscan_oracle::Rng;
use hitscan_oracle::dyadic::{Dyadic, Weighed, dot, given};
use hitscan_oracle::rng::seed;
use hitscan_oracle::solids::line_planes;

use crate::cases::{SCALES, grid_line, line_at};

#[test]
fn t_errs_by_no_more_than_is_said() {
    let mut rng = Rng::new(seed(81));
    for i in 0..10_000 {
        let scale = SCALES[i % SCALES.len()];
        let plane = Plane::new(rng.direction(), rng.in_cube(scale)).expect("a normal");
        let line = line_at(&mut rng, [-scale; 3], [scale; 3]);
        let ray = line.ray();
        let (n, o) = (plane.normal(), ray.origin());
        let Some(t) = line_plane(&ray, &plane) else {
            assert_eq!(n.dot(ray.dir()), 0.0);
            continue;
        };
        // Two opposite half-spaces that end in the plane enclose exactly the crossing.
        let front = (n.to_array(), plane.offset());
        let back = ((-n).to_array(), -plane.offset());
        let Some(exact) = line_planes(line.origin, line.dir, &[front, back]) else { continue };
        let products = (n * o).abs().element_sum()
            + plane.offset().abs()
            + t.abs() * (n * ray.dir()).abs().element_sum();
        // A little more for the rounding of the bound itself.
        let error = 8.0 * 2f64.powi(-53) * products / n.dot(ray.dir()).abs() * (1.0 + 1e-9);
        assert!(
            exact.enter.order_to(t - error).is_ge() && exact.enter.order_to(t + error).is_le(),
            "{line:?} {plane:?}: {t:e} is off by more than {error:e}"
        );
    }
}

#[test]
fn distances_err_by_no_more_than_is_said() {
    let mut rng = Rng::new(seed(83));
    for i in 0..5_000 {
        let scale = SCALES[i % SCALES.len()];
        let (on_it, far) = (rng.in_cube(scale), rng.in_cube(3.0 * scale));
        let plane = Plane::new(rng.direction(), on_it).expect("a normal");
        let point = rng.pick(&[on_it, far]);
        let exact =
            &dot(&given(plane.normal().to_array()), &given(point)) + &Weighed::leaf(plane.offset().into());
        let off = (&Dyadic::from(plane.signed_distance(point)) - &exact.value).abs();
        let allowed = &(&Dyadic::from(4.0) * &Dyadic::power_of_two(-53)) * &exact.weight;
        assert!(off <= allowed, "{plane:?} {point:?}: off by {:e}", off.roughly());
    }
}

#[test]
fn upright_planes_on_a_grid_give_the_exact_quotient() {
    let mut rng = Rng::new(seed(82));
    for _ in 0..5_000 {
        let axis = rng.below(3);
        let mut normal = [0.0; 3];
        normal[axis] = rng.pick(&[-1.0, 1.0]);
        let at = rng.int(-9, 9) as f64;
        let plane = Plane::new(normal, [at; 3]).expect("a normal");
        let line = grid_line(&mut rng, 9);
        let expected = (line.dir[axis] != 0.0).then(|| (at - line.origin[axis]) / line.dir[axis] + 0.0);
        assert_eq!(line_plane(&line.ray(), &plane), expected, "{line:?}");
    }
}

#[test]
fn parallels_miss_and_ends_belong_to_the_segment() {
    let wall = Plane::new([0.0, 0.0, 1.0], [0.0; 3]).expect("a normal");
    let within = Ray::new([1.0, 2.0, 0.0], [1.0, 0.0, -0.0]).expect("a sound ray");
    assert_eq!(ray_plane(&within, &wall), None);
    for (from, to, t) in
        [(1.0, 0.0, Some(1.0)), (0.0, 1.0, Some(0.0)), (2.0, 1.0, None), (-1.0, 1.0, Some(0.5))]
    {
        let segment = Ray::between([0.0, 0.0, from], [3.0, 0.0, to]).expect("two points");
        assert_eq!(ray_plane(&segment, &wall), t, "{from} to {to}");
    }
    let almost = Ray::new([0.0, 0.0, 1e30], [1.0, 0.0, -1e-300]).expect("a sound ray");
    assert_eq!(ray_plane(&almost, &wall), None, "beyond all numbers");
    // `t` is a number, but the place is none.
    let tilted = Plane::new([1e-300, 1.0, 0.0], [0.0; 3]).expect("a normal");
    let fast = Ray::new([0.0, 1e20, 0.0], [-1e15, 0.0, 0.0]).expect("a sound ray");
    assert_eq!((line_plane(&fast, &tilted), ray_plane(&fast, &tilted)), (None, None));
    let slow = Ray::new([0.0, 1e20, 0.0], [1e-15, -1e-60, 0.0]).expect("a sound ray");
    assert_eq!(ray_plane(&slow, &tilted), Some(1e80), "far, but somewhere");
}

/// A kind of segment, about 1 long, for the plane of this normal through this point and two directions within the plane.
type Make = fn(&mut Rng, n: DVec3, on_it: DVec3, along: [DVec3; 2]) -> [DVec3; 2];

const KINDS: [(&str, Make); 6] = [
    ("generic", |rng, _, on_it, _| [0, 1].map(|_| on_it + DVec3::from(rng.in_cube(1.0)))),
    ("grazing", |rng, n, on_it, along| {
        let mut lift = || n * rng.pick(&[1.0, -1.0]) * rng.any_size(1e-17, 1e-3);
        [on_it + along[0] + lift(), on_it - along[0] + lift()]
    }),
    // As parallel as rounding leaves it, above the plane and within it.
    ("parallel", |rng, n, on_it, along| {
        let height = n * rng.pick(&[0.0, 0.0, 0.5]);
        [on_it + along[0] + height, on_it + along[1] + height]
    }),
    ("ends touch", |rng, n, on_it, along| {
        let ends = [on_it + along[0], on_it + n * rng.range(-1.0, 1.0) + along[1]];
        if rng.one_in(2) { ends } else { [ends[1], ends[0]] }
    }),
    ("at the point that made it", |rng, n, on_it, along| {
        [on_it, on_it + n * rng.range(-1.0, 1.0) + along[0]]
    }),
    ("from afar", |rng, n, on_it, along| [on_it + n * rng.any_size(1e3, 1e12), on_it + along[0] - n * 1e-9]),
];

#[test]
fn every_kind_of_segment_is_judged_within_the_stated_bound() {
    let mut rng = Rng::new(seed(83));
    let (mut hits, mut misses, mut wrong) = (0, 0, 0);
    for (name, make) in KINDS {
        for i in 0..3_000 {
            let scale = SCALES[i % SCALES.len()];
            let n = DVec3::from(rng.direction());
            let on_it = DVec3::from(rng.in_cube(1.0));
            let along = [0, 1].map(|_| n.cross(DVec3::from(rng.direction())) * rng.range(0.1, 1.0));
            let [from, to] = make(&mut rng, n, on_it, along).map(|p| p * scale);
            let plane = Plane::new(n, on_it * scale).expect("a normal");
            let Ok(path) = Ray::between(from, to) else { continue };
            let what = format!("{name}: {path:?} {plane:?}");
            let normal = given(plane.normal().to_array());
            let height =
                &dot(&normal, &given(path.origin().to_array())) + &Weighed::leaf(plane.offset().into());
            let slope = dot(&normal, &given(path.dir().to_array()));
            // Above 0 where t is not below 0, and where it is not above 1.
            let turned = |sum: Weighed| if slope.value.signum() < 0 { sum } else { -&sum };
            let limits = [turned(height.clone()), turned(-&(&height + &slope))];
            let exact = slope.value.signum() != 0 && limits.iter().all(|limit| limit.value.signum() >= 0);
            let found = ray_plane(&path, &plane);
            let doubtful = slope.is_doubtful(8) || limits.iter().any(|limit| limit.is_doubtful(8));
            assert!(found.is_some() == exact || doubtful, "{what}: {found:?}");
            assert!(found.is_none_or(|t| (0.0..=1.0).contains(&t)), "{what}: {found:?}");
            wrong += usize::from(found.is_some() != exact);
            hits += usize::from(exact && found.is_some());
            misses += usize::from(!exact && found.is_none());
        }
    }
    assert!(hits > 3_000 && misses > 3_000 && wrong > 100, "{hits} hits, {misses} misses, {wrong} wrong");
}
