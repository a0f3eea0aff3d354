//! What was accepted cannot fail: shapes and rays of numbers that nobody would choose, through every query. No panic, no
//! number in an answer that is none, and where the documentation promises an exact verdict, the exact one.

use hitscan::glam::{DMat3, DMat4, DVec3};
use hitscan::grid::Grid;
use hitscan::intersect::{
    CollisionMatrices, CollisionMatrix, HitColumns, Inclusion, MatrixColumns, Path, Precision, Segment, Span,
    TriangleColumns, TriangleHit, TriangleSums, WatertightRay, line_plane, line_triangle, ray_aabb,
    ray_aabb_woo, ray_convex, ray_obb, ray_plane, ray_sphere, ray_triangle,
    ray_triangle_moeller_trumbore_one_sided, ray_triangle_through_plane, ray_triangle_through_plane_trace,
    ray_triangles_collision_matrix, ray_triangles_moeller_trumbore, ray_triangles_moeller_trumbore_one_sided,
    ray_triangles_through_plane, sphere_triangle, sphere_triangle_three_stages,
};
use hitscan::shape::{Aabb, ConvexHull, Obb, Plane, Sphere, Triangle};
use hitscan::{DepthRange, Filter, Mesh, Ray, Transform, Viewport};
use hitscan_oracle::Rng;
use hitscan_oracle::rng::seed;
use hitscan_oracle::solids::{
    covers, is_on_triangle, line_aabb, line_obb, line_planes, line_points, line_sphere, point_obb,
    point_points, point_sphere,
};

type Point = [f64; 3];

/// Numbers that were used before come again, so that points coincide and lines run along axes.
struct Hostile {
    rng: Rng,
    used: Vec<f64>,
    /// The largest size, as a power of two.
    most: i32,
}

impl Hostile {
    fn new(default: u64, most: i32) -> Hostile {
        Hostile { rng: Rng::new(seed(default)), used: vec![0.0], most }
    }

    /// Begins a case: half of them have numbers of about one size, the others numbers of all sizes.
    fn begin(&mut self) {
        let size = self.rng.power_of_two(-1070, self.most - 1);
        let some = [0, 1, 2, 3].map(|_| size * self.rng.range(-1.0, 1.0));
        self.used = vec![0.0, -0.0, size, -size, size.next_up(), size.next_down()];
        self.used.extend(some);
    }

    fn number(&mut self) -> f64 {
        let rng = &mut self.rng;
        let number = match rng.below(24) {
            0 => rng.pick(&[f64::from_bits(1), -f64::from_bits(2), f64::MIN_POSITIVE, 1e-160, -1e-200]),
            1 => rng.power_of_two(-1074, self.most) * rng.pick(&[1.0, -1.0]),
            2 => rng.power_of_two(-1074, self.most - 1) * rng.range(-2.0, 2.0),
            3 => rng.int(-4, 4) as f64,
            4 => rng.pick(&self.used).next_up(),
            5 => rng.pick(&self.used) / 2.0,
            _ => rng.pick(&self.used),
        };
        let largest = f64::powi(2.0, self.most);
        let number = number.clamp(-largest, largest);
        self.used.push(number);
        number
    }

    fn point(&mut self) -> Point {
        [(); 3].map(|()| self.number())
    }

    /// A direction; its largest component is moved into what rays take.
    fn direction(&mut self) -> Point {
        loop {
            let dir = self.point();
            let largest = dir.iter().fold(0.0f64, |m, c| m.max(c.abs()));
            if largest == 0.0 {
                continue;
            }
            let least = f64::powi(2.0, -200);
            let dir = if largest < least {
                dir.map(|c| if c.abs() == largest { 1.0f64.copysign(c) } else { c })
            } else {
                dir
            };
            if Ray::new([0.0; 3], dir).is_ok() {
                return dir;
            }
        }
    }

    fn ray(&mut self) -> Ray {
        let (origin, dir) = (self.point(), self.direction());
        let ray = Ray::new(origin, dir).unwrap_or_else(|error| panic!("{origin:?} {dir:?}: {error}"));
        let ends = [f64::NEG_INFINITY, f64::INFINITY, f64::MAX, 0.0, -0.0, 1.0, self.number(), self.number()];
        let (low, high) = (self.rng.pick(&ends), self.rng.pick(&ends));
        ray.with_range(low.min(high), low.max(high)).expect("the ends are in order")
    }
}

fn whole_line(ray: &Ray) -> Ray {
    ray.with_range(f64::NEG_INFINITY, f64::INFINITY).expect("a line without ends")
}

