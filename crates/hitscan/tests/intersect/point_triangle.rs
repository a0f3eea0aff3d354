//! The nearest point of a triangle against exact distances, and what neighbours say of what they share.

use hitscan::intersect::{Feature, NearestPoint, point_triangle};
use hitscan::shape::Triangle;
use hitscan_oracle::distance;
use hitscan_oracle::{Rng, rng};

use crate::sphere_triangle::{Corners, centre, shape, spread};

fn check(point: [f64; 3], corners: Corners) -> NearestPoint {
    let triangle = Triangle::new(corners[0], corners[1], corners[2]).unwrap();
    let nearest = point_triangle(point, &triangle);
    let context = || format!("{point:?}, {corners:?}: {nearest:?}");
    let exact = distance::point_triangle(point, corners).roughly();
    let allowed = spread(point, corners) / 2f64.powi(45) + f64::from_bits(4);
    assert!((nearest.distance - exact).abs() <= allowed, "{}: {exact:e}", context());
    assert_eq!(nearest.position, triangle.closest_point(point), "{}", context());
    let w = (1.0 - nearest.u) - nearest.v;
    let weights = [w, nearest.u, nearest.v];
    assert!(weights.iter().all(|&weight| (-1e-15..=1.0).contains(&weight)), "{}", context());
    match nearest.feature {
        Feature::Face => assert!(nearest.u > 0.0 && nearest.v > 0.0, "{}", context()),
        Feature::Edge(i) => assert!(weights[(i + 2) % 3].abs() < 1e-15, "{}", context()),
        Feature::Corner(i) => assert_eq!(nearest.position.to_array(), corners[i], "{}", context()),
    }
    nearest
}

#[test]
fn distances_are_the_exact_ones_up_to_rounding() {
    let mut rng = Rng::new(rng::seed(2701));
    let mut features = [0; 3];
    for scale in [1.0, 1e-20, 1e15, 1e-160, 1e-300] {
        for _ in 0..1500 {
            let corners = shape(&mut rng).map(|p| p.map(|c| c * scale));
            let point = centre(corners.map(|p| p.map(|c| c / scale)), &mut rng).map(|c| c * scale);
            features[match check(point, corners).feature {
                Feature::Face => 0,
                Feature::Edge(_) => 1,
                Feature::Corner(_) => 2,
            }] += 1;
        }
    }
    assert!(features.iter().all(|&n| n > 500), "{features:?}");
}

/// Whichever way a triangle runs along an edge, and whatever its third corner is.
#[test]
fn neighbours_agree_on_the_last_bit_of_what_they_share() {
    let mut rng = Rng::new(rng::seed(2702));
    let (mut edges, mut corners_met) = (0, 0);
    for _ in 0..20_000 {
        let mut point = || rng.in_cube(1.0);
        let (a, b, c, d, from) = (point(), point(), point(), point(), point());
        let [one, other] = [[a, b, c], [b, a, d]].map(|corners| check(from, corners));
        let same = (one.distance.to_bits(), one.position) == (other.distance.to_bits(), other.position);
        match (one.feature, other.feature) {
            (Feature::Edge(0), Feature::Edge(0)) => {
                assert_eq!(one.distance.to_bits(), other.distance.to_bits(), "{from:?} {a:?} {b:?}");
                edges += 1;
            }
            (Feature::Corner(0), Feature::Corner(1)) | (Feature::Corner(1), Feature::Corner(0)) => {
                assert!(same, "{from:?} {a:?} {b:?}");
                corners_met += 1;
            }
            _ => {}
        }
    }
    assert!(edges > 1000 && corners_met > 1000, "{edges} {corners_met}");
}

#[test]
fn a_distance_is_never_below_that_of_the_box() {
    let mut rng = Rng::new(rng::seed(2703));
    for _ in 0..20_000 {
        let corners = shape(&mut rng);
        let point = centre(corners, &mut rng);
        let nearest = check(point, corners);
        let mut sum = 0.0f64;
        for axis in 0..3 {
            let low = corners.iter().fold(f64::INFINITY, |m, c| m.min(c[axis]));
            let high = corners.iter().fold(f64::NEG_INFINITY, |m, c| m.max(c[axis]));
            let gap = (low - point[axis]).max(point[axis] - high).max(0.0);
            assert!(nearest.distance >= gap, "{point:?} {corners:?}");
            sum += gap * gap;
        }
        assert!(nearest.distance >= sum.sqrt() * (1.0 - 1e-15), "{point:?} {corners:?}");
    }
}
