//! Mistakes of the fourth document's sphere test, each with an input that shows it: the document's steps as they are
//! printed, where they fail, and ours, which is right there.
//!
//! The document computes in single precision; here its steps run in double precision, so what fails is not the precision.

use hitscan::glam::DVec3;
use hitscan::intersect::{Stage, sphere_triangle, sphere_triangle_three_stages};
use hitscan::shape::{Sphere, Triangle};

/// The library's ray and sphere that the document calls: 0 from inside, else the first hit of a unit direction.
fn library_ray_sphere(origin: DVec3, dir: DVec3, centre: DVec3, radius: f64) -> Option<f64> {
    let to = centre - origin;
    let (away_sq, radius_sq) = (to.length_squared(), radius * radius);
    if away_sq <= radius_sq {
        return Some(0.0);
    }
    let along = to.dot(dir);
    let half_sq = radius_sq - (away_sq - along * along);
    (along >= 0.0 && half_sq >= 0.0).then(|| along - half_sq.sqrt())
}

/// The printed ray test, with its corner and edges.
fn printed_ray_triangle(origin: DVec3, dir: DVec3, v: [DVec3; 3]) -> Option<f64> {
    let (edge1, edge2) = (v[2] - v[1], v[0] - v[1]);
    let cross = dir.cross(edge2);
    let determinant = edge1.dot(cross);
    // float.Epsilon: the smallest number above zero.
    let epsilon = f64::from_bits(1);
    if determinant > -epsilon && determinant < epsilon {
        return None;
    }
    let from = origin - v[1];
    let u = from.dot(cross) / determinant;
    let other = from.cross(edge1);
    let w = dir.dot(other) / determinant;
    ((0.0..=1.0).contains(&u) && w >= 0.0 && u + w <= 1.0).then(|| edge2.dot(other) / determinant)
}

/// The second stage for one edge.
fn printed_edge(from: DVec3, to: DVec3, centre: DVec3, radius: f64) -> bool {
    let side = to - from;
    let length = library_ray_sphere(from, side.normalize(), centre, radius);
    length.is_some_and(|length| length > 0.0 && length * length < side.length_squared())
}

/// The third stage, with the direction that it is given.
fn printed_face(v: [DVec3; 3], centre: DVec3, radius: f64, inverse_normal: DVec3) -> bool {
    let length = printed_ray_triangle(centre, inverse_normal, v);
    length.is_some_and(|length| length > 0.0 && length < radius)
}

/// Against the normal of the side on which the centre lies, of length 1.
fn unit_inverse_normal(v: [DVec3; 3], centre: DVec3) -> DVec3 {
    let normal = (v[1] - v[0]).cross(v[2] - v[0]).normalize();
    if normal.dot(centre - v[0]) < 0.0 { normal } else { -normal }
}

/// All three stages.
fn printed(v: [DVec3; 3], centre: DVec3, radius: f64) -> bool {
    v.iter().any(|corner| (centre - corner).length_squared() <= radius * radius)
        || [(0, 1), (0, 2), (1, 2)].into_iter().any(|(i, j)| printed_edge(v[i], v[j], centre, radius))
        || printed_face(v, centre, radius, unit_inverse_normal(v, centre))
}

fn corners(v: [[f64; 3]; 3]) -> [DVec3; 3] {
    v.map(DVec3::from)
}

/// What ours say, which must be one.
fn ours(v: [DVec3; 3], centre: DVec3, radius: f64) -> Option<Stage> {
    let (sphere, triangle) = (Sphere::new(centre, radius).unwrap(), Triangle::new(v[0], v[1], v[2]).unwrap());
    let stage = sphere_triangle_three_stages(&sphere, &triangle);
    assert_eq!(sphere_triangle(&sphere, &triangle).is_some(), stage.is_some());
    stage
}

const LARGE: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [90.0, 0.0, 0.0], [0.0, 90.0, 0.0]];

