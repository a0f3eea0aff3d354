//! Many triangles at once: lanes of `f64` hold the bits of one at a time, lanes of `f32` keep their own bound.

use hitscan::Ray;
use hitscan::intersect::{
    CollisionMatrix, HitColumns, Inclusion, MatrixColumns, Precision, TriangleColumns, TriangleHit,
    ray_triangle_moeller_trumbore, ray_triangle_moeller_trumbore_one_sided, ray_triangle_through_plane,
    ray_triangles_collision_matrix, ray_triangles_moeller_trumbore, ray_triangles_moeller_trumbore_one_sided,
    ray_triangles_through_plane,
};
use hitscan::shape::Triangle;
use hitscan_oracle::Rng;
use hitscan_oracle::dyadic::Weighed;
use hitscan_oracle::rng::seed;
use hitscan_oracle::triangle as exact;

use super::ray_triangle_cases::{KINDS, Trial, on_grid};

type Found = Vec<Option<TriangleHit>>;

/// The answers for each triangle, in order.
fn gather<T: Precision, const N: usize>(
    count: usize,
    ask: impl FnOnce(&mut dyn FnMut(usize, &HitColumns<T, N>)),
) -> Found {
    let mut found = Vec::new();
    ask(&mut |block, hits| {
        assert_eq!(found.len(), block * N, "blocks come in order");
        found.extend((0..N).map(|lane| hits.get(lane)));
        let listed: Vec<usize> = hits.iter().map(|(lane, _)| lane).collect();
        let hit: Vec<usize> = (0..N).filter(|&lane| hits.t()[lane] < T::INFINITY).collect();
        assert_eq!(listed, hit);
    });
    assert!(found[count..].iter().all(Option::is_none), "lanes without a triangle are not hit");
    found.truncate(count);
    found
}

/// Asks every algorithm `N` at a time: two-sided, one-sided, the collision matrix, the four inclusions.
fn every_way<T: Precision, const N: usize>(ray: &Ray, triangles: &[Triangle]) -> Vec<Found> {
    let blocks = TriangleColumns::<T, N>::blocks(triangles);
    let count = triangles.len();
    let mut answers = vec![
        gather(count, |each| ray_triangles_moeller_trumbore(ray, &blocks, each)),
        gather(count, |each| ray_triangles_moeller_trumbore_one_sided(ray, &blocks, each)),
    ];
    for inclusion in Inclusion::ALL {
        answers.push(gather(count, |each| ray_triangles_through_plane(ray, &blocks, inclusion, each)));
    }
    answers
}

fn one_at_a_time(ray: &Ray, triangles: &[Triangle]) -> Vec<Found> {
    let each = |ask: &dyn Fn(&Triangle) -> Option<TriangleHit>| triangles.iter().map(ask).collect();
    let mut answers = vec![
        each(&|triangle| ray_triangle_moeller_trumbore(ray, triangle)),
        each(&|triangle| ray_triangle_moeller_trumbore_one_sided(ray, triangle)),
    ];
    for inclusion in Inclusion::ALL {
        answers.push(each(&|triangle| ray_triangle_through_plane(ray, triangle, inclusion)));
    }
    answers
}

/// The triangles of one kind of trouble, and the rays that were aimed at each.
fn batch(rng: &mut Rng, make: fn(&mut Rng) -> Trial) -> (Vec<Triangle>, Vec<Ray>) {
    (0..21).map(|_| make(rng)).map(|trial| (trial.triangle, trial.ray)).unzip()
}

#[test]
fn lanes_of_f64_hold_the_bits_of_one_at_a_time() {
    let mut rng = Rng::new(seed(51));
    let mut hits = 0;
    for kind in KINDS {
        for _ in 0..4 {
            let (triangles, rays) = batch(&mut rng, kind.make);
            for ray in &rays {
                let expected = one_at_a_time(ray, &triangles);
                assert_eq!(every_way::<f64, 8>(ray, &triangles), expected, "{}", kind.name);
                assert_eq!(every_way::<f64, 16>(ray, &triangles), expected, "{}", kind.name);
                assert_eq!(every_way::<f64, 3>(ray, &triangles), expected, "{}", kind.name);
                hits += expected.iter().flatten().flatten().count();
            }
        }
    }
    assert!(hits > 5000, "{hits}");
}

