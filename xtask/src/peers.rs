//! Peers of the benchmark that are no crates.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A Python package with Embree's shared library inside, and the version that is measured against.
const EMBREE: &str = "embreex==4.4.0.post1";

/// Puts Embree into the target folder, where the benchmark looks for it; where that is.
pub fn fetch() -> Result<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the repository has no root")?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let folder = target.join("peers");
    let python = if cfg!(windows) { "python" } else { "python3" };
    let status = Command::new(python)
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--only-binary=:all:",
            "--upgrade",
            "--target",
        ])
        .arg(&folder)
        .arg(EMBREE)
        .status()
        .map_err(|error| format!("{python}: {error}; Python 3 with pip is needed"))?;
    if !status.success() {
        return Err(format!("{python} -m pip install {EMBREE}: {status}"));
    }
    Ok(format!("{}: {EMBREE}\n", folder.display()))
}
