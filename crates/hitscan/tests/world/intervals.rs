//! Entries, exits and thickness.

use hitscan::glam::{DMat3, DVec3};
use hitscan::shape::{Aabb, Plane, Sphere};
use hitscan::{Candidate, Filter, Geometry, Instance, Interval, Mesh, Ray, Scene, Transform, Verdict, World};
use hitscan_oracle::meshes::integer_box;
use hitscan_oracle::{Rng, rng};

use crate::support::{geometry, place, ray_at};

fn cube(low: i32, high: i32) -> Mesh {
    let mesh = integer_box([low; 3], [high; 3], 1).mesh;
    Mesh::new(mesh.vertices, mesh.triangles).unwrap()
}

/// One mesh of several, with turned windings where it says so.
fn joined(parts: &[(Mesh, bool)]) -> Mesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (part, turned) in parts {
        let first = vertices.len() as u32;
        vertices.extend(part.vertices().iter().copied());
        triangles.extend(part.triangles().iter().map(|&[a, b, c]| {
            if *turned { [a + first, c + first, b + first] } else { [a + first, b + first, c + first] }
        }));
    }
    Mesh::new(vertices, triangles).unwrap()
}

fn ends(intervals: &[Interval]) -> Vec<(f64, f64)> {
    intervals.iter().map(|piece| (piece.enter, piece.exit)).collect()
}

/// Along x, off all edges, 2 a unit of t.
fn shot(from: f64) -> Ray {
    Ray::new([from, 0.25, 0.125], [2.0, 0.0, 0.0]).unwrap()
}

#[test]
fn brackets_nest_and_overlap() {
    let solid = |parts: &[(Mesh, bool)], from: f64| ends(&joined(parts).intervals(&shot(from), &Filter::ALL));
    let (small, large) = (cube(-1, 1), cube(-3, 3));
    assert_eq!(solid(&[(large.clone(), false)], -5.0), [(1.0, 4.0)]);
    assert_eq!(
        solid(&[(large.clone(), false), (small.clone(), false)], -5.0),
        [(1.0, 4.0)],
        "enclosed twice"
    );
    assert_eq!(
        solid(&[(large.clone(), false), (small.clone(), true)], -5.0),
        [(1.0, 2.0), (3.0, 4.0)],
        "a cavity"
    );
    assert_eq!(solid(&[(cube(-2, 1), false), (cube(-1, 2), false)], -4.0), [(1.0, 3.0)], "overlapping");
    assert_eq!(solid(&[(large.clone(), false)], 0.0), [(0.0, 1.5)], "from inside");
    assert_eq!(solid(&[(large.clone(), false), (small.clone(), false)], 2.0), [(0.0, 0.5)]);
    assert_eq!(solid(&[(large.clone(), false)], 4.0), [], "behind it");
    assert_eq!(solid(&[(large, true)], -5.0), [(1.0, 1.0), (4.0, 4.0)], "inside out: two sheets");
    let inside =
        joined(&[(small, false)]).intervals(&shot(0.0).with_range(-0.25, 0.25).unwrap(), &Filter::ALL);
    assert_eq!(ends(&inside), [(-0.25, 0.25)], "wholly inside, without a crossing");
    assert_eq!(inside[0].thickness, 1.0);
}

#[test]
fn materials_and_instances_are_solids_of_their_own() {
    let (coat, core) = (cube(-3, 3), cube(-1, 1));
    let materials = [vec![5; coat.triangles().len()], vec![2; core.triangles().len()]].concat();
    let part = joined(&[(coat, false), (core, false)]).with_materials(materials).unwrap();
    let mut world = World::new();
    let part = world.insert(&part);
    let ball = world.insert(Instance::new(Sphere::new([0.0, 0.25, 0.125], 2.0).unwrap()).material(9));
    let pieces = world.commit().intervals(&shot(-5.0), &Filter::ALL);
    let seen: Vec<_> =
        pieces.iter().map(|p| (p.enter, p.exit, p.thickness, p.instance, p.material)).collect();
    let expected = [(1.0, 4.0, 6.0, part, 5), (1.5, 3.5, 4.0, ball, 9), (2.0, 3.0, 2.0, part, 2)];
    assert_eq!(seen, expected);
}

