//! Scenes of nothing but meshes at one place, as many files are: rays go through all of them as through one, and agree with brute force
//! over each.

use hitscan::glam::{DMat3, DVec3};
use hitscan::shape::Sphere;
use hitscan::{Candidate, Facing, Filter, Instance, Mesh, Scene, Transform, Verdict, World};
use hitscan_oracle::brute::Placed;
use hitscan_oracle::entry::Placement;
use hitscan_oracle::meshes::{all, icosphere};
use hitscan_oracle::rays::{KINDS, Ray, Shooter};
use hitscan_oracle::{Rng, TriMesh, placements, rng};

use crate::compare::{assert_agrees, assert_batches_are_singles};
use crate::support::{assert_scene_agrees, kernels, mesh, on_kernel, ray, transform};

/// Meshes that differ in size, up to so many times, and stand about or within one another.
fn parts(count: usize, spread: f64, rng: &mut Rng) -> Vec<TriMesh> {
    let mut suite = all(rng);
    suite.retain(|mesh| mesh.triangles.len() <= 700);
    (0..count)
        .map(|_| {
            let mut part = suite[rng.below(suite.len())].scaled(1.0 / rng.any_size(1.0, spread) as f32);
            let reach = part.vertices.as_flattened().iter().fold(0.0f32, |most, c| most.max(c.abs()));
            let aside = rng.in_cube(2.0).map(|c| c as f32 * reach);
            if rng.one_in(2) {
                part.vertices.iter_mut().for_each(|v| *v = std::array::from_fn(|i| v[i] + aside[i]));
            }
            part
        })
        .collect()
}

/// Where all of them stand.
fn places(rng: &mut Rng) -> [Placement; 3] {
    [Placement::IDENTITY, placements::random(rng, 1.0, 3.0, 5.0), placements::random(rng, 20.0, 1e-3, 5.0)]
}

fn placed<'a>(parts: &'a [TriMesh], placement: &Placement) -> Vec<Placed<'a>> {
    parts.iter().map(|mesh| Placed { mesh, placement: *placement }).collect()
}

