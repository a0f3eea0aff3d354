//! The collision matrix: segments by their ends, holes, whole meshes, and triangles that were moved.

use hitscan::glam::{DMat3, DVec3};
use hitscan::intersect::{
    CollisionError, CollisionMatrices, CollisionMatrix, Segment, TriangleHit, ray_triangle,
};
use hitscan::shape::Triangle;
use hitscan::{Face, Mesh, Ray, RayError, Transform};
use hitscan_oracle::Rng;
use hitscan_oracle::dyadic::{Vector, Weighed, cross, difference, dot, given};
use hitscan_oracle::rng::seed;
use hitscan_oracle::triangle::{Case, Sums, collision_matrix_of_segment};

use super::ray_triangle_cases::{KINDS, Trial, on_grid};

fn matrix(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> CollisionMatrix {
    let triangle = Triangle::new(a, b, c).expect("it is in range");
    CollisionMatrix::new(&triangle).expect("it has an area")
}

#[test]
fn segments_on_whole_numbers_are_exact_and_closed() {
    let mut rng = Rng::new(seed(61));
    let (mut hits, mut at_ends) = (0, 0);
    for _ in 0..8000 {
        let trial = on_grid(&mut rng, 4);
        let case = trial.case();
        let end = (trial.ray.origin() + trial.ray.dir()).to_array();
        let Ok(segment) = Segment::new(case.origin, end) else { continue };
        let sums = collision_matrix_of_segment(&case, end);
        let quotient = |n: &Weighed, d: &Weighed| n.value.roughly() / d.value.roughly() + 0.0;
        let [_, u, v] = &sums.corners;
        let expected = sums
            .hit(0.0, 1.0)
            .then(|| (quotient(&sums.t_num, &sums.t_den), quotient(u, &sums.det), quotient(v, &sums.det)));
        let found = CollisionMatrix::new(&trial.triangle).ok().and_then(|matrix| matrix.hit(&segment));
        assert_eq!(found.map(|hit| (hit.t, hit.u, hit.v)), expected, "{trial:?}");
        hits += usize::from(found.is_some());
        at_ends += usize::from(found.is_some_and(|hit| hit.t == 0.0 || hit.t == 1.0));
    }
    assert!(hits > 300 && at_ends > 100, "{hits} hits, {at_ends} at an end");
}

#[test]
fn segments_are_wrong_only_within_the_stated_bound() {
    let mut rng = Rng::new(seed(62));
    let mut hits = 0;
    for kind in KINDS {
        for _ in 0..500 {
            let Trial { ray, triangle } = (kind.make)(&mut rng);
            let end = ray.at(1.0).to_array();
            let (Ok(matrix), Ok(segment)) =
                (CollisionMatrix::new(&triangle), Segment::new(ray.origin(), end))
            else {
                continue;
            };
            let sums = collision_matrix_of_segment(&Trial { ray, triangle }.case(), end);
            let found = matrix.hit(&segment);
            let ends = [sums.beyond(0.0), sums.beyond(1.0)].into_iter().flatten();
            let clear = !sums.det.is_doubtful(24)
                && !sums.corners.iter().any(|corner| corner.is_doubtful(24))
                && !ends.into_iter().any(|sum| sum.is_doubtful(24));
            if clear {
                assert_eq!(found.is_some(), sums.hit(0.0, 1.0), "{}: {segment:?} {triangle:?}", kind.name);
            }
            if let Some(hit) = found {
                assert!((0.0..=1.0).contains(&hit.t), "{hit:?}");
                hits += 1;
                if sums.det.is_doubtful(24) {
                    continue;
                }
                let [_, u, v] = &sums.corners;
                for (value, n, d) in
                    [(hit.t, &sums.t_num, &sums.t_den), (hit.u, u, &sums.det), (hit.v, v, &sums.det)]
                {
                    // What is left over, which is nothing but rounding.
                    let rest = n - &(&Weighed::leaf(value.into()) * d);
                    assert!(rest.is_doubtful(26), "{}: {hit:?} for {segment:?} {triangle:?}", kind.name);
                }
            }
        }
    }
    assert!(hits > 1000, "{hits}");
}

/// The sums of a triangle that a placement has moved, written out without rounding: the rows of the matrix times the adjugate
/// of the placement's, which is its inverse but for one factor.
fn moved_sums(case: &Case, by: &Transform) -> Sums {
    let columns = by.matrix().to_cols_array_2d();
    let [x, y, z] = columns.map(given);
    let cofactors = [cross(&y, &z), cross(&z, &x), cross(&x, &y)];
    let determinant = dot(&x, &cofactors[0]);
    let moved_row = |row: Vector| -> Vector {
        std::array::from_fn(|i| {
            let terms = [0, 1, 2].map(|k| &row[k] * &cofactors[k][i]);
            &(&terms[0] + &terms[1]) + &terms[2]
        })
    };
    let [a, b, c] = case.corners;
    let (e, f) = (difference(b, a), difference(c, a));
    let n = cross(&e, &f);
    let rows = [cross(&f, &n), cross(&n, &e), n.clone()].map(moved_row);
    let anchor: Vector = std::array::from_fn(|i| {
        let terms = [0, 1, 2].map(|k| &Weighed::leaf(columns[k][i].into()) * &Weighed::leaf(a[k].into()));
        &(&(&terms[0] + &terms[1]) + &terms[2]) + &Weighed::leaf(by.offset()[i].into())
    });
    let start: Vector = std::array::from_fn(|i| &Weighed::leaf(case.origin[i].into()) - &anchor[i]);
    let end = given(case.dir);
    let (start_z, end_z) = (dot(&rows[2], &start), dot(&rows[2], &end));
    let side = -&end_z;
    let det = &(&side * &dot(&n, &n)) * &determinant;
    let along = |row: &Vector| &(&dot(row, &end) * &start_z) - &(&dot(row, &start) * &end_z);
    let (u, v) = (along(&rows[0]), along(&rows[1]));
    Sums { corners: [&(&det - &u) - &v, u, v], det, t_num: start_z, t_den: side }
}

#[test]
fn moved_matrices_are_wrong_only_within_the_stated_bound() {
    let mut rng = Rng::new(seed(67));
    let (mut hits, mut misses, mut wrong) = (0, 0, 0);
    for kind in KINDS.iter().filter(|kind| !kind.name.contains("limit")) {
        for round in 0..300 {
            let trial = (kind.make)(&mut rng);
            let Ok(model) = CollisionMatrix::new(&trial.triangle) else { continue };
            let by = placement(&mut rng, round % 3);
            let (start, end) = (by.point(trial.ray.origin()), by.point(trial.ray.at(1.0)));
            let Ok(ray) = Ray::between(start, end) else { continue };
            let Ok(ray) = ray.with_range(trial.ray.t_min(), trial.ray.t_max()) else { continue };
            let case = Case { origin: start.to_array(), dir: ray.dir().to_array(), ..trial.case() };
            let sums = moved_sums(&case, &by);
            let exact = sums.hit(ray.t_min(), ray.t_max());
            let doubtful = sums.det.is_doubtful(64)
                || sums.corners.iter().any(|corner| corner.is_doubtful(64))
                || [ray.t_min(), ray.t_max()]
                    .into_iter()
                    .filter_map(|end| sums.beyond(end))
                    .any(|end| end.is_doubtful(64));
            let mut ways = vec![model.moved(&by).expect("in range")];
            if round % 3 < 2 {
                ways.push(model.moved_rigid(&by).expect("it is rigid"));
            }
            for moved in ways {
                let found = moved.hit(&ray);
                let what = || format!("{}: {found:?} for {case:?} {by:?}", kind.name);
                assert!(found.is_some() == exact || doubtful, "{}", what());
                wrong += usize::from(found.is_some() != exact);
                hits += usize::from(exact && found.is_some());
                misses += usize::from(!exact && found.is_none());
                let Some(hit) = found.filter(|_| !sums.det.is_doubtful(64)) else { continue };
                assert_eq!(hit.facing == Face::Front, sums.t_den.value.signum() > 0, "{}", what());
                let [_, u, v] = &sums.corners;
                for (value, n, d) in
                    [(hit.t, &sums.t_num, &sums.t_den), (hit.u, u, &sums.det), (hit.v, v, &sums.det)]
                {
                    let rest = n - &(&Weighed::leaf(value.into()) * d);
                    assert!(rest.is_doubtful(66), "{}", what());
                }
            }
        }
    }
    assert!(hits > 1000 && misses > 1000 && wrong > 20, "{hits} hits, {misses} misses, {wrong} wrong");
}

#[test]
fn both_ends_of_a_segment_are_checked() {
    let most = hitscan::MAX_COORDINATE;
    let (near, far) = ([0.0, most, 0.0], [0.0, most.next_up(), 0.0]);
    assert!(Segment::new([1.0; 3], near).is_ok() && Segment::new(near, [1.0; 3]).is_ok());
    let refused = |field| Err(RayError::OriginTooFar { field, value: most.next_up() });
    assert_eq!(Segment::new([1.0; 3], far), refused("by"));
    assert_eq!(Segment::new(far, [1.0; 3]), refused("oy"));
}

#[test]
fn triangles_without_area_are_told_by_number() {
    let good = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]).expect("in range");
    let lines = [
        ([1.0; 3], [1.0; 3], [1.0; 3]),
        ([0.0; 3], [0.0; 3], [5.0, 0.0, 0.0]),
        ([0.0; 3], [1.0, 2.0, 3.0], [-2.0, -4.0, -6.0]),
    ];
    for (a, b, c) in lines {
        let line = Triangle::new(a, b, c).expect("in range");
        assert_eq!(CollisionMatrix::new(&line), Err(CollisionError::Degenerate { triangle: 0 }));
        let mut triangles = vec![good; 30];
        triangles[17] = line;
        triangles[23] = line;
        let refused = CollisionMatrices::<8>::new(&triangles);
        assert_eq!(refused, Err(CollisionError::Degenerate { triangle: 17 }));
        assert!(CollisionMatrices::<16>::new(&triangles).is_err_and(|error| error.to_string()
            == "triangle 17: its corners lie on a line; a collision matrix needs a triangle with an area"));
    }
}

