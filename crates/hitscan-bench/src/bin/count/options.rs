//! What the command line chooses.

use std::path::PathBuf;

use hitscan_bench::rays::{Workload, side};

use crate::totals::Query;

pub const USAGE: &str = "\
usage: count [SCENE ...] [options]
  SCENE        a scene of the benchmark, a file that hitscan reads, or builtin:NAME[:SIZE]; all of the benchmark by default
  --load NAME  rays by code whose name contains NAME, such as `bounce 2`; a few by default
  --rays FILE  rays of a CSV file instead: columns ox,oy,oz,dx,dy,dz by name, and t_min,t_max where they are there
  --form NAME  questions whose name contains NAME: closest, occluded, all hits
  --side N     squares of N x N rays, a multiple of 8; 256 by default
  --placed     the scene as its file places it, not all triangles as one mesh
  --csv FILE   the sums, not the means, as CSV too
  --document   replaces the table of docs/performance.md; not with other choices";

/// What is counted, and where it goes.
#[derive(Debug, PartialEq)]
pub struct Options {
    pub scenes: Vec<&'static str>,
    pub load: Option<String>,
    pub rays: Option<PathBuf>,
    pub form: String,
    pub side: u32,
    pub placed: bool,
    pub csv: Option<PathBuf>,
    pub document: bool,
}

const SIDE: u32 = 256;

/// The questions that are asked of rays by code where nothing is chosen: one of each kind.
const USUAL: [(Workload, Query); 5] = [
    (Workload::PrimaryTiles, Query::Closest),
    (Workload::Bounce(2), Query::Closest),
    (Workload::Shadow, Query::Occluded),
    (Workload::Segments, Query::Closest),
    (Workload::Segments, Query::AllHits),
];

impl Options {
    /// `None` where help is asked for.
    ///
    /// # Errors
    /// What is wrong with the arguments, in one line.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
        let mut options = Options {
            scenes: Vec::new(),
            load: None,
            rays: None,
            form: String::new(),
            side: SIDE,
            placed: false,
            csv: None,
            document: false,
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument}: a value is needed"));
            match argument.as_str() {
                "--help" => return Ok(None),
                "--load" => options.load = Some(value()?),
                "--rays" => options.rays = Some(value()?.into()),
                "--form" => options.form = value()?,
                "--side" => options.side = side(&value()?)?,
                "--placed" => options.placed = true,
                "--csv" => options.csv = Some(value()?.into()),
                "--document" => options.document = true,
                option if option.starts_with("--") => return Err(format!("{option}: no such option")),
                // Lives as long as the process, as the names of the benchmark's own scenes do.
                _ => options.scenes.push(argument.leak()),
            }
        }
        if options.load.is_some() && options.rays.is_some() {
            return Err("--rays: the rays are those of --load; one of the two is expected".to_owned());
        }
        if options.document && !options.is_default() {
            return Err(
                "--document: other choices are there; the documents show what is counted without".to_owned()
            );
        }
        Ok(Some(options))
    }

    /// Whether what is counted is what is counted without options.
    fn is_default(&self) -> bool {
        let Options { scenes, load, rays, form, side, placed, .. } = self;
        scenes.is_empty() && load.is_none() && rays.is_none() && form.is_empty() && *side == SIDE && !placed
    }

    /// Whether a question is asked of rays by code.
    pub fn wants(&self, load: Workload, query: Query) -> bool {
        let named = self.load.is_some() || !self.form.is_empty();
        let is_usual = USUAL.contains(&(load, query));
        let load_is = self.load.as_ref().is_none_or(|name| load.name().contains(name));
        load_is && query.name().contains(&self.form) && (named || is_usual)
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
        let options = parse("a.glb builtin:soup --load bounce --side 64 --placed").unwrap().unwrap();
        assert_eq!(options.scenes, ["a.glb", "builtin:soup"]);
        assert_eq!((options.side, options.placed), (64, true));
        assert!(options.wants(Workload::Bounce(3), Query::Occluded));
        assert!(!options.wants(Workload::Shadow, Query::Occluded));
        let usual = parse("").unwrap().unwrap();
        assert!(usual.wants(Workload::Shadow, Query::Occluded));
        assert!(!usual.wants(Workload::Shadow, Query::Closest));
        assert_eq!(parse("--help"), Ok(None));
    }

    #[test]
    fn refusals_say_what_is_expected() {
        for (line, error) in [
            ("--side 12", "--side 12: a multiple of 8 from 8 to 4096 is expected"),
            ("--load", "--load: a value is needed"),
            ("--fast", "--fast: no such option"),
            ("--load lidar --rays r.csv", "--rays: the rays are those of --load; one of the two is expected"),
            (
                "--document --side 64",
                "--document: other choices are there; the documents show what is counted without",
            ),
        ] {
            assert_eq!(parse(line), Err(error.to_owned()));
        }
    }
}
