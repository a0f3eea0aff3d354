//! What the command line chooses.

use std::path::PathBuf;

pub const USAGE: &str = "\
usage: watertight [options]
  --quick        one point of the outlines in 23
  --embree FILE  Embree's shared library, instead of the one that `cargo xtask peers` fetches
  --document     replaces the table in docs/reliability.md; not with --quick";

/// How much is asked, of whom, and where it goes.
#[derive(Default)]
pub struct Options {
    pub quick: bool,
    pub embree: Option<PathBuf>,
    pub document: bool,
}

impl Options {
    /// `None` where help is asked for.
    ///
    /// # Errors
    /// What is wrong with the arguments, in one line.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
        let mut options = Options::default();
        while let Some(name) = arguments.next() {
            match name.as_str() {
                "--help" => return Ok(None),
                "--quick" => options.quick = true,
                "--embree" => {
                    let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
                    options.embree = Some(value.into());
                }
                "--document" => options.document = true,
                _ => return Err(format!("{name} is no option")),
            }
        }
        if options.document && options.quick {
            return Err("--document needs all points: not with --quick".to_owned());
        }
        Ok(Some(options))
    }

    /// One point in so many; an odd number, since two points of each edge alternate.
    pub fn step(&self) -> usize {
        if self.quick { 23 } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Option<Options>, String> {
        Options::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn a_part_is_not_published() {
        assert!(["--document --quick", "--embree", "--fast"].iter().all(|line| parsed(line).is_err()));
        assert!(parsed("--document").is_ok_and(|options| options.is_some_and(|options| options.document)));
        assert!(parsed("--help").is_ok_and(|options| options.is_none()));
    }
}