#[test]
fn triangles_of_any_size_have_a_matrix() {
    for exponent in [-590, -300, -66, 0, 50, 100] {
        let size = f64::powi(2.0, exponent);
        let pane = matrix([0.0; 3], [size, 0.0, 0.0], [0.0, size, 0.0]);
        let (far, long) = (hitscan::MAX_COORDINATE, hitscan::MAX_COORDINATE * hitscan::MAX_COORDINATE);
        for (height, way) in [(far, -long), (far, -1.0 / long), (-size, long), (-size, 1.0 / long)] {
            let shot = |x: f64| Ray::new([x, size / 2.0, height], [0.0, 0.0, way]).expect("in range");
            let hit = pane.hit(&shot(size / 4.0)).expect("it goes through");
            assert_eq!((hit.t, hit.u, hit.v), (-height / way, 0.25, 0.5), "2^{exponent}");
            assert_eq!(pane.hit(&shot(size * 0.625)), None, "2^{exponent}");
            assert_eq!(pane.hit(&shot(-far)), None, "2^{exponent}");
        }
    }
    let hair = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [1.0, f64::powi(2.0, -700), 0.0]).expect("in range");
    assert_eq!(CollisionMatrix::new(&hair), Err(CollisionError::Degenerate { triangle: 0 }));
}

