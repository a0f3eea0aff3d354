//! OBJ: what becomes of each statement. Malformed files are in `errors.rs`.

use crate::support::{Folder, SURVEY, Tent};

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

#[test]
fn corners_come_in_every_form_and_polygons_are_fans() {
    let folder = Folder::new("corners");
    let text = format!(
        "# a comment\nmtllib rooms.mtl\nvt 0 0\nvn 0 0 1\n{SQUARE}s off\ng roof\n\
         f 1 2 3 4\nf 1/1 2/1 3/1\nf 1//1 2//1 4//1 # and one at the end\n  f  1/1/1\t-3/-1/-1   -1/1/1 \nl 1 2\np 1\n"
    );
    let model = folder.open("square.obj", text).unwrap();
    assert_eq!(model.meshes.len(), 1);
    assert_eq!(model.meshes[0].name, "square");
    let mesh = &model.meshes[0].mesh;
    assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 3], [0, 1, 2], [0, 1, 3], [0, 1, 3]]);
    assert_eq!(mesh.vertices(), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]);
}

#[test]
fn polygons_with_notches_are_cut_along_their_outline() {
    let folder = Folder::new("notch");
    let corners = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n";
    // From every corner on, and the other way around.
    for first in 0..6 {
        for turned in [false, true] {
            let face: String = (0..6)
                .map(|corner| if turned { 11 - corner - first } else { corner + first })
                .map(|corner| format!(" {}", corner % 6 + 1))
                .collect();
            let model = folder.open("notch.obj", format!("{corners}f{face}\n")).unwrap();
            let scene = model.scene();
            assert_eq!(model.meshes[0].mesh.triangles().len(), 4, "{face}");
            for (x, y, hits) in [(1.2, 1.3, 0), (1.2, 0.7, 1), (0.3, 1.8, 1), (1.9, 0.2, 1), (1.7, 1.4, 0)] {
                let down = hitscan::Ray::new([x, y, 1.0], [0.0, 0.0, -1.0]).unwrap();
                let found = scene.all_hits(&down, &hitscan::Filter::ALL);
                assert_eq!(found.len(), hits, "{face} at {x}, {y}");
                assert!(found.iter().all(|hit| (hit.facing == hitscan::Face::Back) == turned), "{face}");
            }
        }
    }
}

#[test]
fn line_ends_continuations_and_marks_do_not_matter() {
    let folder = Folder::new("lines");
    let plain = format!("{SQUARE}f 1 2 3\nf 1 3 4\n");
    let expected = folder.open("plain.obj", &plain).unwrap();
    for (name, text) in [
        ("crlf.obj", plain.replace('\n', "\r\n")),
        ("cr.obj", plain.replace('\n', "\r")),
        ("continued.obj", plain.replace("1 0 0", "1 \\\n0\\\r\n 0").replace("2 3", "\\\n2 3")),
        ("marked.obj", format!("\u{feff}{plain}")),
        ("open-end.obj", plain.trim_end().to_owned()),
        ("comment.obj", format!("# C:\\scans\\\n{plain}")),
        ("coloured.obj", plain.replace("1 1 0", "1 1 0 0.5 0.25 0.125")),
    ] {
        let model = folder.open(name, text).unwrap();
        assert_eq!(model.meshes[0].mesh.triangles(), expected.meshes[0].mesh.triangles(), "{name}");
        assert_eq!(model.meshes[0].mesh.vertices(), expected.meshes[0].mesh.vertices(), "{name}");
    }
}

#[test]
fn objects_are_meshes_with_the_vertices_they_use() {
    let folder = Folder::new("objects");
    let text = format!(
        "{SQUARE}f 1 2 3\no only lines\nl 1 2\no left wall\nf 4 2 3\nv 5 5 5\nf 2 5 -2\no\nf -1 2 1\no left wall\nf 1 2 4\n"
    );
    let model = folder.open("house.obj", text).unwrap();
    let names: Vec<&str> = model.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
    assert_eq!(names, ["house", "left wall", "mesh2", "left wall"]);
    let nodes: Vec<(&str, usize)> = model.nodes.iter().map(|node| (node.name.as_str(), node.mesh)).collect();
    assert_eq!(nodes, [("house", 0), ("left wall", 1), ("mesh2", 2), ("left wall", 3)]);
    let wall = &model.meshes[1].mesh;
    assert_eq!(wall.vertices(), [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [5.0, 5.0, 5.0]]);
    assert_eq!(wall.triangles(), [[2, 0, 1], [0, 3, 2]]);
    assert_eq!(model.meshes[2].mesh.vertices(), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [5.0, 5.0, 5.0]]);
    assert_eq!(model.meshes[2].mesh.triangles(), [[2, 1, 0]]);
    assert_eq!(model.triangles(), 5);
}

