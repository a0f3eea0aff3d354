//! Every query against brute force: rays exactly on outlines, and 0 to 10 rounding errors beside them.

use hitscan_oracle::meshes::{all_open, all_solids, needles};
use hitscan_oracle::rays::{Kind, Shooter};
use hitscan_oracle::{Rng, TriMesh, rng};

use crate::support::assert_mesh_agrees;

const OUTLINE: [Kind; 7] = [
    Kind::Grid,
    Kind::Corner,
    Kind::Edge,
    Kind::BesideCorner,
    Kind::BesideEdge,
    Kind::AxisParallel,
    Kind::AlongEdge,
];

fn rays_at_outline(count: usize, mesh: &TriMesh, rng: &mut Rng) -> Vec<hitscan_oracle::Ray> {
    let shooter = Shooter::new(mesh);
    (0..count).map(|i| shooter.ray(OUTLINE[i % OUTLINE.len()], rng)).collect()
}

#[test]
fn outlines_of_solids() {
    let mut rng = Rng::new(rng::seed(201));
    for solid in all_solids() {
        for mesh in [solid.mesh.clone(), solid.mesh.moved([0.3, -7.7, 100.1]), solid.mesh.scaled(3e-9)] {
            assert_mesh_agrees(&mesh, &rays_at_outline(140, &mesh, &mut rng));
        }
    }
}

#[test]
fn outlines_of_open_meshes() {
    let mut rng = Rng::new(rng::seed(202));
    for mesh in all_open(&mut rng) {
        for mesh in [mesh.clone(), mesh.moved([0.3, -7.7, 100.1]), mesh.scaled(3e-9)] {
            assert_mesh_agrees(&mesh, &rays_at_outline(140, &mesh, &mut rng));
        }
    }
}

/// A triangle alone has a box of its own size: a box test that is too tight loses rays beside it.
#[test]
fn boxes_hold_what_the_recipe_accepts() {
    let mut rng = Rng::new(rng::seed(203));
    for _ in 0..150 {
        for mesh in [needles(9, &mut rng), needles(9, &mut rng).moved([31.0, 0.01, -1e4])] {
            let shooter = Shooter::new(&mesh);
            let rays: Vec<_> = [Kind::BesideEdge, Kind::BesideCorner, Kind::Edge, Kind::Far, Kind::Grazing]
                .into_iter()
                .flat_map(|kind| (0..8).map(move |_| kind))
                .map(|kind| shooter.ray(kind, &mut rng))
                .collect();
            assert_mesh_agrees(&mesh, &rays);
        }
    }
}
