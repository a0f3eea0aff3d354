//! The `hitscan` command: see the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    hitscan_cli::main()
}
