//! Ray and plane: the error that the documentation states, parallels, ends, and grids.

use hitscan::Ray;
use hitscan::intersect::{line_plane, ray_plane};
use hitscan::shape::Plane;
use hitscan_oracle::Rng;
use hitscan_oracle::dyadic::{Dyadic, Weighed, dot, given};
use hitscan_oracle::rng::seed;
use hitscan_oracle::solids::line_planes;

use crate::cases::{SCALES, grid_line, line_at};

#[test]
fn t_errs_by_no_more_than_is_said() {
    let mut rng = Rng::new(seed(81));
    for i in 0..10_000 {
        let scale = SCALES[i % SCALES.len()];
        let plane = Plane::new(rng.direction(), rng.in_cube(scale)).expect("a normal");
        let line = line_at(&mut rng, [-scale; 3], [scale; 3]);
        let ray = line.ray();
        let (n, o) = (plane.normal(), ray.origin());
        let Some(t) = line_plane(&ray, &plane) else {
            assert_eq!(n.dot(ray.dir()), 0.0);
            continue;
        };
        // Two opposite half-spaces that end in the plane enclose exactly the crossing.
        let front = (n.to_array(), plane.offset());
        let back = ((-n).to_array(), -plane.offset());
        let Some(exact) = line_planes(line.origin, line.dir, &[front, back]) else { continue };
        let products = (n * o).abs().element_sum()
            + plane.offset().abs()
            + t.abs() * (n * ray.dir()).abs().element_sum();
        // A little more for the rounding of the bound itself.
        let error = 8.0 * 2f64.powi(-53) * products / n.dot(ray.dir()).abs() * (1.0 + 1e-9);
        assert!(
            exact.enter.order_to(t - error).is_ge() && exact.enter.order_to(t + error).is_le(),
            "{line:?} {plane:?}: {t:e} is off by more than {error:e}"
        );
    }
}

#[test]
fn distances_err_by_no_more_than_is_said() {
    let mut rng = Rng::new(seed(83));
    for i in 0..5_000 {
        let scale = SCALES[i % SCALES.len()];
        let (on_it, far) = (rng.in_cube(scale), rng.in_cube(3.0 * scale));
        let plane = Plane::new(rng.direction(), on_it).expect("a normal");
        let point = rng.pick(&[on_it, far]);
        let exact =
            &dot(&given(plane.normal().to_array()), &given(point)) + &Weighed::leaf(plane.offset().into());
        let off = (&Dyadic::from(plane.signed_distance(point)) - &exact.value).abs();
        let allowed = &(&Dyadic::from(4.0) * &Dyadic::power_of_two(-53)) * &exact.weight;
        assert!(off <= allowed, "{plane:?} {point:?}: off by {:e}", off.roughly());
    }
}

#[test]
fn upright_planes_on_a_grid_give_the_exact_quotient() {
    let mut rng = Rng::new(seed(82));
    for _ in 0..5_000 {
        let axis = rng.below(3);
        let mut normal = [0.0; 3];
        normal[axis] = rng.pick(&[-1.0, 1.0]);
        let at = rng.int(-9, 9) as f64;
        let plane = Plane::new(normal, [at; 3]).expect("a normal");
        let line = grid_line(&mut rng, 9);
        let expected = (line.dir[axis] != 0.0).then(|| (at - line.origin[axis]) / line.dir[axis] + 0.0);
        assert_eq!(line_plane(&line.ray(), &plane), expected, "{line:?}");
    }
}

#[test]
fn parallels_miss_and_ends_belong_to_the_segment() {
    let wall = Plane::new([0.0, 0.0, 1.0], [0.0; 3]).expect("a normal");
    let within = Ray::new([1.0, 2.0, 0.0], [1.0, 0.0, -0.0]).expect("a sound ray");
    assert_eq!(ray_plane(&within, &wall), None);
    for (from, to, t) in
        [(1.0, 0.0, Some(1.0)), (0.0, 1.0, Some(0.0)), (2.0, 1.0, None), (-1.0, 1.0, Some(0.5))]
    {
        let segment = Ray::between([0.0, 0.0, from], [3.0, 0.0, to]).expect("two points");
        assert_eq!(ray_plane(&segment, &wall), t, "{from} to {to}");
    }
    let almost = Ray::new([0.0, 0.0, 1e30], [1.0, 0.0, -1e-300]).expect("a sound ray");
    assert_eq!(ray_plane(&almost, &wall), None, "beyond all numbers");
}
