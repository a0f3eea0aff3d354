//! `determinism`: asks fixed rays, prints a hash of every answer's bits, and fails where it is not the one that is stored.
//!
//! The report goes to standard output and is the same on every machine; everything else goes to standard error. The hash
//! of a release is made anew by `--store`, which a change of the scenes, of the rays or of the law needs.

use std::process::ExitCode;

use hitscan::{Isa, Preset};
use hitscan_determinism::{Calls, Path, Tree, report, stored};

const USAGE: &str = "\
usage: determinism [options]
  --rays N       how many rays, 10000000 by default; 10000 and 1000000 have stored hashes, too
  --isa NAME     scalar, neon, avx2 or avx512; by default the fastest that there is
  --preset NAME  what builds the trees: fast, balanced (default) or best
  --tree NAME    built (default), refitted or rebuilt
  --calls NAME   batch (default) or single
  --threads N    for batches; as many as there are by default
  --store        writes the report to where the stored ones are, instead of comparing";

struct Options {
    rays: u64,
    path: Path,
    threads: usize,
    store: bool,
}

fn main() -> ExitCode {
    let options = match options(std::env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("determinism: {error}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("determinism: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    let Options { rays, path, threads, store } = *options;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| format!("threads: {error}"))?;
    let target = format!(
        "{} of {} bits, {} first",
        std::env::consts::ARCH,
        usize::BITS,
        if cfg!(target_endian = "big") { "highest byte" } else { "lowest byte" }
    );
    eprintln!("{target}; {path}; {} threads", pool.current_num_threads());
    let found = pool.install(|| report(rays, &path)).to_string();
    print!("{found}");
    if store {
        return stored::store(rays, &found);
    }
    match stored::of(rays) {
        Some(expected) if expected == found => {
            eprintln!("as stored");
            Ok(())
        }
        Some(expected) => Err(format!("not the answers that are stored, which are\n{expected}")),
        None => Err(format!("no hash is stored for {rays} rays; they are for {:?}", stored::SIZES)),
    }
}

/// `None` where help is asked for.
fn options(mut arguments: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
    let mut options = Options { rays: 10_000_000, path: Path::default(), threads: 0, store: false };
    while let Some(name) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{name} needs a value"));
        let path = &mut options.path;
        match name.as_str() {
            "--help" => return Ok(None),
            "--rays" => options.rays = number(&name, &value()?)?,
            "--threads" => options.threads = number(&name, &value()?)? as usize,
            "--isa" => {
                path.isa = named(&name, &value()?, Isa::ALL.iter().copied(), Isa::name)?;
                if !path.isa.is_available() {
                    return Err(format!("{name} {}: this machine does not have it", path.isa));
                }
            }
            "--preset" => path.preset = named(&name, &value()?, Preset::ALL.iter().copied(), Preset::name)?,
            "--tree" => path.tree = named(&name, &value()?, Tree::ALL, Tree::name)?,
            "--calls" => path.calls = named(&name, &value()?, Calls::ALL, Calls::name)?,
            "--store" => options.store = true,
            _ => return Err(format!("{name} is no option")),
        }
    }
    Ok(Some(options))
}

fn number(option: &str, text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|&number| number > 0 && number <= u64::from(u32::MAX));
    number.ok_or_else(|| format!("{option} {text}: a number above 0 is needed"))
}

fn named<T: Copy>(
    option: &str,
    text: &str,
    all: impl IntoIterator<Item = T>,
    name: fn(T) -> &'static str,
) -> Result<T, String> {
    let all: Vec<T> = all.into_iter().collect();
    let names: Vec<&str> = all.iter().map(|&one| name(one)).collect();
    let found = all.iter().find(|&&one| name(one) == text);
    found.copied().ok_or_else(|| format!("{option} {text}: one of {} is needed", names.join(", ")))
}
