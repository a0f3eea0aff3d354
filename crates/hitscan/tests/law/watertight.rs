//! Closed meshes do not leak: rays from inside through every corner and edge, on every kernel and every query.

use hitscan::{Face, Filter, Hit, Mesh, Ray};
use hitscan_oracle::meshes::{Solid, all_solids};
use hitscan_oracle::rays::Shooter;
use hitscan_oracle::{Rng, TriMesh, rng};

use crate::support::{kernels, mesh, on_kernel, ray};

/// Every vertex, the middle of every edge and a random point of it.
pub fn outline_points(mesh: &TriMesh, rng: &mut Rng) -> Vec<[f64; 3]> {
    let vertex = |index: u32| mesh.vertices[index as usize].map(f64::from);
    let mut points: Vec<[f64; 3]> = (0..mesh.vertices.len() as u32).map(vertex).collect();
    for [p, q] in mesh.edges() {
        let (p, q) = (vertex(p), vertex(q));
        for part in [0.5, rng.unit()] {
            points.push(std::array::from_fn(|i| p[i] + part * (q[i] - p[i])));
        }
    }
    points
}

/// Fronts count 1, backs -1.
pub fn signed_crossings(hits: &[Hit]) -> i32 {
    hits.iter().map(|hit| if hit.facing == Face::Front { 1 } else { -1 }).sum()
}

/// Every ray hits, and leaves the solid once more than it enters it.
pub fn assert_no_ray_escapes(mesh: &Mesh, name: &str, rays: &[Ray]) {
    for isa in kernels() {
        let mesh = on_kernel(mesh, isa);
        let all = mesh.all_hits_batch(rays, &Filter::ALL);
        let occluded = mesh.occluded_batch(rays, &Filter::ALL);
        let closest = mesh.closest_batch(rays, &Filter::ALL);
        for (i, ray) in rays.iter().enumerate() {
            assert_eq!(signed_crossings(all.get(i)), -1, "{isa}, {name}: {ray:?}");
            assert!(occluded[i], "{isa}, {name}: {ray:?}");
            assert_eq!(closest[i].as_ref(), all.get(i).first(), "{isa}, {name}: {ray:?}");
        }
    }
}

/// Every line enters the solid as often as it leaves it.
pub fn assert_crossings_pair_up(mesh: &Mesh, name: &str, lines: &[Ray]) {
    for isa in kernels() {
        let all = on_kernel(mesh, isa).all_hits_batch(lines, &Filter::ALL);
        for (line, hits) in lines.iter().zip(all.iter()) {
            assert_eq!(signed_crossings(hits), 0, "{isa}, {name}: {line:?}: {hits:?}");
        }
    }
}

fn assert_closed(solid: &Solid, rng: &mut Rng) {
    let built = mesh(&solid.mesh);
    let name = &solid.mesh.name;
    let points = outline_points(&solid.mesh, rng);
    let from_inside = |target: &[f64; 3]| hitscan_oracle::Ray::towards(solid.inside, *target);
    let out: Vec<Ray> = points.iter().map(|target| ray(&from_inside(target))).collect();
    assert_no_ray_escapes(&built, name, &out);
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
    assert_crossings_pair_up(&built, name, &lines);
}

#[test]
fn solids_are_closed() {
    let mut rng = Rng::new(rng::seed(301));
    for solid in all_solids() {
        assert_closed(&solid, &mut rng);
    }
}

#[test]
fn solids_are_closed_at_every_size() {
    let mut rng = Rng::new(rng::seed(302));
    for solid in all_solids() {
        for factor in [1e-23f32, 3e-7, 1e20] {
            assert_closed(&solid.scaled(factor), &mut rng);
        }
    }
}

#[test]
fn solids_are_closed_at_every_place() {
    let mut rng = Rng::new(rng::seed(303));
    for solid in all_solids() {
        for by in [[0.1f32, 0.2, 0.3], [777.7, -3.3, 12.1], [1e5, -1e5, 99_999.5]] {
            assert_closed(&solid.moved(by), &mut rng);
        }
    }
}

#[test]
fn triangles_with_vertices_of_their_own_are_closed_too() {
    let mut rng = Rng::new(rng::seed(304));
    for solid in all_solids() {
        let apart = Solid { mesh: solid.mesh.unshared(), inside: solid.inside };
        assert_closed(&apart, &mut rng);
    }
}