#[test]
fn sheets_have_no_thickness() {
    let mut world = World::new();
    let quad = [[1.0f32, -9.0, -9.0], [1.0, 9.0, -9.0], [1.0, 9.0, 9.0], [1.0, -9.0, 9.0]];
    world.insert(Mesh::new(quad, [[0u32, 1, 2], [0, 2, 3]]).unwrap());
    world.insert(Plane::new([1.0, 0.0, 0.0], [3.0, 0.0, 0.0]).unwrap());
    world.insert(Aabb::new([4.0, -1.0, -1.0], [6.0, 1.0, 1.0]).unwrap());
    let pieces = world.commit().intervals(&shot(-1.0), &Filter::ALL);
    let seen: Vec<_> = pieces.iter().map(|p| (p.enter, p.exit, p.thickness)).collect();
    assert_eq!(seen, [(1.0, 1.0, 0.0), (2.0, 2.0, 0.0), (2.5, 3.5, 2.0)]);
}

#[test]
fn a_stop_ends_what_is_open() {
    let mut world = World::new();
    for (low, high) in [(-3.0, 3.0), (-1.0, 1.0), (2.0, 9.0)] {
        world.insert(Aabb::new([low; 3], [high; 3]).unwrap());
    }
    let scene = world.commit();
    let wall = |c: &Candidate| if c.instance.slot() == 1 { Verdict::Stop } else { Verdict::Accept };
    let filter = Filter::new().judge(&wall);
    assert_eq!(ends(&scene.intervals(&shot(-5.0), &filter)), [(1.0, 2.0), (2.0, 2.0)]);
    // Behind the origin nothing stops; the exit does.
    assert_eq!(ends(&scene.intervals(&shot(0.0), &filter)), [(0.0, 0.5), (0.0, 0.5)]);
    let skipped = |c: &Candidate| if c.instance.slot() == 0 { Verdict::Ignore } else { Verdict::Accept };
    assert_eq!(ends(&scene.intervals(&shot(-5.0), &Filter::new().judge(&skipped))), [(2.0, 3.0)]);
}

/// A sheet stays one when a filter stops the ray behind it, or would stop it where it is not; what lies behind is not there.
#[test]
fn a_stop_makes_no_solids_of_sheets() {
    let mut world = World::new();
    for x in [2.0, 5.0, 8.0] {
        world.insert(Plane::new([-1.0, 0.0, 0.0], [x, 0.0, 0.0]).unwrap());
    }
    world.insert(Aabb::new([5.5, -1.0, -1.0], [6.0, 1.0, 1.0]).unwrap());
    let scene = world.commit();
    let along = |from: f64| Ray::new([from, 0.0, 0.0], [1.0, 0.0, 0.0]).unwrap();
    let wall = |c: &Candidate| if c.instance.slot() == 1 { Verdict::Stop } else { Verdict::Accept };
    let filter = Filter::new().judge(&wall);
    assert_eq!(ends(&scene.intervals(&along(0.0), &filter)), [(2.0, 2.0), (5.0, 5.0)]);
    assert_eq!(
        ends(&scene.intervals(&along(5.25), &filter)),
        [(0.25, 0.75), (2.75, 2.75)],
        "it stopped behind"
    );
    let short = along(0.0).with_range(0.0, 3.0).unwrap();
    assert_eq!(ends(&scene.intervals(&short, &filter)), [(2.0, 2.0)], "it would stop beyond the end");
}

/// An edge that a ray only touches is one piece, whichever of its faces has the lower number.
#[test]
fn touching_is_one_piece_from_either_side() {
    let mut world = World::new();
    world.insert(Aabb::new([0.0; 3], [1.0; 3]).unwrap());
    let scene = world.commit();
    let there = Ray::new([0.0, 2.0, 0.5], [1.0, -1.0, 0.0]).unwrap();
    let back = Ray::new([2.0, 0.0, 0.5], [-1.0, 1.0, 0.0]).unwrap();
    for ray in [there, back] {
        let pieces = scene.intervals(&ray, &Filter::ALL);
        assert_eq!(
            pieces.iter().map(|p| (p.enter, p.exit, p.thickness)).collect::<Vec<_>>(),
            [(1.0, 1.0, 0.0)]
        );
    }
    // Two solids of one mesh that share a wall are one.
    let beside = integer_box([-3, -1, -1], [-1, 1, 1], 1).mesh;
    let beside = Mesh::new(beside.vertices, beside.triangles).unwrap();
    for halves in [[beside.clone(), cube(-1, 1)], [cube(-1, 1), beside]] {
        let whole = joined(&halves.map(|half| (half, false)));
        assert_eq!(ends(&whole.intervals(&shot(-5.0), &Filter::ALL)), [(1.0, 3.0)]);
    }
}

