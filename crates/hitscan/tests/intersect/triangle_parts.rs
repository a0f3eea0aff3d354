//! What follows from three corners: on whole numbers exactly, elsewhere by what defines it.

use hitscan::glam::DVec3;
use hitscan::shape::{Plane, ShapeError, Triangle};
use hitscan_oracle::rng::{Rng, seed};

/// Corners on whole numbers within 100.
fn corners(rng: &mut Rng) -> [DVec3; 3] {
    core::array::from_fn(|_| DVec3::from_array(core::array::from_fn(|_| rng.int(-100, 100) as f64)))
}

fn triangle([a, b, c]: [DVec3; 3]) -> Triangle {
    Triangle::new(a, b, c).expect("in range")
}

#[test]
fn whole_numbers_give_whole_parts() {
    let mut rng = Rng::new(seed(51));
    for _ in 0..10_000 {
        let [a, b, c] = corners(&mut rng);
        let t = triangle([a, b, c]);
        assert_eq!(t.corners(), [a, b, c]);
        assert_eq!(t.edges().iter().sum::<DVec3>(), DVec3::ZERO);
        assert_eq!(t.edges(), [b - a, c - b, a - c]);
        let [p, q] = [b - a, c - a].map(|edge| edge.to_array().map(|x| x as i64));
        let cross = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
        assert_eq!(t.cross().to_array().map(|x| x as i64), cross);
        let four_area_sq = cross.iter().map(|x| x * x).sum::<i64>() as f64;
        assert!((4.0 * t.area() * t.area() - four_area_sq).abs() <= four_area_sq * 1e-15, "{t:?}");
        let (low, high) = t.bounds();
        for axis in 0..3 {
            let places = [a[axis], b[axis], c[axis]];
            assert!(places.contains(&low[axis]) && places.contains(&high[axis]));
            assert!(places.iter().all(|x| (low[axis]..=high[axis]).contains(x)));
        }
        let (u, v) = (rng.int(0, 8) as f64 / 8.0, rng.int(0, 8) as f64 / 8.0);
        assert_eq!(t.point(u, v), a + (b - a) * u + (c - a) * v);
    }
}

#[test]
fn the_facing_normal_looks_at_the_point() {
    let mut rng = Rng::new(seed(52));
    for _ in 0..10_000 {
        let t = triangle(corners(&mut rng));
        let [point, ..] = corners(&mut rng);
        let (Some(normal), Some(facing)) = (t.normal(), t.normal_facing(point)) else {
            assert_eq!((t.cross(), t.area()), (DVec3::ZERO, 0.0));
            continue;
        };
        assert!((facing.length() - 1.0).abs() < 1e-15 && normal.dot(t.cross()) > 0.0);
        // A whole number, which is exact.
        let side = t.cross().dot(point - t.corners()[0]);
        let way = if side < 0.0 { -1.0 } else { 1.0 }; // the front for a point in the plane
        assert_eq!(facing, normal * way, "{t:?} from {point}");
    }
}

#[test]
fn normals_of_tiny_triangles_are_those_of_large_ones() {
    let mut rng = Rng::new(seed(54));
    for power in [-100, -500, -540, -700, 90] {
        for _ in 0..200 {
            let (large, size) = (corners(&mut rng), 2f64.powi(power));
            let small = large.map(|corner| corner * size);
            assert_eq!(triangle(small).normal(), triangle(large).normal(), "2^{power}: {large:?}");
            let plane = Plane::from_points(small[0], small[1], small[2]).map(|plane| plane.normal());
            assert_eq!(plane.ok(), triangle(large).normal(), "2^{power}: {large:?}");
        }
    }
}

#[test]
fn the_plane_is_that_of_the_corners() {
    let mut rng = Rng::new(seed(53));
    for _ in 0..10_000 {
        let [a, b, c] = corners(&mut rng);
        let t = triangle([a, b, c]);
        if t.cross() == DVec3::ZERO {
            let [a, b, c] = [a, b, c].map(|corner| corner.to_array());
            assert_eq!(t.plane(), Err(ShapeError::Collinear { a, b, c }));
            continue;
        }
        let plane = t.plane().expect("it has an area");
        assert_eq!(Plane::from_points(a, b, c), Ok(plane));
        assert_eq!(Some(plane.normal()), t.normal());
        for corner in [a, b, c] {
            assert!(plane.signed_distance(corner).abs() < 1e-12, "{plane:?} at {corner}");
        }
        let aside = a + plane.normal() * 7.0;
        assert!((plane.signed_distance(aside) - 7.0).abs() < 1e-12);
        assert_eq!(plane.flipped().signed_distance(aside), -plane.signed_distance(aside));
    }
}

#[test]
fn a_normal_and_a_plane_belong_to_every_triangle_that_is_no_line() {
    let mut rng = Rng::new(seed(54));
    for _ in 0..2_000 {
        let [a, b, c] = corners(&mut rng);
        let model = triangle([a, b, c]);
        for power in [-1000, -600, -540, -66, 50, 90] {
            let size = f64::powi(2.0, power);
            let scaled = triangle([a * size, b * size, c * size]);
            assert_eq!(scaled.normal(), model.normal(), "2^{power}: {model:?}");
            assert_eq!(
                scaled.plane().ok().map(|plane| plane.normal()),
                model.normal(),
                "2^{power}: {model:?}"
            );
        }
    }
}
