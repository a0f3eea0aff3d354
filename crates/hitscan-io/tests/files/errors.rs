//! Names, OBJ and camera files that are refused, and what is said about each: one line,
//! `WHERE: WHAT; WHAT WAS EXPECTED`.

use std::path::Path;

use crate::support::{Folder, refuses};

#[test]
fn names_that_lead_nowhere() {
    let folder = Folder::new("names");
    folder.write("scan.step", "ISO-10303-21;");
    folder.write("README", "hello");
    folder.write("part.3mf", "PK");
    folder.write("part.obj", "v 0 0 0");
    std::fs::create_dir(folder.path("scenes.glb")).unwrap();
    let fbx = if cfg!(feature = "fbx") { " .fbx" } else { "" };
    for (name, expected) in [
        ("missing.glb", "missing.glb: no such file; a scene is a file or builtin:NAME"),
        ("missing", "missing: no such file; a scene is a file or builtin:NAME"),
        ("scenes.glb", "scenes.glb: is a directory; a scene is a file or builtin:NAME"),
        (
            "scan.step",
            "scan.step: no reader for .step; the formats are .gltf .glb .hitscan .ply .off .png .tif .tiff .stl .obj",
        ),
        ("part.3mf", "part.3mf: 3MF is not read; convert the file to glTF"),
        (
            "README",
            "README: no extension that says the format; the formats are .gltf .glb .hitscan .ply .off .png .tif .tiff .stl .obj",
        ),
    ] {
        let expected = expected.replace(" .stl", &format!("{fbx} .stl"));
        assert_eq!(folder.text(&hitscan_io::open(folder.path(name)).unwrap_err()), expected);
    }
    // As the system words it.
    if cfg!(unix) {
        let error = hitscan_io::open(folder.path("part.obj/in.obj")).unwrap_err();
        assert_eq!(
            folder.text(&error),
            "part.obj/in.obj: not a directory; a scene is a file or builtin:NAME"
        );
    }
}

#[cfg(not(feature = "fbx"))]
#[test]
fn a_format_that_is_not_built_in() {
    let error = Folder::new("features").open("part.FBX", "; FBX 7.4.0").unwrap_err();
    let text = error.to_string();
    let expected = "part.FBX: FBX is not built in; install with --features fbx, or convert the file to glTF";
    assert!(text.ends_with(expected), "{text}");
}