#[test]
fn materials_are_numbered_by_first_use_and_reach_hits() {
    let folder = Folder::new("materials");
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 -1\nv 1 0 -1\nv 0 1 -1\nv 0 0 -2\nv 1 0 -2\nv 0 1 -2\n\
                f 1 2 3\nusemtl brass #2\nf 4 5 6\no b\nf 7 8 9\nusemtl oak\nusemtl brass #2\nf 7 8 9\nusemtl oak\nf 1 2 3\n";
    let model = folder.open("materials.obj", text).unwrap();
    assert_eq!(model.materials, ["default", "brass #2", "oak"]);
    let ray = hitscan::Ray::new([0.25, 0.25, 9.0], [0.0, 0.0, -1.0]).unwrap();
    let hits = model.scene().all_hits(&ray, &hitscan::Filter::ALL);
    let found: Vec<(u32, u32, u32)> =
        hits.iter().map(|hit| (hit.instance.slot(), hit.prim, hit.material)).collect();
    assert_eq!(found, [(0, 0, 0), (1, 2, 2), (0, 1, 1), (1, 0, 1), (1, 1, 1)]);
}

#[test]
fn numbers_are_rounded_once() {
    let folder = Folder::new("numbers");
    let model = folder.open("n.obj", "v 1e-3 +.5 -1.E2\nv 16777217 0.1 1e30\nv 1 0 0\nf 1 2 3\n").unwrap();
    let vertices = model.meshes[0].mesh.vertices();
    assert_eq!(vertices[..2], [[1e-3, 0.5, -100.0], [16777216.0, 0.1, 1e30]]);
}

#[test]
fn surveys_keep_a_tenth_of_a_millimetre() {
    let tent = Tent::at(SURVEY);
    let folder = Folder::new("survey");
    let model = folder.open("tent.obj", tent.obj()).unwrap();
    tent.assert_is(&model, "tent.obj");
    let [east, north, height] = SURVEY;
    let down = hitscan::Ray::new([east + 2.0, north + 1.75, height + 100.0], [0.0, 0.0, -1.0]).unwrap();
    let hit = model.scene().closest(&down, &hitscan::Filter::ALL).unwrap();
    assert!((hit.t - (100.0 - 2.625)).abs() < 1e-4, "{}", hit.t);
}

/// A slope of 6 km in UTM, whose height is northing less 5,244,000.25, the rows of its corners counted from `first` on.
fn slope(first: usize) -> String {
    let (west, east, south, north) = (466_000, 472_000, 5_244_000.25, 5_250_000.25);
    let corners = [(west, south, 0), (east, south, 0), (east, north, 6000), (west, north, 6000)];
    let vertices = corners.map(|(x, y, z)| format!("v {x} {y} {z}\n")).concat();
    format!("{vertices}f {} {} {} {}\n", first, first + 1, first + 2, first + 3)
}

#[test]
fn what_stands_at_the_origin_costs_a_survey_no_digits() {
    let folder = Folder::new("beside-survey");
    let marker = "o marker\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n";
    for (name, text) in [
        ("unused.obj", format!("v 0 0 0\n{}", slope(2))),
        ("behind.obj", format!("{}{marker}", slope(1))),
        ("before.obj", format!("{marker}o slope\n{}", slope(4))),
    ] {
        let model = folder.open(name, text).unwrap();
        let down = hitscan::Ray::new([469_000.0, 5_247_000.3, 9000.0], [0.0, 0.0, -1.0]).unwrap();
        let height = 9000.0 - model.scene().closest(&down, &hitscan::Filter::ALL).unwrap().t;
        assert!((height - 3000.05).abs() < 1e-3, "{name}: {height}");
    }
}

#[test]
fn tiles_of_a_survey_share_an_origin_whatever_stands_elsewhere() {
    use std::fmt::Write;
    let mut text = String::from("o marker\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    for tile in 0..6 {
        let west = 466_000 + 1000 * tile;
        for (x, y) in [(west, 5_244_000.25), (west + 1000, 5_244_000.25), (west, 5_250_000.25)] {
            writeln!(text, "v {x} {y} 100.5").unwrap();
        }
        writeln!(text, "o tile{tile}\nf -3 -2 -1").unwrap();
    }
    let model = Folder::new("tiles").open("tiles.obj", text).unwrap();
    let offsets: Vec<_> = model.nodes.iter().map(|node| node.transform.offset()).collect();
    assert_eq!(offsets[0], hitscan::glam::DVec3::ZERO);
    assert!(offsets[1].y > 5e6 && offsets[2..].iter().all(|offset| *offset == offsets[1]), "{offsets:?}");
}

#[test]
fn a_large_file_is_read_in_time() {
    use std::fmt::Write;
    let folder = Folder::new("large");
    // A hilly terrain of 2 * 400 * 400 triangles.
    let (size, mut text) = (400, String::new());
    for row in 0..=size {
        for column in 0..=size {
            let height = ((row * 7919 + column * 104729) % 1000) as f64 / 997.0;
            writeln!(text, "v {:.6} {height:.6} {:.6}", column as f64 * 0.137, row as f64 * 0.137).unwrap();
        }
    }
    for row in 0..size {
        for column in 0..size {
            let a = row * (size + 1) + column + 1;
            writeln!(text, "f {} {} {} {}", a, a + size + 1, a + size + 2, a + 1).unwrap();
        }
    }
    let start = std::time::Instant::now();
    let model = folder.open("terrain.obj", &text).unwrap();
    eprintln!("{} MB in {:?}", text.len() / 1_000_000, start.elapsed());
    assert_eq!(model.triangles(), 2 * size * size);
}
