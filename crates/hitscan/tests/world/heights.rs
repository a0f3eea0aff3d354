//! How high the ground is: the topmost of what lies over a place, by the heights that are told.

use hitscan::{Buffer, Filter, Instance, Mesh, Scene, SignedAxis, Transform, World};
use hitscan_oracle::{Rng, rng};

/// A square of so much to each side, at some height.
fn square(half: f32, y: f32) -> ([[f32; 3]; 4], [[u32; 3]; 2]) {
    ([[-half, y, -half], [half, y, -half], [half, y, half], [-half, y, half]], [[0, 2, 1], [0, 3, 2]])
}

/// Several in one mesh.
fn stack(squares: impl IntoIterator<Item = ([[f32; 3]; 4], [[u32; 3]; 2])>) -> Mesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (corners, pair) in squares {
        let first = vertices.len() as u32;
        vertices.extend(corners);
        triangles.extend(pair.map(|triangle| triangle.map(|i| i + first)));
    }
    Mesh::new(vertices, triangles).unwrap()
}

fn alone(mesh: &Mesh) -> Scene {
    let mut world = World::new();
    world.insert(mesh);
    world.commit()
}

#[test]
fn the_topmost_of_two_wide_floors_is_the_upper_one() {
    let mut rng = Rng::new(rng::seed(791));
    let mut buffer = Buffer::new();
    for half in [500.0, 5e3, 5e4, 5e5] {
        for gap in [1e-4, 1e-3, 1e-2, 1.0] {
            let mesh = stack([square(half, 0.0), square(half, gap)]);
            let scene = alone(&mesh);
            let (over_mesh, over_scene) = (mesh.plumb(SignedAxis::Y), scene.plumb(SignedAxis::Y));
            for _ in 0..50 {
                let place = [0, 1].map(|_| rng.range(-0.9, 0.9) * f64::from(half));
                for below in [None, Some(1.0)] {
                    let in_mesh =
                        mesh.ground(&over_mesh.fall(place, below).unwrap(), &Filter::ALL, &mut buffer);
                    let in_scene =
                        scene.ground(&over_scene.fall(place, below).unwrap(), &Filter::ALL, &mut buffer);
                    let floors = [in_mesh, in_scene].map(|hit| hit.map(|hit| hit.prim / 2));
                    assert_eq!(floors, [Some(1); 2], "{half} {gap} {place:?} {below:?}");
                }
            }
        }
    }
}

#[test]
fn a_tile_lies_on_a_floor_that_is_wide() {
    let mut world = World::new();
    world.insert(stack([square(5e4, 0.0)]));
    let tile =
        Mesh::new([[-1.0, 0.003, -1.0], [1.0, 0.003, -1.0], [0.0, 0.003, 2.0]], [[0u32, 2, 1]]).unwrap();
    let here = world.insert(&tile);
    let there = Transform::translation([12113.0, 0.0, -28817.0]).unwrap();
    let there = world.insert(Instance::new(&tile).at(there));
    let scene = world.commit();
    let (plumb, mut buffer) = (scene.plumb(SignedAxis::Y), Buffer::new());
    for (place, tile) in [([0.1, 0.1], here), ([12113.1, -28816.9], there)] {
        let hit = scene.ground(&plumb.fall(place, None).unwrap(), &Filter::ALL, &mut buffer).unwrap();
        assert_eq!((hit.instance, plumb.height(&hit)), (tile, f64::from(0.003f32)));
    }
}

#[test]
fn floors_are_told_apart_as_well_as_is_said() {
    let mut rng = Rng::new(rng::seed(792));
    let mut buffer = Buffer::new();
    for half in [10.0, 1e3, 1e5] {
        for tower in [0.25, 8.0, 900.0] {
            let wide = f64::from(half);
            let gap = (tower * 2f32.powi(-20)).max(half * 2f32.powi(-36)) * 1.01;
            let mesh = stack([square(half, 0.0), square(half, gap), square(half * 0.125, tower)]);
            let mut world = World::new();
            let away = Transform::translation([-1.5 * wide, 0.0, 0.5 * wide]).unwrap();
            let mut insert =
                |half, height| world.insert(Instance::new(stack([square(half, height)])).at(away));
            insert(half, 0.0);
            let upper = insert(half, gap);
            insert(half * 0.125, tower);
            let scene = world.commit();
            let (over_mesh, over_scene) = (mesh.plumb(SignedAxis::Y), scene.plumb(SignedAxis::Y));
            for _ in 0..50 {
                let [x, z] = [rng.range(0.2, 0.9), rng.range(-0.9, 0.9)].map(|part| part * wide);
                let place = over_mesh.fall([x, z], None).unwrap();
                let told = mesh.ground(&place, &Filter::ALL, &mut buffer).map(|hit| hit.prim / 2);
                assert_eq!(told, Some(1), "{half} {tower} {x} {z}");
                let place = over_scene.fall([x - 1.5 * wide, z + 0.5 * wide], None).unwrap();
                let told = scene.ground(&place, &Filter::ALL, &mut buffer).map(|hit| hit.instance);
                assert_eq!(told, Some(upper), "{half} {tower} {x} {z}");
            }
        }
    }
}
