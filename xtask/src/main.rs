//! Chores of the repository: `cargo xtask rules` verifies what no compiler does.

mod rules;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask rules    verify the repository's own rules";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["rules"] => match rules::verify() {
            Ok(report) => {
                print!("{report}");
                ExitCode::SUCCESS
            }
            Err(broken) => {
                eprintln!("xtask: {broken}");
                ExitCode::FAILURE
            }
        },
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}
