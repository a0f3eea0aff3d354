//! The hashes that the repository keeps, in the folder `hashes`.

use std::path::Path;

/// The numbers of rays that a report is stored for.
pub const SIZES: [u64; 3] = [10_000, 1_000_000, 10_000_000];

const STORED: [&str; 3] = [
    include_str!("../hashes/10000.txt"),
    include_str!("../hashes/1000000.txt"),
    include_str!("../hashes/10000000.txt"),
];

/// What a [`Report`](crate::Report) of so many rays says on every machine and every way; `None` where nothing is stored.
pub fn of(rays: u64) -> Option<&'static str> {
    SIZES.iter().position(|&size| size == rays).map(|row| STORED[row])
}

/// Writes what a report says to where the stored ones are, for the next build.
///
/// # Errors
/// A number of rays that none is stored for, and a file that cannot be written.
pub fn store(rays: u64, report: &str) -> Result<(), String> {
    if of(rays).is_none() {
        return Err(format!("hashes are stored for {SIZES:?} rays, not for {rays}"));
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("hashes").join(format!("{rays}.txt"));
    std::fs::write(&file, report).map_err(|error| format!("{}: {error}", file.display()))
}