#[test]
fn lanes_of_matrices_hold_the_bits_of_one_at_a_time() {
    let mut rng = Rng::new(seed(52));
    let mut hits = 0;
    for kind in KINDS {
        for _ in 0..8 {
            let (triangles, rays) = batch(&mut rng, kind.make);
            let matrices: Vec<CollisionMatrix> =
                triangles.iter().filter_map(|triangle| CollisionMatrix::new(triangle).ok()).collect();
            let blocks: Vec<MatrixColumns<f64, 8>> = matrices.chunks(8).map(MatrixColumns::new).collect();
            let wide: Vec<MatrixColumns<f64, 16>> = matrices.chunks(16).map(MatrixColumns::new).collect();
            for ray in rays.iter().filter(|_| !matrices.is_empty()) {
                let expected: Found = matrices.iter().map(|matrix| matrix.hit(ray)).collect();
                let count = matrices.len();
                assert_eq!(
                    gather(count, |each| ray_triangles_collision_matrix(ray, &blocks, each)),
                    expected
                );
                assert_eq!(gather(count, |each| ray_triangles_collision_matrix(ray, &wide, each)), expected);
                hits += expected.iter().flatten().count();
            }
        }
    }
    assert!(hits > 1000, "{hits}");
}

#[test]
fn lanes_of_f32_are_right_where_sums_are_clear() {
    let mut rng = Rng::new(seed(53));
    let mut hits = 0;
    for kind in KINDS.iter().filter(|kind| ["generic", "edge-aimed", "sliver"].contains(&kind.name)) {
        for _ in 0..1500 {
            let trial = (kind.make)(&mut rng);
            // To what f32 holds, so that the exact answer is about the same triangle.
            let [a, b, c] = trial.triangle.corners().map(|corner| corner.as_vec3().as_dvec3());
            let triangle = Triangle::new(a, b, c).expect("it is in range");
            let (origin, dir) = (trial.ray.origin().as_vec3(), trial.ray.dir().as_vec3());
            let ray = Ray::from_f32(origin, dir).expect("it is in range");
            let answers = every_way::<f32, 8>(&ray, &[triangle]);
            let case = Trial { ray, triangle }.case();
            // Two-sided Moeller-Trumbore; edge functions; barycentric; crossing count.
            let sums = [
                (0, exact::moeller_trumbore(&case)),
                (2, exact::edge_functions(&case)),
                (3, exact::barycentric(&case)),
                (4, exact::edge_functions(&case)),
            ];
            for (way, sums) in sums {
                let doubtful = |k: i64| {
                    let k = k << 29; // 2^-24 in units of 2^-53
                    sums.corners.iter().any(|corner| corner.is_doubtful(k))
                        || sums.det.is_doubtful(k)
                        || sums.beyond(0.0).is_none_or(|sum| sum.is_doubtful(k))
                };
                if !doubtful(26) {
                    let found = answers[way][0];
                    assert_eq!(found.is_some(), sums.hit(0.0, f64::INFINITY), "way {way}: {case:?}");
                    hits += usize::from(found.is_some());
                }
            }
        }
    }
    assert!(hits > 1000, "{hits}");
}

#[test]
fn lanes_of_f32_matrices_are_right_where_sums_are_clear() {
    let mut rng = Rng::new(seed(56));
    let (mut hits, mut misses) = (0, 0);
    for kind in KINDS.iter().filter(|kind| ["generic", "edge-aimed", "sliver"].contains(&kind.name)) {
        for _ in 0..1500 {
            let trial = (kind.make)(&mut rng);
            let [a, b, c] = trial.triangle.corners().map(|corner| corner.as_vec3().as_dvec3());
            let triangle = Triangle::new(a, b, c).expect("it is in range");
            let ray =
                Ray::from_f32(trial.ray.origin().as_vec3(), trial.ray.dir().as_vec3()).expect("in range");
            let Ok(matrix) = CollisionMatrix::new(&triangle) else { continue };
            let blocks = [MatrixColumns::<f32, 8>::new(&[matrix])];
            let found = gather(1, |each| ray_triangles_collision_matrix(&ray, &blocks, each))[0];
            let sums = exact::collision_matrix(&Trial { ray, triangle }.case());
            let doubtful = |sum: &Weighed| sum.is_doubtful(26 << 29);
            if sums.corners.iter().any(doubtful)
                || doubtful(&sums.det)
                || sums.beyond(0.0).is_none_or(|sum| doubtful(&sum))
            {
                continue;
            }
            assert_eq!(found.is_some(), sums.hit(0.0, f64::INFINITY), "{ray:?} {triangle:?}");
            hits += usize::from(found.is_some());
            misses += usize::from(found.is_none());
        }
    }
    assert!(hits > 300 && misses > 300, "{hits} hits, {misses} misses");
}