#[test]
fn holes_let_shots_through() {
    let wall = |x: f64| Triangle::new([x, 0.0, 0.0], [x, 8.0, 0.0], [x, 0.0, 8.0]).expect("in range");
    let walls = CollisionMatrices::<8>::new(&[wall(5.0), wall(3.0), wall(3.0)]).expect("they have areas");
    let shot = |y: f64| Segment::new([0.0, y, 1.0], [10.0, y, 1.0]).expect("it goes somewhere");
    // A window in the middle of the nearer walls, as a texture would say.
    let window = |triangle: usize, u: f64, _: f64| triangle == 0 || !(0.25..0.5).contains(&u);
    let first = |y: f64| walls.closest(&shot(y), window).map(|(triangle, hit)| (triangle, hit.t));
    assert_eq!(first(1.0), Some((1, 0.3)), "of two at one place the lower number");
    assert_eq!(first(3.0), Some((0, 0.5)), "through the window");
    let all = |y: f64| {
        walls.all_hits(&shot(y), window).into_iter().map(|(triangle, _)| triangle).collect::<Vec<_>>()
    };
    assert_eq!((all(1.0), all(3.0)), (vec![1, 2, 0], vec![0]));
    assert_eq!(walls.closest(&shot(9.0), |_, _, _| true), None);
}

