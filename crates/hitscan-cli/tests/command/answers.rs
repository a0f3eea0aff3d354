//! Single questions: what people read and what programs read.

use crate::common::{CUBE, Folder, glb};
use hitscan::glam::{DMat3, DVec3};
use hitscan::{Instance, Mesh, Transform, World};
use serde_json::Value;

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("box.obj", CUBE);
    folder
}

/// The triangles of the cube whose corners are the bits of their numbers, outside first.
const BOX: [u32; 36] = [
    0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7,
    5,
];

/// A binary glTF with other words in the place of some of its JSON.
fn replaced(file: Vec<u8>, old: &str, new: &str) -> Vec<u8> {
    let length = 20 + u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    let mut json = String::from_utf8(file[20..length].to_vec()).unwrap();
    assert!(json.contains(old), "{json}");
    json = json.replacen(old, new, 1);
    while !json.len().is_multiple_of(4) {
        json.push(' ');
    }
    let total = (file.len() - length + 20 + json.len()) as u32;
    let size = (json.len() as u32).to_le_bytes();
    [&file[..8], &total.to_le_bytes(), &size, &file[16..20], json.as_bytes(), &file[length..]].concat()
}

fn answer(folder: &Folder, args: &[&str]) -> String {
    let ran = folder.run(args);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
    ran.out
}

fn json(folder: &Folder, args: &[&str]) -> Value {
    serde_json::from_str(&answer(folder, args)).unwrap()
}

#[test]
fn one_ray_is_told_with_entries_exits_and_thickness() {
    let folder = folder("cast-table");
    let args = ["cast", "box.obj", "--from", "-1,0.25,0.5", "--to", "3,0.25,0.5"];
    assert_eq!(
        answer(&folder, &args),
        "\
#     t  distance  position        side   object  prim  thickness
-  ----  --------  --------------  -----  ------  ----  ---------
1  0.25       1 m  (0, 0.25, 0.5)  entry  box        8
2   0.5       2 m  (1, 0.25, 0.5)  exit   box       11        1 m
2 hits from (-1, 0.25, 0.5) to (3, 0.25, 0.5)
"
    );
    assert_eq!(
        answer(&folder, &["cast", "box.obj", "--from", "-1,-2,-3", "--dir", "-1,-.5,-1e-3"]),
        "miss: nothing from (-1, -2, -3) along (-1, -0.5, -0.001); the scene fills (0, 0, 0) to (1, 1, 1)\n"
    );
    let occluded = |mode: &str| answer(&folder, &[&args[..], &["--mode", mode]].concat());
    assert_eq!(occluded("occluded"), "occluded\n");
    assert_eq!(occluded("closest"), occluded("first:1"));
    assert!(occluded("closest").ends_with("1 hit from (-1, 0.25, 0.5) to (3, 0.25, 0.5)\n"));
}

#[test]
fn a_miss_of_the_closest_is_a_row_too() {
    let folder = folder("cast-miss");
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz\n9,9,9,0,0,3\n");
    let miss = ["cast", "box.obj", "--from", "9,9,9", "--dir", "0,0,3", "--format"];
    let closest = |format| answer(&folder, &[&miss[..], &[format, "--mode", "closest"]].concat());
    let rows = closest("csv");
    assert_eq!(rows.lines().nth(1), Some("0,inf,,,,,,,,,-1,,,,"));
    assert_eq!(rows, answer(&folder, &["cast", "box.obj", "--rays", "rays.csv"]));

    let told: Value = serde_json::from_str(&closest("jsonl")).expect("one object");
    let hit = ["cast", "box.obj", "--from", "0.1,0.3,-1", "--dir", "0,0,3", "--mode", "closest"];
    let hit = json(&folder, &[&hit[..], &["--format", "jsonl"]].concat());
    let names = |of: &Value| of.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&told), names(&hit));
    let there = told.as_object().expect("an object").iter().filter(|(_, value)| !value.is_null());
    assert_eq!(there.collect::<Vec<_>>(), [(&"prim".to_owned(), &Value::from(-1))]);

    // A row is a hit there, and an object of JSON has a list.
    let all = answer(&folder, &[&miss[..], &["csv", "--mode", "all"]].concat());
    assert_eq!(all.lines().count(), 1);
    assert_eq!(
        json(&folder, &[&miss[..], &["json", "--mode", "closest"]].concat())["hits"],
        serde_json::json!([])
    );
}

