//! Rays and points against shapes without any rounding: what algorithms that round are held against.
//!
//! Everything is computed from the coordinates as given, in whole numbers times powers of two, and shares no code with
//! the library. All shapes are closed, and so is a ray's interval.

mod dyadic;

use hitscan::Ray;
use hitscan::glam::DVec3;
use hitscan::shape::{Aabb, ConvexHull, Obb, Plane, Sphere, Triangle};

use dyadic::{Dyadic, Vector, cross, difference, dot, given};

/// One ray and one triangle.
#[derive(Debug)]
pub struct Crossing {
    /// Positive where the ray runs against the normal, 0 where it is parallel or the triangle has no area.
    pub det: f64,
    /// The weights of A, B and C; not numbers where `det` is 0.
    pub weights: [f64; 3],
    /// Where the line meets the plane.
    pub t: f64,
    /// Whether the line passes through the triangle.
    pub line: bool,
    /// Whether the ray does so within its interval.
    pub ray: bool,
}

/// A ray and a triangle, by Cramer's rule.
pub fn ray_triangle(ray: &Ray, triangle: &Triangle) -> Crossing {
    let [a, b, c] = triangle.corners();
    let (e, f, dir) = (difference(b, a), difference(c, a), given(ray.dir()));
    let from_a = difference(ray.origin(), a);
    let (p, q) = (cross(&dir, &f), cross(&from_a, &e));
    let (mut det, mut u, mut v, mut t) = (dot(&e, &p), dot(&from_a, &p), dot(&dir, &q), dot(&f, &q));
    let side = det.signum();
    if side < 0 {
        [&mut det, &mut u, &mut v, &mut t].into_iter().for_each(Dyadic::negate);
    }
    let first = &(&det - &u) - &v;
    let line = side != 0 && [&first, &u, &v].iter().all(|weight| weight.signum() >= 0);
    let weights = [&first, &u, &v].map(|weight| weight.ratio(&det));
    Crossing {
        det: det.to_f64() * f64::from(if side < 0 { -1 } else { 1 }),
        weights,
        t: t.ratio(&det),
        line,
        ray: line && within(ray, &t, &det),
    }
}

/// Whether `t / positive` lies in the interval of a ray.
fn within(ray: &Ray, t: &Dyadic, positive: &Dyadic) -> bool {
    let beyond = |limit: f64| (t - &(positive * &Dyadic::from(limit))).signum();
    (ray.t_min() == f64::NEG_INFINITY || beyond(ray.t_min()) >= 0)
        && (ray.t_max() == f64::INFINITY || beyond(ray.t_max()) <= 0)
}

/// A ray and a plane: whether they have exactly one point in common.
pub fn ray_plane(ray: &Ray, plane: &Plane) -> bool {
    let (mut height, mut slope) = HalfSpace::from(plane).of(ray);
    if slope.signum() < 0 {
        slope.negate();
    } else {
        height.negate();
    }
    slope.signum() != 0 && within(ray, &height, &slope)
}

/// A ray and an axis-aligned box.
pub fn ray_aabb(ray: &Ray, bounds: &Aabb) -> bool {
    ray_solid(ray, &aabb(bounds))
}

/// A ray and an oriented box, its axes as given.
pub fn ray_obb(ray: &Ray, bounds: &Obb) -> bool {
    ray_solid(ray, &obb(bounds))
}

/// A ray and a hull that was made of planes.
pub fn ray_hull(ray: &Ray, hull: &ConvexHull) -> bool {
    ray_solid(ray, &half_spaces(hull))
}

/// A ray and a sphere: the quadratic's signs, and those of its roots against the interval `[0, inf]`.
pub fn ray_sphere(ray: &Ray, sphere: &Sphere) -> bool {
    let (dir, from) = (given(ray.dir()), difference(ray.origin(), sphere.centre()));
    let radius = Dyadic::from(sphere.radius());
    let (a, b) = (dot(&dir, &dir), dot(&dir, &from));
    let c = &dot(&from, &from) - &(&radius * &radius);
    let quarter = &(&b * &b) - &(&a * &c);
    c.signum() <= 0 || (b.signum() < 0 && quarter.signum() >= 0)
}

/// A point and a box.
pub fn in_aabb(point: DVec3, bounds: &Aabb) -> bool {
    in_solid(point, &aabb(bounds))
}

/// A point and an oriented box.
pub fn in_obb(point: DVec3, bounds: &Obb) -> bool {
    in_solid(point, &obb(bounds))
}

