//! One scene in many sizes: what a rate, a build and a triangle's bytes become as meshes outgrow the caches.

use std::error::Error;
use std::fmt::Write as _;

use hitscan::Ray;
use hitscan_bench::rays::{Workload, record};
use hitscan_bench::scenes::load;
use hitscan_bench::{document, markdown};

use crate::agree::{differ, hits};
use crate::options::Options;
use crate::report::curves::{self, Curve, Panel};
use hitscan_bench::forms::{Calls, Form, Query};
use hitscan_bench::measure::{Run, Timing};
use hitscan_bench::peers::embree::{self, Embree, Plain};
use hitscan_bench::peers::ours::{self, Ours};
use hitscan_bench::peers::{Builder, Rival, Team};

/// The sizes, in steps of about three. The first of them are all of a quick run.
const SIZES: [&str; 10] = [
    "builtin:terrain:1k",
    "builtin:terrain:3k",
    "builtin:terrain:10k",
    "builtin:terrain:30k",
    "builtin:terrain:100k",
    "builtin:terrain:300k",
    "builtin:terrain:1M",
    "builtin:terrain:3M",
    "builtin:terrain:10M",
    "builtin:terrain:30M",
];
const QUICK: usize = 6;

/// The rays: diffuse, so that neighbours have little in common.
const RAYS: Workload = Workload::Bounce(2);
const SINGLE: Form = Form { query: Query::Closest, calls: Calls::Single };
const BATCH: Form = Form { query: Query::Closest, calls: Calls::Batch(1 << 16) };

/// Bytes a triangle that making the scene, both rivals' trees and both builds are given, at most at once.
const ROOM: u64 = 600;

/// A size, and what was measured there.
struct Point {
    triangles: usize,
    hits: u64,
    /// Rays that Embree answers otherwise.
    differ: Option<usize>,
    /// Million rays a second on one thread.
    single: f64,
    batch: f64,
    embree: Option<f64>,
    /// Seconds of a build on all threads, and bytes a triangle, vertices and indices included: ours, then Embree's.
    builds: Vec<(f64, f64)>,
}

