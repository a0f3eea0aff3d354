//! Batches of more rays than one task takes, on one thread and on several.

use hitscan::{Filter, Ray};
use hitscan_oracle::meshes::{all_open, all_solids};
use hitscan_oracle::rays::{KINDS, Shooter};
use hitscan_oracle::{Rng, rng};

use crate::compare::assert_batches_are_singles;
use crate::support::{kernels, mesh, on_kernel, ray};

/// A task takes 1024 rays; this is no multiple of it.
const RAYS: usize = 2 * 1024 + 77;

/// Of so many of them the walks are counted.
const SAMPLE: usize = 128;

#[test]
fn large_batches_are_singles_on_any_number_of_threads() {
    let mut rng = Rng::new(rng::seed(1201));
    let meshes = [all_solids().swap_remove(0).mesh, all_open(&mut rng).swap_remove(1)];
    for oracle_mesh in meshes {
        let shooter = Shooter::new(&oracle_mesh);
        let rays: Vec<_> = (0..RAYS).map(|i| ray(&shooter.ray(KINDS[i % KINDS.len()], &mut rng))).collect();
        for isa in kernels() {
            let built = on_kernel(&mesh(&oracle_mesh), isa);
            for threads in [1, 3] {
                let context = || format!("{isa}, {threads} threads, {}", oracle_mesh.name);
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                pool.install(|| assert_batches_are_singles(&built, &rays, &context));
            }
        }
    }
}

/// Where rays end so soon that the machine foretells their walks, most of a task is walked one by one: nearly all are blocked,
/// hardly any, or none of the first, which end inside of the mesh's box before they meet anything.
#[test]
fn rays_that_end_at_once() {
    let mut rng = Rng::new(rng::seed(1203));
    let solid = all_solids().swap_remove(0).mesh;
    let size = solid.vertices.as_flattened().iter().fold(0.0f64, |most, c| most.max(f64::from(c.abs())));
    let shooter = Shooter::new(&solid);
    type IsBlocked = fn(usize, usize) -> bool;
    let kinds: [(&str, IsBlocked); 3] = [
        ("15 of 16", |_, of_16| of_16 < 15),
        ("1 of 16", |_, of_16| of_16 < 1),
        ("none of the first", |number, of_16| number % 1024 >= 600 && of_16 < 8),
    ];
    for (kind, is_blocked) in kinds {
        let (rays, blocked): (Vec<Ray>, Vec<bool>) = (0..RAYS)
            .map(|number| {
                let at = shooter.feature(&mut rng);
                let is_blocked = is_blocked(number, rng.below(16));
                let (from, end) = if is_blocked {
                    (rng.direction().map(|c| 3.0 * size * c), f64::INFINITY)
                } else {
                    (rng.in_cube(0.1 * size), 0.1)
                };
                let towards: [f64; 3] = std::array::from_fn(|i| at[i] - from[i]);
                let ray = Ray::new(from, towards).and_then(|ray| ray.with_range(0.0, end)).expect("a ray");
                (ray, is_blocked)
            })
            .unzip();
        let built = mesh(&solid);
        let costs: Vec<_> = rays.iter().map(|ray| built.occluded_cost(ray, &Filter::ALL)).collect();
        assert!(
            costs.iter().zip(&blocked).all(|(&(hits, _), &may)| may || !hits),
            "{kind}: those end before"
        );
        let nodes: u32 = costs[..SAMPLE].iter().map(|(_, cost)| cost.nodes).sum();
        assert!(nodes <= 2 * SAMPLE as u32, "{kind}: {nodes} nodes are too many to be foretold");
        for isa in kernels() {
            let built = on_kernel(&built, isa);
            let context = || format!("{isa}, {kind} at {}", solid.name);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
            pool.install(|| assert_batches_are_singles(&built, &rays, &context));
        }
    }
}

/// A batch whose rays mostly miss the mesh's whole box tests that first. Between those that do: rays at its corners, edges
/// and sides, where the surface touches it, some of them a rounding error beside, and pieces of rays that end there.
#[test]
fn rays_that_touch_the_box_are_not_taken_for_those_that_miss_it() {
    let mut rng = Rng::new(rng::seed(1202));
    let mut shapes: Vec<_> = all_solids().into_iter().map(|solid| solid.mesh).collect();
    shapes.retain(|shape| shape.triangles.len() < 1_000);
    assert!(shapes.len() > 5, "{} solids", shapes.len());
    for shape in shapes {
        for (size, length) in [(1.0, 1.0), (1e-20, 1e-8), (1e-20, 1e29), (1e15, 1e-29), (1e15, 1.0)] {
            let shape = shape.scaled(size);
            let whole = mesh(&shape);
            let (low, high) = whole.bounds().expect("a solid");
            let (low, high) = (low.as_dvec3().to_array(), high.as_dvec3().to_array());
            let reach = low.iter().chain(&high).fold(0.0f64, |most, c| most.max(c.abs()));
            let mut rays: Vec<Ray> = Vec::new();
            while rays.len() < 1500 {
                let origin = rng.in_cube(2.0).map(|c| c * reach);
                // At a vertex that the box touches, or at a place of the box.
                let vertex = shape.vertices[rng.below(shape.vertices.len())].map(f64::from);
                let place: [f64; 3] = std::array::from_fn(|i| match rng.below(4) {
                    0 => low[i],
                    1 => high[i],
                    2 => low[i] + (high[i] - low[i]) * rng.unit(),
                    _ => vertex[i],
                });
                let off = rng.in_cube(1.0).map(|c| c * reach * 1e-7);
                let target: [f64; 3] =
                    if rng.one_in(2) { place } else { std::array::from_fn(|i| place[i] + off[i]) };
                // Some run along the sides.
                let target: [f64; 3] =
                    std::array::from_fn(|i| if rng.one_in(6) { origin[i] } else { target[i] });
                let dir: [f64; 3] = std::array::from_fn(|i| (target[i] - origin[i]) * length);
                let Ok(at) = Ray::new(origin, dir) else { continue };
                let end = [1.0, 1.0 - 1e-7, 1.0 + 1e-7, 0.5][rng.below(4)] / length;
                let piece = match rng.below(4) {
                    0 => at.with_range(0.0, end),
                    1 => at.with_range(end, f64::INFINITY),
                    2 => at.with_range(f64::NEG_INFINITY, f64::INFINITY),
                    _ => Ok(at),
                };
                rays.push(piece.expect("a piece"));
                // Away from it, from outside.
                let aside = [origin[0] + 3.0 * reach, origin[1], origin[2]];
                rays.push(Ray::new(aside, [length, length * 0.1, 0.0]).expect("away"));
            }
            for isa in kernels() {
                let built = on_kernel(&whole, isa);
                let context = || format!("{isa}, {} times {size:e}, directions of {length:e}", shape.name);
                assert_batches_are_singles(&built, &rays, &context);
            }
        }
    }
}
