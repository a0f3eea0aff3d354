//! The shared scenes: counts as their list says, and how long reading takes.

use std::path::Path;
use std::time::Instant;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/scenes");

/// File, triangles, meshes.
const SCENES: [(&str, usize, usize); 6] = [
    ("kitchen.glb", 1_443_517, 299),
    ("coffee.glb", 235_271, 23),
    ("nefertiti.obj", 99_938, 1),
    ("rocker-arm.obj", 20_088, 1),
    ("fandisk.obj", 12_946, 1),
    ("cow.obj", 5_804, 1),
];

#[test]
fn counts_are_those_of_the_list() {
    if !Path::new(FOLDER).exists() {
        eprintln!("skipped: {FOLDER} is absent");
        return;
    }
    for (file, triangles, meshes) in SCENES {
        let start = Instant::now();
        let model = hitscan_io::open(format!("{FOLDER}/{file}")).unwrap();
        eprintln!("{file}: {:?}", start.elapsed());
        assert_eq!(
            (model.triangles(), model.meshes.len(), model.nodes.len()),
            (triangles, meshes, meshes),
            "{file}"
        );
        assert_eq!(model.materials, ["default"], "{file}");
    }
}

#[test]
fn cameras_look_where_their_files_say() {
    for (file, eye, degrees) in [
        ("kitchen.cam", [1.21100522, 1.80474831, 3.85239232], 35.98f64),
        ("coffee.cam", [-0.00296004, 0.19830313, 0.82815099], 25.0),
    ] {
        let path = Path::new(FOLDER).join(file);
        if !path.exists() {
            eprintln!("skipped: {} is absent", path.display());
            continue;
        }
        let camera = hitscan_io::read_camera(&path).unwrap();
        assert_eq!(camera.eye().to_array(), eye);
        assert!((camera.tan_half_fov() - (degrees.to_radians() / 2.0).tan()).abs() < 1e-15);
        assert!(camera.forward().z < -0.8 && camera.up().y > 0.99);
    }
}
