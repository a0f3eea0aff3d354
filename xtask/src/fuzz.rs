//! Runs the fuzzers of `fuzz/` for so long, each from its seeds and from what it found before.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const TARGETS: [&str; 3] = ["scenes", "rays", "worlds"];

const USAGE: &str = "\
usage: cargo xtask fuzz [--seconds N | --hours N] [--sanitize] [TARGET ...]
  --seconds N   how long each runs; 60 by default
  --hours N     the same in hours
  --sanitize    with the address sanitizer, whose build takes many minutes
  TARGET        scenes, rays or worlds; all of them by default";

/// Fuzzes; a report, or where what was found lies.
pub fn run(arguments: &[&str]) -> Result<String, String> {
    let (mut seconds, mut sanitizer, mut named) = (60u64, "none", Vec::new());
    let mut rest = arguments.iter();
    while let Some(&argument) = rest.next() {
        let mut number = || {
            let value = rest.next().and_then(|value| value.parse::<u64>().ok());
            value.ok_or_else(|| format!("{argument} needs a whole number\n{USAGE}"))
        };
        match argument {
            "--seconds" => seconds = number()?,
            "--hours" => seconds = 3600 * number()?,
            "--sanitize" => sanitizer = "address",
            target if TARGETS.contains(&target) => named.push(target),
            other => return Err(format!("{other} is neither an option nor a target\n{USAGE}")),
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the repository has no root")?;
    let fuzz = |verb: &str| {
        let mut command = Command::new("cargo");
        command.args(["+nightly", "fuzz", verb, "--fuzz-dir", "fuzz", "--sanitizer", sanitizer]);
        // Traced comparisons make kernels longer still, which take minutes to compile as it is.
        command.arg("--no-trace-compares").current_dir(root);
        command
    };
    let missing = "it needs a nightly toolchain (rustup toolchain install nightly) and cargo-fuzz (cargo install cargo-fuzz)";
    let mut report = String::new();
    for target in TARGETS.into_iter().filter(|target| named.is_empty() || named.contains(target)) {
        let corpus = root.join("fuzz/corpus").join(target);
        std::fs::create_dir_all(&corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
        let mut command = fuzz("run");
        command.arg(target).arg(&corpus).arg(root.join("fuzz/seeds").join(target)).arg("--");
        command.arg(format!("-max_total_time={seconds}")).args(["-timeout=20", "-rss_limit_mb=4096"]);
        let status = command.status().map_err(|error| format!("cargo fuzz: {error}; {missing}"))?;
        if !status.success() {
            return Err(format!(
                "{target}: {status}; what it found is in fuzz/artifacts/{target}, where it got as far as running; {missing}"
            ));
        }
        let found = std::fs::read_dir(&corpus).map_or(0, Iterator::count);
        let _ = writeln!(report, "{target}: {seconds} s, nothing found; its corpus has {found} inputs");
    }
    Ok(report)
}