/// A point and a hull that was made of planes.
pub fn in_hull(point: DVec3, hull: &ConvexHull) -> bool {
    in_solid(point, &half_spaces(hull))
}

/// A point and a sphere.
pub fn in_sphere(point: DVec3, sphere: &Sphere) -> bool {
    let (from, radius) = (difference(point, sphere.centre()), Dyadic::from(sphere.radius()));
    (&dot(&from, &from) - &(&radius * &radius)).signum() <= 0
}

/// Whether the foot of a point on a triangle's plane lies in the triangle.
pub fn covers(triangle: &Triangle, point: DVec3) -> bool {
    let [a, b, c] = triangle.corners();
    let normal = cross(&difference(b, a), &difference(c, a));
    let left = |from: DVec3, to: DVec3| {
        dot(&normal, &cross(&difference(to, from), &difference(point, from))).signum() >= 0
    };
    normal.iter().any(|x| x.signum() != 0) && left(a, b) && left(b, c) && left(c, a)
}

/// A sphere and a triangle: by its corners, the feet of the centre on its edges, and that on its face.
pub fn sphere_triangle(sphere: &Sphere, triangle: &Triangle) -> bool {
    let corners = triangle.corners();
    let centre = sphere.centre();
    let square = &Dyadic::from(sphere.radius()) * &Dyadic::from(sphere.radius());
    let reaches = |squared: &Dyadic, unit: &Dyadic| (squared - &(&square * unit)).signum() <= 0;
    let edge = |i: usize| {
        let (from, to) = (corners[i], corners[(i + 1) % 3]);
        let (way, away) = (difference(to, from), difference(centre, from));
        let (length, along) = (dot(&way, &way), dot(&way, &away));
        let across = cross(&way, &away);
        along.signum() > 0 && (&length - &along).signum() > 0 && reaches(&dot(&across, &across), &length)
    };
    let face = || {
        let [a, b, c] = corners;
        let normal = cross(&difference(b, a), &difference(c, a));
        let height = dot(&normal, &difference(centre, a));
        covers(triangle, centre) && reaches(&(&height * &height), &dot(&normal, &normal))
    };
    corners.iter().any(|&corner| in_sphere(corner, sphere)) || (0..3).any(edge) || face()
}

/// The points `p` with `normal . (p - on) <= beyond`.
struct HalfSpace {
    normal: DVec3,
    on: DVec3,
    beyond: f64,
}

impl HalfSpace {
    /// Height of a ray's origin and slope of its direction.
    fn of(&self, ray: &Ray) -> (Dyadic, Dyadic) {
        (self.height(ray.origin()), dot(&given(self.normal), &given(ray.dir())))
    }

    fn height(&self, point: DVec3) -> Dyadic {
        let along: Vector = difference(point, self.on);
        &dot(&given(self.normal), &along) - &Dyadic::from(self.beyond)
    }
}

impl From<&Plane> for HalfSpace {
    fn from(plane: &Plane) -> HalfSpace {
        HalfSpace { normal: plane.normal(), on: DVec3::ZERO, beyond: -plane.offset() }
    }
}

fn aabb(bounds: &Aabb) -> Vec<HalfSpace> {
    let side = |normal, on| HalfSpace { normal, on, beyond: 0.0 };
    DVec3::AXES.into_iter().flat_map(|axis| [side(-axis, bounds.low()), side(axis, bounds.high())]).collect()
}

fn obb(bounds: &Obb) -> Vec<HalfSpace> {
    let ends = |axis: usize| {
        let (normal, on, beyond) = (bounds.axes().col(axis), bounds.centre(), bounds.half()[axis]);
        [normal, -normal].map(|normal| HalfSpace { normal, on, beyond })
    };
    (0..3).flat_map(ends).collect()
}

fn half_spaces(hull: &ConvexHull) -> Vec<HalfSpace> {
    hull.planes().iter().map(HalfSpace::from).collect()
}

fn in_solid(point: DVec3, solid: &[HalfSpace]) -> bool {
    solid.iter().all(|side| side.height(point).signum() <= 0)
}