#[test]
fn obj_files() {
    const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    let after = |line: &str| format!("{TRIANGLE}{line}\nf 1 2 3\n");
    refuses(
        "obj",
        [
            (
                "empty.obj",
                String::new(),
                "empty.obj: the file is empty; a scene needs a triangle with an area",
            ),
            (
                "crossing.obj",
                after("v 1 1 0\nf 1 4 2 3"),
                "crossing.obj:5: face has an outline that crosses itself; it runs around one area, once",
            ),
            (
                "teeth.obj",
                format!("{TRIANGLE}{}f{}\n", "v 5 5 0\nv 5 0 0\n".repeat(2500), " 1 2 3 4 5".repeat(1000)),
                "teeth.obj:5004: face has 5000 corners and is not convex; those with notches have 4096 at most: cut it into smaller ones",
            ),
            (
                "none.obj",
                TRIANGLE.to_owned(),
                "none.obj: no triangles; a scene needs a triangle with an area",
            ),
            (
                "same.obj",
                format!("{TRIANGLE}f 1 1 2\n"),
                "same.obj: the only triangle has two equal corners; a scene needs a triangle with an area",
            ),
            (
                "flat.obj",
                format!("{TRIANGLE}v 2 0 0\nf 1 2 4\nf 1 2 2 1\n"),
                "flat.obj: all 3 triangles are degenerate (2 with two equal corners, 1 of zero area); \
                 a scene needs a triangle with an area",
            ),
            (
                "short.obj",
                after("v 1 2"),
                "short.obj:4: vertex has 2 of 3 coordinates; a vertex needs three finite numbers x y z",
            ),
            (
                "bare.obj",
                after("v"),
                "bare.obj:4: vertex has 0 of 3 coordinates; a vertex needs three finite numbers x y z",
            ),
            ("nan.obj", after("v 1 nan 2"), "nan.obj:4: y is nan; a vertex needs three finite numbers x y z"),
            (
                "inf.obj",
                after("v 1 2 -inf"),
                "inf.obj:4: z is -inf; a vertex needs three finite numbers x y z",
            ),
            (
                "huge.obj",
                after("v 1e999 1 2"),
                "huge.obj:4: x is inf; a vertex needs three finite numbers x y z",
            ),
            (
                "endless.obj",
                after(&format!("v 1{} 1 2", "0".repeat(10_000))),
                "endless.obj:4: x is inf; a vertex needs three finite numbers x y z",
            ),
            (
                // Far away by the measure of a size whose steps are too small to be counted.
                "speck.obj",
                "v 1e30 0 0\nv 1e30 1e-300 0\nv 1e30 0 1e-300\nf 1 2 3\n".to_owned(),
                "speck.obj: the only triangle has two equal corners; a scene needs a triangle with an area",
            ),
            ("far.obj", after("v 1 2 -3e38"), "far.obj:4: z is -3e38; coordinates reach 2^100 at most"),
            (
                "comma.obj",
                after("v 1,5 2 3"),
                "comma.obj:4: x is \"1,5\"; a vertex needs three finite numbers x y z",
            ),
            ("two.obj", after("f 1 2"), "two.obj:4: face has 2 corners; a face needs at least 3"),
            ("one.obj", after("f 1"), "one.obj:4: face has 1 corner; a face needs at least 3"),
            (
                "no-corner.obj",
                after("f # 1 2 3"),
                "no-corner.obj:4: face has 0 corners; a face needs at least 3",
            ),
            (
                "part.obj",
                after("f 1 2 90"),
                "part.obj:4: face names vertex 90, the file has 3 so far; vertices count from 1, or backwards from -1",
            ),
            (
                "zero.obj",
                after("f 0 1 2"),
                "zero.obj:4: face names vertex 0, the file has 3 so far; vertices count from 1, or backwards from -1",
            ),
            (
                "back.obj",
                after("f 1 -4 2"),
                "back.obj:4: face names vertex -4, the file has 3 so far; vertices count from 1, or backwards from -1",
            ),
            (
                "early.obj",
                format!("f 1 2 3\n{TRIANGLE}"),
                "early.obj:1: face names vertex 1, the file has 0 so far; vertices count from 1, or backwards from -1",
            ),
            (
                "word.obj",
                after("f 1 2 x"),
                "word.obj:4: \"x\" is not a corner of a face; a corner is v, v/vt, v//vn or v/vt/vn, in whole numbers",
            ),
            (
                "slashes.obj",
                after("f 1 2 3/1/1/1"),
                "slashes.obj:4: \"3/1/1/1\" is not a corner of a face; a corner is v, v/vt, v//vn or v/vt/vn, in whole numbers",
            ),
            (
                "float.obj",
                after("f 1 2.0 3"),
                "float.obj:4: \"2.0\" is not a corner of a face; a corner is v, v/vt, v//vn or v/vt/vn, in whole numbers",
            ),
            (
                "sign.obj",
                after("f 1 - 3"),
                "sign.obj:4: \"-\" is not a corner of a face; a corner is v, v/vt, v//vn or v/vt/vn, in whole numbers",
            ),
            (
                "continued-nan.obj",
                after("v 1 \\\r\n2 \\\r\nNaN"),
                "continued-nan.obj:6: z is nan; a vertex needs three finite numbers x y z",
            ),
            (
                "digits.obj",
                after("f 1 2 11111111111111111111"),
                "digits.obj:4: \"11111111111111111111\" is not a corner of a face; a corner is v, v/vt, v//vn or v/vt/vn, in whole numbers",
            ),
            (
                "continued.obj",
                after("# \\\nf 1 \\\n2 \\\n7 3"),
                "continued.obj:7: face names vertex 7, the file has 3 so far; vertices count from 1, or backwards from -1",
            ),
            (
                "binary.obj",
                "\0\0\u{1}\u{2}".to_owned(),
                "binary.obj:1: \"\\0\\0\\u{1}\\u{2}\" is not a statement; an OBJ line starts with a keyword such as v, f or o",
            ),
            (
                "utf16.obj",
                "v 0 0 0\r\n\u{fffe}v".to_owned(),
                "utf16.obj:2: \"\\u{fffe}v\" is not a statement; an OBJ line starts with a keyword such as v, f or o",
            ),
        ],
    );
}

#[test]
fn camera_files() {
    const TEN: &str =
        "a camera is ten numbers: eye x y z, forward x y z, up x y z, vertical field of view in degrees";
    let folder = Folder::new("cameras");
    assert_eq!(
        folder.text(&hitscan_io::read_camera(Path::new(&folder.path("missing.cam"))).unwrap_err()),
        format!("missing.cam: no such file; {TEN}")
    );
    for (name, text, expected) in [
        ("empty.cam", "", format!("empty.cam: 0 numbers; {TEN}")),
        ("nine.cam", "0 0 0 0 0 -1 0 1 0\n", format!("nine.cam: 9 numbers; {TEN}")),
        ("eleven.cam", "0 0 0 0 0 -1 0 1 0 40 1", format!("eleven.cam: 11 numbers; {TEN}")),
        ("word.cam", "0 0 0\n0 0 -1\nup 1 0 40", format!("word.cam:3: \"up\" is not a number; {TEN}")),
        (
            "nan.cam",
            "nan 0 0 0 0 -1 0 1 0 40",
            "nan.cam: the camera's eye is not finite; a camera needs finite numbers".to_owned(),
        ),
        (
            "fov.cam",
            "0 0 0 0 0 -1 0 1 0 180",
            "fov.cam: the field of view is 180 degrees; it needs to lie between 0 and 180".to_owned(),
        ),
        (
            "up.cam",
            "0 0 0 0 0 -1 0 0 1 40",
            "up.cam: the camera looks along its up vector or nowhere; forward and up need different directions".to_owned(),
        ),
    ] {
        let path = folder.write(name, text);
        assert_eq!(folder.text(&hitscan_io::read_camera(Path::new(&path)).unwrap_err()), expected);
    }
}

#[test]
#[cfg(unix)]
fn a_path_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("errors-path");
    let path = Path::new(&folder.path("plain")).with_file_name(OsStr::from_bytes(b"ramp\xff.OBJ"));
    std::fs::write(&path, "v 0 0 0\nv 0 0 4\nv 4 4 0\nf 1 2 3\n").expect("a name of any bytes");
    assert_eq!(hitscan_io::open(&path).expect("an OBJ").triangles(), 1);
    assert!(!hitscan_io::is_saved(&path) && !hitscan_io::has_cells(path));
}
