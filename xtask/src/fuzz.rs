//! Runs the fuzzers of `fuzz/` for so long, each from its seeds and from what it found before.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitStatus};

const TARGETS: [&str; 4] = ["scenes", "rays", "saved", "worlds"];

/// Where this is set, [`compile`] counts branches in the kernels too.
const BRANCHES: &str = "HITSCAN_FUZZ_BRANCHES";

const USAGE: &str = "\
usage: cargo xtask fuzz [--seconds N | --hours N] [--branches] [--sanitize] [TARGET ...]
  --seconds N   how long each runs; 60 by default
  --hours N     the same in hours
  --branches    guided by the branches taken in the library, too, rather than by its functions: its kernels then take
                many minutes to compile
  --sanitize    with the address sanitizer, whose build takes many minutes
  TARGET        scenes, rays, saved or worlds; all of them by default";

/// Fuzzes; a report, or where what was found lies.
pub fn run(arguments: &[&str]) -> Result<String, String> {
    let (mut seconds, mut branches, mut sanitizer, mut named) = (60u64, false, "none", Vec::new());
    let mut rest = arguments.iter();
    while let Some(&argument) = rest.next() {
        let mut number = || {
            let value = rest.next().and_then(|value| value.parse::<u64>().ok());
            value.ok_or_else(|| format!("{argument} needs a whole number\n{USAGE}"))
        };
        match argument {
            "--seconds" => seconds = number()?,
            "--hours" => seconds = 3600 * number()?,
            "--branches" => branches = true,
            "--sanitize" => sanitizer = "address",
            target if TARGETS.contains(&target) => named.push(target),
            other => return Err(format!("{other} is neither an option nor a target\n{USAGE}")),
        }
    }
    let compiler = std::env::current_exe().map_err(|error| format!("this program's own name: {error}"))?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the repository has no root")?;
    let fuzz = |verb: &str| {
        let mut command = Command::new("cargo");
        command.args(["+nightly", "fuzz", verb, "--fuzz-dir", "fuzz", "--sanitizer", sanitizer]);
        // Traced comparisons make kernels longer still, which take minutes to compile as it is.
        command.arg("--no-trace-compares").current_dir(root).env("RUSTC_WRAPPER", &compiler);
        if branches {
            command.env(BRANCHES, "1");
        }
        command
    };
    let missing = "it needs a nightly toolchain (rustup toolchain install nightly) and cargo-fuzz (cargo install cargo-fuzz)";
    let mut report = String::new();
    for target in TARGETS.into_iter().filter(|target| named.is_empty() || named.contains(target)) {
        let corpus = root.join("fuzz/corpus").join(target);
        std::fs::create_dir_all(&corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
        let mut command = fuzz("run");
        let seeds = root.join("fuzz/seeds").join(target);
        command.arg(target).arg(&corpus).args(Some(seeds).filter(|seeds| seeds.exists())).arg("--");
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

/// Calls the compiler for cargo, which names it and its arguments.
///
/// Coverage of every branch makes the kernels' compilation several times as long, so the library gets that of functions.
pub fn compile(compiler: &str, arguments: &[&str]) -> Result<ExitStatus, String> {
    let is_library = arguments.windows(2).any(|pair| pair == ["--crate-name", "hitscan"]);
    let coarser = is_library && std::env::var_os(BRANCHES).is_none();
    let argument = |argument: &&str| {
        let level = "-sanitizer-coverage-level=";
        let end = argument.find(level).filter(|_| coarser).map(|at| at + level.len());
        end.map_or_else(|| argument.to_string(), |end| format!("{}1", &argument[..end]))
    };
    let status = Command::new(compiler).args(arguments.iter().map(argument)).status();
    status.map_err(|error| format!("{compiler}: {error}"))
}
