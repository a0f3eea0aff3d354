//! Rays that leave side by side through worlds: they come to instances together, or some of them, and agree with brute force like
//! any others.

use hitscan::shape::{Plane, Sphere};
use hitscan::{Candidate, Facing, Filter, Instance, Mesh, Scene, Transform, Verdict, World};
use hitscan_oracle::brute::Placed;
use hitscan_oracle::meshes::{all, icosphere};
use hitscan_oracle::rays::{Ray, Shooter};
use hitscan_oracle::{Rng, TriMesh, placements, rng};

use crate::compare::assert_batches_are_singles;
use crate::support::{assert_scene_agrees, kernels, mesh, on_kernel, ray, scene, transform};

/// A few groups, and a rest that is none.
const RAYS: usize = 3 * 16 + 5;

fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    core::array::from_fn(|i| a[i] + b[i])
}

fn meshes(rng: &mut Rng) -> Vec<TriMesh> {
    let mut meshes = all(rng);
    meshes.retain(|mesh| mesh.triangles.len() <= 700);
    meshes
}

/// A corner, a point of an edge or of a face of one of the meshes, in the world.
fn feature(placed: &[Placed<'_>], rng: &mut Rng) -> [f64; 3] {
    let Placed { mesh, placement } = &placed[rng.below(placed.len())];
    placement.point(Shooter::new(mesh).feature(rng))
}

/// What a camera sees of a place, rays at features nearby among them; some of them limited, or as long as anything.
fn picture(placed: &[Placed<'_>], away: f64, rng: &mut Rng) -> Vec<Ray> {
    let towards = feature(placed, rng);
    let eye = add(towards, rng.direction().map(|c| c * away));
    let ray = |i: usize, rng: &mut Rng| {
        let ray = match i % 4 {
            0 => Ray::towards(eye, feature(placed, rng)),
            1 => Ray::towards(eye, towards),
            _ => Ray::towards(eye, add(towards, rng.in_cube(0.05 * away))),
        };
        match rng.below(12) {
            0 => ray.within(0.5, 1.0),
            1 => ray.within(1.0, f64::INFINITY),
            2 => Ray::new(ray.origin, ray.dir.map(|c| c * 1e3)),
            _ => ray,
        }
    };
    (0..RAYS).map(|i| ray(i, rng)).filter(Ray::is_valid).collect()
}

fn placed<'a>(meshes: &'a [TriMesh], count: usize, size: f64, far: f64, rng: &mut Rng) -> Vec<Placed<'a>> {
    let one = |rng: &mut Rng| {
        let (condition, size) = (rng.any_size(1.0, 30.0), size * rng.any_size(0.1, 1.0));
        let placement = placements::random(rng, condition, size, far);
        Placed { mesh: &meshes[rng.below(meshes.len())], placement }
    };
    (0..count).map(|_| one(rng)).collect()
}

#[test]
fn pictures_of_worlds() {
    let mut rng = Rng::new(rng::seed(1311));
    let meshes = meshes(&mut rng);
    // Of one instance to many, side by side, apart, or specks from far away, which every ray is moved to.
    for (count, size, far) in [(1, 1.0, 1.0), (3, 1.0, 2.0), (12, 1.0, 8.0), (40, 1.0, 8.0), (12, 1e-3, 8.0)]
    {
        for away in [0.3, 3.0, 30.0, 3e4] {
            let placed = placed(&meshes, count, size, far, &mut rng);
            assert_scene_agrees(&placed, &picture(&placed, away, &mut rng));
        }
    }
}

/// Large enough for a task to be four lines: batches are single queries, which brute force knows.
#[test]
fn lines_of_a_picture() {
    let mut rng = Rng::new(rng::seed(1315));
    let meshes = meshes(&mut rng);
    for (width, height) in [(41, 65), (64, 50), (250, 11)] {
        let placed = placed(&meshes, 12, 1.0, 4.0, &mut rng);
        let pixel = |i: usize| {
            let (x, y) = ((i % width) as f64 / width as f64, (i / width) as f64 / height as f64);
            ray(&Ray::new([0.1, 0.2, 9.0], [x - 0.5, (y - 0.4) * height as f64 / width as f64, -1.0]))
        };
        let rays: Vec<_> = (0..width * height).map(pixel).collect();
        let (one, scene) = (mesh(placed[0].mesh), scene(&placed));
        for isa in kernels() {
            let context = || format!("{isa}, {width} x {height}");
            assert_batches_are_singles(&on_kernel(&scene, isa), &rays, &context);
            assert_batches_are_singles(&on_kernel(&one, isa), &rays, &context);
        }
    }
}

#[test]
fn parallel_rays_through_worlds() {
    let mut rng = Rng::new(rng::seed(1312));
    let meshes = meshes(&mut rng);
    for round in 0..20 {
        let placed = match round % 2 {
            0 => placed(&meshes, 9, 1.0, 3.0, &mut rng),
            // Through corners and along edges, also where instances touch.
            _ => (0..9)
                .map(|_| Placed {
                    mesh: &meshes[rng.below(meshes.len())],
                    placement: placements::on_grid(&mut rng),
                })
                .collect(),
        };
        let mut dir = rng.direction();
        if round % 4 > 1 {
            dir = [rng.pick(&[0.0, -0.0]), rng.pick(&[1.0, -1.0]), rng.pick(&[0.0, -0.0])];
        }
        let over = feature(&placed, &mut rng);
        let rays: Vec<Ray> = (0..RAYS)
            .map(|i| {
                let over = if i % 3 == 0 { feature(&placed, &mut rng) } else { add(over, rng.in_cube(0.1)) };
                Ray::new(add(over, dir.map(|c| -9.0 * c)), dir)
            })
            .collect();
        assert_scene_agrees(&placed, &rays);
    }
}

