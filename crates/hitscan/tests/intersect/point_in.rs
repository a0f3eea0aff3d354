//! Points in shapes, against exact arithmetic; and in concave solids, against a line in any other direction.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use hitscan::glam::{DMat3, DQuat, DVec3};
use hitscan::shape::{Aabb, ConvexHull, Obb, Plane, Sphere, Triangle};
use hitscan::{Camera, Containment, Filter, Isa, Mesh, Ray};
use hitscan_oracle::dyadic::{Weighed, dot as exact_dot, given};
use hitscan_oracle::meshes::{all_solids, grid_soup, integer_box, sheet, terrain};
use hitscan_oracle::rng::seed;
use hitscan_oracle::solids::{covers, is_on_triangle, point_mesh, point_obb, point_points, point_sphere};
use hitscan_oracle::{Rng, TriMesh};

use crate::cases::SCALES;

#[test]
fn in_spheres() {
    let mut rng = Rng::new(seed(91));
    for i in 0..10_000 {
        let scale = SCALES[i % SCALES.len()];
        let (centre, radius) = (rng.in_cube(scale), scale * rng.range(0.1, 2.0));
        // On the surface as rounding leaves it, or anywhere.
        let reach = if rng.one_in(3) { rng.range(0.0, 2.0) } else { 1.0 };
        let dir = rng.direction();
        let p: [f64; 3] = std::array::from_fn(|k| centre[k] + reach * radius * dir[k]);
        let ball = Sphere::new(centre, radius).expect("a sound sphere");
        assert_eq!(ball.contains(p), point_sphere(p, centre, radius).is_le(), "{ball:?} {p:?}");
    }
    let ball = Sphere::new([1.0, 1.0, 1.0], 7.0).expect("a sound sphere");
    assert!(ball.contains([3.0, 4.0, 7.0]) && !ball.contains([3.0, 4.0, 7.0f64.next_up()]));
}

#[test]
fn in_oriented_boxes() {
    let mut rng = Rng::new(seed(92));
    let mut inside = 0;
    for i in 0..10_000 {
        let scale = SCALES[i % SCALES.len()];
        let quat = DQuat::from_axis_angle(DVec3::from(rng.direction()).normalize(), rng.range(-3.0, 3.0));
        let axes = if rng.one_in(4) { DMat3::IDENTITY } else { DMat3::from_quat(quat) };
        let (centre, half) = (rng.in_cube(scale), [0.5, 1.0, 0.1].map(|h| h * scale));
        let local: [f64; 3] = std::array::from_fn(|k| half[k] * rng.pick(&[-1.0, 0.3, 1.0, rng_free(k)]));
        let p = (DVec3::from(centre) + axes * DVec3::from(local)).to_array();
        let bounds = Obb::new(centre, axes, half).expect("a sound box");
        let exact = point_obb(p, centre, axes.to_cols_array_2d(), half);
        assert_eq!(bounds.contains(p), exact.is_le(), "{bounds:?} {p:?}");
        inside += usize::from(exact.is_le());
    }
    assert!((1_000..9_000).contains(&inside), "{inside} of 10000 inside");
}

/// A little beyond the end.
fn rng_free(axis: usize) -> f64 {
    1.0 + 1e-12 * (axis as f64 + 1.0)
}

