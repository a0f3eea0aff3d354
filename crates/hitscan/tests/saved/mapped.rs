//! The trusted way gives what the verified one gives.
#![allow(unsafe_code, reason = "the files are this test's own")]

use hitscan::saved::{Notes, OpenError, Saved};
use hitscan::{Filter, Scene, World};
use hitscan_oracle::{Rng, rng};

use crate::support::{answers, file_with, isas, mesh, rays, sections, world};

/// A file of these bytes, mapped.
fn map(bytes: &[u8]) -> Result<Saved, OpenError> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    // SAFETY: the file is this function's own, and loses its name when it ends; the mapping keeps it.
    unsafe { Saved::map(file.path()) }
}

#[test]
fn a_mapped_scene_gives_the_bits_of_a_verified_one() {
    let mut rng = Rng::new(rng::seed(941));
    for _ in 0..4 {
        let scene = world(&mut rng).commit();
        let mut notes = Notes::new();
        notes.set("who", *b"test").unwrap();
        let bytes = file_with(&scene, notes);
        let mapped = map(&bytes).unwrap();
        let rays = rays(&mut rng, 40);
        for isa in isas() {
            let [a, b] = [&scene, &mapped.scene].map(|scene| answers(&scene.with_isa(isa).unwrap(), &rays));
            assert_eq!(a, b, "{isa}");
        }
        assert!(bytes == file_with(&mapped.scene, mapped.notes), "saved again");
    }
}

#[test]
fn a_mapped_mesh_is_copied_before_it_moves_and_outlives_its_scene() {
    let mut rng = Rng::new(rng::seed(943));
    let mesh = mesh(&mut rng, 500);
    let mut world = World::new();
    world.insert(&mesh);
    let mapped = map(&file_with(&world.commit(), Notes::new())).unwrap().scene;
    let before = mapped.iter().next().unwrap().1.mesh().unwrap().clone();
    drop(mapped);
    let mut moved = before.clone();
    let mut twin = mesh.clone();
    let places: Vec<[f32; 3]> = mesh.vertices().iter().map(|&[x, y, z]| [x, z, y]).collect();
    assert_eq!(moved.refit(places.clone()).unwrap(), twin.refit(places).unwrap());
    assert_eq!((moved.check(), before.check()), (Ok(()), Ok(())));
    for ray in rays(&mut rng, 50) {
        assert_eq!(moved.closest(&ray, &Filter::ALL), twin.closest(&ray, &Filter::ALL));
        assert_eq!(before.closest(&ray, &Filter::ALL), mesh.closest(&ray, &Filter::ALL));
    }
}

#[test]
fn what_is_small_is_checked_here_too() {
    let mut rng = Rng::new(rng::seed(945));
    let sound = file_with(&world(&mut rng).commit(), Notes::new());
    let mut file = sound.clone();
    let small = sections(&sound).into_iter().filter(|section| [1, 2, 10, 11, 15].contains(&section.0));
    let places = (0..64 + 32 * sections(&sound).len()).chain(small.flat_map(|(.., range)| range));
    let mut tried = 0;
    for at in places.step_by(7) {
        file[at] ^= 0x10;
        assert!(map(&file).is_err(), "byte {at}");
        file[at] = sound[at];
        tried += 1;
    }
    assert!(tried > 500);
    for length in (0..sound.len()).step_by(97) {
        assert!(map(&sound[..length]).is_err(), "cut at {length}");
    }
}

#[test]
fn saving_under_the_name_of_a_mapped_file_leaves_the_scene_alone() {
    let mut rng = Rng::new(rng::seed(947));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.hitscan");
    let scene = world(&mut rng).commit();
    scene.save(&path).unwrap();
    // SAFETY: nobody else knows the folder, and what is saved below is another file.
    let mapped = unsafe { Scene::map(&path) }.unwrap();
    World::new().commit().save(&path).unwrap();
    let rays = rays(&mut rng, 20);
    assert_eq!(answers(&mapped, &rays), answers(&scene, &rays));
    assert_eq!(Scene::open(&path).unwrap().iter().count(), 0);
}
