//! Where an instance stands as seen from a point of the world.

use glam::DVec3;

use super::Instance;
use crate::bvh::nearest::Boxes;
use crate::bvh::node::WIDTH;
use crate::intersect::{Polytope, box_triangles, corners_of_aabb, corners_of_obb, sphere_touches_triangle};
use crate::ray::MAX_COORDINATE;
use crate::shape::plane::unit;
use crate::shape::{Capsule, Plane, Sphere, Triangle};
use crate::transform::Transform;

use super::geometry::Geometry;
use super::uneven::Uneven;
use crate::root::sqrt;

/// A map from the frame of an instance to the world's directions, about a point: what is near to that point loses nothing by
/// being far from the origin of coordinates.
///
/// Each coordinate is a sum in a fixed order, so rounding keeps order: the box that [`boxes`](Self::boxes) makes of a box holds what
/// [`point`](Self::point) makes of its points, exactly. What lies farther than [`FAR`] is put there.
pub(crate) struct Placing {
    rows: [[f64; 3]; 3],
    offset: [f64; 3],
}

impl Placing {
    pub fn new(transform: &Transform, about: DVec3) -> Placing {
        Placing { rows: *transform.rows(), offset: (transform.offset() - about).to_array() }
    }

    pub fn point(&self, p: impl Into<[f64; 3]>) -> DVec3 {
        let p: [f64; 3] = p.into();
        let sum = |i: usize| {
            let m = &self.rows[i];
            (m[0] * p[0] + m[1] * p[1]) + m[2] * p[2] + self.offset[i]
        };
        DVec3::new(within_reach(sum(0)), within_reach(sum(1)), within_reach(sum(2)))
    }

    /// Eight points, as [`point`](Self::point) places each.
    #[inline(always)]
    pub fn points(&self, points: &[[f32; WIDTH]; 3]) -> [[f64; WIDTH]; 3] {
        let [x, y, z] = points;
        let mut placed = [[0.0; WIDTH]; 3];
        for axis in 0..3 {
            let m = self.rows[axis];
            for lane in 0..WIDTH {
                let [x, y, z] = [f64::from(x[lane]), f64::from(y[lane]), f64::from(z[lane])];
                placed[axis][lane] = within_reach((m[0] * x + m[1] * y) + m[2] * z + self.offset[axis]);
            }
        }
        placed
    }

    /// The boxes around eight boxes.
    #[inline(always)]
    pub fn boxes(&self, boxes: &Boxes) -> Boxes<f64> {
        let mut placed = [[0.0; WIDTH]; 6];
        for axis in 0..3 {
            let m = self.rows[axis];
            // The end of each term that makes the sum the least, and the other.
            let (x, y, z) = (ends(m[0], 0), ends(m[1], 1), ends(m[2], 2));
            for end in 0..2 {
                let [x, y, z] = [&boxes[x[end]], &boxes[y[end]], &boxes[z[end]]];
                for lane in 0..WIDTH {
                    let [x, y, z] = [f64::from(x[lane]), f64::from(y[lane]), f64::from(z[lane])];
                    let sum = (m[0] * x + m[1] * y) + m[2] * z + self.offset[axis];
                    placed[3 * end + axis][lane] = within_reach(sum);
                }
            }
        }
        placed
    }

    pub fn triangle(&self, corners: [[f32; 3]; 3]) -> Triangle {
        Triangle::derived(corners.map(|corner| self.point(corner.map(f64::from))))
    }
}

/// The planes of boxes along an axis: that of the lesser product with a factor, and that of the larger.
#[inline(always)]
fn ends(factor: f64, axis: usize) -> [usize; 2] {
    if factor < 0.0 { [3 + axis, axis] } else { [axis, 3 + axis] }
}

/// As far as things are looked at, along an axis: more than two accepted positions are apart, 2^102.
pub(crate) const FAR: f64 = 4.0 * MAX_COORDINATE;

/// A coordinate, or the nearest one in range.
#[inline(always)]
pub(crate) fn within_reach(coordinate: f64) -> f64 {
    let least = if coordinate < -FAR { -FAR } else { coordinate };
    if least > FAR { FAR } else { least }
}

/// A shape that is not made of triangles, in its place.
pub(crate) enum Solid<'a> {
    Ball(Sphere),
    Pill(Capsule),
    /// A sphere or a capsule that its transform stretches unevenly.
    Uneven(Uneven),
    /// A plane: a surface.
    Flat(Plane),
    Block(Block<'a>),
}

/// A convex solid with flat faces in its place.
pub(crate) struct Block<'a> {
    instance: &'a Instance,
    placing: Placing,
    about: DVec3,
}

/// How much of itself a round shape may be uneven and still count as round: more than a rotation made in `f32` makes it. 2^-20.
const ROUND: f64 = 1.0 / (1 << 20) as f64;