#[test]
fn in_boxes_with_their_faces() {
    let bounds = Aabb::new([0.0; 3], [1.0, 2.0, 3.0]).expect("a sound box");
    for p in [[0.0, 0.0, 0.0], [1.0, 2.0, 3.0], [-0.0, 1.0, 3.0], [0.5, 0.5, 0.5]] {
        assert!(bounds.contains(p), "{p:?}");
    }
    let mut rng = Rng::new(seed(100));
    let mut found = [0; 3];
    for i in 0..10_000 {
        let scale = SCALES[i % SCALES.len()];
        let corner = [0; 3].map(|_| scale * rng.int(-3, 2) as f64);
        let half = [0; 3].map(|_| scale * rng.pick(&[0.5, 1.0, 1e-9]));
        let (low, high) =
            (std::array::from_fn(|k| corner[k] - half[k]), std::array::from_fn(|k| corner[k] + half[k]));
        // Rounded away at the largest scale: flat.
        let Ok(bounds) = Aabb::new(low, high) else { continue };
        let p: [f64; 3] = std::array::from_fn(|k| match rng.below(6) {
            0 => low[k],
            1 => high[k],
            2 => rng.pick(&[low[k].next_down(), high[k].next_up(), low[k].next_up(), high[k].next_down()]),
            3 => scale * rng.int(-3, 3) as f64,
            _ => rng.range(low[k], high[k]),
        });
        // A box whose middle is no number of f64: doubled, it is one of whole steps.
        let middle = std::array::from_fn(|k| low[k] + high[k]);
        let size = std::array::from_fn(|k| high[k] - low[k]);
        let exact =
            (0..3).all(|k| middle[k] - size[k] == 2.0 * low[k] && middle[k] + size[k] == 2.0 * high[k]);
        if exact {
            let place = point_obb(p.map(|c| 2.0 * c), middle, DMat3::IDENTITY.to_cols_array_2d(), size);
            assert_eq!(bounds.contains(p), place.is_le(), "{bounds:?} {p:?}");
            found[(place as i8 + 1) as usize] += 1;
        }
    }
    assert!(found.iter().all(|&n| n > 100), "inside, on, outside: {found:?}");
    for p in [[-f64::MIN_POSITIVE, 1.0, 1.0], [1.0f64.next_up(), 1.0, 1.0], [0.5, 0.5, 9.0]] {
        assert!(!bounds.contains(p), "{p:?}");
    }
}

#[test]
fn on_whole_numbers_surfaces_belong_to_spheres_and_oriented_boxes() {
    let mut rng = Rng::new(seed(101));
    let quarters = [
        DMat3::IDENTITY,
        DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z),
        DMat3::from_cols(-DVec3::Z, DVec3::Y, DVec3::X),
        DMat3::from_cols(DVec3::Y, DVec3::X, DVec3::Z), // left-handed
    ];
    let (mut in_ball, mut in_box) = ([0; 3], [0; 3]);
    for _ in 0..20_000 {
        let whole = |rng: &mut Rng, reach: i64| -> [f64; 3] {
            std::array::from_fn(|_| rng.int(-reach, reach) as f64)
        };
        let (centre, p) = (whole(&mut rng, 4), whole(&mut rng, 8));
        let away: [i64; 3] = std::array::from_fn(|k| (p[k] - centre[k]) as i64);
        let radius = rng.int(1, 9);
        let order = away.iter().map(|c| c * c).sum::<i64>().cmp(&(radius * radius));
        let ball = Sphere::new(centre, radius as f64).expect("a sound sphere");
        assert_eq!(ball.contains(p), order.is_le(), "{ball:?} {p:?}");
        in_ball[(order as i8 + 1) as usize] += 1;
        let (turn, half) = (rng.pick(&quarters), [0; 3].map(|_| rng.int(1, 8) as f64));
        let order = point_obb(p, centre, turn.to_cols_array_2d(), half);
        let bounds = Obb::new(centre, turn, half).expect("a sound box");
        assert_eq!(bounds.contains(p), order.is_le(), "{bounds:?} {p:?}");
        in_box[(order as i8 + 1) as usize] += 1;
    }
    assert!(in_ball.iter().chain(&in_box).all(|&n| n > 50), "{in_ball:?} {in_box:?}");
}

#[test]
fn in_hulls_of_planes() {
    let mut rng = Rng::new(seed(102));
    let mut found = [0; 3];
    for i in 0..2_000 {
        let scale = SCALES[i % SCALES.len()];
        let mut planes: Vec<Plane> = Vec::new();
        for axis in 0..3 {
            for end in [-1.0, 1.0] {
                let normal = DVec3::AXES[axis] * end;
                planes.push(Plane::new(normal, normal * (scale * rng.int(1, 3) as f64)).expect("a normal"));
            }
        }
        for _ in 0..rng.below(4) {
            let normal = DVec3::from(rng.direction());
            planes.push(Plane::new(normal, normal * (scale * rng.range(0.5, 2.0))).expect("a normal"));
        }
        let hull = ConvexHull::from_planes(planes.iter().copied()).expect("it holds the origin");
        for _ in 0..4 {
            // On a plane as rounding leaves it, on a face exactly, or anywhere.
            let plane = rng.pick(&planes);
            let free = DVec3::from(rng.in_cube(2.0 * scale));
            let p = match rng.below(3) {
                0 => free,
                1 => free - plane.normal() * plane.signed_distance(free),
                _ => DVec3::from(free.to_array().map(|c| (c / scale).round() * scale)),
            };
            let heights = hull.planes().iter().map(|plane| {
                let n = given(plane.normal().to_array());
                (&exact_dot(&n, &given(p.to_array())) + &Weighed::leaf(plane.offset().into())).value.signum()
            });
            let highest = heights.max().expect("six planes at least");
            assert_eq!(hull.contains(p), highest <= 0, "{planes:?} {p:?}");
            found[(highest + 1) as usize] += 1;
        }
    }
    assert!(found.iter().all(|&n| n > 100), "inside, on, outside: {found:?}");
}