/// Whether some `t` of the interval `[0, inf]` lies behind all planes: the last entry, or the origin, before the first exit.
fn ray_solid(ray: &Ray, solid: &[HalfSpace]) -> bool {
    // Fractions with denominators above 0.
    let mut enter = (Dyadic::from(0.0), Dyadic::from(1.0));
    let mut exits: Vec<(Dyadic, Dyadic)> = Vec::new();
    let before = |a: &(Dyadic, Dyadic), b: &(Dyadic, Dyadic)| (&(&a.0 * &b.1) - &(&b.0 * &a.1)).signum() < 0;
    for side in solid {
        let (mut height, mut slope) = side.of(ray);
        match slope.signum() {
            0 if height.signum() > 0 => return false,
            0 => {}
            1 => {
                height.negate();
                exits.push((height, slope));
            }
            _ => {
                slope.negate();
                let entry = (height, slope);
                if before(&enter, &entry) {
                    enter = entry;
                }
            }
        }
    }
    exits.iter().all(|exit| !before(exit, &enter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ray(origin: [f64; 3], dir: [f64; 3]) -> Ray {
        Ray::new(origin, dir).expect("a ray")
    }

    #[test]
    fn triangles_are_closed_and_exact() {
        let pane = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]).expect("a triangle");
        let down = |x, y| ray_triangle(&Ray::between([x, y, 1.0], [x, y, 0.0]).expect("a ray"), &pane);
        let hit = down(0.25, 0.5);
        assert_eq!((hit.det, hit.weights, hit.t), (1.0, [0.25, 0.25, 0.5], 1.0));
        assert!(hit.ray && hit.line && down(0.0, 1.0).ray && down(0.5, 0.5).ray);
        assert!(!down(0.1, 0.9).line && !down(0.5, 0.5f64.next_up()).line);
        let short =
            ray([0.25, 0.25, 1.0], [0.0, 0.0, -1.0]).with_range(0.0, 1.0f64.next_down()).expect("a ray");
        assert!(ray_triangle(&short, &pane).line && !ray_triangle(&short, &pane).ray);
        assert!(!ray_triangle(&ray([0.0; 3], [1.0, 0.0, 0.0]), &pane).line);
    }

    #[test]
    fn solids_are_closed_and_exact() {
        let unit = Aabb::new([0.0; 3], [1.0; 3]).expect("a box");
        assert!(ray_aabb(&ray([-1.0, 1.0, 0.0], [1.0, 0.0, 0.0]), &unit));
        assert!(!ray_aabb(&ray([-1.0, 1.0f64.next_up(), 0.0], [1.0, 0.0, 0.0]), &unit));
        assert!(!ray_aabb(&ray([2.0, 0.5, 0.5], [1.0, 0.0, 0.0]), &unit), "behind");
        assert!(ray_aabb(&ray([0.5; 3], [1.0, 0.0, 0.0]), &unit), "from inside");
        let ball = Sphere::new([0.0; 3], 1.0).expect("a sphere");
        assert!(ray_sphere(&ray([-3.0, 1.0, 0.0], [1.0, 0.0, 0.0]), &ball));
        assert!(!ray_sphere(&ray([-3.0, 1.0f64.next_up(), 0.0], [1.0, 0.0, 0.0]), &ball));
        assert!(!ray_sphere(&ray([3.0, 0.0, 0.0], [1.0, 0.0, 0.0]), &ball), "behind");
        let pane = Triangle::new([0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0]).expect("a triangle");
        let touches = |centre: [f64; 3]| sphere_triangle(&Sphere::new(centre, 1.0).expect("a sphere"), &pane);
        assert!(touches([2.0, 2.0, 1.0]) && touches([4.0, -1.0, 0.0]) && touches([-1.0, 0.0, 0.0]));
        let beyond = 1.0f64.next_up();
        assert!(
            !touches([2.0, 2.0, beyond]) && !touches([4.0, -beyond, 0.0]) && !touches([-beyond, 0.0, 0.0])
        );
        assert!(in_sphere(DVec3::X, &ball) && !in_sphere(DVec3::X * 1.0f64.next_up(), &ball));
    }

    #[test]
    fn planes_are_met_once_within_the_interval() {
        let ground = Plane::new([0.0, 1.0, 0.0], [0.0; 3]).expect("a plane");
        let fall =
            |to: f64| ray_plane(&Ray::between([0.0, 1.0, 0.0], [0.0, to, 0.0]).expect("a ray"), &ground);
        assert!(fall(0.0) && fall(-1.0) && !fall(1e-300_f64.max(f64::EPSILON)));
        assert!(!ray_plane(&ray([0.0; 3], [1.0, 0.0, 0.0]), &ground), "within it");
    }
}