impl<'a> Solid<'a> {
    /// The shape of an instance as seen from a point; `None` for triangles, and for what is round or flat and farther or larger than
    /// [`FAR`].
    pub fn of(instance: &'a Instance, about: DVec3) -> Option<Solid<'a>> {
        let transform = &instance.transform;
        let placing = Placing::new(transform, about);
        Some(match &instance.geometry {
            Geometry::Mesh(_) | Geometry::Heightfield(_) => return None,
            Geometry::Sphere(sphere) => {
                let centre = near(placing.point(sphere.centre()))?;
                match scale(transform) {
                    Some(scale) => Solid::Ball(Sphere::derived(centre, reached(sphere.radius() * scale)?)),
                    None => Solid::Uneven(Uneven::new(transform, [centre; 2], sphere.radius())),
                }
            }
            Geometry::Capsule(capsule) => {
                let (a, b) = (near(placing.point(capsule.a()))?, near(placing.point(capsule.b()))?);
                match scale(transform) {
                    Some(scale) => Solid::Pill(Capsule::derived(a, b, reached(capsule.radius() * scale)?)),
                    None => Solid::Uneven(Uneven::new(transform, [a, b], capsule.radius())),
                }
            }
            Geometry::Plane(plane) => {
                // The foot of the frame's own origin is a point of it.
                let point = near(placing.point(plane.normal() * -plane.offset()))?;
                let normal = unit(transform.outward(plane.normal().to_array())).ok()?;
                Solid::Flat(Plane::through(normal, point))
            }
            Geometry::Aabb(_) | Geometry::Obb(_) | Geometry::ConvexHull(_) => {
                Solid::Block(Block { instance, placing, about })
            }
        })
    }
}

/// By how much a transform makes everything larger, where that is the same in all directions.
fn scale(transform: &Transform) -> Option<f64> {
    let m = transform.matrix();
    let columns = [m.x_axis, m.y_axis, m.z_axis];
    let square = columns.iter().map(|column| column.length_squared()).fold(0.0, f64::max);
    let is_round = (0..3).all(|i| {
        (i..3)
            .all(|j| (columns[i].dot(columns[j]) - if i == j { square } else { 0.0 }).abs() <= ROUND * square)
    });
    is_round.then(|| sqrt(square))
}

/// A point in its place, where that is in range.
fn near(p: DVec3) -> Option<DVec3> {
    (p.abs().max_element() < FAR).then_some(p)
}

/// A radius in its place, where that is in range.
fn reached(radius: f64) -> Option<f64> {
    (radius < FAR).then(|| radius.max(f64::MIN_POSITIVE))
}

/// More than axes that are off by as much as an [`Obb`](crate::shape::Obb)'s may be, and a transform that counts as round, can change
/// a distance by, as a part of itself.
const ASKEW: f64 = 1e-4;

impl Block<'_> {
    /// Whether a ball around the point that it is seen from has a point of it.
    pub fn touches_ball(&self, radius: f64) -> bool {
        let ball = Sphere::derived(DVec3::ZERO, radius);
        self.quick(radius).unwrap_or_else(|| {
            let mut touches = self.holds(DVec3::ZERO);
            self.each_triangle(&mut |triangle| touches = touches || sphere_touches_triangle(&ball, triangle));
            touches
        })
    }

    /// The same of a box, by its own point that is nearest in its own frame, unless that leaves a doubt.
    fn quick(&self, radius: f64) -> Option<bool> {
        let transform = &self.instance.transform;
        let point = self.instance.local_of(self.about, DVec3::ZERO);
        let away = match &self.instance.geometry {
            Geometry::Aabb(bounds) => point - point.clamp(bounds.low(), bounds.high()),
            Geometry::Obb(bounds) => {
                let point = bounds.local(point);
                let away = point - point.clamp(-bounds.half(), bounds.half());
                bounds.axes() * away
            }
            _ => return None,
        };
        let distance = (transform.matrix() * away).length();
        let sure = (1e-100..1e100).contains(&radius) && distance.is_finite();
        if sure && distance < radius * (1.0 - ASKEW) {
            return Some(true);
        }
        // Only where no direction is shorter than another is it the nearest of all.
        (sure && distance > radius * (1.0 + ASKEW) && scale(transform).is_some()).then_some(false)
    }
}

impl Polytope for Block<'_> {
    fn holds(&self, point: DVec3) -> bool {
        let local = self.instance.local_of(self.about, point);
        match &self.instance.geometry {
            Geometry::Aabb(bounds) => bounds.contains(local),
            Geometry::Obb(bounds) => bounds.contains(local),
            Geometry::ConvexHull(hull) => hull.contains(local),
            _ => false,
        }
    }

    fn each_triangle(&self, visit: &mut dyn FnMut(&Triangle)) {
        let place = |point: DVec3| self.placing.point(point);
        match &self.instance.geometry {
            Geometry::Aabb(bounds) => box_triangles(corners_of_aabb(bounds).map(place), visit),
            Geometry::Obb(bounds) => box_triangles(corners_of_obb(bounds).map(place), visit),
            Geometry::ConvexHull(hull) => {
                hull.each_triangle(&mut |triangle| visit(&Triangle::derived(triangle.corners().map(place))))
            }
            _ => {}
        }
    }

    fn each_face(&self, visit: &mut dyn FnMut(DVec3, DVec3)) {
        let mut placed = |normal: DVec3, point: DVec3| {
            if let Ok(normal) = unit(self.instance.transform.outward(normal.to_array())) {
                visit(normal, self.placing.point(point));
            }
        };
        match &self.instance.geometry {
            Geometry::Aabb(bounds) => bounds.each_face(&mut placed),
            Geometry::Obb(bounds) => bounds.each_face(&mut placed),
            Geometry::ConvexHull(hull) => hull.each_face(&mut placed),
            _ => {}
        }
    }
}
