//! Mistakes in the third document (the family of ray tests), each with an input that shows it: the document's formula as
//! it is printed, where it fails, and ours, which is right there.

use hitscan::glam::DVec3;
use hitscan::grid::{Grid, GridLimits};
use hitscan::intersect::{
    BoxFace, Inclusion, line_plane, ray_aabb_woo, ray_convex, ray_plane, ray_sphere,
    ray_triangle_moeller_trumbore, ray_triangle_through_plane,
};
use hitscan::shape::{Aabb, ConvexHull, Plane, Sphere, Triangle};
use hitscan::{Filter, Mesh, Ray};
use hitscan_oracle::Rng;
use hitscan_oracle::rng::seed;
use hitscan_oracle::solids::{line_aabb, line_sphere};
use hitscan_oracle::triangle::{Case, moeller_trumbore};

fn ray(origin: [f64; 3], dir: [f64; 3]) -> Ray {
    Ray::new(origin, dir).expect("a sound ray")
}

/// `A`, `B` and `C` of the sphere as printed: `B` has the squares of the direction where the direction belongs.
fn printed_coefficients(o: DVec3, d: DVec3, centre: DVec3, radius: f64) -> [f64; 3] {
    let (squares, f) = (d * d, o - centre);
    [squares.element_sum(), 2.0 * squares.dot(f), f.dot(f) - radius * radius]
}

#[test]
fn the_coefficient_b_of_the_sphere_has_squares_that_do_not_belong_there() {
    // Flying away along -x from a ball that lies behind.
    let (centre, radius) = (DVec3::ZERO, 1.0);
    let away = ray([-3.0, 0.0, 0.0], [-1.0, 0.0, 0.0]);
    let [a, b, c] = printed_coefficients(away.origin(), away.dir(), centre, radius);
    let root = (b * b - 4.0 * a * c).sqrt();
    assert_eq!((-b - root) / (2.0 * a), 2.0, "the printed form hits it in front, at t = 2");
    let ball = Sphere::new([0.0; 3], radius).expect("a sound sphere");
    assert!(ray_sphere(&away, &ball).is_none());
    // And a hit through the middle becomes a miss where the direction is slanted.
    let slanted = ray([-3.0, -4.0, 0.0], [0.6, 0.8, 0.0]);
    let [a, b, c] = printed_coefficients(slanted.origin(), slanted.dir(), centre, radius);
    assert!(b * b - 4.0 * a * c < 0.0);
    let chord = ray_sphere(&slanted, &ball).expect("through the middle");
    assert!((chord.span.enter - 4.0).abs() < 1e-14 && (chord.length - 2.0).abs() < 1e-14);
}

#[test]
fn the_classic_formula_is_printed_without_its_parentheses() {
    // 2 t^2 - 12 t + 16 = 0: t = 2 and 4.
    let (a, b, c) = (2.0f64, -12.0f64, 16.0f64);
    let printed = -b - (b * b - 4.0 * a * c).sqrt() / 2.0 * a;
    assert_eq!(printed, 8.0);
    let diagonal = ray([-3.0, -3.0, 0.0], [1.0, 1.0, 0.0]);
    let ball = Sphere::new([0.0; 3], f64::sqrt(2.0)).expect("a sound sphere");
    let chord = ray_sphere(&diagonal, &ball).expect("through the middle");
    assert!((chord.span.enter - 2.0).abs() < 1e-15 && (chord.span.exit - 4.0).abs() < 1e-15);
}

#[test]
fn a_direction_of_another_length_than_one_is_not_unusual() {
    // "A usually equals one": with A left out, a bullet's step of length 2 meets the ball elsewhere.
    let step = ray([-4.0, 0.0, 0.0], [2.0, 0.0, 0.0]);
    let (b, c) = (2.0 * step.dir().dot(step.origin()), step.origin().length_squared() - 1.0);
    let root = (b * b - 4.0 * c).sqrt();
    assert_ne!((-b - root) / 2.0, 1.5);
    let ball = Sphere::new([0.0; 3], 1.0).expect("a sound sphere");
    assert_eq!(ray_sphere(&step, &ball).expect("through the middle").span.enter, 1.5);
}

