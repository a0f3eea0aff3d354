//! What is wrong in the documents that the triangle tests came from: each formula as it was printed, the input on
//! which it fails, and the library's answer to the same question.

#![allow(
    clippy::manual_range_contains,
    reason = "as printed: NaN passes `x < 0 || x > 1`, but is in no range"
)]

use std::cell::RefCell;

use hitscan::glam::{DVec3, Vec3};
use hitscan::intersect::{
    CollisionError, CollisionMatrix, Inclusion, Segment, line_triangle, ray_triangle_moeller_trumbore,
    ray_triangle_through_plane,
};
use hitscan::shape::Triangle;
use hitscan::{Face, Ray};

type Corners = [DVec3; 3];

/// With the corners (0, 0, 0), (4, 0, 0) and (0, 4, 0).
const PANE: Corners = [DVec3::ZERO, DVec3::new(4.0, 0.0, 0.0), DVec3::new(0.0, 4.0, 0.0)];

fn triangle([a, b, c]: Corners) -> Triangle {
    Triangle::new(a, b, c).expect("in range")
}

fn matrix(corners: Corners) -> CollisionMatrix {
    CollisionMatrix::new(&triangle(corners)).expect("it has an area")
}

fn segment(from: DVec3, to: DVec3) -> Segment {
    Segment::new(from, to).expect("it goes somewhere")
}

/// Source 1: the collision matrix.
mod collision_matrix {
    use super::*;

    type Rows = [[f64; 4]; 3];

    /// `create_collision_matrix` with a given second axis.
    fn create_with([a, b, _]: Corners, second: DVec3, offset_sign: f64) -> Rows {
        let (e, f) = (b - a, second);
        let n = e.cross(f);
        let inverse = 1.0 / n.dot(n);
        let rows = [f.cross(n) * inverse, n.cross(e) * inverse, n * inverse];
        rows.map(|row| [row.x, row.y, row.z, offset_sign * row.dot(a)])
    }

    fn create(corners: Corners) -> Rows {
        create_with(corners, corners[2] - corners[0], -1.0)
    }

    fn collide(r: &Rows, j: DVec3, k: DVec3) -> Option<[f64; 2]> {
        let at = |row: usize, p: DVec3| r[row][0] * p.x + r[row][1] * p.y + r[row][2] * p.z + r[row][3];
        let (j2, k2) = (at(2, j), at(2, k));
        if j2 * k2 >= 0.0 {
            return None;
        }
        let (j0, k0) = (at(0, j), at(0, k));
        let i0 = j0 + j2 * ((k0 - j0) / (j2 - k2));
        if i0 < 0.0 || i0 > 1.0 {
            return None;
        }
        let (j1, k1) = (at(1, j), at(1, k));
        let i1 = j1 + j2 * ((k1 - j1) / (j2 - k2));
        if i1 < 0.0 || i1 > 1.0 || i0 + i1 > 1.0 {
            return None;
        }
        Some([i0, i1])
    }

    /// The text says to go on where one end lies in the plane; the code drops it.
    #[test]
    fn touching_end_points_are_dropped() {
        let (above, on) = (DVec3::new(1.0, 1.0, 2.0), DVec3::new(1.0, 1.0, 0.0));
        assert_eq!(collide(&create(PANE), above, on), None);
        assert_eq!(collide(&create(PANE), on, above), None);
        assert_eq!(matrix(PANE).hit(&segment(above, on)).map(|hit| hit.t), Some(1.0));
        assert_eq!(matrix(PANE).hit(&segment(on, above)).map(|hit| hit.t), Some(0.0));
    }

    /// Two small heights of opposite sign, whose product is 0.
    #[test]
    fn the_product_of_the_heights_underflows() {
        let (above, below) = (DVec3::new(1.0, 1.0, 1e-170), DVec3::new(1.25, 1.0, -1e-170));
        assert_eq!(collide(&create(PANE), above, below), None);
        let hit = matrix(PANE).hit(&segment(above, below)).expect("it goes through");
        assert_eq!((hit.t, hit.u), (0.5, 0.28125));
    }