#[test]
fn closest_is_the_first_of_all_and_all_are_those_of_each() {
    let mut rng = Rng::new(seed(63));
    let mut crossings = 0;
    for _ in 0..60 {
        let trials: Vec<Trial> = (0..37).map(|_| (KINDS[0].make)(&mut rng)).collect();
        let triangles: Vec<Triangle> = trials.iter().map(|trial| trial.triangle).collect();
        let narrow = CollisionMatrices::<8>::new(&triangles).expect("they have areas");
        let wide = CollisionMatrices::<16>::new(&triangles).expect("they have areas");
        assert_eq!((narrow.len(), narrow.blocks().len(), wide.blocks().len()), (37, 5, 3));
        for Trial { ray, .. } in &trials {
            let singly = triangles.iter().map(|triangle| CollisionMatrix::new(triangle).ok()?.hit(ray));
            let mut expected: Vec<(usize, TriangleHit)> =
                singly.enumerate().filter_map(|(i, hit)| Some((i, hit?))).collect();
            expected.sort_by(|(_, a), (_, b)| a.t.total_cmp(&b.t));
            let all = narrow.all_hits(ray, |_, _, _| true);
            assert_eq!(all, expected);
            assert_eq!(wide.all_hits(ray, |_, _, _| true), expected);
            assert_eq!(narrow.closest(ray, |_, _, _| true), expected.first().copied());
            assert_eq!(wide.closest(ray, |_, _, _| true), expected.first().copied());
            crossings += all.len();
        }
    }
    assert!(crossings > 2000, "{crossings}");
    let none = CollisionMatrices::<8>::new(&[]).expect("an empty list is fine");
    assert!(
        none.is_empty()
            && none.all_hits(&Ray::new([0.0; 3], [1.0; 3]).expect("fine"), |_, _, _| true).is_empty()
    );
}

/// A rotation from a random quaternion, computed without elementary functions but a square root.
fn rotation(rng: &mut Rng) -> DMat3 {
    let z = DVec3::from(rng.direction());
    let x = DVec3::from(rng.direction()).cross(z);
    let x = x / x.length();
    DMat3::from_cols(x, z.cross(x), z)
}

/// The placement of a kind: rigid, mirrored, or scaled and sheared.
fn placement(rng: &mut Rng, kind: usize) -> Transform {
    let turn = rotation(rng);
    let matrix = match kind {
        0 => turn,
        1 => turn * DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0)),
        _ => {
            let scale = DVec3::new(rng.range(0.2, 5.0), rng.range(-5.0, -0.2), rng.range(0.2, 5.0));
            turn * DMat3::from_diagonal(scale) * rotation(rng)
        }
    };
    Transform::new(matrix, rng.in_cube(100.0)).expect("it has an inverse")
}

