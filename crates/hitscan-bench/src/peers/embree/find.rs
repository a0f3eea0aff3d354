//! Where Embree is.

use std::path::{Path, PathBuf};

/// The shared library that `cargo xtask peers` fetches; `None` where it has not.
pub fn find() -> Option<PathBuf> {
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
