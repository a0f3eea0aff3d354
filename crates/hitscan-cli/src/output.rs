//! Where results go: standard output, or a file that appears under its name only when it is complete.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::failure::{Failure, reason};
use crate::interrupt;
use crate::resume::job::Job;
use crate::resume::mark::Mark;
use crate::resume::partial::Partial;
use crate::resume::state::State;

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
/// or interrupted, it leaves nothing behind, unless it was opened to be resumed. Streams, pipes and devices are written
/// directly.
#[derive(Debug)]
pub struct Output {
    place: String,
    writer: BufWriter<Target>,
    until: Until,
}

/// What an output is until it is complete.
#[derive(Debug)]
enum Until {
    /// What it will be: a stream, a pipe or a device.
    Itself,
    /// A file under a temporary name.
    Temporary { unfinished: PathBuf, name: PathBuf, clobber: bool },
    /// A file that an interruption leaves.
    Partial(Box<Partial>),
}

#[derive(Debug)]
enum Target {
    Stdout(io::Stdout),
    Stderr(io::Stderr),
    File(File),
}

impl Output {
    /// Opens `name`, where `None` and `-` mean standard output.
    ///
    /// `inputs` are the files being read, which may not be the output too; `clobber` allows replacing a file.
    pub fn create(name: Option<&str>, inputs: &[&str], clobber: bool) -> Result<Output, Failure> {
        let Some(name) = name.filter(|&name| name != STANDARD_STREAM) else {
            return Ok(Output::new("standard output", Target::Stdout(io::stdout()), Until::Itself));
        };
        let failed = |error: io::Error| Failure::writing(name, &error);
        if let Some(number) = stream(name) {
            refuse_inputs(name, Path::new(name), inputs.iter().map(Path::new))?;
            return Ok(Output::new(name, Target::of_stream(number, name).map_err(failed)?, Until::Itself));
        }
        let (path, found) = target(name, inputs, clobber)?;
        match found {
            Some(found) if !found.is_file() => {
                let file = OpenOptions::new().write(true).open(&path).map_err(failed)?;
                Ok(Output::new(name, Target::File(file), Until::Itself))
            }
            found => {
                let (unfinished, file) = temporary(&path).map_err(failed)?;
                let until = Until::Temporary { unfinished, name: path, clobber };
                let output = Output::new(name, Target::File(file), until);
                output.permit(found.as_ref()).map(|()| output)
            }
        }
    }

    /// The same for a file that an interruption leaves under another name, to be gone on with by [`Output::begin`].
    pub fn resumable(name: &str, inputs: &[&str], clobber: bool) -> Result<Output, Failure> {
        let (path, found) = target(name, inputs, clobber)?;
        if stream(name).is_some() || found.as_ref().is_some_and(|found| !found.is_file()) {
            return Err(Failure::new(name, "is not a file; --resume needs one that can be gone on with"));
        }
        for file in Partial::files_of(&path) {
            refuse_inputs(&file.display().to_string(), &file, inputs.iter().map(Path::new))?;
        }
        let permissions = found.map(|found| found.permissions());
        let (partial, file) = Partial::open(name, path, permissions, clobber)?;
        Ok(Output::new(name, Target::File(file), Until::Partial(Box::new(partial))))
    }

    /// Whether a file is made or replaced, and not a stream or a device written to.
    pub fn makes_file(&self) -> bool {
        !matches!(self.until, Until::Itself)
    }

    fn new(place: &str, target: Target, until: Until) -> Output {
        Output { place: place.to_owned(), writer: BufWriter::with_capacity(1 << 16, target), until }
    }

    /// A file that only its owner may read stays so.
    fn permit(&self, found: Option<&Metadata>) -> Result<(), Failure> {
        let permitted = match (self.writer.get_ref(), found) {
            (Target::File(file), Some(found)) => file.set_permissions(found.permissions()),
            _ => Ok(()),
        };
        permitted.map_err(|error| Failure::writing(&self.place, &error))
    }

    /// Where a batch ended that was interrupted, this one goes on, or refuses to where it is another one. `rows_are` is
    /// what it counts, and `quiet` keeps it from telling. Nothing of other outputs.
    pub fn begin(
        &mut self,
        job: impl FnOnce() -> Result<Job, Failure>,
        rows_are: &'static str,
        quiet: bool,
    ) -> Result<(), Failure> {
        match (&mut self.until, self.writer.get_mut()) {
            (Until::Partial(partial), Target::File(file)) => partial.begin(file, job()?, rows_are, quiet),
            _ => Ok(()),
        }
    }

    /// Where this output goes on; `None` where it begins.
    pub fn resumed(&self) -> Option<&State> {
        if let Until::Partial(partial) = &self.until { partial.resumed() } else { None }
    }

