//! `hitscan bench SCENE`: every form is there, all give the same hits, and the table is one that a person reads.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{CUBE, Folder};
use hitscan::{Isa, Preset};
use serde_json::Value;

/// Numbers of a short run.
fn measured(folder: &Folder, args: &[&str]) -> Value {
    let ran = folder.run(&[&["bench", "--json", "--seconds", "0.1"], args].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
    serde_json::from_str(&ran.out).expect("JSON")
}

/// The rows of the run.
fn rates(report: &Value) -> &[Value] {
    report["rates"].as_array().expect("a list")
}

#[test]
fn every_form_asks_every_question_and_finds_the_same() {
    let folder = Folder::new("bench-forms");
    let report = measured(&folder, &["builtin:sphere:1k", "--threads", "2"]);
    let sets = Isa::ALL.iter().filter(|isa| isa.is_available()).count();
    // Every question by every kernel, in batches and on all threads; the closest hit by the trees of the other presets too.
    let others = Preset::ALL.len() - 1;
    assert_eq!(rates(&report).len(), 5 * 4 * (sets + 2) + 5 * others);
    let presets: Vec<&Value> =
        report["trees"].as_array().expect("a list").iter().map(|tree| &tree["preset"]).collect();
    assert_eq!(presets, ["balanced", "fast", "best", "compact"]);
    assert_eq!((report["threads"].as_u64(), report["triangles"].as_u64()), (Some(2), Some(980)));

    let mut hits: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    for rate in rates(&report) {
        let median = rate["million_rays_per_second"]["median"].as_f64().expect("a number");
        assert!(median > 0.0 && rate["rays"].as_u64().is_some_and(|rays| rays >= 1000), "{rate}");
        hits.entry(format!("{} {}", rate["kind"], rate["question"])).or_default().push(&rate["hits"]);
    }
    assert_eq!(hits.len(), 20);
    for (row, hits) in hits {
        assert!(hits.iter().all(|other| *other == hits[0]), "{row}: {hits:?}");
    }
    for tree in report["trees"].as_array().expect("a list") {
        assert!(
            tree["nodes"].as_u64() > Some(10) && tree["bytes"].as_u64() > tree["tree_bytes"].as_u64(),
            "{tree}"
        );
        assert!(tree["closest"].as_f64() > Some(0.0) && tree["build_seconds"]["median"].as_f64() > Some(0.0));
    }
}

#[test]
fn the_table_is_aligned_and_fits() {
    let folder = Folder::new("bench-table");
    folder.write("box.obj", CUBE);
    for (threads, column) in [("1", None), ("2", Some("2 threads"))] {
        let ran = folder.run(&["bench", "box.obj", "--seconds", "0.1", "--threads", threads]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        let lines: Vec<&str> = ran.out.lines().collect();
        assert!(lines[0].starts_with("box.obj on "), "{}", ran.out);
        assert_eq!(lines[1], "12 triangles in 1 mesh");
        let head = lines.iter().position(|line| line.starts_with("rays ")).expect("a table of rates");
        assert_eq!(lines[head].contains("2 threads"), column.is_some(), "{}", ran.out);
        assert_eq!(lines.len() - head - 2, 20, "{}", ran.out);
        assert!(lines.iter().all(|line| line.chars().count() <= 100), "{}", ran.out);
    }
}

#[test]
fn rays_that_a_camera_has_no_place_for_are_left_out() {
    let folder = Folder::new("bench-away");
    folder.write("box.obj", CUBE);
    folder.write("away.cam", "5 5 5 1 0 0 0 1 0 30");
    let report = measured(&folder, &["box.obj", "--camera", "away.cam"]);
    let kinds: BTreeSet<&str> = rates(&report).iter().filter_map(|rate| rate["kind"].as_str()).collect();
    assert_eq!(kinds, BTreeSet::from(["primary", "segments", "columns"]));
    assert!(rates(&report)[..4].iter().all(|rate| rate["hits"] == 0));
}

#[test]
fn what_cannot_be_measured_is_said_at_once() {
    let folder = Folder::new("bench-refused");
    folder.write("box.obj", CUBE);
    for (line, message) in [
        ("bench missing.glb", "missing.glb: no such file; a scene is a file or builtin:NAME"),
        (
            "bench box.obj --camera front",
            "--camera: there is no 'front' in box.obj; it has no camera, or give a .cam file",
        ),
        (
            "bench builtin:atrium:5",
            "builtin:atrium:5: the size is not one; a size is a number of triangles from 100k to 30M, \
             as in atrium:100k, atrium:250k, atrium:1.5M",
        ),
    ] {
        let ran = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((ran.code, ran.out.as_str(), ran.err), (Some(1), "", format!("hitscan: {message}\n")));
    }
}
