//! Lines and points against convex solids, and points against closed meshes, without any rounding.
//!
//! Every finite `f64` is a whole number of units of 2^-1074, so all that follows is sums and products of whole numbers;
//! `one` brings terms of different degree to a common one.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

use crate::exact::{self, Place, cross, dot, integer_and_exponent, judge, sub};
use crate::{Rng, TriMesh};

type Point = [f64; 3];

/// The same in units of 2^-1074.
type Whole = exact::Point;

/// A number in units of 2^-1074.
///
/// # Panics
/// Where it is not finite.
fn whole(x: f64) -> BigInt {
    let (m, exponent) = integer_and_exponent(x);
    BigInt::from(m) << (exponent + 1074)
}

/// 1 in these units.
fn one() -> BigInt {
    BigInt::from(1) << 1074
}

fn vector(v: Point) -> Whole {
    v.map(whole)
}

fn order(x: &BigInt) -> Ordering {
    x.cmp(&BigInt::ZERO)
}

/// A fraction with a positive denominator.
#[derive(Clone, Debug)]
pub struct Ratio {
    n: BigInt,
    d: BigInt,
}

impl Ratio {
    fn new(n: BigInt, d: BigInt) -> Ratio {
        if d.sign() == Sign::Minus { Ratio { n: -n, d: -d } } else { Ratio { n, d } }
    }

    /// The order of two fractions.
    pub fn order(&self, other: &Ratio) -> Ordering {
        (&self.n * &other.d).cmp(&(&other.n * &self.d))
    }

    /// The order of the fraction and a number, infinities included.
    pub fn order_to(&self, x: f64) -> Ordering {
        if x.is_infinite() {
            return 0.0f64.total_cmp(&x);
        }
        (&self.n * one()).cmp(&(whole(x) * &self.d))
    }

    /// Whether a number is the fraction up to `2^-bits` of it.
    pub fn is_near(&self, x: f64, bits: u32) -> bool {
        let exact = &self.n * one();
        let gap = whole(x) * &self.d - &exact;
        x.is_finite() && (gap.magnitude() << bits) <= *exact.magnitude()
    }
}

/// A line in a convex solid.
#[derive(Clone, Debug)]
pub struct Passage {
    /// Where it enters.
    pub enter: Ratio,
    /// Where it leaves.
    pub exit: Ratio,
    /// All faces that it enters there, ascending.
    pub entry_faces: Vec<usize>,
    /// All faces that it leaves there, ascending.
    pub exit_faces: Vec<usize>,
}

/// A half-space: the height of the line's origin over it and the slope of its direction, in one unit.
type Slope = (BigInt, BigInt);

/// The line against half-spaces that together are bounded.
fn clip(planes: &[Slope]) -> Option<Passage> {
    let mut crossings: [Vec<(Ratio, usize)>; 2] = [Vec::new(), Vec::new()];
    for (face, (height, slope)) in planes.iter().enumerate() {
        let end = match order(slope) {
            Ordering::Equal if order(height) == Ordering::Greater => return None,
            Ordering::Equal => continue,
            Ordering::Less => 0,
            Ordering::Greater => 1,
        };
        crossings[end].push((Ratio::new(-height.clone(), slope.clone()), face));
    }
    let [enters, exits] = &crossings;
    let enter = enters.iter().map(|c| &c.0).max_by(|a, b| a.order(b))?.clone();
    let exit = exits.iter().map(|c| &c.0).min_by(|a, b| a.order(b))?.clone();
    if enter.order(&exit) == Ordering::Greater {
        return None;
    }
    let faces = |all: &[(Ratio, usize)], t: &Ratio| {
        all.iter().filter(|c| c.0.order(t) == Ordering::Equal).map(|c| c.1).collect()
    };
    let (entry_faces, exit_faces) = (faces(enters, &enter), faces(exits, &exit));
    Some(Passage { enter, exit, entry_faces, exit_faces })
}

