//! `hitscan-load`: a mesh as large as they come, and hours of builds, commits, queries and cancellations at once, with every
//! thousandth answer held against brute force and the memory watched.
//!
//! The report goes to standard output, how far it is to standard error.

#[path = "../../hitscan/tests/law/compare.rs"]
#[allow(dead_code, reason = "the law compares more than this program asks")]
mod compare;
mod large;
mod memory;
mod mixed;
mod stage;

use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "\
usage: hitscan-load large [options]   one mesh, built and asked within so much memory
         --triangles N   30000000 by default
         --gib N         the most memory that the process may ever take, 8 by default
         --rays N        rays of each kind of query, 1000000 by default
       hitscan-load mixed [options]   everything at once
         --minutes N     60 by default
         --threads N     8 by default
         --seed N        what is random; as HITSCAN_SEED says, or always the same, by default";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        Some(("large", rest)) => {
            options(rest, ["--triangles", "--gib", "--rays"], [30_000_000, 8, 1_000_000])
                .map(|[triangles, gib, rays]| large::run(triangles as usize, gib << 30, rays as usize))
        }
        Some(("mixed", rest)) => {
            let seed = hitscan_oracle::rng::seed(2027);
            options(rest, ["--minutes", "--threads", "--seed"], [60, 8, seed]).map(
                |[minutes, threads, seed]| {
                    mixed::run(Duration::from_secs(60 * minutes), threads.clamp(1, 256) as usize, seed)
                },
            )
        }
        _ => Err("it needs to be told what to do".to_owned()),
    };
    match done {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(broken)) => {
            eprintln!("hitscan-load: {broken}");
            ExitCode::FAILURE
        }
        Err(misuse) => {
            eprintln!("hitscan-load: {misuse}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// The values of these options, each a whole number.
fn options<const N: usize>(
    arguments: &[String],
    names: [&str; N],
    mut values: [u64; N],
) -> Result<[u64; N], String> {
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let place = names.iter().position(|name| name == argument);
        let place =
            place.ok_or_else(|| format!("{argument} is no option; expected one of {}", names.join(", ")))?;
        let value = rest.next().and_then(|value| value.parse().ok());
        values[place] = value.ok_or_else(|| format!("{argument} needs a whole number"))?;
    }
    Ok(values)
}
