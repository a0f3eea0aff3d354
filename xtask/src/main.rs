//! Chores of the repository: `cargo xtask rules` verifies what no compiler does, `cargo xtask docs` makes docs/cli.md,
//! `cargo xtask figures` draws the pictures of docs/algorithms.md, `cargo xtask peers` fetches what the benchmark is held
//! against, `cargo xtask determinism` asks other processors, `cargo xtask fuzz` throws the bytes of strangers, `cargo xtask
//! sanitize` watches memory and threads, `cargo xtask load` works for an hour, `cargo xtask python` makes and tests the Python
//! package.

mod determinism;
mod docs;
mod figures;
mod fuzz;
mod licences;
mod load;
mod named;
mod peers;
mod python;
mod quoted;
mod rules;
mod sanitize;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask rules           verify the repository's own rules
       cargo xtask docs            make docs/cli.md from its template and the command
       cargo xtask docs --check    fail where docs/cli.md is out of date; --built: by the command beside this program
       cargo xtask figures         draw docs/figures by asking the library
       cargo xtask figures --check fail where a picture there is out of date
       cargo xtask fuzz            throw strangers' bytes at the readers, files of rays, saved scenes and small worlds
       cargo xtask sanitize        tests under Miri, the address sanitizer and the thread sanitizer
       cargo xtask load            thirty million triangles, and an hour of everything at once
       cargo xtask peers           fetch Embree for the benchmark, with Python's pip
       cargo xtask python          build the Python package's wheel, install it and run its tests
       cargo xtask determinism     demand the stored hash of answers of other processors, under emulation";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(compiler) =
        arguments.first().filter(|first| Path::new(first).file_stem() == Some("rustc".as_ref()))
    {
        let rest: Vec<&str> = arguments[1..].iter().map(String::as_str).collect();
        return match fuzz::compile(compiler, &rest) {
            Ok(status) if status.success() => ExitCode::SUCCESS,
            Ok(_) => ExitCode::FAILURE,
            Err(broken) => {
                eprintln!("xtask: {broken}");
                ExitCode::FAILURE
            }
        };
    }
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["rules"] => rules::verify(),
        ["docs"] => docs::make(false, false),
        ["docs", "--check"] => docs::make(true, false),
        ["docs", "--check", "--built"] => docs::make(true, true),
        ["figures"] => figures::make(false),
        ["figures", "--check"] => figures::make(true),
        ["peers"] => peers::fetch(),
        ["python", ref rest @ ..] => python::run(rest),
        ["fuzz", ref rest @ ..] => fuzz::run(rest),
        ["sanitize", ref tools @ ..] => sanitize::run(tools),
        ["load", ref options @ ..] => load::run(options),
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
