//! What others' code asks of those who use this: the licence of each crate behind the library and the command, and where it comes
//! from.

use std::fs;
use std::path::Path;
use std::process::Command;

use spdx::{Expression, LicenseReq};

/// Licences that ask for no more than that they are told, as SPDX names them.
const ALLOWED: [&str; 12] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// The one place that crates come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// How many crates there are behind the command with everything that it can be built with, each of which may be used.
pub fn verify(root: &Path) -> Result<usize, String> {
    for line in lock(root)?.lines() {
        if let Some(source) = line.strip_prefix("source = ")
            && source.trim_matches('"') != REGISTRY
        {
            return Err(format!("Cargo.lock: a crate comes from {source}; expected crates.io"));
        }
    }
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--package",
            "hitscan-cli",
            "--all-features",
            "--edges",
            "normal,build",
            "--target",
            "all",
        ])
        .args(["--prefix", "none", "--no-dedupe", "--format", "{p}|{l}"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo tree: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo tree: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let list = String::from_utf8_lossy(&output.stdout);
    let mut crates: Vec<&str> = list.lines().filter(|line| !line.is_empty()).collect();
    crates.sort_unstable();
    crates.dedup();
    for line in &crates {
        let (package, licence) = line.split_once('|').unwrap_or((line, ""));
        if !is_allowed(licence)? {
            return Err(format!(
                "{package}: its licence is \"{licence}\"; expected a choice of {}",
                ALLOWED.join(", ")
            ));
        }
    }
    Ok(crates.len())
}

fn lock(root: &Path) -> Result<String, String> {
    fs::read_to_string(root.join("Cargo.lock")).map_err(|error| format!("Cargo.lock: {error}"))
}

/// Whether a licence, or one of those to choose from, is allowed.
fn is_allowed(licence: &str) -> Result<bool, String> {
    // Some crates write the older `MIT/Apache-2.0`.
    let parsed = Expression::parse_mode(licence, spdx::ParseMode::LAX);
    let parsed = parsed.map_err(|error| format!("\"{licence}\" is no licence: {}", error.reason))?;
    Ok(parsed.evaluate(|wanted: &LicenseReq| ALLOWED.contains(&wanted.to_string().as_str())))
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn choices_are_weighed() {
        let allowed = ["MIT", "MIT OR Apache-2.0", "MIT/Apache-2.0", "GPL-3.0-only OR MIT", "Zlib AND MIT"];
        for licence in allowed {
            assert_eq!(is_allowed(licence), Ok(true), "{licence}");
        }
        for licence in ["GPL-3.0-only", "MIT AND GPL-3.0-only", "LGPL-2.1-or-later", "MPL-2.0"] {
            assert_eq!(is_allowed(licence), Ok(false), "{licence}");
        }
        assert!(is_allowed("").is_err() && is_allowed("whatever you like").is_err());
    }
}