    /// 1/0 makes a matrix of NaN, and NaN passes every refusal.
    #[test]
    fn a_triangle_without_area_is_hit_from_everywhere() {
        let line = [DVec3::ZERO, DVec3::X, DVec3::X * 2.0];
        let (j, k) = (DVec3::new(50.0, 60.0, 70.0), DVec3::new(51.0, 60.0, 70.0));
        assert!(collide(&create(line), j, k).is_some());
        assert_eq!(CollisionMatrix::new(&triangle(line)), Err(CollisionError::Degenerate { triangle: 0 }));
    }

    /// The square of a small area is 0, so the same happens to a small triangle.
    #[test]
    fn a_small_triangle_is_hit_from_everywhere() {
        let small = PANE.map(|corner| corner * 1e-90);
        let (j, k) = (DVec3::new(50.0, 60.0, 70.0), DVec3::new(51.0, 60.0, 71.0));
        assert!(collide(&create(small), j, k).is_some());
        assert_eq!(matrix(small).hit(&segment(j, k)), None);
    }

    /// `-M^-1 A` cancels against `M^-1 j`: a shot through the middle of a triangle far from the origin misses.
    #[test]
    fn far_from_the_origin_the_offset_eats_the_digits() {
        let place = DVec3::new(3e11, 1e11, -7e11);
        let wall = [DVec3::ZERO, DVec3::new(1.0, 2.0, -1.0), DVec3::new(2.0, -1.0, 1.0)].map(|p| p + place);
        // In the plane's coordinates (1/4, 1/4), from one side to the other.
        let (j, k) = (place + DVec3::new(0.75, 0.25, 8.0), place + DVec3::new(0.75, 0.25, -8.0));
        let hit = matrix(wall).hit(&segment(j, k)).expect("it goes through");
        assert_eq!((hit.t, hit.u, hit.v), (0.5, 0.25, 0.25));
        let printed = collide(&create(wall), j, k);
        let off = printed.map_or(1.0, |[u, v]| (u - 0.25).abs().max((v - 0.25).abs()));
        assert!(off > 1e-6, "{printed:?}");
    }

    /// The result is `u` and `v` alone: of two walls, nothing tells which is hit first.
    #[test]
    fn the_result_leaves_out_where_along_the_path_it_is() {
        let wall = |z: f64| PANE.map(|corner| corner + DVec3::Z * z);
        let (j, k) = (DVec3::new(1.0, 2.0, 8.0), DVec3::new(1.0, 2.0, -8.0));
        assert_eq!(collide(&create(wall(0.0)), j, k), collide(&create(wall(4.0)), j, k));
        let t = |z: f64| matrix(wall(z)).hit(&segment(j, k)).map(|hit| hit.t);
        assert_eq!((t(0.0), t(4.0)), (Some(0.5), Some(0.25)));
    }

    /// "b = C - B", says the comment; "C - A", says the code, and is right.
    #[test]
    fn the_comment_on_the_second_axis_contradicts_the_code() {
        let (j, k) = (DVec3::new(1.0, 2.0, 1.0), DVec3::new(1.0, 2.0, -1.0));
        let by_comment = create_with(PANE, PANE[2] - PANE[1], -1.0);
        assert_eq!(collide(&by_comment, j, k), Some([0.75, 0.5]).filter(|[u, v]| u + v <= 1.0));
        let hit = matrix(PANE).hit(&segment(j, k)).expect("it goes through");
        assert_eq!((hit.u, hit.v), (0.25, 0.5));
    }

    /// "O = M^-1 A", says the comment; the code has the sign that is needed.
    #[test]
    fn the_comment_on_the_offset_lacks_its_sign() {
        let wall = PANE.map(|corner| corner + DVec3::new(8.0, 0.0, 0.0));
        let (j, k) = (DVec3::new(9.0, 2.0, 1.0), DVec3::new(9.0, 2.0, -1.0));
        assert_eq!(collide(&create_with(wall, wall[2] - wall[0], 1.0), j, k), None);
        assert_eq!(matrix(wall).hit(&segment(j, k)).map(|hit| (hit.u, hit.v)), Some((0.25, 0.5)));
    }

