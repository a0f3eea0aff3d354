//! `sight`: lists of eyes and targets, one by one and each with each.

use crate::common::{CUBE, Folder};
use serde_json::Value;

fn told(folder: &Folder, args: &[&str]) -> String {
    let ran = folder.run(&[&["sight"], args].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
    ran.out
}

fn points(count: usize, seed: usize) -> Vec<[f64; 3]> {
    let coordinate = |i: usize, axis: usize| ((i + 1) * (seed + 37 * axis) % 41) as f64 / 10.0 - 1.5;
    (0..count).map(|i| [0, 1, 2].map(|axis| coordinate(i, axis))).collect()
}

fn csv(points: &[[f64; 3]]) -> String {
    let rows: String = points.iter().map(|[x, y, z]| format!("{x},{y},{z}\n")).collect();
    format!("x,y,z\n{rows}")
}

fn option([x, y, z]: [f64; 3]) -> String {
    format!("{x},{y},{z}")
}

#[test]
fn each_pair_is_answered_as_it_is_alone() {
    let folder = Folder::new("sight-pairs");
    folder.write("box.obj", CUBE);
    let (from, to) = (points(7, 11), points(5, 17));
    folder.write("from.csv", csv(&from));
    folder.write("to.csv", csv(&to));
    let lifts = ["--from-height", "0.25", "--to-height", "-0.5"];
    let all = told(
        &folder,
        &[&["box.obj", "--from", "from.csv", "--to", "to.csv", "--pairs", "all"], &lifts[..]].concat(),
    );
    let rows: Vec<&str> = all.lines().collect();
    assert_eq!(rows[0], "from,to,visible,t,x,y,z,distance,mesh,instance,prim");
    assert_eq!(rows.len(), 1 + 7 * 5);
    let (mut free, mut blocked) = (0, 0);
    for (i, row) in rows[1..].iter().enumerate() {
        let [from, to] = [from[i / 5], to[i % 5]].map(option);
        let alone = [&["box.obj", "--from", &from, "--to", &to, "--json"], &lifts[..]].concat();
        let alone = told(&folder, &alone);
        // The digits as they are written: a reader of JSON may round the last bit.
        let behind = |name: &str| alone.split_once(&format!("\"{name}\": ")).expect("the field").1;
        let plain = |text: &str| text.trim().trim_end_matches(".0").to_owned();
        let number = |name: &str| plain(behind(name).split([',', '\n']).next().unwrap_or_default());
        let expected = if number("visible") == "true" {
            free += 1;
            format!("{},{},true,inf,,,,,,,-1", i / 5, i % 5)
        } else {
            blocked += 1;
            let position = behind("position").split([']', '[']).nth(1).unwrap_or_default();
            let position = position.split(',').map(plain).collect::<Vec<_>>().join(",");
            let [t, distance, prim] = ["t", "distance", "prim"].map(number);
            format!("{},{},false,{t},{position},{distance},0,0,{prim}", i / 5, i % 5)
        };
        assert_eq!(*row, expected);
    }
    assert!(free > 5 && blocked > 5, "{free} free, {blocked} blocked");

    // One by one, the rows are those of the matrix's diagonal.
    folder.write("five.csv", csv(&from[..5]));
    let zip = told(&folder, &[&["box.obj", "--from", "five.csv", "--to", "to.csv"], &lifts[..]].concat());
    let diagonal: Vec<&str> = (0..5).map(|i| rows[1 + 6 * i]).collect();
    assert_eq!(zip.lines().skip(1).collect::<Vec<_>>(), diagonal);
    // One eye goes with every target, and one target with every eye.
    let one =
        told(&folder, &[&["box.obj", "--from", &option(from[0]), "--to", "to.csv"], &lifts[..]].concat());
    assert_eq!(one.lines().skip(1).collect::<Vec<_>>(), rows[1..6]);
    let to_first =
        told(&folder, &[&["box.obj", "--from", "from.csv", "--to", &option(to[0])], &lifts[..]].concat());
    assert_eq!(
        to_first.lines().skip(1).collect::<Vec<_>>(),
        rows[1..].iter().step_by(5).copied().collect::<Vec<_>>()
    );
    // Other formats hold the same rows.
    let asked = ["box.obj", "--from", "from.csv", "--to", "to.csv", "--pairs", "all", "--columns", "visible"];
    let asked = [&asked[..], &lifts].concat();
    let flags: Vec<bool> = rows[1..].iter().map(|row| row.split(',').nth(2) == Some("true")).collect();
    let json: Value = serde_json::from_str(&told(&folder, &[&asked[..], &["--json"]].concat())).unwrap();
    let expected: Vec<Value> = flags.iter().map(|flag| serde_json::json!({ "visible": flag })).collect();
    assert_eq!(json, Value::Array(expected));
    told(&folder, &[&asked[..], &["-o", "seen.npy"]].concat());
    let bytes = std::fs::read(folder.path("seen.npy")).unwrap();
    assert_eq!(bytes[bytes.len() - 35..], flags.iter().map(|&flag| u8::from(flag)).collect::<Vec<_>>());
}

#[test]
fn a_point_sees_itself_and_no_other_through_a_surface() {
    let folder = Folder::new("sight-near");
    folder.write("box.obj", CUBE);
    // On a corner, from where a line as short as the first one is blocked by its end; in the cube, and away from it.
    folder.write("from.csv", csv(&[[0.0; 3], [0.5; 3], [-1.0, 0.5, 0.5]]));
    folder.write("to.csv", "x,y,z\n1e-70,0,0\n0.5,0.5,0.5\n2,0.5,0.5\n");
    let visible = |more: &[&str]| {
        let asked = ["box.obj", "--from", "from.csv", "--to", "to.csv", "--columns", "visible"];
        told(&folder, &[&asked[..], more].concat())
    };
    assert_eq!(visible(&[]), "visible\nfalse\ntrue\nfalse\n");
    assert_eq!(
        visible(&["--pairs", "all"]),
        "visible\nfalse\nfalse\nfalse\nfalse\ntrue\nfalse\nfalse\nfalse\nfalse\n"
    );
    // A row for each pair, also where its only column is empty.
    let distances = ["box.obj", "--from", "from.csv", "--to", "to.csv", "--columns", "distance"];
    assert_eq!(told(&folder, &distances), "distance\n0\n\"\"\n1\n");
    // Lifted by the same height, a point still sees itself.
    assert_eq!(visible(&["--from-height", "0.1", "--to-height", "0.1"]), "visible\nfalse\ntrue\nfalse\n");

    // On both sides of a face, and beside it: in a file as alone.
    folder.write("eyes.csv", "x,y,z\n-1e-70,0.5,0.25\n-1e-70,0.5,2\n");
    folder.write("targets.csv", "x,y,z\n3e-70,0.5,0.25\n3e-70,0.5,2\n");
    let near = ["box.obj", "--from", "eyes.csv", "--to", "targets.csv", "--columns", "visible,instance"];
    assert_eq!(told(&folder, &near), "visible,instance\nfalse,0\ntrue,\n");
    for (z, visible) in [("0.25", false), ("2", true)] {
        let [from, to] = ["-1e-70", "3e-70"].map(|x| format!("{x},0.5,{z}"));
        let alone = told(&folder, &["box.obj", "--from", &from, "--to", &to, "--json"]);
        let alone: Value = serde_json::from_str(&alone).expect("it is JSON");
        assert_eq!((&alone["visible"], alone["blocked_by"].is_null()), (&visible.into(), visible));
    }
}

#[test]
fn many_pairs_are_answered_in_order() {
    let folder = Folder::new("sight-many");
    folder.write("box.obj", CUBE);
    folder.write("points.csv", csv(&points(600, 23)));
    let all = [
        "box.obj",
        "--from",
        "points.csv",
        "--to",
        "points.csv",
        "--pairs",
        "all",
        "--columns",
        "from,to,visible",
    ];
    let out = told(&folder, &all);
    let mut rows = 0;
    for (i, row) in out.lines().skip(1).enumerate() {
        let ends = format!("{},{},", i / 600, i % 600);
        assert!(row.starts_with(&ends), "{row}");
        // A point sees itself, wherever it is.
        assert!(i / 600 != i % 600 || row.ends_with("true"), "{row}");
        rows += 1;
    }
    assert_eq!(rows, 360_000, "more than are made at once");
    assert_eq!(told(&folder, &[&all[..], &["--threads", "1"]].concat()), out);
}

#[test]
fn what_cannot_be_paired_is_refused_in_one_line() {
    let folder = Folder::new("sight-refused");
    folder.write("box.obj", CUBE);
    folder.write("three.csv", csv(&points(3, 11)));
    folder.write("two.csv", csv(&points(2, 11)));
    folder.write("bad.csv", "x,y,z\n1,2,3\n1,2,c\n");
    folder.write("none.csv", "x,y,z\n");
    folder.write("far.csv", "x,y,z\n1,2,3\n1,1e30,3\n");
    for (line, code, message) in [
        (
            "--from three.csv --to two.csv",
            1,
            "--pairs zip: goes from 3 points to 2; expected as many of both, or --pairs all",
        ),
        ("--from bad.csv --to two.csv", 1, "bad.csv:3: z is 'c'; a point needs finite numbers"),
        (
            "--from - --to -",
            2,
            "--to: standard input is another input already; expected a file for one of them",
        ),
        (
            "--from 1,2,3 --to 2,3,4 --pairs all",
            2,
            "--pairs: it concerns files of points; expected one as --from or --to with it",
        ),
        (
            "--from 1,2,3 --to 2,3,4 -o a.csv",
            2,
            "--output: it concerns files of points; expected one as --from or --to with it",
        ),
        (
            "--from two.csv --to 2,3,4 --pairs some",
            2,
            "--pairs: 'some' is not one of its values; expected zip, all",
        ),
        (
            "--from two.csv --to 2,3,4 --from-height nan",
            1,
            "--from-height: nan is no height; a height needs a finite number of at most 2^100",
        ),
        ("--from 2,3,1e31 --to two.csv", 1, "--from: z is 1e31; a point needs coordinates of at most 2^100"),
        (
            "--from two.csv --to far.csv --to-height 1e30",
            1,
            "--to point 1: y is 2e30; a point needs coordinates of at most 2^100",
        ),
    ] {
        let ran = folder.run(&[&["sight", "box.obj"], &line.split(' ').collect::<Vec<_>>()[..]].concat());
        assert_eq!(
            (ran.code, ran.err, ran.out.as_str()),
            (Some(code), format!("hitscan: {message}\n"), ""),
            "{line}"
        );
    }
    assert_eq!(
        told(&folder, &["box.obj", "--from", "none.csv", "--to", "1,2,3", "--columns", "from"]),
        "from\n"
    );
    assert_eq!(
        told(
            &folder,
            &["box.obj", "--from", "two.csv", "--to", "none.csv", "--pairs", "all", "--columns", "to"]
        ),
        "to\n"
    );
}

#[test]
fn a_file_of_points_may_have_any_name() {
    let folder = Folder::new("sight-names");
    folder.write("box.obj", CUBE);
    folder.write("eyes.dat", "x,y,z\n-1,0.5,0.5\n");
    let flags = |more: &[&str]| told(&folder, &[&["box.obj", "--columns", "visible"], more].concat());
    for format in [&["--input-format", "csv"][..], &[]] {
        assert_eq!(
            flags(&[&["--from", "eyes.dat", "--to", "2,0.5,0.5"], format].concat()),
            "visible\nfalse\n"
        );
        assert_eq!(
            flags(&[&["--from", "-2,0.5,0.5", "--to", "eyes.dat"], format].concat()),
            "visible\ntrue\n"
        );
    }
    let none = ["sight", "box.obj", "--from", "none.dat", "--to", "1,2,3"];
    let ran = folder.run(&[&none[..], &["--input-format", "csv"]].concat());
    let message = "hitscan: none.dat: no such file; expected a file that can be read\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), message));
    let ran = folder.run(&none);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}
