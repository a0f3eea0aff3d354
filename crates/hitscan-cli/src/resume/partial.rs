//! The files that an interrupted batch leaves, and the one process that may write them.

use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::job::Job;
use super::mark::Mark;
use super::saver::{Places, Saver, Saving, save};
use super::state::State;
use crate::failure::{Failure, reason, tell};
use crate::interrupt;
use crate::number::count;

/// How long a process that was killed may take to be gone.
const PATIENCE: Duration = Duration::from_secs(1);

/// An output that stays when its batch is interrupted.
#[derive(Debug)]
pub struct Partial {
    /// What messages call the output.
    place: String,
    /// The output's final name.
    name: PathBuf,
    places: Places,
    /// Whether it may replace a file of that name.
    clobber: bool,
    /// Who may use the output under its final name, where the system does not decide.
    permissions: Option<Permissions>,
    /// Where the batch goes on; of one that begins, no more than which batch it is.
    state: State,
    /// What the rows of the input are, and whether anybody wants to hear of them.
    rows_are: &'static str,
    quiet: bool,
    saver: Option<Saver>,
}

impl Partial {
    /// Opens what there is, or begins it; `path` is the output, `place` what messages call it, `permissions` those of the
    /// file that it replaces, and `clobber` whether it may.
    pub fn open(
        place: &str,
        path: PathBuf,
        permissions: Option<Permissions>,
        clobber: bool,
    ) -> Result<(Partial, File), Failure> {
        let [partial, state, unfinished] = Partial::files_of(&path);
        [&partial, &state, &unfinished].into_iter().try_for_each(|path| refuse_others(path))?;
        let places = Places { partial, state, unfinished, permissions: permissions.clone().map(writable) };
        let begun = Instant::now();
        let (file, state) = loop {
            // A file that was made here and that nobody knows yet must not stay.
            let opened: Result<_, Failure> = interrupt::uninterrupted(|interrupted| {
                let Some((file, is_new)) = lock(&places.partial)? else { return Ok(None) };
                if is_new {
                    // What was said of another output, of which a crash has left nothing else.
                    let _ = fs::remove_file(&places.state);
                }
                let state = if is_new { State::default() } else { found(&places, &file)? };
                if state.is_begin() {
                    interrupted.register(&places.partial);
                    interrupted.register(&places.state);
                }
                Ok(Some((file, state)))
            });
            if let Some(opened) = opened? {
                break opened;
            }
            if begun.elapsed() > PATIENCE {
                let what = "is being written by another process; expected it to end first";
                return Err(Failure::new(places.partial.display(), what));
            }
            std::thread::sleep(PATIENCE / 20);
        };
        let place = place.to_owned();
        let (rows_are, quiet, saver) = ("", true, None);
        let name = path;
        Ok((Partial { place, name, places, clobber, permissions, state, rows_are, quiet, saver }, file))
    }

    /// The output's final name.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// What is beside an output of this name until it is complete.
    pub fn files_of(path: &Path) -> [PathBuf; 3] {
        [".partial", ".partial.state", ".partial.state.tmp"].map(|ending| beside(path, ending))
    }

    /// Goes on where the same batch ended, or begins it.
    pub fn begin(
        &mut self,
        file: &mut File,
        job: Job,
        rows_are: &'static str,
        quiet: bool,
    ) -> Result<(), Failure> {
        (self.rows_are, self.quiet) = (rows_are, quiet);
        let Places { partial, state, .. } = &self.places;
        if let Some(what) = self.state.job.difference(&job).filter(|_| !self.state.is_begin()) {
            return Err(Failure::new(partial.display(), format_args!("{what}; {}", self.remedy())));
        }
        let failed = |path: &Path, error: io::Error| Failure::writing(path.display(), &error);
        let is_begin = self.state.is_begin();
        let length = if is_begin { 0 } else { self.state.length };
        if let Some(permissions) = &self.places.permissions {
            file.set_permissions(permissions.clone()).map_err(|error| failed(partial, error))?;
        }
        let cut = file.set_len(length).and_then(|()| file.seek(SeekFrom::Start(length)));
        cut.map_err(|error| failed(partial, error))?;
        if is_begin {
            // First of all, so that a file with rows in it is known for what it is.
            self.state = State { job, ..State::default() };
            save(&self.places, &self.state.encode(), |_| {}).map_err(|error| failed(state, error))?;
            sync_folder(state);
        }
        if !quiet {
            let words = match is_begin {
                true => "there is nothing to go on from; it begins anew".to_owned(),
                false => format!("goes on after {}", self.so_far(&self.state.mark)),
            };
            tell(format_args!("hitscan: {}: {words}", self.place));
        }
        if !is_begin {
            let words = self.words(&self.state.mark);
            interrupt::uninterrupted(|unfinished| unfinished.say(words));
        }
        let copy = file.try_clone().map_err(|error| failed(partial, error))?;
        self.saver = Some(Saver::new(copy, self.place.clone(), self.places.clone()));
        Ok(())
    }

    /// From where it goes on; `None` where it begins.
    pub fn resumed(&self) -> Option<&State> {
        Some(&self.state).filter(|state| !state.is_begin())
    }

    /// Whether it is time to [`save`](Partial::save).
    pub fn is_due(&self) -> bool {
        self.saver.as_ref().is_some_and(Saver::is_due)
    }