#[test]
fn in_hulls() {
    let mut rng = Rng::new(seed(93));
    let mut found = [0; 3];
    for i in 0..2_000 {
        let (grid, scale) = (rng.one_in(2), SCALES[i % SCALES.len()]);
        let count = 4 + rng.below(4);
        let point = |rng: &mut Rng| -> [f64; 3] {
            if grid {
                std::array::from_fn(|_| scale * rng.int(-2, 2) as f64)
            } else {
                rng.in_cube(2.0 * scale)
            }
        };
        let points: Vec<[f64; 3]> = (0..count).map(|_| point(&mut rng)).collect();
        let Ok(hull) = ConvexHull::from_points(points.iter().copied()) else { continue };
        for &p in &points {
            assert!(hull.contains(p), "{points:?}: {p:?} is one of them");
        }
        let (a, b) = (rng.pick(&points), rng.pick(&points));
        for p in [point(&mut rng), std::array::from_fn(|k| 0.5 * (a[k] + b[k]))] {
            let exact = point_points(p, &points);
            assert_eq!(hull.contains(p), exact.is_le(), "{points:?} {p:?}");
            found[(exact as i8 + 1) as usize] += 1;
        }
    }
    assert!(found.iter().all(|&n| n > 100), "inside, on, outside: {found:?}");
}

#[test]
fn in_triangles() {
    let mut rng = Rng::new(seed(94));
    let (mut on, mut over) = (0, 0);
    for i in 0..10_000 {
        let scale = SCALES[i % SCALES.len()];
        let grid = rng.one_in(2);
        let mut point = || -> [f64; 3] {
            if grid {
                std::array::from_fn(|k| rng.int(-2, 2) as f64 * if k == 2 { 1.0 } else { 2.0 })
            } else {
                rng.in_cube(scale)
            }
        };
        let [a, b, c, p] = [point(), point(), point(), point()];
        let p = if i % 3 == 0 { std::array::from_fn(|k| 0.5 * a[k] + 0.25 * b[k] + 0.25 * c[k]) } else { p };
        let triangle = Triangle::new(a, b, c).expect("sound corners");
        let exact = (is_on_triangle(p, [a, b, c]), covers(p, [a, b, c]));
        assert_eq!((triangle.contains(p), triangle.covers(p)), exact, "{triangle:?} {p:?}");
        on += usize::from(exact.0);
        over += usize::from(exact.1);
    }
    assert!(on > 500 && over > on + 500, "{on} on, {over} over");
    let line = Triangle::new([0.0; 3], [1.0; 3], [2.0; 3]).expect("sound corners");
    assert!(!line.contains([1.0; 3]) && !line.covers([1.0; 3]), "no area, nothing on it");
}

#[test]
fn numbers_that_are_none_lie_in_nothing() {
    let triangle = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]).expect("sound corners");
    let ball = Sphere::new([0.0; 3], 1.0).expect("a sound sphere");
    let upright = Obb::new([0.0; 3], DMat3::IDENTITY, [1.0; 3]).expect("a sound box");
    let bounds = Aabb::new([-1.0; 3], [1.0; 3]).expect("a sound box");
    let hull = ConvexHull::from_points([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
        .expect("a volume");
    let mesh = integer_box([0; 3], [2; 3], 2).mesh;
    let mesh = Mesh::new(mesh.vertices, mesh.triangles).expect("a sound mesh");
    // One to each side, so that each bad point but for those that are no number is in front of one of them.
    let frusta = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z].map(|along| {
        let camera = Camera::look_at([0.0; 3], along, [along.y, along.z, along.x], 90.0).expect("a camera");
        camera
            .view([480, 480])
            .and_then(|view| view.frustum([0.0; 2], [480.0; 2]))
            .expect("a sound rectangle")
    });
    let reach = 2f64.powi(102);
    for axis in [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z] {
        let held = |p: DVec3| frusta.iter().filter(|frustum| frustum.contains(p)).count();
        assert_eq!((held(axis * reach), held(axis * reach.next_up())), (1, 0), "{axis}");
    }
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -1e200] {
        for axis in 0..3 {
            let mut p = [0.0; 3];
            p[axis] = bad;
            assert!(!triangle.contains(p) && !triangle.covers(p), "{p:?}");
            assert!(!ball.contains(p) && !upright.contains(p) && !bounds.contains(p), "{p:?}");
            assert!(!hull.contains(p) && !mesh.contains(p), "{p:?}");
            assert!(frusta.iter().all(|frustum| !frustum.contains(p)), "{p:?}");
        }
    }
}

