//! The way in and out that the binaries here share: arguments or their explanation, the work, and how it ended.

use std::error::Error;
use std::fmt::Display;
use std::process::ExitCode;

/// Runs a program of this name with its options: `None` where its usage is asked for. Ends with 2 for arguments that it does not
/// understand, and with 1 where the work fails.
pub fn run<O>(
    name: &str,
    usage: &str,
    options: Result<Option<O>, String>,
    work: impl FnOnce(&O) -> Result<(), Box<dyn Error>>,
) -> ExitCode {
    let options = match options {
        Ok(Some(options)) => options,
        Ok(None) => {
            println!("{usage}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("{name}: {error}\n{usage}");
            return ExitCode::from(2);
        }
    };
    match work(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// An error where a number of faults is not 0.
pub fn none_of(faults: impl Display + PartialEq + Default, what: &str) -> Result<(), Box<dyn Error>> {
    if faults == Default::default() { Ok(()) } else { Err(format!("{faults} {what}").into()) }
}