#[test]
fn one_ray_is_told_to_programs_with_every_digit() {
    let folder = folder("cast-json");
    let args = ["cast", "box.obj", "--from", "0.1,0.3,-1", "--dir", "0,0,3"];
    let told = json(&folder, &[&args[..], &["--json"]].concat());
    assert_eq!(told["ray"]["origin"], serde_json::json!([0.1, 0.3, -1.0]));
    assert_eq!(told["ray"]["t_max"], Value::Null);
    let hits = told["hits"].as_array().unwrap();
    assert_eq!(hits.len(), 2);
    assert_eq!(hits[0]["t"].as_f64(), Some(1.0 / 3.0));
    assert_eq!((&hits[0]["facing"], &hits[0]["thickness"]), (&Value::from("front"), &Value::Null));
    assert_eq!((&hits[1]["facing"], hits[1]["thickness"].as_f64()), (&Value::from("back"), Some(1.0)));
    assert_eq!((&hits[0]["mesh_name"], &hits[0]["instance"]), (&Value::from("box"), &Value::from(0)));

    let lines = answer(&folder, &[&args[..], &["--format", "jsonl"]].concat());
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(&lines, hits);
    let rows = answer(&folder, &[&args[..], &["--format", "csv"]].concat());
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz\n0.1,0.3,-1,0,0,3\n");
    assert_eq!(rows, answer(&folder, &["cast", "box.obj", "--rays", "rays.csv", "--mode", "all"]));
    let miss = ["cast", "box.obj", "--from", "9,9,9", "--dir", "0,0,3", "--json"];
    assert_eq!(json(&folder, &miss)["hits"], serde_json::json!([]));
    let occluded = json(&folder, &[&miss[..], &["--mode", "occluded"]].concat());
    assert_eq!(occluded, serde_json::json!({ "occluded": false }));
}

#[test]
fn pick_asks_the_pixel() {
    let folder = folder("pick");
    folder.write("front.cam", "0.5 0.5 3  0 0 -1  0 1 0  90\n");
    let front = ["pick", "box.obj", "--camera", "front.cam", "--size", "640x480", "--json", "--at"];
    let at = |pixel: &str| json(&folder, &[&front[..], &[pixel]].concat())["hits"][0]["position"].clone();
    assert_eq!(at("320,240"), serde_json::json!([0.5, 0.5, 1.0]));
    // At a distance of 2, a pixel is 4 / 480 of a metre; the picture's y runs downwards.
    assert_eq!(at("320,210")[1].as_f64(), Some(0.75));
    assert_eq!(at("10,10"), Value::Null);
    let by_eye = ["pick", "box.obj", "--eye", "0.5,0.5,3", "--look", "0.5,0.5,0", "--fov", "90", "--json"];
    let by_eye = json(&folder, &[&by_eye[..], &["--at", "640,360"]].concat());
    assert_eq!(by_eye["hits"][0]["position"], serde_json::json!([0.5, 0.5, 1.0]));
    assert!(answer(&folder, &["pick", "box.obj", "--at", "640,360"]).contains("1 hit from"));
}