/// Measures every size that fits into memory; a run that is not quick replaces the part of the documents and the picture.
pub fn run(
    options: &Options,
    library: Option<&'static Embree>,
    one: &Team,
    all: &Team,
    about: &str,
) -> Result<(), Box<dyn Error>> {
    let sizes = if options.quick { &SIZES[..QUICK] } else { &SIZES[..] };
    let (mut points, mut skipped) = (Vec::new(), Vec::new());
    for (name, triangles) in sizes.iter().map(|&name| (name, triangles(name))) {
        let needed = triangles * ROOM;
        if let Some(free) = available_memory().filter(|&free| free < needed) {
            let gigabytes = |bytes: u64| bytes as f64 / f64::from(1 << 30);
            skipped.push(format!(
                "{name} is left out: it is given {:.1} GB, and {:.1} GB were free.",
                gigabytes(needed),
                gigabytes(free)
            ));
            eprintln!("{}", skipped[skipped.len() - 1]);
            continue;
        }
        let point = measure(name, options, library, one, all)?;
        eprintln!(
            "{name}: Mrays/s {:.2}, batch {:.2}, Embree {}",
            point.single,
            point.batch,
            cell(point.embree, 2)
        );
        points.push(point);
    }
    let table = table(&points, all.threads);
    println!("{about}\n\n{table}");
    let title = "Rate, build and memory by the number of triangles";
    let svg = curves::svg(title, &panels(&points));
    let part = format!(
        "{about}; `cargo run --release -p hitscan-bench -- --scaling`.\n\n{table}\n{}![{title}](figures/scaling.svg)",
        skipped.iter().map(|sentence| format!("{sentence}\n\n")).collect::<String>()
    );
    for (extension, text) in [("md", &part), ("svg", &svg), ("csv", &csv(&points))] {
        let path = options.out.join("hitscan-scaling").with_extension(extension);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    if options.is_whole() && options.forced.is_none() {
        document::figure("scaling.svg", &svg)?;
        document::replace(document::PERFORMANCE, "hitscan-bench scaling", &part)?;
    }
    Ok(())
}

/// About how many triangles a name of [`SIZES`] stands for.
fn triangles(name: &str) -> u64 {
    let size = name.rsplit(':').next().unwrap_or_default();
    let (number, unit) = match (size.strip_suffix('k'), size.strip_suffix('M')) {
        (Some(number), _) => (number, 1_000),
        (_, Some(number)) => (number, 1_000_000),
        _ => (size, 1),
    };
    number.parse::<u64>().map_or(0, |number| number * unit)
}

/// Bytes that programs can have without others being pushed out; `None` where the system does not say.
fn available_memory() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

fn measure(
    name: &'static str,
    options: &Options,
    library: Option<&'static Embree>,
    one: &Team,
    all: &Team,
) -> Result<Point, Box<dyn Error>> {
    let loaded = load(name)?.ok_or("a built-in scene is always there")?;
    let rays = record(RAYS, &loaded, options.side());
    // The scene beside it has a tree of its own.
    let mesh = loaded.mesh;
    let isa = options.forced.unwrap_or(mesh.isa());
    let mesh = mesh.with_isa(isa).ok_or_else(|| format!("{isa} is not available here"))?;
    drop(loaded.scene);

    let mut builders = vec![Builder { name: "hitscan", build: ours::build(&mesh) }];
    if let Some(library) = library {
        let build = embree::build(library, &mesh, options.forced, all.threads)?;
        builders.push(Builder { name: embree::FAST, build });
    }
    let mut runs: Vec<&mut dyn Run> =
        builders.iter_mut().map(|builder| &mut *builder.build as &mut dyn Run).collect();
    let timings = all.rounds(&mut runs, &options.plan_of_builds());
    let mut builds = Vec::new();
    for (builder, Timing { seconds, .. }) in builders.iter().zip(timings) {
        let bytes = builder.build.bytes().map_err(|error| format!("{}: {error}", builder.name))?;
        let bytes = bytes.ok_or_else(|| format!("{}: no bytes are told", builder.name))?;
        builds.push((seconds, bytes as f64 / mesh.triangles().len() as f64));
    }
    drop(builders);

    let plain = library.map(|library| Plain::new(library, &mesh, options.forced)).transpose()?;
    let size = mesh.bounds().map_or(0.0, |(low, high)| f64::from((high - low).length()));
    let triangles = mesh.triangles().len();
    let ours = Ours(mesh);
    let mut rivals: Vec<Rival<'_>> = [SINGLE, BATCH]
        .map(|form| Rival { name: "hitscan", session: ours.session(&rays, form) })
        .into_iter()
        .chain(plain.as_ref().map(|plain| plain.closest(&rays, SINGLE)))
        .collect();
    let mut runs: Vec<&mut dyn Run> =
        rivals.iter_mut().map(|rival| &mut *rival.session as &mut dyn Run).collect();
    let timings = one.rounds(&mut runs, &options.plan());
    let answers: Vec<Vec<f64>> = rivals.iter().map(|rival| rival.session.answers()).collect();
    if answers[0] != answers[1] {
        return Err(format!("{name}: a batch answers otherwise than single calls").into());
    }
    let rate = |place: usize, rays: &[Ray]| rays.len() as f64 / 1e6 / timings[place].seconds;
    Ok(Point {
        triangles,
        hits: hits(Query::Closest, &answers[0]),
        differ: answers.get(2).map(|theirs| differ(Query::Closest, &rays, size, &answers[0], theirs)),
        single: rate(0, &rays),
        batch: rate(1, &rays),
        embree: (timings.len() > 2).then(|| rate(2, &rays)),
        builds,
    })
}

/// A number, or a sign that there is none.
fn cell(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.digits$}"))
}

