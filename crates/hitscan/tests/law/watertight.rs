//! Closed meshes do not leak: the oracle's suite, and seams between instances, by every query, on every kernel.

use hitscan::{Face, Filter, Hit, Instance, Isa, Scene, Transform, World};
use hitscan_oracle::seams::{Wall, from_grid};
use hitscan_oracle::suite::{self, Case, OFFSETS, SIZES};
use hitscan_oracle::{self as oracle, Rng, TriMesh, rng};

use crate::compare::{share, step};
use crate::crossings::{assert_no_faults, signed_crossings};
use crate::support::{kernels, mesh, on_kernel, ray};

/// Asks each kernel its share of the rays; how many there are.
fn assert_tight(case: &Case, rng: &mut Rng) -> usize {
    let built = mesh(&case.mesh);
    let points: Vec<[f64; 3]> = suite::outline(&case.mesh, rng).into_iter().step_by(step()).collect();
    let mut aimed = case.aim(&points, rng);
    aimed.append(&mut case.lines(&points, rng));
    let kernels: Vec<Isa> = kernels().collect();
    for (turn, &isa) in kernels.iter().enumerate() {
        assert_no_faults(&on_kernel(&built, isa), &case.mesh.name, share(&aimed, turn, kernels.len()));
    }
    aimed.len()
}

fn assert_all_tight(solids: &[TriMesh], sizes: &[f32], offsets: &[f32], rng: &mut Rng) {
    let (mut cases, mut rays, mut hollow) = (0, 0, 0);
    let mut inner = Rng::new(rng.bits());
    for solid in solids {
        for case in suite::cases(solid, sizes, offsets, &mut inner) {
            rays += assert_tight(&case, rng);
            hollow += usize::from(case.inside.is_none());
            cases += 1;
        }
    }
    eprintln!(
        "{rays} rays at {cases} closed meshes, {hollow} of them too small beside their place to have an inside"
    );
    assert!(hollow < cases / 3, "most are asked from inside");
}

#[test]
fn solids_are_closed_at_every_size_and_place() {
    assert_all_tight(&suite::solids(), &SIZES, &OFFSETS, &mut Rng::new(rng::seed(301)));
}

#[test]
fn solids_are_closed_at_extreme_sizes() {
    assert_all_tight(&suite::solids(), &[1e-23, 1e20], &[0.0], &mut Rng::new(rng::seed(302)));
}

#[test]
fn triangles_with_vertices_of_their_own_are_closed_too() {
    let apart: Vec<TriMesh> = suite::solids().iter().map(TriMesh::unshared).collect();
    assert_all_tight(&apart, &[1.0], &[0.0, 777.7], &mut Rng::new(rng::seed(304)));
}

/// Shooters and worlds near and far.
const SHIFTS: [f64; 3] = [0.0, 1024.0, 1e7];

fn wall(wall: &Wall, shift: f64) -> Scene {
    let tile = mesh(&wall.tile);
    let mut world = World::new();
    for &[x, y, z] in &wall.places {
        world.insert(Instance::new(&tile).at(Transform::translation([x + shift, y - shift, z]).unwrap()));
    }
    world.commit()
}

/// The rays, moved with the wall, on every kernel in turn: the hits of each.
fn assert_none_slips_through(
    wall_of: &Wall,
    rays: &[oracle::Ray],
    mut judge: impl FnMut(&[Hit], &oracle::Ray),
) {
    let kernels: Vec<Isa> = kernels().collect();
    for shift in SHIFTS {
        let scene = wall(wall_of, shift);
        for (turn, &isa) in kernels.iter().enumerate() {
            let scene = on_kernel(&scene, isa);
            for plain in share(rays, turn, kernels.len()) {
                let [x, y, z] = plain.origin;
                let moved = ray(&oracle::Ray { origin: [x + shift, y - shift, z], ..*plain });
                let hits = scene.all_hits(&moved, &Filter::ALL);
                assert!(!hits.is_empty(), "{isa}, {}, shifted by {shift}: {moved:?}", wall_of.tile.name);
                assert_eq!(scene.closest(&moved, &Filter::ALL).as_ref(), hits.first(), "{isa}: {moved:?}");
                judge(&hits, plain);
            }
        }
    }
    eprintln!("{} rays at seams of {}", SHIFTS.len() * rays.len(), wall_of.tile.name);
}

#[test]
fn seams_between_translated_solids_are_closed() {
    let (cubes, mut rng) = (Wall::of_cubes(), Rng::new(rng::seed(305)));
    let rays = cubes.aim(100_000 / step(), &mut rng);
    assert_none_slips_through(&cubes, &rays, |hits, ray| assert_eq!(signed_crossings(hits), 0, "{ray:?}"));
}

/// Each sheet ends in a free border, so a ray at a seam may hit two; the law closes the seam where each frame holds the ray's
/// origin as it is.
#[test]
fn seams_between_translated_sheets_are_closed_where_frames_hold_the_ray() {
    let (sheets, mut rng) = (Wall::of_sheets(), Rng::new(rng::seed(306)));
    let rays: Vec<oracle::Ray> = sheets.aim(100_000 / step(), &mut rng).iter().map(from_grid).collect();
    assert_none_slips_through(&sheets, &rays, |hits, ray| {
        assert!(hits.iter().all(|hit| hit.facing == Face::Front), "{ray:?}");
    });
}