    /// Everything is divided by `c . c` before it is compared, so shots of whole numbers at the middle of an edge, which are
    /// hits by the text, fall beside it.
    #[test]
    fn dividing_first_loses_shots_at_an_edge() {
        let (mut lost, mut all) = (0, 0);
        for x in 1..12 {
            for y in 1..12 {
                let corners = [[2, 4, -6], [2 + 2 * x, 8, 4 - 2 * y], [-4, 2 * y, 2 * x]];
                let corners = corners.map(|corner| DVec3::from(corner.map(f64::from)));
                let through = DVec3::new(1.0, -3.0, 7.0);
                for edge in 0..3 {
                    let middle = (corners[edge] + corners[(edge + 1) % 3]) / 2.0;
                    let (j, k) = (middle - through, middle + through * 2.0);
                    if (corners[1] - corners[0]).cross(corners[2] - corners[0]).dot(through) == 0.0 {
                        continue;
                    }
                    all += 1;
                    lost += usize::from(collide(&create(corners), j, k).is_none());
                    assert!(matrix(corners).hit(&segment(j, k)).is_some(), "{corners:?} at edge {edge}");
                }
            }
        }
        assert!(lost > all / 10, "{lost} of {all}");
    }

    /// And one for all answers: what the first shot found is lost when the second is asked about.
    #[test]
    fn the_static_result_is_overwritten_by_the_next_question() {
        thread_local!(static I: RefCell<[f64; 2]> = const { RefCell::new([0.0; 2]) });
        let ask = |j, k| {
            I.with(|i| collide(&create(PANE), j, k).inspect(|found| *i.borrow_mut() = *found).is_some())
        };
        let shot = |x: f64, y: f64| (DVec3::new(x, y, 1.0), DVec3::new(x, y, -1.0));
        let [(j, k), (other_j, other_k)] = [shot(1.0, 2.0), shot(2.0, 1.0)];
        assert!(ask(j, k) && ask(other_j, other_k));
        // Both answers point here.
        assert_eq!(I.with(|i| *i.borrow()), [0.5, 0.25]);
        let (first, _second) =
            (matrix(PANE).hit(&segment(j, k)), matrix(PANE).hit(&segment(other_j, other_k)));
        assert_eq!(first.map(|hit| (hit.u, hit.v)), Some((0.25, 0.5)));
    }

    /// One static buffer for all matrices: the second overwrites the first, which the model still holds.
    #[test]
    fn the_static_buffer_is_overwritten_by_the_next_triangle() {
        thread_local!(static R: RefCell<Rows> = const { RefCell::new([[0.0; 4]; 3]) });
        let create_static = |corners| R.with(|r| *r.borrow_mut() = create(corners));
        let far = PANE.map(|corner| corner + DVec3::new(100.0, 0.0, 0.0));
        create_static(PANE);
        create_static(far); // what was returned for the first one points here too
        let (j, k) = (DVec3::new(1.0, 2.0, 1.0), DVec3::new(1.0, 2.0, -1.0));
        assert_eq!(R.with(|r| collide(&r.borrow(), j, k)), None);
        let (first, _second) = (matrix(PANE), matrix(far));
        assert!(first.hit(&segment(j, k)).is_some());
    }
}

/// Source 2: Moeller and Trumbore's test, as in the DirectX SDK's sample Pick.
mod directx_pick {
    use super::*;

    /// Gives `t`, `u` and `v`.
    fn intersects(o: DVec3, dir: DVec3, [a, b, c]: Corners) -> Option<[f64; 3]> {
        let (e1, e2) = (b - a, c - a);
        let p = dir.cross(e2);
        let mut det = e1.dot(p);
        let t = if det > 0.0 { o - a } else { a - o };
        det = det.abs();
        if det < f64::from(0.0001f32) {
            return None;
        }
        let u = t.dot(p);
        if u < 0.0 || u > det {
            return None;
        }
        let q = t.cross(e1);
        let v = dir.dot(q);
        if v < 0.0 || u + v > det {
            return None;
        }
        let inverse = 1.0 / det;
        let [t, u, v] = [e2.dot(q), u, v].map(|x| x * inverse);
        (t >= 0.0).then_some([t, u, v])
    }

    fn ours(o: DVec3, dir: DVec3, corners: Corners) -> Option<[f64; 3]> {
        let ray = Ray::new(o, dir).expect("it goes somewhere");
        ray_triangle_moeller_trumbore(&ray, &triangle(corners)).map(|hit| [hit.t, hit.u, hit.v])
    }

