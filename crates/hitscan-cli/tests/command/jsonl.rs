//! `cast --rays` with JSON Lines: in as CSV to the bit, carried-over values as they are written, flaws by line.

use crate::common::rays::{csv, rays};
use crate::common::{CUBE, Folder};

/// Objects whose fields come in several orders, with others among them.
fn jsonl(rays: &[[f64; 6]]) -> String {
    let row = |(i, [ox, oy, oz, dx, dy, dz]): (usize, &[f64; 6])| match i % 3 {
        0 => format!(
            "{{\"ox\":{ox:?},\"oy\":{oy:?},\"oz\":{oz:?},\"dx\":{dx:?},\"dy\":{dy:?},\"dz\":{dz:?}}}\n"
        ),
        1 => format!(
            " {{ \"dz\" : {dz:e}, \"dy\":{dy:e},\"tags\":[{{\"ox\":1}}],\"d\\u0078\":{dx:e}, \
             \"ox\":{ox:e},\"oz\":{oz:e},\"o\":null,\"oy\":{oy:e} }} \r\n"
        ),
        _ => format!(
            "\n{{\"t_max\":null,\"ox\":{ox:?},\"oy\":{oy:?},\"oz\":{oz:?},\"id\":{i},\
             \"dx\":{dx:?},\"dy\":{dy:?},\"dz\":{dz:?}}}\n"
        ),
    };
    rays.iter().enumerate().map(row).collect()
}

#[test]
fn the_answers_are_those_of_csv_to_the_bit() {
    let folder = Folder::new("jsonl-bits");
    folder.write("box.obj", CUBE);
    let rays = rays(60_000, 0x15);
    let text = jsonl(&rays);
    // More than one block.
    assert!(text.len() > 8 << 20, "{}", text.len());
    folder.write("rays.csv", csv(&rays));
    folder.write("rays.jsonl", &text);
    for mode in ["closest", "occluded", "all", "first:1"] {
        for format in ["csv", "jsonl", "json"] {
            let run =
                |rays| folder.run(&["cast", "box.obj", "--rays", rays, "--mode", mode, "--format", format]);
            let (from_csv, from_json) = (run("rays.csv"), run("rays.jsonl"));
            assert_eq!((from_json.code, from_json.err.as_str()), (Some(0), ""));
            assert!(
                from_json.out == from_csv.out && from_json.out.lines().count() > 30_000,
                "{mode} {format}"
            );
        }
    }
    let closest = folder.run(&["cast", "box.obj", "--rays", "rays.csv"]).out;
    let marked = "\u{feff}".to_owned() + &text;
    for input in [text, marked] {
        let piped = ["cast", "box.obj", "--rays", "-", "--input-format", "jsonl"];
        assert!(folder.run_with_input(&piped, input.as_bytes()).out == closest);
        let recognised = folder.run_with_input(&piped[..4], input.as_bytes());
        assert!(recognised.out == closest);
    }
}

#[test]
fn digits_are_rounded_once() {
    let folder = Folder::new("jsonl-digits");
    folder.write("box.obj", CUBE);
    // Halfway cases and long digits, on which parsers that round twice differ.
    let numbers = [
        "0.50000000000000011102230246251565404236316680908203125",
        "0.50000000000000016653345369377348106354475021362304688",
        "0.1000000000000000055511151231257827021181583404541015625",
        "0.12345678901234567890123456789",
        "9007199254740993e-16",
        "6.2831853071795864769252867665590057683943e-1",
    ];
    for number in numbers {
        let line = format!("{{\"ox\":{number},\"oy\":0.25,\"oz\":2,\"dx\":0,\"dy\":0,\"dz\":-1}}\n");
        let ran =
            folder.run_with_input(&["cast", "box.obj", "--rays", "-", "--columns", "x"], line.as_bytes());
        let row = format!("ox,oy,oz,dx,dy,dz\n{number},0.25,2,0,0,-1\n");
        let same =
            folder.run_with_input(&["cast", "box.obj", "--rays", "-", "--columns", "x"], row.as_bytes());
        assert_eq!((ran.code, &ran.out), (Some(0), &same.out), "{number}");
        // The cube's top is hit straight from above, at the ray's own x or next to it.
        let x: f64 = ran.out.lines().nth(1).unwrap().parse().unwrap();
        assert!((x - number.parse::<f64>().unwrap()).abs() < 1e-7);
    }
}

