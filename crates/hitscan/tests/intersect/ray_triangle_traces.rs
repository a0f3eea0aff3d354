//! The values that `explain` shows: those of exact arithmetic within the stated bounds, equal on whole numbers, and of the
//! verdict that the test itself gives.

use hitscan::Ray;
use hitscan::intersect::{
    CollisionMatrix, Inclusion, PlaneTrace, Segment, TriangleSums, WatertightPlace, WatertightRay,
    line_triangle, ray_triangle_through_plane, ray_triangle_through_plane_trace,
};
use hitscan_oracle::dyadic::{Dyadic, Weighed};
use hitscan_oracle::entry::{Placement, enter};
use hitscan_oracle::recipe::{Touch, touch};
use hitscan_oracle::rng::seed;
use hitscan_oracle::triangle::{self as exact, Sums};
use hitscan_oracle::{Rng, rays};

use super::ray_triangle_cases::{KINDS, Trial, on_grid};

/// Whether `value` is `n / d`, each within so many rounding errors of its weight. With none, exactly, rounded once.
fn is_quotient(value: f64, n: &Weighed, d: &Weighed, rounding: i64) -> bool {
    let rest = n - &(&Weighed::leaf(value.into()) * d);
    rest.value.abs() <= &(&Dyadic::from(rounding as f64) * &Dyadic::power_of_two(-53)) * &rest.weight
}

/// The weights over the determinant, the side and `t`; nothing is said of sums too close to 0 to tell.
fn check_sums(sums: &TriangleSums, exact: &Sums, rounding: i64, what: &str) {
    if exact.det.is_doubtful(rounding) {
        return;
    }
    assert_eq!(sums.det > 0.0, exact.det.value.signum() > 0, "{what}: {sums:?}");
    for (weight, exact_weight) in sums.weights.iter().zip(&exact.corners) {
        // The weights are folded to a determinant above 0, which changes no quotient.
        let weight = weight / sums.det.abs();
        assert!(is_quotient(weight, exact_weight, &exact.det, rounding + 2), "{what}: {sums:?}");
    }
    assert_eq!(sums.u(), sums.weights[1] / sums.det.abs() + 0.0, "{what}");
    assert_eq!(sums.v(), sums.weights[2] / sums.det.abs() + 0.0, "{what}");
    assert!(is_quotient(sums.t, &exact.t_num, &exact.t_den, rounding + 2), "{what}: {sums:?}");
}

#[test]
fn moeller_trumbore_shows_what_decides() {
    let mut rng = Rng::new(seed(211));
    for kind in KINDS {
        for _ in 0..400 {
            let Trial { ray, triangle } = (kind.make)(&mut rng);
            let sums = TriangleSums::moeller_trumbore(&ray, &triangle);
            let what = format!("{}: {ray:?} {triangle:?}", kind.name);
            check_sums(&sums, &exact::moeller_trumbore(&Trial { ray, triangle }.case()), 9, &what);
            assert_eq!(sums.inside, line_triangle(&ray, &triangle).is_some(), "{what}");
        }
    }
    for _ in 0..4000 {
        let trial = on_grid(&mut rng, 1 << 10);
        let sums = TriangleSums::moeller_trumbore(&trial.ray, &trial.triangle);
        let exact = exact::moeller_trumbore(&trial.case());
        // The unit is that of the formula, so whole numbers show as they are.
        let side = f64::from(exact.det.value.signum());
        assert_eq!(sums.det, exact.det.value.roughly(), "{trial:?}");
        if side != 0.0 {
            assert_eq!(sums.weights, exact.corners.clone().map(|w| side * w.value.roughly()), "{trial:?}");
            assert_eq!(sums.t, exact.t_num.value.roughly() / exact.t_den.value.roughly(), "{trial:?}");
        }
        assert_eq!(sums.inside, exact.hit(f64::NEG_INFINITY, f64::INFINITY), "{trial:?}");
    }
}

