//! Spheres that move and spheres that stand, beside parry3d: on one mesh, among solids, among instances of a mesh.

use std::error::Error;
use std::path::Path;

use hitscan::glam::DVec3;
use hitscan::intersect::Motion;
use hitscan::shape::{Aabb, Capsule, Sphere};
use hitscan::{Filter, Instance, Mesh, Scene, World};
use hitscan_bench::peers::parry::{tri_mesh, vector};
use hitscan_bench::peers::{Rival, Team};
use hitscan_bench::rays::random::Random;
use hitscan_bench::scenes;
use parry3d::math::{Pose, Vector};
use parry3d::query::intersection_test;
use parry3d::shape::{Ball, Compound, Cuboid, Shape, SharedShape};

use crate::contest::{Answers, Bench, Contest, Touches, single};
use crate::crowd::{Crowd, Throw, pose, sweep, sweep_crowd, touched, touched_crowd, touched_parts};
use crate::things::{boulder, cube, places, within};

/// Questions of each row.
const ASKED: usize = 4096;
/// Things of a world.
const MANY: usize = 4096;
/// The side of the cube that they stand in, in their own sizes of about 1.
const SIDE: f64 = 40.0;

/// What `f32` may err by where a ball is near, of the size of what is asked: four units of the last place.
const ROUNDING: f64 = 1.0 / (1u32 << 22) as f64;

/// A sphere and its way.
type Rolling = (Sphere, Motion);

pub fn hold(bench: &mut Bench<'_>, team: &Team) -> Result<(), Box<dyn Error>> {
    let atrium = scenes::open("builtin:atrium:300k", Path::new("builtin:atrium:300k"))?;
    // How much of a segment between two points of the box a sphere goes, so that about half of them hit.
    for (name, mesh, part) in [("boulder", boulder(250, 201), 0.5), ("atrium", atrium.mesh, 0.25)] {
        let name = format!("{name} of {} k", mesh.triangles().len() / 1000);
        for percent in [0.1, 2.0] {
            on_mesh(bench, team, &name, &mesh, percent, part)?;
        }
    }
    among_solids(bench, team)?;
    among_instances(bench, team)
}

/// `percent` is the sphere's radius, of the size of the mesh.
fn on_mesh(
    bench: &mut Bench<'_>,
    team: &Team,
    name: &str,
    mesh: &Mesh,
    percent: f64,
    part: f64,
) -> Result<(), Box<dyn Error>> {
    let (low, high) = mesh.bounds().ok_or("a mesh without triangles")?;
    let bounds = [low.as_dvec3(), high.as_dvec3()];
    let size = (bounds[1] - bounds[0]).length();
    let radius = f64::from((0.01 * percent * size) as f32);
    let mut random = Random(1);
    let asked = bench.options.few(ASKED);
    let peer = tri_mesh(mesh)?;

    let ways = ways(asked, radius, part, bounds, &mut random)?;
    let throws = throws(&ways);
    bench.hold(Contest {
        what: format!("sweep_sphere, {name}, radius {percent} %"),
        team,
        answers: depths(&ways, size),
        touches: Some(touches(&peer, &ways, size)),
        rivals: vec![
            single("hitscan", ways, |(sphere, motion)| {
                mesh.sweep_sphere(sphere, motion).map_or(f64::INFINITY, |hit| hit.sweep.t())
            }),
            single("parry3d", throws, |throw| sweep(&peer, throw)),
        ],
    });

    let near = near_vertices(asked, radius, mesh, &mut random)?;
    let balls = balls(&near);
    bench.hold(Contest {
        what: format!("overlap_sphere, {name}, radius {percent} %"),
        team,
        answers: Answers::Counts,
        touches: None,
        rivals: vec![
            single("hitscan", near.clone(), |sphere| mesh.overlap_sphere(sphere).len() as f64),
            single("parry3d", balls.clone(), |(centre, ball)| touched(&peer, *centre, ball).len() as f64),
        ],
    });
    bench.hold(Contest {
        what: format!("whether anything touches, {name}, radius {percent} %"),
        team,
        answers: Answers::Counts,
        touches: None,
        rivals: vec![
            single("hitscan", near, |sphere| {
                let nearest = mesh.closest_point_within(sphere.centre(), sphere.radius());
                f64::from(u8::from(nearest.is_some()))
            }),
            single("parry3d", balls, |(centre, ball)| {
                let place = Pose::from_translation(*centre);
                let test = intersection_test(&Pose::IDENTITY, &peer, &place, ball);
                f64::from(u8::from(test.is_ok_and(|test| test.intersecting)))
            }),
        ],
    });
    Ok(())
}

