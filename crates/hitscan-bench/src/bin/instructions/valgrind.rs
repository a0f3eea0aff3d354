//! This program inside of Valgrind.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::options::INSIDE;

/// What the process with these arguments prints, and what was counted in each call of `asked`.
///
/// # Errors
/// No Valgrind, a process that fails, or counts that are not where they should be.
pub fn run(arguments: &[String]) -> Result<(Vec<String>, Vec<u64>), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let parts = folder.path().join("part");
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--tool=callgrind"]);
    command.args(["--toggle-collect=instructions::asked", "--dump-after=instructions::asked"]);
    command.arg(format!("--callgrind-out-file={}", parts.display()));
    command.arg(std::env::current_exe()?).args(arguments).arg(INSIDE);
    let inside = command.stderr(Stdio::inherit()).output();
    let inside =
        inside.map_err(|error| format!("valgrind: {error}; is it installed? (apt install valgrind)"))?;
    if !inside.status.success() {
        return Err(format!("valgrind: {}", inside.status).into());
    }
    let rows: Vec<String> = String::from_utf8(inside.stdout)?.lines().map(str::to_owned).collect();
    // The parts are numbered from 1 on.
    let counts = (1..=rows.len()).map(|number| total(&parts.with_extension(number.to_string())));
    Ok((rows, counts.collect::<Result<_, _>>()?))
}

/// What one part counts.
fn total(part: &Path) -> Result<u64, Box<dyn Error>> {
    let text = fs::read_to_string(part).map_err(|error| format!("{}: {error}", part.display()))?;
    let total = text.lines().rev().find_map(|line| line.strip_prefix("totals: "));
    Ok(total.ok_or("a part of callgrind's without totals")?.trim().parse()?)
}
