//! Ctrl-C and friends: unfinished files disappear, the exit code is 130.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Files under a temporary name that must not outlive the process.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on an interruption removes what [`register`] was told of.
///
/// Where the system refuses a handler, an interruption ends the process in the system's own way.
pub fn watch() {
    let _ = ctrlc::set_handler(|| {
        // The lock is kept to the end, so a rename is either done or never begins.
        let unfinished = unfinished();
        for path in unfinished.iter() {
            let _ = fs::remove_file(path);
        }
        std::process::exit(130);
    });
}

/// Removes `path` if the process is interrupted before [`publish`] or [`discard`].
pub fn register(path: &Path) {
    unfinished().push(path.to_owned());
}

/// Gives a finished file its final name.
pub fn publish(path: &Path, name: &Path) -> io::Result<()> {
    let mut unfinished = unfinished();
    fs::rename(path, name)?;
    unfinished.retain(|other| other != path);
    Ok(())
}

/// Leaves `path` alone from now on.
pub fn forget(path: &Path) {
    unfinished().retain(|other| other != path);
}

/// Removes an unfinished file.
pub fn discard(path: &Path) {
    let mut unfinished = unfinished();
    let _ = fs::remove_file(path);
    unfinished.retain(|other| other != path);
}