#[test]
fn pick_takes_what_is_near_the_pixel() {
    let folder = folder("pick-radius");
    folder.write("front.cam", "0.5 0.5 3  0 0 -1  0 1 0  90\n");
    // The box's front is 120 pixels wide and high around the middle of the picture.
    let front = ["pick", "box.obj", "--camera", "front.cam", "--size", "640x480", "--at", "385,240"];
    let within = |radius| json(&folder, &[&front[..], &["--json", "--radius", radius]].concat());
    assert_eq!(within("0")["hits"], Value::Array(vec![]));
    assert_eq!(within("4")["hits"], Value::Array(vec![]));
    let near = within("6");
    let off =
        |axis: usize, at: f64| near["hits"][0]["position"][axis].as_f64().map_or(1.0, |c| (c - at).abs());
    assert!(off(0, 1.0) < 1e-12 && off(1, 0.5) < 1e-12 && off(2, 1.0) < 1e-12, "on the edge: {near}");
    assert!((near["pixels_away"].as_f64().expect("a number") - 5.0).abs() < 1e-9, "{near}");
    assert!(answer(&folder, &[&front[..], &["--radius", "6"]].concat()).ends_with("5 pixels from 385,240\n"));
    // In every format, and for a miss and what is right under the pixel too.
    let lines = |format, options: &[&str]| {
        answer(&folder, &[&front[..], &["--format", format], options].concat())
            .lines()
            .map(str::to_owned)
            .collect()
    };
    let csv: Vec<String> = lines("csv", &["--radius", "6"]);
    assert!(csv[0].ends_with(",nx,ny,nz,pixel_x,pixel_y,pixels_away"), "{csv:?}");
    let away = |row: &str| row.rsplit(',').next().and_then(|cell| cell.parse::<f64>().ok());
    assert!(csv.len() == 2 && away(&csv[1]).is_some_and(|away| (away - 5.0).abs() < 1e-9), "{csv:?}");
    assert_eq!(lines("csv", &["--radius", "4"])[1], "0,inf,,,,,,,,,-1,,,,,,,");
    assert_eq!(lines("csv", &[])[1], "0,inf,,,,,,,,,-1,,,,");
    let object = |options: &[&str]| -> Value { lines("jsonl", options)[0].parse().expect("JSON") };
    assert_eq!(object(&["--radius", "6"])["pixels_away"], near["pixels_away"]);
    let miss = object(&["--radius", "4"]);
    assert_eq!((&miss["pixels_away"], &miss["prim"]), (&Value::Null, &serde_json::json!(-1)));
    let under = json(&folder, &["pick", "box.obj", "--at", "640,360", "--json", "--radius", "6"]);
    assert_eq!(
        (&under["pixels_away"], &under["pixel"]),
        (&serde_json::json!(0.0), &serde_json::json!([640.0, 360.0]))
    );
}

#[test]
fn the_default_view_frames_the_scene() {
    let folder = folder("view");
    let middle = json(&folder, &["pick", "box.obj", "--at", "640,360", "--json"]);
    let direction = middle["ray"]["dir"].as_array().unwrap().iter().map(|c| c.as_f64().unwrap());
    assert!(direction.clone().all(|c| c < 0.0), "from the right, above and in front: {middle}");
    let up = |pixel: &str| json(&folder, &["pick", "box.obj", "--at", pixel, "--json"])["hits"].clone();
    assert_eq!((up("0,0"), up("1279,719")), (Value::Array(vec![]), Value::Array(vec![])));
    // A built-in scene brings a camera of its own, which options override.
    let own = json(&folder, &["pick", "builtin:range", "--at", "640,360", "--json"]);
    let named = json(&folder, &["pick", "builtin:range", "--at", "640,360", "--json", "--camera", "default"]);
    let from_above =
        json(&folder, &["pick", "builtin:range", "--at", "640,360", "--json", "--eye", "1,90,1"]);
    assert_eq!(own, named);
    assert_eq!(from_above["ray"]["origin"], serde_json::json!([1.0, 90.0, 1.0]));
}

#[test]
fn sight_is_free_or_blocked() {
    let folder = folder("sight");
    let over = ["sight", "box.obj", "--from", "-1,2,0.5", "--to", "2,2,0.5"];
    assert_eq!(answer(&folder, &over), "visible: 3 m of free sight\n");
    let through = ["sight", "box.obj", "--from", "-1,0.5,0.25", "--to", "3,0.5,0.25"];
    assert_eq!(
        answer(&folder, &through),
        "blocked by box at (0, 0.5, 0.25), 1 m from the eye, 3 m before the target\n"
    );
    let told = json(&folder, &[&through[..], &["--json"]].concat());
    assert_eq!((&told["visible"], told["blocked_by"]["t"].as_f64()), (&Value::from(false), Some(0.25)));
}

