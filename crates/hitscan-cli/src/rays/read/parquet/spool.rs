//! A pipe as a file without a name: Parquet is read from its end.

use std::fs::{File, OpenOptions, remove_file};
use std::io::{self, Read, Seek};

use crate::interrupt;

/// Copies everything to a file that disappears with the process.
///
/// # Errors
/// Those of the input, and of the folder for temporary files.
pub fn spool(input: &mut dyn Read) -> io::Result<File> {
    let name = format!(".hitscan-rays.{}.tmp", std::process::id());
    let path = std::env::temp_dir().join(name);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = interrupt::uninterrupted(|_| {
        let file = options.open(&path)?;
        remove_file(&path).map(|()| file)
    })?;
    io::copy(input, &mut file)?;
    file.rewind()?;
    Ok(file)
}