/// The roots by the classic formula, with the right coefficients and parentheses.
fn classic_roots(o: DVec3, d: DVec3, radius: f64) -> Option<[f64; 2]> {
    let (a, b, c) = (d.dot(d), 2.0 * d.dot(o), o.dot(o) - radius * radius);
    let discriminant = b * b - 4.0 * a * c;
    (discriminant >= 0.0).then(|| [-1.0, 1.0].map(|sign| (-b + sign * discriminant.sqrt()) / (2.0 * a)))
}

#[test]
fn the_classic_formula_cancels_and_loses_the_near_root() {
    // A millimetre before a ball of a thousand kilometres, slanted.
    let near = ray([-1_000_000.001, 0.3, 0.0], [0.7, 0.1, 0.0]);
    let ball = Sphere::new([0.0; 3], 1e6).expect("a sound sphere");
    let exact = line_sphere(near.origin().into(), near.dir().into(), [0.0; 3], 1e6).expect("a hit");
    let ours = ray_sphere(&near, &ball).expect("a hit").span.enter;
    assert!(exact.enters_near(ours, 42), "{ours:e}");
    let [classic, _] = classic_roots(near.origin(), near.dir(), ball.radius()).expect("a hit");
    assert!(!exact.enters_near(classic, 30), "{classic:e} for {ours:e}");
}

#[test]
fn the_discriminant_alone_misses_what_a_far_shooter_hits() {
    // B^2 and 4 A C are 1e16 times their difference.
    let far = ray([-1e9, 0.9, 0.0], [1.0, 0.0, 0.0]);
    let ball = Sphere::new([0.0; 3], 1.0).expect("a sound sphere");
    let chord = ray_sphere(&far, &ball).expect("0.9 from the middle");
    assert!((chord.length - 2.0 * 0.19f64.sqrt()).abs() < 1e-12);
    let [enter, exit] = classic_roots(far.origin(), far.dir(), 1.0).unwrap_or_default();
    assert!(((exit - enter) - chord.length).abs() > 0.01, "{enter} to {exit}");
}

