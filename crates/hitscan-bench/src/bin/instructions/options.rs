//! What the command line chooses.

use hitscan_bench::rays::side;

pub const USAGE: &str = "\
usage: instructions SCENE [options]
  SCENE        a scene of the benchmark, a file that hitscan reads, or builtin:NAME[:SIZE]
  --load NAME  rays by code whose name contains NAME; `bounce 2` by default
  --form NAME  forms whose name contains NAME, such as `occluded` or `single`; all by default
  --side N     squares of N x N rays, a multiple of 8; 64 by default
It needs Valgrind, and Embree where `cargo xtask peers` fetched it.";

#[derive(Debug, PartialEq)]
pub struct Options {
    pub scene: &'static str,
    pub load: String,
    pub form: String,
    pub side: u32,
    /// Whether this is the process that is counted.
    pub inside: bool,
}

/// What the process that is counted is told.
pub const INSIDE: &str = "--inside";

impl Options {
    /// `None` where help is asked for.
    ///
    /// # Errors
    /// What is wrong with the arguments, in one line.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
        let mut options =
            Options { scene: "", load: "bounce 2".to_owned(), form: String::new(), side: 64, inside: false };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument}: a value is needed"));
            match argument.as_str() {
                "--help" => return Ok(None),
                "--load" => options.load = value()?,
                "--form" => options.form = value()?,
                "--side" => options.side = side(&value()?)?,
                INSIDE => options.inside = true,
                option if option.starts_with("--") => return Err(format!("{option}: no such option")),
                scene if options.scene.is_empty() => options.scene = scene.to_owned().leak(),
                scene => return Err(format!("{scene}: one scene is expected, {} is named", options.scene)),
            }
        }
        if options.scene.is_empty() {
            return Err("a scene is expected".to_owned());
        }
        Ok(Some(options))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Option<Options>, String> {
        Options::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn arguments_choose() {
        let options = parse("coffee.glb --load shadow --form single --side 32").unwrap().unwrap();
        assert_eq!((options.scene, options.load.as_str(), options.side), ("coffee.glb", "shadow", 32));
        assert_eq!((options.form.as_str(), options.inside), ("single", false));
        assert!(parse("builtin:soup --inside").unwrap().unwrap().inside);
        assert_eq!(parse("--help"), Ok(None));
    }

    #[test]
    fn refusals_say_what_is_expected() {
        for (line, error) in [
            ("", "a scene is expected"),
            ("a b", "b: one scene is expected, a is named"),
            ("a --side 12", "--side 12: a multiple of 8 from 8 to 4096 is expected"),
            ("a --load", "--load: a value is needed"),
            ("a --fast", "--fast: no such option"),
        ] {
            assert_eq!(parse(line), Err(error.to_owned()));
        }
    }
}
