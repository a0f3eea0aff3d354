//! Moving capsules against triangles and solids, by the distance of a segment along the way, and cases that are known.
//!
//! The distance of two convex things of which one moves steadily is convex in time: its least value is found by thirds, and says
//! who misses; where they meet, it is the radius.

use hitscan::glam::{DMat3, DVec3};
use hitscan::intersect::{
    Motion, Sweep, point_triangle, sweep_capsule_aabb, sweep_capsule_capsule, sweep_capsule_convex,
    sweep_capsule_obb, sweep_capsule_plane, sweep_capsule_sphere, sweep_capsule_triangle, sweep_sphere_aabb,
    sweep_sphere_capsule, sweep_sphere_plane, sweep_sphere_sphere, sweep_sphere_triangle,
};
use hitscan::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Sphere, Triangle};
use hitscan_oracle::{Rng, rng};

/// The distance of two segments: at an end of one of them, or where both are at right angles to what joins them.
fn segments([p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) -> f64 {
    let onto = |point: DVec3, [a, b]: [DVec3; 2]| {
        let along = b - a;
        let place = (point - a).dot(along) / along.length_squared();
        point.distance(a + along * if place.is_nan() { 0.0 } else { place.clamp(0.0, 1.0) })
    };
    let mut least = onto(p, [r, s]).min(onto(q, [r, s])).min(onto(r, [p, q])).min(onto(s, [p, q]));
    let (d, e, w) = (q - p, s - r, p - r);
    let (a, b, c, f, g) = (d.dot(d), d.dot(e), e.dot(e), d.dot(w), e.dot(w));
    let area = a * c - b * b;
    let (first, second) = ((b * g - c * f) / area, (a * g - b * f) / area);
    if area > 1e-12 * a * c && (0.0..=1.0).contains(&first) && (0.0..=1.0).contains(&second) {
        least = least.min((w + d * first - e * second).length());
    }
    least
}

/// The distance of a segment and a triangle; 0 where it goes through.
fn apart([p, q]: [DVec3; 2], triangle: &Triangle) -> f64 {
    let [a, b, c] = triangle.corners();
    let normal = (b - a).cross(c - a);
    let (over, under) = (normal.dot(p - a), normal.dot(q - a));
    if over * under < 0.0 {
        let point = p + (q - p) * (over / (over - under));
        let left = |from: DVec3, to: DVec3| (to - from).cross(point - from).dot(normal);
        if left(a, b) > 0.0 && left(b, c) > 0.0 && left(c, a) > 0.0 {
            return 0.0;
        }
    }
    let ends = [p, q].map(|end| point_triangle(end, triangle).distance);
    let edges = [[a, b], [b, c], [c, a]].map(|edge| segments([p, q], edge));
    ends.into_iter().chain(edges).fold(f64::INFINITY, f64::min)
}

/// The least value of a convex function on `[0, 1]`.
fn least(of: impl Fn(f64) -> f64) -> f64 {
    let (mut from, mut to) = (0.0, 1.0);
    for _ in 0..80 {
        let (first, second) = (from + (to - from) / 3.0, to - (to - from) / 3.0);
        if of(first) < of(second) { to = second } else { from = first }
    }
    of(from).min(of(0.0)).min(of(1.0))
}

/// Something at rest: how far a segment is from it.
type Distance<'a> = &'a dyn Fn([DVec3; 2]) -> f64;

/// Compares a sweep with the distances along the way. Gives which outcome it was.
fn check(capsule: &Capsule, by: DVec3, found: Option<Sweep>, distance: Distance<'_>, slack: f64) -> usize {
    let segment_at = |t: f64| [capsule.a() + by * t, capsule.b() + by * t];
    let radius = capsule.radius();
    let start = distance(segment_at(0.0));
    let context = || format!("{capsule:?} by {by}: {found:?}, {start:e} apart at the start");
    let along = |segment: [DVec3; 2], normal: DVec3| segment[0].dot(normal).min(segment[1].dot(normal));
    match found {
        None => {
            let nearest = least(|t| distance(segment_at(t)));
            assert!(nearest >= radius - slack, "{}: within {nearest:e}", context());
            0
        }
        Some(Sweep::Hit { t, position, normal }) => {
            assert!((0.0..=1.0).contains(&t), "{}", context());
            let then = distance(segment_at(t));
            assert!((then - radius).abs() <= slack, "{}: {then:e} apart then", context());
            assert!(start >= radius - slack && by.dot(normal) < slack, "{}", context());
            let before = least(|part| distance(segment_at(part * t)));
            assert!(before >= radius - slack, "{}: {before:e} apart before", context());
            // The position is at the radius from the segment, along the normal.
            let height = along(segment_at(t), normal) - position.dot(normal);
            assert!((height - radius).abs() <= slack, "{}: {height:e} high", context());
            assert!((normal.length() - 1.0).abs() < 1e-9, "{}", context());
            assert!(distance([position; 2]) <= slack, "{}", context());
            1
        }
        Some(Sweep::Touching { depth, position, normal }) => {
            assert!(start <= radius + slack, "{}", context());
            assert!((normal.length() - 1.0).abs() < 1e-9 && depth >= 0.0, "{}", context());
            // Moved by the depth along the normal, it only touches.
            let parted = segment_at(0.0).map(|end| end + normal * depth);
            let then = distance(parted);
            assert!((then - radius).abs() <= slack, "{}: {then:e} apart when parted", context());
            if start > slack {
                assert!((depth - (radius - start)).abs() <= slack, "{}", context());
            }
            assert!(distance([position; 2]) <= slack, "{}", context());
            2
        }
    }
}

/// A number that is often a whole one, so that features line up.
fn number(rng: &mut Rng, whole: bool) -> f64 {
    if whole { rng.int(-3, 3) as f64 } else { rng.range(-3.0, 3.0) }
}

fn point(rng: &mut Rng, whole: bool) -> DVec3 {
    DVec3::new(number(rng, whole), number(rng, whole), number(rng, whole))
}

fn capsule(rng: &mut Rng, whole: bool) -> (Capsule, DVec3) {
    let (a, radius) = (point(rng, whole) * 2.0, if whole { 1.0 } else { rng.any_size(0.01, 2.0) });
    let b = if rng.one_in(8) { a } else { a + point(rng, whole) };
    let by = if rng.one_in(10) { DVec3::ZERO } else { -a * rng.range(0.3, 2.0) + point(rng, whole) };
    (Capsule::new(a, b, radius).unwrap(), by)
}

const SLACK: f64 = 1e-9;

#[test]
fn a_triangle_is_met_when_the_distance_says() {
    let mut rng = Rng::new(rng::seed(881));
    let mut outcomes = [0; 3];
    for _ in 0..60_000 {
        let whole = rng.one_in(2);
        let (capsule, by) = capsule(&mut rng, whole);
        let corners = [(); 3].map(|()| point(&mut rng, whole));
        let triangle = Triangle::new(corners[0], corners[1], corners[2]).unwrap();
        let found = sweep_capsule_triangle(&capsule, &Motion::new(by).unwrap(), &triangle);
        outcomes[check(&capsule, by, found, &|segment| apart(segment, &triangle), SLACK)] += 1;
    }
    assert!(outcomes.iter().all(|&count| count > 1_000), "{outcomes:?}");
}

/// The corners of a box, and the triangles between them.
fn solid(corners: [DVec3; 8]) -> Vec<Triangle> {
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let halves = quads.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    halves.map(|[a, b, c]| Triangle::new(corners[a], corners[b], corners[c]).unwrap()).collect()
}

/// The distance of a segment and a solid.
fn apart_from_solid(segment: [DVec3; 2], surface: &[Triangle], holds: impl Fn(DVec3) -> bool) -> f64 {
    if segment.into_iter().any(holds) {
        return 0.0;
    }
    surface.iter().map(|triangle| apart(segment, triangle)).fold(f64::INFINITY, f64::min)
}

#[test]
fn solids_are_met_when_the_distance_says() {
    let mut rng = Rng::new(rng::seed(882));
    let mut outcomes = [[0; 3]; 6];
    for _ in 0..6_000 {
        let whole = rng.one_in(2);
        let (capsule, by) = capsule(&mut rng, whole);
        let motion = Motion::new(by).unwrap();
        let low = point(&mut rng, whole);
        let bounds = Aabb::new(low, low + DVec3::new(1.0, 2.0, 1.5)).unwrap();
        let corner = |i: usize| {
            let end = |axis: usize| if i >> axis & 1 == 0 { bounds.low()[axis] } else { bounds.high()[axis] };
            DVec3::new(end(0), end(1), end(2))
        };
        let surface = solid(core::array::from_fn(corner));
        let by_distance =
            |segment| apart_from_solid(segment, &surface, |point: DVec3| bounds.contains(point));
        let found = sweep_capsule_aabb(&capsule, &motion, &bounds);
        outcomes[0][check_solid(&capsule, by, found, &by_distance, &surface)] += 1;

        let angle = rng.range(0.0, 6.0);
        let axes = DMat3::from_axis_angle(DVec3::from(rng.direction()), angle);
        let box_ = Obb::new(low, axes, [0.5, 1.0, 0.75]).unwrap();
        let surface = solid(core::array::from_fn(|i| {
            let end = |axis: usize| if i >> axis & 1 == 0 { -1.0 } else { 1.0 };
            low + axes * (DVec3::new(end(0), end(1), end(2)) * box_.half())
        }));
        let by_distance = |segment| apart_from_solid(segment, &surface, |point: DVec3| box_.contains(point));
        let found = sweep_capsule_obb(&capsule, &motion, &box_);
        outcomes[1][check_solid(&capsule, by, found, &by_distance, &surface)] += 1;

        let tent = [[-1.0, 0.0, -1.0], [1.0, 0.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [0.0, 2.0, 0.0]];
        let tent = tent.map(|corner| DVec3::from(corner) + low);
        let hull = ConvexHull::from_points(tent).unwrap();
        let faces = [[0, 1, 2], [0, 2, 3], [0, 4, 1], [1, 4, 2], [2, 4, 3], [3, 4, 0]];
        let surface = faces.map(|[a, b, c]| Triangle::new(tent[a], tent[b], tent[c]).unwrap());
        let by_distance = |segment| apart_from_solid(segment, &surface, |point: DVec3| hull.contains(point));
        let found = sweep_capsule_convex(&capsule, &motion, &hull);
        outcomes[2][check_solid(&capsule, by, found, &by_distance, &surface)] += 1;

        let (to, radius) = (low + point(&mut rng, whole), 0.5);
        let target = Capsule::new(low, to, radius).unwrap();
        let by_distance = |segment| (segments(segment, [low, to]) - radius).max(-radius);
        let found = sweep_capsule_capsule(&capsule, &motion, &target);
        outcomes[3][check(&capsule, by, found, &by_distance, SLACK)] += 1;

        let ball = Sphere::new(low, radius).unwrap();
        let by_distance = |segment| segments(segment, [low, low]) - radius;
        let found = sweep_capsule_sphere(&capsule, &motion, &ball);
        outcomes[4][check(&capsule, by, found, &by_distance, SLACK)] += 1;

        let plane = Plane::new(DVec3::from(rng.direction()), low).unwrap();
        let by_distance = |segment: [DVec3; 2]| {
            let [a, b] = segment.map(|end| plane.signed_distance(end));
            if a * b < 0.0 { 0.0 } else { a.abs().min(b.abs()) }
        };
        let found = sweep_capsule_plane(&capsule, &motion, &plane);
        outcomes[5][check(&capsule, by, found, &by_distance, SLACK)] += 1;
    }
    assert!(outcomes.iter().flatten().all(|&count| count > 50), "{outcomes:?}");
}

/// The shortest way that parts a segment and a solid: along the normal of one of its triangles, or across one of their edges and the
/// segment.
fn way_out([a, b]: [DVec3; 2], surface: &[Triangle]) -> f64 {
    let corners = || surface.iter().flat_map(|triangle| triangle.corners());
    let edges = |[p, q, r]: [DVec3; 3]| [q - p, r - q, p - r].map(|edge| edge.cross(b - a));
    let normals = |triangle: &Triangle| {
        let [p, q, r] = triangle.corners();
        edges([p, q, r]).into_iter().chain([(q - p).cross(r - p)])
    };
    let both = surface.iter().flat_map(normals).flat_map(|normal| [normal, -normal]);
    let ways = both.filter_map(DVec3::try_normalize).map(|normal| {
        let highest = corners().map(|corner| corner.dot(normal)).fold(f64::NEG_INFINITY, f64::max);
        highest - a.dot(normal).min(b.dot(normal))
    });
    ways.fold(f64::INFINITY, f64::min)
}

/// As [`check`], and a segment that reaches into the solid goes out by the shortest way.
fn check_solid(
    capsule: &Capsule,
    by: DVec3,
    found: Option<Sweep>,
    distance: Distance<'_>,
    surface: &[Triangle],
) -> usize {
    let start = [capsule.a(), capsule.b()];
    if distance(start) > 0.0 {
        return check(capsule, by, found, distance, SLACK);
    }
    let Some(Sweep::Touching { depth, position, normal }) = found else {
        panic!("{capsule:?}: {found:?}, but deep")
    };
    let parted = start.map(|end| end + normal * depth);
    assert!((distance(parted) - capsule.radius()).abs() <= SLACK, "{capsule:?}: {found:?}");
    let shortest = way_out(start, surface);
    assert!((depth - capsule.radius() - shortest).abs() <= SLACK, "{capsule:?}: {found:?}, {shortest:e}");
    // The position is on the surface, and as far from the segment then.
    let off = surface.iter().map(|triangle| point_triangle(position, triangle).distance);
    assert!(off.fold(f64::INFINITY, f64::min) <= SLACK, "{capsule:?}: {found:?}");
    let then = segments(parted, [position; 2]);
    assert!((then - capsule.radius()).abs() <= SLACK, "{capsule:?}: {found:?}, {then:e} away");
    2
}

#[test]
fn a_capsule_without_length_is_a_sphere() {
    let mut rng = Rng::new(rng::seed(883));
    for _ in 0..5_000 {
        let whole = rng.one_in(2);
        let (capsule, by) = capsule(&mut rng, whole);
        let (motion, ball) = (Motion::new(by).unwrap(), Sphere::new(capsule.a(), capsule.radius()).unwrap());
        let round = Capsule::new(capsule.a(), capsule.a(), capsule.radius()).unwrap();
        let [a, b, c] = [(); 3].map(|()| point(&mut rng, whole));
        let triangle = Triangle::new(a, b, c).unwrap();
        let of_triangle = sweep_sphere_triangle(&ball, &motion, &triangle);
        assert_eq!(sweep_capsule_triangle(&round, &motion, &triangle), of_triangle);
        let target = Sphere::new(a, 0.5).unwrap();
        assert_eq!(
            sweep_capsule_sphere(&round, &motion, &target),
            sweep_sphere_sphere(&ball, &motion, &target)
        );
        let target = Capsule::new(a, b, 0.5).unwrap();
        assert_eq!(
            sweep_capsule_capsule(&round, &motion, &target),
            sweep_sphere_capsule(&ball, &motion, &target)
        );
        let plane = Plane::new(DVec3::from(rng.direction()), c).unwrap();
        assert_eq!(sweep_capsule_plane(&round, &motion, &plane), sweep_sphere_plane(&ball, &motion, &plane));
        let bounds = Aabb::new(a, a + 1.0).unwrap();
        let (of_box, of_ball) =
            (sweep_capsule_aabb(&round, &motion, &bounds), sweep_sphere_aabb(&ball, &motion, &bounds));
        assert_eq!(of_box.map(|sweep| sweep.t()), of_ball.map(|sweep| sweep.t()));
    }
}

#[test]
fn what_lies_on_a_floor_is_not_stopped_by_its_seams() {
    let corner = |x: i32, z: i32| DVec3::new(f64::from(x), 0.0, f64::from(z));
    let cells = (-4..4).flat_map(|x| (-4..4).map(move |z| [x, z]));
    let floor: Vec<Triangle> = cells
        .flat_map(|[x, z]| {
            let [a, b, c, d] = [corner(x, z), corner(x + 1, z), corner(x, z + 1), corner(x + 1, z + 1)];
            [[a, c, b], [b, c, d]].map(|[p, q, r]| Triangle::new(p, q, r).unwrap())
        })
        .collect();
    let lying = Capsule::new([-2.0, 1.0, 0.5], [-1.0, 1.0, 0.25], 1.0).unwrap();
    let standing = Capsule::new([-2.0, 1.0, 0.5], [-2.0, 3.0, 0.5], 1.0).unwrap();
    for capsule in [lying, standing] {
        for by in [DVec3::new(4.0, 0.0, 1.0), DVec3::new(4.0, 1.0, 1.0), DVec3::ZERO] {
            for triangle in &floor {
                assert_eq!(sweep_capsule_triangle(&capsule, &Motion::new(by).unwrap(), triangle), None);
            }
        }
        let pressed = Motion::new([1.0, -1.0, 0.0]).unwrap();
        let contacts =
            floor.iter().filter_map(|triangle| sweep_capsule_triangle(&capsule, &pressed, triangle));
        assert!(contacts.into_iter().any(|contact| matches!(contact, Sweep::Touching { depth: 0.0, .. })));
    }
}

#[test]
fn hostile_sizes_give_some_answer() {
    let mut rng = Rng::new(rng::seed(884));
    let wild = |rng: &mut Rng| {
        let sizes = [0.0, 1.0, 2f64.powi(100), 2f64.powi(-100), 5e-324, 2f64.powi(99).next_up()];
        DVec3::from([(); 3].map(|()| rng.pick(&sizes) * rng.pick(&[1.0, -1.0])))
    };
    for _ in 0..3_000 {
        let (a, b, by) = (wild(&mut rng), wild(&mut rng), wild(&mut rng));
        let radius = rng.pick(&[5e-324, 2f64.powi(-100), 1.0, 2f64.powi(100)]);
        let (capsule, motion) = (Capsule::new(a, b, radius).unwrap(), Motion::new(by).unwrap());
        let [p, q, r] = [(); 3].map(|()| wild(&mut rng));
        let answers = [
            sweep_capsule_triangle(&capsule, &motion, &Triangle::new(p, q, r).unwrap()),
            sweep_capsule_sphere(&capsule, &motion, &Sphere::new(p, radius).unwrap()),
            sweep_capsule_capsule(&capsule, &motion, &Capsule::new(p, q, radius).unwrap()),
        ];
        for answer in answers.into_iter().flatten() {
            assert!((0.0..=1.0).contains(&answer.t()) && answer.position().is_finite(), "{answer:?}");
        }
    }
}

/// The segment is far shorter than the radius, and its end hovers over the triangle by less than a part of the radius counts.
#[test]
fn a_short_segment_just_above_a_triangle_is_pushed_up() {
    let triangle = Triangle::new([-1e-3, -1e-3, 0.0], [1e-3, -1e-3, 0.0], [0.0, 1e-3, 0.0]).unwrap();
    for height in [1e-10, 2e-11, 1.5e-11, 1.456e-11, 1.455e-11, 1e-11, 5e-12, 1e-14, 1e-300, 0.0, -1e-12] {
        for up in [1.0, -1.0] {
            let ends = [height, height + 0.1].map(|z| [0.0, 0.0, up * z]);
            let capsule = Capsule::new(ends[0], ends[1], 1.0).unwrap();
            for capsule in [capsule, Capsule::new(ends[1], ends[0], 1.0).unwrap()] {
                let found = sweep_capsule_triangle(&capsule, &Motion::new([0.0; 3]).unwrap(), &triangle);
                let Some(Sweep::Touching { depth, normal, .. }) = found else {
                    panic!("{height:e}: {found:?}")
                };
                assert!(normal.z * up > 0.999, "{height:e}: {found:?}");
                assert!((depth - (1.0 - height)).abs() < 2f64.powi(-40), "{height:e}: {found:?}");
            }
        }
    }
}

/// A pole that dips below an edge is lifted over it; no face is as near.
#[test]
fn a_pole_across_an_edge_goes_out_over_it() {
    let pole = Capsule::new([-5.0, 1.0, -3.1], [5.0, 1.0, 6.9], 0.5).unwrap();
    let rest = Motion::new([0.0; 3]).unwrap();
    let corners = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| 2.0 * f64::from(bit)));
    let points = ConvexHull::from_points(corners).unwrap();
    let planes = ConvexHull::from_planes(points.planes().iter().copied()).unwrap();
    let answers = [
        sweep_capsule_aabb(&pole, &rest, &Aabb::new([0.0; 3], [2.0; 3]).unwrap()),
        sweep_capsule_obb(&pole, &rest, &Obb::new([1.0; 3], DMat3::IDENTITY, [1.0; 3]).unwrap()),
        sweep_capsule_convex(&pole, &rest, &points),
        sweep_capsule_convex(&pole, &rest, &planes),
    ];
    for found in answers {
        let Some(Sweep::Touching { depth, position, normal }) = found else { panic!("{found:?}") };
        assert!((depth - (0.5 + 0.1 / 2f64.sqrt())).abs() < 1e-12, "{found:?}");
        assert!(position.distance(DVec3::new(0.0, 1.0, 2.0)) < 1e-12, "{found:?}");
        assert!(normal.distance(DVec3::new(-1.0, 0.0, 1.0) / 2f64.sqrt()) < 1e-12, "{found:?}");
    }
}