#[test]
fn info_tells_what_is_there_and_what_to_try() {
    let folder = folder("info");
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    folder.write("two parts.glb", glb(&corners, &[0, 1, 2, 0, 1, 1], &[[0.0; 3], [-7.0, 0.0, 0.5]]));
    let text = answer(&folder, &["info", "two parts.glb"]);
    assert!(text.contains("size       8 x 1 x 0.5 m, from (-7, 0, 0) to (1, 1, 0.5), +Y is up\n"), "{text}");
    assert!(text.contains("2 in 1 mesh, of them 1 with a repeated corner and 0 of zero area\n"), "{text}");
    assert!(text.contains("instances  2, 4 triangles in all\n"), "{text}");
    assert!(text.contains("\ntry\n  hitscan cast 'two parts.glb' --from "), "{text}");
    folder.write("one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let one = answer(&folder, &["info", "one.obj"]);
    assert!(one.contains(", 1 node, 1 leaf, depth "), "{one}");
    let told = json(&folder, &["info", "box.obj", "--json"]);
    assert_eq!(told["bounds"], serde_json::json!([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]));
    assert_eq!((told["triangles"].as_u64(), told["meshes"][0]["name"].as_str()), (Some(12), Some("box")));
}

#[test]
fn check_tells_what_is_wrong_and_where() {
    let folder = folder("check");
    let sound = folder.run(&["check", "box.obj", "--strict"]);
    assert_eq!(sound.code, Some(0));
    assert!(sound.out.contains("nothing found") && sound.out.contains("trees: sound"), "{}", sound.out);
    // Without its top, and with one triangle twice.
    let open = CUBE.replace("f 3 7 8 4\n", "f 1 3 4\n");
    folder.write("open.obj", open);
    let lax = folder.run(&["check", "open.obj"]);
    let strict = folder.run(&["check", "open.obj", "--strict"]);
    assert_eq!((lax.code, strict.code, &lax.out), (Some(0), Some(1), &strict.out));
    assert!(lax.err.is_empty() && strict.err.is_empty());
    for part in [
        "open.obj: 11 triangles in 1 mesh\nfound 1 duplicate, 1 hole of 4 border edges\n",
        "mesh  triangles  duplicate  hole\n",
        "box          11          1     1\n",
        "    duplicate          triangle 6 is triangle 0 again, at 0.33333,0.66667,0\n",
        "    hole               4 edges, the first on triangle 0, at 0.5,1,0\n",
    ] {
        assert!(lax.out.contains(part), "{part}{}", lax.out);
    }
}

#[test]
fn help_is_there_and_short() {
    let folder = folder("help");
    let help = answer(&folder, &["--help"]);
    assert!(help.starts_with("What does this ray hit?\n") && help.lines().count() <= 55, "{help}");
    for command in [
        "demo",
        "info",
        "check",
        "cast",
        "pick",
        "height",
        "sight",
        "render",
        "explain",
        "bench",
        "completions",
        "man",
    ] {
        assert!(help.contains(&format!("\n  {command} ")), "{command}");
        assert!(answer(&folder, &[command, "--help"]).contains("Usage: hitscan"), "{command}");
    }
    assert_eq!(answer(&folder, &["--version"]), format!("hitscan {}\n", env!("CARGO_PKG_VERSION")));
    let bare = folder.run(&[]);
    assert_eq!((bare.code, bare.out.as_str()), (Some(2), ""));
    assert!(bare.err.starts_with("What does this ray hit?"));
}

#[test]
fn heights_at_the_coordinates_of_a_map_are_told() {
    let folder = folder("map");
    folder.write("quay.obj", "v 466000 5244000 0.4\nv 466100 5244000 0.4\nv 466000 5244100 0.4\nf 1 2 3\n");
    let down = ["quay.obj", "--from", "466010,5244010,9", "--dir", "0,0,-1"];
    let position = "(466010, 5244010, 0.4)";
    for command in ["cast", "explain"] {
        let told = answer(&folder, &[&[command], &down[..]].concat());
        assert!(told.contains(position), "{told}");
    }
    let told =
        answer(&folder, &["sight", "quay.obj", "--from", "466010,5244010,9", "--to", "466010,5244010,0"]);
    assert!(told.contains(position), "{told}");
    let scene = "from (466000, 5244000, 0.4) to (466100, 5244100, 0.4)";
    assert!(answer(&folder, &["info", "quay.obj"]).contains(scene));
    let beside = answer(&folder, &["explain", "quay.obj", "--from", "466010,5243999,9", "--dir", "0,0,-1"]);
    assert!(beside.contains("at (466010, 5244000, 0.4)"), "{beside}");
}

#[test]
fn what_single_precision_leaves_of_a_zero_is_told_as_zero() {
    let folder = folder("rounded-zeros");
    // Turned by 90 degrees, as exporters write it: the cube's sides stand 6e-8 beside the axes.
    let corners: Vec<[f32; 3]> = (0..8u32).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|c| c as f32)).collect();
    let turned = glb(&corners, &BOX, &[[0.0; 3]]);
    folder.write(
        "turned.glb",
        replaced(turned, "\"translation\":[0,0,0]", "\"rotation\":[0.70710677,0,0,0.7071068]"),
    );
    let told = answer(&folder, &["info", "turned.glb"]);
    assert!(told.contains("from (0, -1, 0) to (1, 0, 1), +Y is up"), "{told}");
    let told = answer(&folder, &["cast", "turned.glb", "--from", "0.25,2,0.5", "--dir", "0,-1,0"]);
    assert!(told.contains("(0.25, 0, 0.5)") && told.contains("(0.25, -1, 0.5)"), "{told}");
}