#[test]
fn a_sphere_behind_the_origin_has_two_solutions_and_is_no_hit() {
    let away = ray([3.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    assert_eq!(classic_roots(away.origin(), away.dir(), 1.0), Some([-4.0, -2.0]), "pierced, as it says");
    assert!(ray_sphere(&away, &Sphere::new([0.0; 3], 1.0).expect("a sound sphere")).is_none());
}

/// Woo's steps as printed: planes whose normals look along the ray are rejected, the farthest crossing of the rest is tested
/// against the box, and that is all.
fn printed_woo(ray: &Ray, bounds: &Aabb) -> Option<f64> {
    let mut farthest = f64::NEG_INFINITY;
    for face in BoxFace::ALL {
        let at = if face.normal().element_sum() < 0.0 { bounds.low() } else { bounds.high() };
        if face.normal().dot(ray.dir()) <= 0.0 {
            let axis = face.axis();
            farthest = farthest.max((at[axis] - ray.origin()[axis]) / ray.dir()[axis]);
        }
    }
    bounds.contains(ray.at(farthest)).then_some(farthest)
}

#[test]
fn woos_steps_assume_a_start_outside_and_miss_from_inside() {
    let room = Aabb::new([0.0; 3], [4.0, 4.0, 3.0]).expect("a sound box");
    let from_inside = ray([1.0, 1.0, 1.0], [0.25, -2.0, 0.25]);
    assert_eq!(printed_woo(&from_inside, &room), Some(-1.5), "the wall behind, and none ahead");
    let hit = ray_aabb_woo(&from_inside, &room).expect("it starts there");
    assert_eq!(hit.span.crossings(&from_inside).collect::<Vec<_>>(), [0.5]);
    assert_eq!(hit.exit_face, BoxFace::LowY);
}

#[test]
fn woos_steps_never_ask_whether_the_box_lies_ahead() {
    let behind = Aabb::new([-4.0, -1.0, -1.0], [-2.0, 1.0, 1.0]).expect("a sound box");
    let away = ray([0.0; 3], [1.0, 0.125, 0.125]);
    assert_eq!(printed_woo(&away, &behind), Some(-4.0), "called a hit");
    assert_eq!(ray_aabb_woo(&away, &behind), None);
}

#[test]
fn woos_three_planes_are_more_where_the_direction_has_a_zero() {
    // A plane beside the ray does not face away from it, so it stays, with a crossing at infinity, the farthest.
    let unit = Aabb::new([0.0; 3], [1.0; 3]).expect("a sound box");
    let along_x = ray([-1.0, 0.5, 0.5], [1.0, 0.0, 0.0]);
    assert_eq!(printed_woo(&along_x, &unit), None, "through the middle");
    assert_eq!(ray_aabb_woo(&along_x, &unit).expect("through the middle").span.enter, 1.0);
}

#[test]
fn the_rounded_point_of_woos_last_step_lies_beside_boxes_that_are_hit() {
    // Through an edge of the box, as near as rounding aims; the judge says which lines touch.
    let (low, high) = ([0.1; 3], [0.7; 3]);
    let bounds = Aabb::new(low, high).expect("a sound box");
    let mut wrong = 0;
    for k in 1..200 {
        let dir = DVec3::new(0.5, 0.25, 0.125) * f64::from(k);
        let aimed = ray((DVec3::new(0.1, 0.7, 0.7) - dir / 3.0).into(), dir.into());
        let exact = line_aabb(aimed.origin().into(), aimed.dir().into(), low, high).is_some();
        assert_eq!(ray_aabb_woo(&aimed, &bounds).is_some(), exact, "{k}");
        wrong += usize::from(printed_woo(&aimed, &bounds).is_some() != exact);
    }
    assert!(wrong > 0, "the printed form was right every time");
}

#[test]
fn a_change_of_sides_is_not_yet_a_hit_on_a_hull() {
    let cube: Vec<[f64; 3]> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from)).collect();
    let hull = ConvexHull::from_points(cube).expect("a volume");
    let printed = |a: [f64; 3], b: [f64; 3]| {
        hull.planes().iter().any(|plane| (plane.signed_distance(a) < 0.0) != (plane.signed_distance(b) < 0.0))
    };
    // It crosses the plane of the top beside the cube.
    let (a, b) = ([3.0, 3.0, 2.0], [3.0, 3.0, 0.5]);
    assert!(printed(a, b), "reported as a collision");
    assert!(ray_convex(&Ray::between(a, b).expect("two points"), &hull).is_none());
    // And of several changes the first in the list is not the place of entry.
    let (a, b) = ([0.5, 0.25, -1.0], [0.5, 1.75, 2.0]);
    let path = Ray::between(a, b).expect("two points");
    let crossed: Vec<f64> = hull.planes().iter().filter_map(|plane| ray_plane(&path, plane)).collect();
    let hit = ray_convex(&path, &hull).expect("through the cube");
    assert!(crossed.len() > 2 && crossed.iter().any(|&t| t > hit.span.exit), "{crossed:?}");
    assert_eq!(hit.span.enter, 1.0 / 3.0);
}

#[test]
fn a_segment_inside_a_hull_changes_no_sign() {
    let cube: Vec<[f64; 3]> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from)).collect();
    let hull = ConvexHull::from_points(cube).expect("a volume");
    let inside = Ray::between([0.25; 3], [0.75; 3]).expect("two points");
    assert!(hull.planes().iter().all(|plane| ray_plane(&inside, plane).is_none()));
    let hit = ray_convex(&inside, &hull).expect("it is in the solid");
    assert!(hit.span.starts_inside(&inside) && hit.span.crossings(&inside).next().is_none());
}

