//! One line for a command line that was not understood, instead of the parser's paragraph.

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};

use super::Cli;
use crate::commands::viewshed;
use crate::failure::Failure;

/// The command line, or the exit code after help was printed or the error reported.
pub fn parse() -> Result<Cli, ExitCode> {
    let words = viewshed::spelled_out(std::env::args_os());
    Cli::try_parse_from(words).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // A closed pipe is all that can go wrong, and it needs no words.
            let _ = error.print();
            ExitCode::SUCCESS
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            ExitCode::from(2)
        }
        _ => Failure::Usage(line(&error)).report(),
    })
}

/// `WHERE: WHAT; WHAT WAS EXPECTED` for one of the parser's errors.
fn line(error: &clap::Error) -> String {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => Some(texts.join(", ")),
        _ => None,
    };
    let argument = text(ContextKind::InvalidArg).unwrap_or_default();
    let option =
        argument.split([' ', '=']).next().unwrap_or_default().trim_matches(['<', '>', '[', ']']).to_owned();
    let value = text(ContextKind::InvalidValue).unwrap_or_default();
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let name = text(ContextKind::InvalidSubcommand).unwrap_or_default();
            match text(ContextKind::SuggestedSubcommand) {
                Some(near) => format!("{name}: no such command; did you mean {near}?"),
                None => format!("{name}: no such command; expected one of {}", command_names()),
            }
        }
        ErrorKind::UnknownArgument => {
            let near = text(ContextKind::SuggestedArg);
            let near = near
                .map_or_else(|| "--help lists what there is".into(), |near| format!("did you mean {near}?"));
            format!("{argument}: no such option or too many arguments; {near}")
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            format!("{option}: it has no value; expected {argument}")
        }
        ErrorKind::InvalidValue => {
            let known = text(ContextKind::ValidValue).unwrap_or_default();
            format!("{option}: '{value}' is not one of its values; expected {known}")
        }
        ErrorKind::ValueValidation => match std::error::Error::source(error) {
            Some(source) => format!("{option}: {source}"),
            None => format!("{option}: '{value}' is not a value for it; expected {argument}"),
        },
        ErrorKind::MissingRequiredArgument => {
            // A group of alternatives comes as `<--from <X,Y,Z>|--rays <FILE>>`.
            let first = argument.split(", ").next().unwrap_or_default();
            let group = first.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
            let missing = group.map_or(first.to_owned(), |group| group.replace('|', " or "));
            match command_given() {
                Some(command) => format!("{command}: {missing} is missing; see hitscan {command} --help"),
                None => format!("arguments: {missing} is missing; see hitscan --help"),
            }
        }
        ErrorKind::ArgumentConflict => {
            let prior = text(ContextKind::PriorArg).unwrap_or_default();
            if prior == argument || prior.is_empty() {
                format!("{option}: given twice; expected once")
            } else {
                format!("{option}: cannot be combined with {prior}; expected one of them")
            }
        }
        ErrorKind::WrongNumberOfValues => {
            let number = |kind| match error.get(kind) {
                Some(ContextValue::Number(number)) => number.to_string(),
                _ => String::new(),
            };
            let (given, needed) =
                (number(ContextKind::ActualNumValues), number(ContextKind::ExpectedNumValues));
            format!("{option}: {given} of {needed} values are given; expected {argument}")
        }
        ErrorKind::TooManyValues => format!("{option}: it takes no value; expected {option} alone"),
        ErrorKind::InvalidUtf8 => "arguments: not all of them are UTF-8; expected UTF-8".into(),
        _ => {
            let rendered = error.render().to_string();
            let first = rendered.lines().next().unwrap_or_default();
            format!("arguments: {}; see --help", first.trim_start_matches("error: "))
        }
    }
}

fn command_names() -> String {
    let command = Cli::command();
    command.get_subcommands().map(|c| c.get_name().to_owned()).collect::<Vec<_>>().join(", ")
}

/// The command that was being given, for the hint where to read on.
fn command_given() -> Option<String> {
    let command = Cli::command();
    let mut given = std::env::args_os().skip(1).filter_map(|arg| arg.into_string().ok());
    given.find(|arg| command.find_subcommand(arg).is_some())
}