/// A hit within a path. Weights of products below the normal numbers may mean little, but they are numbers.
fn check_hit(hit: Option<TriangleHit>, [low, high]: [f64; 2], what: &str) {
    let Some(TriangleHit { t, u, v, .. }) = hit else { return };
    assert!(t.is_finite() && (low..=high).contains(&t), "{what}: {hit:?}");
    assert!(u.is_finite() && v.is_finite(), "{what}: {hit:?}");
    assert!([t, u, v].into_iter().all(|x| x.to_bits() != (-0.0f64).to_bits()), "{what}: {hit:?}");
}

/// The same of an algorithm that compares each weight with the determinant, so that no underflow takes one out of range.
fn check_weights(hit: Option<TriangleHit>, interval: [f64; 2], what: &str) {
    check_hit(hit, interval, what);
    if let Some(TriangleHit { u, v, .. }) = hit {
        assert!((0.0..=1.0).contains(&u) && (0.0..=1.0).contains(&v), "{what}: {hit:?}");
        assert!(u + v <= 1.0 + f64::EPSILON, "{what}: {hit:?}");
    }
}

fn check_sums(sums: &TriangleSums, what: &str) {
    assert!(!sums.det.is_nan() && sums.weights.iter().all(|w| !w.is_nan()), "{what}: {sums:?}");
    assert!(sums.det == 0.0 || !sums.t.is_nan(), "{what}: {sums:?}");
}

fn check_lanes<T: Precision, const N: usize>(hits: &HitColumns<T, N>, interval: [f64; 2], what: &str) {
    for (_, hit) in hits.iter() {
        check_hit(Some(hit), interval, what);
    }
}

fn check_many<T: Precision>(ray: &Ray, triangles: &[Triangle], matrices: &[CollisionMatrix], what: &str) {
    // Lanes compare with the ends as they round them.
    let interval = [ray.t_min(), ray.t_max()].map(|end| T::nearest(end).widen());
    let blocks = TriangleColumns::<T, 8>::blocks(triangles);
    ray_triangles_moeller_trumbore(ray, &blocks, |_, hits| check_lanes(hits, interval, what));
    ray_triangles_moeller_trumbore_one_sided(ray, &blocks, |_, hits| check_lanes(hits, interval, what));
    for inclusion in Inclusion::ALL {
        ray_triangles_through_plane(ray, &blocks, inclusion, |_, hits| check_lanes(hits, interval, what));
    }
    let blocks: Vec<MatrixColumns<T, 8>> = matrices.chunks(8).map(MatrixColumns::new).collect();
    ray_triangles_collision_matrix(ray, &blocks, |_, hits| check_lanes(hits, interval, what));
}

fn check_matrix(matrix: &CollisionMatrix, path: &impl Path, interval: [f64; 2], what: &str) {
    check_weights(matrix.hit(path), interval, what);
    let trace = matrix.trace(path);
    assert!(trace.heights.iter().all(|height| !height.is_nan()), "{what}: {trace:?}");
    check_sums(&trace.sums, what);
}