    /// `det < 0.0001`: a coin a centimetre across, straight ahead, is called parallel.
    #[test]
    fn the_absolute_epsilon_hides_small_triangles() {
        let (o, down) = (DVec3::new(1.0 / 512.0, 1.0 / 512.0, 1.0), -DVec3::Z);
        let coin = PANE.map(|corner| corner / 512.0);
        assert_eq!(intersects(o, down, coin), None);
        assert_eq!(ours(o, down, coin), Some([1.0, 0.25, 0.25]));
    }

    /// The same ray with a shorter direction loses a triangle of any size.
    #[test]
    fn the_absolute_epsilon_depends_on_the_direction_s_length() {
        let o = DVec3::new(1.0, 1.0, 1.0);
        let (long, short) = (-DVec3::Z, DVec3::new(0.0, 0.0, -1.0 / (1 << 20) as f64));
        assert!(intersects(o, long, PANE).is_some() && intersects(o, short, PANE).is_none());
        assert_eq!(ours(o, short, PANE), Some([(1 << 20) as f64, 0.25, 0.25]));
    }

    /// The text asks for `v + v <= 1`, the code rightly for `u + v <= 1`.
    #[test]
    fn the_condition_in_the_text_counts_v_twice() {
        let as_printed = |u: f64, v: f64| u >= 0.0 && v >= 0.0 && v + v <= 1.0;
        let hit = |u: f64, v: f64| ours(DVec3::new(4.0 * u, 4.0 * v, 1.0), -DVec3::Z, PANE).is_some();
        assert!(as_printed(0.875, 0.25) && !hit(0.875, 0.25), "outside");
        assert!(!as_printed(0.125, 0.75) && hit(0.125, 0.75), "inside");
    }

    /// The text walks from V0 along the edge V1V2, then V0V2; the first edge is V0V1.
    #[test]
    fn the_text_walks_along_the_wrong_edge() {
        let [v0, v1, v2] = PANE;
        let (u, v) = (0.25, 0.5);
        let as_printed = v0 + (v2 - v1) * u + (v2 - v0) * v;
        let formula = v0 * (1.0 - u - v) + v1 * u + v2 * v;
        assert_ne!(as_printed, formula);
        assert_eq!(triangle(PANE).point(u, v), formula);
    }

    /// The last formula writes its denominator between bars, as it writes determinants; as an absolute value it puts
    /// whatever is seen from behind behind the eye.
    #[test]
    fn the_bars_of_the_last_formula_are_no_absolute_value() {
        let [v0, v1, v2] = PANE;
        let (o, d) = (DVec3::new(1.0, 2.0, -3.0), DVec3::Z);
        let (e1, e2, s) = (v1 - v0, v2 - v0, o - v0);
        let (p, q) = (d.cross(e2), s.cross(e1));
        let as_printed = [q.dot(e2), p.dot(s), q.dot(d)].map(|x| x / p.dot(e1).abs());
        assert_eq!(as_printed, [-3.0, -0.25, -0.5]);
        assert_eq!(ours(o, d, PANE), Some([3.0, 0.25, 0.5]));
    }

    /// `t * (1 / det)` rounds twice: the end of a segment comes to lie before, or behind, its end.
    #[test]
    fn the_reciprocal_rounds_twice() {
        let wall = [DVec3::ZERO, DVec3::new(7.0, 0.0, 0.0), DVec3::new(0.0, 7.0, 0.0)];
        let o = DVec3::new(1.0, 1.0, 1.0);
        assert_eq!(intersects(o, -DVec3::Z, wall).map(|[t, ..]| t), Some(1.0f64.next_down()));
        assert_eq!(ours(o, -DVec3::Z, wall).map(|[t, ..]| t), Some(1.0));
    }
}

/// Source 4: the ray test of the XNA triangle class, in its `float`.
mod xna_triangle {
    use super::*;

    fn intersects(position: Vec3, direction: Vec3, vertex: [Vec3; 3]) -> Option<f32> {
        /// C#'s `float.Epsilon`, the smallest number above 0.
        const EPSILON: f32 = f32::from_bits(1);
        let (edge1, edge2) = (vertex[2] - vertex[1], vertex[0] - vertex[1]);
        let direction_cross_edge2 = direction.cross(edge2);
        let determinant = edge1.dot(direction_cross_edge2);
        if determinant > -EPSILON && determinant < EPSILON {
            return None;
        }
        let inverse = 1.0 / determinant;
        let distance_vector = position - vertex[1];
        let u = distance_vector.dot(direction_cross_edge2) * inverse;
        if u < 0.0 || u > 1.0 {
            return None;
        }
        let distance_cross_edge1 = distance_vector.cross(edge1);
        let v = direction.dot(distance_cross_edge1) * inverse;
        if v < 0.0 || u + v > 1.0 {
            return None;
        }
        Some(edge2.dot(distance_cross_edge1) * inverse)
    }

