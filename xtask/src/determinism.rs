//! The program `determinism` on other processors, which qemu stands in for.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A target whose programs link without a C compiler.
struct Target {
    triple: &'static str,
    emulator: &'static str,
    what: &'static str,
    /// The instruction sets that walk trees there.
    kernels: &'static [&'static str],
}

const TARGETS: [Target; 3] = [
    Target {
        triple: "i686-unknown-linux-musl",
        emulator: "qemu-i386",
        what: "32 bits",
        kernels: &["scalar"],
    },
    Target {
        triple: "aarch64-unknown-linux-musl",
        emulator: "qemu-aarch64",
        what: "AArch64",
        kernels: &["neon", "scalar"],
    },
    Target {
        triple: "powerpc64-unknown-linux-musl",
        emulator: "qemu-ppc64",
        what: "the highest byte first",
        kernels: &["scalar"],
    },
];

const USAGE: &str = "\
usage: cargo xtask determinism [--rays N] [--law] [--skip-missing] [TARGET ...]
  --rays N        one of the numbers that hashes are stored for; 10000 by default
  --law           also the library's tests that hold every query against brute force; some ten minutes a target
  --skip-missing  goes on where a standard library or an emulator is missing, and says so
  TARGET          those to show; all of them by default";

/// Shows that the stored hash is that of each target; installs nothing.
pub fn show(arguments: &[&str]) -> Result<String, String> {
    let (mut rays, mut law, mut skips, mut named) = ("10000", false, false, Vec::new());
    let mut rest = arguments.iter();
    while let Some(&argument) = rest.next() {
        match argument {
            "--rays" => rays = rest.next().ok_or_else(|| format!("--rays needs a value\n{USAGE}"))?,
            "--law" => law = true,
            "--skip-missing" => skips = true,
            triple if TARGETS.iter().any(|target| target.triple == triple) => named.push(triple),
            other => return Err(format!("{other} is neither an option nor a target\n{USAGE}")),
        }
    }
    let wanted = TARGETS.iter().filter(|target| named.is_empty() || named.contains(&target.triple));
    let (mut shown, mut report) = (Vec::new(), String::new());
    for target in wanted {
        match missing(target)? {
            None => shown.push(target),
            Some(what) if skips => {
                _ = writeln!(report, "not shown: {} ({}): {what}", target.triple, target.what)
            }
            Some(what) => return Err(format!("{} ({}): {what}", target.triple, target.what)),
        }
    }
    let programs = build(&shown)?;
    for (target, program) in shown.iter().zip(programs) {
        for kernel in target.kernels {
            let arguments = ["--rays", rays, "--isa", kernel];
            let status = Command::new(target.emulator).arg(&program).args(arguments).status();
            let status = status.map_err(|error| format!("{}: {error}", target.emulator))?;
            if !status.success() {
                return Err(format!("{} {} --isa {kernel}: {status}", target.emulator, program.display()));
            }
            let Target { triple, what, .. } = target;
            let _ = writeln!(report, "shown: {triple} ({what}), {kernel}: {rays} rays as stored");
        }
        if law {
            test(target)?;
            let _ = writeln!(report, "shown: {} ({}): the tests of the law", target.triple, target.what);
        }
    }
    Ok(report)
}

/// What is not there to show a target, and how it is had.
fn missing(target: &Target) -> Result<Option<String>, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", target.triple])
        .output()
        .map_err(|error| format!("rustc: {error}"))?;
    let folder = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() || !Path::new(folder.trim()).exists() {
        let triple = target.triple;
        return Ok(Some(format!("its standard library is missing; `rustup target add {triple}` fetches it")));
    }
    if Command::new(target.emulator).arg("--version").output().is_err() {
        let emulator = target.emulator;
        return Ok(Some(format!("{emulator} is missing; it is in the package qemu-user of Debian")));
    }
    Ok(None)
}

/// Compiles the program for these targets; where it is for each.
fn build(targets: &[&Target]) -> Result<Vec<PathBuf>, String> {
    if targets.is_empty() {
        return Ok(Vec::new());
    }
    let folder = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    run(cargo("build", targets).args(["--package", "hitscan-determinism"]))?;
    let program = |target: &&Target| folder.join(target.triple).join("elsewhere").join("determinism");
    Ok(targets.iter().map(program).collect())
}

/// Runs the library's tests as a target's.
fn test(target: &Target) -> Result<(), String> {
    let runner = format!("{}_RUNNER", variable(target));
    run(cargo("test", &[target])
        .args(["--package", "hitscan", "--lib", "--test", "law"])
        .env(runner, target.emulator)
        .env("HITSCAN_SHORT", "1"))
}

/// A command of Cargo for some targets.
fn cargo(command: &str, targets: &[&Target]) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).args([command, "--profile", "elsewhere"]);
    for target in targets {
        // Rust's own linker, and a C library within the program: nothing of the target has to be installed.
        cargo.env(format!("{}_LINKER", variable(target)), "rust-lld");
        cargo.env(format!("{}_RUSTFLAGS", variable(target)), "-Ctarget-feature=+crt-static");
        cargo.args(["--target", target.triple]);
    }
    cargo
}

/// How the names of environment variables begin that Cargo reads about a target.
fn variable(target: &Target) -> String {
    format!("CARGO_TARGET_{}", target.triple.replace('-', "_").to_uppercase())
}

fn root() -> &'static Path {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"));
    crates.parent().unwrap_or(crates)
}

fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("cargo: {status}")) }
}