/// Balls, boxes and capsules under one tree.
fn among_solids(bench: &mut Bench<'_>, team: &Team) -> Result<(), Box<dyn Error>> {
    let mut random = Random(2);
    let (mut world, mut parts) = (World::new(), Vec::new());
    for (i, place) in places(MANY, SIDE, &mut random).iter().enumerate() {
        // Their sizes are eighths, so that both have the same.
        let [a, b, c] = [0; 3].map(|_| f64::from((1.0 + 4.0 * random.unit()) as u8) / 8.0);
        let (instance, peer) = match i % 3 {
            0 => (Instance::new(Sphere::new([0.0; 3], a)?), SharedShape::ball(a as f32)),
            1 => {
                let half = DVec3::new(a, b, c);
                (Instance::new(Aabb::new(-half, half)?), SharedShape::new(Cuboid::new(vector(half))))
            }
            _ => {
                let end = DVec3::new(0.0, b, 0.0);
                let capsule = parry3d::shape::Capsule::new(vector(-end), vector(end), a as f32);
                (Instance::new(Capsule::new(-end, end, a)?), SharedShape::new(capsule))
            }
        };
        world.insert(instance.at(place.transform()));
        parts.push((pose(place), peer));
    }
    let (scene, compound) = (world.commit(), Compound::new(parts));
    let name = format!("{MANY} solids");
    let (ways, near) = in_world(bench, 1.0, 0.25, &mut random)?;
    let (throws, balls) = (throws(&ways), balls(&near));
    bench.hold(Contest {
        what: format!("sweep_sphere, {name}"),
        team,
        answers: depths(&ways, SIDE),
        touches: Some(touches(&compound, &ways, SIDE)),
        rivals: vec![in_scene(&scene, ways), single("parry3d", throws, |throw| sweep(&compound, throw))],
    });
    bench.hold(Contest {
        what: format!("overlap_sphere, {name}"),
        team,
        answers: Answers::Counts,
        touches: None,
        rivals: vec![
            listed_in_scene(&scene, near),
            single("parry3d", balls, |(centre, ball)| touched_parts(&compound, *centre, ball).len() as f64),
        ],
    });
    Ok(())
}

/// A mesh of 1,000 triangles in many places.
fn among_instances(bench: &mut Bench<'_>, team: &Team) -> Result<(), Box<dyn Error>> {
    let mut random = Random(3);
    let (mesh, places) = (boulder(25, 21), places(MANY, 2.0 * SIDE, &mut random));
    let mut world = World::new();
    for place in &places {
        world.insert(Instance::new(&mesh).at(place.transform()));
    }
    let (scene, crowd) = (world.commit(), Crowd::new(&mesh, &places)?);
    let name = format!("{MANY} instances of {} k", mesh.triangles().len() / 1000);
    let (ways, near) = in_world(bench, 2.0, 0.5, &mut random)?;
    let (throws, balls) = (throws(&ways), balls(&near));
    bench.hold(Contest {
        what: format!("sweep_sphere, {name}"),
        team,
        answers: depths(&ways, SIDE),
        touches: None,
        rivals: vec![in_scene(&scene, ways), single("parry3d", throws, |throw| sweep_crowd(&crowd, throw))],
    });
    bench.hold(Contest {
        what: format!("overlap_sphere, {name}"),
        team,
        answers: Answers::Counts,
        touches: None,
        rivals: vec![
            listed_in_scene(&scene, near),
            single("parry3d", balls, |(centre, ball)| touched_crowd(&crowd, *centre, ball).len() as f64),
        ],
    });
    Ok(())
}