#[test]
fn moved_matrices_answer_as_those_of_moved_triangles() {
    let mut rng = Rng::new(seed(64));
    let mut hits = 0;
    for round in 0..6000 {
        let trial = (KINDS[0].make)(&mut rng);
        let by = placement(&mut rng, round % 3);
        let model = CollisionMatrix::new(&trial.triangle).expect("it has an area");
        let [a, b, c] = trial.triangle.corners().map(|corner| by.point(corner));
        let world = Triangle::new(a, b, c).expect("in range");
        let start = by.point(trial.ray.origin());
        let end = by.point(trial.ray.at(1.0));
        let ray = Ray::between(start, end).expect("it goes somewhere");
        let mut ways = vec![model.moved(&by).expect("in range")];
        if round % 3 < 2 {
            ways.push(model.moved_rigid(&by).expect("it is rigid"));
        } else {
            assert!(matches!(model.moved_rigid(&by), Err(CollisionError::NotRigid { .. })));
        }
        for moved in ways {
            let (found, expected) = (moved.hit(&ray), ray_triangle(&ray, &world));
            match (found, expected) {
                (Some(found), Some(expected)) => {
                    assert_eq!(found.facing, expected.facing);
                    let thin = world.area() < 1e-3
                        || ray.dir().normalize().dot(world.normal().expect("area")).abs() < 1e-3;
                    let [t, u, v] =
                        [found.t - expected.t, found.u - expected.u, found.v - expected.v].map(f64::abs);
                    assert!(thin || t.max(u).max(v) < 1e-8, "{found:?}, {expected:?}");
                    hits += 1;
                }
                (None, None) => {}
                (one, other) => {
                    let hit = one.or(other).expect("one of them");
                    let margin = hit.u.min(hit.v).min(1.0 - hit.u - hit.v).min(hit.t).min(1.0 - hit.t);
                    assert!(margin.abs() < 1e-6, "{one:?}, {other:?}");
                }
            }
        }
    }
    assert!(hits > 1200, "{hits}");
}

#[test]
fn whole_numbers_stay_exact_under_placements_of_whole_numbers() {
    let mut rng = Rng::new(seed(65));
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let mut hits = 0;
    for _ in 0..3000 {
        let trial = on_grid(&mut rng, 3);
        let Ok(model) = CollisionMatrix::new(&trial.triangle) else { continue };
        let mut order = [0, 1, 2];
        rng.shuffle(&mut order);
        let scale = rng.pick(&[1.0, 2.0, 0.5]);
        let column = |i: usize, sign: f64| axes[order[i]] * (sign * scale);
        let matrix = DMat3::from_cols(column(0, 1.0), column(1, -1.0), column(2, rng.pick(&[1.0, -1.0])));
        let by = Transform::new(matrix, [4.0, -8.0, 2.0]).expect("it has an inverse");
        let (start, end) = (by.point(trial.ray.origin()), by.point(trial.ray.at(1.0)));
        let path = Segment::new(start, end).expect("it goes somewhere");
        let unmoved = Segment::new(trial.ray.origin(), trial.ray.at(1.0)).expect("it goes somewhere");
        let found = model.moved(&by).expect("in range").hit(&path);
        // Mirrored or not, a triangle is met from the side from which its corners run counter-clockwise.
        let [a, b, c] = trial.triangle.corners().map(|corner| by.point(corner));
        let anew = CollisionMatrix::new(&Triangle::new(a, b, c).expect("in range")).expect("it has an area");
        assert_eq!(found, anew.hit(&path), "{trial:?} {by:?}");
        assert_eq!(found.map(|hit| hit.t), model.hit(&unmoved).map(|hit| hit.t));
        if scale == 1.0 {
            assert_eq!(model.moved_rigid(&by).expect("it is rigid").hit(&path), found);
        }
        hits += usize::from(found.is_some());
    }
    assert!(hits > 100, "{hits}");
}

