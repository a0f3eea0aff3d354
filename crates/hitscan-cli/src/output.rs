//! Where results go: standard output, or a file that appears under its name only when it is complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use crate::failure::{Failure, reason};
use crate::interrupt;

/// The name that stands for a standard stream.
pub const STANDARD_STREAM: &str = "-";

/// Prints results on standard output at once.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::writing("standard output", &error))
}

/// An output that was opened before the work and is completed by [`Output::finish`].
///
/// A file is written beside its target under a temporary name and renamed at the end. Dropped without `finish`,
/// or interrupted, it leaves nothing behind. Pipes and devices are written directly.
#[derive(Debug)]
pub struct Output {
    place: String,
    writer: BufWriter<Target>,
    /// The temporary name and the final one.
    rename: Option<(PathBuf, PathBuf)>,
}

#[derive(Debug)]
enum Target {
    Stdout(io::Stdout),
    File(File),
}

impl Output {
    /// Opens `name`, where `None` and `-` mean standard output.
    ///
    /// `inputs` are the files being read, which may not be the output too; `clobber` allows replacing a file.
    pub fn create(name: Option<&str>, inputs: &[&str], clobber: bool) -> Result<Output, Failure> {
        let Some(name) = name.filter(|&name| name != STANDARD_STREAM) else {
            return Ok(Output::new("standard output", Target::Stdout(io::stdout()), None));
        };
        // Through a symbolic link, the file it names is replaced, not the link.
        let path = fs::canonicalize(name).unwrap_or_else(|_| PathBuf::from(name));
        refuse_inputs(name, &path, inputs.iter().map(Path::new))?;
        let failed = |error: io::Error| Failure::writing(name, &error);
        match fs::metadata(&path) {
            Ok(found) if found.is_dir() => {
                Err(Failure::new(name, "is a directory; the output needs the name of a file"))
            }
            Ok(_) if !clobber => Err(Failure::new(name, "exists; --no-clobber needs a name that is free")),
            Ok(found) if !found.is_file() => {
                let file = OpenOptions::new().write(true).open(&path).map_err(failed)?;
                Ok(Output::new(name, Target::File(file), None))
            }
            found => {
                let unfinished = temporary_name(&path);
                interrupt::register(&unfinished);
                let file = File::create(&unfinished).map_err(|error| {
                    interrupt::discard(&unfinished);
                    failed(error)
                })?;
                let output = Output::new(name, Target::File(file), Some((unfinished.clone(), path)));
                if let Ok(found) = found {
                    // A file that only its owner may read stays so.
                    fs::set_permissions(&unfinished, found.permissions()).map_err(failed)?;
                }
                Ok(output)
            }
        }
    }

    fn new(place: &str, target: Target, rename: Option<(PathBuf, PathBuf)>) -> Output {
        Output { place: place.to_owned(), writer: BufWriter::with_capacity(1 << 16, target), rename }
    }

    /// What messages call it.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Refuses to replace one of these files, which turned out to be inputs too.
    pub fn spare(&self, inputs: &[PathBuf]) -> Result<(), Failure> {
        match &self.rename {
            Some((_, path)) => refuse_inputs(&self.place, path, inputs.iter().map(PathBuf::as_path)),
            None => Ok(()),
        }
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.writer.write_all(bytes).map_err(|error| Failure::writing(&self.place, &error))
    }

    /// Where bytes go that others write.
    pub fn sink(&mut self) -> &mut impl Write {
        &mut self.writer
    }

    /// Has a file's bytes on the disk before it gets its name, so that a crash leaves the old file or the new one.
    pub fn settle(&mut self) -> Result<(), Failure> {
        let is_named = self.rename.is_some();
        let mut settle = || {
            self.writer.flush()?;
            match self.writer.get_ref() {
                Target::File(file) if is_named => file.sync_all(),
                _ => Ok(()),
            }
        };
        settle().map_err(|error| Failure::writing(&self.place, &error))
    }

    /// Whether [`Output::mend`] works: a file does, a pipe or a device has given its bytes away.
    pub fn mends(&self) -> bool {
        self.rename.is_some()
    }

    /// Writes the first bytes again, which have been written before.
    pub fn mend(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let mut again = || {
            self.writer.flush()?;
            match self.writer.get_mut() {
                Target::File(file) => file.rewind().and_then(|()| file.write_all(bytes)),
                Target::Stdout(_) => Err(io::ErrorKind::NotSeekable.into()),
            }
        };
        again().map_err(|error| Failure::writing(&self.place, &error))
    }

    /// Writes what is buffered and gives the file its name.
    pub fn finish(mut self) -> Result<(), Failure> {
        let written = self.writer.flush();
        let renamed = written.and_then(|()| match &self.rename {
            Some((unfinished, name)) => interrupt::publish(unfinished, name),
            None => Ok(()),
        });
        renamed.map_err(|error| Failure::writing(&self.place, &error))?;
        self.rename = None;
        Ok(())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some((unfinished, _)) = &self.rename {
            interrupt::discard(unfinished);
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Stdout(out) => out.write(bytes),
            Target::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Stdout(out) => out.flush(),
            Target::File(file) => file.flush(),
        }
    }
}

/// Makes a folder where there is none, and refuses one in which no file can be made; `expected` says what it is for.
pub fn make_folder(folder: &Path, expected: &str) -> Result<(), Failure> {
    // Only a try tells whether the system will allow it.
    let probe = folder.join(format!(".probe.{}.tmp", std::process::id()));
    let tried = fs::create_dir_all(folder).and_then(|()| fs::write(&probe, []));
    tried.and_then(|()| fs::remove_file(&probe)).map_err(|error| {
        let what = format_args!("cannot be written ({}); expected {expected}", reason(&error));
        Failure::new(folder.display(), what)
    })
}

/// Whether two names are of one file, through symbolic and hard links too. A name without a file is no file's.
fn refuse_inputs<'p>(
    name: &str,
    path: &Path,
    mut inputs: impl Iterator<Item = &'p Path>,
) -> Result<(), Failure> {
    match inputs.find(|input| same_file(input, path)) {
        None => Ok(()),
        Some(_) => Err(Failure::new(name, "is also an input; the output needs a name of its own")),
    }
}

fn same_file(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |path: &Path| fs::metadata(path).map(|found| (found.dev(), found.ino())).ok();
        identity(a).is_some_and(|a| Some(a) == identity(b))
    }
    #[cfg(not(unix))]
    {
        fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
    }
}

/// A hidden name in the same folder, so that the rename stays within one file system.
fn temporary_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_cannot_be_is_refused_in_one_line() {
        let file = std::env::temp_dir().join(format!("hitscan-folder-{}", std::process::id()));
        fs::write(&file, "a file").unwrap();
        for folder in [file.clone(), file.join("below")] {
            let Err(Failure::Failed(message)) = make_folder(&folder, "a folder for pictures") else {
                panic!("a file is no folder")
            };
            assert!(message.ends_with("; expected a folder for pictures"), "{message}");
            assert!(!message.contains('\n'));
        }
        fs::remove_file(&file).unwrap();
    }
}