/// What is asked of a world, of its middle where it is larger: spheres that go a part of the way to another point, and larger
/// ones that stand.
fn in_world(
    bench: &Bench<'_>,
    radius: f64,
    part: f64,
    random: &mut Random,
) -> Result<(Vec<Rolling>, Vec<Sphere>), Box<dyn Error>> {
    let (asked, bounds) = (bench.options.few(ASKED), cube(SIDE));
    let ways = ways(asked, 0.25, part, bounds, random)?;
    let near = (0..asked).map(|_| Sphere::new(within(bounds, random), radius));
    Ok((ways, near.collect::<Result<_, _>>()?))
}

fn in_scene<'a>(scene: &'a Scene, ways: Vec<Rolling>) -> Rival<'a> {
    single("hitscan", ways, |(sphere, motion)| {
        scene.sweep_sphere(sphere, motion, &Filter::ALL).map_or(f64::INFINITY, |hit| hit.sweep.t())
    })
}

fn listed_in_scene<'a>(scene: &'a Scene, near: Vec<Sphere>) -> Rival<'a> {
    single("hitscan", near, |sphere| scene.overlap_sphere(sphere, &Filter::ALL).len() as f64)
}

/// Spheres that go a part of the way from a point of the box to another.
fn ways(
    count: usize,
    radius: f64,
    part: f64,
    bounds: [DVec3; 2],
    random: &mut Random,
) -> Result<Vec<Rolling>, Box<dyn Error>> {
    let way = |_| {
        let (from, to) = (within(bounds, random), within(bounds, random));
        let by = (part * (to - from)).as_vec3().as_dvec3();
        Ok((Sphere::new(from, radius)?, Motion::new(by)?))
    };
    (0..count).map(way).collect()
}

/// Spheres of which some two thirds touch the mesh: within two radii of a vertex.
fn near_vertices(
    count: usize,
    radius: f64,
    mesh: &Mesh,
    random: &mut Random,
) -> Result<Vec<Sphere>, Box<dyn Error>> {
    let vertices = mesh.vertices();
    let sphere = |_| {
        let vertex = vertices[(random.unit() * vertices.len() as f64) as usize];
        let away = random.on_sphere() * (2.0 * radius * random.unit());
        let centre = (DVec3::from(vertex.map(f64::from)) + away).as_vec3().as_dvec3();
        Ok(Sphere::new(centre, radius)?)
    };
    (0..count).map(sphere).collect()
}

/// How much of each way the size of what is asked would be.
fn depths(ways: &[Rolling], size: f64) -> Answers {
    Answers::Depths(ways.iter().map(|(_, motion)| size / motion.by().length()).collect())
}

/// Whether a sphere on its way touches a shape, by parry3d's test of its own shape, within rounding.
fn touches<'a>(shape: &'a dyn Shape, ways: &[Rolling], size: f64) -> Touches<'a> {
    let ways = ways.to_vec();
    Box::new(move |way, t| {
        let (sphere, motion) = &ways[way];
        let there = Pose::from_translation(vector(sphere.centre() + motion.by() * t));
        let ball = Ball::new((sphere.radius() + ROUNDING * size) as f32);
        intersection_test(&Pose::IDENTITY, shape, &there, &ball).is_ok_and(|test| test.intersecting)
    })
}

fn throws(ways: &[Rolling]) -> Vec<Throw> {
    let throw = |(sphere, motion): &Rolling| Throw {
        ball: Ball::new(sphere.radius() as f32),
        from: vector(sphere.centre()),
        by: vector(motion.by()),
    };
    ways.iter().map(throw).collect()
}

fn balls(spheres: &[Sphere]) -> Vec<(Vector, Ball)> {
    spheres.iter().map(|sphere| (vector(sphere.centre()), Ball::new(sphere.radius() as f32))).collect()
}