#[test]
fn triangles_of_any_numbers() {
    let mut hostile = Hostile::new(201, 100);
    let mut hits = 0;
    for _ in 0..20_000 {
        hostile.begin();
        let corners = [hostile.point(), hostile.point(), hostile.point()];
        let [a, b, c] = corners;
        let triangle = Triangle::new(a, b, c).expect("in range");
        let (ray, point) = (hostile.ray(), hostile.point());
        let what = &format!("{corners:?} {ray:?} {point:?}");
        let interval = [ray.t_min(), ray.t_max()];
        hits += usize::from(ray_triangle(&ray, &triangle).is_some());
        check_weights(ray_triangle(&ray, &triangle), interval, what);
        check_weights(ray_triangle_moeller_trumbore_one_sided(&ray, &triangle), interval, what);
        check_weights(line_triangle(&ray, &triangle), [f64::NEG_INFINITY, f64::INFINITY], what);
        check_sums(&TriangleSums::moeller_trumbore(&ray, &triangle), what);
        for inclusion in Inclusion::ALL {
            check_hit(ray_triangle_through_plane(&ray, &triangle, inclusion), interval, what);
            let trace = ray_triangle_through_plane_trace(&ray, &triangle, inclusion);
            check_sums(&trace.sums, what);
            assert!(trace.angles.iter().chain(&trace.edge_values).all(|x| !x.is_nan()), "{what}: {trace:?}");
        }
        let mut matrices = Vec::new();
        if let Ok(matrix) = CollisionMatrix::new(&triangle) {
            check_matrix(&matrix, &ray, interval, what);
            if let Ok(segment) = Segment::new(ray.origin(), point) {
                check_matrix(&matrix, &segment, [0.0, 1.0], what);
            }
            let rows = matrix.transform().matrix3.transpose();
            if rows.x_axis.abs().max(rows.y_axis.abs()).max_element() < 2f64.powi(500) {
                assert!(rows.is_finite(), "{what}: {rows}");
            }
            matrices.push(matrix);
        }
        check_many::<f64>(&ray, &[triangle], &matrices, what);
        check_many::<f32>(&ray, &[triangle], &matrices, what);
        // What follows from the corners.
        for normal in [triangle.normal(), triangle.normal_facing(point)].into_iter().flatten() {
            assert!((normal.length() - 1.0).abs() < 1e-14, "{what}: {normal}");
        }
        assert!(triangle.area() >= 0.0 && triangle.area().is_finite(), "{what}");
        if let Ok(plane) = triangle.plane() {
            assert!((plane.normal().length() - 1.0).abs() < 1e-14 && plane.offset().is_finite(), "{what}");
        }
        assert!(triangle.closest_point(point).is_finite(), "{what}");
        assert_eq!(triangle.covers(point), covers(point, corners), "{what}");
        assert_eq!(triangle.contains(point), is_on_triangle(point, corners), "{what}");
        let radius = hostile.number().abs();
        if let Ok(sphere) = Sphere::new(point, radius) {
            let (contact, stage) =
                (sphere_triangle(&sphere, &triangle), sphere_triangle_three_stages(&sphere, &triangle));
            assert_eq!(contact.is_some(), stage.is_some(), "{what} {radius:e}");
            if let Some(contact) = contact {
                assert!(
                    contact.point.is_finite() && (0.0..=radius).contains(&contact.depth),
                    "{what}: {contact:?}"
                );
                assert!((contact.normal.length() - 1.0).abs() < 1e-14, "{what}: {contact:?}");
            }
        }
    }
    assert!(hits > 300, "{hits}");
}

#[test]
fn matrices_that_are_moved_by_any_numbers() {
    let mut hostile = Hostile::new(202, 100);
    let (mut moves, mut refusals) = (0, 0);
    for _ in 0..20_000 {
        hostile.begin();
        let triangles: Vec<Triangle> = (0..3)
            .map(|_| Triangle::new(hostile.point(), hostile.point(), hostile.point()).expect("in range"))
            .collect();
        let columns = [hostile.point(), hostile.point(), hostile.point()];
        let matrix =
            if hostile.rng.one_in(2) { DMat3::from_cols_array_2d(&columns) } else { DMat3::IDENTITY };
        let offset = hostile.point();
        let Ok(by) = Transform::new(matrix, offset) else { continue };
        let matrices = CollisionMatrices::<8>::new(&triangles);
        let Ok(model) = matrices else { continue };
        let ray = hostile.ray();
        let what = &format!("{triangles:?} {by:?} {ray:?}");
        for moved in [model.moved(&by), model.moved_rigid(&by)] {
            let Ok(moved) = moved else {
                refusals += 1;
                continue;
            };
            moves += 1;
            let all = moved.all_hits(&ray, |_, _, _| true);
            assert_eq!(moved.closest(&ray, |_, _, _| true), all.first().copied(), "{what}");
            for (_, hit) in all {
                check_hit(Some(hit), [ray.t_min(), ray.t_max()], what);
            }
        }
    }
    assert!(moves > 1000 && refusals > 1000, "{moves} moved, {refusals} refused");
}

fn check_span(span: Option<Span>, expected: bool, ray: &Ray, what: &str) {
    assert_eq!(span.is_some(), expected, "{what}");
    let Some(span) = span else { return };
    assert!(span.enter <= span.exit, "{what}: {span:?}");
    assert!(span.length() >= 0.0 && !span.first(ray).is_nan(), "{what}: {span:?}");
    assert!(span.crossings(ray).all(|t| (ray.t_min()..=ray.t_max()).contains(&t)), "{what}: {span:?}");
}