#[test]
fn a_mirrored_solid_is_entered_and_left() {
    let folder = folder("mirrored");
    let corners: Vec<[f32; 3]> = (0..8u32).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|c| c as f32)).collect();
    let cubes = glb(&corners, &BOX, &[[0.0; 3], [4.0, 0.0, 0.0]]);
    folder.write("cubes.glb", replaced(cubes, "\"translation\":[0,0,0]", "\"scale\":[-1,1,1]"));
    // In a file a mirrored cube has its outside in front; a saved world keeps the side of the triangle itself, whose corners run clockwise
    // from outside.
    let triangles = BOX.as_chunks::<3>().0.to_vec();
    let cube = Mesh::new(corners, triangles).unwrap();
    let mirror = Transform::new(DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0)), [0.0; 3]).unwrap();
    let mut world = World::new();
    world.insert(Instance::new(&cube).at(mirror));
    world.insert(Instance::new(&cube).at(Transform::translation([4.0, 0.0, 0.0]).unwrap()));
    world.commit().save(folder.path("cubes.hitscan")).unwrap();
    for (scene, facing) in [
        ("cubes.glb", ["front", "back", "front", "back"]),
        ("cubes.hitscan", ["back", "front", "front", "back"]),
    ] {
        let through = [scene, "--from", "-2,0.25,0.5", "--dir", "1,0,0"];
        let told = answer(&folder, &[&["cast"], &through[..]].concat());
        let sides = |told: &str| {
            let words = told.split_whitespace().filter(|word| ["entry", "exit"].contains(word));
            words.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(sides(&told), ["entry", "exit", "entry", "exit"], "{told}");
        assert_eq!(told.matches("  1 m\n").count(), 2, "each is 1 m thick: {told}");
        let explained = answer(&folder, &[&["explain"], &through[..]].concat());
        assert_eq!(sides(&explained), ["entry", "exit", "entry", "exit"], "{explained}");
        let told = json(&folder, &[&["cast", "--json"], &through[..]].concat());
        let hits = told["hits"].as_array().unwrap();
        let field = |name: &str| hits.iter().map(|hit| hit[name].clone()).collect::<Vec<_>>();
        assert_eq!(Value::from(field("thickness")), serde_json::json!([null, 1.0, null, 1.0]));
        assert_eq!(Value::from(field("facing")), serde_json::json!(facing), "{scene}");
    }
}

