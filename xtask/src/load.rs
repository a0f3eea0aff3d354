//! The long form of `hitscan-load`: thirty million triangles, and an hour of everything at once.

use std::process::Command;

const USAGE: &str = "\
usage: cargo xtask load [--minutes N] [--triangles N]
  --minutes N     how long everything runs at once, 60 by default
  --triangles N   of the large mesh, 30000000 by default";

/// Runs both; a report, or which of them failed.
pub fn run(arguments: &[&str]) -> Result<String, String> {
    let (mut minutes, mut triangles) = ("60", "30000000");
    let mut rest = arguments.iter();
    while let Some(&argument) = rest.next() {
        let value = match argument {
            "--minutes" => &mut minutes,
            "--triangles" => &mut triangles,
            other => return Err(format!("{other} is no option\n{USAGE}")),
        };
        *value = rest.next().ok_or_else(|| format!("{argument} needs a value\n{USAGE}"))?;
    }
    for arguments in [["large", "--triangles", triangles], ["mixed", "--minutes", minutes]] {
        let mut command = Command::new("cargo");
        command.args(["run", "--release", "--quiet", "--package", "hitscan-load", "--"]).args(arguments);
        let status = command.status().map_err(|error| format!("cargo: {error}"))?;
        if !status.success() {
            return Err(format!("hitscan-load {}: {status}", arguments.join(" ")));
        }
    }
    Ok(format!("held: {triangles} triangles, and {minutes} minutes of everything at once\n"))
}