#[test]
fn linear_algebra_does_offer_an_improvement_over_the_plane() {
    // "None of them offers a significant improvement": on slivers the plane's normal is rounding alone, and Cramer's rule,
    // which never looks at it by itself, is right.
    let mut rng = Rng::new(seed(221));
    let mut wrong = [0; 2];
    for _ in 0..2_000 {
        let (a, b, start) = (rng.in_cube(1.0), rng.in_cube(1.0), rng.in_cube(3.0));
        let beside: [f64; 3] = rng.in_cube(1e-9);
        let (along, aim) = (rng.unit(), rng.unit());
        let c: [f64; 3] = std::array::from_fn(|i| a[i] + along * (b[i] - a[i]) + beside[i]);
        // Along the middle of the sliver, so that the truth does not hang by a thread.
        let target: [f64; 3] = std::array::from_fn(|i| (c[i] + a[i] + aim * (b[i] - a[i])) / 2.0);
        let path = ray(start, std::array::from_fn(|i| target[i] - start[i]));
        let sliver = Triangle::new(a, b, c).expect("in range");
        let case = Case { origin: start, dir: path.dir().into(), corners: [a, b, c] };
        let exact = moeller_trumbore(&case).hit(0.0, f64::INFINITY);
        let through = ray_triangle_through_plane(&path, &sliver, Inclusion::EdgeFunctions);
        wrong[0] += usize::from(through.is_some() != exact);
        wrong[1] += usize::from(ray_triangle_moeller_trumbore(&path, &sliver).is_some() != exact);
    }
    assert!(wrong[0] > 100 && wrong[1] == 0, "wrong through the plane, and by Cramer's rule: {wrong:?}");
}

/// The march as printed: cell after cell along x, and the hit of the first cell whose triangles are hit is the answer.
fn printed_march(ray: &Ray, triangles: &[[[f32; 3]; 3]], planes: &[f64]) -> Option<f64> {
    planes.windows(2).find_map(|cell| {
        let touches = |corners: &&[[f32; 3]; 3]| {
            let along = corners.map(|corner| f64::from(corner[0]));
            along.iter().any(|&x| x <= cell[1]) && along.iter().any(|&x| x >= cell[0])
        };
        let hit = |corners: &[[f32; 3]; 3]| {
            let [a, b, c] = corners.map(|corner| corner.map(f64::from));
            ray_triangle_moeller_trumbore(ray, &Triangle::new(a, b, c).expect("in range")).map(|hit| hit.t)
        };
        triangles.iter().filter(touches).filter_map(hit).min_by(f64::total_cmp)
    })
}

#[test]
fn the_hit_of_the_first_unknown_cell_is_not_the_first_hit() {
    // The roof reaches into the first cell, but the ray meets it in the last one; the post stands between.
    let roof = [[0.0f32, 4.0, -4.0], [0.0, 4.0, 4.0], [4.0, 0.0, 0.0]];
    let post = [[1.5f32, 0.0, -1.0], [1.5, 0.0, 1.0], [1.5, 2.0, 0.0]];
    let path = ray([-1.0, 0.5, 0.0], [1.0, 0.0, 0.0]);
    assert_eq!(printed_march(&path, &[roof, post], &[0.0, 1.0, 2.0, 3.0, 4.0]), Some(4.5));
    let mesh = Mesh::new([roof, post].concat(), [[0u32, 1, 2], [3, 4, 5]]).expect("a sound mesh");
    let grid = Grid::with_resolution(&mesh, [4, 1, 1], GridLimits::default()).expect("few cells");
    let hit = grid.closest(&path, &Filter::ALL).expect("the post");
    assert_eq!((hit.t, hit.prim), (2.5, 1));
}

#[test]
fn the_ray_that_has_no_crossing_is_parallel_to_the_plane_not_to_its_normal() {
    // "A ray parallel to the vector will return (n . dir) = 0": along the normal vector it is not 0.
    let ground = Plane::new([0.0, 1.0, 0.0], [0.0; 3]).expect("a normal");
    let along_the_normal = ray([0.0, 3.0, 0.0], [0.0, -1.0, 0.0]);
    assert_eq!(ground.normal().dot(along_the_normal.dir()), -1.0);
    assert_eq!(ray_plane(&along_the_normal, &ground), Some(3.0));
    assert_eq!(line_plane(&ray([0.0, 3.0, 0.0], [1.0, 0.0, 0.0]), &ground), None);
}