    /// How far this output is already; `None` of one that nothing is kept of until it is complete.
    pub fn mark(&self) -> Option<Mark> {
        match &self.until {
            Until::Partial(_) => Some(self.resumed().map(|state| state.mark.clone()).unwrap_or_default()),
            Until::Itself | Until::Temporary { .. } => None,
        }
    }

    /// The moment, where it is time to [`save`](Output::save).
    pub fn due(&self) -> Option<Instant> {
        matches!(&self.until, Until::Partial(partial) if partial.is_due()).then(Instant::now)
    }

    /// Keeps from where to go on: what has been written is the answers up to the mark. `format` is what else the format
    /// needs to know then, and `begun` when this was [`due`](Output::due): it is the rarer the longer it takes.
    pub fn save(&mut self, begun: Instant, mark: &Mark, format: Vec<u8>) -> Result<(), Failure> {
        let flushed = self.writer.flush().and_then(|()| match self.writer.get_mut() {
            Target::File(file) => file.stream_position(),
            Target::Stdout(_) | Target::Stderr(_) => Ok(0),
        });
        let length = flushed.map_err(|error| Failure::writing(&self.place, &error))?;
        match &mut self.until {
            Until::Partial(partial) => partial.save(begun, mark, length, format),
            Until::Itself | Until::Temporary { .. } => Ok(()),
        }
    }