#[test]
fn boxes_and_spheres_of_any_numbers() {
    let mut hostile = Hostile::new(203, 100);
    let mut hits = [0; 3];
    for _ in 0..6_000 {
        hostile.begin();
        let (p, q, point) = (hostile.point(), hostile.point(), hostile.point());
        let ray = hostile.ray();
        let line = whole_line(&ray);
        let (o, d) = (ray.origin().to_array(), ray.dir().to_array());
        let what = &format!("{p:?} {q:?} {point:?} {ray:?}");
        let (low, high) = (std::array::from_fn(|i| p[i].min(q[i])), std::array::from_fn(|i| p[i].max(q[i])));
        if let Ok(bounds) = Aabb::new(low, high) {
            let exact = line_aabb(o, d, low, high).is_some();
            let found = ray_aabb(&line, &bounds);
            assert_eq!(found, ray_aabb_woo(&line, &bounds), "{what}");
            check_span(found.map(|through| through.span), exact, &line, what);
            assert_eq!(ray_aabb(&ray, &bounds), ray_aabb_woo(&ray, &bounds), "{what}");
            assert!(bounds.contains(bounds.centre()), "{what}");
            hits[0] += usize::from(exact);
        }
        let turn = hostile.rng.pick(&[
            DMat3::IDENTITY,
            DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z),
            DMat3::from_cols(DVec3::new(0.6, 0.8, 0.0), DVec3::new(-0.8, 0.6, 0.0), DVec3::Z),
            DMat3::from_cols(DVec3::new(0.6, 0.8, 1e-200), DVec3::new(-0.8, 0.6, -1e-300), DVec3::Z),
        ]);
        if let Ok(bounds) = Obb::new(p, turn, q.map(f64::abs)) {
            let (axes, half) = (turn.to_cols_array_2d(), q.map(f64::abs));
            let exact = line_obb(o, d, p, axes, half).is_some();
            check_span(ray_obb(&line, &bounds).map(|through| through.span), exact, &line, what);
            assert_eq!(bounds.contains(point), point_obb(point, p, axes, half).is_le(), "{what}");
            assert!(bounds.local(point).is_finite(), "{what}");
            let _ = ray_obb(&ray, &bounds);
            hits[1] += usize::from(exact);
        }
        let radius = hostile.number().abs();
        if let Ok(ball) = Sphere::new(p, radius) {
            let exact = line_sphere(o, d, p, radius);
            let found = ray_sphere(&line, &ball);
            check_span(found.map(|chord| chord.span), exact.is_some(), &line, what);
            if let (Some(chord), Some(exact)) = (found, exact) {
                assert_eq!(chord.solutions() == 1, exact.is_tangent(), "{what} {radius:e}");
                assert!(chord.length.is_finite() && chord.length >= 0.0, "{what} {radius:e}: {chord:?}");
                hits[2] += 1;
            }
            assert_eq!(ball.contains(point), point_sphere(point, p, radius).is_le(), "{what} {radius:e}");
            let _ = ray_sphere(&ray, &ball);
        }
    }
    assert!(hits.iter().all(|&hits| hits > 300), "{hits:?}");
}

#[test]
fn planes_and_hulls_of_any_numbers() {
    let mut hostile = Hostile::new(204, 100);
    let (mut of_points, mut of_planes) = (0, 0);
    for _ in 0..700 {
        hostile.begin();
        let points: Vec<Point> = (0..4 + hostile.rng.below(4)).map(|_| hostile.point()).collect();
        let (ray, point) = (hostile.ray(), hostile.point());
        let line = whole_line(&ray);
        let (o, d) = (ray.origin().to_array(), ray.dir().to_array());
        let what = &format!("{points:?} {ray:?} {point:?}");
        if let Ok(hull) = ConvexHull::from_points(points.iter().copied()) {
            let exact = line_points(o, d, &points).is_some();
            check_span(ray_convex(&line, &hull).map(|through| through.span), exact, &line, what);
            assert_eq!(hull.contains(point), point_points(point, &points).is_le(), "{what}");
            assert!(points.iter().all(|&p| hull.contains(p)), "{what}");
            of_points += 1;
        }
        let mut planes = Vec::new();
        for axis in 0..3 {
            for sign in [-1.0, 1.0] {
                let mut normal = hostile.direction().map(|c| if hostile.rng.one_in(2) { 0.0 } else { c });
                normal[axis] = sign;
                planes.extend(Plane::new(normal, hostile.point()));
            }
        }
        for plane in &planes {
            for t in [line_plane(&ray, plane), ray_plane(&ray, plane)].into_iter().flatten() {
                assert!(t.is_finite(), "{what} {plane:?}: {t}");
            }
            assert!(plane.signed_distance(point).is_finite(), "{what} {plane:?}");
        }
        if let Ok(hull) = ConvexHull::from_planes(planes.iter().copied()) {
            let equations: Vec<(Point, f64)> =
                hull.planes().iter().map(|p| (p.normal().to_array(), p.offset())).collect();
            let exact = line_planes(o, d, &equations).is_some();
            check_span(ray_convex(&line, &hull).map(|through| through.span), exact, &line, what);
            let _ = (hull.contains(point), ray_convex(&ray, &hull));
            of_planes += 1;
        }
    }
    assert!(of_points > 150 && of_planes > 10, "{of_points} hulls of points, {of_planes} of planes");
}

