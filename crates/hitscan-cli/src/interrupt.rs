//! Ctrl-C and friends: unfinished files disappear, the exit code is 130.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::failure::tell;

/// What is under way.
#[derive(Debug, Default)]
pub struct Unfinished {
    /// Files under a temporary name that must not outlive the process.
    files: Vec<PathBuf>,
    /// What there is to say of files that do outlive it.
    words: Option<String>,
}

static UNFINISHED: Mutex<Unfinished> = Mutex::new(Unfinished { files: Vec::new(), words: None });

fn unfinished() -> MutexGuard<'static, Unfinished> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on an interruption removes what [`create`] has made. A signal that was ignored before stays so: `nohup` and
/// shells start commands that are to outlive it.
///
/// Where the system refuses a handler, an interruption ends the process in the system's own way.
#[cfg(unix)]
pub fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use std::sync::mpsc;
    use std::thread;

    let signals: Vec<i32> =
        [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|&signal| !is_ignored(signal)).collect();
    let (watching, watched) = mpsc::channel::<()>();
    let watch = move || {
        let signals = Signals::new(signals);
        drop(watching);
        if signals.is_ok_and(|mut signals| signals.forever().next().is_some()) {
            end();
        }
    };
    // A handler without its thread would swallow all signals, so the thread comes first.
    if thread::Builder::new().name("interrupt".into()).spawn(watch).is_ok() {
        let _ = watched.recv();
    }
}

#[cfg(not(unix))]
pub fn watch() {
    let _ = ctrlc::set_handler(end);
}

/// Ends the process as an interruption does.
fn end() {
    // The lock is kept to the end, so a rename is either done or never begins.
    let unfinished = unfinished();
    for path in &unfinished.files {
        let _ = fs::remove_file(path);
    }
    if let Some(words) = &unfinished.words {
        tell(format_args!("hitscan: {words}"));
    }
    std::process::exit(130);
}

/// Whether the process was started with a signal ignored, where the system says so in a file, as Linux does.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

/// Does what an interruption must find either done or not begun.
pub fn uninterrupted<T>(work: impl FnOnce(&mut Unfinished) -> T) -> T {
    work(&mut unfinished())
}

/// Makes a file that is removed if the process is interrupted before [`publish`] or [`discard`]. An interruption finds it
/// made and known, or does not let it be made any more. What is there already is written over.
pub fn create(path: &Path) -> io::Result<File> {
    made(path, || File::create(path))
}

/// The same, where nothing is there yet.
pub fn create_new(path: &Path) -> io::Result<File> {
    made(path, || File::create_new(path))
}

fn made(path: &Path, make: impl FnOnce() -> io::Result<File>) -> io::Result<File> {
    uninterrupted(|unfinished| {
        let file = make()?;
        unfinished.register(path);
        Ok(file)
    })
}

/// Gives a finished file its final name; see [`rename`].
pub fn publish(path: &Path, name: &Path, clobber: bool) -> io::Result<()> {
    uninterrupted(|unfinished| {
        rename(path, name, clobber)?;
        unfinished.forget(path);
        Ok(())
    })
}

/// Renames a file. Where it may not replace another, the error is `AlreadyExists` also for one that appeared a moment ago.
pub fn rename(path: &Path, name: &Path, clobber: bool) -> io::Result<()> {
    if clobber {
        return fs::rename(path, name);
    }
    match fs::hard_link(path, name) {
        Ok(()) => {
            // Complete under its name, it would only be there twice.
            let _ = fs::remove_file(path);
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // Not every file system has hard links: on others a file of ours takes the name first.
        Err(_) => {
            File::create_new(name)?;
            fs::rename(path, name).inspect_err(|_| drop(fs::remove_file(name)))
        }
    }
}

/// Removes an unfinished file.
pub fn discard(path: &Path) {
    uninterrupted(|unfinished| {
        let _ = fs::remove_file(path);
        unfinished.forget(path);
    });
}

impl Unfinished {
    /// An interruption removes `path` from now on.
    pub fn register(&mut self, path: &Path) {
        self.files.push(path.to_owned());
    }

    /// Leaves `path` alone from now on.
    pub fn forget(&mut self, path: &Path) {
        self.files.retain(|other| other != path);
    }

    /// Whether an interruption would remove `path`.
    pub fn knows(&self, path: &Path) -> bool {
        self.files.iter().any(|other| other == path)
    }

    /// What an interruption says before the process ends.
    pub fn say(&mut self, words: Option<String>) {
        self.words = words;
    }
}