    /// Keeps from where to go on: `length` bytes of the output are the answers up to the mark. `begun` is when the making
    /// of `format` began, which the pace counts in.
    pub fn save(&mut self, begun: Instant, mark: &Mark, length: u64, format: Vec<u8>) -> Result<(), Failure> {
        if mark.rows() == 0 {
            return Ok(()); // it would say that there is nothing to go on from
        }
        let state = State { job: self.state.job.clone(), mark: mark.clone(), length, format };
        let saving = Saving { state: state.encode(), words: self.words(mark), begun };
        self.saver.as_mut().map_or(Ok(()), |saver| saver.take(saving))
    }

    /// Gives the complete output its name.
    pub fn publish(&mut self) -> Result<(), Failure> {
        self.saver.as_mut().map_or(Ok(()), Saver::end)?;
        let published: io::Result<()> = interrupt::uninterrupted(|unfinished| {
            if let Some(permissions) = &self.permissions {
                fs::set_permissions(&self.places.partial, permissions.clone())?;
            }
            interrupt::rename(&self.places.partial, &self.name, self.clobber)?;
            unfinished.forget(&self.places.partial);
            unfinished.forget(&self.places.state);
            unfinished.say(None);
            // Without an output it says nothing to anybody.
            let _ = fs::remove_file(&self.places.state);
            Ok(())
        });
        published.map_err(|error| Failure::naming(&self.place, &error))
    }

    /// Leaves what there is to go on from; where there is nothing, leaves nothing.
    pub fn leave(&mut self) {
        self.saver = None;
        interrupt::uninterrupted(|unfinished| {
            for path in [&self.places.partial, &self.places.state] {
                if unfinished.knows(path) {
                    let _ = fs::remove_file(path);
                    unfinished.forget(path);
                }
            }
            unfinished.say(None);
        });
    }

    /// What an interruption says.
    fn words(&self, mark: &Mark) -> Option<String> {
        let words = || format!("interrupted after {}; --resume goes on from there", self.so_far(mark));
        (!self.quiet).then(words)
    }

    fn so_far(&self, mark: &Mark) -> String {
        format!("{} {}", count(mark.rows() as usize), self.rows_are)
    }

    fn remedy(&self) -> String {
        remedy(&self.places)
    }
}

/// What to do about files that cannot be gone on from.
fn remedy(places: &Places) -> String {
    format!("expected the same batch as before; without {} it begins anew", places.partial.display())
}

/// The same name with another ending.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// Refuses what is there under a name and not a file of ours: a link, a pipe, a device.
fn refuse_others(path: &Path) -> Result<(), Failure> {
    match fs::symlink_metadata(path) {
        Ok(found) if !found.is_file() => {
            Err(Failure::new(path.display(), "is not a file; --resume needs this name for one of its own"))
        }
        _ => Ok(()),
    }
}

/// Those with which the next run, too, may go on: a file that only its owner may read stays so, and one that nobody may
/// write is not such a one yet.
fn writable(permissions: Permissions) -> Permissions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        Permissions::from_mode(permissions.mode() | 0o600)
    }
    #[cfg(not(unix))]
    {
        let mut permissions = permissions;
        permissions.set_readonly(false);
        permissions
    }
}

/// Has the names in a file's folder on the disk. Some systems cannot, and then have them there at their own time.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// Opens the file, which no other process may write until this one closes it, and says whether it was made for that;
/// `None` where another one has it, or had it a moment ago.
fn lock(path: &Path) -> Result<Option<(File, bool)>, Failure> {
    let opened = match OpenOptions::new().read(true).write(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            File::create_new(path).map(|file| (file, true))
        }
        opened => opened.map(|file| (file, false)),
    };
    let (file, is_new) = match opened {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
        opened => opened.map_err(|error| Failure::writing(path.display(), &error))?,
    };
    match file.try_lock() {
        // The process that had it may have given it its final name since.
        Ok(()) => Ok(Some((file, is_new)).filter(|(file, _)| is_named(file, path))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => {
            let what = format_args!(
                "cannot be locked ({}); expected a folder whose files can be, or no --resume",
                reason(&error)
            );
            Err(Failure::new(path.display(), what))
        }
    }
}

/// Whether an open file still has this name.
fn is_named(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |found: io::Result<fs::Metadata>| found.map(|found| (found.dev(), found.ino())).ok();
        let named = identity(fs::metadata(path));
        named.is_some() && named == identity(file.metadata())
    }
    #[cfg(not(unix))]
    {
        file.metadata().is_ok() && path.exists()
    }
}

/// From where a batch can go on that has been begun.
fn found(places: &Places, file: &File) -> Result<State, Failure> {
    let Places { partial, state: name, .. } = places;
    let length = file.metadata().map_err(|error| Failure::reading(partial.display(), &error))?.len();
    let expected = remedy(places);
    let state = match fs::read(name) {
        Ok(bytes) => State::decode(&bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound && length == 0 => return Ok(State::default()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let what = format_args!("there is no {} with it; {expected}", name.display());
            return Err(Failure::new(partial.display(), what));
        }
        Err(error) => return Err(Failure::reading(name.display(), &error)),
    };
    if length == 0 && state.as_ref().map_or(true, |state| state.length > 0) {
        return Ok(State::default()); // a crash came before the state of another output was removed
    }
    let state = state.map_err(|what| Failure::new(name.display(), format_args!("{what}; {expected}")))?;
    if length < state.length {
        let what = format_args!("has {length} bytes of {}; {expected}", state.length);
        return Err(Failure::new(partial.display(), what));
    }
    Ok(state)
}
