//! Random instances, rays at them, and what a plain list of them answers.

use hitscan::glam::{DMat3, DQuat, DVec3};
use hitscan::heightfield::Heightfield;
use hitscan::intersect::{line_plane, ray_aabb, ray_capsule, ray_convex, ray_obb, ray_sphere};
use hitscan::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Sphere};
use hitscan::{Face, Filter, Geometry, Hit, Instance, InstanceId, Mesh, Ray, Transform, World};
use hitscan_oracle::Rng;
use hitscan_oracle::meshes::integer_box;

/// What a plain list says about a hit, as bits: `t`, instance, prim, front.
pub type Bits = (u64, InstanceId, u32, bool);

pub fn bits(hit: &Hit) -> Bits {
    (hit.t.to_bits(), hit.instance, hit.prim, hit.facing == Face::Front)
}

/// A turn by any angle around any axis.
pub fn turn(rng: &mut Rng) -> DMat3 {
    DMat3::from_quat(DQuat::from_axis_angle(DVec3::from(rng.direction()), rng.range(-3.0, 3.0)))
}

/// Any invertible placement within `far` of the origin.
pub fn place(rng: &mut Rng, far: f64) -> Transform {
    let stretch = DVec3::new(rng.any_size(0.3, 3.0), rng.any_size(0.3, 3.0), rng.any_size(0.3, 3.0));
    let mirror = if rng.one_in(3) { DVec3::new(-1.0, 1.0, 1.0) } else { DVec3::ONE };
    let matrix = turn(rng) * DMat3::from_diagonal(stretch * mirror) * turn(rng);
    Transform::new(matrix, rng.in_cube(far)).expect("far from singular")
}

/// A shape of each kind, and a box of triangles, about 1 large.
pub fn geometry(rng: &mut Rng) -> Geometry {
    let centre = rng.in_cube(1.0);
    match rng.below(8) {
        0 => Sphere::new(centre, rng.any_size(0.1, 2.0)).unwrap().into(),
        1 => {
            let half = [rng.any_size(0.1, 2.0), rng.any_size(0.1, 2.0), rng.any_size(0.1, 2.0)];
            let (low, high) =
                (DVec3::from(centre) - DVec3::from(half), DVec3::from(centre) + DVec3::from(half));
            Aabb::new(low, high).unwrap().into()
        }
        2 => Obb::new(centre, turn(rng), [rng.any_size(0.1, 2.0), 0.5, 1.0]).unwrap().into(),
        3 => {
            let points: Vec<[f64; 3]> = (0..8 + rng.below(8)).map(|_| rng.in_cube(1.0)).collect();
            ConvexHull::from_points(points).unwrap().into()
        }
        4 => Plane::new(rng.direction(), centre).unwrap().into(),
        5 => Capsule::new(centre, rng.in_cube(1.0), rng.any_size(0.1, 1.0)).unwrap().into(),
        6 => {
            let heights: Vec<f32> = (0..30).map(|_| rng.range(-0.5, 0.5) as f32).collect();
            Heightfield::builder(6, 5).spacing([0.4, 0.3]).build_f32(heights).unwrap().into()
        }
        _ => {
            let cube = integer_box([-1, -1, -1], [1, 1, 1], 2).mesh;
            Mesh::new(cube.vertices, cube.triangles).unwrap().into()
        }
    }
}

/// A ray from near or far at something near the origin of an instance's frame, or just past it.
pub fn ray_at(instance: &Instance, rng: &mut Rng) -> Ray {
    let target = instance.transform().point(rng.in_cube(1.6));
    let distance = rng.any_size(1e-2, 1e8);
    let origin = target + DVec3::from(rng.direction()) * distance;
    let dir = (target - origin) * rng.any_size(1e-3, 1e3);
    let ray = Ray::new(origin, dir).expect("finite and far from zero");
    if rng.one_in(4) { ray.with_range(f64::NEG_INFINITY, rng.any_size(1e-3, 1e3)).unwrap() } else { ray }
}

/// The ray in the frame of an instance: the law's entry, written out.
fn local(ray: &Ray, transform: &Transform) -> Ray {
    let rows = transform.inverse().transpose();
    let mul = |v: DVec3| {
        [rows.x_axis, rows.y_axis, rows.z_axis].map(|row: DVec3| (row.x * v.x + row.y * v.y) + row.z * v.z)
    };
    let local = Ray::new(mul(ray.origin() - transform.offset()), mul(ray.dir())).expect("of ordinary size");
    local.with_range(ray.t_min(), ray.t_max()).unwrap()
}

/// All crossings of a ray with one instance.
pub fn crossings(id: InstanceId, instance: &Instance, ray: &Ray) -> Vec<Bits> {
    let of_field = match instance.geometry() {
        Geometry::Heightfield(field) => Some(field.to_mesh().unwrap()),
        _ => None,
    };
    if let Some(mesh) = instance.mesh().or(of_field.as_ref()) {
        let mut alone = World::new();
        alone.insert(Instance::new(mesh).at(*instance.transform()));
        let hits = alone.commit().all_hits(ray, &Filter::ALL);
        return hits.iter().map(|hit| (hit.t.to_bits(), id, hit.prim, hit.facing == Face::Front)).collect();
    }
    let local = local(ray, instance.transform());
    let ends = |enter: f64, exit: f64, first: usize, second: usize| {
        vec![(enter, first as u32, true), (exit, second as u32, false)]
    };
    let found = match instance.geometry() {
        Geometry::Sphere(sphere) => {
            ray_sphere(&local, sphere).map(|chord| ends(chord.span.enter, chord.span.exit, 0, 0))
        }
        Geometry::Aabb(bounds) => ray_aabb(&local, bounds).map(|through| {
            ends(
                through.span.enter,
                through.span.exit,
                through.entry_face as usize,
                through.exit_face as usize,
            )
        }),
        Geometry::Obb(bounds) => ray_obb(&local, bounds).map(|through| {
            ends(
                through.span.enter,
                through.span.exit,
                through.entry_face as usize,
                through.exit_face as usize,
            )
        }),
        Geometry::ConvexHull(hull) => ray_convex(&local, hull).map(|through| {
            ends(through.span.enter, through.span.exit, through.entry_face, through.exit_face)
        }),
        Geometry::Capsule(capsule) => ray_capsule(&local, capsule).map(|through| {
            ends(through.span.enter, through.span.exit, through.entry as usize, through.exit as usize)
        }),
        Geometry::Plane(plane) => {
            line_plane(&local, plane).map(|t| vec![(t, 0, plane.normal().dot(local.dir()) < 0.0)])
        }
        other => panic!("{other:?} is not asked here"),
    };
    let within = |&(t, ..): &(f64, u32, bool)| ray.t_min() <= t && t <= ray.t_max();
    let found = found.unwrap_or_default().into_iter().filter(within);
    found.map(|(t, prim, front)| (t.to_bits(), id, prim, front)).collect()
}

/// All crossings of a ray with a list of instances, in the law's order.
pub fn all_crossings<'a>(
    instances: impl IntoIterator<Item = (InstanceId, &'a Instance)>,
    ray: &Ray,
) -> Vec<Bits> {
    let mut all: Vec<Bits> =
        instances.into_iter().flat_map(|(id, instance)| crossings(id, instance, ray)).collect();
    let t = |bits: &Bits| f64::from_bits(bits.0);
    all.sort_by(|a, b| t(a).total_cmp(&t(b)).then((a.1, a.2, !a.3).cmp(&(b.1, b.2, !b.3))));
    all
}
