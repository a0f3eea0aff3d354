//! `completions`: what a shell needs to complete this command line.

use clap::{CommandFactory, ValueHint};
use clap_complete::Shell;

use crate::args::Cli;
use crate::failure::Failure;
use crate::output::print;

/// Options of `completions`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  source <(hitscan completions bash)                              now, in bash
  hitscan completions bash > ~/.local/share/bash-completion/completions/hitscan
  hitscan completions zsh > ~/.zfunc/_hitscan                     in $fpath
  hitscan completions fish > ~/.config/fish/completions/hitscan.fish")]
pub struct Args {
    /// The shell
    #[arg(value_name = "SHELL", value_enum, hide_possible_values = true, value_hint = ValueHint::Other)]
    #[arg(help = "bash, zsh, fish, elvish or powershell")]
    shell: Shell,
}

/// Prints the script.
pub fn run(args: &Args) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "hitscan", &mut script);
    print(&String::from_utf8_lossy(&script))
}