/// The ends are on both sides of the plane, by less than their heights over it are rounded by.
#[test]
fn a_plane_through_a_segment_shorter_than_rounding_has_no_negative_depth() {
    let mut rng = Rng::new(rng::seed(885));
    let mut touched = 0;
    for _ in 0..2_000 {
        let plane = Plane::new(rng.direction(), rng.in_cube(1.0)).unwrap();
        let foot = DVec3::from(rng.in_cube(1.0));
        let foot = foot - plane.normal() * plane.signed_distance(foot);
        let [a, b] = [(); 2].map(|()| foot + DVec3::from(rng.in_cube(1e-16)));
        let capsule = Capsule::new(a, b, 1e-20).unwrap();
        let found = sweep_capsule_plane(&capsule, &Motion::new([0.0; 3]).unwrap(), &plane);
        if let Some(Sweep::Touching { depth, .. }) = found {
            assert!(depth >= 0.0, "{capsule:?} {plane:?}: {found:?}");
            touched += 1;
        }
    }
    assert!(touched > 300, "{touched}");
}

/// Over the edge of a box of any size, also where squares of its sides are nothing.
#[test]
fn a_tiny_pole_across_an_edge_goes_out_over_it() {
    let rest = Motion::new([0.0; 3]).unwrap();
    let parted = |size: f64| {
        let pole = Capsule::new([1.2 * size, 0.6 * size, 0.0], [0.6 * size, 1.2 * size, 0.0], 0.1 * size);
        let cube = Aabb::new([-size; 3], [size; 3]).unwrap();
        match sweep_capsule_aabb(&pole.unwrap(), &rest, &cube) {
            Some(Sweep::Touching { depth, normal, .. }) => (depth / size, normal),
            found => panic!("{size:e}: {found:?}"),
        }
    };
    for exponent in [0, 90, -300, -530, -550, -700, -900] {
        let (depth, normal) = parted(2f64.powi(exponent));
        assert!((depth - 0.241_421_356_237).abs() < 1e-9, "2^{exponent}: {depth}");
        assert!((normal.x - normal.y).abs() < 1e-9, "2^{exponent}: {normal}");
    }
}