#[test]
fn a_hit_at_length_zero_is_no_hit_so_a_ball_in_the_middle_of_the_face_is_missed() {
    let (v, radius) = (corners(LARGE), 2.0);
    let centre = DVec3::new(20.0, 20.0, 0.0);
    assert!(!printed(v, centre, radius), "half of the ball is on either side");
    assert_eq!(ours(v, centre, radius), Some(Stage::Face));
    assert!(printed(v, centre + DVec3::Z, radius), "a little above it is found");
}

#[test]
fn a_ball_that_lies_on_the_face_is_missed() {
    let (v, radius) = (corners(LARGE), 2.0);
    let resting = DVec3::new(20.0, 20.0, 2.0);
    assert!(!printed(v, resting, radius));
    assert_eq!(ours(v, resting, radius), Some(Stage::Face));
    assert_eq!(ours(v, resting + DVec3::Z * 1e-12, radius), None);
}

#[test]
fn an_inverse_normal_that_is_not_of_length_one_measures_in_other_units() {
    let (v, centre, radius) = (corners(LARGE), DVec3::new(20.0, 20.0, 50.0), 2.0);
    let cross = (v[1] - v[0]).cross(v[2] - v[0]);
    assert!(printed_face(v, centre, radius, -cross), "50 above the face, and yet within 2");
    assert!(!printed_face(v, centre, radius, -cross.normalize()));
    assert_eq!(ours(v, centre, radius), None);
    // And a short one loses what is near.
    let small = corners(LARGE.map(|corner| corner.map(|c| c / 900.0)));
    let centre = DVec3::new(0.03, 0.03, 0.005);
    let cross = (small[1] - small[0]).cross(small[2] - small[0]);
    assert!(!printed_face(small, centre, 0.02, -cross));
    assert_eq!(ours(small, centre, 0.02), Some(Stage::Face));
}

#[test]
fn a_ray_from_a_corner_inside_the_ball_has_length_zero() {
    // The document says why the corners come first: the length could exceed the edge. It is 0, which its
    // own `length > 0` refuses; so without the corners, every edge that begins inside would be lost, long or short.
    let (from, to) = (DVec3::ZERO, DVec3::new(9.0, 0.0, 0.0));
    assert_eq!(library_ray_sphere(from, DVec3::X, DVec3::ZERO, 2.0), Some(0.0));
    assert!(!printed_edge(from, to, DVec3::ZERO, 2.0) && printed_edge(to, from, DVec3::ZERO, 2.0));
    assert_eq!(ours([from, to, DVec3::Y * 9.0], DVec3::ZERO, 2.0), Some(Stage::Corner(0)));
}

#[test]
fn an_edge_that_touches_is_lost_when_its_direction_is_normalised() {
    // Balls that touch an edge from outside, all numbers whole, so that the touch is exact.
    let (mut lost, mut all) = (0, 0);
    for x in 1..40 {
        for y in 1..40 {
            let along = DVec3::new(f64::from(x), f64::from(y), 0.0);
            // Across the edge, as long as the edge.
            let across = DVec3::new(along.y, -along.x, 0.0);
            let radius_sq = along.length_squared();
            let radius = radius_sq.sqrt();
            if radius.fract() != 0.0 {
                continue;
            }
            for behind in 2..9 {
                let v = [along * -f64::from(behind), along * 4.0, -across];
                assert_eq!(ours(v, across, radius), Some(Stage::Edge(0)), "{along}");
                all += 1;
                lost += usize::from(!printed(v, across, radius));
            }
        }
    }
    assert!(lost > 0 && all > 20, "{lost} of {all}");
}

#[test]
fn a_determinant_that_underflows_loses_a_small_face() {
    let v = corners(LARGE.map(|corner| corner.map(|c| c * 1e-165)));
    let (centre, radius) = (DVec3::new(20.0, 20.0, 1.0) * 1e-165, 2e-165);
    let inverse_normal = DVec3::new(0.0, 0.0, -1.0);
    assert!(!printed_face(v, centre, radius, inverse_normal));
    assert_eq!(ours(v, centre, radius), Some(Stage::Face));
    // The same at a size where the determinant is there.
    let v = corners(LARGE);
    assert!(printed_face(v, DVec3::new(20.0, 20.0, 1.0), 2.0, inverse_normal));
}
