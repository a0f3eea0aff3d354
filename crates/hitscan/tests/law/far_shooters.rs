//! Shooters at 0.5 to 1e8 times a mesh's size: the bits of brute force, and no aimed shot is lost.

use hitscan::{Filter, Ray};
use hitscan_oracle::brute::Placed;
use hitscan_oracle::meshes::{all, icosphere};
use hitscan_oracle::rays::{Kind, Shooter};
use hitscan_oracle::{Rng, TriMesh, placements, rng};

use crate::support::{assert_mesh_agrees, assert_scene_agrees, kernels, mesh, on_kernel, scene};

fn far_rays(count: usize, mesh: &TriMesh, rng: &mut Rng) -> Vec<hitscan_oracle::Ray> {
    let shooter = Shooter::new(mesh);
    (0..count).map(|_| shooter.ray(Kind::Far, rng)).collect()
}

#[test]
fn far_rays_at_every_mesh() {
    let mut rng = Rng::new(rng::seed(501));
    let meshes = all(&mut rng);
    for mesh in meshes {
        for factor in [1e-20f32, 1.0, 3e12] {
            let mesh = mesh.scaled(factor);
            assert_mesh_agrees(&mesh, &far_rays(40, &mesh, &mut rng));
        }
    }
}

/// Rays at features of a placed mesh, from up to 1e8 times its size in the world.
fn far_rays_at_placed(count: usize, placed: &Placed<'_>, rng: &mut Rng) -> Vec<hitscan_oracle::Ray> {
    let size = placed.placement.matrix.iter().flatten().fold(0.0f64, |m, c| m.max(c.abs()))
        * f64::from(placed.mesh.reach());
    let shooter = Shooter::new(placed.mesh);
    (0..count)
        .map(|_| {
            let target = placed.placement.point(shooter.feature(rng));
            let (distance, away) = (size * rng.any_size(0.5, 1e8), rng.direction());
            let origin = std::array::from_fn(|i| target[i] + distance * away[i]);
            let ray = hitscan_oracle::Ray::towards(origin, target);
            if rng.one_in(8) { ray.line() } else { ray }
        })
        .filter(hitscan_oracle::Ray::is_valid)
        .collect()
}

#[test]
fn far_rays_at_placed_meshes_of_condition_1000() {
    let mut rng = Rng::new(rng::seed(502));
    let meshes = all(&mut rng);
    for mesh in meshes.iter().filter(|mesh| mesh.triangles.len() <= 1000) {
        for (size, far) in [(1.0, 0.0), (1.0, 100.0), (1e-6, 1e6), (1e9, 1e12)] {
            let placement = placements::random(&mut rng, 1000.0, size, far);
            let placed = Placed { mesh, placement };
            let rays = far_rays_at_placed(24, &placed, &mut rng);
            assert_scene_agrees(&[placed], &rays);
        }
    }
}

/// Rays at the middles of a sphere's triangles, which are far larger than the error of the entry.
#[test]
fn no_aimed_shot_is_lost() {
    let mut rng = Rng::new(rng::seed(503));
    let sphere = icosphere(3).mesh;
    let middles: Vec<[f64; 3]> = (0..sphere.triangles.len())
        .map(|prim| {
            let [a, b, c] = sphere.corners(prim).map(|corner| corner.map(f64::from));
            std::array::from_fn(|i| (a[i] + b[i] + c[i]) / 3.0)
        })
        .collect();
    let direct = mesh(&sphere);
    let placement = placements::random(&mut rng, 1000.0, 7.0, 1e5);
    let placed = scene(&[Placed { mesh: &sphere, placement }]);
    for isa in kernels() {
        let (direct, placed) = (on_kernel(&direct, isa), on_kernel(&placed, isa));
        for (prim, &middle) in middles.iter().enumerate() {
            // From outside, within 45 degrees of the normal, which for a sphere is the middle itself.
            let distance = rng.any_size(0.5, 1e8);
            let tilt = rng.in_cube(0.4);
            let origin: [f64; 3] = std::array::from_fn(|i| middle[i] + distance * (middle[i] + tilt[i]));
            let context = format!("{isa}, from {origin:?} at prim {prim}");

            let ray = Ray::new(origin, std::array::from_fn::<f64, 3, _>(|i| middle[i] - origin[i])).unwrap();
            let hit = direct.closest(&ray, &Filter::ALL).expect(&context);
            assert_eq!(hit.prim as usize, prim, "{context}");
            assert!((hit.t - 1.0).abs() * distance < 1e-5 * (1.0 + distance * 1e-9), "{context}: {hit:?}");

            let (from, to) = (placement.point(origin), placement.point(middle));
            let ray = Ray::new(from, std::array::from_fn::<f64, 3, _>(|i| to[i] - from[i])).unwrap();
            let hit = placed.closest(&ray, &Filter::ALL).expect(&context);
            assert_eq!(hit.prim as usize, prim, "{context}, placed");
        }
    }
}

/// From beyond 2^50 times a mesh's size, `f64` cannot tell where a ray passes it to within that size: the local origin lands
/// anywhere along the ray, but the axes across it stay exact, so what is aimed along an axis still hits.
#[test]
fn shooters_from_where_f64_cannot_aim() {
    let mut rng = Rng::new(rng::seed(503));
    let meshes = all(&mut rng);
    for mesh in meshes.iter().filter(|mesh| mesh.triangles.len() <= 1000) {
        for factor in [2.0f32.powi(-60), 2.0f32.powi(-10), 1.0] {
            let mesh = mesh.scaled(factor);
            let shooter = Shooter::new(&mesh);
            let reach = f64::from(mesh.reach());
            let rays: Vec<_> = (0..48)
                .map(|i| {
                    let axis = i % 3;
                    let (mut origin, mut dir) = (shooter.feature(&mut rng), [0.0; 3]);
                    let back = reach * rng.any_size(2.0f64.powi(45), 2.0f64.powi(99) / reach);
                    let speed = rng.any_size(0.1, 10.0);
                    (origin[axis], dir[axis]) = if rng.one_in(2) { (back, -speed) } else { (-back, speed) };
                    if rng.one_in(3) {
                        dir[(axis + 1) % 3] = speed * rng.any_size(1e-30, 1e-3);
                    }
                    hitscan_oracle::Ray { origin, dir, t_min: 0.0, t_max: f64::INFINITY }
                })
                .filter(hitscan_oracle::Ray::is_valid)
                .collect();
            assert_mesh_agrees(&mesh, &rays);
        }
    }
}
