//! Ray and triangle: the stated bounds, equality on whole numbers, and what no algorithm may depend on.

use hitscan::Ray;
use hitscan::glam::DVec3;
use hitscan::intersect::{
    CollisionMatrix, Inclusion, TriangleHit, line_triangle, ray_triangle, ray_triangle_moeller_trumbore,
    ray_triangle_moeller_trumbore_one_sided, ray_triangle_through_plane,
};
use hitscan::shape::Triangle;
use hitscan::{Face, RayError};
use hitscan_oracle::Rng;
use hitscan_oracle::dyadic::{Dyadic, Weighed};
use hitscan_oracle::rng::seed;
use hitscan_oracle::triangle::{self as exact, Case, Sums};

use super::ray_triangle_cases::{KINDS, Trial, on_grid};

/// One algorithm: how to ask it, what it sums, and how many rounding errors of a sum's weight it states.
pub struct Algorithm {
    pub name: &'static str,
    pub ask: fn(&Ray, &Triangle) -> Option<TriangleHit>,
    pub sums: fn(&Case) -> Sums,
    pub rounding: i64,
}

pub const ALGORITHMS: &[Algorithm] = &[
    Algorithm {
        name: "moeller_trumbore",
        ask: ray_triangle_moeller_trumbore,
        sums: exact::moeller_trumbore,
        rounding: 9,
    },
    Algorithm {
        name: "collision_matrix",
        ask: |ray, triangle| CollisionMatrix::new(triangle).ok()?.hit(ray),
        sums: exact::collision_matrix,
        rounding: 24,
    },
    Algorithm {
        name: "through_plane: edge functions",
        ask: |ray, triangle| ray_triangle_through_plane(ray, triangle, Inclusion::EdgeFunctions),
        sums: exact::edge_functions,
        rounding: 24,
    },
    Algorithm {
        name: "through_plane: barycentric",
        ask: |ray, triangle| ray_triangle_through_plane(ray, triangle, Inclusion::Barycentric),
        sums: exact::barycentric,
        rounding: 24,
    },
    Algorithm {
        name: "through_plane: crossing count",
        ask: |ray, triangle| ray_triangle_through_plane(ray, triangle, Inclusion::CrossingCount),
        sums: exact::edge_functions,
        rounding: 24,
    },
    Algorithm { name: ANGLE_SUM, ask: angle_sum, sums: exact::edge_functions, rounding: 24 },
];

const ANGLE_SUM: &str = "through_plane: angle sum";

fn angle_sum(ray: &Ray, triangle: &Triangle) -> Option<TriangleHit> {
    ray_triangle_through_plane(ray, triangle, Inclusion::AngleSum)
}

#[test]
fn verdicts_are_wrong_only_within_the_stated_bound() {
    let mut rng = Rng::new(seed(41));
    let mut agreed = [0; 2];
    let mut wrong = [0; ALGORITHMS.len()];
    for kind in KINDS {
        for _ in 0..600 {
            let trial = (kind.make)(&mut rng);
            for (algorithm, wrong) in ALGORITHMS.iter().zip(&mut wrong) {
                let sums = (algorithm.sums)(&trial.case());
                let expected = sums.hit(trial.ray.t_min(), trial.ray.t_max());
                let found = (algorithm.ask)(&trial.ray, &trial.triangle);
                let excused = excuse(algorithm, &trial, &sums, found.is_some());
                assert!(
                    found.is_some() == expected || excused,
                    "{}, {}: {found:?} where the exact answer is {expected}, for {trial:?}",
                    algorithm.name,
                    kind.name
                );
                *wrong += usize::from(found.is_some() != expected);
                agreed[usize::from(expected)] += usize::from(found.is_some() == expected);
                if let Some(hit) = found
                    && !sums.det.is_doubtful(algorithm.rounding)
                {
                    check_values(algorithm, kind.name, &trial, &sums, &hit);
                }
            }
        }
    }
    assert!(agreed[0] > 15_000 && agreed[1] > 10_000, "misses and hits: {agreed:?}");
    assert!(
        wrong.iter().all(|&wrong| wrong > 20),
        "input too tame to tell a bound: {wrong:?} wrong verdicts"
    );
}

