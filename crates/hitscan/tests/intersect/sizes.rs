//! Numbers of every size together, from the smallest to 2^99: nothing but exact arithmetic can compare them.

use hitscan::Ray;
use hitscan::glam::{DMat3, DQuat, DVec3};
use hitscan::grid::Grid;
use hitscan::intersect::{ThroughBox, ray_aabb, ray_aabb_woo, ray_convex, ray_obb, ray_sphere};
use hitscan::shape::{Aabb, ConvexHull, Obb, Sphere, Triangle};
use hitscan::{Containment, Mesh};
use hitscan_oracle::rng::seed;
use hitscan_oracle::solids::{
    Passage, covers, is_on_triangle, line_aabb, line_obb, line_points, line_sphere, point_mesh, point_obb,
    point_points, point_sphere,
};
use hitscan_oracle::{Rng, TriMesh};

use crate::cases::{Line, number, point};

/// A line anywhere, or from or through one of these points.
fn line(rng: &mut Rng, points: &[[f64; 3]]) -> Option<Line> {
    let origin = if rng.one_in(2) { point(rng) } else { rng.pick(points) };
    let target = rng.pick(points);
    let towards = std::array::from_fn(|i| target[i] - origin[i]);
    let dir = if rng.one_in(2) { point(rng) } else { towards };
    Ray::new(origin, dir).is_ok().then_some(Line { origin, dir })
}

/// The ends, to `2^-bits` of themselves as far as normal numbers go.
fn assert_ends(enter: f64, exit: f64, exact: &Passage, bits: u32, what: &str) {
    for (t, exact) in [(enter, &exact.enter), (exit, &exact.exit)] {
        assert!(t.is_finite(), "{what}: {t}");
        assert!(t.abs() < 1e-290 || exact.is_near(t, bits), "{what}: {t:e} is not {exact:?}");
    }
    assert!(enter <= exit, "{what}");
}

/// Compares a passage through a box with the exact one; says whether there is one.
fn assert_through(found: Option<ThroughBox>, exact: Option<Passage>, bits: u32, what: &str) -> bool {
    assert_eq!(found.is_some(), exact.is_some(), "{what}");
    let (Some(found), Some(exact)) = (found, exact) else { return false };
    assert_ends(found.span.enter, found.span.exit, &exact, bits, what);
    assert_eq!(found.entry_face as usize, exact.entry_faces[0], "{what}");
    assert_eq!(found.exit_face as usize, exact.exit_faces[0], "{what}");
    true
}

#[test]
fn boxes() {
    let mut rng = Rng::new(seed(111));
    let mut counts = [0; 2];
    for _ in 0..20_000 {
        let (a, b) = (DVec3::from(point(&mut rng)), DVec3::from(point(&mut rng)));
        let (low, high) = (a.min(b).to_array(), a.max(b).to_array());
        let Ok(bounds) = Aabb::new(low, high) else { continue };
        let Some(line) = line(&mut rng, &[low, high, [low[0], high[1], low[2]]]) else { continue };
        let what = format!("{line:?} {bounds:?}");
        let (found, exact) = (ray_aabb(&line.ray(), &bounds), line_aabb(line.origin, line.dir, low, high));
        assert_eq!(found, ray_aabb_woo(&line.ray(), &bounds), "{what}");
        counts[usize::from(assert_through(found, exact, 51, &what))] += 1;
    }
    assert!(counts.iter().all(|&n| n > 500), "misses and hits: {counts:?}");
}

#[test]
fn oriented_boxes() {
    let mut rng = Rng::new(seed(112));
    let mut counts = [0; 2];
    for _ in 0..6_000 {
        let axis = DVec3::from(rng.direction()).normalize();
        let turned = DMat3::from_quat(DQuat::from_axis_angle(axis, rng.range(-3.0, 3.0)));
        let axes = if rng.one_in(2) { DMat3::IDENTITY } else { turned };
        let (centre, half) = (point(&mut rng), point(&mut rng).map(f64::abs));
        let Ok(bounds) = Obb::new(centre, axes, half) else { continue };
        let corner = (DVec3::from(centre) + axes * DVec3::from(half)).to_array();
        let columns = axes.to_cols_array_2d();
        for p in [point(&mut rng), corner, centre] {
            let exact = point_obb(p, centre, columns, half);
            assert_eq!(bounds.contains(p), exact.is_le(), "{bounds:?} {p:?}");
        }
        let Some(line) = line(&mut rng, &[centre, corner]) else { continue };
        let what = format!("{line:?} {bounds:?}");
        let found = ray_obb(&line.ray(), &bounds);
        let exact = line_obb(line.origin, line.dir, centre, columns, half);
        counts[usize::from(assert_through(found, exact, 44, &what))] += 1;
    }
    assert!(counts[0] > 100 && counts[1] > 300, "misses and hits: {counts:?}");
}