    /// "The distance from the origin of the ray": only where the direction has length 1.
    #[test]
    fn the_distance_is_none_unless_the_direction_is_normalised() {
        let (position, direction) = (Vec3::new(1.0, 1.0, 6.0), Vec3::new(0.0, 0.0, -2.0));
        let vertex = PANE.map(|corner| corner.as_vec3());
        assert_eq!(intersects(position, direction, vertex), Some(3.0), "but it is 6 away");
        let ray = Ray::from_f32(position, direction).expect("it goes somewhere");
        let hit = line_triangle(&ray, &triangle(PANE)).expect("it goes through");
        assert_eq!((hit.t, hit.t * ray.dir().length()), (3.0, 6.0));
    }

    /// `float.Epsilon` is no tolerance: it lets determinants through whose reciprocal is infinite.
    #[test]
    fn the_smallest_determinants_have_no_reciprocal() {
        let tiny = 1e-21f32;
        let vertex = [Vec3::new(0.0, tiny, 0.0), Vec3::ZERO, Vec3::new(tiny, 0.0, 0.0)];
        let (position, down) = (Vec3::Z, -Vec3::Z);
        let printed = intersects(position, down, vertex);
        assert!(printed.is_some_and(|distance| !distance.is_finite()), "{printed:?}");
        let ray = Ray::from_f32(position, down).expect("it goes somewhere");
        let corners = [vertex[1], vertex[2], vertex[0]].map(|corner| corner.as_dvec3());
        assert_eq!(line_triangle(&ray, &triangle(corners)).map(|hit| hit.t), Some(1.0));
    }

    /// Two neighbours of a quad, and a ray through their shared edge: `float` lets it through between them.
    #[test]
    fn single_precision_leaks_between_neighbours() {
        let corner = |x: f32, y: f32| Vec3::new(x, y, 0.3 * x + 0.7 * y);
        let [a, b, c, d] = [corner(0.1, 0.2), corner(3.3, 0.4), corner(3.7, 2.9), corner(-0.3, 3.1)];
        let position = Vec3::new(0.7, -9.1, 13.3);
        let (mut leaks, mut ours) = (0, 0);
        for i in 1..1000 {
            let target = a + (c - a) * (i as f32 / 1000.0);
            let direction = target - position;
            let quad = [[a, b, c], [a, c, d]];
            leaks += usize::from(quad.iter().all(|t| intersects(position, direction, *t).is_none()));
            let ray = Ray::from_f32(position, direction).expect("it goes somewhere");
            let hit = |t: &[Vec3; 3]| line_triangle(&ray, &triangle(t.map(|p| p.as_dvec3()))).is_some();
            ours += usize::from(!quad.iter().any(hit));
        }
        assert!(leaks > 0, "the printed test leaks {leaks} of 999");
        assert_eq!(ours, 0, "in f64 the neighbours overlap or meet on these");
    }
}

/// Source 5: the plane and the sum of three angles.
mod angle_sum {
    use super::*;

    /// The plane part: 0 stands for a parallel ray, else how far along the ray the plane is met.
    fn amount(start: DVec3, stop: DVec3, corners: Corners) -> f64 {
        let plane = triangle(corners).plane().expect("it has an area");
        let ray = stop - start;
        if plane.normal().dot(ray) == 0.0 {
            0.0
        } else {
            -plane.signed_distance(start) / plane.normal().dot(ray)
        }
    }

    /// The sum of the angles that a point sees between the corners.
    fn sum_of_angles(point: DVec3, corners: Corners) -> f64 {
        let [a, b, c] = corners.map(|corner| corner - point);
        let angle = |p: DVec3, q: DVec3| (p.dot(q) / (p.length() * q.length())).acos();
        angle(a, b) + angle(b, c) + angle(c, a)
    }

