//! Triangle and box against exact arithmetic: the triangle clipped by the box's sides one after the other, in fractions.

use hitscan::glam::{DMat3, DQuat, DVec3};
use hitscan::intersect::{triangle_aabb, triangle_obb};
use hitscan::shape::{Aabb, Obb, Triangle};
use hitscan_oracle::solids::{triangle_meets_box, triangle_meets_obb};
use hitscan_oracle::{Rng, rng};

use crate::cases::point;
use crate::sphere_triangle::{Corners, shape};

fn check(corners: Corners, low: [f64; 3], high: [f64; 3]) -> bool {
    let triangle = Triangle::new(corners[0], corners[1], corners[2]).unwrap();
    let bounds = Aabb::new(low, high).unwrap();
    let expected = triangle_meets_box(corners, low, high);
    assert_eq!(triangle_aabb(&triangle, &bounds), expected, "{corners:?} {low:?} {high:?}");
    // The same as an oriented box, where its centre and half sizes are exact.
    let (low, high) = (DVec3::from(low), DVec3::from(high));
    let (centre, half) = ((low + high) * 0.5, (high - low) * 0.5);
    if centre - half == low && centre + half == high && half.min_element() > 0.0 {
        let turned = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z);
        for (axes, half) in [(DMat3::IDENTITY, half), (turned, half.truncate().perp().extend(half.z).abs())] {
            if let Ok(bounds) = Obb::new(centre, axes, half) {
                assert_eq!(triangle_obb(&triangle, &bounds), expected, "{corners:?} {bounds:?}");
            }
        }
    }
    expected
}

#[test]
fn triangles_on_a_grid_touch_boxes_exactly() {
    let mut rng = Rng::new(rng::seed(2751));
    let mut counts = [0; 2];
    for _ in 0..15_000 {
        let mut whole = |n: i64| [(); 3].map(|()| rng.int(-n, n) as f64);
        let (corners, low) = ([whole(4), whole(4), whole(4)], whole(2));
        let high = std::array::from_fn(|i| low[i] + rng.int(1, 3) as f64);
        counts[usize::from(check(corners, low, high))] += 1;
    }
    assert!(counts.iter().all(|&n| n > 2000), "{counts:?}");
}

#[test]
fn triangles_of_every_shape_and_size() {
    let mut rng = Rng::new(rng::seed(2752));
    let mut counts = [0; 2];
    for i in 0..8_000 {
        let scale = [1.0, 1e-200, 1e20, 1e-20][i % 4];
        let corners = shape(&mut rng).map(|p| p.map(|c| c * scale));
        let half = rng.any_size(1e-9, 1.0);
        let (s, aside) = (rng.unit(), 3.0 * half * rng.unit());
        let way = rng.direction();
        let between = |i: usize| corners[0][i] + s * (corners[1][i] - corners[0][i]);
        let centre: [f64; 3] = std::array::from_fn(|i| between(i) / scale + aside * way[i]);
        // Often with a side through a corner.
        let corner = corners[rng.below(3)];
        let low: [f64; 3] =
            std::array::from_fn(|i| if rng.one_in(4) { corner[i] } else { (centre[i] - half) * scale });
        let high: [f64; 3] = std::array::from_fn(|i| low[i] + 2.0 * half * scale);
        if Aabb::new(low, high).is_ok() {
            counts[usize::from(check(corners, low, high))] += 1;
        }
    }
    assert!(counts.iter().all(|&n| n > 1000), "{counts:?}");
}

#[test]
fn turned_boxes_and_boxes_a_little_askew() {
    let mut rng = Rng::new(rng::seed(2753));
    let mut counts = [0; 2];
    for _ in 0..4_000 {
        let corners = shape(&mut rng);
        let axis = DVec3::from(rng.direction());
        let turn = DQuat::from_axis_angle(axis.normalize(), rng.range(0.0, 7.0));
        let mut axes = DMat3::from_quat(turn);
        if rng.one_in(2) {
            axes.x_axis += 3e-7 * DVec3::from(rng.in_cube(1.0)); // as rotations in `f32` are
        }
        let half: [f64; 3] = std::array::from_fn(|_| rng.any_size(1e-6, 1.0));
        let centre = if rng.one_in(4) { corners[0] } else { rng.in_cube(1.0) };
        let bounds = Obb::new(centre, axes, half).unwrap();
        let triangle = Triangle::new(corners[0], corners[1], corners[2]).unwrap();
        let columns = [axes.x_axis, axes.y_axis, axes.z_axis].map(|column| column.to_array());
        let expected = triangle_meets_obb(corners, centre, columns, half);
        assert_eq!(triangle_obb(&triangle, &bounds), expected, "{corners:?} {bounds:?}");
        counts[usize::from(expected)] += 1;
    }
    assert!(counts.iter().all(|&n| n > 500), "{counts:?}");
}

/// Sizes so different that nothing but exact arithmetic can compare them.
#[test]
fn sizes_of_every_kind_together() {
    let mut rng = Rng::new(rng::seed(2754));
    let mut counts = [0; 2];
    for _ in 0..300 {
        let corners = [(); 3].map(|()| point(&mut rng));
        let (a, b) = (DVec3::from(point(&mut rng)), DVec3::from(point(&mut rng)));
        let (low, high) = (a.min(b).to_array(), a.max(b).to_array());
        if Aabb::new(low, high).is_ok() {
            counts[usize::from(check(corners, low, high))] += 1;
        }
    }
    assert!(counts.iter().all(|&n| n > 10), "{counts:?}");
}