#[test]
fn places_are_told_as_finely_as_their_mesh() {
    let folder = folder("utm");
    let corners = ["500000.25 5200000.5", "500000.5 5200000.75", "500000.25 5200000.75"];
    let corners: String = corners.iter().map(|corner| format!("v {corner} 0\n")).collect();
    folder.write("utm.obj", corners + "f 1 2 3\n");
    let from = ["utm.obj", "--from", "500000.3,5200000.7,9"];
    let cast = answer(&folder, &[&["cast"], &from[..], &["--dir", "0,0,-1"]].concat());
    assert!(cast.contains("(500000.3, 5200000.7, 0)"), "{cast}");
    assert!(cast.ends_with("1 hit from (500000.3, 5200000.7, 9) along (0, 0, -1)\n"), "{cast}");
    let sight = answer(&folder, &[&["sight"], &from[..], &["--to", "500000.3,5200000.7,-9"]].concat());
    assert!(sight.starts_with("blocked by utm at (500000.3, 5200000.7, 0)"), "{sight}");
    let inside = ["inside", "utm.obj", "--at", "500000.3,5200000.7,9", "--rule", "winding"];
    let fills = "the scene fills (500000.25, 5200000.5, 0) to (500000.5, 5200000.75, 0)\n";
    let expected = format!("outside: (500000.3, 5200000.7, 9) is in none of 1 solid; {fills}");
    assert_eq!(answer(&folder, &inside), expected);
    let pick = answer(&folder, &["pick", "utm.obj", "--at", "640,360"]);
    assert!(pick.contains("(500000.4") && pick.contains("1 hit from (500000.5"), "{pick}");
}

#[test]
fn what_was_typed_is_told_as_it_was() {
    let folder = folder("typed");
    let far = answer(&folder, &["cast", "box.obj", "--from", "1e20,0.2,0.3", "--dir", "-1,0,1e-30"]);
    assert!(far.ends_with("from (1e20, 0.2, 0.3) along (-1, 0, 1e-30)\n"), "{far}");
}

#[test]
fn an_axis_is_told_beside_its_own_extent() {
    let folder = folder("axes");
    let corners = [[0.0, -0.5, 0.0], [1.0, 0.5, 0.0], [0.0, 0.0, 1.0]];
    folder.write("far.glb", glb(&corners, &[0, 1, 2], &[[9.0, 0.0, 0.0], [1e7, 0.0, 0.0]]));
    let info = answer(&folder, &["info", "far.glb"]);
    assert!(info.contains("from (9, -0.5, 0) to (10000001, 0.5, 1), +Y is up"), "{info}");
}

#[test]
fn explain_says_that_a_ray_touches_an_edge() {
    let folder = folder("touches");
    for from in ["1,0.5,5", "1,1,5"] {
        let why = answer(&folder, &["explain", "box.obj", "--from", from, "--dir", "0,0,-1"]);
        assert!(
            why.contains("which the ray touches at t = ") && why.contains("counts as passing beside"),
            "{why}"
        );
        assert!(!why.contains("0 m beside"), "{why}");
    }
}

#[test]
fn check_tells_no_places_where_none_are_asked_for() {
    let folder = folder("no-places");
    folder.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let check = |places| answer(&folder, &["check", "open.obj", "--places", places]);
    assert!(check("1").contains("\nwhere\n  open\n"));
    assert!(!check("0").contains("where") && check("0").contains("hole"));
    assert!(check("0").contains("mesh  in the tree  nodes"));
}