#[test]
fn meshes_and_grids_of_any_numbers() {
    let mut hostile = Hostile::new(205, 100);
    let mut hits = 0;
    for _ in 0..1_500 {
        hostile.begin();
        let vertices: Vec<[f32; 3]> = (0..6).map(|_| hostile.point().map(|c| c as f32)).collect();
        let rows: Vec<[u32; 3]> = (0..8).map(|_| [(); 3].map(|()| hostile.rng.below(6) as u32)).collect();
        let mesh = Mesh::new(vertices.clone(), rows.clone()).expect("in range");
        let grid = Grid::new(&mesh);
        let what = &format!("{vertices:?} {rows:?}");
        for _ in 0..6 {
            let (mut ray, point) = (hostile.ray(), hostile.point());
            if hostile.rng.one_in(2) {
                let target = vertices[hostile.rng.below(6)].map(f64::from);
                ray = Ray::between(ray.origin(), target).unwrap_or(ray);
            }
            let (closest, all) = (mesh.closest(&ray, &Filter::ALL), mesh.all_hits(&ray, &Filter::ALL));
            assert_eq!(closest.as_ref(), all.first(), "{what} {ray:?}");
            assert_eq!(grid.closest(&ray, &Filter::ALL), closest, "{what} {ray:?}");
            assert_eq!(grid.occluded(&ray, &Filter::ALL), closest.is_some(), "{what} {ray:?}");
            assert_eq!(grid.contains(point), mesh.contains(point), "{what} {point:?}");
            for hit in all {
                let numbers = [hit.t, hit.u, hit.v, hit.distance];
                assert!(numbers.iter().all(|x| x.is_finite()), "{what} {ray:?}: {hit:?}");
                assert!(
                    hit.position.is_finite() && (hit.normal.length() - 1.0).abs() < 1e-6,
                    "{what} {ray:?}: {hit:?}"
                );
                hits += 1;
            }
            let reach = vertices.iter().flatten().fold(0.0f32, |m, c| m.max(c.abs()));
            let trace =
                WatertightRay::new(&ray, f64::from(reach)).trace([vertices[0], vertices[1], vertices[2]]);
            assert!(trace.edge_values.iter().all(|x| !x.is_nan()), "{what} {ray:?}: {trace:?}");
            if let Ok(ball) = Sphere::new(point, hostile.number().abs()) {
                let _ = mesh.overlap_sphere(&ball);
            }
        }
    }
    assert!(hits > 300, "{hits}");
}

#[test]
fn cursors_of_any_numbers() {
    let mut hostile = Hostile::new(206, 100);
    let mut rays = 0;
    for round in 0..20_000 {
        hostile.begin();
        let mut matrix = |diagonal: bool| {
            let mut entries = [(); 16].map(|()| if diagonal { 0.0 } else { hostile.number() });
            for i in 0..4 {
                entries[5 * i] = hostile.number();
            }
            if diagonal {
                entries[15] = 1.0;
            }
            DMat4::from_cols_array(&entries)
        };
        let (view, projection) = (matrix(round % 2 == 0), matrix(round % 3 == 0));
        let [x, y, width, height] = [(); 4].map(|()| hostile.number());
        let depth = [DepthRange::ZeroToOne, DepthRange::MinusOneToOne, DepthRange::OneToZero][round % 3];
        let Ok(window) = Viewport::new([x, y], [width.abs(), height.abs()], depth) else { continue };
        let Ok(ray) = window.ray([hostile.number(), hostile.number()], &view, &projection) else { continue };
        assert!(ray.origin().is_finite() && (ray.dir().length() - 1.0).abs() < 1e-14, "{ray:?}");
        assert!(ray.t_min() == 0.0 && ray.t_max() >= 0.0, "{ray:?}");
        rays += 1;
    }
    assert!(rays > 100, "{rays}");
}
