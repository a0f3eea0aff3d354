//! A ray and a plane, a box, a sphere or a hull; a sphere and a triangle.

use hitscan::Ray;
use hitscan::glam::DVec3;
use hitscan::intersect::{
    ray_aabb, ray_aabb_woo, ray_convex, ray_obb, ray_plane, ray_sphere, sphere_triangle,
    sphere_triangle_three_stages,
};
use hitscan::shape::{Aabb, ConvexHull, Obb, Plane, Sphere, Triangle};

use super::inputs::{Frame, Kind, Rng, towards, triangle};
use super::measure::{self, Algorithm, Hits, LANES, Row, each};
use crate::truth;

/// 16 rays, or points, with a shape each.
pub struct Group<A, S> {
    pub asked: Vec<(A, S)>,
    /// Exactly.
    pub truth: Hits,
}

impl<A, S> Group<A, S> {
    /// A group of what `make` makes; none where it makes nothing of that kind.
    pub fn new(
        kind: Kind,
        rng: &mut Rng,
        make: fn(Kind, &mut Rng) -> Option<(A, S)>,
        truth: fn(&A, &S) -> bool,
    ) -> Option<Self> {
        // A shape that is refused, as a thin hull may be, is made again with other numbers.
        const TRIES: usize = 64 * LANES;
        let asked: Vec<(A, S)> = (0..TRIES).filter_map(|_| make(kind, rng)).take(LANES).collect();
        (asked.len() == LANES).then(|| Group { truth: each(|i| truth(&asked[i].0, &asked[i].1)), asked })
    }
}

/// The rows of some algorithms for one question.
macro_rules! question {
    ($seed:expr, $pair:expr, $make:expr, $truth:expr, $($name:expr => $test:expr),+) => {{
        let groups = measure::groups($seed, |kind, rng| Group::new(kind, rng, $make, $truth));
        let algorithms = [$(Algorithm {
            pair: $pair,
            name: $name,
            forms: $crate::commands::bench::measure::one_by_one!(|group, i| {
                let Group { asked, .. }: &Group<_, _> = group;
                let (asked, shape) = &asked[i];
                $test(asked, shape)
            }),
            truth: |group| group.truth,
        }),+];
        measure::rows(&algorithms, &groups)
    }};
}
pub(super) use question;

/// The rows of all of them.
pub fn rows(seed: u64) -> Vec<Row> {
    let planes = question!(seed, "ray, plane", with_plane, truth::ray_plane,
        "ray_plane" => |ray, plane| ray_plane(ray, plane).is_some());
    let boxes = question!(seed, "ray, box", with_aabb, truth::ray_aabb,
        "slab" => |ray, bounds| ray_aabb(ray, bounds).is_some(),
        "Woo" => |ray, bounds| ray_aabb_woo(ray, bounds).is_some());
    let turned = question!(seed, "ray, oriented box", with_obb, truth::ray_obb,
        "six half-spaces" => |ray, bounds| ray_obb(ray, bounds).is_some());
    let spheres = question!(seed, "ray, sphere", with_sphere, truth::ray_sphere,
        "quadratic" => |ray, sphere| ray_sphere(ray, sphere).is_some());
    let hulls = question!(seed, "ray, hull", with_hull, truth::ray_hull,
        "14 half-spaces" => |ray, hull| ray_convex(ray, hull).is_some());
    let balls = question!(seed, "sphere, triangle", ball_and_triangle, truth::sphere_triangle,
        "closest point" => |ball, triangle| sphere_triangle(ball, triangle).is_some(),
        "three stages" => |ball, triangle| sphere_triangle_three_stages(ball, triangle).is_some());
    [planes, boxes, turned, spheres, hulls, balls].into_iter().flatten().collect()
}

fn with_plane(kind: Kind, rng: &mut Rng) -> Option<(Ray, Plane)> {
    if kind == Kind::Slivers {
        return None;
    }
    let on_it = kind.place(rng);
    let plane = Plane::new(rng.unit(), on_it).ok()?;
    let side = plane.normal().cross(rng.unit());
    let target = on_it + side;
    let ray = match kind {
        Kind::Random => Ray::between(target + rng.vector(), target + rng.vector()),
        // Along the plane, from one side of it to the other, or almost.
        Kind::Grazing => Ray::between(target, on_it - side * rng.range(0.5, 2.0)),
        // With its end on the plane, as it is rounded.
        _ => Ray::between(target + rng.unit(), target),
    };
    Some((ray.ok()?, plane))
}

