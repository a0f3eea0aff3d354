//! Hulls: what they are made of, and what is refused, with its words.

use std::collections::BTreeSet;

use hitscan::Ray;
use hitscan::glam::{DMat3, DQuat, DVec3};
use hitscan::intersect::{Motion, Span, ray_convex, ray_obb, sweep_sphere_convex};
use hitscan::shape::{Aabb, ConvexHull, Obb, Plane, ShapeError, Sphere, Triangle};
use hitscan_oracle::Rng;
use hitscan_oracle::rng::seed;

fn hull(points: &[[f64; 3]]) -> ConvexHull {
    ConvexHull::from_points(points.iter().copied()).unwrap_or_else(|error| panic!("{points:?}: {error}"))
}

/// Behind this plane, up to rounding.
fn assert_behind(plane: &Plane, points: &[[f64; 3]]) {
    let size = points.iter().flatten().fold(0.0f64, |m, c| m.max(c.abs()));
    for &p in points {
        let height = plane.signed_distance(p);
        assert!(height <= 1e-15 * 8.0 * size, "{p:?} is {height:e} in front of {plane:?}");
    }
}

#[test]
fn a_lattice_becomes_a_box() {
    for n in [1i32, 2, 3] {
        let mut points = Vec::new();
        for x in 0..=n {
            for y in 0..=n {
                for z in 0..=n {
                    points.push([x, y, z].map(f64::from));
                }
            }
        }
        Rng::new(n as u64).shuffle(&mut points);
        points.extend_from_within(..);
        let cube = hull(&points);
        let normals: BTreeSet<[i64; 3]> =
            cube.planes().iter().map(|plane| plane.normal().to_array().map(|c| c as i64)).collect();
        assert_eq!((cube.planes().len(), normals.len(), cube.corners().len()), (6, 6, 8), "{n}");
        assert!(points.iter().all(|&p| cube.contains(p)));
    }
}

#[test]
fn hulls_hold_their_points_and_their_faces_hold_nothing_in_front() {
    let mut rng = Rng::new(seed(101));
    for i in 0..60 {
        let scale = rng.pick(&[1.0, 1e-20, 1e15, 1e-100]);
        let points: Vec<[f64; 3]> = (0..10 + 5 * i)
            .map(|_| match i % 4 {
                0 => rng.in_cube(scale),
                1 => rng.direction().map(|c| c * scale), // all of them corners
                2 => std::array::from_fn(|_| rng.int(-4, 4) as f64), // many in one plane
                // Almost flat.
                _ => {
                    let [x, y, _] = rng.in_cube(scale);
                    [x, y, (x + y) / 3.0]
                }
            })
            .collect();
        let solid = hull(&points);
        for plane in solid.planes() {
            assert_behind(plane, &points);
        }
        for &p in &points {
            assert!(solid.contains(p), "{points:?}: {p:?}");
        }
        // Each corner is a point that the others do not make.
        for &corner in solid.corners().iter().take(4) {
            let others: Vec<[f64; 3]> =
                points.iter().copied().filter(|&p| DVec3::from(p) != corner).collect();
            let without = ConvexHull::from_points(others);
            assert!(without.is_err() || without.is_ok_and(|hull| !hull.contains(corner)), "{corner:?}");
        }
    }
}

#[test]
fn a_hull_is_the_same_in_any_order() {
    let mut rng = Rng::new(seed(102));
    for _ in 0..40 {
        let mut points: Vec<[f64; 3]> =
            (0..30).map(|_| std::array::from_fn(|_| rng.int(-3, 3) as f64)).collect();
        let corners = |hull: ConvexHull| -> BTreeSet<[i64; 3]> {
            hull.corners().iter().map(|c| c.to_array().map(|x| x as i64)).collect()
        };
        let faces = hull(&points).planes().len();
        let first = corners(hull(&points));
        rng.shuffle(&mut points);
        assert_eq!(hull(&points).planes().len(), faces);
        assert_eq!(corners(hull(&points)), first);
    }
}

#[test]
fn thousands_of_points_on_a_sphere() {
    let mut rng = Rng::new(seed(103));
    let points: Vec<[f64; 3]> = (0..3_000).map(|_| rng.direction()).collect();
    let ball = hull(&points);
    // Euler: triangles only, two fewer than twice the corners.
    assert_eq!((ball.corners().len(), ball.planes().len()), (3_000, 5_996));
}

fn slabs(half: f64) -> Vec<Plane> {
    DVec3::AXES
        .into_iter()
        .flat_map(|axis| [axis, -axis])
        .map(|normal| Plane::new(normal, normal * half).expect("a normal"))
        .collect()
}

