//! Why a command ended early: one line on standard error and an exit code.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

pub use hitscan_io::system_words as reason;

/// The end of a command that could not do what was asked.
///
/// The line has the form `WHERE: WHAT; WHAT WAS EXPECTED`; `WHERE` is a file with its line, an option or a stream.
#[derive(Debug)]
pub enum Failure {
    /// The input or the system did not allow it: exit code 1.
    Failed(String),
    /// The command line was not understood: exit code 2.
    Usage(String),
    /// Whoever read our output has seen enough, as `| head` does: no message, exit code 0.
    ClosedPipe,
}

impl Failure {
    /// A failure at `place`; `what` says what is wrong and what was expected.
    pub fn new(place: impl Display, what: impl Display) -> Failure {
        Failure::Failed(format!("{place}: {what}"))
    }

    /// The same for a command line that cannot be understood.
    pub fn usage(place: impl Display, what: impl Display) -> Failure {
        Failure::Usage(format!("{place}: {what}"))
    }

    /// A system's refusal to read `place`.
    pub fn reading(place: impl Display, error: &io::Error) -> Failure {
        let expected = "expected a file that can be read";
        match error.kind() {
            io::ErrorKind::NotFound => Failure::new(place, format_args!("no such file; {expected}")),
            io::ErrorKind::IsADirectory => Failure::new(place, format_args!("is a directory; {expected}")),
            _ => Failure::new(place, format_args!("cannot be read ({}); {expected}", reason(error))),
        }
    }

    /// A system's refusal to write `place`.
    pub fn writing(place: impl Display, error: &io::Error) -> Failure {
        let expected = "expected a file that can be written";
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            io::ErrorKind::NotFound => {
                Failure::new(place, format_args!("no such folder; {expected} in a folder that exists"))
            }
            _ => Failure::new(place, format_args!("cannot be written ({}); {expected}", reason(error))),
        }
    }

    /// A system's refusal to give an output its name.
    pub fn naming(place: impl Display, error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::AlreadyExists => Failure::taken(place),
            _ => Failure::writing(place, error),
        }
    }

    /// A file under the name of an output that may not replace it.
    pub fn taken(place: impl Display) -> Failure {
        Failure::new(place, "exists; --no-clobber needs a name that is free")
    }

    /// Says it on standard error and gives the exit code.
    pub fn report(&self) -> ExitCode {
        let (message, code) = match self {
            Failure::Failed(message) => (message, 1),
            Failure::Usage(message) => (message, 2),
            Failure::ClosedPipe => return ExitCode::SUCCESS,
        };
        complain(message);
        ExitCode::from(code)
    }
}

impl From<hitscan_io::ReadError> for Failure {
    fn from(error: hitscan_io::ReadError) -> Failure {
        Failure::Failed(error.to_string())
    }
}

/// One line on standard error, also where a file's name has line breaks in it.
pub fn complain(message: &str) {
    let line: String = message.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    tell(format_args!("hitscan: {line}"));
}

/// A line on standard error. Where nobody reads it, nothing is lost.
pub fn tell(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}