#[test]
fn a_mesh_moves_as_its_triangles_do() {
    let mut rng = Rng::new(seed(66));
    for round in 0..60 {
        let triangles: Vec<Triangle> = (0..19).map(|_| (KINDS[0].make)(&mut rng).triangle).collect();
        let model = CollisionMatrices::<8>::new(&triangles).expect("they have areas");
        let by = placement(&mut rng, round % 3);
        let singly = |rigid: bool| -> Vec<CollisionMatrix> {
            let matrices = triangles.iter().map(|triangle| CollisionMatrix::new(triangle).expect("area"));
            let moved = matrices.map(|m| if rigid { m.moved_rigid(&by) } else { m.moved(&by) });
            moved.collect::<Result<_, _>>().expect("in range")
        };
        let blocks = |matrices: &[CollisionMatrix]| {
            matrices.chunks(8).map(hitscan::intersect::MatrixColumns::new).collect::<Vec<_>>()
        };
        assert_eq!(model.moved(&by).expect("in range").blocks()[0], blocks(&singly(false))[0]);
        assert_eq!(model.moved(&by).expect("in range").blocks()[1], blocks(&singly(false))[1]);
        if round % 3 < 2 {
            assert_eq!(model.moved_rigid(&by).expect("rigid").blocks()[..2], blocks(&singly(true))[..2]);
        }
    }
}

#[test]
fn gaps_move_with_their_mesh() {
    let corners = [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [2.0, 0.0, 0.0]];
    let mut rows = [[0u32, 1, 2]; 10];
    rows[3] = [0, 1, 3];
    rows[9] = [2, 2, 0];
    let mesh = Mesh::new(corners, rows).expect("it is sound");
    let (model, without_area) = CollisionMatrices::<8>::from_mesh(&mesh);
    assert_eq!((model.len(), without_area), (10, vec![3, 9]));
    let by = Transform::translation([1e6, 0.0, 0.0]).expect("fine");
    let shot = Segment::new([1e6 + 1.0, 1.0, 1.0], [1e6 + 1.0, 1.0, -1.0]).expect("it goes somewhere");
    for moved in [model.moved(&by), model.moved_rigid(&by)] {
        let hits = moved.expect("in range").all_hits(&shot, |_, _, _| true);
        let numbers: Vec<usize> = hits.into_iter().map(|(triangle, _)| triangle).collect();
        assert_eq!(numbers, [0, 1, 2, 4, 5, 6, 7, 8]);
    }
}

#[test]
fn a_placement_out_of_range_is_told_by_number() {
    let near = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]).expect("in range");
    let far = f64::powi(2.0, 99);
    let remote = Triangle::new([far, 0.0, 0.0], [0.0; 3], [0.0, far, 0.0]).expect("in range");
    let mut triangles = vec![near; 12];
    triangles[9] = remote;
    let model = CollisionMatrices::<8>::new(&triangles).expect("they have areas");
    let by = Transform::new(DMat3::from_diagonal(DVec3::splat(16.0)), [0.0; 3]).expect("it has an inverse");
    assert_eq!(model.moved(&by), Err(CollisionError::OutOfRange { triangle: 9 }));
    let single = CollisionMatrix::new(&remote).expect("it has an area");
    assert_eq!(single.moved(&by), Err(CollisionError::OutOfRange { triangle: 0 }));
}

#[test]
fn the_textbook_matrix_maps_corners_to_units() {
    let mut rng = Rng::new(seed(67));
    for _ in 0..200 {
        let triangle = (KINDS[0].make)(&mut rng).triangle;
        if triangle.area() < 0.05 {
            continue;
        }
        let transform = CollisionMatrix::new(&triangle).expect("it has an area").transform();
        let [a, b, c] = triangle.corners();
        let above = a + triangle.cross();
        for (point, expected) in [(a, DVec3::ZERO), (b, DVec3::X), (c, DVec3::Y), (above, DVec3::Z)] {
            let off = transform.transform_point3(point) - expected;
            assert!(off.abs().max_element() < 1e-11, "{off}: {triangle:?}");
        }
    }
}
