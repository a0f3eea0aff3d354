//! Every preset's tree gives the bits of brute force.

use hitscan::{Mesh, Preset};
use hitscan_oracle::brute::Placed;
use hitscan_oracle::entry::Placement;
use hitscan_oracle::meshes::{all, any_sizes, grid_soup, icosphere, needles, soup};
use hitscan_oracle::rays::Shooter;
use hitscan_oracle::{Rng, TriMesh, rng};

use crate::compare::assert_agrees;

fn built(preset: Preset, mesh: &TriMesh) -> Mesh {
    let built = Mesh::build(preset, mesh.vertices.clone(), mesh.triangles.clone())
        .unwrap_or_else(|error| panic!("{}: {error}", mesh.name));
    built.check().unwrap_or_else(|error| panic!("{}, {preset:?}: {error}", mesh.name));
    built
}

#[test]
fn each_preset_agrees_with_brute_force() {
    let mut rng = Rng::new(rng::seed(1301));
    let mut meshes = all(&mut rng);
    meshes.extend([soup(700, &mut rng), grid_soup(700, &mut rng), needles(700, &mut rng), icosphere(4).mesh]);
    for mesh in &meshes {
        let rays = Shooter::new(mesh).rays(24, &mut rng);
        for &preset in Preset::ALL {
            assert_agrees(&built(preset, mesh), &[Placed { mesh, placement: Placement::IDENTITY }], &rays);
        }
    }
}

#[test]
fn each_preset_takes_every_size() {
    let mut rng = Rng::new(rng::seed(1302));
    for n in [0, 1, 2, 7, 8, 9, 40, 127, 129, 500, 3_000] {
        for factor in [1e-45f32, 1e-38, 1e-12, 1.0, 1e20] {
            let meshes = [any_sizes(n, &mut rng), soup(n, &mut rng).scaled(factor)];
            for (mesh, &preset) in meshes.iter().flat_map(|mesh| Preset::ALL.iter().map(move |p| (mesh, p))) {
                assert_eq!(built(preset, mesh).counts(), built(Preset::Balanced, mesh).counts());
            }
        }
    }
}

#[test]
fn a_refit_of_each_preset_is_a_new_mesh() {
    let mut rng = Rng::new(rng::seed(1303));
    let (from, mut to) = (soup(3_000, &mut rng), soup(3_000, &mut rng));
    to.triangles.clone_from(&from.triangles);
    for &preset in Preset::ALL {
        let mut mesh = built(preset, &from);
        mesh.refit(to.vertices.clone()).unwrap();
        mesh.check().unwrap();
        let rays = Shooter::new(&to).rays(6, &mut rng);
        assert_agrees(&mesh, &[Placed { mesh: &to, placement: Placement::IDENTITY }], &rays);
    }
}