fn table(points: &[Point], threads: usize) -> String {
    let build = format!("build, {threads} threads, ms");
    let header = [
        "triangles",
        "hits",
        "single, Mrays/s",
        "batch of 64 k",
        "Embree single",
        "differ",
        &build,
        "Embree",
        "bytes a triangle",
        "Embree",
    ];
    let mut table = vec![header.map(str::to_owned).to_vec()];
    for point in points {
        let theirs = point.builds.get(1);
        table.push(vec![
            point.triangles.to_string(),
            point.hits.to_string(),
            format!("{:.2}", point.single),
            format!("{:.2}", point.batch),
            cell(point.embree, 2),
            point.differ.map_or("-".to_owned(), |count| count.to_string()),
            format!("{:.2}", point.builds[0].0 * 1e3),
            cell(theirs.map(|(seconds, _)| seconds * 1e3), 2),
            format!("{:.0}", point.builds[0].1),
            cell(theirs.map(|(_, bytes)| *bytes), 0),
        ]);
    }
    markdown::table(&table)
}

fn panels(points: &[Point]) -> [Panel; 3] {
    let curve = |name, colour, value: &dyn Fn(&Point) -> Option<f64>| Curve {
        name,
        colour,
        points: points.iter().filter_map(|point| Some((point.triangles as f64, value(point)?))).collect(),
    };
    let builds = |value: fn(&(f64, f64)) -> f64| {
        vec![
            curve("hitscan", 0, &|point| point.builds.first().map(value)),
            curve("Embree", 2, &|point| point.builds.get(1).map(value)),
        ]
    };
    [
        Panel {
            title: "Million bounce rays a second, one thread",
            curves: vec![
                curve("hitscan, single calls", 0, &|point| Some(point.single)),
                curve("hitscan, batches", 1, &|point| Some(point.batch)),
                curve("Embree, single calls", 2, &|point| point.embree),
            ],
        },
        Panel { title: "Seconds of a build, all threads", curves: builds(|(seconds, _)| *seconds) },
        Panel {
            title: "Bytes a triangle, vertices and indices included",
            curves: builds(|(_, bytes)| *bytes),
        },
    ]
}

fn csv(points: &[Point]) -> String {
    let mut text = "triangles,hits,differ,single_per_second,batch_per_second,embree_per_second,\
                    build_seconds,embree_build_seconds,bytes,embree_bytes\n"
        .to_owned();
    for point in points {
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let (ours, theirs) = (point.builds[0], point.builds.get(1));
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{}",
            point.triangles,
            point.hits,
            point.differ.map(|count| count.to_string()).unwrap_or_default(),
            point.single * 1e6,
            point.batch * 1e6,
            number(point.embree.map(|rate| rate * 1e6)),
            ours.0,
            number(theirs.map(|(seconds, _)| *seconds)),
            ours.1,
            number(theirs.map(|(_, bytes)| *bytes))
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_rise_in_steps_of_three() {
        let sizes = SIZES.map(triangles);
        assert_eq!((sizes[0], sizes[9]), (1_000, 30_000_000));
        assert!(sizes.windows(2).all(|pair| pair[1] >= 3 * pair[0] && pair[1] <= 4 * pair[0]), "{sizes:?}");
        assert_eq!(sizes[QUICK - 1], 300_000);
    }

    #[test]
    fn a_size_without_embree_has_a_row_and_no_curve() {
        let point = Point {
            triangles: 968,
            hits: 9,
            differ: None,
            single: 2.0,
            batch: 4.0,
            embree: None,
            builds: vec![(0.001, 75.0)],
        };
        let points = [point];
        let row: Vec<String> =
            table(&points, 2).lines().nth(2).unwrap().split('|').map(|c| c.trim().to_owned()).collect();
        assert_eq!(row[1..11], ["968", "9", "2.00", "4.00", "-", "-", "1.00", "-", "75", "-"]);
        assert_eq!(csv(&points).lines().nth(1), Some("968,9,,2000000,4000000,,0.001,,75,"));
        assert!(panels(&points).iter().all(|panel| panel.curves.last().unwrap().points.is_empty()));
    }
}
