//! The `hitscan` command: what does this ray hit?
//!
//! A library only so that others can ask its readers without a process: the fuzzer does.
//!
//! Results go to standard output or to `-o`, everything else to standard error. Exit codes: 0 done, misses and
//! findings included; 1 failed; 2 the command line was not understood; 130 interrupted.

mod aim;
mod args;
mod commands;
mod failure;
mod interrupt;
mod number;
mod output;
mod picture;
mod progress;
mod rays;
mod report;
mod resume;
mod scene;
mod sightline;
mod solids;
mod table;
mod trusted;
mod truth;
mod view;
mod watertight;

use std::process::ExitCode;

use args::Common;
use failure::Failure;
#[doc(hidden)]
pub use rays::read::damaged::read_rays;

/// The command, from its arguments to its exit code.
pub fn main() -> ExitCode {
    let cli = match args::parse() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    interrupt::watch();
    let work = || commands::run(&cli.command, cli.common);
    match prepare(cli.common).and_then(|()| trusted::guarded(work)) {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

/// What concerns the whole process: the instruction set and the threads.
fn prepare(common: Common) -> Result<(), Failure> {
    hitscan::Isa::from_env().map_err(|error| Failure::Usage(error.to_string()))?;
    if let Some(threads) = common.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build_global()
            .map_err(|error| Failure::new("--threads", format_args!("{error}; a lower number may work")))?;
    }
    Ok(())
}
