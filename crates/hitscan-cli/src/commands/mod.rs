//! One command a file.

mod batch;
pub mod bench;
pub mod build;
pub mod cast;
pub mod check;
pub mod completions;
pub mod demo;
pub mod explain;
pub mod height;
pub mod info;
pub mod inside;
pub mod man;
pub mod pick;
pub mod render;
pub mod sight;
pub mod viewshed;

use std::process::ExitCode;

use crate::args::{Command, Common};
use crate::failure::Failure;

/// Answers, and gives the exit code: 0 but for `check --strict`.
pub fn run(command: &Command, common: Common) -> Result<ExitCode, Failure> {
    match command {
        Command::Check(args) => return check::run(args),
        Command::Bench(args) => bench::run(args, common),
        Command::Build(args) => build::run(args, common),
        Command::Completions(args) => completions::run(args),
        Command::Cast(args) => cast::run(args, common),
        Command::Demo(args) => demo::run(args, common),
        Command::Explain(args) => explain::run(args),
        Command::Height(args) => height::run(args),
        Command::Info(args) => info::run(args),
        Command::Inside(args) => inside::run(args, common),
        Command::Man(args) => man::run(args),
        Command::Pick(args) => pick::run(args),
        Command::Render(args) => render::run(args, common),
        Command::Sight(args) => sight::run(args, common),
        Command::Viewshed(args) => viewshed::run(args, common),
    }?;
    Ok(ExitCode::SUCCESS)
}
