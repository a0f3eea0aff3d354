//! `viewshed`: every cell is what all triangles, one by one, say of it; and the maps that come of it.

use crate::common::Folder;
use hitscan_io::{Options, Parts, Raster};
use hitscan_oracle::brute::{Placed, all_hits};
use hitscan_oracle::entry::Placement;
use hitscan_oracle::meshes::TriMesh;
use hitscan_oracle::rays::Ray;
use hitscan_oracle::rng::Rng;
use serde_json::Value;

const SIZE: [usize; 2] = [23, 17];

/// A survey in the metres of a map, of whole heights, so that many lines only just touch the ground.
fn survey(rng: &mut Rng, relief: usize) -> Vec<u8> {
    let heights: Vec<u8> = (0..SIZE[0] * SIZE[1]).map(|_| rng.below(relief) as u8).collect();
    raster().geotiff(&heights, None).expect("a map")
}

fn raster() -> Raster {
    Raster::new(SIZE, [431_250.25, 5_811_902.75], [2.5, 0.0], [0.0, -2.5])
}

fn parts(bytes: &[u8]) -> Parts {
    hitscan_io::parse("survey", bytes.to_vec(), &Options::default()).expect("a heightmap")
}

/// Runs and gives the numbers and the bytes of the map.
fn asked(folder: &Folder, args: &[&str]) -> (Value, Vec<u8>) {
    let ran = folder.run(&[&["viewshed"], args, &["--json", "-o", "seen.tif"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
    (serde_json::from_str(&ran.out).expect("JSON"), std::fs::read(folder.path("seen.tif")).expect("written"))
}

/// The values of a map whose cells all have one.
fn values(map: &[u8]) -> Vec<u8> {
    parts(map).drafts[0].vertices.iter().map(|vertex| vertex[2] as u8).collect()
}

#[test]
fn all_triangles_one_by_one_say_the_same() {
    let folder = Folder::new("viewshed-brute");
    let mut rng = Rng::new(hitscan_oracle::rng::seed(611));
    let (mut seen, mut hidden) = (0, 0);
    for round in 0..12 {
        let bytes = survey(&mut rng, [2, 5, 40][round % 3]);
        folder.write("survey.tif", &bytes);
        let parts = parts(&bytes);
        let mesh =
            TriMesh::new("survey", parts.drafts[0].vertices.clone(), parts.drafts[0].triangles.clone());
        let translation = parts.nodes[0].transform.offset().to_array();
        let placement = Placement { translation, ..Placement::IDENTITY };
        let corner = |sample: usize| placement.point(mesh.vertices[sample].map(f64::from));

        // On a sample, so that the eye's place is known; heights of 0 put an end exactly on the ground.
        let sample = rng.below(SIZE[0] * SIZE[1]);
        let heights = [[2.0, 0.0], [0.0, 0.0], [0.0, 1.5], [1.0, 1.0]][round % 4];
        let lifted = |[x, y, z]: [f64; 3], by: f64| [x, y, z + by];
        let eye = lifted(corner(sample), heights[0]);
        let at = format!("{},{}", eye[0], eye[1]);
        let [from_height, to_height] = heights.map(|height| height.to_string());
        let (told, map) = asked(
            &folder,
            &["survey.tif", "--at", &at, "--from-height", &from_height, "--to-height", &to_height],
        );
        assert_eq!(told["eye"], serde_json::json!(eye));

        let on = |prim: u32, sample: usize, height: f64| {
            height == 0.0 && mesh.corners(prim as usize).contains(&mesh.vertices[sample])
        };
        // Whether a line from the sample goes under the triangle of its fan that lies that way.
        let dives = |target: [f64; 3]| {
            let from = corner(sample);
            let to = [0, 1, 2].map(|i| target[i] - from[i]);
            mesh.triangles.iter().filter(|triangle| triangle.contains(&(sample as u32))).any(|triangle| {
                let mut sides = triangle.iter().filter(|&&other| other != sample as u32).map(|&other| {
                    let at = corner(other as usize);
                    [0, 1, 2].map(|i| at[i] - from[i])
                });
                let (Some(b), Some(c)) = (sides.next(), sides.next()) else { return false };
                let area = b[0] * c[1] - b[1] * c[0];
                let along_b = (to[0] * c[1] - to[1] * c[0]) / area;
                let along_c = (b[0] * to[1] - b[1] * to[0]) / area;
                along_b >= 0.0 && along_c >= 0.0 && to[2] < along_b * b[2] + along_c * c[2] - 1e-9
            })
        };
        let expected: Vec<u8> = (0..SIZE[0] * SIZE[1])
            .map(|cell| {
                let target = lifted(corner(cell), heights[1]);
                if target == eye {
                    return 255;
                }
                let line = Ray::towards(eye, target).within(0.0, 1.0);
                let hits = all_hits(&[Placed { mesh: &mesh, placement }], &line);
                let hides = hits.iter().any(|hit| {
                    hit.t < 1.0 && !on(hit.prim, cell, heights[1]) && !on(hit.prim, sample, heights[0])
                });
                let hides = hides || (heights == [0.0, 0.0] && dives(target));
                if hides { 0 } else { 255 }
            })
            .collect();
        assert_eq!(values(&map), expected, "round {round}");
        let visible = expected.iter().filter(|&&value| value == 255).count();
        assert_eq!(told["visible"], visible);
        seen += visible;
        hidden += expected.len() - visible;
    }
    assert!(seen > 500 && hidden > 500, "{seen} seen, {hidden} hidden");
}

#[test]
fn the_map_stands_where_the_survey_does() {
    let folder = Folder::new("viewshed-map");
    let mut rng = Rng::new(612);
    folder.write("survey.tif", survey(&mut rng, 30));
    let (told, map) = asked(&folder, &["survey.tif", "-ox", "431270", "-oy", "5811880", "-oz", "9"]);
    let again = parts(&map).raster.expect("a map");
    assert_eq!(again, raster(), "place for place, field for field");
    // GDAL's names are names of the same options, and the numbers of cells are those that one asks for.
    let other = asked(
        &folder,
        &[
            "survey.tif",
            "--at",
            "431270,5811880",
            "--from-height",
            "9",
            "--vv",
            "3",
            "-iv",
            "2",
            "-ov",
            "1",
            "-md",
            "20",
        ],
    );
    let seen = values(&map);
    let mut counts = [0; 3];
    for (cell, (&seen, value)) in seen.iter().zip(values(&other.1)).enumerate() {
        let [x, y] = again.place(cell % SIZE[0], cell / SIZE[0]);
        let is_near = (x - 431_270.0).hypot(y - 5_811_880.0) <= 20.0;
        let expected = match (is_near, seen) {
            (false, _) => 1,
            (true, 0) => 2,
            (true, _) => 3,
        };
        assert_eq!(value, expected, "cell {cell}");
        counts[usize::from(value) - 1] += 1;
    }
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
    assert_eq!(other.0["out_of_range"], counts[0]);
    assert_eq!((told["columns"].as_u64(), told["rows"].as_u64()), (Some(23), Some(17)));
}

/// Ground of 8 by 4 at height 0 on x and z, and a wall of height 2 across it at x = 0.
const WALL: &str = "\
o ground
v -4 0 -2\nv 4 0 -2\nv 4 0 2\nv -4 0 2
f 4 3 2 1
o wall
v 0.3 0 -2\nv 0.3 0 2\nv 0.3 2 2\nv 0.3 2 -2
f 5 6 7 8
";

#[test]
fn a_wall_hides_what_is_behind_it() {
    let folder = Folder::new("viewshed-wall");
    folder.write("wall.obj", WALL);
    let ask =
        |more: &[&str]| asked(&folder, &[&["wall.obj", "--at", "-3.5,0.1", "--cell", "1"], more].concat());
    let (told, map) = ask(&[]);
    let raster = parts(&map).raster.expect("a map");
    // Rows go towards +Z, as one sees the ground from above.
    assert_eq!((raster.size(), raster.place(0, 0), raster.place(7, 3)), ([8, 4], [-3.5, -1.5], [3.5, 1.5]));
    let row = [255, 255, 255, 255, 0, 0, 0, 0];
    assert_eq!(values(&map), row.repeat(4));
    assert_eq!((&told["visible_area"], &told["visible_share"]), (&16.0.into(), &0.5.into()));
    // Over the wall: the eye at 3, 3.8 before it, so that the ground is seen from 11.4 - 3.8 = 7.6 behind it on,
    // and a target of 1.9 from 0.2 on.
    let (told, _) = ask(&["--from-height", "3"]);
    assert_eq!(told["visible"], 16);
    let (told, _) = ask(&["--from-height", "3", "--to-height", "1.9"]);
    assert_eq!(told["visible"], 28, "all but the cells 0.2 behind the wall");
}

#[test]
fn the_eye_on_the_ground_does_not_see_through_a_hill() {
    let folder = Folder::new("viewshed-hill");
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 5, 5);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().expect("a PNG");
    writer.write_image_data(&[0, 8, 10, 8, 0].repeat(5)).expect("a PNG");
    writer.finish().expect("a PNG");
    folder.write("hill.png", &bytes);
    let map = ["hill.png", "--cell", "1", "--relief", "0,255", "--at", "2,2"];
    for height in ["0", "0.001"] {
        let (told, map) = asked(&folder, &[&map[..], &["-oz", height]].concat());
        assert_eq!(told["visible"], 15, "from {height}");
        assert_eq!(values(&map), [0, 255, 255, 255, 0].repeat(5), "from {height}");
    }
}

#[test]
fn what_lies_at_the_limit_is_in_range() {
    let folder = Folder::new("viewshed-limit");
    let raster = Raster::new([41, 1 + 1], [431_250.05, 5_811_902.75], [0.1, 0.0], [0.0, -0.1]);
    folder.write("plain.tif", raster.geotiff(&[0; 82], None).expect("a map"));
    let [x, y] = raster.place(0, 0);
    for steps in 1..40 {
        let limit = format!("{}", f64::from(steps) * 0.1);
        let (told, map) =
            asked(&folder, &["plain.tif", "--at", &format!("{x},{y}"), "-ov", "1", "-md", &limit]);
        let row = &values(&map)[..41];
        assert_eq!(row.iter().filter(|&&value| value != 1).count(), steps as usize + 1, "{limit} {told}");
    }
}

#[test]
fn holes_have_no_ground() {
    let folder = Folder::new("viewshed-holes");
    let raster = Raster::new([4, 4], [0.5, 3.5], [1.0, 0.0], [0.0, -1.0]);
    let mut heights = vec![0; 16];
    heights[5] = 9;
    folder.write("hole.tif", raster.geotiff(&heights, Some(9)).expect("a map"));
    let (told, map) = asked(&folder, &["hole.tif", "--at", "2.5,0.6", "-a_nodata", "7"]);
    assert_eq!((&told["no_ground"], &told["visible"]), (&1.into(), &15.into()));
    // The hole is a hole of the map too.
    assert_eq!(
        parts(&map).drafts[0].triangles,
        parts(&raster.geotiff(&heights, Some(9)).expect("a map")).drafts[0].triangles
    );
}

#[test]
fn the_earth_bends_away() {
    let folder = Folder::new("viewshed-earth");
    // A plain of 12 km; an eye at 2 m sees some 5 km of it.
    let raster = Raster::new([61, 3], [0.0, 0.0], [200.0, 0.0], [0.0, -200.0]);
    folder.write("plain.tif", raster.geotiff(&[0; 183], None).expect("a map"));
    let ask = |curvature: &str| {
        let (told, map) = asked(&folder, &["plain.tif", "--at", "0,-200", "--curvature", curvature]);
        assert_eq!(told["eye"], serde_json::json!([0.0, -200.0, 2.0]));
        values(&map)[61..122].iter().filter(|&&value| value == 255).count()
    };
    assert_eq!(ask("0"), 61);
    // A sample is seen while the ones before it lie lower: up to where 2 / d + C d / (2 R) is least, at
    // d = sqrt(2 * 2 * 6378137 / C).
    assert_eq!(ask("1"), 26, "5051 m; 5000 lies lower than 5200");
    assert_eq!(ask("0.85714"), 28, "5456 m; 5400 lies lower than 5600");
    assert_eq!(ask("0.5"), 37, "7143 m; 7200 lies higher than 7000");
}

#[test]
fn a_picture_of_it() {
    let folder = Folder::new("viewshed-picture");
    let ran = folder.run(&["viewshed", "builtin:terrain:20k", "--at", "0,0", "-o", "seen.png"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(
        ran.out.lines().map(|line| &line[..8]).collect::<Vec<_>>(),
        ["eye     ", "cells   ", "visible ", "farthest"]
    );
    let file = std::fs::File::open(folder.path("seen.png")).expect("written");
    let reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("a PNG");
    assert_eq!((reader.info().width, reader.info().height), (1024, 1024));
}

#[test]
fn what_cannot_be_is_refused_in_one_line() {
    let folder = Folder::new("viewshed-refused");
    folder.write("wall.obj", WALL);
    for (line, code, message) in [
        (
            "--at 9,0",
            1,
            "--at: there is no ground at 9,0; expected a place in the scene, which fills (-4, 0, -2) to (4, 2, 2)",
        ),
        (
            "-ox 9 -oy 0",
            1,
            "--ox: there is no ground at 9,0; expected a place in the scene, which fills (-4, 0, -2) to (4, 2, 2)",
        ),
        (
            "--at 0,0 --cell 1e-9",
            1,
            "--cell: it makes 8e9 x 4e9 cells of 1e-9; expected 67,108,864 at most, 65,536 a side",
        ),
        (
            "--at 0,0 -o seen.jpg",
            2,
            "--output: the name 'seen.jpg' tells no format; expected .png, .tif or .tiff",
        ),
        (
            "--at 0,0 -o wall.obj.tif/seen.tif",
            1,
            "wall.obj.tif/seen.tif: no such folder; expected a file that can be written in a folder that exists",
        ),
        ("--at nan,0", 1, "--at: nan,0 is no place; a place needs finite numbers of at most 2^100"),
        ("--at 1", 2, "--at: '1' has 1 part; expected two numbers A,B"),
        ("-ox 1", 2, "viewshed: --oy <B> is missing; see hitscan viewshed --help"),
        ("--at 0,0 -md -1", 2, "--max-distance: '-1' is no distance; expected 0 or more"),
        ("--at 0,0 -cc 2", 2, "--curvature: '2' is no share of the curvature; expected 0 to 1"),
        (
            "--at 0,0 -oz inf",
            1,
            "--from-height: inf is no height; a height needs a finite number of at most 2^100",
        ),
        ("--at 0,0 -vv 300", 2, "--visible: '300' is no byte; expected a whole number of 0 to 255"),
        ("--at 0,0 -a_nodata -1", 2, "--nodata: '-1' is no byte; expected a whole number of 0 to 255"),
        (
            "--at 0,0 --relief 0,1",
            1,
            "wall.obj: a relief is given; only heightmaps (.png .tif .tiff) have cells",
        ),
    ] {
        let ran = folder.run(&[&["viewshed", "wall.obj"], &line.split(' ').collect::<Vec<_>>()[..]].concat());
        assert_eq!(
            (ran.code, ran.err, ran.out.as_str()),
            (Some(code), format!("hitscan: {message}\n"), ""),
            "{line}"
        );
    }
    assert_eq!(folder.files(), ["wall.obj"]);
}
