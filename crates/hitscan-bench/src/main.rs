//! Measures rays a second on recorded workloads, as ratios against a peer in one run.
//!
//! `cargo run --release -p hitscan-bench` measures every workload whose scene is there, prints a Markdown table and
//! fails where a count of hits differs from the stated one: a fast wrong answer is no answer. Names as
//! arguments choose workloads.

mod measure;
mod peer;
mod workload;

use std::process::ExitCode;

use hitscan::{Filter, Isa};
use measure::{Form, compare};
use peer::Parry;
use workload::{Loaded, WORKLOADS, Workload};

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let chosen =
        WORKLOADS.iter().filter(|w| wanted.is_empty() || wanted.iter().any(|name| w.name.contains(name)));
    println!(
        "Kernel: {}. Mrays/s on one thread; parry3d 0.31 on the same mesh and rays, alternating.\n",
        Isa::best()
    );
    println!("| workload | rays | form | hits | parry3d hits | hitscan | parry3d | ratio (median, range) |");
    println!("|---|---|---|---|---|---|---|---|");
    let mut failed = false;
    for workload in chosen {
        match workload.load() {
            Ok(Some(loaded)) => failed |= !run(workload, &loaded),
            Ok(None) => eprintln!("{}: skipped, the scene {} is not there", workload.name, workload.scene),
            Err(error) => {
                eprintln!("{}: {error}", workload.name);
                failed = true;
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Prints the rows of one workload; false where a count is not the stated one.
fn run(workload: &Workload, loaded: &Loaded) -> bool {
    let Workload { name, hits, .. } = workload;
    let Loaded { mesh, scene, rays } = loaded;
    let peer = Parry::new(mesh, rays);
    let filter = Filter::ALL;
    let forms = [
        Form {
            name: "closest, mesh",
            hits: hits.mesh,
            ours: &|| rays.iter().filter(|ray| mesh.closest(ray, &filter).is_some()).count(),
            peers: &|| peer.closest(),
        },
        Form {
            name: "closest, scene",
            hits: hits.scene,
            ours: &|| rays.iter().filter(|ray| scene.closest(ray, &filter).is_some()).count(),
            peers: &|| peer.closest(),
        },
        Form {
            name: "occluded, mesh",
            hits: hits.mesh,
            ours: &|| rays.iter().filter(|ray| mesh.occluded(ray, &filter)).count(),
            peers: &|| peer.occluded(),
        },
    ];
    let mut right = true;
    for form in forms {
        let result = compare(&form, rays.len());
        println!(
            "| {name} | {} | {} | {} | {} | {:.2} | {:.2} | {:.2} ({:.2} to {:.2}) |",
            rays.len(),
            form.name,
            result.hits,
            result.peer_hits,
            result.ours,
            result.peers,
            result.ratio,
            result.range[0],
            result.range[1],
        );
        if result.hits != form.hits {
            eprintln!("{name}, {}: {} rays hit; expected {}", form.name, result.hits, form.hits);
            right = false;
        }
    }
    right
}
