//! What the process takes, as its allocator and the system count it.

use std::alloc::System;
use std::fmt;

use cap::Cap;

/// The system's own, which counts and has no limit.
#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Bytes that are taken at one moment.
#[derive(Clone, Copy)]
pub struct Level {
    /// Allocated and not yet freed.
    pub allocated: u64,
    /// In memory, as the system says.
    pub resident: Option<u64>,
}

impl Level {
    pub fn now() -> Level {
        Level { allocated: ALLOCATOR.allocated() as u64, resident: of("VmRSS:") }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} KiB allocated, {} resident", self.allocated >> 10, mib(self.resident))
    }
}

/// The most bytes that were ever in memory.
pub fn most() -> Option<u64> {
    of("VmHWM:")
}

/// Linux alone tells.
fn of(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib << 10)
}

/// The same for people.
pub fn mib(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "unknown".to_owned(), |bytes| format!("{} MiB", bytes >> 20))
}
