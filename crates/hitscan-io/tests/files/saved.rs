//! Models by the way of saved scenes.

use std::path::Path;

use hitscan::saved::{Notes, Saved};
use hitscan::{Filter, Ray};
use hitscan_io::{Model, Options, Raster, ReadError};
use hitscan_oracle::{Rng, rng};

/// The note that has what a model knows.
const NOTE: &str = "hitscan.model";

fn again(model: &Model) -> Model {
    let path = Path::new("again.hitscan");
    Model::of_saved(path, model.to_saved().unwrap()).unwrap().0
}

/// All that a model tells, but for what is not saved.
fn told(model: &Model) -> String {
    let Model { meshes, nodes, materials, cameras, up, raster, .. } = model;
    let names: Vec<&str> = meshes.iter().map(|named| named.name.as_str()).collect();
    format!("{names:?} {nodes:?} {materials:?} {cameras:?} {up:?} {raster:?}")
}

#[test]
fn a_model_comes_back_with_its_names_cameras_and_triangles() {
    for scene in ["builtin:range", "builtin:terrain:2k", "builtin:soup:1k"] {
        let model = hitscan_io::open(scene).unwrap();
        let twin = again(&model);
        assert_eq!(told(&twin), told(&model), "{scene}");
        for (a, b) in model.meshes.iter().zip(&twin.meshes) {
            assert_eq!(a.mesh.triangles(), b.mesh.triangles());
            assert_eq!(a.mesh.materials(), b.mesh.materials());
        }
        let mut bytes = Vec::new();
        model.to_saved().unwrap().write(&mut bytes).unwrap();
        let read = hitscan_io::read("standard input", bytes.clone(), &Default::default()).unwrap();
        assert_eq!(told(&read), told(&model), "{scene}");
        // As lists, which a build makes the same model of.
        let parts = hitscan_io::parse("standard input", bytes, &Default::default()).unwrap();
        let built = parts
            .build(Path::new(scene), &Options { preset: hitscan::Preset::Fast, ..Options::new() })
            .unwrap();
        assert_eq!(told(&built), told(&model), "{scene}");
    }
}

/// A model is a program's to change before it is saved.
#[test]
fn a_model_that_shows_less_than_it_has_comes_back_with_what_it_shows() {
    let obj = b"v 0 0 0\nv 1 0 0\nv 0 1 0\no a\nf 1 2 3\no b\nf 3 2 1\no c\nf 2 3 1\n".to_vec();
    let whole = hitscan_io::read("three.obj", obj, &Options::new()).unwrap();
    let changed = |change: &dyn Fn(&mut Model)| {
        let mut model = whole.clone();
        change(&mut model);
        let twin = again(&model);
        assert_eq!(twin.nodes.len(), model.nodes.len());
        for (node, its) in model.nodes.iter().zip(&twin.nodes) {
            assert_eq!((&its.name, its.transform), (&node.name, node.transform));
            let [shown, found] = [&model.meshes[node.mesh], &twin.meshes[its.mesh]];
            assert_eq!(found.name, shown.name);
            assert_eq!(found.mesh.triangles(), shown.mesh.triangles());
        }
        twin
    };
    let names = |change: &dyn Fn(&mut Model)| -> Vec<String> {
        changed(change).meshes.into_iter().map(|named| named.name).collect()
    };
    assert_eq!(names(&|_| {}), ["a", "b", "c"]);
    assert_eq!(names(&|model| drop(model.nodes.pop())), ["a", "b"]);
    assert_eq!(names(&|model| drop(model.nodes.remove(0))), ["b", "c"]);
    assert_eq!(names(&|model| model.nodes[1].mesh = 2), ["a", "c"]);
    assert_eq!(names(&|model| model.nodes.reverse()), ["a", "b", "c"]);
    assert_eq!(names(&|model| model.nodes.clear()), [""; 0]);
    // Material 0 is there whatever is not.
    let bare = changed(&|model| model.materials.clear());
    assert_eq!(bare.materials, [hitscan_io::DEFAULT_MATERIAL]);
    // A grid without cells is none of a heightmap.
    let point = Raster::new([1, 1], [0.0; 2], [1.0, 0.0], [0.0, 1.0]);
    assert_eq!(changed(&|model| model.raster = Some(point.clone())).raster, None);
}

#[test]
fn a_file_is_opened_by_its_extension() {
    let folder = std::env::temp_dir().join(format!("hitscan-io-saved-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("range.HITSCAN");
    let model = hitscan_io::open("builtin:range").unwrap();
    model.to_saved().unwrap().save(&path).unwrap();
    let name = path.to_str().unwrap();
    assert_eq!(told(&hitscan_io::open(name).unwrap()), told(&model));
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let error = hitscan_io::open(name).unwrap_err();
    assert!(matches!(error, ReadError::Saved { .. }), "{error}");
    let expected = format!("has {} bytes; expected {}, as its header says", bytes.len() / 2, bytes.len());
    assert_eq!(error.to_string(), format!("{name}: {expected}"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn whatever_a_note_says_a_model_is_whole_or_refused() {
    let mut rng = Rng::new(rng::seed(961));
    let sound = hitscan_io::open("builtin:range").unwrap().to_saved().unwrap();
    let note = sound.notes.get(NOTE).unwrap().to_vec();
    let down = Ray::new([0.0, 9.0, 0.0], [0.0, -1.0, 0.0]).unwrap();
    let (mut opened, mut refused) = (0, 0);
    for _ in 0..4000 {
        let mut note = note.clone();
        match rng.below(4) {
            0 => note.truncate(rng.below(note.len())),
            1 => note.push(rng.below(256) as u8),
            _ => {
                let at = rng.below(note.len());
                note[at] = rng.pick(&[0, 1, 0x7f, 0x80, 0xff, note[at] ^ 1]);
            }
        }
        let mut notes = Notes::new();
        notes.set(NOTE, note).unwrap();
        match Model::of_saved(Path::new("note.hitscan"), Saved { scene: sound.scene.clone(), notes }) {
            Ok((model, scene)) => {
                assert!(model.nodes.iter().all(|node| node.mesh < model.meshes.len()));
                assert_eq!(model.nodes.len(), scene.iter().count());
                assert_eq!(model.scene().closest(&down, &Filter::ALL), scene.closest(&down, &Filter::ALL));
                opened += 1;
            }
            Err(error) => {
                let expected = "note.hitscan: the note hitscan.model does not fit; expected the one that was saved with the scene";
                assert_eq!(error.to_string(), expected);
                refused += 1;
            }
        }
    }
    assert!(opened > 100 && refused > 100, "{opened} opened, {refused} refused");
}
