//! `height`: the topmost surface, or the first at or below a height, for one place or for a file of places.

use crate::common::{CUBE, Folder, Ran};
use serde_json::Value;

/// A floor at 0.1, which `f32` does not hold, and a roof that rises along x from 3 to 4.
const HOUSE: &str = "\
o floor
v -5 0.1 -5\nv 5 0.1 -5\nv 5 0.1 5\nv -5 0.1 5
f 4 3 2 1
o roof
v -5 3 -5\nv 5 4 -5\nv 5 4 5\nv -5 3 5
f 8 7 6 5
";

fn told(folder: &Folder, args: &[&str]) -> String {
    let ran = folder.run(&[&["height"], args].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
    ran.out
}

/// The height with every digit; `None` for a miss.
fn height(folder: &Folder, args: &[&str]) -> Option<f64> {
    let told: Value = serde_json::from_str(&told(folder, &[args, &["--json"]].concat())).expect("JSON");
    assert_eq!(told["height"].is_null(), told["hit"].is_null());
    told["height"].as_f64()
}

#[test]
fn from_above_or_from_a_height() {
    let folder = Folder::new("height-box");
    folder.write("box.obj", CUBE);
    for (args, expected) in [
        (&["--at", "0.25,0.5"][..], "1 m on box, triangle 6\n"),
        (&["--at", "0.25,0.5,0.5"], "0 m on box, triangle 5\n"),
        (&["--at", "0.25,0.5,1"], "1 m on box, triangle 6\n"),
        (&["--at", "0.25,0.5,0"], "0 m on box, triangle 5\n"),
        (&["--at", "0.25,0.5", "--up", "-Y"], "0 m on box, triangle 5\n"),
        (&["--at", "0.25,0.5,-0.5", "--up", "-Y"], "-1 m on box, triangle 6\n"),
        (&["--at", "0.25,0.5", "--up", "+Z"], "1 m on box, triangle 3\n"),
        (&["--at", "0.25,0.5", "--up", "x"], "1 m on box, triangle 11\n"),
        (&["--at", "4,4"], "miss: there is no ground at 4,4; the scene fills (0, 0, 0) to (1, 1, 1)\n"),
        (
            &["--at", "0.25,0.5,-1"],
            "miss: there is no ground at 0.25,0.5,-1; the scene fills (0, 0, 0) to (1, 1, 1)\n",
        ),
    ] {
        assert_eq!(told(&folder, &[&["box.obj"], args].concat()), expected, "{args:?}");
    }
}

#[test]
fn the_walker_under_a_roof() {
    let folder = Folder::new("height-roof");
    folder.write("house.obj", HOUSE);
    let at = |place: &str| height(&folder, &["house.obj", "--at", place]);
    let floor = Some(f64::from(0.1f32));
    for (x, z) in [("1", "2"), ("-3.3", "4.9"), ("0.123", "-0.456")] {
        let roof = at(&format!("{x},{z}")).expect("there is a roof");
        let expected = 3.5 + x.parse::<f64>().unwrap() / 10.0;
        assert!((roof - expected).abs() < 1e-6, "{roof} for {expected}");
        let below = |height: f64| at(&format!("{x},{z},{height}"));
        // From the height that was told, and from the next ones above and below it.
        assert_eq!(below(roof), Some(roof));
        assert_eq!(below(roof + 1e-3), Some(roof));
        assert_eq!(below(roof - 1e-3), floor);
        assert_eq!(below(1.8), floor, "under the roof");
        assert_eq!(below(0.1), floor, "as the file says it, though f32 holds a little more");
        assert_eq!(below(0.099), None, "in the cellar");
        assert_eq!(below(1e30), Some(roof), "from the sky");
    }
}

#[test]
fn a_height_that_was_told_is_found_again() {
    let folder = Folder::new("height-again");
    let places: String =
        (0..2000).map(|i| format!("{},{}\n", i * 37 % 901 - 450, i * 53 % 887 - 440)).collect();
    folder.write("places.csv", format!("x,z\n{places}"));
    let first = told(&folder, &["builtin:terrain:20k", "--at", "places.csv"]);
    let heights = first.lines().skip(1).map(|row| row.split(',').nth(1).expect("a height"));
    let again: String = places.lines().zip(heights).map(|(place, h)| format!("{place},{h}\n")).collect();
    folder.write("again.csv", format!("x,z,h\n{again}"));
    assert_eq!(told(&folder, &["builtin:terrain:20k", "--at", "again.csv"]), first);
}

#[test]
fn scenes_of_any_size_anywhere() {
    let folder = Folder::new("height-sizes");
    for (name, scale, far) in [
        ("grain", 1e-20, 0.0),
        ("model", 1.0, 0.0),
        ("galaxy", 1e20, 0.0),
        ("town", 40.0, 5_811_902.25),
        ("limit", 2f64.powi(99), 0.0),
    ] {
        let corner = |i: usize| -> Vec<String> {
            (0..3).map(|axis| format!("{:e}", (i >> axis & 1) as f64 * scale + far)).collect()
        };
        let vertices: String = (0..8).map(|i| format!("v {}\n", corner(i).join(" "))).collect();
        let faces = &CUBE[CUBE.find("f ").expect("faces")..];
        folder.write(&format!("{name}.obj"), format!("o {name}\n{vertices}{faces}"));
        let scene = format!("{name}.obj");
        let (a, b) = (far + scale * 0.25, far + scale * 0.5);
        let at = |more: &str| height(&folder, &[&scene, "--at", &format!("{a:e},{b:e}{more}")]);
        let (top, bottom) =
            (at("").expect("a top"), at(&format!(",{:e}", far + scale * 0.5)).expect("a bottom"));
        let close = |x: f64, expected: f64| (x - expected).abs() <= scale * 1e-6;
        assert!(close(top, far + scale) && close(bottom, far), "{name}: {top} {bottom}");
        assert_eq!(at(&format!(",{top:e}")), Some(top), "{name}");
        assert_eq!(at(&format!(",{:e}", far - scale)), None, "{name}");
        assert_eq!(at(&format!(",{:e}", 2f64.powi(100))), Some(top), "{name}: from as far as there is");
        let beside = format!("{:e},{b:e}", far + scale * 1.5);
        assert_eq!(height(&folder, &[&scene, "--at", &beside]), None, "{name}");
    }
}

#[test]
fn a_file_of_places() {
    let folder = Folder::new("height-places");
    folder.write("box.obj", CUBE);
    let header = "row,height,x,y,z,mesh,instance,prim,nx,ny,nz\n";
    let top = "1,0.25,1,0.5,0,0,6,0,1,0\n";
    let bottom = "0,0.25,0,0.5,0,0,5,0,-1,0\n";
    // With a byte order mark, a quoted line break, spaces, empty lines and the line ends of other systems.
    folder.write(
        "places.csv",
        "\u{feff}z,id,\"X\",h\r\n0.5,\"a,\r\nb\", 0.25 ,\r\n\r\n\"0.5\",c,0.25,0.5\r\n9,d,9,",
    );
    let expected = format!("{header}0,{top}1,{bottom}2,,,,,,,-1,,,\n");
    assert_eq!(told(&folder, &["box.obj", "--at", "places.csv"]), expected);
    assert_eq!(told(&folder, &["box.obj", "--at", "places.csv", "-o", "heights.csv"]), "");
    assert_eq!(folder.read("heights.csv"), expected);
    let piped = folder.run_with_input(&["height", "box.obj", "--at", "-"], b"a,b\n0.25,0.5\n");
    assert_eq!((piped.code, piped.out), (Some(0), format!("{header}0,{top}")));
    let up = folder.run_with_input(&["height", "box.obj", "--at", "-", "--up", "+Z"], b"x,y\n0.25,0.5\n");
    assert_eq!((up.code, up.out), (Some(0), format!("{header}0,1,0.25,0.5,1,0,0,3,0,0,1\n")));
    let none = folder.run_with_input(&["height", "box.obj", "--at", "-"], b"a,b\n");
    assert_eq!((none.code, none.out.as_str()), (Some(0), header));
    // A quote within a field is a quote, as in ray files: no row is lost behind it.
    let inches = b"x,z,note\n0.25,0.5,5\" pipe\n9,9,\"a \"\"b\"\"\"\n0.25,0.5,\n";
    let inches = folder.run_with_input(&["height", "box.obj", "--at", "-"], inches);
    assert_eq!((inches.code, inches.out), (Some(0), format!("{header}0,{top}1,,,,,,,-1,,,\n2,{top}")));
    // One place is answered like a row of a file.
    assert_eq!(told(&folder, &["box.obj", "--at", "0.25,0.5"]), "1 m on box, triangle 6\n");
}

#[test]
fn bad_files_of_places() {
    let folder = Folder::new("height-bad-places");
    folder.write("box.obj", CUBE);
    std::fs::create_dir(folder.path("folder.csv")).unwrap();
    let numbers = "a place needs finite numbers of at most 2^100";
    let columns = "a file of places begins with the names of its columns";
    for (text, message) in [
        (String::new(), format!("places.csv: the file is empty; {columns}")),
        ("\n \r\n".into(), format!("places.csv: has no header; {columns}")),
        (
            "a,c\n1,2\n".into(),
            format!("places.csv:1: there are no columns 'a' and 'b'; {columns}, a,b or x,z among them"),
        ),
        (
            "\nx,y\n1,2\n".into(),
            format!("places.csv:2: there are no columns 'a' and 'b'; {columns}, a,b or x,z among them"),
        ),
        (
            "a,b,A\n1,2,3\n".into(),
            "places.csv:1: two columns are named 'a'; a file of places needs each name once".into(),
        ),
        ("a,b\n1,2\n\n1,nan\n".into(), format!("places.csv:4: b is nan; {numbers}")),
        ("a,b\r\n\"1\",\"two\r\n\"\r\n".into(), format!("places.csv:2: b is 'two'; {numbers}")),
        ("a,b\n1,\n".into(), format!("places.csv:2: b is empty; {numbers}")),
        ("x,z,h\n1,2,\n1,2,inf\n".into(), format!("places.csv:3: h is inf; {numbers}")),
        ("x,z\n1e31,2\n".into(), format!("places.csv:2: x is 1e31; {numbers}")),
        ("a,b\n1\n".into(), "places.csv:2: 1 field; the header names 2".into()),
        ("a,b\n1,2,3\n".into(), "places.csv:2: 3 fields; the header names 2".into()),
        (
            format!("a,b\n1,\"{}\"\n", "x\n".repeat(1 << 20)),
            format!("places.csv:2: b is '{}...'; {numbers}", "x ".repeat(20)),
        ),
        (
            "\0".repeat(3 << 20),
            format!("places.csv:1: there are no columns 'a' and 'b'; {columns}, a,b or x,z among them"),
        ),
        (
            format!("a,b\n1,\"{}", "x".repeat(65 << 20)),
            "places.csv: a row of more than 64 MB; expected rows of numbers".into(),
        ),
        ("a,b\r\n\"1\",2\r\n\r\n \r\n\"1\",x\r\n".into(), format!("places.csv:5: b is 'x'; {numbers}")),
    ] {
        folder.write("places.csv", text);
        let Ran { code, out, err, .. } =
            folder.run(&["height", "box.obj", "--at", "places.csv", "-o", "heights.csv"]);
        assert_eq!((code, out.as_str(), err), (Some(1), "", format!("hitscan: {message}\n")));
        assert!(!folder.files().iter().any(|name| name.contains("heights")), "{message}");
    }
    for (file, message) in [
        ("no.csv", "no.csv: no such file; expected a file that can be read"),
        ("folder.csv", "folder.csv: is a directory; expected a file that can be read"),
    ] {
        let ran = folder.run(&["height", "box.obj", "--at", file]);
        assert_eq!((ran.code, ran.err), (Some(1), format!("hitscan: {message}\n")));
    }
}

#[test]
fn outputs_have_names_of_what_they_hold() {
    let folder = Folder::new("height-names");
    folder.write("box.obj", CUBE);
    folder.write("places.csv", "x,z\n0.25,0.5\n");
    for (at, more, output, begins) in [
        ("places.csv", &[][..], "h.CSV", "row,height,"),
        ("places.csv", &[], "heights", "row,height,"),
        ("0.25,0.5", &[], "height", "1 m on box"),
        ("0.25,0.5", &[], "h.txt", "1 m on box"),
        ("0.25,0.5", &["--json"], "h.json", "{\n"),
        ("0.25,0.5", &["--json"], "json", "{\n"),
    ] {
        assert_eq!(told(&folder, &[&["box.obj", "--at", at, "-o", output], more].concat()), "");
        assert!(folder.read(output).starts_with(begins), "{output}");
    }
}
