//! What an instance is: a mesh, or a shape that is known exactly.

use alloc::sync::Arc;

use glam::DVec3;

use crate::bvh::crop::Crop;
use crate::heightfield::Heightfield;
use crate::hit::Face;
use crate::intersect::{CapsulePart, line_plane, ray_aabb, ray_capsule, ray_convex, ray_obb, ray_sphere};
use crate::mesh::Mesh;
use crate::ray::Ray;
use crate::root::sqrt;
use crate::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Sphere};

/// What stands at an [`Instance`](crate::Instance)'s place, in a frame of its own.
///
/// Shapes are asked in `f64` by the tests of [`intersect`](crate::intersect), whose promises hold: whether a ray meets a
/// solid is exact for the ray as it is in the shape's frame. The surface of a solid is crossed twice, in through its
/// [`Front`](crate::Face::Front) and out through its [`Back`](crate::Face::Back), where a ray only touches it at one and the same `t`, in the
/// order of their faces then; a plane is crossed once.
/// A plane, and a hull that was made of planes, has no box: each ray asks it.
///
/// ```
/// use hitscan::shape::{Aabb, Plane, Sphere};
/// use hitscan::{Face, Filter, Instance, Ray, Transform, World};
/// let mut world = World::new();
/// let ground = world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
/// let egg = Transform::new(hitscan::glam::DMat3::from_diagonal([1.0, 2.0, 1.0].into()), [0.0, 2.0, 0.0])?;
/// let egg = world.insert(Instance::new(Sphere::new([0.0; 3], 1.0)?).at(egg).material(7));
/// let scene = world.commit();
///
/// let falling = Ray::new([0.0, 9.0, 0.0], [0.0, -1.0, 0.0])?;
/// let hits = scene.all_hits(&falling, &Filter::ALL);
/// let seen: Vec<_> = hits.iter().map(|hit| (hit.t, hit.instance, hit.facing, hit.material)).collect();
/// let (front, back) = (Face::Front, Face::Back);
/// assert_eq!(seen, [(5.0, egg, front, 7), (9.0, ground, front, 0), (9.0, egg, back, 7)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Geometry {
    /// Triangles.
    Mesh(Mesh),
    /// A ball.
    Sphere(Sphere),
    /// A box along the axes of its frame.
    Aabb(Aabb),
    /// A box along axes of its own.
    Obb(Arc<Obb>),
    /// A convex solid with flat faces.
    ConvexHull(Arc<ConvexHull>),
    /// An endless plane: a surface, not the solid behind it.
    Plane(Plane),
    /// A ball that was drawn out.
    Capsule(Capsule),
    /// Terrain: the triangles of its mesh.
    Heightfield(Heightfield),
}

/// Where a shape lies in its own frame.
pub(crate) enum Extent {
    /// Nothing can be hit.
    Nothing,
    /// In the box between two corners.
    Box(DVec3, DVec3),
    /// Anywhere.
    Endless,
}

/// A crossing of a line and the surface of a shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    pub t: f64,
    pub prim: u32,
    pub facing: Face,
}

/// How much larger a box along slanted axes may be than axes of length 1 at right angles would make it: more than ten
/// times the tolerance of [`Obb::new`].
const SLANT: f64 = 1.0 + 1e-5;

