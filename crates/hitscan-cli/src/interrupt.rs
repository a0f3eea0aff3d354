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

/// From now on an interruption removes what [`create`] has made.
///
/// Where the system refuses a handler, an interruption ends the process in the system's own way.
pub fn watch() {
    let _ = ctrlc::set_handler(|| {
        // The lock is kept to the end, so a rename is either done or never begins.
        let unfinished = unfinished();
        for path in &unfinished.files {
            let _ = fs::remove_file(path);
        }
        if let Some(words) = &unfinished.words {
            tell(format_args!("hitscan: {words}"));
        }
        std::process::exit(130);
    });
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
