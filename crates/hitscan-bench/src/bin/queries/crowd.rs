//! parry3d's side: its shapes in their places, and the calls that a user writes.

use hitscan::Mesh;
use hitscan_bench::peers::parry::{tri_mesh, vector};
use parry3d::math::{Pose, Rotation, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::details::{NormalConstraints, intersection_test_point_query_ball};
use parry3d::query::{DefaultQueryDispatcher, QueryDispatcher, ShapeCastOptions, cast_shapes};
use parry3d::shape::{
    Ball, CompositeShape, CompositeShapeRef, Compound, Shape, TriMesh, TrianglePseudoNormals,
    TypedCompositeShape,
};

use crate::things::Place;

/// Instances of one mesh under one tree. Its own `Compound` refuses meshes; this is what a physics engine puts on top.
pub struct Crowd {
    mesh: TriMesh,
    poses: Vec<Pose>,
    bvh: Bvh,
}

/// Where a ball moves from and to.
pub struct Throw {
    pub ball: Ball,
    pub from: Vector,
    pub by: Vector,
}

pub fn pose(place: &Place) -> Pose {
    let [x, y, z, w] = place.turn.to_array().map(|part| part as f32);
    Pose::from_parts(vector(place.offset), Rotation::from_xyzw(x, y, z, w).normalize())
}

impl Crowd {
    pub fn new(mesh: &Mesh, places: &[Place]) -> Result<Crowd, String> {
        let mesh = tri_mesh(mesh)?;
        let poses: Vec<Pose> = places.iter().map(pose).collect();
        let boxes = poses.iter().map(|pose| mesh.aabb(pose)).enumerate();
        let bvh = Bvh::from_iter(BvhBuildStrategy::Binned, boxes);
        Ok(Crowd { mesh, poses, bvh })
    }
}

impl CompositeShape for Crowd {
    fn map_part_at(
        &self,
        part: u32,
        each: &mut dyn FnMut(Option<&Pose>, &dyn Shape, Option<&dyn NormalConstraints>),
    ) {
        self.map_untyped_part_at(part, each);
    }

    fn bvh(&self) -> &Bvh {
        &self.bvh
    }
}

impl TypedCompositeShape for Crowd {
    type PartShape = TriMesh;
    type PartNormalConstraints = TrianglePseudoNormals;

    fn map_typed_part_at<T>(
        &self,
        part: u32,
        mut each: impl FnMut(Option<&Pose>, &TriMesh, Option<&TrianglePseudoNormals>) -> T,
    ) -> Option<T> {
        let pose = self.poses.get(part as usize)?;
        Some(each(Some(pose), &self.mesh, None))
    }

    fn map_untyped_part_at<T>(
        &self,
        part: u32,
        mut each: impl FnMut(Option<&Pose>, &dyn Shape, Option<&dyn NormalConstraints>) -> T,
    ) -> Option<T> {
        let pose = self.poses.get(part as usize)?;
        Some(each(Some(pose), &self.mesh, None))
    }
}

/// A contact at the start is a hit at 0, as ours is.
fn up_to_one() -> ShapeCastOptions {
    ShapeCastOptions::with_max_time_of_impact(1.0)
}

/// When a ball meets a shape of its own; infinity where it does not.
pub fn sweep(shape: &dyn Shape, Throw { ball, from, by }: &Throw) -> f64 {
    let start = Pose::from_translation(*from);
    let hit = cast_shapes(&Pose::IDENTITY, Vector::ZERO, shape, &start, *by, ball, up_to_one());
    hit.ok().flatten().map_or(f64::INFINITY, |hit| f64::from(hit.time_of_impact))
}

/// When it meets an instance.
pub fn sweep_crowd(crowd: &Crowd, Throw { ball, from, by }: &Throw) -> f64 {
    let start = Pose::from_translation(*from);
    let hit = CompositeShapeRef(crowd).cast_shape(&DefaultQueryDispatcher, &start, *by, ball, up_to_one());
    hit.map_or(f64::INFINITY, |(_, hit)| f64::from(hit.time_of_impact))
}

/// The triangles that touch a ball, seen from the mesh: its tree lists those whose boxes do, its test decides.
pub fn touched(mesh: &TriMesh, centre: Vector, ball: &Ball) -> Vec<u32> {
    let place = Pose::from_translation(centre);
    let reach = ball.aabb(&place);
    let touches =
        |&row: &u32| intersection_test_point_query_ball(&place, &mesh.triangle(row), ball).intersecting;
    mesh.bvh().intersect_aabb(&reach).filter(touches).collect()
}

/// The same of all instances: their numbers, and their triangles'.
pub fn touched_crowd(crowd: &Crowd, centre: Vector, ball: &Ball) -> Vec<(u32, u32)> {
    let reach = ball.aabb(&Pose::from_translation(centre));
    let instances = crowd.bvh.intersect_aabb(&reach);
    let triangles = |part: u32| {
        let seen = crowd.poses[part as usize].inverse_transform_point(centre);
        touched(&crowd.mesh, seen, ball).into_iter().map(move |row| (part, row))
    };
    instances.flat_map(triangles).collect()
}

/// The parts of a compound that touch a ball.
pub fn touched_parts(compound: &Compound, centre: Vector, ball: &Ball) -> Vec<u32> {
    let place = Pose::from_translation(centre);
    let reach = ball.aabb(&place);
    let touches = |&part: &u32| {
        let (pose, shape) = &compound.shapes()[part as usize];
        let test = DefaultQueryDispatcher.intersection_test(&pose.inv_mul(&place), &**shape, ball);
        test.is_ok_and(|test| test.intersecting)
    };
    compound.bvh().intersect_aabb(&reach).filter(touches).collect()
}
