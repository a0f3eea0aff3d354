//! Tests under tools that see what tests do not: Miri, the address sanitizer and the thread sanitizer, which nightly has.

use std::path::Path;
use std::process::Command;

/// A tool, and the tests that it runs.
struct Tool {
    name: &'static str,
    /// What of nightly it needs.
    component: Option<&'static str>,
    flags: &'static str,
    /// How far its programs are optimised.
    level: &'static str,
    /// For `cargo +nightly`, one after the other.
    runs: &'static [&'static str],
}

const TOOLS: [Tool; 3] = [
    // An interpreter, thousands of times slower than the machine: small worlds on the scalar kernel, and small files.
    Tool {
        name: "miri",
        component: Some("miri"),
        flags: "",
        level: "1",
        runs: &[
            "miri test --package hitscan --no-default-features --features std --test law --test saved \
            -- bytes:: small_mesh",
            "miri test --package hitscan --no-default-features --features std --lib -- append:: stock::",
        ],
    },
    // All kernels, trees, readers and saved scenes. Checks are calls, since the kernels with all of them inlined take a quarter of an
    // hour to compile. Left out is what takes minutes here and does nothing that others do not: how soon long work ends, whether it
    // takes memory, sweeps against a plain list, and a world of thousands of instances.
    Tool {
        name: "address",
        component: None,
        flags: "-Zsanitizer=address -Cllvm-args=-asan-instrumentation-with-call-threshold=0",
        level: "1",
        // Of the same packages, so that the kernels are compiled once.
        runs: &[
            "test --package hitscan --package hitscan-io --features hitscan-io/fbx --test law \
            -- batches:: bytes:: group_instances:: groups:: instances:: presets:: refit::",
            "test --package hitscan --package hitscan-io --features hitscan-io/fbx --test saved --test world --test pick \
            --test hostile --test files -- --skip end_soon --skip ends_soon --skip ends_wherever --skip allocations:: \
            --skip triangles_are_met_as_in_a_plain_list --skip large_meshes_and_many_instances",
        ],
    },
    // With a standard library that it watches too, and without `rayon`, whose fences it does not know. What it runs takes less than the
    // compiler would take to make it fast.
    Tool {
        name: "thread",
        component: Some("rust-src"),
        flags: "-Zsanitizer=thread",
        level: "0",
        runs: &[
            "test -Zbuild-std --package hitscan --no-default-features --features std --test world readers",
        ],
    },
];

/// Runs the tools named, or all.
pub fn run(named: &[&str]) -> Result<String, String> {
    if let Some(other) = named.iter().find(|name| TOOLS.iter().all(|tool| tool.name != **name)) {
        return Err(format!("{other} is no tool; expected miri, address or thread"));
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the repository has no root")?;
    let host = host()?;
    let mut report = String::new();
    for tool in TOOLS.iter().filter(|tool| named.is_empty() || named.contains(&tool.name)) {
        let component = tool.component.map_or(String::new(), |name| format!(" --component {name}"));
        let missing = format!("it needs rustup toolchain install nightly --profile minimal{component}");
        for run in tool.runs {
            let mut words = run.split_whitespace();
            let mut command = Command::new("cargo");
            command.arg("+nightly").args(words.next()).current_dir(root);
            if !tool.flags.is_empty() {
                // Its programs are told apart from build scripts by a target.
                command.args(["--target", &host]).env("RUSTFLAGS", tool.flags);
            }
            command
                .args(words)
                .env("CARGO_PROFILE_DEV_DEBUG", "false")
                .env("CARGO_PROFILE_DEV_OPT_LEVEL", tool.level);
            // For times, and for the seed of random tests.
            command.env("MIRIFLAGS", "-Zmiri-disable-isolation");
            command.env("CARGO_TARGET_DIR", root.join("target").join(tool.name));
            let status = command.status().map_err(|error| format!("cargo: {error}; {missing}"))?;
            if !status.success() {
                return Err(format!("{}: {status}; where it did not begin, {missing}", tool.name));
            }
        }
        report += &format!("{}: found nothing\n", tool.name);
    }
    Ok(report)
}

/// The triple of this machine.
fn host() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|error| format!("rustc: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV names no host".to_owned())
}