    fn ours(start: DVec3, stop: DVec3, corners: Corners) -> Option<(f64, Face)> {
        let ray = Ray::between(start, stop).expect("it goes somewhere");
        let hit = ray_triangle_through_plane(&ray, &triangle(corners), Inclusion::AngleSum);
        hit.map(|hit| (hit.t, hit.facing))
    }

    /// 0 means "parallel" and "at the start" alike, so a shot beside a wall hits the shooter's own place.
    #[test]
    fn a_parallel_ray_is_a_hit_at_distance_0() {
        let (start, stop) = (DVec3::new(1.0, 1.0, 1.0), DVec3::new(2.0, 1.0, 1.0));
        let touching = DVec3::new(1.0, 1.0, 0.0);
        assert_eq!(amount(start, stop, PANE), amount(touching, DVec3::new(1.0, 1.0, -1.0), PANE));
        assert_eq!(ours(start, stop, PANE), None);
        assert_eq!(ours(touching, DVec3::new(1.0, 1.0, -1.0), PANE), Some((0.0, Face::Front)));
    }

    /// A triangle without area has a normal of 0, so every ray is parallel to it: again "distance 0".
    #[test]
    fn a_triangle_without_area_is_a_hit_at_distance_0() {
        let line = [DVec3::ZERO, DVec3::X, DVec3::X * 2.0];
        let normal = (line[1] - line[0]).cross(line[2] - line[0]);
        let (start, stop) = (DVec3::new(0.5, 0.0, 1.0), DVec3::new(0.5, 0.0, -1.0));
        assert_eq!(normal.dot(stop - start), 0.0, "where the printed code returns 0");
        assert!(triangle(line).plane().is_err());
        assert_eq!(ours(start, stop, line), None);
    }

    /// The segment has two ends, and the code looks at neither.
    #[test]
    fn triangles_behind_the_start_and_beyond_the_stop_are_hit() {
        for (from, to, expected) in [(3.0, 5.0, -1.5), (5.0, 3.0, 2.5)] {
            let (start, stop) = (DVec3::new(1.0, 1.0, from), DVec3::new(1.0, 1.0, to));
            let amount = amount(start, stop, PANE);
            let point = start + (stop - start) * amount;
            assert_eq!(amount, expected);
            assert!((sum_of_angles(point, PANE) - std::f64::consts::TAU).abs() < 1e-6, "called a hit");
            assert_eq!(ours(start, stop, PANE), None);
        }
    }

    /// From a corner itself there is no direction to that corner: 0/0.
    #[test]
    fn a_point_on_a_corner_has_no_angles() {
        assert!(sum_of_angles(PANE[1], PANE).is_nan());
        assert_eq!(ours(PANE[1] + DVec3::Z, PANE[1] - DVec3::Z, PANE), Some((0.5, Face::Front)));
    }

    /// A cosine that is rounded below -1 has no angle: points on edges get lost.
    #[test]
    fn a_point_on_an_edge_may_have_no_angle() {
        let steep = [DVec3::ZERO, DVec3::new(3.0, 5.0, 7.0), DVec3::new(-2.0, 4.0, 1.0)];
        let on_edge = |i: u32| steep[1] * (f64::from(i) / 1024.0);
        let lost = (1..1024).filter(|&i| sum_of_angles(on_edge(i), steep).is_nan()).count();
        assert!(lost > 10, "{lost} of 1023");
        let step = DVec3::new(0.0, 0.0, 8.0);
        assert!((1..1024).all(|i| ours(on_edge(i) + step, on_edge(i) - step, steep).is_some()));
    }

    /// "Roughly equal to 2 pi": the arccosine is flat at -1, so the last hundred-millionth outside an edge looks
    /// like the inside.
    #[test]
    fn the_arccosine_cannot_tell_inside_from_a_little_outside() {
        let outside = DVec3::new(2.0, -1e-9, 0.0);
        let loss = (sum_of_angles(outside, PANE) - std::f64::consts::TAU).abs();
        let inside = DVec3::new(2.0, 1e-9, 0.0);
        let loss_inside = (sum_of_angles(inside, PANE) - std::f64::consts::TAU).abs();
        assert!(loss <= 1e-8 && loss_inside <= 1e-8, "{loss:e}, {loss_inside:e}");
        assert_eq!(ours(outside + DVec3::Z, outside - DVec3::Z, PANE), None);
        assert!(ours(inside + DVec3::Z, inside - DVec3::Z, PANE).is_some());
    }
}