#[test]
fn a_hull_of_planes_holds_what_it_holds_at_any_distance() {
    // A needle, a thousand million times as long as it is wide.
    let walls = [[1e-9, 1.0, 0.0], [1e-9, -1.0, 0.0], [1e-9, 0.0, 1.0], [1e-9, 0.0, -1.0], [-1.0, 0.0, 0.0]];
    let planes = walls.map(|normal| Plane::from_equation(normal, -1e24).expect("a plane"));
    let needle = ConvexHull::from_planes(planes).expect("a volume");
    for x in [1e30, 5e30, 6e30, 1e32, 0.999e33] {
        assert!(needle.contains([x, 0.0, 0.0]), "{x:e}");
        let wide = 1e24 - 1e-9 * x;
        assert!(needle.contains([x, 0.99 * wide, 0.0]) && !needle.contains([x, 1.01 * wide, 0.0]), "{x:e}");
    }
    // The tip, where the four walls meet.
    let tip = -planes[0].offset() / planes[0].normal().x;
    assert!(
        needle.contains([tip * (1.0 - 1e-12), 0.0, 0.0]) && !needle.contains([tip * (1.0 + 1e-12), 0.0, 0.0])
    );
    for beyond in [1e40, 1e200, f64::MAX, f64::INFINITY, f64::NAN, f64::NEG_INFINITY] {
        for p in [[beyond, 0.0, 0.0], [0.0, beyond, 0.0], [0.0, 0.0, -beyond], [beyond, -beyond, beyond]] {
            assert!(!needle.contains(p), "{p:?}");
        }
    }
    // Against exact arithmetic, on a wall and beside it.
    let mut rng = Rng::new(seed(99));
    let mut held = 0;
    for _ in 0..2_000 {
        let x = rng.any_size(1e20, 1e33);
        let height = 1e24 - 1e-9 * x * rng.pick(&[1.0, 1.0 + 1e-15, 1.0 - 1e-15, 0.9]);
        let p = [x, height * rng.pick(&[1.0, -1.0]), height * rng.range(-1.0, 1.0)];
        let exact = planes.iter().all(|plane| {
            let sum = exact_dot(&given(plane.normal().to_array()), &given(p));
            (&sum + &Weighed::leaf(plane.offset().into())).value.signum() <= 0
        });
        assert_eq!(needle.contains(p), exact, "{p:?}");
        held += usize::from(exact);
    }
    assert!((300..1_900).contains(&held), "{held} of 2000");
}

fn built(mesh: &TriMesh) -> Mesh {
    Mesh::new(mesh.vertices.clone(), mesh.triangles.clone()).expect("a sound mesh")
}

fn expected(order: Ordering) -> Containment {
    match order {
        Ordering::Less => Containment::Inside,
        Ordering::Equal => Containment::Surface,
        Ordering::Greater => Containment::Outside,
    }
}

