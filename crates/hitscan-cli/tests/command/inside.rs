//! `inside`: which solids a point lies in, by either rule, of one point and of files.

use crate::common::{CUBE, Folder, glb};
use serde_json::{Value, json};

/// The unit cube at 0, at (5, 0, 0) and at (0.5, 0, 0).
fn boxes() -> Vec<u8> {
    let vertices: Vec<[f32; 3]> =
        (0..8).map(|i| [0, 1, 2].map(|axis| f32::from((i >> axis & 1) as u8))).collect();
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Vec<u32> = faces.iter().flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]).collect();
    glb(&vertices, &triangles, &[[0.0; 3], [5.0, 0.0, 0.0], [0.5, 0.0, 0.0]])
}

/// A cube from -3 to 3 around that of 0 to 1.
fn nested() -> String {
    let outer = CUBE.replace("o box", "o crate").replace(" 1", " 3").replace(" 0", " -3");
    let faces = outer.lines().filter(|line| line.starts_with("v "));
    let faces: String = faces.map(|line| format!("{line}\n")).collect();
    let numbered = |line: &str| {
        let corners = line.split(' ').skip(1).map(|i| (i.parse::<u32>().unwrap() + 8).to_string());
        format!("f {}\n", corners.collect::<Vec<_>>().join(" "))
    };
    let more: String = CUBE.lines().filter(|line| line.starts_with("f ")).map(numbered).collect();
    format!("{CUBE}o crate\n{faces}{more}")
}

fn told(folder: &Folder, args: &[&str]) -> String {
    let ran = folder.run(&[&["inside"], args].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
    ran.out
}

/// Asks of the box, and demands an exit code and a message.
fn refused(folder: &Folder, line: &str, code: i32, message: &str) {
    let ran = folder.run(&[&["inside", "box.obj"], &line.split(' ').collect::<Vec<_>>()[..]].concat());
    assert_eq!((ran.code, ran.err), (Some(code), format!("hitscan: {message}\n")), "{line}");
}

#[test]
fn solids_by_name_the_innermost_first() {
    let folder = Folder::new("inside-nested");
    folder.write("nested.obj", nested());
    for rule in ["parity", "winding"] {
        let ask = |at: &str| told(&folder, &["nested.obj", "--at", at, "--rule", rule]);
        assert_eq!(
            ask("0.5,0.25,0.5"),
            "#  object  place\n-  ------  ------\n1  box     inside\n2  crate   inside\n\
             inside: (0.5, 0.25, 0.5) is in 2 of 2 solids, the innermost first\n"
        );
        assert_eq!(
            ask("1,0.25,0.5"),
            "#  object  place\n-  ------  -------\n1  box     surface\n2  crate   inside\n\
             inside: (1, 0.25, 0.5) is in 2 of 2 solids, the innermost first\n"
        );
        assert_eq!(
            ask("-2,0,0"),
            "#  object  place\n-  ------  ------\n1  crate   inside\ninside: (-2, 0, 0) is in 1 of 2 solids\n"
        );
        assert_eq!(
            ask("0,4,0"),
            "outside: (0, 4, 0) is in none of 2 solids; the scene fills (-3, -3, -3) to (3, 3, 3)\n"
        );
        let answer: Value = serde_json::from_str(&told(
            &folder,
            &["nested.obj", "--at", "0.5,0.25,0.5", "--rule", rule, "--json"],
        ))
        .unwrap();
        let solid = |instance: u32, name: &str| json!({ "instance": instance, "node_name": name, "mesh": instance, "mesh_name": name, "place": "inside" });
        let solids = [solid(0, "box"), solid(1, "crate")];
        let expected = json!({ "point": [0.5, 0.25, 0.5], "rule": rule, "inside": true, "solids": solids });
        assert_eq!(answer, expected);
    }
    assert_eq!(
        told(&folder, &["nested.obj", "--at", "0.5,0.25,0.5", "--format", "csv"]),
        "point,inside,solids,mesh,instance\n0,true,2,0,0\n"
    );
}

#[test]
fn every_format_in_and_out_says_the_same() {
    let folder = Folder::new("inside-formats");
    folder.write("boxes.glb", boxes());
    // At eighths, so that many lie on surfaces and in two boxes.
    let points: Vec<[f64; 3]> = (0..900)
        .map(|i| [(i % 60) as f64 / 8.0 - 0.5, (i / 60 % 5) as f64 / 4.0, (i / 300) as f64 / 2.0])
        .collect();
    let csv: String = points.iter().map(|[x, y, z]| format!("{z},p,{x},{y}\n")).collect();
    folder.write("points.csv", format!("z,name,x,y\n{csv}"));
    let lines: String = points
        .iter()
        .map(|[x, y, z]| format!("{{\"x\":{x},\"y\":{y},\"z\":{z},\"name\":\"p\"}}\n"))
        .collect();
    folder.write("points.jsonl", lines);
    let bytes: Vec<u8> = points.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, 3), }}\n", points.len());
    let length = (header.len() as u16).to_le_bytes();
    folder.write("points.npy", [b"\x93NUMPY\x01\0", &length[..], header.as_bytes(), &bytes].concat());

    let first = told(&folder, &["boxes.glb", "--at", "points.csv"]);
    let starts = [0.0, 5.0, 0.5];
    let expected = points.iter().enumerate().map(|(row, [x, ..])| {
        let solids: Vec<usize> = (0..3).filter(|&i| (starts[i]..=starts[i] + 1.0).contains(x)).collect();
        match solids.first() {
            Some(first) => format!("{row},true,{},0,{first}\n", solids.len()),
            None => format!("{row},false,0,,\n"),
        }
    });
    let expected: String = expected.collect();
    assert_eq!(first, format!("point,inside,solids,mesh,instance\n{expected}"));
    for input in ["points.jsonl", "points.npy"] {
        assert_eq!(told(&folder, &["boxes.glb", "--at", input]), first, "{input}");
    }
    // What this command writes as Parquet and NPY is read back by way of `cast`'s readers: points are columns.
    let columns = ["--columns", "inside,solids,instance", "--keep", "x,y,z"];
    let flags: Vec<&str> = expected.lines().filter_map(|row| row.split(',').nth(1)).collect();
    for (output, again) in [("a.parquet", "b.csv"), ("a.npy", "b.csv")] {
        told(&folder, &[&["boxes.glb", "--at", "points.csv", "-o", output], &columns[..]].concat());
        let keep = ["--keep", "inside", "--columns", "point"];
        told(&folder, &[&["boxes.glb", "--at", output, "-o", again], &keep[..]].concat());
        let text = folder.read(again);
        // NPY has bytes for flags.
        let read = text.lines().skip(1).map(|row| match row.rsplit(',').next() {
            Some("1") => "true",
            Some("0") => "false",
            field => field.unwrap_or_default(),
        });
        assert_eq!(read.collect::<Vec<_>>(), flags, "{output}");
    }
    let json: Value =
        serde_json::from_str(&told(&folder, &["boxes.glb", "--at", "points.csv", "--json"])).unwrap();
    let rows = json.as_array().unwrap();
    assert_eq!(rows.len(), points.len());
    assert_eq!(rows[0], json!({ "point": 0, "inside": false, "solids": 0, "mesh": null, "instance": null }));
    let piped = folder.run_with_input(
        &["inside", "boxes.glb", "--at", "-"],
        &std::fs::read(folder.path("points.csv")).unwrap(),
    );
    assert_eq!(piped.out, first);
}