/// Whether rounding explains a wrong verdict: each condition that decides against it is too close to call.
fn excuse(algorithm: &Algorithm, trial: &Trial, sums: &Sums, found: bool) -> bool {
    let k = algorithm.rounding;
    let side = sums.det.value.signum();
    let in_band = algorithm.name == ANGLE_SUM && exact::nearly_in_line(&trial.case(), 46);
    // (holds exactly, too close to call)
    let mut conditions: Vec<(bool, bool)> = sums
        .corners
        .iter()
        .map(|corner| (corner.value.signum() * side >= 0, corner.is_doubtful(k) || in_band))
        .collect();
    conditions
        .extend(sums.beyond(trial.ray.t_min()).map(|sum| (sum.value.signum() >= 0, sum.is_doubtful(k + 2))));
    conditions
        .extend(sums.beyond(trial.ray.t_max()).map(|sum| (sum.value.signum() <= 0, sum.is_doubtful(k + 2))));
    sums.det.is_doubtful(k)
        || if found {
            conditions.iter().all(|(holds, doubtful)| *holds || *doubtful)
        } else {
            conditions.iter().any(|(_, doubtful)| *doubtful)
        }
}

/// `t`, `u` and `v` are quotients of sums, each within its bound, rounded once.
fn check_values(algorithm: &Algorithm, kind: &str, trial: &Trial, sums: &Sums, hit: &TriangleHit) {
    let [_, u, v] = &sums.corners;
    let rows =
        [("t", hit.t, &sums.t_num, &sums.t_den), ("u", hit.u, u, &sums.det), ("v", hit.v, v, &sums.det)];
    for (name, value, numerator, denominator) in rows {
        let value = Weighed::leaf(value.into());
        let rest = numerator - &(&value * denominator);
        let allowed =
            &(&Dyadic::from((algorithm.rounding + 2) as f64) * &Dyadic::power_of_two(-53)) * &rest.weight;
        assert!(
            rest.value.abs() <= allowed,
            "{}, {kind}: {name} of {hit:?} is off by {:e} for {trial:?}",
            algorithm.name,
            rest.value.roughly() / denominator.value.roughly()
        );
    }
    let front = sums.det.value.signum() > 0;
    assert_eq!(hit.facing == Face::Front, front, "{}: {trial:?}", algorithm.name);
    assert!(hit.t.to_bits() != (-0.0f64).to_bits() && hit.t.is_finite());
}

#[test]
fn on_whole_numbers_the_answers_are_the_exact_ones() {
    let mut rng = Rng::new(seed(42));
    for (reach, rounds) in [(3, 6000), (16, 3000)] {
        let mut touches = 0;
        for _ in 0..rounds {
            let trial = on_grid(&mut rng, reach);
            for algorithm in ALGORITHMS {
                check_equal(algorithm, &trial, reach, &mut touches);
            }
        }
        assert!(touches > 500, "reach {reach}: only {touches} touches");
    }
    // Moeller-Trumbore alone has so few factors that larger ones stay exact.
    let mut touches = 0;
    for _ in 0..3000 {
        check_equal(&ALGORITHMS[0], &on_grid(&mut rng, 1 << 14), 1 << 14, &mut touches);
    }
    assert!(touches > 100, "only {touches} touches");
}

fn check_equal(algorithm: &Algorithm, trial: &Trial, reach: i64, touches: &mut usize) {
    let sums = exact::moeller_trumbore(&trial.case());
    let [w, u, v] = &sums.corners;
    let quotient = |n: &Weighed, d: &Weighed| n.value.roughly() / d.value.roughly() + 0.0;
    let expected = sums.hit(trial.ray.t_min(), trial.ray.t_max()).then(|| {
        let facing = if sums.det.value.signum() > 0 { Face::Front } else { Face::Back };
        // Whole numbers below 2^53: these quotients are rounded once.
        (quotient(&sums.t_num, &sums.t_den), quotient(u, &sums.det), quotient(v, &sums.det), facing)
    });
    let found = (algorithm.ask)(&trial.ray, &trial.triangle).map(|hit| (hit.t, hit.u, hit.v, hit.facing));
    assert_eq!(found, expected, "{}, reach {reach}: {trial:?}", algorithm.name);
    *touches += usize::from(expected.is_some() && [w, u, v].iter().any(|x| x.value.signum() == 0));
}

#[test]
fn a_power_of_two_changes_nothing() {
    let mut rng = Rng::new(seed(43));
    let mut hits = 0;
    for kind in KINDS.iter().filter(|kind| !kind.name.contains("limit")) {
        for _ in 0..200 {
            let trial = (kind.make)(&mut rng);
            let (scale, stretch) = (rng.power_of_two(-30, 40), rng.power_of_two(-40, 40));
            let [a, b, c] = trial.triangle.corners().map(|corner| corner * scale);
            let ray = Ray::new(trial.ray.origin() * scale, trial.ray.dir() * (scale * stretch));
            let range = (trial.ray.t_min() / stretch, trial.ray.t_max() / stretch);
            let scaled = ray.and_then(|ray| ray.with_range(range.0, range.1)).expect("it is in range");
            let triangle = Triangle::new(a, b, c).expect("it is in range");
            for algorithm in ALGORITHMS {
                let expected = (algorithm.ask)(&trial.ray, &trial.triangle);
                let found = (algorithm.ask)(&scaled, &triangle);
                let found = found.map(|hit| (hit.t * stretch, hit.u, hit.v, hit.facing));
                assert_eq!(
                    found,
                    expected.map(|hit| (hit.t, hit.u, hit.v, hit.facing)),
                    "{}, {}, {scale:e}, {stretch:e}: {trial:?}",
                    algorithm.name,
                    kind.name
                );
                hits += usize::from(found.is_some());
            }
        }
    }
    assert!(hits > 4000, "{hits}");
}