#[test]
fn planes_that_enclose_are_accepted_wherever_they_are() {
    let mut rng = Rng::new(seed(104));
    for i in 0..200 {
        let (centre, scale) = (DVec3::from(rng.in_cube(10.0)), rng.pick(&[1.0, 1e-3, 1e3]));
        let count = 4 + i;
        let mut planes: Vec<Plane> = Vec::new();
        for _ in 0..count {
            let normal = DVec3::from(rng.direction());
            planes.push(Plane::new(normal, centre + normal * scale * rng.range(1.0, 1.5)).expect("a normal"));
        }
        match ConvexHull::from_planes(planes) {
            Ok(hull) => assert!(hull.contains(centre), "{i}"),
            Err(error) => {
                assert!(count < 30, "{count} random planes: {error}");
                assert!(error.to_string().contains("unbounded"), "{error}");
            }
        }
    }
    // Thin, but there.
    let mut thin = slabs(1.0);
    thin.push(Plane::new([0.0, 0.0, 1.0], [0.0, 0.0, -1.0 + 1e-12]).expect("a normal"));
    assert!(ConvexHull::from_planes(thin).is_ok());
}

/// A box with its corners cut off: three axes and half the size along each.
fn cut_box(axes: DMat3, half: DVec3, centre: DVec3) -> Vec<Plane> {
    let signs =
        (0..8).map(|i| DVec3::from([i & 1, i >> 1 & 1, i >> 2].map(|bit| 2.0 * f64::from(bit) - 1.0)));
    let sides = (0..6).map(|i| {
        let way = if i % 2 == 0 { 1.0 } else { -1.0 };
        Plane::new(axes.col(i / 2) * way, centre + axes.col(i / 2) * (way * half[i / 2]))
    });
    let corners = signs.map(|sign| Plane::new(axes * (sign / half), centre + axes * (sign * half * 0.8)));
    sides.chain(corners).map(|plane| plane.expect("a normal")).collect()
}

#[test]
fn thin_hulls_of_planes_are_accepted() {
    let mut rng = Rng::new(seed(106));
    let mut refused = Vec::new();
    for i in 0..600 {
        let thin = [1.0, 1e-3, 1e-6, 1e-9, 1e-12][i % 5];
        let mut half = DVec3::from(rng.in_cube(0.3)) + 0.7;
        half[rng.below(3)] = thin;
        let x = DVec3::from(rng.direction());
        let y = x.cross(DVec3::from(rng.direction())).normalize();
        let centre = DVec3::from(rng.in_cube(1.0));
        let mut planes = cut_box(DMat3::from_cols(x, y, x.cross(y)), half, centre);
        rng.shuffle(&mut planes);
        match ConvexHull::from_planes(planes) {
            Ok(hull) => assert!(hull.contains(centre)),
            Err(error) => refused.push((thin, error.to_string())),
        }
    }
    assert!(refused.is_empty(), "{} of 600: {:?}", refused.len(), refused.first());
}

#[test]
fn redundant_planes_keep_their_places() {
    let mut planes = slabs(1.0);
    planes.insert(0, Plane::new([1.0, 1.0, 1.0], [5.0; 3]).expect("a normal"));
    planes.push(planes[1]);
    let cube = ConvexHull::from_planes(planes.iter().copied()).expect("a volume");
    assert_eq!(cube.planes(), planes);
    assert!(cube.corners().is_empty());
}

