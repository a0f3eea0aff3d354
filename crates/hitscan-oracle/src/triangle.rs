//! One line and one triangle in `f64`, without any rounding: the sums that each textbook algorithm decides by, with
//! their weights.
//!
//! The values say what the answer is; the weights say how far an algorithm that rounds may be off. All formulas
//! agree in their values' signs and quotients, which a test makes sure of.

use crate::dyadic::{Dyadic, Vector, Weighed, cross, difference, dot, given};

/// A line by a point and a direction, and three corners.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// `t = 0`.
    pub origin: [f64; 3],
    /// The unit of `t`.
    pub dir: [f64; 3],
    /// A, B and C.
    pub corners: [[f64; 3]; 3],
}

/// The sums of one algorithm: weights of the corners over their determinant, `t` over its own.
#[derive(Clone, Debug)]
pub struct Sums {
    /// The weights of A, B and C times `det`.
    pub corners: [Weighed; 3],
    /// Positive where the line runs against the normal; 0 where it is parallel, or the triangle has no area.
    pub det: Weighed,
    /// `t` times `t_den`.
    pub t_num: Weighed,
    /// What `t_num` is divided by.
    pub t_den: Weighed,
}

/// Cramer's rule, as Moeller and Trumbore arrange it.
pub fn moeller_trumbore(case: &Case) -> Sums {
    let [a, b, c] = case.corners;
    let (e, f) = (difference(b, a), difference(c, a));
    let dir = given(case.dir);
    let p = cross(&dir, &f);
    let det = dot(&e, &p);
    let s = difference(case.origin, a);
    let q = cross(&s, &e);
    let (u, v, t_num) = (dot(&s, &p), dot(&dir, &q), dot(&f, &q));
    Sums { corners: [&(&det - &u) - &v, u, v], t_den: det.clone(), det, t_num }
}

/// The collision matrix: both ends in the triangle's frame; the second is the direction.
pub fn collision_matrix(case: &Case) -> Sums {
    matrix_sums(case, given(case.dir), false)
}

/// The collision matrix for a segment: `end` is its second end, and `case.dir` is not looked at.
pub fn collision_matrix_of_segment(case: &Case, end: [f64; 3]) -> Sums {
    matrix_sums(case, difference(end, case.corners[0]), true)
}

fn matrix_sums(case: &Case, end: Vector, end_is_a_point: bool) -> Sums {
    let [a, b, c] = case.corners;
    let (e, f) = (difference(b, a), difference(c, a));
    let n = cross(&e, &f);
    let (along_e, along_f) = (cross(&f, &n), cross(&n, &e));
    let start = difference(case.origin, a);
    let (start_z, end_z) = (dot(&n, &start), dot(&n, &end));
    let side = if end_is_a_point { &start_z - &end_z } else { -&end_z };
    let det = &side * &dot(&n, &n);
    let along = |row: &Vector| &(&dot(row, &end) * &start_z) - &(&dot(row, &start) * &end_z);
    let (u, v) = (along(&along_e), along(&along_f));
    Sums { corners: [&(&det - &u) - &v, u, v], det, t_num: start_z, t_den: side }
}

/// The plane, then the edge functions in the plane of the two axes along which the normal is not longest.
pub fn edge_functions(case: &Case) -> Sums {
    let plane = Plane::new(case);
    let [a, b, c] = plane.flat();
    let function = |p: &[Weighed; 2], q: &[Weighed; 2]| &(&p[0] * &q[1]) - &(&p[1] * &q[0]);
    let corners = [function(&b, &c), function(&c, &a), function(&a, &b)];
    let det = &(&corners[0] + &corners[1]) + &corners[2];
    // As in the library, the side of the hit comes from the plane.
    let flip = det.value.signum() * plane.side.value.signum() < 0;
    let turned = |x: Weighed| if flip { -&x } else { x };
    Sums { corners: corners.map(turned), det: turned(det), t_num: plane.height, t_den: plane.side }
}

/// The plane, then the two equations in the dot products of the edges.
pub fn barycentric(case: &Case) -> Sums {
    let plane = Plane::new(case);
    let [e, f] = &plane.edges;
    let (ee, ef, ff) = (dot(e, e), dot(e, f), dot(f, f));
    let (xe, xf) = (dot(&plane.from[0], e), dot(&plane.from[0], f));
    let u = &(&ff * &xe) - &(&ef * &xf);
    let v = &(&ee * &xf) - &(&ef * &xe);
    let det = &(&(&ee * &ff) - &(&ef * &ef)) * &plane.side;
    Sums { corners: [&(&det - &u) - &v, u, v], det, t_num: plane.height, t_den: plane.side }
}