#[test]
fn limits_may_be_missing_null_or_infinite() {
    let folder = Folder::new("jsonl-limits");
    folder.write("box.obj", CUBE);
    let ray = |more: &str| format!("{{\"ox\":0.5,\"oy\":0.25,\"oz\":2,\"dx\":0,\"dy\":0,\"dz\":-1{more}}}\n");
    let lines: String = [
        "",
        ",\"t_max\":null,\"t_min\":null",
        ",\"t_max\":\"inf\"",
        ",\"t_min\":\"-inf\",\"t_max\":0.5",
        ",\"t_min\":1.5",
        ",\"t_min\":1.5,\"t_max\":1.75",
    ]
    .map(ray)
    .concat();
    folder.write("rays.jsonl", lines);
    let ran = folder.run(&["cast", "box.obj", "--rays", "rays.jsonl", "--columns", "t,prim"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(ran.out, "t,prim\n1,2\n1,2\n1,2\ninf,-1\n2,1\ninf,-1\n");
}

const KEPT: &str = r#"{"ox":0.5,"oy":0.25,"oz":2,"dx":0,"dy":0,"dz":-1,"id":1.50,"tag":"a \"b\", \u00fc\n","ok":true}
{"ox":0.5,"oy":0.25,"oz":2,"dx":0,"dy":0,"dz":1,"id":null,"tag":{"x": [1, 2]},"ok":null}
{"tag":123456789012345678901234567890,"ox":0.5,"oy":0.25,"oz":2,"dx":0,"dy":0,"dz":-1,"id":2}
"#;

#[test]
fn what_is_kept_is_what_the_file_says() {
    let folder = Folder::new("jsonl-keep");
    folder.write("box.obj", CUBE);
    folder.write("rays.jsonl", KEPT);
    let base = ["cast", "box.obj", "--rays", "rays.jsonl", "--columns", "prim", "--keep", "id,tag,dz,ok"];
    let lines = folder.run(&[&base[..], &["--format", "jsonl"]].concat());
    assert_eq!((lines.code, lines.err.as_str()), (Some(0), ""));
    let expected = [
        r#"{"prim":2,"id":1.50,"tag":"a \"b\", \u00fc\n","dz":-1,"ok":true}"#,
        r#"{"prim":-1,"id":null,"tag":{"x": [1, 2]},"dz":1,"ok":null}"#,
        r#"{"prim":2,"id":2,"tag":123456789012345678901234567890,"dz":-1,"ok":null}"#,
    ];
    assert_eq!(lines.out.lines().collect::<Vec<_>>(), expected);
    let array = folder.run(&[&base[..], &["--format", "json"]].concat());
    assert_eq!(array.out, format!("[\n{}\n]\n", expected.join(",\n")));
    let text = folder.run(&base);
    assert_eq!(
        text.out,
        "prim,id,tag,dz,ok\n2,1.50,\"a \"\"b\"\", ü\n\",-1,true\n-1,,\"{\"\"x\"\": [1, 2]}\",1,\n\
         2,2,123456789012345678901234567890,-1,\n"
    );
}

#[test]
fn no_rays_are_no_rows() {
    let folder = Folder::new("jsonl-none");
    folder.write("box.obj", CUBE);
    for text in ["", "\n \r\n\n", "\u{feff}"] {
        folder.write("rays.jsonl", text);
        let run = |format| folder.run(&["cast", "box.obj", "--rays", "rays.jsonl", "--format", format]).out;
        assert_eq!((run("jsonl"), run("json")), (String::new(), "[\n\n]\n".to_owned()));
        assert!(run("csv").starts_with("ray,t,") && run("csv").lines().count() == 1);
    }
}

#[test]
fn all_misses_are_null() {
    let folder = Folder::new("jsonl-misses");
    folder.write("box.obj", CUBE);
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz,id\n5,5,5,1,0,0,01\n5,5,5,1,0,0,-1e400\n5,5,5,1,0,0,12\n");
    let args = ["cast", "box.obj", "--rays", "rays.csv", "--columns", "t,x,prim,facing", "--keep", "id"];
    let miss = |ids: [&str; 3]| {
        ids.map(|id| format!("{{\"t\":null,\"x\":null,\"prim\":-1,\"facing\":null,\"id\":{id}}}"))
    };
    let ran = folder.run(&[&args[..], &["--format", "json"]].concat());
    assert_eq!(ran.out, format!("[\n{}\n]\n", miss(["\"01\"", "\"-1e400\"", "12"]).join(",\n")));
    let none = folder.run(&[&args[..], &["--format", "json", "--mode", "all"]].concat());
    assert_eq!(none.out, "[\n\n]\n");
    let lines = folder.run(&[&args[..], &["--format", "jsonl"]].concat());
    assert_eq!(lines.out, miss(["\"01\"", "\"-1e400\"", "12"]).join("\n") + "\n");
}

/// A good ray.
const RAY: &str = r#"{"ox":0.5,"oy":0.25,"oz":2,"dx":0,"dy":0,"dz":-1}"#;

#[test]
fn malformed_lines_are_named() {
    let folder = Folder::new("jsonl-malformed");
    folder.write("box.obj", CUBE);
    let with = |old: &str, new: &str| RAY.replace(old, new);
    for (line, message) in [
        (with(r#""dy":0,"#, ""), "there is no dy; a ray needs finite numbers"),
        (with(r#""dy""#, r#""DY""#), "there is no dy; a ray needs finite numbers"),
        (with("0.25", "null"), "oy is null; a ray needs finite numbers"),
        (with("0.25", "1e400"), "oy is 1e400; a ray needs finite numbers"),
        (with("0.25", "\"0.25\""), "oy is '\"0.25\"'; a ray needs finite numbers"),
        (with("0.25", "\"inf\""), "oy is '\"inf\"'; a ray needs finite numbers"),
        (with("0.25", "[0.25]"), "oy is '[0.25]'; a ray needs finite numbers"),
        (with("0.25", "true"), "oy is 'true'; a ray needs finite numbers"),
        (with("-1", "0.0"), "dx, dy and dz are 0; a ray needs a direction of any length but zero"),
        (with("-1", "-1,\"t_min\":3,\"t_max\":2"), "t_min is 3 and t_max is 2; a ray needs t_min <= t_max"),
        (with("-1", "-1,\"t_max\":\"1\""), "t_max is '\"1\"'; expected a number, -inf or inf"),
        (with("-1", "-1,\"t_max\":1e999"), "t_max is 1e999; expected a number, -inf or inf"),
        (with("-1", "-1,\"ox\":1"), "two fields are named 'ox'; a ray needs each name once"),
        (with("0.25", "NaN"), "no JSON at column 16 (expected value); expected an object a line"),
        (with("0.25", "007"), "no JSON at column 17 (invalid number); expected an object a line"),
        (with("0.25", "+1"), "no JSON at column 16 (expected value); expected an object a line"),
        (with("}", ""), "no JSON at column 48 (EOF while parsing an object); expected an object a line"),
        (with("}", ",}"), "no JSON at column 50 (trailing comma); expected an object a line"),
        (with("{", "{ox:1,"), "no JSON at column 2 (key must be a string); expected an object a line"),
        (format!("{RAY},"), "no JSON at column 50 (trailing characters); expected an object a line"),
        (format!("{RAY}{RAY}"), "no JSON at column 50 (trailing characters); expected an object a line"),
        ("[0,0,0,0,0,1]".into(), "no object; a ray is an object with ox, oy, oz, dx, dy and dz"),
        ("null".into(), "no object; a ray is an object with ox, oy, oz, dx, dy and dz"),
        ("ox,oy,oz,dx,dy,dz".into(), "no JSON at column 1 (expected value); expected an object a line"),
    ] {
        folder.write("rays.jsonl", format!("{RAY}\n\n{RAY}\n{line}\n{RAY}\n"));
        let args = ["cast", "box.obj", "--rays", "rays.jsonl", "--columns", "t"];
        let ran = folder.run(&args);
        let expected = format!("hitscan: rays.jsonl:4: {message} (--invalid miss reports it as a miss)\n");
        assert_eq!((ran.code, ran.err.as_str(), ran.out.as_str()), (Some(1), expected.as_str(), "t\n1\n1\n"));
        let ran = folder.run(&[&args[..], &["--invalid", "miss"]].concat());
        let expected =
            format!("hitscan: rays.jsonl:4: {message} (1 invalid row in all, counted as a miss)\n");
        assert_eq!((ran.code, ran.err, ran.out.as_str()), (Some(0), expected, "t\n1\n1\ninf\n1\n"));
    }
    // What is carried over has a value for a bad row too.
    folder.write("rays.jsonl", KEPT.replacen("0.5", "\"x\"", 1));
    let args = [
        "cast",
        "box.obj",
        "--rays",
        "rays.jsonl",
        "--columns",
        "t",
        "--keep",
        "id",
        "--invalid",
        "miss",
        "-q",
    ];
    assert_eq!(folder.run(&args).out, "t,id\ninf,1.50\ninf,\n1,2\n");
}

#[test]
fn fields_that_no_line_has_are_refused() {
    let folder = Folder::new("jsonl-no-field");
    folder.write("box.obj", CUBE);
    folder.write("rays.jsonl", KEPT);
    let ran = folder.run(&["cast", "box.obj", "--rays", "rays.jsonl", "--keep", "id,tags"]);
    let message = "hitscan: rays.jsonl: no object among the first has a 'tags'; --keep needs names of fields in this file\n";
    assert_eq!((ran.code, ran.err.as_str(), ran.out.as_str()), (Some(1), message, ""));
    let twice = folder.run(&["cast", "box.obj", "--rays", "rays.jsonl", "--keep", "id, id"]);
    assert_eq!(
        (twice.code, twice.err.as_str()),
        (Some(2), "hitscan: --keep: 'id' is named twice; expected each column once\n")
    );
}

#[test]
fn depth_and_length_have_no_price() {
    let folder = Folder::new("jsonl-deep");
    folder.write("box.obj", CUBE);
    let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
    let line = RAY.replace("-1}", &format!("-1,\"id\":{deep}}}"));
    let args = ["cast", "box.obj", "--rays", "-", "--columns", "t", "--keep", "id", "--format", "jsonl"];
    let ran = folder.run_with_input(&args, line.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(ran.out, format!("{{\"t\":1.0,\"id\":{deep}}}\n"));
}
