//! `man`: the manual's pages, made from the same words as the help.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory, ValueHint};
use clap_mangen::Man;

use crate::args::Cli;
use crate::failure::Failure;
use crate::output::{Output, make_folder, print};

/// Options of `man`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hitscan man | man -l -                  read the page of the whole command
  hitscan man cast | man -l -             read the page of one command
  hitscan man -o ~/.local/share/man/man1  install all of them")]
pub struct Args {
    /// The command that the page is about [default: all of hitscan]
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    command: Option<String>,
    /// Write all pages into this folder, which is made where there is none
    #[arg(short, long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    output: Option<PathBuf>,
}

/// Prints one page, or writes all.
pub fn run(args: &Args) -> Result<(), Failure> {
    let mut hitscan = Cli::command();
    // Passes the common options and the full names on to the commands.
    hitscan.build();
    if let Some(folder) = &args.output {
        return write_all(&hitscan, folder);
    }
    let command = match &args.command {
        None => &hitscan,
        Some(name) => hitscan.find_subcommand(name).ok_or_else(|| {
            let names: Vec<&str> = hitscan.get_subcommands().map(Command::get_name).collect();
            Failure::usage(
                "COMMAND",
                format_args!("'{name}' is no command; expected one of {}", names.join(", ")),
            )
        })?,
    };
    print(&page(command)?.1)
}

fn write_all(hitscan: &Command, folder: &Path) -> Result<(), Failure> {
    make_folder(folder, "a folder for the pages")?;
    for command in [hitscan].into_iter().chain(hitscan.get_subcommands()) {
        let (name, text) = page(command)?;
        let mut file = Output::create(Some(&folder.join(name).to_string_lossy()), &[], true)?;
        file.write(text.as_bytes())?;
        file.finish()?;
    }
    Ok(())
}

/// The name of a command's file, and its text in roff.
fn page(command: &Command) -> Result<(String, String), Failure> {
    let name = command.get_display_name().unwrap_or("hitscan");
    let version = env!("CARGO_PKG_VERSION");
    // The synopsis is the line that the help has, with the values of options.
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim().to_owned();
    let man = Man::new(command.clone().override_usage(usage))
        .title(name.to_uppercase())
        .source(format!("hitscan {version}"))
        .manual("Hitscan Manual");
    let mut text = Vec::new();
    sections(&man, command, &mut text).map_err(|error| Failure::new("man", error))?;
    let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned() + &roff(&notes) + &see_also(command);
    Ok((man.get_filename(), text))
}

fn sections(man: &Man, command: &Command, text: &mut Vec<u8>) -> io::Result<()> {
    man.render_title(text)?;
    man.render_name_section(text)?;
    man.render_synopsis_section(text)?;
    if command.has_subcommands() {
        man.render_subcommands_section(text)?;
    }
    man.render_options_section(text)
}

/// The words after the help as sections: a line that ends in a colon is a heading, indented lines stay as they are,
/// and the rest are paragraphs.
fn roff(notes: &str) -> String {
    let mut text = String::new();
    let mut fixed = false;
    for line in notes.lines() {
        let indented = line.starts_with(' ');
        if indented != fixed && !line.is_empty() {
            text += if indented { ".nf\n" } else { ".fi\n" };
            fixed = indented;
        }
        text += &match line.strip_suffix(':') {
            Some(heading) if !indented => format!(".SH {}\n", escaped(&heading.to_uppercase())),
            _ if line.is_empty() => ".PP\n".to_owned(),
            _ => format!("{}\n", escaped(line.strip_prefix("  ").unwrap_or(line))),
        };
    }
    if fixed {
        text += ".fi\n";
    }
    text
}

/// Text that roff shows as it is.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    if line.starts_with('.') { format!("\\&{line}") } else { line }
}

fn see_also(command: &Command) -> String {
    if command.has_subcommands() {
        return String::new();
    }
    ".SH \"SEE ALSO\"\n\\fBhitscan\\fR(1)\n".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_become_sections() {
        let notes = "Examples:\n  hitscan a --b\n  .x\n\nA 'word'.\n.dot \\ end";
        let expected =
            ".SH EXAMPLES\n.nf\nhitscan a \\-\\-b\n\\&.x\n.PP\n.fi\nA \\(aqword\\(aq.\n\\&.dot \\e end\n";
        assert_eq!(roff(notes), expected);
    }
}
