//! Sphere and triangle, and the nearest point, against exact distances: equal verdicts on every input.

use std::cmp::Ordering;

use hitscan::glam::DVec3;
use hitscan::intersect::{Contact, Stage, sphere_triangle, sphere_triangle_three_stages};
use hitscan::shape::{Sphere, Triangle};
use hitscan::{MAX_COORDINATE, Mesh};
use hitscan_oracle::distance::{Distance, point_triangle};
use hitscan_oracle::meshes::{all_open, all_solids};
use hitscan_oracle::{Rng, rng};

use crate::cases::point;

pub type Corners = [[f64; 3]; 3];

/// What the exact distances say that the three stages should find.
fn expected_stage(centre: [f64; 3], corners: Corners, radius: f64) -> Option<Stage> {
    let within = |distance: Distance| distance.compare(radius) != Ordering::Greater;
    let end = |i: usize| corners[i % 3];
    if let Some(i) = (0..3).find(|&i| within(point_triangle(centre, [end(i); 3]))) {
        return Some(Stage::Corner(i));
    }
    if let Some(i) = (0..3).find(|&i| within(point_triangle(centre, [end(i), end(i + 1), end(i + 1)]))) {
        return Some(Stage::Edge(i));
    }
    within(point_triangle(centre, corners)).then_some(Stage::Face)
}

/// The largest distance along one axis.
pub fn spread(centre: [f64; 3], corners: Corners) -> f64 {
    corners.iter().flat_map(|corner| (0..3).map(|i| (corner[i] - centre[i]).abs())).fold(0.0, f64::max)
}

/// What rounding a point to `f64` may move it by.
fn placing(corners: Corners) -> f64 {
    2.0 * f64::EPSILON * corners.as_flattened().iter().fold(0.0f64, |m, c| m.max(c.abs())) + f64::from_bits(4)
}

fn check_nearest(centre: [f64; 3], corners: Corners, triangle: &Triangle) {
    let nearest = triangle.closest_point(centre).to_array();
    let context = || format!("{centre:?}, {corners:?}: {nearest:?}");
    let least = point_triangle(centre, corners).roughly();
    let reached = point_triangle(centre, [nearest; 3]).roughly();
    let allowed = spread(centre, corners) / 2f64.powi(46) + placing(corners);
    assert!(reached <= least * (1.0 + 1e-15) + allowed, "{}: {reached:e} is not {least:e}", context());
    let off = point_triangle(nearest, corners).roughly();
    assert!(off <= 2.0 * placing(corners), "{}: {off:e} off the triangle", context());
}

fn check_contact(contact: &Contact, centre: [f64; 3], corners: Corners, radius: f64, triangle: &Triangle) {
    let context = || format!("{centre:?}, {corners:?}, {radius:e}: {contact:?}");
    assert_eq!(contact.point, triangle.closest_point(centre), "{}", context());
    let distance = point_triangle(centre, corners).roughly();
    let allowed = radius.max(spread(centre, corners)) / 2f64.powi(45) + f64::from_bits(4);
    assert!((contact.depth - (radius - distance)).abs() <= allowed, "{}: distance {distance:e}", context());
    assert!(contact.depth >= 0.0 && contact.depth <= radius, "{}", context());
    assert!((contact.normal.length() - 1.0).abs() < 1e-14, "{}", context());
    // Moved along the normal by the depth, the sphere only touches.
    if distance > 1e-6 * spread(centre, corners) {
        let moved = (DVec3::from(centre) + contact.normal * contact.depth).to_array();
        let parted = point_triangle(moved, corners).roughly();
        let allowed = 1e-9 * radius.max(spread(centre, corners)) + 2.0 * placing([centre; 3]);
        assert!((parted - radius).abs() <= allowed, "{}", context());
    }
}

/// Says whether they touch.
fn check(centre: [f64; 3], corners: Corners, radius: f64) -> bool {
    let (Ok(sphere), Ok(triangle)) =
        (Sphere::new(centre, radius), Triangle::new(corners[0], corners[1], corners[2]))
    else {
        panic!("unsound: {centre:?}, {corners:?}, {radius:e}");
    };
    let expected = expected_stage(centre, corners, radius);
    let context = || format!("{centre:?}, {corners:?}, {radius:e}");
    assert_eq!(sphere_triangle_three_stages(&sphere, &triangle), expected, "{}", context());
    let contact = sphere_triangle(&sphere, &triangle);
    assert_eq!(contact.is_some(), expected.is_some(), "{}", context());
    check_nearest(centre, corners, &triangle);
    if let Some(contact) = contact {
        check_contact(&contact, centre, corners, radius, &triangle);
    }
    expected.is_some()
}

