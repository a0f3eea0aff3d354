//! Shapes, by the numbers that their constructors take, so that whatever a file says goes through their checks.

use std::sync::Arc;
use std::vec::Vec;

use glam::{DMat3, DVec3};

use super::bytes::{Flaw, Reader, Writer};
use crate::shape::{Aabb, Capsule, ConvexHull, HullParts, Obb, Plane, Sphere};
use crate::world::Geometry;

/// Bytes that a shape takes at least: its kind and a sphere.
pub(super) const LEAST: usize = 4 + 4 * 8;

const SPHERE: u32 = 0;
const AABB: u32 = 1;
const OBB: u32 = 2;
const HULL_OF_PLANES: u32 = 3;
const HULL_OF_POINTS: u32 = 4;
const PLANE: u32 = 5;
const CAPSULE: u32 = 6;

/// Writes a shape. Meshes and heightfields, which are none, are not.
pub(super) fn write(shape: &Geometry, out: &mut Writer) {
    match shape {
        Geometry::Mesh(_) | Geometry::Heightfield(_) => {}
        Geometry::Sphere(sphere) => {
            out.u32(SPHERE);
            out.f64s(&sphere.centre().to_array());
            out.f64(sphere.radius());
        }
        Geometry::Aabb(bounds) => {
            out.u32(AABB);
            points(&[bounds.low(), bounds.high()], out);
        }
        Geometry::Obb(bounds) => {
            out.u32(OBB);
            points(&[bounds.centre(), bounds.half()], out);
            out.f64s(&bounds.axes().to_cols_array());
        }
        Geometry::ConvexHull(hull) => {
            let HullParts { planes, faces, corners, triangles } = hull.parts();
            out.u32(if faces.is_empty() { HULL_OF_PLANES } else { HULL_OF_POINTS });
            out.count(corners.len());
            points(corners, out);
            out.count(triangles.len());
            points(triangles.as_flattened(), out);
            if faces.is_empty() {
                out.count(planes.len());
                planes.iter().for_each(|plane| write_plane(plane, out));
            } else {
                out.count(faces.len());
                points(faces.as_flattened(), out);
            }
        }
        Geometry::Plane(plane) => {
            out.u32(PLANE);
            write_plane(plane, out);
        }
        Geometry::Capsule(capsule) => {
            out.u32(CAPSULE);
            points(&[capsule.a(), capsule.b()], out);
            out.f64(capsule.radius());
        }
    }
}

/// Reads the shape of some number.
pub(super) fn read(number: usize, from: &mut Reader<'_>) -> Result<Geometry, Flaw> {
    let refused = |error| Flaw::refused(format_args!("shape {number}"), error);
    Ok(match from.code("a shape of kind", CAPSULE)? {
        SPHERE => Sphere::new(from.f64s()?, from.f64()?).map_err(refused)?.into(),
        AABB => Aabb::new(from.f64s()?, from.f64s()?).map_err(refused)?.into(),
        OBB => {
            let (centre, half) = (from.f64s::<3>()?, from.f64s::<3>()?);
            let axes = DMat3::from_cols_array(&from.f64s()?);
            Obb::new(centre, axes, half).map_err(refused)?.into()
        }
        PLANE => Geometry::Plane(plane(number, from)?),
        CAPSULE => Capsule::new(from.f64s()?, from.f64s()?, from.f64()?).map_err(refused)?.into(),
        kind => {
            let corners = read_points::<1>("corners", from)?.into_flattened();
            let triangles = read_points::<3>("triangles of a surface", from)?;
            let (mut planes, mut faces) = (Vec::new(), Vec::new());
            if kind == HULL_OF_PLANES {
                for _ in 0..from.count("planes", 32)? {
                    planes.push(plane(number, from)?);
                }
            } else {
                faces = read_points::<3>("faces", from)?;
            }
            let parts = HullParts { planes: &planes, faces, corners: &corners, triangles: &triangles };
            Geometry::ConvexHull(Arc::new(ConvexHull::of_parts(parts).map_err(refused)?))
        }
    })
}

fn write_plane(plane: &Plane, out: &mut Writer) {
    out.f64s(&plane.normal().to_array());
    out.f64(plane.offset());
}

fn plane(number: usize, from: &mut Reader<'_>) -> Result<Plane, Flaw> {
    let (normal, offset) = (from.f64s::<3>()?, from.f64()?);
    Plane::of_parts(normal.into(), offset).ok_or_else(|| {
        let found =
            format_args!("shape {number}: a plane of normal {normal:?} and offset {offset:?}").to_string();
        Flaw::new(found, "a normal of length 1 and a finite offset")
    })
}

fn points(points: &[DVec3], out: &mut Writer) {
    points.iter().for_each(|point| out.f64s(&point.to_array()));
}

fn read_points<const N: usize>(what: &str, from: &mut Reader<'_>) -> Result<Vec<[DVec3; N]>, Flaw> {
    let count = from.count(what, 24 * N)?;
    let mut list = Vec::with_capacity(count);
    for _ in 0..count {
        let mut points = [DVec3::ZERO; N];
        for point in &mut points {
            *point = from.f64s::<3>()?.into();
        }
        list.push(points);
    }
    Ok(list)
}
