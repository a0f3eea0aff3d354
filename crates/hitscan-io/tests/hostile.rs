//! Small files that ask for much: each takes memory and time for its own bytes, not for what it names many times over.
//! What they claim to hold is in the tests of each format. A program of its own, since it looks at the memory that the
//! whole process takes.

// These tests use a part of it.
#[allow(dead_code)]
#[path = "files/support/mod.rs"]
mod support;

use std::fmt::Write;

use hitscan_io::{Options, Parts, ReadError};
use support::{Gltf, refuses};

/// What all tests of this file together may take at their highest, in KiB.
const MOST: u64 = 512 << 10;

fn parse(bytes: impl Into<Vec<u8>>) -> Result<Parts, ReadError> {
    let parts = hitscan_io::parse("hostile", bytes.into(), &Options::default());
    // Where the system does not tell, the test is only that it ends.
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak: u64 = peak.unwrap().trim().trim_end_matches(" kB").parse().unwrap();
        assert!(peak < MOST, "{} MiB were taken", peak >> 10);
    }
    parts
}

#[test]
fn twenty_thousand_solids_share_one_table() {
    let corners: String = (0..16).map(|row| format!("vertex {row} {} 0\n", row * row)).collect();
    let lines: Vec<&str> = corners.lines().collect();
    let facet = |i: usize| {
        format!(
            "facet outer loop {} {} {} endloop endfacet\n",
            lines[i],
            lines[(i + 1) % 16],
            lines[(i + 2) % 16]
        )
    };
    let solid = format!("solid\n{}endsolid\n", (0..16).map(facet).collect::<String>());
    let parts = parse(solid.repeat(20_000)).unwrap();
    assert_eq!(parts.drafts.len(), 20_000);
    assert!(parts.drafts.iter().all(|draft| draft.vertices.len() == 16 && draft.triangles.len() == 16));
}

#[test]
fn a_thousand_accessors_share_one_numbering() {
    const COUNT: usize = 1_000_000;
    let mut gltf = Gltf { data: vec![0; COUNT], ..Gltf::default() };
    let indices = gltf.indices(&[0, 1, COUNT as u32 - 1].map(u32::to_le_bytes), 5125);
    let primitives: Vec<String> = (0..1000)
        .map(|_| {
            gltf.accessors.push(format!(r#"{{"componentType":5126,"type":"VEC3","count":{COUNT}}}"#));
            format!(r#""attributes":{{"POSITION":{}}},"indices":{indices}"#, gltf.accessors.len() - 1)
        })
        .collect();
    gltf.mesh("all", &primitives);
    let parts = parse(gltf.glb()).unwrap();
    assert_eq!((parts.drafts[0].triangles.len(), parts.drafts[0].vertices.len()), (1000, 3000));
    assert_eq!(parts.drafts[0].triangles[999], [2997, 2998, 2999]);
}

#[test]
fn few_bytes_replace_few_elements() {
    const COUNT: usize = 200_000;
    let mut gltf = Gltf::default();
    let indices = gltf.indices(&[0u8, 1, 2].map(u8::to_le_bytes), 5121);
    let rows: Vec<u8> = (0..3 * COUNT as u32).flat_map(u32::to_le_bytes).collect();
    let rows = gltf.view(&rows, None);
    // The same bytes are rows and values, of every accessor.
    let accessor = format!(
        r#"{{"componentType":5126,"type":"VEC3","count":{COUNT},"sparse":{{"count":{COUNT},"indices":{{"bufferView":{rows},"componentType":5125}},"values":{{"bufferView":{rows}}}}}}}"#
    );
    let primitives: Vec<String> = (0..30)
        .map(|_| {
            gltf.accessors.push(accessor.clone());
            format!(r#""attributes":{{"POSITION":{}}},"indices":{indices}"#, gltf.accessors.len() - 1)
        })
        .collect();
    gltf.mesh("all", &primitives);
    refuses(
        "sparse-bomb",
        [(
            "sparse.glb",
            gltf.glb(),
            "sparse.glb: 4200000 elements replaced by sparse accessors are more than the file can hold; the limit is 4194304",
        )],
    );
}

#[test]
fn a_header_of_many_names_is_read_in_time() {
    let mut header = "ply\nformat ascii 1.0\nelement vertex 3\n".to_owned();
    for name in ["x", "y", "z"] {
        let _ = writeln!(header, "property float {name}");
    }
    header += "element face 1\nproperty list uchar int vertex_indices\nelement other 0\n";
    for number in 0..300_000 {
        let _ = writeln!(header, "property char p{number}");
    }
    for number in 0..300_000 {
        let _ = writeln!(header, "element e{number} 0\nproperty char p");
    }
    let parts = parse(header + "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n").unwrap();
    assert_eq!(parts.drafts[0].triangles, [[0, 1, 2]]);
}
