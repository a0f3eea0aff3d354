//! Chores of the repository: `cargo xtask rules` verifies what no compiler does, `cargo xtask docs` makes docs/cli.md,
//! `cargo xtask figures` draws the pictures of docs/algorithms.md, `cargo xtask peers` fetches what the benchmark is held
//! against, `cargo xtask determinism` asks other processors, `cargo xtask fuzz` throws the bytes of strangers.

mod determinism;
mod docs;
mod figures;
mod fuzz;
mod licences;
mod named;
mod peers;
mod quoted;
mod rules;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask rules           verify the repository's own rules
       cargo xtask docs            make docs/cli.md from its template and the command
       cargo xtask docs --check    fail where docs/cli.md is out of date
       cargo xtask figures         draw docs/figures by asking the library
       cargo xtask figures --check fail where a picture there is out of date
       cargo xtask fuzz            throw strangers' bytes at the readers, the command's files of rays and small worlds
       cargo xtask peers           fetch Embree for the benchmark, with Python's pip
       cargo xtask determinism     demand the stored hash of answers of other processors, under emulation";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["rules"] => rules::verify(),
        ["docs"] => docs::make(false),
        ["docs", "--check"] => docs::make(true),
        ["figures"] => figures::make(false),
        ["figures", "--check"] => figures::make(true),
        ["peers"] => peers::fetch(),
        ["fuzz", ref rest @ ..] => fuzz::run(rest),
        ["determinism", ref options @ ..] => determinism::show(options),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(report) => {
            print!("{report}");
            ExitCode::SUCCESS
        }
        Err(broken) => {
            eprintln!("xtask: {broken}");
            ExitCode::FAILURE
        }
    }
}