/// The line `origin + t * dir` in a box; faces are lowest x, highest x, lowest y and so on.
pub fn line_aabb(origin: Point, dir: Point, low: Point, high: Point) -> Option<Passage> {
    let planes: Vec<Slope> = (0..6)
        .map(|face| {
            let axis = face / 2;
            let (o, d) = (whole(origin[axis]), whole(dir[axis]));
            if face % 2 == 0 { (whole(low[axis]) - o, -d) } else { (o - whole(high[axis]), d) }
        })
        .collect();
    clip(&planes)
}

/// The line in an oriented box of these axes; faces as [`line_aabb`].
pub fn line_obb(origin: Point, dir: Point, centre: Point, axes: [Point; 3], half: Point) -> Option<Passage> {
    let (ahead, d) = (sub(&vector(origin), &vector(centre)), vector(dir));
    let planes: Vec<Slope> = (0..6)
        .map(|face| {
            let axis = vector(axes[face / 2]);
            let (height, slope, half) = (dot(&axis, &ahead), dot(&axis, &d), whole(half[face / 2]) * one());
            if face % 2 == 0 { (-height - half, -slope) } else { (height - half, slope) }
        })
        .collect();
    clip(&planes)
}

/// The line behind planes `n . p + D = 0`, in their order.
pub fn line_planes(origin: Point, dir: Point, planes: &[(Point, f64)]) -> Option<Passage> {
    let (o, d) = (vector(origin), vector(dir));
    let planes: Vec<Slope> = planes
        .iter()
        .map(|&(n, offset)| {
            let n = vector(n);
            (dot(&n, &o) + whole(offset) * one(), dot(&n, &d))
        })
        .collect();
    clip(&planes)
}

/// The line in the hull of a few points, by looking at every plane through three of them; its faces are not numbered in
/// any order of use.
pub fn line_points(origin: Point, dir: Point, points: &[Point]) -> Option<Passage> {
    let (o, d) = (vector(origin), vector(dir));
    let planes: Vec<Slope> = supports(points)
        .into_iter()
        .map(|(normal, on_it)| (dot(&normal, &sub(&o, &on_it)), dot(&normal, &d)))
        .collect();
    clip(&planes)
}

/// Every plane through three of the points with all others behind it or on it: outward normal and a point.
fn supports(points: &[Point]) -> Vec<(Whole, Whole)> {
    let points: Vec<Whole> = points.iter().map(|&p| vector(p)).collect();
    let mut planes = Vec::new();
    for (i, a) in points.iter().enumerate() {
        for (j, b) in points.iter().enumerate().skip(i + 1) {
            for c in &points[j + 1..] {
                let normal = cross(&sub(b, a), &sub(c, a));
                if normal.iter().all(|n| n.sign() == Sign::NoSign) {
                    continue;
                }
                let sides: Vec<Ordering> = points.iter().map(|p| order(&dot(&normal, &sub(p, a)))).collect();
                if !sides.contains(&Ordering::Greater) {
                    planes.push((normal, a.clone()));
                } else if !sides.contains(&Ordering::Less) {
                    planes.push((normal.map(|n| -n), a.clone()));
                }
            }
        }
    }
    planes
}

/// Where a point lies in a closed solid: `Less` inside, `Equal` on its surface.
pub fn point_points(p: Point, points: &[Point]) -> Ordering {
    let p = vector(p);
    let heights = supports(points).into_iter().map(|(normal, on_it)| order(&dot(&normal, &sub(&p, &on_it))));
    heights.max().unwrap_or(Ordering::Greater)
}

/// The same for an oriented box.
pub fn point_obb(p: Point, centre: Point, axes: [Point; 3], half: Point) -> Ordering {
    let ahead = sub(&vector(p), &vector(centre));
    let beyond = |i: usize| {
        let along = dot(&vector(axes[i]), &ahead);
        order(&(BigInt::from(along.magnitude().clone()) - whole(half[i]) * one()))
    };
    (0..3).map(beyond).max().unwrap_or(Ordering::Greater)
}

/// The same for a sphere.
pub fn point_sphere(p: Point, centre: Point, radius: f64) -> Ordering {
    let from_centre = sub(&vector(p), &vector(centre));
    order(&(dot(&from_centre, &from_centre) - whole(radius) * whole(radius)))
}