/// Points that are hard for a ray along an axis: below vertices, edges and faces, on them and beside them.
fn hard_point(rng: &mut Rng, mesh: &TriMesh) -> [f64; 3] {
    let vertex = |rng: &mut Rng| mesh.vertices[rng.below(mesh.vertices.len())].map(f64::from);
    let corners = mesh.corners(rng.below(mesh.triangles.len())).map(|c| c.map(f64::from));
    let [a, b, c] = corners;
    let on_edge: [f64; 3] = std::array::from_fn(|i| 0.5 * (a[i] + b[i]));
    let on_face: [f64; 3] = std::array::from_fn(|i| 0.5 * a[i] + 0.25 * b[i] + 0.25 * c[i]);
    let mut p = match rng.below(6) {
        0 => vertex(rng),
        1 => on_edge,
        2 => on_face,
        // Two coordinates of features, one of another.
        3 => {
            let (p, q) = (vertex(rng), on_edge);
            [p[0], q[1], p[2]]
        }
        4 => {
            let q = vertex(rng);
            [on_face[0], q[1], on_face[2]]
        }
        _ => rng.in_cube(2.0 * f64::from(mesh.reach())),
    };
    match rng.below(4) {
        // Beside the surface by less than any f32 tells.
        0 => p[1] = p[1].next_up(),
        1 => p[1] = p[1].next_down(),
        2 => p[rng.below(3)] += 1e-12,
        _ => {}
    }
    p
}

/// A mesh as each instruction set of this machine walks it.
fn on_all_kernels(mesh: &Mesh) -> Vec<Mesh> {
    Isa::ALL.iter().filter_map(|&isa| mesh.with_isa(isa)).collect()
}

/// Whether every edge, by position, has an even number of triangles. Copies of single triangles open a surface for
/// parity.
fn is_closed(mesh: &TriMesh) -> bool {
    let mut users: BTreeMap<[[u32; 3]; 2], u32> = BTreeMap::new();
    for prim in (0..mesh.triangles.len()).filter(|&prim| !mesh.repeats_a_corner(prim)) {
        let [a, b, c] = mesh.corners(prim).map(|corner| corner.map(|x| (x + 0.0).to_bits()));
        for (p, q) in [(a, b), (b, c), (c, a)] {
            *users.entry([p.min(q), p.max(q)]).or_default() += 1;
        }
    }
    users.values().all(|n| n % 2 == 0)
}

#[test]
fn in_concave_solids_no_direction_would_say_otherwise() {
    let mut rng = Rng::new(seed(95));
    let mut counts = [0; 3];
    let solids = all_solids().into_iter().map(|solid| solid.mesh).filter(|mesh| mesh.triangles.len() < 2_000);
    let solids: Vec<TriMesh> = solids.filter(is_closed).collect();
    assert!(solids.len() > 6, "{} solids", solids.len());
    for mesh in &solids {
        let kernels = on_all_kernels(&built(mesh));
        for _ in 0..20_000 / mesh.triangles.len().max(50) {
            let p = hard_point(&mut rng, mesh);
            let exact = point_mesh(p, mesh, &mut rng);
            for built in &kernels {
                let found = built.containment(p);
                assert_eq!(found, expected(exact), "{}, {}: {p:?}", mesh.name, built.isa());
                assert_eq!(built.contains(p), found != Containment::Outside);
            }
            counts[(exact as i8 + 1) as usize] += 1;
        }
    }
    assert!(counts.iter().all(|&n| n > 100), "inside, on, outside: {counts:?}");
}

#[test]
fn far_away_or_scaled_the_same_points_are_inside() {
    let mut rng = Rng::new(seed(96));
    let solid = &all_solids()[0];
    for power in [-60, -20, 0, 20, 60] {
        let factor = 2f32.powi(power);
        let mesh = built(&solid.mesh.scaled(factor));
        assert!(mesh.contains(solid.inside.map(|c| c * f64::from(factor))), "2^{power}");
        for _ in 0..200 {
            // Beyond where rays are moved nearer, straight below and above, too.
            let away = rng.direction().map(|c| c * f64::from(factor) * rng.any_size(1e2, 1e20));
            assert!(!mesh.contains(away), "2^{power}: {away:?}");
            let column = [
                solid.inside[0] * f64::from(factor),
                away[1].signum() * away[0].abs().max(1e2 * f64::from(factor)),
                0.0,
            ];
            assert!(!mesh.contains(column), "2^{power}: {column:?}");
        }
    }
}

