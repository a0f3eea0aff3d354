//! What the process takes, as the system counts it.

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
