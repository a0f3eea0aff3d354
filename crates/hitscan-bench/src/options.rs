//! What the command line chooses.

use std::path::PathBuf;
use std::time::Duration;

use hitscan::Isa;

use hitscan_bench::measure::Plan;

pub const USAGE: &str = "\
usage: hitscan-bench [options]
  --quick        few rounds of few rays; the documents stay as they are
  --scene NAME   scenes whose name contains NAME; the documents stay as they are
  --form NAME    rows whose workload and form, as in `bounce 2, closest, single`, or `build`, contain NAME; likewise
  --pairs N      rounds of each row, 15 by default; builds have 5 at least
  --avx2         AVX2 forced on ours and on Embree, for the second table
  --embree FILE  Embree's shared library, instead of the one that `cargo xtask peers` fetches
  --out FOLDER   where hitscan-bench.md, .svg and .csv go, instead of the target folder
  --scaling      curves over the size of builtin:terrain, 1 k to 30 M triangles, and nothing else; to 300 k with --quick
  --count        no clocks and no peers: prints what src/counts.csv has to state";

/// Fewest rounds of builds that are not quick: the first ones find memory that the system has yet to hand out.
const BUILDS: usize = 5;

/// The side of the squares of rays, where the form asks for no larger one.
pub const SIDE: u32 = 512;
/// The same of a quick run.
pub const QUICK_SIDE: u32 = 256;

/// What is measured, how long, and where it goes.
pub struct Options {
    pub quick: bool,
    pub scene: String,
    pub form: String,
    pub pairs: Option<usize>,
    pub forced: Option<Isa>,
    pub embree: Option<PathBuf>,
    pub out: PathBuf,
    pub count: bool,
    pub scaling: bool,
}

impl Options {
    /// `None` where help is asked for.
    ///
    /// # Errors
    /// What is wrong with the arguments, in one line.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
        let target = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../../target").into(), PathBuf::from);
        let mut options = Options {
            quick: false,
            scene: String::new(),
            form: String::new(),
            pairs: None,
            forced: None,
            embree: None,
            out: target,
            count: false,
            scaling: false,
        };
        while let Some(name) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{name} needs a value"));
            match name.as_str() {
                "--help" => return Ok(None),
                "--quick" => options.quick = true,
                "--scene" => options.scene = value()?,
                "--form" => options.form = value()?,
                "--pairs" => {
                    let text = value()?;
                    let pairs = text.parse().ok().filter(|&pairs| pairs > 0);
                    options.pairs =
                        Some(pairs.ok_or_else(|| format!("--pairs {text}: a number above 0 is needed"))?);
                }
                "--avx2" => options.forced = Some(Isa::Avx2),
                "--embree" => options.embree = Some(value()?.into()),
                "--scaling" => options.scaling = true,
                "--count" => options.count = true,
                "--out" => options.out = value()?.into(),
                _ => return Err(format!("{name} is no option")),
            }
        }
        Ok(Some(options))
    }

    /// Whether the run has everything that the documents show.
    pub fn is_whole(&self) -> bool {
        !self.quick && self.scene.is_empty() && self.form.is_empty()
    }

    /// The side of the squares of rays.
    pub fn side(&self) -> u32 {
        if self.quick { QUICK_SIDE } else { SIDE }
    }

    pub fn plan(&self) -> Plan {
        let millis = Duration::from_millis;
        let plan = if self.quick {
            Plan { rounds: 3, least: millis(8), most: millis(50), fewest: 1, warm_up: false }
        } else {
            Plan { rounds: 15, least: millis(100), most: millis(3000), fewest: 3, warm_up: true }
        };
        Plan { rounds: self.pairs.unwrap_or(plan.rounds), ..plan }
    }

    /// The same of builds.
    pub fn plan_of_builds(&self) -> Plan {
        let plan = self.plan();
        Plan { rounds: if self.quick { plan.rounds } else { plan.rounds.max(BUILDS) }, ..plan }
    }
}
