//! Closed meshes do not leak: rays from inside through every corner and edge, by every query, on every kernel.

use hitscan::{Isa, Ray};
use hitscan_oracle::meshes::{Solid, all_solids};
use hitscan_oracle::rays::Shooter;
use hitscan_oracle::{Rng, rng};

use crate::compare::{share, step};
use crate::crossings::{assert_crossings_pair_up, assert_no_ray_escapes, outline_points};
use crate::support::{kernels, mesh, on_kernel, ray};

/// Which rays a kernel gets.
#[derive(Clone, Copy)]
enum Deal {
    All,
    /// Each kernel others.
    Shares,
}

fn assert_closed(solid: &Solid, deal: Deal, rng: &mut Rng) {
    let built = mesh(&solid.mesh);
    let name = &solid.mesh.name;
    let points: Vec<[f64; 3]> = outline_points(&solid.mesh, rng).into_iter().step_by(step()).collect();
    let from_inside = |target: &[f64; 3]| hitscan_oracle::Ray::towards(solid.inside, *target);
    let out: Vec<Ray> = points.iter().map(|target| ray(&from_inside(target))).collect();
    let shooter = Shooter::new(&solid.mesh);
    let lines: Vec<Ray> = points
        .iter()
        .flat_map(|&target| {
            let far = shooter.far_from(target, rng);
            let anywhere = shooter.feature(rng);
            [far, anywhere, solid.inside].map(|origin| hitscan_oracle::Ray::towards(origin, target))
        })
        .filter(hitscan_oracle::Ray::is_valid)
        .map(|line| ray(&line.line()))
        .collect();
    let kernels: Vec<Isa> = kernels().collect();
    for (turn, &isa) in kernels.iter().enumerate() {
        let built = on_kernel(&built, isa);
        let [out, lines] = [&out, &lines].map(|rays| match deal {
            Deal::All => rays,
            Deal::Shares => share(rays, turn, kernels.len()),
        });
        assert_no_ray_escapes(&built, name, out, 1);
        assert_crossings_pair_up(&built, name, lines);
    }
}

#[test]
fn solids_are_closed() {
    let mut rng = Rng::new(rng::seed(301));
    for solid in all_solids() {
        assert_closed(&solid, Deal::All, &mut rng);
    }
}

#[test]
fn solids_are_closed_at_every_size() {
    let mut rng = Rng::new(rng::seed(302));
    for solid in all_solids() {
        for factor in [1e-23f32, 3e-7, 1e20] {
            assert_closed(&solid.scaled(factor), Deal::Shares, &mut rng);
        }
    }
}

#[test]
fn solids_are_closed_at_every_place() {
    let mut rng = Rng::new(rng::seed(303));
    for solid in all_solids() {
        for by in [[0.1f32, 0.2, 0.3], [777.7, -3.3, 12.1], [1e5, -1e5, 99_999.5]] {
            assert_closed(&solid.moved(by), Deal::Shares, &mut rng);
        }
    }
}

#[test]
fn triangles_with_vertices_of_their_own_are_closed_too() {
    let mut rng = Rng::new(rng::seed(304));
    for solid in all_solids() {
        let apart = Solid { mesh: solid.mesh.unshared(), inside: solid.inside };
        assert_closed(&apart, Deal::Shares, &mut rng);
    }
}