    /// What messages call it.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Refuses to replace one of these files, which turned out to be inputs too.
    pub fn spare(&self, inputs: &[PathBuf]) -> Result<(), Failure> {
        let refuse =
            |place: &str, path: &Path| refuse_inputs(place, path, inputs.iter().map(PathBuf::as_path));
        match &self.until {
            Until::Itself => Ok(()),
            Until::Temporary { name, .. } => refuse(&self.place, name),
            Until::Partial(partial) => {
                refuse(&self.place, partial.name())?;
                Partial::files_of(partial.name())
                    .iter()
                    .try_for_each(|path| refuse(&path.display().to_string(), path))
            }
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
        let is_named = self.mends();
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
        !matches!(self.until, Until::Itself)
    }

    /// Writes the first bytes again, which have been written before.
    pub fn mend(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let mut again = || {
            self.writer.flush()?;
            match self.writer.get_mut() {
                Target::File(file) => file.rewind().and_then(|()| file.write_all(bytes)),
                Target::Stdout(_) | Target::Stderr(_) => Err(io::ErrorKind::NotSeekable.into()),
            }
        };
        again().map_err(|error| Failure::writing(&self.place, &error))
    }

    /// Writes what is buffered and gives the file its name.
    pub fn finish(mut self) -> Result<(), Failure> {
        if let Until::Partial(_) = self.until {
            // Nothing is left to go on from afterwards.
            self.settle()?;
        }
        let written = self.writer.flush();
        let named = written.and_then(|()| match &self.until {
            Until::Itself | Until::Partial(_) => Ok(()),
            Until::Temporary { unfinished, name, clobber } => interrupt::publish(unfinished, name, *clobber),
        });
        named.map_err(|error| Failure::naming(&self.place, &error))?;
        if let Until::Partial(partial) = &mut self.until {
            partial.publish()?;
        }
        self.until = Until::Itself;
        Ok(())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        match &mut self.until {
            Until::Itself => {}
            Until::Temporary { unfinished, .. } => interrupt::discard(unfinished),
            Until::Partial(partial) => partial.leave(),
        }
    }
}

impl Target {
    /// A stream by its number. Opened anew, a file behind it would be written from its beginning.
    fn of_stream(number: u32, name: &str) -> io::Result<Target> {
        match number {
            1 => Ok(Target::Stdout(io::stdout())),
            2 => Ok(Target::Stderr(io::stderr())),
            _ => OpenOptions::new().append(true).open(name).map(Target::File),
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Stdout(out) => out.write(bytes),
            Target::Stderr(out) => out.write(bytes),
            Target::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Stdout(out) => out.flush(),
            Target::Stderr(out) => out.flush(),
            Target::File(file) => file.flush(),
        }
    }
}

/// Refuses an output's name of another kind of file than the one that is written: it promises what is not in it to whoever reads it next, and
/// is likely a slip, by which a picture would replace a file of rays. `what` says what is written, and what was expected.
pub fn refuse_other_formats(name: &str, written: &str, what: &str) -> Result<(), Failure> {
    match Path::new(name).extension() {
        Some(extension) if !extension.eq_ignore_ascii_case(written) => Err(Failure::usage(name, what)),
        _ => Ok(()),
    }
}

/// Makes a folder where there is none, and refuses one in which no file can be made; `expected` says what it is for.
pub fn make_folder(folder: &Path, expected: &str) -> Result<(), Failure> {
    // Only a try tells whether the system will allow it.
    let tried = fs::create_dir_all(folder).and_then(|()| temporary(&folder.join("probe")));
    tried.map(|(probe, _)| interrupt::discard(&probe)).map_err(|error| {
        let what = format_args!("cannot be written ({}); expected {expected}", reason(&error));
        Failure::new(folder.display(), what)
    })
}

/// The number of the stream that a name stands for, through symbolic links too. A file that is behind it is not one to be
/// replaced: a shell has opened it, perhaps to append, and others may write it as well.
fn stream(name: &str) -> Option<u32> {
    /// As many as systems follow.
    const LINKS: usize = 40;
    if !cfg!(unix) {
        return None;
    }
    let mut path = PathBuf::from(name);
    for _ in 0..LINKS {
        let named =
            ["/dev/stdin", "/dev/stdout", "/dev/stderr"].iter().position(|name| path == Path::new(name));
        let numbered = ["/dev/fd", "/proc/self/fd"].iter().find_map(|folder| path.strip_prefix(folder).ok());
        let number = numbered.and_then(|number| number.to_str()?.parse().ok());
        if let Some(number) = named.map(|at| at as u32).or(number) {
            return Some(number);
        }
        let link = fs::read_link(&path).ok()?;
        path = path.parent().unwrap_or(Path::new("")).join(link);
    }
    None
}

/// The file that an output's name means, and what is there already.
fn target(name: &str, inputs: &[&str], clobber: bool) -> Result<(PathBuf, Option<Metadata>), Failure> {
    // Through a symbolic link, the file it names is replaced, not the link.
    let path = fs::canonicalize(name).unwrap_or_else(|_| PathBuf::from(name));
    refuse_inputs(name, &path, inputs.iter().map(Path::new))?;
    match fs::metadata(&path) {
        Ok(found) if found.is_dir() => {
            Err(Failure::new(name, "is a directory; the output needs the name of a file"))
        }
        // An unfinished file may have a name where the finished one cannot, which would be known after all the work.
        Err(error) if error.kind() == io::ErrorKind::InvalidFilename => Err(Failure::writing(name, &error)),
        // A link to nothing is there too.
        _ if !clobber && fs::symlink_metadata(name).is_ok() => Err(Failure::taken(name)),
        found => Ok((path, found.ok())),
    }
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

fn same_file(input: &Path, output: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |found: Metadata| (found.dev(), found.ino());
        let input = found(input).map(identity);
        input.is_some() && input == fs::metadata(output).ok().map(identity)
    }
    #[cfg(not(unix))]
    {
        fs::canonicalize(input)
            .is_ok_and(|input| fs::canonicalize(output).is_ok_and(|output| input == output))
    }
}

/// What is under an input's name; of standard input, the file that it is read from, where it is one.
#[cfg(unix)]
fn found(input: &Path) -> Option<Metadata> {
    use std::os::fd::AsFd;
    if input != Path::new(STANDARD_STREAM) {
        return fs::metadata(input).ok();
    }
    let input = io::stdin().as_fd().try_clone_to_owned().map(File::from);
    input.and_then(|input| input.metadata()).ok().filter(Metadata::is_file)
}

/// A new file under a hidden name in the same folder, so that the rename stays within one file system. Never one that is there:
/// another process of the same number may be writing it, in another container, or somebody may want another file written over.
fn temporary(path: &Path) -> io::Result<(PathBuf, File)> {
    /// As many as one folder may have been left by crashes.
    const NAMES: u32 = 1000;
    /// Most systems take names of 255 bytes, and what is put around this one has up to 20.
    const LONGEST: usize = 235;
    let (name, process) = (path.file_name().unwrap_or_default().to_string_lossy(), std::process::id());
    let end = (0..=LONGEST.min(name.len())).rev().find(|&at| name.is_char_boundary(at)).unwrap_or(0);
    let name = &name[..end];
    let mut taken = io::ErrorKind::AlreadyExists.into();
    for number in 0..NAMES {
        let unfinished = path.with_file_name(format!(".{name}.{process}-{number}.tmp"));
        match interrupt::create_new(&unfinished) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => taken = error,
            made => return made.map(|file| (unfinished, file)),
        }
    }
    Err(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_that_write_one_name_never_share_a_file() {
        let folder = std::env::temp_dir().join(format!("hitscan-names-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        let wanted = folder.join("out.csv");
        let [(one, _), (other, _)] = [(); 2].map(|()| temporary(&wanted).unwrap());
        assert!(one != other && one.exists() && other.exists());
        [one, other].iter().for_each(|path| interrupt::discard(path));
        // An empty folder alone can be removed so.
        fs::remove_dir(&folder).unwrap();
    }

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
