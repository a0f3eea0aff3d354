//! One line for a command line that was not understood, instead of the parser's paragraph.

use std::io::{self, Write};
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
            match error.print().and_then(|()| io::stdout().flush()) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => Failure::writing("standard output", &error).report(),
            }
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
                _ if name == "help" => {
                    let command = command_given().map(|command| command + " ").unwrap_or_default();
                    format!("help: no such command; see hitscan {command}--help")
                }
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
        ErrorKind::InvalidValue if value.is_empty() => too_few(&option, 0, &argument),
        ErrorKind::InvalidValue => {
            let known = text(ContextKind::ValidValue).unwrap_or_default();
            format!("{option}: '{value}' is not one of its values; expected {known}")
        }
        ErrorKind::ValueValidation => {
            // The parser takes an option for a value where those may begin with a dash, as negative numbers do.
            match (values_before(&option, &value), std::error::Error::source(error)) {
                (Some(given), _) => too_few(&option, given, &argument),
                (None, Some(source)) => format!("{option}: {source}"),
                (None, None) => format!("{option}: '{value}' is not a value for it; expected {argument}"),
            }
        }
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
            let given = match error.get(ContextKind::ActualNumValues) {
                Some(ContextValue::Number(given)) => *given as usize,
                _ => 0,
            };
            too_few(&option, given, &argument)
        }
        ErrorKind::TooManyValues => format!("{option}: it takes no value; expected {option} alone"),
        ErrorKind::InvalidUtf8 => {
            // The parser says neither which one nor where.
            let other = std::env::args_os().find(|word| word.to_str().is_none()).unwrap_or_default();
            format!("arguments: {other:?} is not UTF-8; expected UTF-8")
        }
        _ => {
            let rendered = error.render().to_string();
            let first = rendered.lines().next().unwrap_or_default();
            format!("arguments: {}; see --help", first.trim_start_matches("error: "))
        }
    }
}

/// What is said of an option with fewer values than it needs; `argument` names them: `--triangle <A> <B> <C>`.
fn too_few(option: &str, given: usize, argument: &str) -> String {
    match (given, argument.matches('<').count()) {
        (0, _) => format!("{option}: it has no value; expected {argument}"),
        (_, needed) => format!("{option}: {given} of {needed} values are given; expected {argument}"),
    }
}

/// Whether a word is an option of the command that was being given.
fn is_option(word: &str) -> bool {
    let mut hitscan = Cli::command();
    // Passes the common options on to the commands.
    hitscan.build();
    let command = command_given().and_then(|name| hitscan.find_subcommand(name).cloned()).unwrap_or(hitscan);
    let name = word.split('=').next().unwrap_or_default();
    command.get_arguments().any(|option| {
        option.get_long().is_some_and(|long| name.strip_prefix("--") == Some(long))
            || option
                .get_short()
                .is_some_and(|short| name.strip_prefix('-') == Some(short.to_string().as_str()))
    })
}

/// How many values an option had before the word that it took for one; `None` where that is no option.
fn values_before(option: &str, word: &str) -> Option<usize> {
    if !is_option(word) {
        return None;
    }
    let mut words = std::env::args_os().filter_map(|arg| arg.into_string().ok());
    words.find(|arg| arg == option)?;
    words.position(|arg| arg == word)
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
