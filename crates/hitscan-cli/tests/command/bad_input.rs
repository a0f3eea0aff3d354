//! What is wrong with an input is told in one line, quickly, and nothing half done is left.

use std::time::Duration;

use crate::common::{CUBE, Folder, glb};

const CORNERS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
const RAYS: &str = "ox,oy,oz,dx,dy,dz\n0.5,0.5,2,0,0,-1\n";

/// Runs, and asserts the exit code, the one line and that nothing else came of it.
fn refused(folder: &Folder, args: &[&str], code: i32, message: &str) {
    let ran = folder.run(args);
    assert_eq!(ran.err, format!("hitscan: {message}\n"), "{args:?}");
    assert_eq!((ran.code, ran.out.as_str()), (Some(code), ""), "{args:?}");
    assert!(ran.took < Duration::from_secs(1), "{args:?} took {:?}", ran.took);
    let unfinished = folder.files().into_iter().find(|name| name.ends_with(".tmp") || name == "out.csv");
    assert_eq!(unfinished, None, "{args:?}");
}

#[test]
fn scenes() {
    let folder = Folder::new("bad-scenes");
    let whole = glb(&CORNERS, &[0, 1, 2], &[[0.0; 3]]);
    let [zero, one, two] = CORNERS;
    std::fs::create_dir(folder.path("folder.glb")).unwrap();
    folder.write("empty.glb", "");
    folder.write("empty.obj", "");
    folder.write("cut.glb", &whole[..whole.len() - 9]);
    folder.write("stub.glb", &whole[..7]);
    folder.write("index.glb", glb(&CORNERS, &[0, 1, 7], &[[0.0; 3]]));
    folder.write("index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 90\n");
    folder.write("nan.glb", glb(&[zero, one, [0.0, f32::NAN, 0.0]], &[0, 1, 2], &[[0.0; 3]]));
    folder.write("nan.obj", "v 0 nan 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    folder.write("none.obj", "v 0 0 0\n");
    folder.write("one.glb", glb(&[zero, one, two], &[0, 1, 1], &[[0.0; 3]]));
    folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 2\nf 1 2 3\n");
    folder.write("part.stp", "solid");
    folder.write("rays.csv", RAYS);
    for (scene, message) in [
        ("missing.glb", "no such file; a scene is a file or builtin:NAME"),
        ("folder.glb", "is a directory; a scene is a file or builtin:NAME"),
        ("empty.glb", "the file is empty; a scene needs a triangle with an area"),
        ("empty.obj", "the file is empty; a scene needs a triangle with an area"),
        ("stub.glb", "the file ends after 7 bytes; a GLB starts with a header of 12 bytes"),
        (
            "index.glb",
            "mesh 0 \"part\", primitive 0: index 2 names vertex 7, and there are 3; vertices count from 0",
        ),
        ("nan.glb", "mesh \"part\", accessor 0: vertex 2: y is NaN; a mesh needs finite coordinates"),
        ("none.obj", "no triangles; a scene needs a triangle with an area"),
        ("one.glb", "the only triangle has two equal corners; a scene needs a triangle with an area"),
        (
            "flat.obj",
            "all 2 triangles are degenerate (1 with two equal corners, 1 of zero area); a scene needs a triangle with an area",
        ),
        (
            "part.stp",
            "no reader for .stp; the formats are .gltf .glb .hitscan .ply .off .png .tif .tiff .stl .obj",
        ),
    ] {
        let fbx = if cfg!(feature = "fbx") { " .fbx" } else { "" };
        let message = format!("{scene}: {message}").replace(" .stl", &format!("{fbx} .stl"));
        for args in [
            &["info", scene][..],
            &["check", scene],
            &["cast", scene, "--from", "0,0,1", "--dir", "0,0,-1"],
            &["cast", scene, "--rays", "rays.csv", "-o", "out.csv"],
            &["pick", scene, "--at", "1,1"],
            &["height", scene, "--at", "1,1"],
            &["sight", scene, "--from", "0,0,1", "--to", "0,0,2"],
        ] {
            refused(&folder, args, 1, &message);
        }
    }
    let cut =
        format!("cut.glb: the file ends after {} bytes; its header says {}", whole.len() - 9, whole.len());
    refused(&folder, &["info", "cut.glb"], 1, &cut);
    let line = "index.obj:4: face names vertex 90, the file has 3 so far; vertices count from 1, or backwards from -1";
    refused(&folder, &["info", "index.obj"], 1, line);
    refused(
        &folder,
        &["info", "nan.obj"],
        1,
        "nan.obj:1: y is nan; a vertex needs three finite numbers x y z",
    );
}

#[test]
fn rays() {
    let folder = Folder::new("bad-rays");
    folder.write("box.obj", CUBE);
    for (args, message) in [
        (
            ["0,0,1", "--dir", "0,0,0"],
            "--dir: the direction is zero; a ray needs a direction of any length but zero",
        ),
        (["0,0,1", "--dir", "-0,0,nan"], "--dir: z is nan; a ray needs finite numbers"),
        (["0,inf,1", "--dir", "0,0,1"], "--from: y is inf; a ray needs finite numbers"),
        (["0,0,1", "--to", "0,0,1"], "--to: both ends are the same point; a segment needs two"),
        (["0,0,1", "--to", "0,-inf,1"], "--to: y is -inf; a ray needs finite numbers"),
    ] {
        let [from, option, end] = args;
        refused(&folder, &["cast", "box.obj", "--from", from, option, end], 1, message);
    }
    let same = "--to: both ends are the same point; a segment needs two";
    refused(&folder, &["sight", "box.obj", "--from", "1,2,3", "--to", "1,2,3"], 1, same);
    let narrow = "--fov: the field of view is 0 degrees; it needs to lie between 0 and 180";
    refused(&folder, &["pick", "box.obj", "--at", "1,1", "--fov", "0"], 1, narrow);
    // An exponent, not three hundred zeros.
    let narrow = "--fov: the field of view is 1e-300 degrees; it needs to lie between 0 and 180";
    refused(&folder, &["pick", "box.obj", "--at", "1,1", "--fov", "1e-300"], 1, narrow);
    let outside = "--at: 1e300,-1e-300 lies outside the picture of 1280x720; expected 0 to 1280 and 0 to 720";
    refused(&folder, &["pick", "box.obj", "--at", "1e300,-1e-300"], 2, outside);
    let cells = "--cell: it makes 1e300 x 1e300 cells of 1e-300; expected 67,108,864 at most, 65,536 a side";
    refused(&folder, &["viewshed", "box.obj", "--at", "0.5,0.5", "--cell", "1e-300"], 1, cells);
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz,t_min,t_max\n0,0,0,0,0,1,1e300,-1e300\n");
    let range = "rays.csv:2: t_min is 1e300 and t_max is -1e300; a ray needs t_min <= t_max (--invalid miss reports it as a miss)";
    let ran = folder.run(&["cast", "box.obj", "--rays", "rays.csv"]);
    assert_eq!((ran.code, ran.err), (Some(1), format!("hitscan: {range}\n")));
    let blind =
        "--eye: the camera looks along its up vector or nowhere; forward and up need different directions";
    refused(&folder, &["pick", "box.obj", "--at", "1,1", "--eye", "0,9,0", "--look", "0,1,0"], 1, blind);
    for (line, message) in [
        ("--fov nan", "--fov: nan is no field of view; expected degrees between 0 and 180"),
        ("--fov nan --eye 1,2,3", "--fov: nan is no field of view; expected degrees between 0 and 180"),
        ("--fov 180", "--fov: the field of view is 180 degrees; it needs to lie between 0 and 180"),
        ("--look nan,0,0 --eye 1,2,3", "--look: x is nan; a camera needs finite numbers"),
        ("--eye 1,inf,3 --look 0,0,0", "--eye: y is inf; a camera needs finite numbers"),
        ("--up 0,0,nan", "--up: z is nan; a camera needs finite numbers"),
        ("--up 0,0,0", "--up: the vector is 0; expected one of any length but zero"),
        (
            "--look 1e300,0,0",
            "--look: the eye is at 1.4397136164492848e300; expected coordinates of at most 2^100",
        ),
        ("--at nan,0", "--at: nan,0 is not finite; a pixel needs finite numbers"),
    ] {
        let at: &[&str] = if line.contains("--at") { &[] } else { &["--at", "1,1"] };
        let words: Vec<&str> = line.split(' ').collect();
        refused(&folder, &[&["pick", "box.obj"], &words[..], at].concat(), 1, message);
    }
    let unknown = "--camera: there is no 'front' in box.obj; it has no camera, or give a .cam file";
    refused(&folder, &["pick", "box.obj", "--at", "1,1", "--camera", "front"], 1, unknown);
}

#[test]
fn files_of_rays() {
    let folder = Folder::new("bad-ray-files");
    folder.write("box.obj", CUBE);
    std::fs::create_dir(folder.path("folder.csv")).unwrap();
    let header = "id,ox,oy,oz,dx,dy,dz";
    let good = "a,0,0,9,0,0,-1";
    let remedy = "(--invalid miss reports it as a miss)";
    for (text, message) in [
        (
            String::new(),
            "rays.csv: the file is empty; a ray file begins with the names of its columns".into(),
        ),
        ("\n\n".into(), "rays.csv: has no header; a ray file begins with the names of its columns".into()),
        (
            format!("ox,oy,oz,dx,dy\n{good}\n"),
            "rays.csv:1: there is no column 'dz' in 'ox,oy,oz,dx,dy'; a ray file names its columns, \
             ox,oy,oz,dx,dy,dz among them"
                .into(),
        ),
        (
            format!("{header},dx\n{good},1\n"),
            "rays.csv:1: two columns are named 'dx'; a ray file needs each name once".into(),
        ),
        (
            format!("{header}\n{good}\n{good}\n\n{good}\n{good}\nb,0,0,9,0,nan,-1\n{good}\n"),
            format!("rays.csv:7: dy is nan; a ray needs finite numbers {remedy}"),
        ),
        (
            format!("{header}\n{good}\nb,0,0,1e999,0,0,-1\n"),
            format!("rays.csv:3: oz is 1e999; a ray needs finite numbers {remedy}"),
        ),
        (
            format!("{header}\nb,0,zero,9,0,0,-1\n"),
            format!("rays.csv:2: oy is 'zero'; a ray needs finite numbers {remedy}"),
        ),
        (
            format!("{header}\nb,,0,9,0,0,-1\n"),
            format!("rays.csv:2: ox is empty; a ray needs finite numbers {remedy}"),
        ),
        (
            format!("{header}\n{good}\nb,0,0,9,0,-0,0\n"),
            format!(
                "rays.csv:3: dx, dy and dz are 0; a ray needs a direction of any length but zero {remedy}"
            ),
        ),
        (
            format!("{header}\n\"two\nlines\",0,0,9,0,0,-1\nb,0,0,9,0,0\n"),
            format!("rays.csv:4: 6 fields; the header names 7 {remedy}"),
        ),
        (format!("{header}\n{good}\nb\n"), format!("rays.csv:3: 1 field; the header names 7 {remedy}")),
        // Lines are counted where there are quotes, blank lines and the line ends of other systems, too.
        (
            format!("{header}\n\"a\",0,0,9,0,0,-1\n\n\nb,0,0,x,0,0,-1\n"),
            format!("rays.csv:5: oz is 'x'; a ray needs finite numbers {remedy}"),
        ),
        (
            format!("{header}\r\n\"a\",0,0,9,0,0,-1\r\n\r\n\"b\",0,0,x,0,0,-1\r\n"),
            format!("rays.csv:4: oz is 'x'; a ray needs finite numbers {remedy}"),
        ),
        (
            "\n\r\nox,oy,oz,dx,dy\n".into(),
            "rays.csv:3: there is no column 'dz' in 'ox,oy,oz,dx,dy'; a ray file names its columns, \
             ox,oy,oz,dx,dy,dz among them"
                .into(),
        ),
        (
            format!("{header},t_min,t_max\n{good},2,1\n"),
            format!("rays.csv:2: t_min is 2 and t_max is 1; a ray needs t_min <= t_max {remedy}"),
        ),
        (
            format!("{header},t_max\n{good},far\n"),
            format!("rays.csv:2: t_max is 'far'; expected a number, -inf or inf {remedy}"),
        ),
    ] {
        folder.write("rays.csv", text);
        refused(&folder, &["cast", "box.obj", "--rays", "rays.csv", "-o", "out.csv"], 1, &message);
    }
    let missing = "no.csv: no such file; expected a file that can be read";
    refused(&folder, &["cast", "box.obj", "--rays", "no.csv", "-o", "out.csv"], 1, missing);
    let directory = "folder.csv: is a directory; expected a file that can be read";
    refused(&folder, &["cast", "box.obj", "--rays", "folder.csv", "-o", "out.csv"], 1, directory);
    // What is no text cannot be carried over.
    folder.write("rays.csv", [header.as_bytes(), b"\nM\xfcller,0,0,9,0,0,-1\n"].concat());
    let text = format!("rays.csv:2: id is not UTF-8; text is kept as UTF-8 {remedy}");
    refused(&folder, &["cast", "box.obj", "--rays", "rays.csv", "-o", "out.csv", "--keep", "id"], 1, &text);
    for array in ["[]", " [\n{\"ox\":1}]", "[[0,0,9,0,0,-1]]"] {
        folder.write("rays.json", array);
        let message =
            "rays.json: is an array of JSON; expected an object a line (jsonl), csv, npy or parquet";
        refused(&folder, &["cast", "box.obj", "--rays", "rays.json", "-o", "out.csv"], 1, message);
    }
    folder.write("rays.csv", RAYS);
    let keep = "rays.csv:1: there is no column 'id'; --keep needs names of columns in this file";
    refused(&folder, &["cast", "box.obj", "--rays", "rays.csv", "-o", "out.csv", "--keep", "id"], 1, keep);
}

#[test]
fn outputs() {
    let folder = Folder::new("bad-outputs");
    folder.write("box.obj", CUBE);
    folder.write("rays.csv", RAYS);
    folder.write("old.csv", "mine\n");
    std::fs::create_dir(folder.path("folder.csv")).unwrap();
    let own = "is also an input; the output needs a name of its own";
    for (output, message) in [
        ("rays.csv", own),
        ("./rays.csv", own),
        ("box.obj", own),
        ("folder.csv", "is a directory; the output needs the name of a file"),
        ("nowhere/out.csv", "no such folder; expected a file that can be written in a folder that exists"),
    ] {
        let message = format!("{output}: {message}");
        let args = ["cast", "box.obj", "--rays", "rays.csv", "--format", "csv", "-o", output];
        refused(&folder, &args, 1, &message);
    }
    folder.write("view", "0 0 5  0 0 -1  0 1 0  40");
    refused(&folder, &["render", "box.obj", "--camera", "view", "-o", "view"], 1, &format!("view: {own}"));
    let taken = "old.csv: exists; --no-clobber needs a name that is free";
    refused(&folder, &["cast", "box.obj", "--rays", "rays.csv", "-o", "old.csv", "--no-clobber"], 1, taken);
    assert_eq!((folder.read("old.csv").as_str(), folder.read("rays.csv").as_str()), ("mine\n", RAYS));
}

#[cfg(unix)]
#[test]
fn names_as_long_as_the_system_takes() {
    let folder = Folder::new("long-names");
    folder.write("box.obj", CUBE);
    folder.write("rays.csv", RAYS);
    let named = |bytes: usize| "\u{fc}".repeat((bytes - 4) / 2) + &"a".repeat(bytes % 2) + ".csv";
    for bytes in [230, 243, 244, 255] {
        let ran = folder.run(&["cast", "box.obj", "--rays", "rays.csv", "-o", &named(bytes)]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{bytes}");
        assert!(folder.read(&named(bytes)).starts_with("ray,t,x"));
    }
    // Before the scene is read, not after all the work.
    let message = format!(
        "{}: cannot be written (file name too long); expected a file that can be written",
        named(256)
    );
    refused(&folder, &["cast", "none.obj", "--rays", "rays.csv", "-o", &named(256)], 1, &message);
    assert_eq!(folder.files().len(), 6);
}

#[test]
fn a_buffer_of_the_scene_is_an_input_too() {
    let folder = Folder::new("bad-outputs-buffer");
    let document = |uri: &str| {
        r#"{"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}], "scenes": [{"nodes": [0]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"uri": "URI", "byteLength": 36}]}"#
            .replace("URI", uri)
    };
    let bytes: Vec<u8> = CORNERS.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
    folder.write("part.gltf", document("part%20of.png"));
    folder.write("part of.png", &bytes);
    folder.write("plain.gltf", document("part%20of"));
    folder.write("part of", &bytes);
    folder.write("rays.csv", RAYS);
    folder.write("places.csv", "x,z\n0,0\n");
    let own = "is also an input; the output needs a name of its own";
    // Each by a name that the command would write.
    for (args, output) in [
        (&["cast", "part.gltf", "--rays", "rays.csv", "--format", "csv"][..], "part of.png"),
        (&["render", "part.gltf"], "part of.png"),
        (&["height", "plain.gltf", "--at", "0,0"], "part of"),
        (&["height", "plain.gltf", "--at", "places.csv"], "part of"),
    ] {
        refused(&folder, &[args, &["-o", output]].concat(), 1, &format!("{output}: {own}"));
    }
    for name in ["part of.png", "part of"] {
        assert_eq!(std::fs::read(folder.path(name)).unwrap(), bytes);
    }
}

#[test]
fn command_lines_of_cast() {
    let folder = Folder::new("bad-command-lines");
    for (line, message) in [
        ("cast a", "cast: --from <X,Y,Z> or --rays <FILE> is missing; see hitscan cast --help"),
        ("cast a --from 1,2,3", "cast: --to <X,Y,Z> or --dir <X,Y,Z> is missing; see hitscan cast --help"),
        ("cast a --from 1,2 --dir 1,2,3", "--from: '1,2' has 2 parts; expected three numbers X,Y,Z"),
        ("cast a --from 1,2,b --dir 1,2,3", "--from: 'b' is not a number; expected three numbers X,Y,Z"),
        (
            "cast a --from 1,2,3 --to 1,2,3 --dir 1,2,3",
            "--to: cannot be combined with --dir <X,Y,Z>; expected one of them",
        ),
        (
            "cast a --from 1,2,3 --dir 1,2,3 --mode any",
            "--mode: 'any' is not a mode; expected closest, occluded, all, first:N or intervals",
        ),
        (
            "cast a --from 1,2,3 --dir 1,2,3 --mode first:0",
            "--mode: 'first:0' is not a mode; expected closest, occluded, all, first:N or intervals",
        ),
        (
            "cast a --from 1,2,3 --dir 1,2,3 --format xml",
            "--format: 'xml' is not a format; expected table, csv, json or jsonl",
        ),
        (
            "cast a --from 1,2,3 --dir 1,2,3 -o f",
            "--output: it concerns a file of rays; expected --rays with it",
        ),
        ("cast a --rays f --mode", "--mode: it has no value; expected --mode <MODE>"),
        ("cast a --rays f --rays g", "--rays: given twice; expected once"),
        (
            "cast a --rays f --invalid skip",
            "--invalid: 'skip' is not one of its values; expected error, miss",
        ),
        (
            "cast a --rays f --mode occluded --columns ray,t",
            "--columns: there is no 't' in this mode; expected some of ray,occluded",
        ),
        ("cast a --rays f --columns t,t", "--columns: 't' is named twice; expected each column once"),
        (
            "cast a --rays f --keep id,t",
            "--keep: 't' is a column of the answer too; --columns can leave that one out",
        ),
        (
            "cast a --rays f --format table",
            "--format: 'table' is not a format; expected csv, jsonl, json, npy or parquet",
        ),
        (
            "cast a --rays f --input-format json",
            "--input-format: 'json' is not a format; expected csv, jsonl, npy or parquet",
        ),
        (
            "cast a --rays f -o g.png",
            "g.png: the name tells no format; expected .csv, .jsonl, .json, .npy, .parquet or --format",
        ),
        (
            "cast a --from 1,2,3 --dir 1,2,3 --format npy",
            "--format: 'npy' is not a format; expected table, csv, json or jsonl",
        ),
        (
            "cast a --rays f --no-clobber",
            "--no-clobber: there is no file to be replaced; expected -o FILE with it",
        ),
        ("cast a --rays f --threads 0", "--threads: '0' is not a number of threads; expected 1 to 1024"),
    ] {
        refused(&folder, &line.split(' ').collect::<Vec<_>>(), 2, message);
    }
}

#[test]
fn the_environment() {
    let folder = Folder::new("bad-environment");
    folder.write("box.obj", CUBE);
    let mut command = folder.command(&["info", "box.obj"]);
    command.env("HITSCAN_ISA", "mmx");
    let ran = folder.run_command(command, b"");
    let message = "hitscan: HITSCAN_ISA: 'mmx' is not an instruction set; it needs to be one of scalar, neon, avx2, avx512\n";
    assert_eq!((ran.code, ran.err.as_str(), ran.out.as_str()), (Some(2), message, ""));
}

#[test]
fn a_full_disk() {
    let folder = Folder::new("full-disk");
    folder.write("box.obj", CUBE);
    folder.write("rays.csv", RAYS);
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
        eprintln!("skipped: this system has no /dev/full");
        return;
    };
    let output = folder.command(&["info", "box.obj"]).stdout(full).output().unwrap();
    let message = "cannot be written (no space left on device); expected a file that can be written\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), format!("hitscan: standard output: {message}"));
    assert_eq!(output.status.code(), Some(1));
    // The help goes another way, and a scene is no text.
    for line in ["--help", "--version", "cast --help", "build builtin:sphere:10k -o - -q"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        let output = folder.command(&words).stdout(full).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(told, format!("hitscan: standard output: {message}"), "{line}");
        assert_eq!(output.status.code(), Some(1), "{line}");
    }
    let message = format!("/dev/full: {}", message.trim_end());
    refused(&folder, &["cast", "box.obj", "--rays", "rays.csv", "-o", "/dev/full"], 1, &message);
}

#[test]
fn pictures_and_pixels() {
    let folder = Folder::new("bad-pictures");
    folder.write("cube.obj", CUBE);
    folder.write("rays.csv", RAYS);
    let not_png =
        |name: &str| format!("{name}: pictures are written as png; expected a name that ends in .png");
    refused(&folder, &["render", "cube.obj", "-o", "rays.csv"], 2, &not_png("rays.csv"));
    refused(&folder, &["render", "cube.obj", "-o", "cube.jpg"], 2, &not_png("cube.jpg"));
    assert_eq!(folder.read("rays.csv"), RAYS, "the file of rays is as it was");
    for at in ["5000,360", "-1,-1", "640,720.5"] {
        let message =
            format!("--at: {at} lies outside the picture of 1280x720; expected 0 to 1280 and 0 to 720");
        refused(&folder, &["pick", "cube.obj", "--at", at], 2, &message);
    }
}

/// As old spreadsheets write them: the same answers, and lines are counted.
#[test]
fn lines_that_end_in_a_carriage_return() {
    let folder = Folder::new("returns");
    folder.write("box.obj", CUBE);
    let rays = "\nox,oy,oz,dx,dy,dz,n\n0.5,0.25,2,0,0,-1,a\n\n0.5,0.25,3,0,0,-1,\"b\"\n5,5,5,0,0,0,c\n0.25,0.5,2,0,0,-1,d\n";
    let places = "x,z\n0.5,0.25\n\n0.5,nan\n";
    let ends = ["\n", "\r\n", "\r"];
    for (rays, places) in [(rays, places), (&rays.replace('"', ""), places)] {
        let answers = ends.map(|end| {
            folder.write("rays.csv", rays.replace('\n', end));
            folder.write("places.csv", places.replace('\n', end));
            let args = ["cast", "box.obj", "--rays", "rays.csv", "--keep", "n", "--columns", "ray,t"];
            let [stops, goes_on] = ["error", "miss"].map(|invalid| {
                let ran = folder.run(&[&args[..], &["--invalid", invalid]].concat());
                (ran.code, ran.out, ran.err)
            });
            let ran = folder.run(&["height", "box.obj", "--at", "places.csv"]);
            (stops, goes_on, (ran.code, ran.out, ran.err))
        });
        assert_eq!(answers[0], answers[1]);
        assert_eq!(answers[0], answers[2]);
        let [(stops, goes_on, height), ..] = answers;
        assert!(stops.2.starts_with("hitscan: rays.csv:6: dx, dy and dz are 0;"), "{}", stops.2);
        assert_eq!(goes_on.1, "ray,t,n\n0,1,a\n1,2,b\n2,inf,c\n3,1,d\n");
        assert!(height.2.starts_with("hitscan: places.csv:4: z is nan;"), "{}", height.2);
    }
}

/// A quote that is never closed would take all rows behind it for text of one field.
#[test]
fn quotes_that_are_never_closed() {
    let folder = Folder::new("open-quotes");
    folder.write("a.obj", CUBE);
    folder.write(
        "rays.csv",
        format!("{}0,0,2,0,0,-1\n", RAYS.replace("dz\n", "dz,name\n").replace("-1\n", "-1,\"a\n")),
    );
    folder.write("places.csv", "x,z,n\n0,0,a\n0,0,\"b\n0,0,c\n");
    let what = "a quote opens here and is never closed; expected another one at the end of the field";
    for invalid in ["error", "miss"] {
        let args = ["cast", "a.obj", "--rays", "rays.csv", "-o", "out.csv", "--invalid", invalid];
        refused(&folder, &args, 1, &format!("rays.csv:2: {what}"));
    }
    refused(
        &folder,
        &["height", "a.obj", "--at", "places.csv", "-o", "out.csv"],
        1,
        &format!("places.csv:3: {what}"),
    );
}

/// An eye from which no ray starts: a picture of nothing would be no answer.
#[test]
fn eyes_beyond_all_rays() {
    let folder = Folder::new("far-eyes");
    folder.write("a.obj", CUBE);
    let what = "the eye is at 1e300; expected coordinates of at most 2^100";
    let args = ["render", "a.obj", "--eye", "1e300,0,0", "--look", "0,0,0", "-o", "out.png"];
    refused(&folder, &args, 1, &format!("--eye: {what}"));
}

#[test]
fn headers_say_what_they_are() {
    let folder = Folder::new("bad-headers");
    folder.write("box.obj", CUBE);
    let utf_16: Vec<u8> = "\u{feff}ox,oy,oz,dx,dy,dz\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder.write("utf16.csv", utf_16);
    refused(
        &folder,
        &["cast", "box.obj", "--rays", "utf16.csv"],
        1,
        "utf16.csv: the file is UTF-16; expected UTF-8",
    );
    for (header, message) in [
        ("ox;oy;oz;dx;dy;dz", "the columns are separated by ';'; expected commas"),
        ("ox\toy\toz\tdx\tdy\tdz", "the columns are separated by tabs; expected commas"),
        ("# by hand", "the first line is a comment; expected a header such as ox,oy,oz,dx,dy,dz"),
        ("0,0,5,0,0,-1", "the first line is numbers; expected a header such as ox,oy,oz,dx,dy,dz"),
        ("OX,OY,OZ,DX,DY,DZ", "a column is named 'OX'; expected 'ox'"),
    ] {
        folder.write("rays.csv", format!("{header}\n"));
        let message = format!("rays.csv:1: {message}");
        refused(&folder, &["cast", "box.obj", "--rays", "rays.csv"], 1, &message);
    }
    folder.write("places.csv", "1,2\n3,4\n");
    let message = "places.csv:1: the first line is numbers; expected a header such as a,b";
    refused(&folder, &["height", "box.obj", "--at", "places.csv"], 1, message);
}