/// Whether a point lies exactly on a triangle that has an area.
pub fn is_on_triangle(p: Point, corners: [Point; 3]) -> bool {
    let [a, b, c] = corners.map(vector);
    let normal = cross(&sub(&b, &a), &sub(&c, &a));
    dot(&normal, &sub(&vector(p), &a)).sign() == Sign::NoSign && covers(p, corners)
}

/// Whether the foot of a point on a triangle's plane lies in the triangle, which has an area: the weights of the foot solve two
/// equations in the dot products of the edges.
pub fn covers(p: Point, corners: [Point; 3]) -> bool {
    let [a, b, c] = corners.map(vector);
    let (e, f, way) = (sub(&b, &a), sub(&c, &a), sub(&vector(p), &a));
    let (ee, ef, ff) = (dot(&e, &e), dot(&e, &f), dot(&f, &f));
    let (along_e, along_f) = (dot(&way, &e), dot(&way, &f));
    let det = &ee * &ff - &ef * &ef;
    let (u, v) = (&ff * &along_e - &ef * &along_f, &ee * &along_f - &ef * &along_e);
    let rest = &det - &u - &v;
    det.sign() == Sign::Plus && [u, v, rest].iter().all(|weight| weight.sign() != Sign::Minus)
}

/// A line and a sphere: `A t^2 + 2 B t + C`, with a discriminant that is not negative.
#[derive(Clone, Debug)]
pub struct SphereChord {
    a: BigInt,
    b: BigInt,
    c: BigInt,
    /// `B^2 - A C`.
    quarter: BigInt,
}

/// The line in a sphere.
pub fn line_sphere(origin: Point, dir: Point, centre: Point, radius: f64) -> Option<SphereChord> {
    let (f, d) = (sub(&vector(origin), &vector(centre)), vector(dir));
    let (a, b) = (dot(&d, &d), dot(&d, &f));
    let c = dot(&f, &f) - whole(radius) * whole(radius);
    let quarter = &b * &b - &a * &c;
    (quarter.sign() != Sign::Minus).then_some(SphereChord { a, b, c, quarter })
}

impl SphereChord {
    /// Whether the line only touches.
    pub fn is_tangent(&self) -> bool {
        self.quarter.sign() == Sign::NoSign
    }

    /// Whether `t` is where the line enters (the smaller root) up to `2^-bits` of it.
    pub fn enters_near(&self, t: f64, bits: u32) -> bool {
        self.is_root_near(t, bits, false)
    }

    /// Whether `t` is where the line leaves up to `2^-bits` of it.
    pub fn leaves_near(&self, t: f64, bits: u32) -> bool {
        self.is_root_near(t, bits, true)
    }

    /// Whether the chord's length in units of the direction is this up to `2^-bits` of it.
    pub fn is_length_near(&self, length: f64, bits: u32) -> bool {
        let squared = |slack: i32| {
            // length * (2^bits + slack) * A, whose square is compared with 4 quarter 4^bits.
            let scaled = whole(length) * ((BigInt::from(1) << bits) + slack) * &self.a;
            &scaled * &scaled
        };
        let exact = (&self.quarter << (2 * bits + 2)) * one() * one();
        length >= 0.0 && squared(-1) <= exact && exact <= squared(1)
    }

    fn is_root_near(&self, t: f64, bits: u32, larger: bool) -> bool {
        // t (1 - e) and t (1 + e) as whole numbers over `unit`.
        let scaled = [-1, 1].map(|slack| whole(t) * ((BigInt::from(1) << bits) + slack));
        let unit = one() << bits;
        let [low, high] = if t < 0.0 { [&scaled[1], &scaled[0]] } else { [&scaled[0], &scaled[1]] };
        self.order_root(low, &unit, larger) != Ordering::Less
            && self.order_root(high, &unit, larger) != Ordering::Greater
    }