#[test]
fn an_open_mesh_needs_the_other_rule() {
    let folder = Folder::new("inside-open");
    // The cube without its lid, which is the face of z = 1.
    let open: String =
        CUBE.lines().filter(|line| *line != "f 5 6 8 7").map(|line| format!("{line}\n")).collect();
    folder.write("open.obj", open);
    folder.write("points.csv", "x,y,z\n0.5,0.5,0.1\n0.5,0.5,-0.1\n");
    let message = "hitscan: open.obj: box is open at the edge from (1, 0, 1) to (0, 0, 1) of triangle 3, which an odd \
                   number of triangles use; parity needs closed meshes, --rule winding takes open ones\n";
    for at in ["0.5,0.5,0.1", "points.csv"] {
        let ran = folder.run(&["inside", "open.obj", "--at", at]);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(1), "", message), "{at}");
    }
    assert_eq!(
        told(&folder, &["open.obj", "--at", "points.csv", "--rule", "winding"]),
        "point,inside,solids,mesh,instance\n0,true,1,0,0\n1,false,0,,\n"
    );
}

#[test]
fn a_mesh_holds_nothing_outside_of_its_box() {
    let folder = Folder::new("inside-sheets");
    // Each goes around the point by nearly one half, and it is over both.
    let sheet = |y: &str| format!("v -1 {y} -1\nv 3 {y} -1\nv 3 {y} 3\nv -1 {y} 3\n");
    folder.write("sheets.obj", format!("o sheets\n{}{}f 1 2 3 4\nf 5 6 7 8\n", sheet("0"), sheet("-0.01")));
    folder.write("points.csv", "x,y,z\n0,0.05,0\n0,0,0\n");
    let winding = ["--rule", "winding"];
    let one = told(&folder, &[&["sheets.obj", "--at", "0,0.05,0"], &winding[..]].concat());
    assert_eq!(
        one,
        "outside: (0, 0.05, 0) is in none of 1 solid; the scene fills (-1, -0.01, -1) to (3, 0, 3)\n"
    );
    assert_eq!(
        told(&folder, &[&["sheets.obj", "--at", "points.csv"], &winding[..]].concat()),
        "point,inside,solids,mesh,instance\n0,false,0,,\n1,true,1,0,0\n"
    );
}

