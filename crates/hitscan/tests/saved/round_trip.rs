//! The same scene on both sides of a file.

use hitscan::glam::DMat3;
use hitscan::saved::{Notes, Saved};
use hitscan::shape::{ConvexHull, Sphere};
use hitscan::{Filter, Geometry, Instance, Mesh, Preset, Ray, Scene, Transform, World};
use hitscan_oracle::{Rng, meshes, rng};

use crate::support::{answers, file, file_with, geometries, isas, mesh, place, rays, world};

#[test]
fn an_opened_scene_gives_the_bits_of_the_saved_one() {
    let mut rng = Rng::new(rng::seed(901));
    for _ in 0..8 {
        let scene = world(&mut rng).commit();
        let opened = Saved::read(&file(&scene)).unwrap().scene;
        let rays = rays(&mut rng, 60);
        for isa in isas() {
            let [a, b] = [&scene, &opened].map(|scene| answers(&scene.with_isa(isa).unwrap(), &rays));
            assert_eq!(a, b, "{isa}");
        }
        assert_eq!(opened.check(), Ok(()));
    }
}

/// Small enough for an interpreter that checks every access to memory: `cargo xtask sanitize miri`.
#[test]
fn a_small_mesh_comes_back() {
    let mut rng = Rng::new(rng::seed(911));
    let soup = meshes::soup(40, &mut rng);
    let mut world = World::new();
    world.insert(Mesh::new(soup.vertices, soup.triangles).unwrap());
    let scene = world.commit();
    let opened = Saved::read(&file(&scene)).unwrap().scene;
    for ray in rays(&mut rng, 8) {
        let [before, after] = [&scene, &opened].map(|scene| scene.all_hits(&ray, &Filter::ALL));
        assert_eq!(before, after);
    }
    assert_eq!(opened.check(), Ok(()));
}

/// Its planes, its surface and its edges, of which a file has not all.
#[test]
fn a_hull_is_the_one_that_was_saved() {
    let mut rng = Rng::new(rng::seed(912));
    for round in 0..60 {
        // On a grid, so that faces have many corners, and lie among points within.
        let grid = |rng: &mut Rng| rng.pick(&[-1.5, -0.5, 0.5, 1.5]);
        let points: Vec<[f64; 3]> = (0..60).map(|_| [0; 3].map(|_| grid(&mut rng))).collect();
        let hull = ConvexHull::from_points(points).unwrap();
        let planes = ConvexHull::from_planes(hull.planes().to_vec()).unwrap();
        for hull in [hull, planes] {
            let mut world = World::new();
            let id = world.insert(hull.clone());
            let opened = Saved::read(&file(&world.commit())).unwrap().scene;
            let instance = opened.get(id).expect("it is there");
            let Geometry::ConvexHull(back) = instance.geometry() else { panic!("another shape") };
            assert!(**back == hull, "{round}");
        }
    }
}

#[test]
fn large_meshes_and_many_instances_too() {
    let mut rng = Rng::new(rng::seed(903));
    let mut world = World::new();
    let large = mesh(&mut rng, 40_000);
    for _ in 0..3000 {
        let one = rng.one_in(9);
        let thing: Geometry = if one { (&large).into() } else { Sphere::new([0.0; 3], 0.1).unwrap().into() };
        world.insert(Instance::new(thing).at(place(&mut rng, 6.0)));
    }
    let scene = world.commit();
    let bytes = file(&scene);
    let opened = Saved::read(&bytes).unwrap().scene;
    let rays = rays(&mut rng, 40);
    assert_eq!(answers(&scene, &rays), answers(&opened, &rays));
    assert!(bytes == file(&opened), "the same bytes again");
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    for seed in [905, 906, 907] {
        let scene = || world(&mut Rng::new(seed)).commit();
        let bytes = file(&scene());
        assert!(bytes == file(&scene()), "made twice");
        let opened = Saved::read(&bytes).unwrap();
        assert!(bytes == file(&opened.scene), "opened and saved again");
        // What was asked in between leaves no trace.
        let asked = scene();
        answers(&asked, &rays(&mut Rng::new(1), 20));
        asked.iter().filter_map(|(_, instance)| instance.mesh()).for_each(|mesh| {
            let _ = mesh.signed_distance([0.1, 0.2, 0.3]);
        });
        assert!(bytes == file(&asked), "asked");
    }
}

#[test]
fn what_is_shared_is_written_once_and_shared_again() {
    let mut rng = Rng::new(rng::seed(909));
    let mesh = mesh(&mut rng, 2000);
    let scene_of = |count: usize| {
        let mut world = World::new();
        (0..count).for_each(|i| {
            let at = Transform::translation([i as f64, 0.0, 0.0]).unwrap();
            world.insert(Instance::new(&mesh).at(at));
        });
        world.commit()
    };
    let [one, many] = [1, 50].map(|count| file(&scene_of(count)).len());
    assert!(many < one + 50 * 200, "{one} and {many} bytes");
    let opened = Saved::read(&file(&scene_of(50))).unwrap().scene;
    let places: Vec<_> =
        opened.iter().filter_map(|(_, thing)| thing.mesh()).map(|mesh| mesh.vertices().as_ptr()).collect();
    assert_eq!(places.len(), 50);
    assert!(places.iter().all(|&place| place == places[0]));
}

