//! What the process takes, as the system counts it.

use std::process::{Command, ExitStatus};

/// How the allocator of Linux is told to give back what is freed: few arenas, and large lists in pages of their own. Left alone it keeps
/// for each thread what that thread once needed, so that memory grows for minutes without a leak.
const PLAIN: [(&str, &str); 2] = [("MALLOC_ARENA_MAX", "1"), ("MALLOC_MMAP_THRESHOLD_", "262144")];

/// Runs this program again with an allocator that keeps nothing; `None` where it is that run already.
pub fn plainly() -> Option<std::io::Result<ExitStatus>> {
    if PLAIN.iter().all(|(name, _)| std::env::var_os(name).is_some()) {
        return None;
    }
    let again =
        || Command::new(std::env::current_exe()?).args(std::env::args_os().skip(1)).envs(PLAIN).status();
    Some(again())
}

/// Bytes in memory now.
pub fn now() -> Option<u64> {
    of("VmRSS:")
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