#[test]
fn the_collision_matrix_shows_what_decides() {
    let mut rng = Rng::new(seed(212));
    let mut crossed = 0;
    for round in 0..12_000 {
        let trial = match round % 3 {
            0 => on_grid(&mut rng, 4),
            _ => (KINDS[round % KINDS.len()].make)(&mut rng),
        };
        let Trial { ray, triangle } = trial;
        let end = ray.at(1.0);
        let (Ok(matrix), Ok(segment)) = (CollisionMatrix::new(&triangle), Segment::new(ray.origin(), end))
        else {
            continue;
        };
        let what = format!("{segment:?} {triangle:?}");
        // A segment shows the heights of both ends, a ray those of its start and of its direction.
        let of_segment = matrix.trace(&segment);
        let exact_segment = exact::collision_matrix_of_segment(&trial.case(), end.to_array());
        check_sums(&of_segment.sums, &exact_segment, 24, &what);
        let of_ray = matrix.trace(&ray);
        check_sums(&of_ray.sums, &exact::collision_matrix(&trial.case()), 24, &what);
        let [start, end] = of_segment.heights;
        if start != end {
            assert_eq!(of_segment.sums.t, start / (start - end), "{what}");
        }
        assert_eq!(of_ray.heights[0], start, "{what}");
        if of_ray.heights[1] != 0.0 {
            assert_eq!(of_ray.sums.t, start / -of_ray.heights[1], "{what}");
        }
        if round % 3 == 0 {
            // On whole numbers the sign of each height is exact, zeros included.
            let side = |p: [f64; 3]| {
                exact::collision_matrix(&exact::Case { origin: p, ..trial.case() }).t_num.value.signum()
            };
            let signs = [start, end].map(|height| i32::from(height > 0.0) - i32::from(height < 0.0));
            assert_eq!(signs, [side(segment.start().into()), side(segment.end().into())], "{what}");
        }
        // The verdict is what is shown, and an interval.
        for (shown, found, interval) in [
            (of_segment.sums, matrix.hit(&segment), [0.0, 1.0]),
            (of_ray.sums, matrix.hit(&ray), [ray.t_min(), ray.t_max()]),
        ] {
            let in_interval = (interval[0]..=interval[1]).contains(&shown.t) && shown.t.is_finite();
            assert_eq!(shown.inside && in_interval, found.is_some(), "{what}: {shown:?}");
            if let Some(hit) = found {
                assert_eq!((hit.t, hit.u, hit.v), (shown.t + 0.0, shown.u(), shown.v()), "{what}");
                crossed += 1;
            }
        }
    }
    assert!(crossed > 2000, "{crossed}");
}

/// Of a trial on whole numbers: the normal, its products with the direction and with the way from A to the origin, and the
/// corners as seen from the crossing, in the plane of two axes.
struct Flat {
    slope: i128,
    height: i128,
    corners: [[i128; 2]; 3],
}