/// At corners and edges of all of them, from near and from far away, some side by side.
fn rays_at(placed: &[Placed<'_>], count: usize, rng: &mut Rng) -> Vec<Ray> {
    let Placement { matrix, .. } = placed[0].placement;
    let turned = |v: [f64; 3]| matrix.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
    let mut rays = Vec::new();
    while rays.len() < count {
        let Placed { mesh, placement } = &placed[rng.below(placed.len())];
        let shooter = Shooter::new(mesh);
        let one = shooter.ray(KINDS[rays.len() % KINDS.len()], rng);
        let one = Ray { origin: placement.point(one.origin), dir: turned(one.dir), ..one };
        let farthest = rng.pick(&[10.0, 1e4, 1e14]);
        let far = rng.any_size(1.0, farthest);
        let back = one.dir.map(|c| -far * c);
        let moved = Ray::new(std::array::from_fn(|i| one.origin[i] + back[i]), one.dir);
        let towards = placement.point(shooter.feature(rng));
        let eye = std::array::from_fn(|i| towards[i] + back[i]);
        let at = |rng: &mut Rng| {
            let aside = rng.in_cube(0.05);
            Ray::towards(eye, std::array::from_fn(|i| towards[i] + back[i].abs() * aside[i]))
        };
        rays.extend([one, moved]);
        rays.extend((0..18).map(|_| at(rng)));
    }
    rays.retain(Ray::is_valid);
    rays
}

#[test]
fn meshes_at_one_place() {
    let mut rng = Rng::new(rng::seed(1411));
    for (count, spread) in [(2, 1.0), (3, 1e6), (9, 3.0), (25, 100.0)] {
        let parts = parts(count, spread, &mut rng);
        for placement in places(&mut rng) {
            let placed = placed(&parts, &placement);
            assert_scene_agrees(&placed, &rays_at(&placed, 90, &mut rng));
        }
    }
}

/// The same mesh in the same place twice and more: what is first at equal `t` is the one of the lowest slot.
#[test]
fn copies_in_one_place() {
    let mut rng = Rng::new(rng::seed(1412));
    let ball = icosphere(3).mesh;
    let placed: Vec<_> = (0..5).map(|_| Placed { mesh: &ball, placement: Placement::IDENTITY }).collect();
    assert_scene_agrees(&placed, &rays_at(&placed, 90, &mut rng));
}

/// The scene of these instances, and the same with a ball that no ray comes near, which keeps them apart.
fn joined_and_apart(instances: &[Instance]) -> [Scene; 2] {
    let mut world = World::new();
    for instance in instances {
        world.insert(instance.clone());
    }
    let joined = world.commit();
    world.insert(Sphere::new([3e20, -2e20, 1e20], 1.0).unwrap());
    [joined, world.commit()]
}

/// Batches that are larger than a task, with masks and filters, on all kernels.
#[test]
fn masks_and_filters() {
    let mut rng = Rng::new(rng::seed(1413));
    let odd = |candidate: &Candidate| if candidate.prim % 2 == 1 { Verdict::Accept } else { Verdict::Ignore };
    let stop = |candidate: &Candidate| {
        if candidate.prim.is_multiple_of(3) { Verdict::Stop } else { Verdict::Accept }
    };
    let all = Filter::ALL;
    let filters = [all, all.mask(1), all.mask(2).facing(Facing::Front), all.judge(&odd), all.judge(&stop)];
    for (round, spread) in [1.0, 200.0, 1e3].into_iter().enumerate() {
        let parts = parts(12, spread, &mut rng);
        let placement = places(&mut rng)[round];
        let placed = placed(&parts, &placement);
        let rays: Vec<_> = rays_at(&placed, 1_500, &mut rng).iter().map(ray).collect();
        let instance = |part| Instance::new(mesh(part)).at(transform(&placement)).mask(rng.pick(&[1, 2, 3]));
        let [joined, apart] = joined_and_apart(&parts.iter().map(instance).collect::<Vec<_>>());
        for isa in kernels() {
            let [joined, apart] = [&joined, &apart].map(|scene| on_kernel(scene, isa));
            assert_batches_are_singles(&joined, &rays, &|| format!("{isa}, round {round}"));
            for filter in &filters {
                let context = format!("{isa}, {filter:?}, round {round}");
                let closest: Vec<_> = rays.iter().map(|ray| apart.closest(ray, filter)).collect();
                assert!(closest.iter().flatten().count() > 100, "{context}: hardly any hits");
                let alone: Vec<_> = rays.iter().map(|ray| joined.closest(ray, filter)).collect();
                assert_eq!(alone, closest, "{context}");
                assert_eq!(joined.closest_batch(&rays, filter), closest, "{context}");
                let occluded: Vec<bool> = closest.iter().map(Option::is_some).collect();
                assert_eq!(joined.occluded_batch(&rays, filter), occluded, "{context}");
                assert!(joined.first_n_batch(&rays, filter, 0).iter().all(<[_]>::is_empty), "{context}");
                let hits = joined.all_hits_batch(&rays, filter);
                for (ray, hits) in rays.iter().zip(hits.iter()) {
                    assert_eq!(apart.all_hits(ray, filter), hits, "{context}");
                }
            }
        }
    }
}

/// Where triangles of a mesh have come together, as those of a skin with a bone of size 0 do, what else there is stays.
#[test]
fn leaves_of_nothing() {
    let mut rng = Rng::new(rng::seed(1415));
    let parts = [icosphere(2).mesh, icosphere(3).mesh.scaled(0.4)];
    let moved: Vec<TriMesh> = parts
        .iter()
        .map(|part| {
            let mut moved = part.clone();
            let (count, axis) = (part.vertices.len(), rng.below(3));
            for i in (0..count).filter(|&i| part.vertices[i][axis] > 0.1) {
                moved.vertices[i] = part.vertices[count - 1];
            }
            moved
        })
        .collect();
    let placed = placed(&moved, &Placement::IDENTITY);
    let rays = rays_at(&placed, 200, &mut rng);
    let mut world = World::new();
    for (part, moved) in parts.iter().zip(&moved) {
        let mut mesh = mesh(part);
        mesh.refit(moved.vertices.iter().copied()).unwrap();
        world.insert(&mesh);
    }
    let scene = world.commit();
    scene.check().unwrap();
    assert_agrees(&scene, &placed, &rays);
}

/// Meshes come together and apart again, are replaced and taken out: each time the scene is as one that was made anew.
#[test]
fn together_and_apart_again() {
    let mut rng = Rng::new(rng::seed(1414));
    let parts = parts(6, 4.0, &mut rng);
    let meshes: Vec<Mesh> = parts.iter().map(mesh).collect();
    let placed = placed(&parts, &Placement::IDENTITY);
    let rays: Vec<_> = rays_at(&placed, 300, &mut rng).iter().map(ray).collect();
    let mut world = World::new();
    let ids: Vec<_> = meshes.iter().map(|mesh| world.insert(mesh)).collect();
    let turned = Transform::new(DMat3::from_rotation_y(0.3), DVec3::new(0.1, 0.2, 0.3)).unwrap();
    for step in 0..40 {
        let id = ids[rng.below(ids.len())];
        match step % 8 {
            1 => world.set_transform(id, turned).unwrap(),
            2 | 5 => ids.iter().for_each(|&id| world.set_transform(id, Transform::IDENTITY).unwrap()),
            3 => world.set_geometry(id, &meshes[rng.below(meshes.len())]).unwrap(),
            4 => ids.iter().for_each(|&id| world.set_transform(id, turned).unwrap()),
            6 => world.set_mask(id, rng.pick(&[0, 1])).unwrap(),
            _ => {}
        }
        let scene = world.commit();
        scene.check().unwrap();
        let fresh: Vec<Instance> = world.iter().map(|(_, instance)| instance.clone()).collect();
        let [_, apart] = joined_and_apart(&fresh);
        let filter = Filter::new().mask(1);
        for ray in &rays {
            assert_eq!(scene.all_hits(ray, &filter), apart.all_hits(ray, &filter), "step {step}");
        }
        assert_batches_are_singles(&scene, &rays, &|| format!("step {step}"));
    }
}