#[test]
fn lanes_of_f32_are_exact_on_small_whole_numbers() {
    let mut rng = Rng::new(seed(54));
    let mut hits = 0;
    for _ in 0..4000 {
        let Trial { ray, triangle } = on_grid(&mut rng, 2);
        let as_f32 = |found: Vec<Found>| -> Vec<Option<[f32; 3]>> {
            let pick = |hit: TriangleHit| [hit.t as f32, hit.u as f32, hit.v as f32];
            found.into_iter().map(|found| found[0].map(pick)).collect()
        };
        let expected = as_f32(one_at_a_time(&ray, &[triangle]));
        assert_eq!(as_f32(every_way::<f32, 8>(&ray, &[triangle])), expected, "{ray:?} {triangle:?}");
        hits += expected.iter().flatten().count();
    }
    assert!(hits > 4000, "{hits}");
}

#[test]
fn what_underflows_in_f32_is_no_hit_without_weights() {
    let triangle = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.2, 0.0]).expect("in range");
    let matrices =
        [MatrixColumns::<f32, 8>::new(&[CollisionMatrix::new(&triangle).expect("it has an area")])];
    for power in [-149, -148, -140, -126] {
        for (origin, aside) in [([0.25, 0.3, 0.0], 0.0), ([0.25, 0.3, 0.0], 1.0)] {
            let ray = Ray::new(origin, [aside, 0.0, -2f64.powi(power)]).expect("in range");
            let mut answers = every_way::<f32, 8>(&ray, &[triangle]);
            answers.push(gather(1, |each| ray_triangles_collision_matrix(&ray, &matrices, each)));
            for found in answers.iter().filter_map(|found| found[0]) {
                assert!(
                    found.t.is_finite() && found.u.is_finite() && found.v.is_finite(),
                    "{ray:?}: {found:?}"
                );
            }
        }
    }
}

#[test]
fn what_overflows_in_f32_is_a_miss() {
    let mut rng = Rng::new(seed(55));
    let (mut hits, mut lost) = (0, 0);
    for round in 0..6000 {
        let size = f64::powi(2.0, round % 100);
        let mut point = || rng.in_cube(size).map(|c| f64::from(c as f32));
        let triangle = Triangle::new(point(), point(), point()).expect("it is in range");
        let ray = Ray::between(point(), point()).expect("it goes somewhere");
        let ray = Ray::new(ray.origin(), ray.dir().as_vec3().as_dvec3()).expect("it goes somewhere");
        let case = Trial { ray, triangle }.case();
        let sums = [exact::moeller_trumbore(&case), exact::edge_functions(&case), exact::barycentric(&case)];
        let answers = every_way::<f32, 8>(&ray, &[triangle]);
        for (way, sums_index) in [(0, 0), (2, 1), (3, 2), (4, 1), (5, 1)] {
            let sums = &sums[sums_index];
            let found = answers[way][0].is_some();
            let expected = sums.hit(0.0, f64::INFINITY);
            let doubtful = sums.corners.iter().any(|corner| corner.is_doubtful(26 << 29))
                || sums.beyond(0.0).is_none_or(|sum| sum.is_doubtful(26 << 29))
                || (way == 5 && exact::nearly_in_line(&case, 17));
            assert!(!found || expected || doubtful, "way {way}, size {size:e}: {case:?}");
            hits += usize::from(found);
            lost += usize::from(expected && !found && !doubtful);
        }
    }
    assert!(hits > 500 && lost > 500, "{hits} hits, {lost} lost to overflow");
}