impl Flat {
    fn new(trial: &Trial) -> Flat {
        let whole = |p: [f64; 3]| p.map(|c| (2.0 * c) as i128); // half numbers occur: all in units of 1/2
        let exact::Case { origin, dir, corners } = trial.case();
        let (o, d, [a, b, c]) = (whole(origin), whole(dir), corners.map(whole));
        let minus = |p: [i128; 3], q: [i128; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
        let dot = |p: [i128; 3], q: [i128; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
        let (e, f) = (minus(b, a), minus(c, a));
        let n = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
        let (slope, height) = (dot(n, d), dot(n, minus(o, a)));
        let longest = (1..3).fold(0, |best, axis| if n[axis].abs() > n[best].abs() { axis } else { best });
        let kept: Vec<usize> = (0..3).filter(|&axis| axis != longest).collect();
        // slope * (corner - crossing), where the crossing is O - D height / slope.
        let seen = |corner: [i128; 3]| {
            let at = |axis: usize| (corner[axis] - o[axis]) * slope + d[axis] * height;
            [at(kept[0]), at(kept[1])]
        };
        Flat { slope, height, corners: [a, b, c].map(seen) }
    }

    /// The ends of the edge opposite of a corner.
    fn edge(&self, opposite: usize) -> [[i128; 2]; 2] {
        [self.corners[(opposite + 1) % 3], self.corners[(opposite + 2) % 3]]
    }
}

#[test]
fn through_the_plane_shows_what_whole_numbers_say() {
    let mut rng = Rng::new(seed(213));
    let (mut on_outline, mut inside) = (0, 0);
    for _ in 0..6000 {
        let trial = on_grid(&mut rng, 4);
        let Trial { ray, triangle } = trial;
        let flat = Flat::new(&trial);
        let sums = exact::edge_functions(&trial.case());
        let is_inside = sums.hit(f64::NEG_INFINITY, f64::INFINITY);
        for inclusion in Inclusion::ALL {
            let seen = ray_triangle_through_plane_trace(&ray, &triangle, inclusion);
            let what = format!("{inclusion:?} {ray:?} {triangle:?}: {seen:?}");
            // Units of 1/2 to the third power.
            assert_eq!(
                (seen.slope, seen.height),
                (flat.slope as f64 / 8.0, flat.height as f64 / 8.0),
                "{what}"
            );
            assert_eq!(seen.sums.inside, is_inside, "{what}");
            let found = ray_triangle_through_plane(&ray, &triangle, inclusion);
            let in_interval = (ray.t_min()..=ray.t_max()).contains(&seen.sums.t);
            assert_eq!(found.is_some(), is_inside && in_interval, "{what}");
            if flat.slope == 0 {
                continue;
            }
            assert_eq!(seen.sums.t, -seen.height / seen.slope, "{what}");
            check_sums(&seen.sums, &exact::barycentric(&trial.case()), 0, &what);
            check_shape(&seen, &flat, is_inside, &what);
            on_outline += usize::from(seen.on_outline);
            inside += usize::from(is_inside && !seen.on_outline);
        }
    }
    assert!(on_outline > 1000 && inside > 500, "{on_outline} on the outline, {inside} inside");
}

/// The crossing and the outline, which all inclusions show.
fn check_shape(seen: &PlaneTrace, flat: &Flat, is_inside: bool, what: &str) {
    let (mut crossings, mut on_outline) = (0, false);
    for opposite in 0..3 {
        let [p, q] = flat.edge(opposite);
        let (cross, along) = (p[0] * q[1] - p[1] * q[0], p[0] * q[0] + p[1] * q[1]);
        assert_eq!(seen.edge_values[opposite], cross as f64 / 2f64.powi(8), "{what}");
        // Exactly in line with both ends, and between them.
        on_outline |= cross == 0 && along <= 0;
        let angle = (cross.abs() as f64).atan2(along as f64);
        assert!((seen.angles[opposite] - angle).abs() <= 1e-15, "{what}: {angle}");
        // Where the edge meets the half-line's axis, times the rise of the edge.
        let rise = q[1] - p[1];
        let meets = p[0] * rise - p[1] * (q[0] - p[0]);
        crossings += usize::from((p[1] > 0) != (q[1] > 0) && meets * rise.signum() > 0);
    }
    assert_eq!(seen.on_outline, on_outline, "{what}");
    if !on_outline {
        assert_eq!(seen.crossings % 2 == 1, is_inside, "{what}");
        assert_eq!(seen.crossings, crossings, "{what}");
        let turn = seen.angles.iter().sum::<f64>() - std::f64::consts::TAU;
        assert_eq!(turn.abs() < 1e-12, is_inside, "{what}");
    }
}

#[test]
fn through_the_plane_shows_values_within_the_stated_bound() {
    let mut rng = Rng::new(seed(214));
    for kind in KINDS {
        for _ in 0..300 {
            let trial = (kind.make)(&mut rng);
            let Trial { ray, triangle } = trial;
            for inclusion in Inclusion::ALL {
                let seen = ray_triangle_through_plane_trace(&ray, &triangle, inclusion);
                let what = format!("{inclusion:?}, {}: {ray:?} {triangle:?} {seen:?}", kind.name);
                let sums = match inclusion {
                    Inclusion::Barycentric => exact::barycentric(&trial.case()),
                    _ => exact::edge_functions(&trial.case()),
                };
                check_sums(&seen.sums, &sums, 24, &what);
                let found = ray_triangle_through_plane(&ray, &triangle, inclusion);
                let counts = seen.sums.inside
                    && seen.sums.det != 0.0
                    && seen.sums.t.is_finite()
                    && (ray.t_min()..=ray.t_max()).contains(&seen.sums.t);
                assert_eq!(found.is_some(), counts, "{what}");
            }
        }
    }
}

#[test]
fn the_watertight_recipe_shows_the_bits_of_the_oracle_s() {
    let mut rng = Rng::new(seed(215));
    let mut places = [0; 4];
    for round in 0..20_000 {
        let trial = match round % 2 {
            0 => on_grid(&mut rng, 3),
            _ => (KINDS[round / 2 % KINDS.len()].make)(&mut rng),
        };
        let corners = trial.triangle.corners().map(|corner| corner.as_vec3().to_array());
        let reach = corners.iter().flatten().fold(0.0f32, |m, c| m.max(c.abs()));
        let case = rays::Ray::new(trial.ray.origin().into(), trial.ray.dir().into());
        let local = enter(&case, &Placement::IDENTITY, reach);
        let ray = WatertightRay::new(&trial.ray, f64::from(reach));
        let seen = ray.trace(corners);
        assert_eq!(ray.origin(), local.origin, "{trial:?}");
        let (place, crossing) = match touch(&local, corners) {
            Touch::Miss => (WatertightPlace::Miss, None),
            Touch::Accepted(crossing) => (WatertightPlace::Inside, Some(crossing)),
            Touch::OnEdge(_, crossing) => (WatertightPlace::OnEdge, Some(crossing)),
            Touch::OnCorner(_, crossing) => (WatertightPlace::OnCorner, Some(crossing)),
        };
        assert_eq!(seen.place, place, "{trial:?}: {seen:?}");
        places[place as usize] += 1;
        let interval = trial.ray.t_min()..=trial.ray.t_max();
        assert_eq!(seen.in_interval, interval.contains(&seen.t), "{trial:?}: {seen:?}");
        let Some(crossing) = crossing else { continue };
        let [_, v, w] = seen.edge_values;
        assert_eq!(seen.t.to_bits(), local.world_t(crossing.t).to_bits(), "{trial:?}: {seen:?}");
        let weights = [v / seen.det + 0.0, w / seen.det + 0.0].map(f64::to_bits);
        assert_eq!(weights, [crossing.u, crossing.v].map(f64::to_bits), "{trial:?}: {seen:?}");
        assert_eq!(seen.det > 0.0, crossing.counter_clockwise, "{trial:?}: {seen:?}");
        // The ray is the third axis, so an edge value is a cross product of two corners.
        let [_, b, c] = seen.sheared.map(|corner| corner.map(f64::from));
        assert_eq!(seen.edge_values[0], c[0] * b[1] - c[1] * b[0], "{trial:?}: {seen:?}");
    }
    assert!(places.iter().all(|&n| n > 50), "misses, insides, edges, corners: {places:?}");
}

#[test]
fn a_ray_shows_where_it_begins_anew() {
    let far = Ray::new([0.25, 0.5, 1e9], [0.0, 0.0, -1.0]).expect("in range");
    let seen = WatertightRay::new(&far, 1.0).trace([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!((seen.t, seen.place), (1e9, WatertightPlace::Inside));
    assert_eq!(seen.sheared.map(|corner| corner[2]), [-2.0; 3]);
}
