//! Saved scenes, verified and trusted, beside loading the scene's own file and building its trees, and beside reading as many
//! bytes into memory that is there already, than which no verified open is faster.
#![allow(unsafe_code, reason = "the mapped file is this program's own")]

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::time::Instant;

use hitscan::Scene;

/// Rounds of all four; an odd number has a median.
const ROUNDS: usize = 15;

/// A verified open takes at most this part of loading and building, a trusted one at most this.
const MOST: [f64; 2] = [1.0 / 20.0, 1.0 / 100.0];

/// The kitchen where it is there, else what is built in.
fn source() -> &'static str {
    const KITCHEN: &str = "../shared/scenes/kitchen.glb";
    if Path::new(KITCHEN).exists() {
        return KITCHEN;
    }
    eprintln!("{KITCHEN} is not there; builtin:atrium:1M stands for it");
    "builtin:atrium:1M"
}

/// Prints the table; whether both kept their part.
pub fn compare() -> Result<bool, Box<dyn Error>> {
    let source = source();
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("scene.hitscan");
    let scene = hitscan_io::open(source)?.scene();
    scene.save(&path)?;
    drop(scene);
    let megabytes = fs::metadata(&path)?.len() as f64 / 1e6;
    let built = || -> Result<Scene, Box<dyn Error>> { Ok(hitscan_io::open(source)?.scene()) };
    let verified = || -> Result<Scene, Box<dyn Error>> { Ok(Scene::open(&path)?) };
    let trusted = || -> Result<Scene, Box<dyn Error>> {
        // SAFETY: the file lies in a folder of this program's own, and nothing writes to it.
        Ok(unsafe { Scene::map(&path) }?)
    };
    let time = |open: &dyn Fn() -> Result<Scene, Box<dyn Error>>| -> Result<f64, Box<dyn Error>> {
        let start = Instant::now();
        let scene = open()?;
        let elapsed = start.elapsed();
        black_box(scene);
        Ok(elapsed.as_secs_f64() * 1e3)
    };
    let mut memory = vec![0; fs::metadata(&path)?.len() as usize];
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        rounds.push([time(&built)?, time(&verified)?, time(&trusted)?, read(&path, &mut memory)?]);
    }
    let mut median = |key: &dyn Fn(&[f64; 4]) -> f64| {
        rounds.sort_by(|a, b| key(a).total_cmp(&key(b)));
        [ROUNDS / 2, 0, ROUNDS - 1].map(|round| key(&rounds[round]))
    };
    println!("{source}, {megabytes:.0} MB saved\n");
    println!("| way | ms | part of load and build (median, range) | GB/s |");
    println!("|---|---|---|---|");
    println!("| load and build | {:.0} | 1 | |", median(&|round| round[0])[0]);
    let mut kept = true;
    for (way, name) in
        [(1, "open, verified"), (2, "map, trusted"), (3, "its bytes read, by all cores, and nothing else")]
    {
        let [milliseconds, ..] = median(&|round| round[way]);
        let [part, low, high] = median(&|round| round[0] / round[way]);
        let rate = if way == 2 { String::new() } else { format!("{:.1}", megabytes / milliseconds) };
        println!("| {name} | {milliseconds:.2} | 1/{part:.0} (1/{high:.0} to 1/{low:.0}) | {rate} |");
        kept &= MOST.get(way - 1).is_none_or(|&most| 1.0 / part <= most);
    }
    Ok(kept)
}

/// How many milliseconds it takes to read a file.
fn read(path: &Path, memory: &mut [u8]) -> Result<f64, Box<dyn Error>> {
    use rayon::prelude::*;
    let start = Instant::now();
    let pieces = memory.par_chunks_mut(1 << 18).enumerate();
    pieces
        .try_for_each_init(
            || fs::File::open(path),
            |file, (piece, bytes)| {
                let file = file.as_mut().map_err(|error| error.kind())?;
                file.seek(SeekFrom::Start((piece as u64) << 18))
                    .and_then(|_| file.read_exact(bytes))
                    .map_err(|error| error.kind())
            },
        )
        .map_err(std::io::Error::from)?;
    Ok(start.elapsed().as_secs_f64() * 1e3)
}