#[test]
fn what_is_no_point_is_refused_in_one_line() {
    let folder = Folder::new("inside-refused");
    folder.write("box.obj", CUBE);
    folder.write("names.csv", "x,y\n1,2\n");
    folder.write("bad.csv", "x,y,z\n1,2,3\n1,,3\n1,2,-1e31\n");
    folder.write("bad.jsonl", "{\"x\":1,\"y\":2,\"z\":3}\n[1,2,3]\n");
    folder.write(
        "rays.npy",
        b"\x93NUMPY\x01\0\x40\0{'descr': '<f8', 'fortran_order': False, 'shape': (0, 6), }    \n",
    );
    for (line, code, message) in [
        ("--at 1,nan,2", 1, "--at: y is nan; a point needs finite numbers"),
        ("--at 1,2,1e31", 1, "--at: z is 1e31; a point needs coordinates of at most 2^100"),
        ("--at 1,2", 2, "--at: '1,2' has 2 parts; expected X,Y,Z, a file (.csv .jsonl .npy .parquet) or -"),
        ("--at 1,2,3 --rule odd", 2, "--rule: 'odd' is not a rule; expected parity or winding"),
        ("--at 1,2,3 --keep id", 2, "--keep: it concerns a file of points; expected --at FILE with it"),
        ("--at 1,2,3 --format npy", 2, "--format: 'npy' is not a format; expected table, csv, json or jsonl"),
        (
            "--at bad.csv --columns t",
            2,
            "--columns: there is no 't' in this answer; expected some of point,inside,solids,mesh,instance",
        ),
        ("--at none.csv", 1, "none.csv: no such file; expected a file that can be read"),
        (
            "--at names.csv",
            1,
            "names.csv:1: there is no column 'z' in 'x,y'; a file of points names its columns, x,y,z among them",
        ),
        (
            "--at bad.csv",
            1,
            "bad.csv:3: y is empty; a point needs finite numbers (--invalid miss reports it as a miss)",
        ),
        (
            "--at bad.jsonl",
            1,
            "bad.jsonl:2: no object; a point is an object with x, y and z (--invalid miss reports it as a miss)",
        ),
        (
            "--at rays.npy",
            1,
            "rays.npy: the array has the shape (0, 6); expected (n, 3) numbers or (n,) structures",
        ),
    ] {
        refused(&folder, line, code, message);
    }
    let ran = folder.run(&["inside", "box.obj", "--at", "bad.csv", "--invalid", "miss"]);
    assert_eq!(ran.out, "point,inside,solids,mesh,instance\n0,false,0,,\n1,false,0,,\n2,false,0,,\n");
    assert_eq!(
        ran.err,
        "hitscan: bad.csv:3: y is empty; a point needs finite numbers (2 invalid rows in all, counted as misses)\n"
    );
}

#[test]
fn a_file_of_points_may_have_any_name() {
    let folder = Folder::new("inside-names");
    folder.write("box.obj", CUBE);
    folder.write("pts.dat", "x,y,z\n0.5,0.5,0.5\n");
    folder.write("points", "x,y,z\n0.5,0.5,0.5\n");
    let expected = "point,inside,solids,mesh,instance\n0,true,1,0,0\n";
    // Known by its first bytes where no option tells the format.
    for more in [&["--input-format", "csv"][..], &[]] {
        for name in ["pts.dat", "points"] {
            assert_eq!(told(&folder, &[&["box.obj", "--at", name], more].concat()), expected, "{name}");
        }
    }
    for (line, code, message) in [
        ("--at none.dat --input-format csv", 1, "none.dat: no such file; expected a file that can be read"),
        ("--at 1,2 --input-format csv", 1, "1,2: no such file; expected a file that can be read"),
        (
            "--at none.dat",
            2,
            "--at: 'none.dat' has 1 part; expected X,Y,Z, a file (.csv .jsonl .npy .parquet) or -",
        ),
        (
            "--at 1,2,3 --input-format csv",
            2,
            "--input-format: it concerns a file of points; expected --at FILE with it",
        ),
    ] {
        refused(&folder, line, code, message);
    }
}