fn message<T>(refused: Result<T, ShapeError>) -> String {
    match refused {
        Ok(_) => String::from("accepted"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn hulls_without_an_inside_are_refused_with_these_words() {
    let points = |points: &[[f64; 3]]| message(ConvexHull::from_points(points.iter().copied()));
    let end = "; a convex hull needs an inside of finite size";
    assert_eq!(points(&[]), format!("the hull has no points{end}"));
    assert_eq!(points(&[[1.0; 3]; 5]), format!("the hull is a single point{end}"));
    assert_eq!(
        points(&[[0.0; 3], [1.0; 3], [3.0; 3], [1.0; 3]]),
        format!("the hull is a line, its points lie on it{end}")
    );
    let flat = [[0.0; 3], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [3.0, 4.0, 7.0], [0.1, 0.0, 0.1]];
    assert_eq!(points(&flat), format!("the hull is flat, its points lie in one plane{end}"));
    assert_eq!(
        points(&[[0.0; 3], [1.0, f64::NAN, 1.0]]),
        "point 1: y is NaN; a convex hull needs finite coordinates of at most 2^100"
    );
    let planes = |planes: &[Plane]| message(ConvexHull::from_planes(planes.iter().copied()));
    let open = format!("the hull is unbounded, its planes leave a direction open{end}");
    let empty = format!("the hull has no inside, its planes leave no volume between them{end}");
    assert_eq!(planes(&[]), open);
    assert_eq!(planes(&slabs(1.0)[..5]), open);
    assert_eq!(planes(&slabs(1.0)[..4]), open, "a pillar");
    let mut shut = slabs(1.0);
    shut.push(Plane::new([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]).expect("a normal"));
    assert_eq!(planes(&shut), empty, "as thin as nothing");
    shut[6] = Plane::new([0.0, 0.0, 1.0], [0.0, 0.0, (-1.0f64).next_up()]).expect("a normal");
    assert_eq!(planes(&shut), "accepted", "as thin as f64 can tell");
    assert_eq!(planes(&slabs(-1.0)), empty);
    assert_eq!(planes(&slabs(0.0)), empty, "a point has no inside");
    let far = Plane::from_equation([0.0, 0.0, 1.0], -1e200).expect("a plane");
    assert_eq!(
        planes(&[&slabs(1.0)[..], &[far]].concat()),
        "plane 6: its offset is -1e200; a convex hull needs offsets of at most 2^100"
    );
}

#[test]
fn other_shapes_are_refused_with_these_words() {
    for (radius, written) in
        [(0.0, "0.0"), (-2.0, "-2.0"), (f64::NAN, "NaN"), (1e31, "1e31"), (f64::INFINITY, "inf")]
    {
        let expected =
            format!("the radius is {written}; a sphere or a capsule needs one above 0 and at most 2^100");
        assert_eq!(message(Sphere::new([0.0; 3], radius)), expected);
    }
    assert_eq!(
        message(Obb::new([0.0; 3], DMat3::IDENTITY, [1.0, 1.0, f64::INFINITY])),
        "half the size along axis 2 is inf; an oriented box needs sizes above 0 and at most 2^100"
    );
    assert_eq!(
        message(Obb::new([0.0; 3], DMat3::from_diagonal(DVec3::new(1.0, f64::NAN, 1.0)), [1.0; 3])),
        "axis 1: y is NaN; a shape needs finite coordinates of at most 2^100"
    );
    assert_eq!(
        message(Sphere::new([0.0, f64::INFINITY, 0.0], 1.0)),
        "the centre: y is inf; a shape needs finite coordinates of at most 2^100"
    );
    assert_eq!(
        message(Aabb::new([0.0; 3], [1.0, 0.0, 1.0])),
        "y goes from 0.0 to 0.0; a box needs low < high on each axis"
    );
    assert_eq!(
        message(Aabb::new([0.0; 3], [1.0, 1.0, -1.0])),
        "z goes from 0.0 to -1.0; a box needs low < high on each axis"
    );
    assert_eq!(
        message(Aabb::new([f64::NAN, 0.0, 0.0], [1.0; 3])),
        "the low corner: x is NaN; a shape needs finite coordinates of at most 2^100"
    );
    assert_eq!(
        message(Obb::new([0.0; 3], DMat3::IDENTITY, [1.0, 0.0, 1.0])),
        "half the size along axis 1 is 0.0; an oriented box needs sizes above 0 and at most 2^100"
    );
    assert_eq!(
        message(Obb::new([0.0; 3], DMat3::from_diagonal(DVec3::new(1.0, 2.0, 1.0)), [1.0; 3])),
        "axes 1 and 1 are not at right angles or not of length 1 (dot product 4e0); an oriented box needs three unit vectors at right angles"
    );
    assert_eq!(
        message(Plane::new([0.0; 3], [1.0; 3])),
        "the normal is (0e0, 0e0, 0e0); a plane needs a normal that points somewhere"
    );
    assert_eq!(
        message(Plane::from_equation([0.0, 0.0, 1e-300], 1e200)),
        "the plane's D is 1e200, its normal 1e-300 long; a plane needs a quotient of both that is finite"
    );
    assert!(matches!(Plane::from_equation([0.0, 1.0, 0.0], f64::NAN), Err(ShapeError::Offset { .. })));
    assert_eq!(
        message(Plane::from_points([0.0; 3], [1.0; 3], [2.0; 3])),
        "the points [0.0, 0.0, 0.0], [1.0, 1.0, 1.0] and [2.0, 2.0, 2.0] lie on a line; a plane needs three that do not"
    );
    assert_eq!(
        message(Triangle::new([0.0; 3], [1.0; 3], [0.0, 0.0, -1e31])),
        "corner C: z is -1e31; a shape needs finite coordinates of at most 2^100"
    );
}

#[test]
fn powers_of_two_change_nothing_where_squares_and_cubes_underflow() {
    let mut rng = Rng::new(seed(105));
    let points: Vec<[f64; 3]> = (0..14).map(|_| rng.in_cube(1.0)).collect();
    let solid = hull(&points);
    let half = [0.5, 0.25, 1.0];
    let axes = DMat3::from_quat(DQuat::from_axis_angle(DVec3::new(0.6, 0.8, 0.0), 1.0));
    let upright = Obb::new([0.1; 3], axes, half).expect("a sound box");
    for power in [-900, -400, -250, -100, 80] {
        let size = 2f64.powi(power);
        let scaled = |p: [f64; 3]| p.map(|c| c * size);
        let other = hull(&points.iter().map(|&p| scaled(p)).collect::<Vec<_>>());
        assert_eq!(other.corners().len(), solid.corners().len(), "2^{power}");
        let small = Obb::new([0.1 * size; 3], axes, scaled(half)).expect("a sound box");
        for _ in 0..200 {
            let (origin, dir) = (rng.in_cube(1.5), rng.direction());
            let rays = [origin, scaled(origin)].map(|o| Ray::new(o, dir).expect("a sound ray"));
            let same = |a: Option<Span>, b: Option<Span>| {
                assert_eq!(a.is_some(), b.is_some(), "2^{power}: {origin:?} {dir:?}");
                let (Some(a), Some(b)) = (a, b) else { return };
                for (a, b) in [(a.enter, b.enter), (a.exit, b.exit)] {
                    assert!((a - b / size).abs() <= 1e-12 * a.abs(), "2^{power}: {a:e} {b:e}");
                }
            };
            let spans = |solid: &ConvexHull, ray: &Ray| ray_convex(ray, solid).map(|through| through.span);
            same(spans(&solid, &rays[0]), spans(&other, &rays[1]));
            let spans = |bounds: &Obb, ray: &Ray| ray_obb(ray, bounds).map(|through| through.span);
            same(spans(&upright, &rays[0]), spans(&small, &rays[1]));
            assert_eq!(solid.contains(origin), other.contains(scaled(origin)), "2^{power}: {origin:?}");
            assert_eq!(upright.contains(origin), small.contains(scaled(origin)), "2^{power}: {origin:?}");
        }
    }
}

/// A needle of four sides that lean towards each other by `h`, some normals a little askew.
fn needle(h: f64, askew: bool) -> Result<ConvexHull, ShapeError> {
    let off = |x: f64| if askew { x } else { 0.0 };
    let plane = |n: [f64; 3], d: f64| Plane::from_equation(n, d).expect("a normal");
    ConvexHull::from_planes([
        plane([1.0, off(1e-17), h], -1.0),
        plane([-1.0, off(3e-300), h], -1.0),
        plane([0.0, 1.0, h], -1.0),
        plane([off(1e-310), -1.0, h], -1.0),
        plane([0.0, off(1e-320), -1.0], 0.0),
    ])
}

/// What is accepted is met, and what no formula could hold is not accepted.
#[test]
fn planes_that_meet_too_far_away_are_refused_with_these_words() {
    let expected = "the hull has a corner beyond 2^200, where its planes meet; a convex hull needs an inside of finite size";
    for askew in [false, true] {
        for exponent in [210, 300, 450, 900, 1021] {
            assert_eq!(message(needle(2f64.powi(-exponent), askew)), expected, "2^-{exponent} {askew}");
        }
        for exponent in [0, 10, 20, 30, 45, 55, 100, 190] {
            let hull = needle(2f64.powi(-exponent), askew).unwrap_or_else(|e| panic!("2^-{exponent}: {e}"));
            for centre in [[-3.0, 5e-324, 0.0], [5e-324, -3.0, 1e-323], [3.0, 0.0, 5e-324]] {
                for radius in [2.0 - 1e-12, 2f64.next_down(), 2.0, 2f64.next_up(), 2.0 + 1e-12] {
                    let ball = Sphere::new(centre, radius).expect("a ball");
                    let met = sweep_sphere_convex(&ball, &Motion::new([0.0; 3]).expect("rest"), &hull);
                    let is_certain = (radius - 2.0).abs() > 1e-13;
                    assert!(
                        !is_certain || met.is_some() == (radius > 2.0),
                        "2^-{exponent}: {centre:?} {radius}"
                    );
                }
            }
        }
    }
}
