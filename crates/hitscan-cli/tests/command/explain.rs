//! `explain`: every algorithm's verdict, beside that of exact arithmetic.

use crate::common::Folder;
use serde_json::Value;

const PANE: [&str; 4] = ["--triangle", "0,0,0", "1,0,0", "0,1,0"];

fn explain(folder: &Folder, triangle: &[&str], from: &str, to: &str) -> Vec<Value> {
    explain_aimed(folder, triangle, from, ["--to", to])
}

fn explain_aimed(folder: &Folder, triangle: &[&str], from: &str, aim: [&str; 2]) -> Vec<Value> {
    let line = [&["explain", "--json", "--from", from][..], &aim, triangle].concat();
    let ran = folder.run(&line);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let answer: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    answer["algorithms"].as_array().expect("a list").clone()
}

fn hits(algorithms: &[Value]) -> Vec<&str> {
    let hits = algorithms.iter().filter(|found| found["hit"] == true);
    hits.map(|found| found["algorithm"].as_str().expect("a name")).collect()
}

#[test]
fn all_agree_on_a_plain_hit() {
    let folder = Folder::new("explain-hit");
    let all = explain(&folder, &["--triangle", "0,0,0", "4,0,0", "0,4,0"], "1,2,3", "1,2,-1");
    assert_eq!((all.len(), hits(&all).len()), (10, 10));
    for found in &all {
        assert_eq!(found["weights"], serde_json::json!([0.25, 0.25, 0.5]), "{found}");
        assert_eq!((&found["t"], &found["facing"]), (&0.75.into(), &"front".into()), "{found}");
    }
}

#[test]
fn rounding_tells_algorithms_apart() {
    let folder = Folder::new("explain-edge");
    let all = explain(&folder, &PANE, "0.1,0.9,1", "0.1,0.9,-1");
    assert_eq!(all[0]["weights"][0], -(2f64.powi(-55)), "the exact weight of A");
    let hits = hits(&all);
    assert!(!hits.contains(&"exact arithmetic") && !hits.contains(&"plane, edge functions"), "{hits:?}");
    assert!(hits.contains(&"Moeller-Trumbore") && hits.contains(&"plane, angle sum"), "{hits:?}");
}

#[test]
fn one_sided_and_line_query_differ_where_they_should() {
    let folder = Folder::new("explain-sides");
    let reason = |all: &[Value], name: &str| {
        let found = all.iter().find(|found| found["algorithm"] == name).expect("it is there");
        found["reason"].as_str().unwrap_or("hit").to_owned()
    };
    let behind = explain(&folder, &PANE, "0.2,0.2,-1", "0.2,0.2,1");
    assert_eq!(reason(&behind, "Moeller-Trumbore, one-sided"), "from behind");
    assert_eq!(hits(&behind).len(), 9);
    let short = explain(&folder, &PANE, "0.2,0.2,3", "0.2,0.2,2");
    assert_eq!(hits(&short), ["line query"]);
    assert_eq!(reason(&short, "collision matrix"), "both ends on one side");
    assert_eq!(reason(&short, "exact arithmetic"), "beyond the ends");
    let within = explain(&folder, &PANE, "-1,0.2,0", "1,0.2,0");
    assert_eq!(hits(&within), [""; 0]);
    assert_eq!(reason(&within, "watertight recipe, f32"), "parallel or no area");
    // There is no point of the plane of which edges or angles could be told.
    let looked_at = |name: &str| {
        let found = within.iter().find(|found| found["algorithm"] == name).expect("it is there");
        let values = found["values"].as_array().expect("a list").iter();
        values.map(|value| value["what"].as_str().expect("words").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(looked_at("plane, edge functions"), ["slope, n . D", "height, n . (O - A)"]);
    assert_eq!(looked_at("plane, angle sum"), [""; 0]);
}

#[test]
fn a_ray_without_an_end_is_one_in_every_row() {
    let folder = Folder::new("explain-half-line");
    let triangle = ["--triangle", "0,0,0", "4,0,0", "0,4,0"];
    // The second adds up to no other point than --from, and no point is as far away as the third's t = 1.
    for (dir, t) in [("0,0,-1", 3.0), ("0,0,-1e-20", 3e20), ("0,0,-1e31", 3e-31)] {
        let all = explain_aimed(&folder, &triangle, "1,1,3", ["--dir", dir]);
        assert_eq!(hits(&all).len(), 10, "{dir}: {:?}", hits(&all));
        for found in &all {
            let off = found["t"].as_f64().expect("a number") / t - 1.0;
            assert!(off.abs() < 1e-6, "{dir}: {found}");
        }
    }
    let away = explain_aimed(&folder, &triangle, "1,1,3", ["--dir", "0,0,1"]);
    assert_eq!(hits(&away), ["line query"]);
    let matrix = away.iter().find(|found| found["algorithm"] == "collision matrix").expect("it is there");
    assert_eq!(matrix["reason"], "beyond the ends");
    assert_eq!(matrix["values"][1]["what"], "slope of --dir");
    let table = folder.run(&[&["explain", "--from", "1,1,3", "--dir", "0,0,-1"][..], &triangle].concat());
    assert!(
        table.out.starts_with("triangle (0, 0, 0) (4, 0, 0) (0, 4, 0), from (1, 1, 3) along (0, 0, -1)\n"),
        "{}",
        table.out
    );
    assert!(table.out.ends_with("verdict: hit; all 9 algorithms agree\n"), "{}", table.out);
}

#[test]
fn triangles_without_area_and_negative_numbers_are_understood() {
    let folder = Folder::new("explain-flat");
    let flat = explain(&folder, &["--triangle", "-1,-1,-1", "0,0,0", "-.5,-.5,-.5"], "-1,0,0", "1,0,-1e-3");
    assert_eq!(hits(&flat), [""; 0]);
    let table = folder.run(&[
        "explain",
        "--triangle",
        "-1,-1,0",
        "1,-1,0",
        "0,1,0",
        "--from",
        "0,0,-1",
        "--to",
        "0,0,1",
    ]);
    assert_eq!(table.err, "");
    let last = table.out.lines().last().expect("a verdict");
    assert_eq!(last, "verdict: hit; 1 of 9 differ: Moeller-Trumbore, one-sided");
    // The ends are told as they were given, not as the ray's direction rounds them.
    let far = ["--from", "1e17,0,1", "--to", "1,0,-1"];
    let far = folder.run(&[&["explain"][..], &PANE, &far].concat());
    assert!(
        far.out.starts_with("triangle (0, 0, 0) (1, 0, 0) (0, 1, 0), from (1e17, 0, 1) to (1, 0, -1)\n"),
        "{}",
        far.out
    );
}