#[test]
fn an_opened_mesh_is_moved_and_rebuilt_as_the_saved_one() {
    let mut rng = Rng::new(rng::seed(911));
    for &preset in Preset::ALL {
        let soup = meshes::soup(700, &mut rng);
        let mut mesh = Mesh::build(preset, soup.vertices.clone(), soup.triangles).unwrap();
        let moved = |by: f32| soup.vertices.iter().map(move |&[x, y, z]| [x + by * y * y, y, z - by * x]);
        mesh.refit(moved(0.1)).unwrap();
        let mut world = World::new();
        world.insert(&mesh);
        let opened = Saved::read(&file(&world.commit())).unwrap().scene;
        let mut twin = opened.iter().next().unwrap().1.mesh().unwrap().clone();
        let before = file(&opened);
        assert_eq!(mesh.refit(moved(0.7)).unwrap(), twin.refit(moved(0.7)).unwrap());
        assert_eq!(twin.check(), Ok(()));
        assert!(before == file(&opened), "the scene keeps what it has");
        let scene_of = |mesh: &Mesh| -> Scene {
            let mut world = World::new();
            world.insert(mesh);
            world.commit()
        };
        assert!(file(&scene_of(&mesh)) == file(&scene_of(&twin)), "{preset:?}");
        mesh.rebuild();
        twin.rebuild();
        assert!(file(&scene_of(&mesh)) == file(&scene_of(&twin)), "{preset:?}");
    }
}

/// A mesh that was moved until nothing of it can be hit has a tree yet, and comes back.
#[test]
fn a_mesh_without_a_triangle_that_can_be_hit_comes_back() {
    let corners = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mut mesh = Mesh::new(corners, [[0u32, 1, 2]]).unwrap();
    mesh.refit([[0.5f32; 3]; 3]).unwrap();
    let mut world = World::new();
    world.insert(&mesh);
    let id = world.insert(Mesh::new(corners, [[0u32, 1, 2]]).unwrap());
    let ray = Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0]).unwrap();
    let opened = Saved::read(&file(&world.commit())).unwrap().scene;
    assert_eq!(opened.check(), Ok(()));
    assert_eq!(opened.all_hits(&ray, &Filter::ALL).iter().map(|hit| hit.instance).collect::<Vec<_>>(), [id]);
    let (_, back) = opened.iter().next().unwrap();
    let mut back = back.mesh().unwrap().clone();
    assert_eq!((back.bounds(), back.closest(&ray, &Filter::ALL)), (None, None));
    back.refit(corners).unwrap();
    assert_eq!(back.closest(&ray, &Filter::ALL).map(|hit| hit.t), Some(1.0));
}

#[test]
fn names_stay_and_stale_ones_stay_stale() {
    let mut world = World::new();
    let ids: Vec<_> = (0..5).map(|_| world.insert(Sphere::new([0.0; 3], 1.0).unwrap())).collect();
    world.remove(ids[1]).unwrap();
    world.remove(ids[4]).unwrap();
    let again = world.insert(Sphere::new([3.0; 3], 1.0).unwrap());
    let scene = Saved::read(&file(&world.commit())).unwrap().scene;
    for id in ids.iter().copied().chain([again]) {
        assert_eq!(scene.get(id).is_some(), world.get(id).is_some(), "{id:?}");
    }
    assert_eq!(scene.iter().map(|(id, _)| id).collect::<Vec<_>>(), [ids[0], ids[2], ids[3], again]);
}

#[test]
fn placements_keep_all_bits() {
    let odd = DMat3::from_cols_array(&[0.1, -0.0, 1e-3, 1e-300, 3.0, 0.7, -2.0, 1.0 / 3.0, 1e4]);
    let at = Transform::new(odd, [-0.0, 6.4e6, 1.0 / 7.0]).unwrap();
    let mut world = World::new();
    let id = world.insert(Instance::new(geometries(&mut Rng::new(3)).remove(0)).at(at));
    let scene = Saved::read(&file(&world.commit())).unwrap().scene;
    let found = scene.get(id).unwrap().transform();
    assert_eq!(format!("{found:?}"), format!("{at:?}"));
}

#[test]
fn notes_come_back_as_they_were() {
    let mut notes = Notes::new();
    notes.set("zebra", []).unwrap();
    notes.set("Äpfel", [0, 255, 7]).unwrap();
    notes.set("long", vec![9; 1_000_000]).unwrap();
    let scene = World::new().commit();
    let bytes = file_with(&scene, notes.clone());
    let saved = Saved::read(&bytes).unwrap();
    assert_eq!(saved.notes, notes);
    assert!(bytes == file_with(&saved.scene, saved.notes));
}

#[test]
fn an_empty_world_is_saved_too() {
    let scene = Saved::read(&file(&World::new().commit())).unwrap().scene;
    assert_eq!((scene.iter().count(), scene.bounds()), (0, None));
    assert_eq!(
        answers(&scene, &rays(&mut Rng::new(1), 3)),
        answers(&World::new().commit(), &rays(&mut Rng::new(1), 3))
    );
}
