//! Rules of the repository that no compiler knows.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{licences, named, quoted};

/// The README's first command compiles at most this many crates, ours included.
const MOST_CRATES: usize = 110;

/// The only places that may hold `unsafe`: the kernels; lists that lie in a file, and those who promise that such a file
/// stays as it is; in the benchmark, which no user builds, the door to Embree, whose functions are in C.
const UNSAFE_HOMES: [&str; 7] = [
    "crates/hitscan/src/simd",
    "crates/hitscan/src/stock.rs",
    "crates/hitscan/tests/saved/mapped.rs",
    "crates/hitscan-cli/src/trusted.rs",
    "crates/hitscan-python/src/trusted.rs",
    "crates/hitscan-bench/src/bin/loading/saved.rs",
    "crates/hitscan-bench/src/peers/embree/ffi.rs",
];

/// Verifies all rules; a report of what was counted, or the first rule that is broken.
pub fn verify() -> Result<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the repository has no root")?;
    let mut report = String::new();
    let crates = crates_of_the_command(root)?;
    let _ = writeln!(report, "crates behind the command: {crates} (at most {MOST_CRATES})");
    let _ =
        writeln!(report, "licences: {} crates, all free to use, all from crates.io", licences::verify(root)?);
    let blocks = unsafe_blocks(root)?;
    let _ = writeln!(
        report,
        "uses of unsafe: {blocks}, all in {}, each with its proof",
        UNSAFE_HOMES.join(" and ")
    );
    let (names, rows) = named::verify(root)?;
    let _ = writeln!(
        report,
        "names in docs/algorithms.md: {names}, all defined; rows of its tables: {rows}, none empty"
    );
    let blocks = quoted::verify(root)?;
    let _ = writeln!(report, "blocks of code in docs/bevy.md: {blocks}, all in examples/bevy");
    Ok(report)
}

fn crates_of_the_command(root: &Path) -> Result<usize, String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--package", "hitscan-cli", "--edges", "normal,build", "--prefix", "none"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo tree: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo tree: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let list = String::from_utf8_lossy(&output.stdout);
    let crates: BTreeSet<&str> =
        list.lines().map(|line| line.trim_end_matches(" (*)")).filter(|line| !line.is_empty()).collect();
    if crates.len() > MOST_CRATES {
        return Err(format!(
            "the command compiles {} crates; the README promises {MOST_CRATES}",
            crates.len()
        ));
    }
    Ok(crates.len())
}

/// Counts `unsafe` code, and refuses any outside its home or without a `SAFETY` comment above it.
fn unsafe_blocks(root: &Path) -> Result<usize, String> {
    let mut count = 0;
    for file in sources(&root.join("crates"))?.into_iter().chain(sources(&root.join("xtask"))?) {
        let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let place = file.strip_prefix(root).unwrap_or(&file);
        let lines: Vec<&str> = text.lines().collect();
        for (index, line) in lines.iter().enumerate() {
            let code = line.split("//").next().unwrap_or("");
            if !["unsafe {", "unsafe fn", "unsafe impl"].iter().any(|form| code.contains(form))
                || code.contains('"')
            {
                continue;
            }
            let at = format!("{}:{}", place.display(), index + 1);
            if !UNSAFE_HOMES.iter().any(|home| place.starts_with(home)) {
                return Err(format!("{at}: unsafe code outside {}", UNSAFE_HOMES.join(" and ")));
            }
            let proven = lines[..index].iter().rev().take_while(|above| above.trim_start().starts_with("//"));
            if !proven.into_iter().any(|above| above.contains("SAFETY:")) {
                return Err(format!("{at}: unsafe code without a SAFETY comment above it"));
            }
            count += 1;
        }
    }
    Ok(count)
}

/// All Rust files below a folder.
pub fn sources(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
        if path.is_dir() {
            found.extend(sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