/// How close to a full turn the angle between two corners comes that a point sees in line with them, for each edge:
/// whether it is within `2^-bits` times the squares of the corners' distances.
pub fn nearly_in_line(case: &Case, bits: i64) -> bool {
    let [a, b, c] = Plane::new(case).flat().map(|p| p.map(|x| x.value));
    let square = |p: &[Dyadic; 2]| &(&p[0] * &p[0]) + &(&p[1] * &p[1]);
    [(&a, &b), (&b, &c), (&c, &a)].into_iter().any(|(p, q)| {
        let function = &(&p[0] * &q[1]) - &(&p[1] * &q[0]);
        function.abs() <= &(&square(p) + &square(q)) * &Dyadic::power_of_two(-bits)
    })
}

/// The crossing of line and plane, and what is seen from there.
struct Plane {
    edges: [Vector; 2],
    normal: Vector,
    side: Weighed,
    height: Weighed,
    /// `side` times the way from each corner to the crossing.
    from: [Vector; 3],
}

impl Plane {
    fn new(case: &Case) -> Plane {
        let [a, b, c] = case.corners;
        let edges = [difference(b, a), difference(c, a)];
        let normal = cross(&edges[0], &edges[1]);
        let dir = given(case.dir);
        let side = -&dot(&normal, &dir);
        let height = dot(&normal, &difference(case.origin, a));
        let from = case.corners.map(|corner| {
            let way = difference(case.origin, corner);
            [0, 1, 2].map(|axis| &(&way[axis] * &side) + &(&dir[axis] * &height))
        });
        Plane { edges, normal, side, height, from }
    }

    /// Without the axis along which the normal is longest.
    fn flat(&self) -> [[Weighed; 2]; 3] {
        let size = |axis: usize| self.normal[axis].value.abs();
        let mut longest = 0;
        for axis in [1, 2] {
            if size(axis) > size(longest) {
                longest = axis;
            }
        }
        let kept: Vec<usize> = (0..3).filter(|&axis| axis != longest).collect();
        self.from.clone().map(|from| [from[kept[0]].clone(), from[kept[1]].clone()])
    }
}

impl Sums {
    /// Whether the line passes through the closed triangle, at a `t` in the closed interval.
    pub fn hit(&self, t_min: f64, t_max: f64) -> bool {
        let side = self.det.value.signum();
        side != 0
            && self.corners.iter().all(|corner| corner.value.signum() * side >= 0)
            && self.beyond(t_min).is_none_or(|sum| sum.value.signum() >= 0)
            && self.beyond(t_max).is_none_or(|sum| sum.value.signum() <= 0)
    }

    /// `(t - limit) |t_den|`; `None` for a limit at infinity.
    pub fn beyond(&self, limit: f64) -> Option<Weighed> {
        let limit = limit.is_finite().then(|| Weighed::leaf(limit.into()))?;
        let sum = &self.t_num - &(&limit * &self.t_den);
        Some(if self.t_den.value.signum() < 0 { -&sum } else { sum })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn all_formulas_have_the_same_quotients() {
        let mut rng = Rng::new(4);
        for _ in 0..200 {
            let mut point = || rng.in_cube(1.0);
            let (origin, dir, end) = (point(), point(), point());
            let case = Case { origin, dir, corners: [point(), point(), point()] };
            let model = moeller_trumbore(&case);
            for other in [collision_matrix(&case), edge_functions(&case), barycentric(&case)] {
                for (m, o) in model.corners.iter().zip(&other.corners) {
                    assert_eq!(&m.value * &other.det.value, &o.value * &model.det.value, "{case:?}");
                }
                assert_eq!(&model.t_num.value * &other.t_den.value, &other.t_num.value * &model.t_den.value);
                assert_eq!(other.det.value.signum(), model.det.value.signum());
            }
            // The way to the end of a segment is exact only for a direction that is made exact.
            let halved = end.map(|c| (c * 1024.0).round() / 1024.0);
            let start = origin.map(|c| (c * 1024.0).round() / 1024.0);
            let dir = std::array::from_fn(|i| halved[i] - start[i]);
            let case = Case { origin: start, dir, ..case };
            let (model, segment) = (moeller_trumbore(&case), collision_matrix_of_segment(&case, halved));
            assert_eq!(
                &model.corners[1].value * &segment.det.value,
                &segment.corners[1].value * &model.det.value
            );
        }
    }

    #[test]
    fn a_hit_is_closed() {
        let corners = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        let down = |x, y| moeller_trumbore(&Case { origin: [x, y, 3.0], dir: [0.0, 0.0, -1.0], corners });
        assert!(down(2.0, 2.0).hit(3.0, 3.0) && down(0.0, 4.0).hit(0.0, f64::INFINITY));
        assert!(!down(2.0, 2.0f64.next_up()).hit(0.0, 9.0) && !down(1.0, 1.0).hit(3.0f64.next_up(), 9.0));
        let along = Case { origin: [1.0, 1.0, 0.0], dir: [1.0, 0.0, 0.0], corners };
        assert!(!moeller_trumbore(&along).hit(0.0, 1.0));
    }
}
