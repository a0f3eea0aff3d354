//! Placed meshes: mirrored, sheared, unevenly scaled, overlapping and coincident, against brute force.

use hitscan::shape::{Plane, Sphere};
use hitscan::{Filter, Instance, World};
use hitscan_oracle::brute::Placed;
use hitscan_oracle::entry::Placement;
use hitscan_oracle::meshes::{all, grid_soup, integer_box, sheet, single};
use hitscan_oracle::rays::Shooter;
use hitscan_oracle::{Ray, Rng, TriMesh, all_hits, placements, rng};

use crate::compare::assert_batches_are_singles;
use crate::support::{
    all_bits, assert_mesh_agrees, assert_scene_agrees, kernels, mesh, on_kernel, ray, scene, transform,
};

/// Rays of every kind at each placed mesh, carried into the world.
fn rays_at(placed: &[Placed<'_>], count: usize, rng: &mut Rng) -> Vec<Ray> {
    let mut rays = Vec::new();
    for Placed { mesh, placement } in placed {
        for ray in Shooter::new(mesh).rays(count, rng) {
            let tip = placement.point(std::array::from_fn(|i| ray.origin[i] + ray.dir[i]));
            let origin = placement.point(ray.origin);
            let moved = Ray::towards(origin, tip).within(ray.t_min, ray.t_max);
            if hitscan::Ray::new(moved.origin, moved.dir).is_ok() {
                rays.push(moved);
            }
        }
    }
    rays
}

fn small_meshes(rng: &mut Rng) -> Vec<TriMesh> {
    let mut meshes = all(rng);
    meshes.retain(|mesh| mesh.triangles.len() <= 700);
    meshes
}

#[test]
fn placements_of_condition_1000() {
    let mut rng = Rng::new(rng::seed(601));
    for mesh in small_meshes(&mut rng) {
        for (condition, size, far) in
            [(1.0, 1.0, 1.0), (10.0, 1.0, 1e3), (1000.0, 30.0, 1e6), (1000.0, 1e-9, 1e-3)]
        {
            let placed =
                [Placed { mesh: &mesh, placement: placements::random(&mut rng, condition, size, far) }];
            assert_scene_agrees(&placed, &rays_at(&placed, 24, &mut rng));
        }
    }
}

#[test]
fn worlds_of_many_instances() {
    let mut rng = Rng::new(rng::seed(602));
    let meshes = small_meshes(&mut rng);
    for round in 0..12 {
        let count = [2, 3, 9, 40][round % 4];
        let placed: Vec<Placed<'_>> = (0..count)
            .map(|_| {
                let mesh = &meshes[rng.below(meshes.len())];
                let (condition, size) = (rng.any_size(1.0, 1000.0), rng.any_size(0.1, 10.0));
                Placed { mesh, placement: placements::random(&mut rng, condition, size, 8.0) }
            })
            .collect();
        let rays = rays_at(&placed, 120 / count, &mut rng);
        assert_scene_agrees(&placed, &rays);
    }
}

#[test]
fn a_speck_beside_a_planet() {
    let mut rng = Rng::new(rng::seed(603));
    let meshes = small_meshes(&mut rng);
    for round in 0..12 {
        let placed: Vec<Placed<'_>> = [(1e-3, 6.4e6), (6.4e6, 6.4e6), (1.0, 6.4e6), (1e3, 1e12)]
            .into_iter()
            .map(|(size, far)| {
                let mesh = &meshes[rng.below(meshes.len())];
                Placed { mesh, placement: placements::random(&mut rng, 10.0 + f64::from(round), size, far) }
            })
            .collect();
        let rays = rays_at(&placed, 36, &mut rng);
        assert_scene_agrees(&placed, &rays);
    }
}

/// In its own frame each mesh lies far from the origin, so that the recipe finds it well outside its box in the world.
#[test]
fn meshes_far_from_their_own_origin() {
    let mut rng = Rng::new(rng::seed(609));
    for mesh in small_meshes(&mut rng) {
        for offset in [[1e3f32, 0.0, -1e3], [1e5, -1e5, 99_999.5]] {
            let mesh = mesh.moved(offset);
            let mut placement = placements::random(&mut rng, 30.0, 1.0, 10.0);
            let middle = placement.point(mesh.middle());
            placement.translation = std::array::from_fn(|i| placement.translation[i] - middle[i]);
            let placed = [Placed { mesh: &mesh, placement }];
            assert_scene_agrees(&placed, &rays_at(&placed, 36, &mut rng));
        }
    }
}

/// Placements and shooters so far away that the rounding of `f64` is not small beside the meshes.
#[test]
fn worlds_in_which_f64_is_coarse() {
    let mut rng = Rng::new(rng::seed(610));
    for mesh in small_meshes(&mut rng) {
        for (condition, size, far) in
            [(1000.0, 1.0, 1e14), (1e6, 1.0, 1e10), (1e9, 1.0, 1e3), (1.0, 1e-4, 1e12)]
        {
            let placed: Vec<Placed<'_>> = (0..3)
                .map(|_| Placed {
                    mesh: &mesh,
                    placement: placements::random(&mut rng, condition, size, far),
                })
                .collect();
            let mut rays = rays_at(&placed, 12, &mut rng);
            for ray in &mut rays {
                // Half of them from much farther away still, along the same line.
                if rng.one_in(2) {
                    let back = rng.any_size(1.0, 1e14);
                    ray.origin = std::array::from_fn(|i| ray.origin[i] - back * ray.dir[i]);
                }
            }
            assert_scene_agrees(&placed, &rays);
        }
    }
}

/// Placements at the ends of what is allowed: 2^100.
#[test]
fn placements_of_every_size() {
    let mut rng = Rng::new(rng::seed(604));
    let meshes = small_meshes(&mut rng);
    for _ in 0..60 {
        let mesh = meshes[rng.below(meshes.len())].scaled(rng.power_of_two(-60, 60) as f32);
        let (size, far) = (rng.power_of_two(-80, 80), rng.power_of_two(-80, 98));
        let placed = [Placed { mesh: &mesh, placement: placements::random(&mut rng, 30.0, size, far) }];
        let rays = rays_at(&placed, 24, &mut rng);
        let rays: Vec<Ray> = rays.into_iter().filter(|ray| ray.is_valid()).collect();
        assert_scene_agrees(&placed, &rays);
    }
}

#[test]
fn coincident_instances_are_ordered_by_their_number() {
    let mut rng = Rng::new(rng::seed(605));
    let cube = integer_box([-1, -1, -1], [1, 1, 1], 1).mesh;
    for mesh in [cube, sheet(3), grid_soup(40, &mut rng), single()] {
        let same = placements::on_grid(&mut rng);
        let mut placed = vec![Placed { mesh: &mesh, placement: same }; 12];
        placed.extend((0..12).map(|_| Placed { mesh: &mesh, placement: placements::on_grid(&mut rng) }));
        let rays = rays_at(&placed, 10, &mut rng);
        assert_scene_agrees(&placed, &rays);
    }
}

#[test]
fn a_mesh_in_a_world_answers_as_it_does_alone() {
    let mut rng = Rng::new(rng::seed(606));
    for oracle_mesh in small_meshes(&mut rng) {
        let mut rays = Shooter::new(&oracle_mesh).rays(60, &mut rng);
        // Minus zeros must not show.
        rays.extend(rays.clone().into_iter().map(|ray| Ray {
            origin: ray.origin.map(|c| if c == 0.0 { -0.0 } else { c }),
            dir: ray.dir.map(|c| if c == 0.0 { -0.0 } else { c }),
            ..ray
        }));
        assert_mesh_agrees(&oracle_mesh, &rays);
        let placed = [Placed { mesh: &oracle_mesh, placement: Placement::IDENTITY }];
        let (alone, world) = (mesh(&oracle_mesh), scene(&placed));
        for isa in kernels() {
            let (alone, world) = (on_kernel(&alone, isa), on_kernel(&world, isa));
            for ray in rays.iter().map(ray) {
                assert_eq!(
                    alone.all_hits(&ray, &Filter::ALL),
                    world.all_hits(&ray, &Filter::ALL),
                    "{isa}, {ray:?}"
                );
                assert_eq!(
                    alone.closest(&ray, &Filter::ALL),
                    world.closest(&ray, &Filter::ALL),
                    "{isa}, {ray:?}"
                );
            }
        }
    }
}

#[test]
fn other_objects_change_nothing() {
    let mut rng = Rng::new(rng::seed(607));
    let meshes = small_meshes(&mut rng);
    let mut hits = 0;
    for _ in 0..10 {
        let chosen = &meshes[rng.below(meshes.len())];
        let placed = Placed { mesh: chosen, placement: placements::random(&mut rng, 100.0, 1.0, 10.0) };
        let alone = scene(&[placed]);
        let mut world = World::new();
        let id = world.insert(Instance::new(mesh(chosen)).at(transform(&placed.placement)).mask(2));
        for far in [0.0f64, 10.0, 1e4, 1e15] {
            let other = placements::random(&mut rng, 5.0, far.max(1.0), far);
            world.insert(Instance::new(mesh(&meshes[rng.below(meshes.len())])).at(transform(&other)).mask(1));
        }
        let crowded = world.commit();
        for isa in kernels() {
            let (alone, crowded) = (on_kernel(&alone, isa), on_kernel(&crowded, isa));
            for oracle_ray in rays_at(&[placed], 60, &mut rng) {
                let ray = ray(&oracle_ray);
                let expected = alone.all_hits(&ray, &Filter::ALL);
                let masked = Filter::new().mask(2);
                assert_eq!(all_bits(&crowded.all_hits(&ray, &masked)), all_bits(&expected), "{isa}, {ray:?}");
                let of_all: Vec<_> = crowded.all_hits(&ray, &Filter::ALL);
                let own: Vec<_> = of_all.iter().copied().filter(|hit| hit.instance == id).collect();
                assert_eq!(own, expected, "{isa}, {ray:?}");
                hits += own.len();
            }
        }
    }
    assert!(hits > 100, "{hits}");
}

#[test]
fn masks_choose_instances() {
    let mut rng = Rng::new(rng::seed(608));
    let cube = integer_box([-1, -1, -1], [1, 1, 1], 1).mesh;
    let placed: Vec<Placed<'_>> = (0..8)
        .map(|_| Placed { mesh: &cube, placement: placements::random(&mut rng, 4.0, 2.0, 2.0) })
        .collect();
    let mut world = World::new();
    for (bit, placed) in placed.iter().enumerate() {
        world.insert(Instance::new(mesh(&cube)).at(transform(&placed.placement)).mask(1 << bit));
    }
    let world = world.commit();
    for isa in kernels() {
        let world = on_kernel(&world, isa);
        for oracle_ray in rays_at(&placed, 12, &mut rng) {
            let ray = ray(&oracle_ray);
            for mask in [0, 1, 0b1010_1010, 0b0001_1000, u32::MAX] {
                let expected: Vec<(u32, u32)> = all_hits(&placed, &oracle_ray)
                    .into_iter()
                    .filter(|hit| mask & (1 << hit.instance) != 0)
                    .map(|hit| (hit.instance, hit.prim))
                    .collect();
                let filter = Filter::new().mask(mask);
                let hits = world.all_hits(&ray, &filter);
                let found: Vec<(u32, u32)> = hits.iter().map(|hit| (hit.instance.slot(), hit.prim)).collect();
                assert_eq!(found, expected, "{isa}, {mask:#b}, {ray:?}");
                assert_eq!(world.closest(&ray, &filter).as_ref(), hits.first());
                assert_eq!(world.occluded(&ray, &filter), !hits.is_empty());
            }
        }
    }
}

/// Boxes whose corners, or twice their middles, are beyond `f32`: every instance is in the tree once, and hit.
#[test]
fn worlds_beyond_f32() {
    let flat = TriMesh::new(
        "a large triangle",
        vec![[-268435456.0, -268435456.0, 0.0], [268435456.0, -268435456.0, 0.0], [0.0, 268435456.0, 0.0]],
        vec![[0, 1, 2]],
    );
    let steep = TriMesh::new(
        "a triangle beside the origin",
        vec![
            [134217728.0, 134217728.0, 0.0],
            [134217728.0, -134217728.0, -134217728.0],
            [402653184.0, -134217728.0, 134217728.0],
        ],
        vec![[0, 1, 2]],
    );
    let huge = 2.0f64.powi(100);
    let diagonal = |k: f64| [[k, 0.0, 0.0], [0.0, k, 0.0], [0.0, 0.0, k]];
    let rays: Vec<Ray> =
        [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [1.0, 1e-3, 0.25], [-1.0, 0.5, 0.0]]
            .into_iter()
            .flat_map(|dir| {
                [[0.0; 3], [0.0, 1.0, -5.0], [1.0, -huge / 2.0, huge], [-huge, 0.0, 0.0]].map(|origin| Ray {
                    origin,
                    dir,
                    t_min: f64::NEG_INFINITY,
                    t_max: f64::INFINITY,
                })
            })
            .collect();
    for mesh in [&flat, &steep] {
        for size in [huge, huge / 2.0, huge / 4.0, 2.0f64.powi(70)] {
            for count in [1, 2, 3, 7] {
                let placement = |i: usize| Placement {
                    matrix: diagonal(size),
                    translation: [0.0, 0.0, if i % 2 == 1 { huge / 3.0 * i as f64 / 7.0 } else { 0.0 }],
                };
                let placed: Vec<Placed<'_>> =
                    (0..count).map(|i| Placed { mesh, placement: placement(i) }).collect();
                assert_scene_agrees(&placed, &rays);
            }
        }
    }
}

/// Batches on a scene of nothing but one mesh go through it at once, as those on the mesh itself do; whatever it is called, wherever it
/// stands, and whether a filter lets anybody see it.
#[test]
fn one_mesh_alone() {
    let mut rng = Rng::new(rng::seed(619));
    let mut hit = 0;
    for (number, of) in small_meshes(&mut rng).iter().enumerate() {
        let placement =
            placements::random(&mut rng, [1.0, 30.0][number % 2], 3.0, [0.0, 50.0][number / 2 % 2]);
        let placed = [Placed { mesh: of, placement }];
        let rays: Vec<_> = rays_at(&placed, 300, &mut rng).iter().map(ray).collect();
        for isa in kernels() {
            let built = on_kernel(&mesh(of), isa);
            let mut world = World::new();
            // So that it is not the first of its slot.
            let gone = world.insert(built.clone());
            world.remove(gone).expect("it is there");
            let standing = Instance::new(built).at(transform(&placement));
            let id = world.insert(standing.mask(2));
            let alone = world.commit();
            let context = || format!("{isa}, {} at {placement:?}", of.name);
            assert_batches_are_singles(&alone, &rays, &context);
            let hits = alone.closest_batch(&rays, &Filter::ALL);
            assert!(hits.iter().flatten().all(|hit| hit.instance == id), "{}", context());
            hit += hits.iter().flatten().count();
            let unseen = Filter::ALL.mask(1);
            assert!(alone.closest_batch(&rays, &unseen).iter().all(Option::is_none), "{}", context());
            let mine = Filter::ALL.skip_instance(id);
            assert!(!alone.occluded_batch(&rays, &mine).contains(&true), "{}", context());
        }
    }
    assert!(hit > 1_000, "{hit} rays hit");
}

/// A batch on a scene whose rays mostly meet no instance tests that first, also where there is one mesh alone: beside those, rays of every kind at the
/// instances, and at the ends of a ball, where its box touches it; with a plane, which has no box, none is kept off.
#[test]
fn rays_that_mostly_miss_a_scene() {
    let mut rng = Rng::new(rng::seed(620));
    let meshes = small_meshes(&mut rng);
    for (count, far) in [(1, 1.0), (1, 50.0), (1, 0.0), (5, 1e4), (30, 0.0), (100, 30.0)] {
        let placed: Vec<Placed<'_>> = (0..count)
            .map(|_| Placed {
                mesh: &meshes[rng.below(meshes.len())],
                placement: placements::random(&mut rng, 3.0, 1.0, far),
            })
            .collect();
        let ball = placed[0].placement.point([0.0; 3]);
        let away = |at: [f64; 3]| {
            Ray::towards([at[0] + 9.0, at[1] + 9.0, at[2]], [at[0] + 90.0, at[1] + 91.0, at[2]])
        };
        let rays: Vec<hitscan::Ray> = rays_at(&placed, 600usize.div_ceil(count), &mut rng)
            .into_iter()
            .flat_map(|at| {
                let end = rng.below(3);
                let from = rng.in_cube(5.0);
                let touching: [f64; 3] = std::array::from_fn(|i| {
                    ball[i] + if i == end { 2.0 * (1.0 + 1e-9 * rng.in_cube(1.0)[0]) } else { from[i] * 1e-5 }
                });
                let origin: [f64; 3] =
                    std::array::from_fn(|i| if i == end { touching[i] } else { ball[i] + from[i] });
                [at, Ray::towards(origin, touching), away(at.origin)]
            })
            .map(|oracle_ray| ray(&oracle_ray))
            .collect();
        for isa in kernels() {
            let mut world = World::new();
            for Placed { mesh: of, placement } in &placed {
                world.insert(Instance::new(on_kernel(&mesh(of), isa)).at(transform(placement)));
            }
            let context = |kind: &str| format!("{isa}, {count} meshes within {far}, {kind}");
            let meshes_alone = world.commit().with_isa(isa).expect("it is there");
            assert_batches_are_singles(&meshes_alone, &rays, &|| context("nothing else"));
            world.insert(Sphere::new(ball, 2.0).expect("a ball"));
            let scene = world.commit().with_isa(isa).expect("it is there");
            assert_batches_are_singles(&scene, &rays, &|| context("a ball"));
            let missed = scene.occluded_batch(&rays, &Filter::ALL).iter().filter(|hit| !**hit).count();
            assert!((rays.len() / 4..rays.len()).contains(&missed), "{}: {missed}", context("a ball"));
            world.insert(Plane::new([0.0, 0.0, 1.0], [ball[0], ball[1], ball[2]]).expect("a plane"));
            assert_batches_are_singles(&world.commit(), &rays, &|| context("a plane"));
        }
    }
}
