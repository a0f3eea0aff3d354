//! Every query against brute force: rays of every kind on every mesh, at every size and place.

use hitscan_oracle::meshes::{all, any_sizes, grid_soup, needles, soup};
use hitscan_oracle::rays::Shooter;
use hitscan_oracle::{Rng, rng};

use crate::support::assert_mesh_agrees;

#[test]
fn every_kind_of_ray_on_every_mesh() {
    let mut rng = Rng::new(rng::seed(101));
    for mesh in all(&mut rng) {
        assert_mesh_agrees(&mesh, &Shooter::new(&mesh).rays(240, &mut rng));
    }
}

#[test]
fn every_size() {
    let mut rng = Rng::new(rng::seed(102));
    for mesh in all(&mut rng) {
        for factor in [1e-23f32, 1e-12, 1e6, 1e20] {
            let mesh = mesh.scaled(factor);
            assert_mesh_agrees(&mesh, &Shooter::new(&mesh).rays(36, &mut rng));
        }
    }
}

/// Here differences and products underflow, so that crossings may be lost or doubled: but the same ones on every path.
#[test]
fn sizes_at_the_ends_of_the_numbers() {
    let mut rng = Rng::new(rng::seed(103));
    for mesh in all(&mut rng) {
        for factor in [1e-45f32, 1e-42, 1e-38, 1e-36, 1e-30, 1e28] {
            let mesh = mesh.scaled(factor);
            if mesh.half_size() > 0.0 {
                let rays = Shooter::new(&mesh).rays(24, &mut rng);
                let rays: Vec<_> = rays.into_iter().filter(is_allowed).collect();
                assert_mesh_agrees(&mesh, &rays);
            }
        }
    }
}

/// Here too.
#[test]
fn sizes_of_every_kind_together() {
    let mut rng = Rng::new(rng::seed(107));
    for n in [1, 2, 8, 9, 40, 100] {
        for _ in 0..6 {
            let mesh = any_sizes(n, &mut rng);
            let rays = Shooter::new(&mesh).rays(60, &mut rng);
            let rays: Vec<_> = rays.into_iter().filter(is_allowed).collect();
            assert_mesh_agrees(&mesh, &rays);
        }
    }
}

/// Whether the library takes this ray.
fn is_allowed(ray: &hitscan_oracle::Ray) -> bool {
    hitscan::Ray::new(ray.origin, ray.dir).is_ok()
}

#[test]
fn every_place() {
    let mut rng = Rng::new(rng::seed(104));
    for mesh in all(&mut rng) {
        for by in [[0.1f32, 0.2, 0.3], [-12.3, 456.7, 0.0], [1e5, -1e5, 99_999.5]] {
            let mesh = mesh.moved(by);
            assert_mesh_agrees(&mesh, &Shooter::new(&mesh).rays(36, &mut rng));
        }
    }
}

#[test]
fn soups_of_every_kind() {
    let mut rng = Rng::new(rng::seed(105));
    for n in [1, 2, 3, 5, 8, 9, 17, 64, 65, 500] {
        for _ in 0..4 {
            for mesh in [soup(n, &mut rng), grid_soup(n, &mut rng), needles(n, &mut rng)] {
                assert_mesh_agrees(&mesh, &Shooter::new(&mesh).rays(24, &mut rng));
            }
        }
    }
}

#[test]
fn directions_of_every_length() {
    let mut rng = Rng::new(rng::seed(106));
    for mesh in all(&mut rng) {
        let rays: Vec<_> = Shooter::new(&mesh)
            .rays(48, &mut rng)
            .into_iter()
            .map(|mut ray| {
                let factor = rng.power_of_two(-190, 190);
                ray.dir = ray.dir.map(|c| c * factor * rng.pick(&[1.0, 1.0, 1e-60]));
                (ray.t_min, ray.t_max) = (ray.t_min / factor, ray.t_max / factor);
                ray
            })
            .filter(is_allowed)
            .collect();
        assert_mesh_agrees(&mesh, &rays);
    }
}