/// An axis-aligned box around a frame that is not turned.
pub fn aabb(frame: &Frame) -> Option<Aabb> {
    Aabb::new(frame.point(DVec3::NEG_ONE), frame.point(DVec3::ONE)).ok()
}

/// The box of a frame.
pub fn obb(frame: &Frame) -> Option<Obb> {
    Obb::new(frame.centre, frame.axes, frame.half).ok()
}

/// The box of a frame without its corners.
pub fn hull(frame: &Frame) -> Option<ConvexHull> {
    let corner = |sign: DVec3| Plane::new(frame.axes * (sign / frame.half), frame.point(sign * 0.8));
    let side = |axis: usize, sign: f64| {
        Plane::new(frame.axes.col(axis) * sign, frame.point(DVec3::AXES[axis] * sign))
    };
    let ends = [-1.0, 1.0];
    let sides = (0..3).flat_map(|axis| ends.map(|sign| side(axis, sign)));
    let signs =
        ends.into_iter().flat_map(|x| ends.into_iter().flat_map(move |y| ends.map(|z| DVec3::new(x, y, z))));
    let planes: Result<Vec<Plane>, _> = sides.chain(signs.map(corner)).collect();
    ConvexHull::from_planes(planes.ok()?).ok()
}

/// A sphere; none of a kind that spheres do not have.
pub fn sphere(kind: Kind, rng: &mut Rng) -> Option<Sphere> {
    if kind == Kind::Slivers {
        return None;
    }
    Sphere::new(kind.place(rng), rng.range(0.3, 1.0)).ok()
}

fn with_aabb(kind: Kind, rng: &mut Rng) -> Option<(Ray, Aabb)> {
    let frame = Frame::new(kind, false, rng);
    Some((frame.ray(kind, rng)?, aabb(&frame)?))
}

fn with_obb(kind: Kind, rng: &mut Rng) -> Option<(Ray, Obb)> {
    let frame = Frame::new(kind, true, rng);
    Some((frame.ray(kind, rng)?, obb(&frame)?))
}

fn with_hull(kind: Kind, rng: &mut Rng) -> Option<(Ray, ConvexHull)> {
    let frame = Frame::new(kind, true, rng);
    Some((frame.ray(kind, rng)?, hull(&frame)?))
}

fn with_sphere(kind: Kind, rng: &mut Rng) -> Option<(Ray, Sphere)> {
    let ball = sphere(kind, rng)?;
    if kind == Kind::Random {
        return Some((towards(ball.centre() + rng.vector() * (1.2 * ball.radius()), rng)?, ball));
    }
    // A tangent, as it is rounded.
    let outward = rng.unit();
    let touching = ball.centre() + outward * ball.radius();
    let along = outward.cross(rng.unit());
    let far = if kind == Kind::Grazing { 1e4 } else { rng.range(1.0, 4.0) };
    Some((Ray::new(touching - along * far, along).ok()?, ball))
}

fn ball_and_triangle(kind: Kind, rng: &mut Rng) -> Option<(Sphere, Triangle)> {
    let target = kind.place(rng);
    let shape = triangle(kind, &towards(target, rng)?, target, rng)?;
    let [a, b, c] = shape.corners();
    let radius = rng.range(0.3, 1.0);
    // Touching an edge, or the face, as it is rounded; at random, near or far.
    let (on_it, reach) = match kind {
        Kind::Random => (target, rng.range(0.0, 2.0)),
        Kind::Grazing => ((a + b + c) / 3.0, 1.0),
        _ => (a.lerp(b, rng.range(0.0, 1.0)), 1.0),
    };
    let away = match kind {
        Kind::Random => rng.unit(),
        Kind::Grazing => shape.normal()?,
        _ => {
            let across = (b - a).cross(shape.cross());
            across / across.length()
        }
    };
    Some((Sphere::new(on_it + away * (reach * radius), radius).ok()?, shape))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_have_inputs_but_slivers_of_what_has_no_thickness() {
        for kind in Kind::ALL {
            for seed in 0..20 {
                let rng = &mut Rng::new(seed);
                let group = Group::new(kind, rng, with_hull, truth::ray_hull);
                assert!(group.is_some_and(|group| group.asked.len() == LANES), "{kind:?} {seed}");
                assert!(Group::new(kind, rng, with_obb, truth::ray_obb).is_some(), "{kind:?} {seed}");
                let ball = Group::new(kind, rng, with_sphere, truth::ray_sphere);
                assert_eq!(ball.is_some(), kind != Kind::Slivers, "{kind:?} {seed}");
            }
        }
    }
}
