//! The law on closed meshes, by its own brute force: nothing leaks, and crossings pair up.

use hitscan_oracle::meshes::{Solid, all_solids};
use hitscan_oracle::rays::Shooter;
use hitscan_oracle::suite::outline;
use hitscan_oracle::{Ray, Rng, all_hits_of_mesh, rng};

/// Front crossings count 1, back crossings -1.
fn signed_crossings(solid: &Solid, ray: &Ray) -> i32 {
    all_hits_of_mesh(&solid.mesh, ray).iter().map(|hit| if hit.front { 1 } else { -1 }).sum()
}

fn assert_closed(solid: &Solid, rng: &mut Rng) {
    let mut points = outline(&solid.mesh, rng);
    if solid.mesh.triangles.len() > 500 {
        rng.shuffle(&mut points);
        points.truncate(1500);
    }
    for target in points {
        let out = Ray::towards(solid.inside, target);
        let near = Ray::towards(std::array::from_fn(|i| 3.0 * target[i] - 2.0 * solid.inside[i]), target);
        let far = Ray::towards(Shooter::new(&solid.mesh).far_from(target, rng), target);
        assert_eq!(signed_crossings(solid, &out), -1, "{}: out of the inside, {out:?}", solid.mesh.name);
        for line in [out.line(), near.line(), far.line()] {
            assert_eq!(
                signed_crossings(solid, &line),
                0,
                "{}: all the way through, {line:?}",
                solid.mesh.name
            );
        }
    }
}

#[test]
fn solids_are_closed() {
    let mut rng = Rng::new(rng::seed(21));
    for solid in all_solids() {
        assert_closed(&solid, &mut rng);
    }
}

#[test]
fn solids_are_closed_at_every_size() {
    let mut rng = Rng::new(rng::seed(22));
    for solid in all_solids().into_iter().filter(|solid| solid.mesh.triangles.len() < 400) {
        for factor in [1e-23f32, 3e-7, 1e20] {
            assert_closed(&solid.scaled(factor), &mut rng);
        }
    }
}

#[test]
fn solids_are_closed_at_every_place() {
    let mut rng = Rng::new(rng::seed(23));
    for solid in all_solids().into_iter().filter(|solid| solid.mesh.triangles.len() < 400) {
        for by in [[0.1, 0.2, 0.3], [777.7, -3.3, 12.1], [1e5, -1e5, 99_999.5]] {
            assert_closed(&solid.moved(by), &mut rng);
        }
    }
}

#[test]
fn axis_parallel_rays_through_lattice_points_count_each_wall_once() {
    for solid in all_solids() {
        let [low, high] = {
            let (low, high) = solid.mesh.bounds();
            [low.map(f64::floor), high.map(f64::ceil)]
        };
        for axis in 0..3 {
            let (right, up) = ((axis + 1) % 3, (axis + 2) % 3);
            for sign in [1.0, -1.0] {
                for i in 0..=(high[right] - low[right]) as i64 {
                    for j in 0..=(high[up] - low[up]) as i64 {
                        let (mut origin, mut dir) = ([-20.0 * sign; 3], [0.0; 3]);
                        (origin[right], origin[up]) = (low[right] + i as f64, low[up] + j as f64);
                        dir[axis] = sign;
                        let ray = Ray::new(origin, dir);
                        assert_eq!(signed_crossings(&solid, &ray), 0, "{}: {ray:?}", solid.mesh.name);
                    }
                }
            }
        }
    }
}