#[test]
fn nothing_overflows_into_a_hit() {
    let far = hitscan::MAX_COORDINATE;
    let triangle =
        Triangle::new([-far, -far, 0.0], [far, -far, 0.0], [0.0, far, far]).expect("it is in range");
    let stretch = far * far;
    let hit = Ray::new([0.0, 0.0, far], [0.0, 0.0, -stretch]).expect("it is in range");
    let miss = Ray::new([far, far, far], [0.0, 0.0, -stretch]).expect("it is in range");
    for algorithm in ALGORITHMS {
        let found = (algorithm.ask)(&hit, &triangle).expect(algorithm.name);
        assert_eq!(found.t, 0.5 / far, "{}", algorithm.name);
        assert_eq!((algorithm.ask)(&miss, &triangle), None, "{}", algorithm.name);
    }
}

/// The smallest numbers there are: products of them and of weights round to 0.
#[test]
fn what_underflows_is_no_hit_without_weights() {
    let tiny = f64::from_bits(1);
    for height in [1.2, 1.0, 0.7] {
        let triangle = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, height, 0.0]).expect("in range");
        for steep in [tiny, -tiny, 3.0 * tiny, -2.0 * tiny] {
            let ray = Ray::new([0.25, 0.3, 0.0], [1.0, 0.0, steep]).expect("in range");
            for algorithm in ALGORITHMS {
                let found = (algorithm.ask)(&ray, &triangle);
                let sound = found.is_none_or(|hit| [hit.t, hit.u, hit.v].iter().all(|x| x.is_finite()));
                assert!(sound, "{}: {found:?} for {ray:?} {triangle:?}", algorithm.name);
            }
        }
    }
}

#[test]
fn degenerate_triangles_are_never_hit() {
    let mut rng = Rng::new(seed(44));
    let kind = KINDS.iter().find(|kind| kind.name == "degenerate").expect("it is in the list");
    for _ in 0..2000 {
        let trial = (kind.make)(&mut rng);
        let whole = |v: DVec3| v == v.round();
        // Moeller-Trumbore never looks at the normal alone, so its determinant is exactly 0 where its products are
        // exact.
        let skipped = usize::from(!(whole(trial.ray.origin()) && whole(trial.ray.dir())));
        for algorithm in &ALGORITHMS[skipped..] {
            assert_eq!((algorithm.ask)(&trial.ray, &trial.triangle), None, "{}: {trial:?}", algorithm.name);
        }
    }
}

#[test]
fn the_one_sided_test_hits_the_fronts_of_the_two_sided_one() {
    let mut rng = Rng::new(seed(45));
    let mut fronts = 0;
    for kind in KINDS {
        for _ in 0..300 {
            let Trial { ray, triangle } = (kind.make)(&mut rng);
            let front =
                ray_triangle_moeller_trumbore(&ray, &triangle).filter(|hit| hit.facing == Face::Front);
            assert_eq!(ray_triangle_moeller_trumbore_one_sided(&ray, &triangle), front);
            fronts += usize::from(front.is_some());
        }
    }
    assert!(fronts > 300, "{fronts}");
}

#[test]
fn the_default_is_moeller_trumbore_and_the_line_ignores_the_interval() -> Result<(), RayError> {
    let mut rng = Rng::new(seed(46));
    let mut behind = 0;
    for kind in KINDS {
        for _ in 0..300 {
            let Trial { ray, triangle } = (kind.make)(&mut rng);
            assert_eq!(ray_triangle(&ray, &triangle), ray_triangle_moeller_trumbore(&ray, &triangle));
            let everywhere = ray.with_range(f64::NEG_INFINITY, f64::INFINITY)?;
            let line = line_triangle(&ray, &triangle);
            assert_eq!(line, ray_triangle(&everywhere, &triangle));
            behind += usize::from(line.is_some_and(|hit| hit.t < 0.0));
        }
    }
    assert!(behind > 20, "{behind}");
    Ok(())
}