/// Chords of nested spheres, against the chord in exact terms: short ones and far ones.
#[test]
fn chords_of_spheres_are_exact() {
    let mut rng = Rng::new(rng::seed(741));
    for _ in 0..400 {
        // A shell of spheres around one centre, and a line that passes it at a height that `f64` knows exactly.
        let (far, radius) = (1024.0 + rng.any_size(1.0, 1e8).round(), 2f64.powi(rng.int(-8, 8) as i32));
        let mut world = World::new();
        let mut chords = Vec::new();
        let sunk = 2f64.powi(rng.int(-24, -1) as i32);
        let height = radius * (1.0 - sunk);
        for shell in 0..6 {
            let r = radius * (1.0 + f64::from(shell) / 8.0);
            world.insert(Sphere::new([0.0; 3], r).unwrap());
            chords.push(2.0 * ((r - height) * (r + height)).sqrt());
        }
        let ray = Ray::new([-far, height, 0.0], [1.0, 0.0, 0.0]).unwrap();
        let pieces = world.commit().intervals(&ray, &Filter::ALL);
        assert_eq!(pieces.len(), 6);
        for piece in pieces {
            let expected = chords[piece.instance.slot() as usize];
            let ulp = f64::from(f32::EPSILON) * expected;
            assert!((piece.thickness - expected).abs() <= 1e-6 * ulp, "{far} {radius} {sunk}: {piece:?}");
        }
    }
}

/// Against a plain sum over closed shapes: a point on the ray lies in an instance exactly where an interval says so.
#[test]
fn intervals_are_where_points_are_inside() {
    let mut rng = Rng::new(rng::seed(742));
    for _ in 0..60 {
        let mut world = World::new();
        for _ in 0..6 {
            world.insert(Instance::new(geometry(&mut rng)).at(place(&mut rng, 2.0)));
        }
        let instances: Vec<Instance> = world.iter().map(|(_, instance)| instance.clone()).collect();
        let scene = world.commit();
        let rays: Vec<Ray> = (0..40).map(|_| ray_at(&instances[rng.below(6)], &mut rng)).collect();
        let lists = scene.intervals_batch(&rays, &Filter::ALL);
        assert_eq!(lists.len(), rays.len());
        for (ray, pieces) in rays.iter().zip(lists.iter()) {
            assert_eq!(pieces, scene.intervals(ray, &Filter::ALL));
            assert_pairs(&scene, ray, pieces);
        }
    }
}

/// Each crossing within the ray is an end of a piece of its instance, and each end within the ray is a crossing.
fn assert_pairs(scene: &Scene, ray: &Ray, pieces: &[Interval]) {
    let mut expected: Vec<_> =
        scene.all_hits(ray, &Filter::ALL).iter().map(|hit| (hit.instance, hit.t.to_bits())).collect();
    let mut found = Vec::new();
    for piece in pieces {
        let open = matches!(
            scene.get(piece.instance).unwrap().geometry(),
            Geometry::Plane(_) | Geometry::Heightfield(_)
        );
        let sheet = open && piece.enter == piece.exit;
        assert!(ray.t_min() <= piece.enter && piece.enter <= piece.exit && piece.exit <= ray.t_max());
        assert!(piece.thickness >= 0.0);
        found.push((piece.instance, piece.enter.to_bits()));
        if !sheet {
            found.push((piece.instance, piece.exit.to_bits()));
        }
    }
    let end = [ray.t_min().to_bits(), ray.t_max().to_bits()];
    expected.sort_unstable();
    found.sort_unstable();
    found.retain(|crossing| !end.contains(&crossing.1) || expected.binary_search(crossing).is_ok());
    assert_eq!(found, expected);
}

#[test]
fn a_stretched_ball_is_as_thick_as_its_image() {
    let mut world = World::new();
    let stretch = DMat3::from_diagonal(DVec3::new(3.0, 1.0, 0.5));
    let at = Transform::new(stretch, [5.0, 0.0, 0.0]).unwrap();
    world.insert(Instance::new(Sphere::new([0.0; 3], 1.0).unwrap()).at(at));
    let piece =
        world.commit().intervals(&Ray::new([-9.0, 0.0, 0.0], [4.0, 0.0, 0.0]).unwrap(), &Filter::ALL)[0];
    let expected = [2.75, 4.25, 6.0];
    let found = [piece.enter, piece.exit, piece.thickness];
    assert!(
        found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12),
        "{piece:?}"
    );
}