/// With radii at and beside the distance, and others.
fn check_around(centre: [f64; 3], corners: Corners, rng: &mut Rng) {
    let distance = point_triangle(centre, corners).roughly();
    let spread = spread(centre, corners);
    for radius in [
        distance,
        distance.next_up(),
        distance.next_down(),
        distance * (1.0 + 1e-13),
        distance * (1.0 - 1e-13),
        distance * rng.range(0.5, 2.0),
        spread * rng.any_size(1e-9, 4.0),
    ] {
        if radius > 0.0 && radius <= MAX_COORDINATE {
            check(centre, corners, radius);
        }
    }
}

/// Triangles of every shape, about 1 large.
pub fn shape(rng: &mut Rng) -> Corners {
    let mut point = || rng.in_cube(1.0);
    let [a, b, c] = [point(), point(), point()];
    let between = |s: f64| -> [f64; 3] { std::array::from_fn(|i| a[i] + s * (b[i] - a[i])) };
    let s = rng.unit();
    match rng.below(8) {
        0 => [a, b, between(s)],                     // thinner than a rounding error
        1 => [a, b, a],                              // two corners
        2 => [a, a, a],                              // a point
        3 => [a, a.map(|c| 2.0 * c), a.map(|c| -c)], // exactly on a line
        4 => {
            let (width, aside) = (rng.any_size(1e-18, 1e-2), rng.direction());
            [a, b, std::array::from_fn(|i| between(s)[i] + width * aside[i])] // a sliver
        }
        5 => [a, between(1e-9), c], // a needle
        _ => [a, b, c],
    }
}

/// A point to see a triangle from: anywhere, above it, on it, at it, far from it.
pub fn centre(corners: Corners, rng: &mut Rng) -> [f64; 3] {
    let (u, v) = (rng.unit(), rng.unit());
    let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
    let u = rng.pick(&[u, 0.0, 0.5, 1.0]);
    let v = if u == 1.0 { 0.0 } else { v * (1.0 - u) };
    let [a, b, c] = corners;
    let on: [f64; 3] = std::array::from_fn(|i| a[i] + u * (b[i] - a[i]) + v * (c[i] - a[i]));
    let (height, away) = (rng.any_size(1e-17, 1e6), rng.direction());
    match rng.below(4) {
        0 => on,
        1 => rng.in_cube(2.0),
        _ => std::array::from_fn(|i| on[i] + height * away[i]),
    }
}

#[test]
fn generic_and_hostile_triangles_of_every_size() {
    let mut rng = Rng::new(rng::seed(2401));
    for scale in [1.0, 1e-20, 1e15, 1e-160, 1e-300, 1e28] {
        for _ in 0..250 {
            let corners = shape(&mut rng);
            let centre = centre(corners, &mut rng);
            // Centres up to 1e6 away stay within 2^100 for the largest scale only when brought nearer.
            let far = centre.iter().any(|c| (c * scale).abs() > 1e30);
            let centre = if far { centre.map(|c| c / 1e6) } else { centre };
            check_around(centre.map(|c| c * scale), corners.map(|p| p.map(|c| c * scale)), &mut rng);
        }
    }
}

#[test]
fn far_from_the_origin() {
    let mut rng = Rng::new(rng::seed(2402));
    for away in [1e3, 1e8, 1e15] {
        for _ in 0..150 {
            let corners = shape(&mut rng).map(|p| p.map(|c| c + away));
            let centre = centre(corners, &mut rng);
            check_around(centre, corners, &mut rng);
        }
    }
}

/// On whole numbers many spheres touch exactly, and rounding must not matter.
#[test]
fn whole_numbers() {
    let mut rng = Rng::new(rng::seed(2403));
    let (mut touching, mut apart) = (0, 0);
    for _ in 0..6000 {
        let mut point = || [(); 3].map(|()| rng.int(-6, 6) as f64);
        let (mut corners, centre) = ([point(), point(), point()], point());
        if rng.one_in(2) {
            // In a plane across an axis, whose distances are whole too.
            let axis = rng.below(3);
            let height = corners[0][axis];
            corners.iter_mut().for_each(|corner| corner[axis] = height);
        }
        for radius in [1.0, 2.0, 3.0, 4.0, 5.0f64] {
            check(centre, corners, radius);
            if point_triangle(centre, corners).compare(radius) == Ordering::Equal {
                touching += 1;
                check(centre, corners, radius.next_up());
                assert!(!check(centre, corners, radius.next_down()));
            } else {
                apart += 1;
            }
        }
    }
    assert!(touching > 200 && apart > 200, "{touching} touch");
}