#[test]
fn spheres() {
    let mut rng = Rng::new(seed(113));
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..6_000 {
        let (centre, radius) = (point(&mut rng), number(&mut rng).abs());
        let Ok(sphere) = Sphere::new(centre, radius) else { continue };
        let surface = [centre[0] + radius, centre[1], centre[2]];
        for p in [point(&mut rng), surface, centre] {
            assert_eq!(sphere.contains(p), point_sphere(p, centre, radius).is_le(), "{sphere:?} {p:?}");
        }
        let Some(line) = line(&mut rng, &[centre, surface]) else { continue };
        let what = format!("{line:?} {sphere:?}");
        let found = ray_sphere(&line.ray(), &sphere);
        let exact = line_sphere(line.origin, line.dir, centre, radius);
        assert_eq!(found.is_some(), exact.is_some(), "{what}");
        let (Some(chord), Some(exact)) = (found, exact) else {
            misses += 1;
            continue;
        };
        hits += 1;
        let (enter, exit) = (chord.span.enter, chord.span.exit);
        assert_eq!(chord.solutions() == 1, exact.is_tangent(), "{what}");
        assert!(enter.abs() < 1e-290 || exact.enters_near(enter, 42), "{what}: {chord:?}");
        assert!(exit.abs() < 1e-290 || exact.leaves_near(exit, 42), "{what}: {chord:?}");
        assert!(chord.length < 1e-290 || exact.is_length_near(chord.length, 42), "{what}: {chord:?}");
    }
    assert!(hits > 300 && misses > 300, "{hits} hits, {misses} misses");
}

#[test]
fn hulls_of_points() {
    let mut rng = Rng::new(seed(114));
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..1_500 {
        let count = 4 + rng.below(3);
        let points: Vec<[f64; 3]> = (0..count).map(|_| point(&mut rng)).collect();
        let Ok(hull) = ConvexHull::from_points(points.iter().copied()) else { continue };
        for &p in points.iter().chain([&point(&mut rng)]) {
            assert_eq!(hull.contains(p), point_points(p, &points).is_le(), "{points:?} {p:?}");
        }
        let Some(line) = line(&mut rng, &points) else { continue };
        let what = format!("{line:?} {points:?}");
        let (found, exact) = (ray_convex(&line.ray(), &hull), line_points(line.origin, line.dir, &points));
        assert_eq!(found.is_some(), exact.is_some(), "{what}");
        match (found, exact) {
            (Some(found), Some(exact)) => {
                hits += 1;
                assert_ends(found.span.enter, found.span.exit, &exact, 44, &what);
            }
            _ => misses += 1,
        }
    }
    assert!(hits > 50 && misses > 50, "{hits} hits, {misses} misses");
}

#[test]
fn points_over_triangles() {
    let mut rng = Rng::new(seed(115));
    let mut over = 0;
    for _ in 0..6_000 {
        let corners = [(); 3].map(|()| point(&mut rng));
        let [a, b, c] = corners;
        let triangle = Triangle::new(a, b, c).expect("sound corners");
        let middle = std::array::from_fn(|i| 0.5 * a[i] + 0.25 * b[i] + 0.25 * c[i]);
        for p in [point(&mut rng), middle, a, [a[0], b[1], c[2]]] {
            let exact = (is_on_triangle(p, corners), covers(p, corners));
            assert_eq!((triangle.contains(p), triangle.covers(p)), exact, "{triangle:?} {p:?}");
            over += usize::from(exact.1);
        }
    }
    assert!(over > 5_000, "{over}");
}

#[test]
fn points_in_tetrahedra() {
    let mut rng = Rng::new(seed(116));
    let mut counts = [0; 3];
    for _ in 0..3_000 {
        let vertices = vec![(); 4].into_iter().map(|()| point(&mut rng).map(|c| c as f32)).collect();
        let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let solid = TriMesh::new("tetrahedron", vertices, faces);
        let mesh = Mesh::new(solid.vertices.clone(), solid.triangles.clone()).expect("in range");
        let grid = Grid::new(&mesh);
        let corner = |i: usize| solid.vertices[i].map(f64::from);
        let [a, b, c, d] = [corner(0), corner(1), corner(2), corner(3)];
        let middle = std::array::from_fn(|i| 0.25 * a[i] + 0.25 * b[i] + 0.25 * c[i] + 0.25 * d[i]);
        let beside = middle.map(|c| if rng.one_in(2) { c.next_up() } else { c });
        let on_face = std::array::from_fn(|i| 0.5 * a[i] + 0.25 * b[i] + 0.25 * c[i]);
        for p in [point(&mut rng), middle, beside, on_face, a, [a[0], b[1], c[2]]] {
            let expected = match point_mesh(p, &solid, &mut rng) {
                std::cmp::Ordering::Less => Containment::Inside,
                std::cmp::Ordering::Equal => Containment::Surface,
                std::cmp::Ordering::Greater => Containment::Outside,
            };
            assert_eq!(mesh.containment(p), expected, "{:?} {p:?}", solid.vertices);
            assert_eq!(grid.contains(p), expected != Containment::Outside, "{:?} {p:?}", solid.vertices);
            counts[expected as usize] += 1;
        }
    }
    assert!(counts.iter().all(|&n| n > 100), "outside, on, inside: {counts:?}");
}