    /// The order of a root and `x / unit`.
    fn order_root(&self, x: &BigInt, unit: &BigInt, larger: bool) -> Ordering {
        let value = &self.a * x * x + (&self.b * x * unit) * 2 + &self.c * unit * unit;
        // Left or right of the middle -B / A.
        let middle = order(&(&self.a * x + &self.b * unit));
        match order(&value) {
            Ordering::Less => {
                if larger {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            Ordering::Equal if self.is_tangent() => Ordering::Equal,
            Ordering::Equal if (middle == Ordering::Greater) == larger => Ordering::Equal,
            _ => middle.reverse(),
        }
    }
}

/// How far a line passes from a segment, against a radius: `Less` where it goes through the capsule's inside, `Equal` where
/// it touches. The squared distance from the line is a parabola along the segment.
pub fn line_capsule(origin: Point, dir: Point, ends: [Point; 2], radius: f64) -> Ordering {
    let (o, d, [a, b]) = (vector(origin), vector(dir), ends.map(vector));
    let (from, along) = (cross(&sub(&a, &o), &d), cross(&sub(&b, &a), &d));
    let (g0, g1, g2) = (dot(&from, &from), dot(&from, &along), dot(&along, &along));
    let square = whole(radius) * whole(radius) * dot(&d, &d);
    let foot = -&g1;
    if foot.sign() != Sign::Plus {
        return g0.cmp(&square);
    }
    if foot >= g2 {
        let beyond: BigInt = g0 + g1 * 2 + g2;
        return beyond.cmp(&square);
    }
    (&g0 * &g2 - &g1 * &g1).cmp(&(square * g2))
}

/// A point of a polygon: whole numbers over a common positive one.
type Fraction = (Whole, BigInt);

/// The part of a convex polygon that lies behind a plane: the height is a whole number for each corner, in the unit of its
/// fraction.
fn cut(polygon: &[Fraction], height: impl Fn(&Fraction) -> BigInt) -> Vec<Fraction> {
    let mut kept = Vec::new();
    for (i, p) in polygon.iter().enumerate() {
        let q = &polygon[(i + 1) % polygon.len()];
        let (h, k) = (height(p), height(q));
        if h.sign() != Sign::Plus {
            kept.push(p.clone());
        }
        if sign_of(&h) * sign_of(&k) == -1 {
            // Heights are over the corners' own denominators: (q h - p k) / (h - k), by the sign that makes both weights positive.
            let (wp, wq) = (-&k * sign_of(&h), &h * sign_of(&h));
            let at = std::array::from_fn(|axis| &p.0[axis] * &wp + &q.0[axis] * &wq);
            kept.push((at, &p.1 * &wp + &q.1 * &wq));
        }
    }
    kept
}

fn sign_of(x: &BigInt) -> i32 {
    order(x) as i32
}

/// Whether a triangle has a point in a closed box, by cutting it with one side after the other.
pub fn triangle_meets_box(corners: [Point; 3], low: Point, high: Point) -> bool {
    meets(corners.map(vector), [low, high].map(vector))
}

/// The same for an oriented box, whose corners are given in its own axes.
pub fn triangle_meets_obb(corners: [Point; 3], centre: Point, axes: [Point; 3], half: Point) -> bool {
    let corners = corners.map(|corner| {
        let ahead = sub(&vector(corner), &vector(centre));
        axes.map(|axis| dot(&vector(axis), &ahead))
    });
    let half = half.map(|h| whole(h) * one());
    meets(corners, [half.clone().map(|h| -h), half])
}

fn meets(corners: [Whole; 3], [low, high]: [Whole; 2]) -> bool {
    let mut polygon: Vec<Fraction> = corners.map(|corner| (corner, BigInt::from(1))).to_vec();
    for axis in 0..3 {
        polygon = cut(&polygon, |p| &low[axis] * &p.1 - &p.0[axis]);
        polygon = cut(&polygon, |p| &p.0[axis] - &high[axis] * &p.1);
    }
    !polygon.is_empty()
}

/// Where a point lies in a closed mesh (`Less` inside, `Equal` on its surface), by a line in any direction that passes no
/// edge.
pub fn point_mesh(p: Point, mesh: &TriMesh, rng: &mut Rng) -> Ordering {
    let all: Vec<[[f32; 3]; 3]> = (0..mesh.triangles.len()).map(|prim| mesh.corners(prim)).collect();
    if all.iter().any(|corners| is_on_triangle(p, corners.map(|c| c.map(f64::from)))) {
        return Ordering::Equal;
    }
    loop {
        let dir = rng.direction();
        let found: Vec<_> = all.iter().map(|&corners| judge(p, dir, corners)).collect();
        if found.iter().any(|j| matches!(j.place, Place::OnEdge(_) | Place::OnCorner(_))) {
            continue;
        }
        let ahead = found.iter().filter(|j| j.place == Place::Inside && j.t() > 0.0).count();
        return if ahead % 2 == 1 { Ordering::Less } else { Ordering::Greater };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_entered_and_left_exactly() {
        let passage = line_aabb([0.0; 3], [3.0, 1.0, 0.0], [1.0, 0.0, 0.0], [2.0, 2.0, 1.0]).expect("a hit");
        assert_eq!(passage.enter.order(&Ratio::new(1.into(), 3.into())), Ordering::Equal);
        assert!(passage.enter.is_near(1.0 / 3.0, 53) && !passage.enter.is_near(1.0 / 3.0, 60));
        assert_eq!((passage.entry_faces, passage.exit_faces), (vec![0], vec![1]));
        assert!(
            line_aabb([0.0, 0.0, 1.0f64.next_up()], [3.0, 1.0, 0.0], [1.0, 0.0, 0.0], [2.0, 2.0, 1.0])
                .is_none()
        );
    }

    #[test]
    fn a_sphere_knows_its_roots_to_the_last_bit() {
        let chord = line_sphere([-3.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0; 3], 0.5).expect("a hit");
        assert!(chord.enters_near(1.25, 80) && chord.leaves_near(1.75, 80) && chord.is_length_near(0.5, 80));
        assert!(!chord.enters_near(1.25f64.next_up(), 54) && !chord.leaves_near(1.25, 50));
        assert!(line_sphere([0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0; 3], 1.0).expect("a hit").is_tangent());
        assert!(line_sphere([0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0; 3], 1.0f64.next_down()).is_none());
    }

    #[test]
    fn a_triangle_meets_a_box_at_its_corner() {
        let cut = |x: f64| [[x, 0.0, 0.0], [0.0, x, 0.0], [0.0, 0.0, x]];
        assert!(triangle_meets_box(cut(2.5), [0.0; 3], [1.0; 3]));
        assert!(triangle_meets_box(cut(3.0), [0.0; 3], [1.0; 3]));
        assert!(!triangle_meets_box(cut(3.0f64.next_up()), [0.0; 3], [1.0; 3]));
        let axes = [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        assert!(triangle_meets_obb(cut(3.0), [0.5; 3], axes, [0.5; 3]));
        assert!(!triangle_meets_obb(cut(3.0f64.next_up()), [0.5; 3], axes, [0.5; 3]));
        let within = [[0.25; 3], [0.5, 0.25, 0.5], [0.5; 3]];
        assert!(triangle_meets_box(within, [0.0; 3], [1.0; 3]));
    }

    #[test]
    fn a_line_passes_a_capsule_at_an_end_or_between() {
        let ends = [[0.0; 3], [0.0, 4.0, 0.0]];
        for (origin, dir, distance) in [
            ([-9.0, 2.0, 3.0], [1.0, 0.0, 0.0], 3.0),
            ([-9.0, 7.0, 4.0], [1.0, 0.0, 0.0], 5.0),
            ([-9.0, -3.0, 4.0], [2.0, 0.0, 0.0], 5.0),
            ([3.0, 90.0, 4.0], [0.0, 1.0, 0.0], 5.0),
            ([-3.0, -3.0, 2.0], [1.0, 1.0, 0.0], 2.0),
        ] {
            assert_eq!(line_capsule(origin, dir, ends, distance), Ordering::Equal, "{origin:?}");
            assert_eq!(line_capsule(origin, dir, ends, f64::next_up(distance)), Ordering::Less);
            assert_eq!(line_capsule(origin, dir, [ends[0]; 2], 1e9), Ordering::Less);
        }
    }

    #[test]
    fn points_find_their_place_in_a_tetrahedron() {
        let points = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
        assert_eq!(point_points([1.0, 1.0, 1.0], &points), Ordering::Less);
        assert_eq!(point_points([1.0, 1.0, 2.0], &points), Ordering::Equal);
        assert_eq!(point_points([1.0, 1.0, 2.0f64.next_up()], &points), Ordering::Greater);
    }
}