/// Sizes so different that nothing but exact arithmetic can compare them.
#[test]
fn sizes_of_every_kind_together() {
    let mut rng = Rng::new(rng::seed(2404));
    for _ in 0..400 {
        let (corners, centre) = ([(); 3].map(|()| point(&mut rng)), point(&mut rng));
        let radius = rng.pick(&[rng.clone().power_of_two(-1000, 99), f64::from_bits(1), 1.0]);
        check(centre, corners, radius);
    }
}

#[test]
fn the_normal_of_a_centre_on_the_triangle_is_the_front() {
    let triangle = Triangle::new([0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0]).unwrap();
    for centre in [[2.0, 2.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 0.0]] {
        let contact = sphere_triangle(&Sphere::new(centre, 0.5).unwrap(), &triangle).unwrap();
        assert_eq!((contact.depth, contact.normal.to_array()), (0.5, [0.0, 0.0, 1.0]), "{centre:?}");
    }
    let below = sphere_triangle(&Sphere::new([2.0, 2.0, -0.25], 0.5).unwrap(), &triangle).unwrap();
    assert_eq!((below.depth, below.normal.to_array()), (0.25, [0.0, 0.0, -1.0]));
    let segment = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [8.0, 0.0, 0.0]).unwrap();
    let across = sphere_triangle(&Sphere::new([1.0, 0.0, 0.0], 0.5).unwrap(), &segment).unwrap().normal;
    assert_eq!((across.x, across.length()), (0.0, 1.0));
    let point = Triangle::new([1.0; 3], [1.0; 3], [1.0; 3]).unwrap();
    let any = sphere_triangle(&Sphere::new([1.0; 3], 0.5).unwrap(), &point).unwrap().normal;
    assert_eq!(any.length(), 1.0);
}

#[test]
fn a_point_that_is_no_number_has_some_nearest_point() {
    let triangle = Triangle::new([0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0]).unwrap();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for point in [[bad, 0.0, 0.0], [0.0, bad, 1.0], [bad; 3]] {
            assert!(triangle.corners().contains(&triangle.closest_point(point)), "{point:?}");
        }
    }
}

/// All triangles of a mesh that touch a sphere are those that do one by one.
#[test]
fn overlap_of_a_mesh_is_that_of_its_triangles() {
    let mut rng = Rng::new(rng::seed(2405));
    let mut meshes: Vec<_> = all_solids().into_iter().map(|solid| solid.mesh).collect();
    meshes.extend(all_open(&mut rng));
    let mut found = 0;
    for (oracle_mesh, scale) in
        meshes.iter().flat_map(|mesh| [1.0f32, 1e-20, 1e15].map(|scale| (mesh, scale)))
    {
        let scaled = oracle_mesh.scaled(scale);
        let mesh = Mesh::new(scaled.vertices.clone(), scaled.triangles.clone()).unwrap();
        let (low, high) = scaled.bounds();
        let size = scaled.half_size();
        for _ in 0..12 {
            let anywhere: [f64; 3] = std::array::from_fn(|i| rng.range(low[i] - size, high[i] + size));
            let vertex = scaled.vertices[rng.below(scaled.vertices.len())].map(f64::from);
            let centre = if rng.one_in(2) { anywhere } else { vertex };
            let sphere = Sphere::new(centre, size * rng.any_size(1e-6, 4.0)).unwrap();
            let expected: Vec<u32> = (0..scaled.triangles.len())
                .filter(|&prim| !scaled.repeats_a_corner(prim))
                .filter(|&prim| {
                    let corners = scaled.corners(prim).map(|corner| corner.map(f64::from));
                    point_triangle(centre, corners).compare(sphere.radius()) != Ordering::Greater
                })
                .map(|prim| prim as u32)
                .collect();
            assert_eq!(mesh.overlap_sphere(&sphere), expected, "{}: {sphere:?}", scaled.name);
            found += expected.len();
        }
    }
    assert!(found > 1000, "only {found} triangles");
}
