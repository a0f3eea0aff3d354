//! What the answers of a batch depend on: its options and its inputs.

use std::fs::{self, File, Metadata};
use std::hash::Hasher;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::failure::Failure;
use crate::scene::Loaded;

/// A batch among others: the same one gives the same bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Options by name, and what they say.
    options: Vec<(String, String)>,
    /// Inputs by what they are, and how to know them again.
    inputs: Vec<(String, String)>,
}

impl Job {
    /// Questions to a scene. Its files are known again by their content, which may be copied from machine to machine.
    pub fn new(loaded: &Loaded) -> Result<Job, Failure> {
        let mut job = Job::default();
        job.option("hitscan", env!("CARGO_PKG_VERSION"));
        job.option("the reading of the scene", loaded.reading.words().join(" "));
        let name = &loaded.name;
        let identity = if name.starts_with("builtin:") {
            name.clone()
        } else {
            content(&[&[PathBuf::from(name)], loaded.model.files_read.as_slice()].concat())?
        };
        job.inputs.push(("the scene".into(), identity));
        Ok(job)
    }

    /// An option that the answers depend on.
    pub fn option(&mut self, name: &str, value: impl Into<String>) {
        self.options.push((name.into(), value.into()));
    }

    /// A file that is too large to be read for this alone: it is known again by its size and the time of its last
    /// change. `what` says what is in it.
    pub fn file(&mut self, what: &str, name: &str) -> Result<(), Failure> {
        let found = again(Path::new(name))?;
        let changed = found.modified().map_err(|error| Failure::reading(name, &error))?;
        let changed = changed.duration_since(UNIX_EPOCH).unwrap_or_default();
        self.inputs.push((what.into(), format!("{} bytes, {} ns", found.len(), changed.as_nanos())));
        Ok(())
    }

    /// Numbers that are in memory.
    pub fn numbers(&mut self, what: &str, numbers: impl Iterator<Item = f64>) {
        let mut hash = XxHash3_64::new();
        numbers.for_each(|number| hash.write(&number.to_bits().to_le_bytes()));
        self.inputs.push((what.into(), format!("{:016x}", hash.finish())));
    }

    /// What is not as it was, in words; `None` of the same batch.
    pub fn difference(&self, now: &Job) -> Option<String> {
        let names = |job: &Job| -> Vec<String> {
            job.options.iter().chain(&job.inputs).map(|(name, _)| name.clone()).collect()
        };
        if names(self) != names(now) {
            return Some("it was another command".into());
        }
        let options = self.options.iter().zip(&now.options).find(|(old, now)| old != now);
        let inputs = self.inputs.iter().zip(&now.inputs).find(|(old, now)| old != now);
        match (options, inputs) {
            (Some(((name, old), (_, now))), _) => Some(format!("{name} was '{old}' and is '{now}'")),
            (None, Some(((name, _), _))) => Some(format!("{name} has changed since")),
            (None, None) => None,
        }
    }
}

/// What a file is, which must be there to be read again: a pipe is not.
fn again(path: &Path) -> Result<Metadata, Failure> {
    let found = fs::metadata(path).map_err(|error| Failure::reading(path.display(), &error))?;
    if found.is_file() {
        return Ok(found);
    }
    let what = "is not a file, which could be read again; expected one with --resume";
    Err(Failure::new(path.display(), what))
}

/// A hash of the bytes of some files.
fn content(files: &[PathBuf]) -> Result<String, Failure> {
    let mut hash = XxHash3_64::new();
    for path in files {
        again(path)?;
        let length = feed(path, &mut hash).map_err(|error| Failure::reading(path.display(), &error))?;
        hash.write(&length.to_le_bytes());
    }
    Ok(format!("{:016x}", hash.finish()))
}

/// Adds a file to a hash; how many bytes it has.
fn feed(path: &Path, hash: &mut XxHash3_64) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let mut bytes = vec![0; 1 << 18];
    let mut length = 0;
    loop {
        match file.read(&mut bytes)? {
            0 => return Ok(length),
            read => {
                hash.write(&bytes[..read]);
                length += read as u64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(options: &[(&str, &str)], inputs: &[(&str, &str)]) -> Job {
        let owned = |pairs: &[(&str, &str)]| pairs.iter().map(|&(a, b)| (a.into(), b.into())).collect();
        Job { options: owned(options), inputs: owned(inputs) }
    }

    #[test]
    fn the_first_difference_is_told() {
        let old = job(&[("--mode", "all"), ("--keep", "")], &[("the scene", "1"), ("the file of rays", "2")]);
        assert_eq!(old.difference(&old.clone()), None);
        let now =
            job(&[("--mode", "all"), ("--keep", "id")], &[("the scene", "1"), ("the file of rays", "3")]);
        assert_eq!(old.difference(&now).unwrap(), "--keep was '' and is 'id'");
        let now = job(&[("--mode", "all"), ("--keep", "")], &[("the scene", "1"), ("the file of rays", "3")]);
        assert_eq!(old.difference(&now).unwrap(), "the file of rays has changed since");
        let now = job(&[("--rule", "parity")], &[("the scene", "1"), ("the file of rays", "2")]);
        assert_eq!(old.difference(&now).unwrap(), "it was another command");
    }

    #[test]
    fn numbers_are_known_by_their_bits() {
        let of = |numbers: &[f64]| {
            let mut job = Job::default();
            job.numbers("the points", numbers.iter().copied());
            job
        };
        assert_eq!(of(&[1.0, f64::NAN]), of(&[1.0, f64::NAN]));
        assert_ne!(of(&[0.0]), of(&[-0.0]));
        assert_ne!(of(&[0.0, 1.0]), of(&[1.0, 0.0]));
    }
}
