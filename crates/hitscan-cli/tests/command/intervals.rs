//! `cast --mode intervals` and `explain SCENE`: what the library says, to the bit.

use crate::common::Folder;
use crate::common::rays::{csv, rays};
use hitscan::{Filter, Interval, Ray};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;
use serde_json::Value;

/// The answer as CSV.
fn expected(lists: &[Vec<Interval>]) -> String {
    let mut text = "ray,enter,exit,thickness,mesh,instance,material\n".to_owned();
    for (ray, pieces) in lists.iter().enumerate() {
        for piece in pieces {
            let Interval { enter, exit, thickness, material, .. } = *piece;
            text += &format!("{ray},{enter:?},{exit:?},{thickness:?},0,0,{material}\n");
        }
    }
    text
}

fn numbers(text: &str) -> Vec<Vec<u64>> {
    let bits = |cell: &str| cell.parse::<f64>().expect("a number").to_bits();
    text.lines().skip(1).map(|line| line.split(',').map(bits).collect()).collect()
}

#[test]
fn files_hold_what_the_library_says() {
    let folder = Folder::new("intervals-files");
    let rays = rays(3_000, 0x51ab);
    folder.write("rays.csv", csv(&rays));
    let ray = |&[ox, oy, oz, dx, dy, dz]: &[f64; 6]| Ray::new([ox, oy, oz], [dx, dy, dz]).unwrap();
    let rays: Vec<Ray> = rays.iter().map(ray).collect();
    let scene = hitscan_io::open("builtin:sphere").unwrap().scene();
    let lists: Vec<Vec<Interval>> = rays.iter().map(|ray| scene.intervals(ray, &Filter::ALL)).collect();
    let all: Vec<Interval> = lists.concat();
    assert!(all.len() > 100, "{} intervals", all.len());
    for name in ["out.csv", "out.jsonl", "out.parquet", "out.npy", "out.json"] {
        let ran =
            folder.run(&["cast", "builtin:sphere", "--rays", "rays.csv", "--mode", "intervals", "-o", name]);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.err);
    }
    let text = std::fs::read_to_string(folder.path("out.csv")).unwrap();
    assert!(text.starts_with("ray,enter,exit,thickness,mesh,instance,material\n"));
    assert_eq!(numbers(&text), numbers(&expected(&lists)));

    let text = std::fs::read_to_string(folder.path("out.jsonl")).unwrap();
    assert_eq!(text.lines().count(), all.len());
    for (line, piece) in text.lines().zip(&all) {
        // As it stands there: a parser of JSON may round once more.
        let value = line.split_once("\"thickness\":").and_then(|(_, rest)| rest.split(',').next()).unwrap();
        assert_eq!(value.parse::<f64>().unwrap().to_bits(), piece.thickness.to_bits(), "{line}");
    }

    let file = std::fs::File::open(folder.path("out.parquet")).unwrap();
    let rows = SerializedFileReader::new(file).unwrap();
    let mut found = 0;
    for (row, piece) in rows.get_row_iter(None).unwrap().zip(&all) {
        let row = row.unwrap();
        let [enter, exit, thickness] = [1, 2, 3].map(|column| row.get_double(column).unwrap());
        assert_eq!([enter, exit, thickness], [piece.enter, piece.exit, piece.thickness]);
        assert_eq!([4, 5].map(|column| row.get_int(column).unwrap()), [0, 0]);
        assert_eq!(row.get_long(6).unwrap(), i64::from(piece.material));
        found += 1;
    }
    assert_eq!(found, all.len());
}

#[test]
fn one_ray_is_told_in_every_format() {
    let folder = Folder::new("intervals-one");
    let line = ["cast", "builtin:sphere", "--from", "0.1,0.2,5", "--dir", "0,0,-2", "--mode", "intervals"];
    let ray = Ray::new([0.1, 0.2, 5.0], [0.0, 0.0, -2.0]).unwrap();
    let pieces = hitscan_io::open("builtin:sphere").unwrap().scene().intervals(&ray, &Filter::ALL);
    let table = folder.run(&line);
    assert!(table.out.starts_with("#   enter    exit  object  material    thickness\n"), "{}", table.out);
    assert!(table.out.ends_with("1 interval from (0.1, 0.2, 5) along (0, 0, -2)\n"), "{}", table.out);
    let csv = folder.run(&[&line[..], &["--format", "csv"]].concat());
    assert_eq!(numbers(&csv.out), numbers(&expected(std::slice::from_ref(&pieces))));
    let json = folder.run(&[&line[..], &["--json"]].concat());
    let json: Value = serde_json::from_str(&json.out).unwrap();
    let thickness = json["intervals"][0]["thickness"].as_f64().unwrap();
    assert!((thickness - pieces[0].thickness).abs() < 1e-15);
    let miss =
        folder.run(&["cast", "builtin:sphere", "--from", "0,9,0", "--dir", "1,0,0", "--mode", "intervals"]);
    assert!(miss.out.starts_with("miss: nothing from (0, 9, 0)"), "{}", miss.out);
}

#[test]
fn a_scene_explains_a_ray() {
    let folder = Folder::new("explain-scene");
    let run = |aim: &[&str]| {
        let ran =
            folder.run(&[&["explain", "builtin:sphere", "--json", "--from", "0.1,0.2,5"][..], aim].concat());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        serde_json::from_str::<Value>(&ran.out).unwrap()
    };
    let hit = run(&["--dir", "0,0,-1"]);
    let outcomes: Vec<&Value> = hit["crossings"].as_array().unwrap().iter().map(|c| &c["outcome"]).collect();
    assert_eq!(outcomes, ["hit", "hit"]);
    assert_eq!(hit["hit"]["t"], hit["crossings"][0]["t"]);
    assert!(hit["tests"].as_u64() > Some(0));

    let short = run(&["--to", "0.1,0.2,4"]);
    let outcomes: Vec<&Value> =
        short["crossings"].as_array().unwrap().iter().map(|c| &c["outcome"]).collect();
    assert_eq!((outcomes[0], &short["hit"]), (&Value::from("beyond the ray's end"), &Value::Null));

    let beside = run(&["--dir", "1,0,0"]);
    let gap = beside["near_miss"]["gap"].as_f64().unwrap();
    assert!((gap - (25.05f64.sqrt() - 1.0)).abs() < 1e-3, "{gap}");
}
