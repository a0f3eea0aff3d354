//! `demo`: every kind of question once.

use crate::args::Common;
use crate::failure::Failure;

/// Options of `demo`.
#[derive(clap::Args, Debug)]
pub struct Args {}

/// Answers.
pub fn run(_args: &Args, _common: Common) -> Result<(), Failure> {
    Err(Failure::new("demo", "not here yet; expected the other half of this command"))
}