#[test]
fn in_tiny_and_huge_solids() {
    let mut rng = Rng::new(seed(107));
    let mut counts = [0; 3];
    for factor in [1e-20, 1e15] {
        for solid in all_solids() {
            let mesh = solid.mesh.scaled(factor);
            if mesh.triangles.len() > 500 || !is_closed(&mesh) {
                continue;
            }
            let kernels = on_all_kernels(&built(&mesh));
            for _ in 0..5_000 / mesh.triangles.len().max(50) {
                let p = hard_point(&mut rng, &mesh);
                let place = point_mesh(p, &mesh, &mut rng);
                for built in &kernels {
                    let found = built.containment(p);
                    assert_eq!(
                        found,
                        expected(place),
                        "{} times {factor:e}, {}: {p:?}",
                        mesh.name,
                        built.isa()
                    );
                }
                counts[(place as i8 + 1) as usize] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&n| n > 20), "inside, on, outside: {counts:?}");
}

#[test]
fn the_crossings_of_the_law_have_that_parity() {
    let mut rng = Rng::new(seed(99));
    for solid in all_solids() {
        let mesh = built(&solid.mesh);
        for _ in 0..200 {
            // What f32 holds, so that the query's ray starts at the very point.
            let p = rng.in_cube(1.2 * f64::from(solid.mesh.reach())).map(|c| f64::from(c as f32));
            let up = Ray::new(p, [0.0, 1.0, 0.0]).expect("a sound ray");
            let crossings = mesh.all_hits(&up, &Filter::ALL).len();
            assert_eq!(mesh.contains(p), crossings % 2 == 1, "{}: {p:?}", solid.mesh.name);
        }
    }
}

#[test]
fn open_meshes_count_what_is_above() {
    let mut rng = Rng::new(seed(97));
    let mut mesh = terrain(8, 3, &mut rng);
    // Terrain has z up; the count goes along y.
    for [_, y, z] in &mut mesh.vertices {
        (*y, *z) = (*z, -*y);
    }
    let (low, high) = mesh.bounds();
    let built = built(&mesh);
    for _ in 0..300 {
        let [x, z] = [0, 2].map(|axis| rng.range(low[axis], high[axis]));
        assert!(built.contains([x, low[1] - 1.0, z]) && built.contains([x, -1e30, z]), "under ({x}, {z})");
        assert!(!built.contains([x, high[1] + 0.5, z]), "over ({x}, {z})");
        assert!(!built.contains([high[0] + 1.0, low[1] - 1.0, z]), "beside");
    }
    let empty = Mesh::new([[0.0f32; 3]; 3], [[0u32, 1, 2]]).expect("degenerate triangles are allowed");
    assert_eq!(empty.containment([0.0; 3]), Containment::Outside);
}

/// Few points look up alone and many together; where both are the hardest, and where there are none that are sound.
#[test]
fn batches_say_what_single_points_do() {
    let mut rng = Rng::new(seed(98));
    let mut counts = [0; 3];
    // Without extent along an axis across the points' rays, and along them.
    let (wall, mut floor) = (sheet(6), sheet(6));
    floor.vertices.iter_mut().for_each(|vertex| vertex.swap(1, 2));
    let open = [wall, floor, grid_soup(60, &mut rng)];
    let meshes = all_solids().into_iter().map(|solid| solid.mesh).chain(open);
    for mesh in meshes.filter(|mesh| mesh.triangles.len() < 2_000) {
        for factor in [1.0, 1e-20, 1e15] {
            let mesh = mesh.scaled(factor);
            let kernels = on_all_kernels(&built(&mesh));
            for count in [1, 9, 300, 4_000] {
                let mut points: Vec<[f64; 3]> = (0..count).map(|_| hard_point(&mut rng, &mesh)).collect();
                for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300] {
                    let place = rng.below(points.len());
                    points[place][rng.below(3)] = bad;
                }
                let places: Vec<Containment> = points.iter().map(|&p| kernels[0].containment(p)).collect();
                for built in &kernels {
                    let found = built.containment_batch(&points);
                    let wrong = (0..count).find(|&i| found[i] != places[i]);
                    let context = format!("{} times {factor:e}, {}", mesh.name, built.isa());
                    assert_eq!(wrong.map(|i| (points[i], found[i], places[i])), None, "{context}");
                }
                let inside: Vec<bool> = places.iter().map(|&place| place != Containment::Outside).collect();
                assert_eq!(kernels[0].contains_batch(&points), inside);
                let vectors: Vec<DVec3> = points.iter().map(|&p| p.into()).collect();
                assert_eq!(kernels[0].contains_batch(&vectors), inside);
                places.iter().for_each(|&place| counts[place as usize] += 1);
            }
        }
    }
    assert!(counts.iter().all(|&n| n > 20_000), "outside, on, inside: {counts:?}");
}
