//! Files of rays against the queries alone: how much of the library's rate is left for a user of the command.
//!
//! `cargo build --release -p hitscan-cli && cargo run --release -p hitscan-bench --bin batch` asks 10 million rays,
//! or as many as its argument says, of one scene: in memory by `closest_batch`, and by the command from and to
//! files, in turn: each run of the command is held against the run in memory just before it, since a shared machine is
//! not as fast in one minute as in the next. The time that the command needs to start and to load the scene is measured
//! by a file of one ray, shown, and taken off. Each output has to have a row a ray.

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use hitscan::{Filter, Ray, Scene};
use hitscan_bench::rays::{Workload, record};
use hitscan_bench::scenes::{SCENES, file, load};
use parquet::basic::Compression;
use parquet::data_type::DoubleType;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

type Done<T> = Result<T, Box<dyn Error>>;

/// Rays that are asked where no argument says so.
const RAYS: usize = 10_000_000;

/// The side of the square of rays that each generation of bounces has.
const SIDE: u32 = 512;

/// Pairs of runs of each form; the one of the median ratio counts.
const ROUNDS: usize = 5;

/// Rays of one call in memory, as many as the command reads at a time.
const CALL: usize = 1 << 17;

/// From a file of rays to a file of answers.
const FORMS: [[&str; 2]; 3] = [["parquet", "parquet"], ["csv", "parquet"], ["csv", "csv"]];

fn main() -> Done<()> {
    let count = std::env::args().nth(1).map_or(Ok(RAYS), |text| text.parse())?;
    let folder = std::env::temp_dir().join(format!("hitscan-batch-{}", std::process::id()));
    fs::create_dir(&folder)?;
    let done = run(count, &folder);
    fs::remove_dir_all(&folder)?;
    done
}

fn run(count: usize, folder: &Path) -> Done<()> {
    // The first scene that is there: a built-in one always is.
    let mut found = None;
    for name in SCENES {
        if let Some(loaded) = load(name)? {
            found = Some(loaded);
            break;
        }
    }
    let loaded = found.ok_or("no scene is there")?;
    // Three generations, one after the other.
    let bounces = (1..=3).flat_map(|generation| record(Workload::Bounce(generation), &loaded, SIDE));
    let bounces: Vec<Ray> = bounces.collect();
    let rays: Vec<Ray> = bounces.iter().copied().cycle().take(count).collect();
    write_files(&rays, folder, "rays")?;
    write_files(&rays[..1], folder, "one")?;

    let mut load = f64::INFINITY;
    let mut pairs = FORMS.map(|_| Vec::new());
    for _ in 0..ROUNDS {
        load = load.min(command(file(loaded.name), folder, "one", FORMS[0], 1)?);
        for (pairs, form) in pairs.iter_mut().zip(FORMS) {
            let alone = queries(&loaded.scene, &rays);
            pairs.push([alone, command(file(loaded.name), folder, "rays", form, count)?]);
        }
    }
    let rate = |seconds: f64| count as f64 / 1e6 / seconds;
    let threads = std::thread::available_parallelism()?;
    println!(
        "{}: {count} rays, {threads} threads, {ROUNDS} pairs each, without {load:.2} s of loading\n",
        loaded.name
    );
    println!("| what | closest_batch in memory, Mrays/s | the command, Mrays/s | ratio (median, range) |");
    println!("|---|---|---|---|");
    for (mut pairs, [from, to]) in pairs.into_iter().zip(FORMS) {
        let ratio = |[alone, command]: [f64; 2]| alone / (command - load);
        pairs.sort_by(|a, b| ratio(*a).total_cmp(&ratio(*b)));
        let [alone, command] = pairs[ROUNDS / 2];
        let [low, median, high] = [pairs[0], pairs[ROUNDS / 2], pairs[ROUNDS - 1]].map(ratio);
        let (alone, command) = (rate(alone), rate(command - load));
        println!("| {from} to {to} | {alone:.2} | {command:.2} | {median:.2} ({low:.2} to {high:.2}) |");
    }
    Ok(())
}

/// Seconds of all queries in memory.
fn queries(scene: &Scene, rays: &[Ray]) -> f64 {
    let start = Instant::now();
    for rays in rays.chunks(CALL) {
        std::hint::black_box(scene.closest_batch(rays, &Filter::ALL));
    }
    start.elapsed().as_secs_f64()
}

/// Seconds of the command.
fn command(scene: PathBuf, folder: &Path, rays: &str, [from, to]: [&str; 2], rows: usize) -> Done<f64> {
    let command = std::env::current_exe()?.with_file_name("hitscan");
    let (rays, hits) = (folder.join(format!("{rays}.{from}")), folder.join(format!("hits.{to}")));
    let mut command = Command::new(command);
    command.arg("cast").arg(scene).arg("--rays").arg(rays).arg("-o").arg(&hits);
    let start = Instant::now();
    let status = command.status().map_err(|error| format!("hitscan: {error}; build hitscan-cli first"))?;
    let seconds = start.elapsed().as_secs_f64();
    let found = match to {
        "csv" => fs::read(&hits)?.iter().filter(|&&byte| byte == b'\n').count() - 1,
        _ => SerializedFileReader::new(File::open(&hits)?)?.metadata().file_metadata().num_rows() as usize,
    };
    fs::remove_file(&hits)?;
    if !status.success() || found != rows {
        return Err(format!("{from} to {to}: {found} rows of {rows}, {status}").into());
    }
    Ok(seconds)
}

/// Writes the rays as CSV and as Parquet, that one as other tools do by default: compressed by Snappy.
fn write_files(rays: &[Ray], folder: &Path, name: &str) -> Done<()> {
    let mut csv = BufWriter::new(File::create(folder.join(format!("{name}.csv")))?);
    writeln!(csv, "ox,oy,oz,dx,dy,dz")?;
    for ray in rays {
        let ([ox, oy, oz], [dx, dy, dz]) = (ray.origin().to_array(), ray.dir().to_array());
        writeln!(csv, "{ox},{oy},{oz},{dx},{dy},{dz}")?;
    }
    csv.flush()?;
    let schema = "message rays { required double ox; required double oy; required double oz;
        required double dx; required double dy; required double dz; }";
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let file = File::create(folder.join(format!("{name}.parquet")))?;
    let mut file =
        SerializedFileWriter::new(file, Arc::new(parse_message_type(schema)?), Arc::new(properties))?;
    for rays in rays.chunks(1 << 20) {
        let mut group = file.next_row_group()?;
        for column in 0..6 {
            let number = |ray: &Ray| {
                if column < 3 { ray.origin()[column] } else { ray.dir()[column - 3] }
            };
            let values: Vec<f64> = rays.iter().map(number).collect();
            let mut writer = group.next_column()?.ok_or("the schema has six columns")?;
            writer.typed::<DoubleType>().write_batch(&values, None, None)?;
            writer.close()?;
        }
        group.close()?;
    }
    file.close()?;
    Ok(())
}