impl Geometry {
    /// The mesh, if it is one.
    ///
    /// ```
    /// use hitscan::{Geometry, Mesh, shape::Sphere};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// assert_eq!(Geometry::from(&mesh).mesh().map(|mesh| mesh.triangles().len()), Some(1));
    /// assert!(Geometry::from(Sphere::new([0.0; 3], 1.0)?).mesh().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mesh(&self) -> Option<&Mesh> {
        match self {
            Geometry::Mesh(mesh) => Some(mesh),
            _ => None,
        }
    }

    /// Where it lies.
    pub(crate) fn extent(&self) -> Extent {
        match self {
            Geometry::Mesh(mesh) => {
                mesh.bounds().map_or(Extent::Nothing, |(low, high)| Extent::Box(low.into(), high.into()))
            }
            Geometry::Sphere(sphere) => {
                Extent::Box(sphere.centre() - sphere.radius(), sphere.centre() + sphere.radius())
            }
            Geometry::Aabb(bounds) => Extent::Box(bounds.low(), bounds.high()),
            Geometry::Obb(bounds) => {
                let axes = bounds.axes();
                let half = (axes.x_axis * bounds.half().x).abs()
                    + (axes.y_axis * bounds.half().y).abs()
                    + (axes.z_axis * bounds.half().z).abs();
                Extent::Box(bounds.centre() - half * SLANT, bounds.centre() + half * SLANT)
            }
            Geometry::ConvexHull(hull) => {
                hull.bounds().map_or(Extent::Endless, |(low, high)| Extent::Box(low, high))
            }
            Geometry::Plane(_) => Extent::Endless,
            Geometry::Capsule(capsule) => {
                let (a, b, radius) = (capsule.a(), capsule.b(), capsule.radius());
                Extent::Box(a.min(b) - radius, a.max(b) + radius)
            }
            Geometry::Heightfield(field) => {
                field.bounds().map_or(Extent::Nothing, |(low, high)| Extent::Box(low.into(), high.into()))
            }
        }
    }

    /// How much of the box that it lies in is empty; not of what has no box.
    pub(crate) fn crop(&self) -> Crop {
        if let Geometry::Mesh(mesh) = self {
            return mesh.data.crop();
        }
        // Rounded up.
        let length = |way: DVec3| sqrt(way.length_squared()) * (1.0 + f64::EPSILON);
        match (self, self.extent()) {
            (Geometry::Sphere(sphere), Extent::Box(low, high)) => {
                Crop::of_reach(low, high, |way| sphere.centre().dot(way) + sphere.radius() * length(way))
            }
            (Geometry::Capsule(capsule), Extent::Box(low, high)) => {
                let along = |way: DVec3| capsule.a().dot(way).max(capsule.b().dot(way));
                Crop::of_reach(low, high, |way| along(way) + capsule.radius() * length(way))
            }
            (Geometry::Obb(bounds), Extent::Box(low, high)) => {
                let (axes, half) = (bounds.axes(), bounds.half() * SLANT);
                let edges = [axes.x_axis * half.x, axes.y_axis * half.y, axes.z_axis * half.z];
                let along = |way: DVec3| edges.iter().map(|edge| edge.dot(way).abs()).sum::<f64>();
                Crop::of_reach(low, high, |way| bounds.centre().dot(way) + along(way))
            }
            _ => Crop::NONE,
        }
    }

    /// The largest absolute coordinate of its triangles, if it is made of such.
    pub(crate) fn reach_of_triangles(&self) -> Option<f64> {
        match self {
            Geometry::Mesh(mesh) => Some(f64::from(mesh.data.reach)),
            Geometry::Heightfield(field) => Some(f64::from(field.reach())),
            _ => None,
        }
    }

    /// Whether a tree that holds this one holds the other in its stead, when its box is changed.
    pub(crate) fn stands_like(&self, other: &Geometry) -> bool {
        core::mem::discriminant(&self.extent()) == core::mem::discriminant(&other.extent())
    }

    /// Where the line of a ray, which meets the shape within its interval, crosses the surface; not of triangles.
    pub(crate) fn crossings(&self, ray: &Ray) -> [Option<Surface>; 2] {
        let through = |enter: f64, exit: f64, faces: [u32; 2]| {
            [
                Some(Surface { t: enter, prim: faces[0], facing: Face::Front }),
                Some(Surface { t: exit, prim: faces[1], facing: Face::Back }),
            ]
        };
        let crossings = match self {
            Geometry::Mesh(_) | Geometry::Heightfield(_) => None,
            Geometry::Sphere(sphere) => {
                ray_sphere(ray, sphere).map(|chord| through(chord.span.enter, chord.span.exit, [0, 0]))
            }
            Geometry::Aabb(bounds) => ray_aabb(ray, bounds).map(|box_| {
                through(box_.span.enter, box_.span.exit, [box_.entry_face as u32, box_.exit_face as u32])
            }),
            Geometry::Obb(bounds) => ray_obb(ray, bounds).map(|box_| {
                through(box_.span.enter, box_.span.exit, [box_.entry_face as u32, box_.exit_face as u32])
            }),
            Geometry::ConvexHull(hull) => ray_convex(ray, hull).map(|hull| {
                through(hull.span.enter, hull.span.exit, [hull.entry_face as u32, hull.exit_face as u32])
            }),
            Geometry::Capsule(capsule) => ray_capsule(ray, capsule)
                .map(|pill| through(pill.span.enter, pill.span.exit, [pill.entry as u32, pill.exit as u32])),
            Geometry::Plane(plane) => line_plane(ray, plane).map(|t| {
                let front = plane.normal().dot(ray.dir()) < 0.0;
                [Some(Surface { t, prim: 0, facing: if front { Face::Front } else { Face::Back } }), None]
            }),
        };
        crossings.unwrap_or_default()
    }

    /// The number, as for rays, of the face of a shape that a point on or near its surface lies on: the least deep one, and of
    /// equal ones the first.
    pub(crate) fn face_at(&self, point: DVec3) -> u32 {
        let of_box = |from_centre: DVec3, half: DVec3| {
            let over = |face: usize| {
                let (axis, sign) = (face / 2, if face % 2 == 1 { 1.0 } else { -1.0 });
                from_centre[axis] * sign - half[axis]
            };
            highest(6, over)
        };
        match self {
            Geometry::Mesh(_) | Geometry::Heightfield(_) | Geometry::Sphere(_) | Geometry::Plane(_) => 0,
            Geometry::Aabb(bounds) => of_box(point - bounds.centre(), (bounds.high() - bounds.low()) * 0.5),
            Geometry::Obb(bounds) => of_box(bounds.local(point), bounds.half()),
            Geometry::ConvexHull(hull) => {
                highest(hull.planes().len(), |face| hull.planes()[face].signed_distance(point))
            }
            Geometry::Capsule(capsule) => {
                let along = capsule.b() - capsule.a();
                let part = (point - capsule.a()).dot(along) / along.length_squared();
                let part = if part >= 1.0 {
                    CapsulePart::CapB
                } else if part > 0.0 {
                    CapsulePart::Side
                } else {
                    CapsulePart::CapA
                };
                part as u32
            }
        }
    }

    /// How much of a line lies in it, in units of the ray's direction, where that is known better than by two `t`.
    pub(crate) fn chord(&self, ray: &Ray) -> Option<f64> {
        match self {
            Geometry::Sphere(sphere) => ray_sphere(ray, sphere).map(|chord| chord.length),
            _ => None,
        }
    }

    /// Where on its surface a ray crosses it, and the normal there, outwards and not of length 1; not of triangles.
    pub(crate) fn on_surface(&self, ray: &Ray, t: f64, prim: u32, facing: Face) -> (DVec3, DVec3) {
        let point = ray.at(t);
        match self {
            Geometry::Mesh(_) | Geometry::Heightfield(_) => (point, DVec3::ZERO),
            Geometry::Sphere(sphere) => {
                // What a far `t` is off by lies along the ray, so only what lies across it is taken from the point.
                let (ahead, radius) = (unit(ray.dir()), sphere.radius());
                let off = point - sphere.centre();
                let across = (off - ahead * off.dot(ahead)) / radius;
                let along = sqrt((1.0 - across.length_squared()).max(0.0));
                let away = across + ahead * if facing == Face::Front { -along } else { along };
                let normal = unit(if away.is_finite() { away } else { -ahead });
                (sphere.centre() + normal * radius, normal)
            }
            Geometry::Capsule(capsule) => {
                let (a, along) = (capsule.a(), capsule.b() - capsule.a());
                let part = (point - a).dot(along) / along.length_squared();
                // No number where both ends are at one place.
                let axis = if part.is_nan() { a } else { a + along * part.clamp(0.0, 1.0) };
                let away = point - axis;
                let against = if facing == Face::Front { -ray.dir() } else { ray.dir() };
                let normal = unit(if away == DVec3::ZERO { against } else { away });
                (axis + normal * capsule.radius(), normal)
            }
            Geometry::Aabb(bounds) => {
                let (mut point, axis) = (point.clamp(bounds.low(), bounds.high()), prim as usize / 2 % 3);
                let high = prim % 2 == 1;
                point[axis] = if high { bounds.high()[axis] } else { bounds.low()[axis] };
                (point, DVec3::AXES[axis] * if high { 1.0 } else { -1.0 })
            }
            Geometry::Obb(bounds) => {
                let (axis, side) = (prim as usize / 2 % 3, if prim % 2 == 1 { 1.0 } else { -1.0 });
                let normal = bounds.axes().col(axis) * side;
                let height = normal.dot(point - bounds.centre()) - bounds.half()[axis];
                (point - normal * height, normal)
            }
            Geometry::ConvexHull(hull) => match hull.planes().get(prim as usize) {
                Some(plane) => (point - plane.normal() * plane.signed_distance(point), plane.normal()),
                None => (point, DVec3::ZERO),
            },
            Geometry::Plane(plane) => (point - plane.normal() * plane.signed_distance(point), plane.normal()),
        }
    }
}

/// The number of the highest of several, the first of equal ones.
fn highest(count: usize, height: impl Fn(usize) -> f64) -> u32 {
    (1..count).fold(0, |best, face| if height(face) > height(best) { face } else { best }) as u32
}

/// The direction of a vector that is not zero, of whatever size.
fn unit(v: DVec3) -> DVec3 {
    let v = v / v.abs().max_element();
    v / v.length()
}

macro_rules! geometry_from {
    ($($from:ty => $make:expr),* $(,)?) => {$(
        impl From<$from> for Geometry {
            fn from(given: $from) -> Geometry {
                $make(given)
            }
        }
    )*};
}

geometry_from!(
    Mesh => Geometry::Mesh,
    &Mesh => |mesh: &Mesh| Geometry::Mesh(mesh.clone()),
    Sphere => Geometry::Sphere,
    Aabb => Geometry::Aabb,
    Obb => |bounds| Geometry::Obb(Arc::new(bounds)),
    ConvexHull => |hull| Geometry::ConvexHull(Arc::new(hull)),
    Plane => Geometry::Plane,
    Capsule => Geometry::Capsule,
    Heightfield => Geometry::Heightfield,
    &Heightfield => |field: &Heightfield| Geometry::Heightfield(field.clone()),
);
