//! Where Embree is.

use std::path::{Path, PathBuf};

use super::{Device, Embree};

/// Embree from a file, or else from where it is fetched to, and what reports call it, also where there is none.
///
/// # Errors
/// As [`Embree::open`] and [`Device::new`].
pub fn named(path: Option<&Path>) -> Result<(Option<&'static Embree>, String), String> {
    let Some(path) = path.map(Path::to_path_buf).or_else(find) else {
        return Ok((None, "no Embree: `cargo xtask peers` fetches it".to_owned()));
    };
    let library = Embree::open(&path)?;
    let version = Device::new(library, "threads=1")?.version();
    Ok((Some(library), format!("Embree {version}")))
}

/// The shared library that `cargo xtask peers` fetches; `None` where it has not.
fn find() -> Option<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"), PathBuf::from);
    // Where the wheels of Linux and Windows, and those of macOS, keep their libraries.
    ["embreex.libs", "embreex/.dylibs"].iter().find_map(|folder| {
        let files = std::fs::read_dir(target.join("peers").join(folder)).ok()?;
        files.flatten().map(|file| file.path()).find(|path| {
            path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.contains("embree4"))
        })
    })
}
