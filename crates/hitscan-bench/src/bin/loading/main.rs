//! Measures reading of mesh files: bytes in memory to vertices and triangles in memory, without trees, as ratios against
//! the best crate of each format in one run.
//!
//! `cargo run --release -p hitscan-bench --bin loading` writes a sphere of 1.3 million triangles in every format, reads
//! it with both rivals in alternating pairs, prints a Markdown table, and fails where a reader loses a triangle or where
//! the median is slower than the peer. Names as arguments choose rows; `saved` is the table of saved scenes.

mod files;
mod peers;
mod saved;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use files::Sphere;
use hitscan_io::Options;

/// Vertices and triangles in memory, or why not.
type Read = fn(Vec<u8>) -> Result<Lists, Box<dyn std::error::Error>>;

/// What a reader gives: something that frees its memory when it is dropped, and how many triangles it holds.
struct Lists {
    triangles: usize,
    data: Box<dyn std::any::Any>,
}

struct Row {
    name: &'static str,
    write: fn(&Sphere) -> Vec<u8>,
    peer: &'static str,
    read: Read,
}

const ROWS: &[Row] = &[
    Row { name: "GLB", write: files::glb, peer: "gltf 1.4", read: peers::gltf },
    Row { name: "OBJ", write: files::obj, peer: "tobj 4.0", read: peers::tobj },
    Row {
        name: "STL binary",
        write: files::stl_binary,
        peer: "stl_io 0.11, iterator",
        read: peers::stl_iterator,
    },
    Row {
        name: "STL binary",
        write: files::stl_binary,
        peer: "stl_io 0.11, welded",
        read: peers::stl_welded,
    },
    Row {
        name: "STL text",
        write: files::stl_text,
        peer: "stl_io 0.11, iterator",
        read: peers::stl_iterator,
    },
    Row { name: "PLY little-endian", write: files::ply_little, peer: "ply-rs-bw 4.0", read: peers::ply },
    Row { name: "PLY big-endian", write: files::ply_big, peer: "ply-rs-bw 4.0", read: peers::ply },
    Row { name: "PLY text", write: files::ply_text, peer: "ply-rs-bw 4.0", read: peers::ply },
];

/// Pairs of runs; an odd number has a median.
const PAIRS: usize = 9;

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let mut failed = false;
    if wanted.is_empty() || wanted.iter().any(|wanted| wanted == "saved") {
        match saved::compare() {
            Ok(kept) => failed |= !kept,
            Err(error) => {
                eprintln!("saved: {error}");
                failed = true;
            }
        }
        println!();
    }
    if wanted == ["saved"] {
        return if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    }
    let sphere = Sphere::new();
    println!("{} triangles on {} vertices.\n", sphere.triangles.len(), sphere.vertices.len());
    println!("| file | MB | hitscan-io, ms | peer, ms | peer | ratio (median, range) |");
    println!("|---|---|---|---|---|---|");
    for row in ROWS.iter().filter(|row| wanted.is_empty() || wanted.iter().any(|w| row.name.contains(w))) {
        failed |= match compare(row, &sphere) {
            Ok(ratio) => ratio < 1.0,
            Err(error) => {
                eprintln!("{}: {error}", row.name);
                true
            }
        };
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn ours(bytes: Vec<u8>) -> Result<Lists, Box<dyn std::error::Error>> {
    let parts = hitscan_io::parse("sphere", bytes, &Options::default())?;
    let triangles = parts.drafts.iter().map(|draft| draft.triangles.len()).sum();
    Ok(Lists { triangles, data: Box::new(parts) })
}

/// Prints the row, and gives the median ratio of the peer's time to ours.
fn compare(row: &Row, sphere: &Sphere) -> Result<f64, Box<dyn std::error::Error>> {
    let file = (row.write)(sphere);
    let time = |read: Read| -> Result<Duration, Box<dyn std::error::Error>> {
        // Each reader frees its bytes itself, as it would those that it had read from disk.
        let bytes = file.clone();
        let start = Instant::now();
        let lists = read(bytes)?;
        let elapsed = start.elapsed();
        if lists.triangles != sphere.triangles.len() {
            return Err(format!("{} triangles of {}", lists.triangles, sphere.triangles.len()).into());
        }
        black_box(lists.data);
        Ok(elapsed)
    };
    time(ours)?;
    time(row.read)?;
    let mut pairs = Vec::new();
    for pair in 0..PAIRS {
        let first = time(if pair % 2 == 0 { ours } else { row.read })?;
        let second = time(if pair % 2 == 0 { row.read } else { ours })?;
        pairs.push(
            if pair % 2 == 0 { [first, second] } else { [second, first] }.map(|t| t.as_secs_f64() * 1e3),
        );
    }
    let mut median = |key: fn(&[f64; 2]) -> f64| {
        pairs.sort_by(|a, b| key(a).total_cmp(&key(b)));
        [PAIRS / 2, 0, PAIRS - 1].map(|i| key(&pairs[i]))
    };
    let [ratio, low, high] = median(|[ours, peer]| peer / ours);
    let [ours, ..] = median(|pair| pair[0]);
    let [peer, ..] = median(|pair| pair[1]);
    let megabytes = file.len() as f64 / 1e6;
    println!(
        "| {} | {megabytes:.0} | {ours:.0} | {peer:.0} | {} | {ratio:.2} ({low:.2} to {high:.2}) |",
        row.name, row.peer
    );
    Ok(ratio)
}
