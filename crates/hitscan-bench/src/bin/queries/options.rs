//! What the command line chooses.

use std::path::PathBuf;
use std::time::Duration;

use hitscan_bench::measure::Plan;

pub const USAGE: &str = "\
usage: queries [options]
  --quick        few rounds of few questions
  --row NAME     rows whose name contains NAME
  --pairs N      rounds of each row, 15 by default
  --embree FILE  Embree's shared library, instead of the one that `cargo xtask peers` fetches
  --document     replaces the table in docs/performance.md; not with --quick or --row";

/// What is measured, how long, and where it goes.
pub struct Options {
    pub quick: bool,
    pub row: String,
    pub pairs: Option<usize>,
    pub embree: Option<PathBuf>,
    pub document: bool,
}

impl Options {
    /// `None` where help is asked for.
    ///
    /// # Errors
    /// What is wrong with the arguments, in one line.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
        let mut options =
            Options { quick: false, row: String::new(), pairs: None, embree: None, document: false };
        while let Some(name) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{name} needs a value"));
            match name.as_str() {
                "--help" => return Ok(None),
                "--quick" => options.quick = true,
                "--row" => options.row = value()?,
                "--pairs" => {
                    let text = value()?;
                    let pairs = text.parse().ok().filter(|&pairs| pairs > 0);
                    options.pairs =
                        Some(pairs.ok_or_else(|| format!("--pairs {text}: a number above 0 is needed"))?);
                }
                "--embree" => options.embree = Some(value()?.into()),
                "--document" => options.document = true,
                _ => return Err(format!("{name} is no option")),
            }
        }
        if options.document && (options.quick || !options.row.is_empty()) {
            return Err("--document needs all rows: neither --quick nor --row".to_owned());
        }
        Ok(Some(options))
    }

    /// Those that change what is measured, to be repeated.
    pub fn arguments(&self) -> String {
        let mut text = String::new();
        if self.quick {
            text += " --quick";
        }
        if !self.row.is_empty() {
            text += &format!(" --row '{}'", self.row);
        }
        if let Some(pairs) = self.pairs {
            text += &format!(" --pairs {pairs}");
        }
        if text.is_empty() { text } else { format!(" --{text}") }
    }

    /// So many questions, or an eighth of them.
    pub fn few(&self, questions: usize) -> usize {
        if self.quick { questions / 8 } else { questions }
    }

    pub fn plan(&self) -> Plan {
        let millis = Duration::from_millis;
        // What is compared first has warmed everybody up.
        let plan = if self.quick {
            Plan { rounds: 3, least: millis(8), most: millis(50), fewest: 1, warm_up: false }
        } else {
            Plan { rounds: 15, least: millis(100), most: millis(3000), fewest: 5, warm_up: false }
        };
        Plan { rounds: self.pairs.unwrap_or(plan.rounds), ..plan }
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
        for line in ["--document --quick", "--row sweep --document", "--pairs 0", "--row", "--fast"] {
            assert!(parsed(line).is_err(), "{line}");
        }
        assert!(parsed("--document --pairs 5").is_ok_and(|options| options.is_some_and(|o| o.document)));
        assert!(parsed("--help").is_ok_and(|options| options.is_none()));
    }

    #[test]
    fn arguments_are_repeated() {
        let options = parsed("--quick --row sweep --pairs 3").ok().flatten().map(|o| o.arguments());
        assert_eq!(options.as_deref(), Some(" -- --quick --row 'sweep' --pairs 3"));
        assert_eq!(parsed("").ok().flatten().map(|o| o.arguments()).as_deref(), Some(""));
    }
}