/// A scene of everything, with masks.
fn of_everything(placed: &[Placed<'_>], rng: &mut Rng) -> Scene {
    let mut world = World::new();
    let everything = |rng: &mut Rng, at: [f64; 3]| -> Instance {
        match rng.below(3) {
            0 => Instance::new(Sphere::new(at, rng.range(0.1, 1.0)).unwrap()),
            1 => Instance::new(Plane::new(rng.direction(), rng.in_cube(9.0)).unwrap()),
            _ => {
                let ball = icosphere(2).mesh;
                let triangles = ball.triangles.iter().filter(|_| rng.one_in(2));
                let holed = Mesh::new(ball.vertices.iter().copied(), triangles.copied()).unwrap();
                Instance::new(holed).at(Transform::translation(at).unwrap())
            }
        }
    };
    for Placed { mesh: source, placement } in placed {
        let instance = Instance::new(mesh(source)).at(transform(placement));
        world.insert(instance.mask(rng.pick(&[1, 2, 3])));
        let at = rng.in_cube(8.0);
        world.insert(everything(rng, at).mask(rng.pick(&[1, 2, 3])));
    }
    world.commit()
}

/// One ray of a group that goes back along its line, and finds a plane there which hardly any number reaches, leaves the others what they
/// come to: box tests look no farther than the largest number of `f32`.
#[test]
fn one_ray_that_hits_beyond_all_numbers() {
    let wall = Mesh::new([[2.0f32, -1.0, -1.0], [2.0, 3.0, -1.0], [2.0, 1.0, 3.0]], [[0u32, 1, 2]]).unwrap();
    let mut world = World::new();
    world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3]).unwrap());
    let wall = world.insert(&wall);
    let scene = world.commit();
    let level = hitscan::Ray::new([0.0, 1.0, 0.0], [1.0, 0.0, 0.0]).unwrap();
    for (odd, rise) in (0..16).flat_map(|odd| [(odd, 1e-39), (odd, 1e-37), (odd, 1e-300)]) {
        let mut rays = [level; 16];
        rays[odd] = hitscan::Ray::new([0.0, 1.0, 0.0], [1.0, rise, 0.0]).unwrap();
        rays[odd] = rays[odd].with_range(f64::NEG_INFINITY, f64::INFINITY).unwrap();
        for isa in kernels() {
            let target = on_kernel(&scene, isa);
            let hit = target.closest_batch(&rays, &Filter::ALL)[(odd + 1) % 16].expect("there is a wall");
            assert_eq!((hit.t, hit.instance), (2.0, wall), "{isa}, ray {odd}");
            assert_batches_are_singles(&target, &rays, &|| format!("{isa}, ray {odd}"));
        }
    }
}

/// Shapes, planes without end, masks and filters: batches are single queries, which brute force knows.
#[test]
fn everything_else() {
    let mut rng = Rng::new(rng::seed(1313));
    let meshes = meshes(&mut rng);
    let odd = |candidate: &Candidate| if candidate.prim % 2 == 1 { Verdict::Accept } else { Verdict::Ignore };
    let stop = |candidate: &Candidate| {
        if candidate.prim.is_multiple_of(3) { Verdict::Stop } else { Verdict::Accept }
    };
    let all = Filter::ALL;
    let filters = [all, all.mask(1), all.mask(2).facing(Facing::Front), all.judge(&odd), all.judge(&stop)];
    for round in 0..12 {
        let placed = placed(&meshes, 1 + round, 1.0, 6.0, &mut rng);
        let scene = of_everything(&placed, &mut rng);
        let mut rays: Vec<_> = picture(&placed, [0.5, 5.0][round % 2], &mut rng).iter().map(ray).collect();
        for ray in &mut rays {
            let (t_min, t_max) = match rng.below(9) {
                0 => (f64::NEG_INFINITY, f64::INFINITY),
                1 => (f64::NEG_INFINITY, rng.range(-1e300, 1.0)),
                2 => (-1e9, 1e300),
                _ => continue,
            };
            *ray = ray.with_range(t_min, t_max).unwrap();
        }
        for isa in kernels() {
            let target = on_kernel(&scene, isa);
            assert_batches_are_singles(&target, &rays, &|| format!("{isa}, round {round}"));
            for filter in &filters {
                let context = format!("{isa}, {filter:?}, round {round}");
                let closest: Vec<_> = rays.iter().map(|ray| target.closest(ray, filter)).collect();
                assert_eq!(target.closest_batch(&rays, filter), closest, "{context}");
                let occluded: Vec<bool> = closest.iter().map(Option::is_some).collect();
                assert_eq!(target.occluded_batch(&rays, filter), occluded, "{context}");
                let hits = target.all_hits_batch(&rays, filter);
                assert_eq!(hits.len(), rays.len(), "{context}");
                for (ray, hits) in rays.iter().zip(hits.iter()) {
                    assert_eq!(target.all_hits(ray, filter), hits, "{context}");
                }
            }
        }
    }
}
