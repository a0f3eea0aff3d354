//! The parts of documents that programs replace.

use std::path::PathBuf;

/// The repository's file.
fn file(path: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(path)
}

/// What is fast, and how fast.
pub const PERFORMANCE: &str = "docs/performance.md";
/// What is promised, and what shows it.
pub const RELIABILITY: &str = "docs/reliability.md";

/// Replaces the part between `<!-- NAME: begin -->` and `<!-- NAME: end -->` in a document.
///
/// # Errors
/// A file that cannot be read or written, or that has no such part.
pub fn replace(document: &str, name: &str, part: &str) -> Result<(), String> {
    let path = file(document);
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(&path).map_err(failed)?;
    let text = replaced(&text, name, part).ok_or_else(|| {
        format!("{}: no lines `{}` and `{}`", path.display(), mark(name, "begin"), mark(name, "end"))
    })?;
    std::fs::write(&path, text).map_err(failed)
}

/// Writes a picture into docs/figures.
///
/// # Errors
/// A file that cannot be written.
pub fn figure(name: &str, svg: &str) -> Result<(), String> {
    let path = file("docs/figures").join(name);
    std::fs::write(&path, svg).map_err(|error| format!("{}: {error}", path.display()))
}

fn mark(name: &str, end: &str) -> String {
    format!("<!-- {name}: {end} -->")
}

fn replaced(text: &str, name: &str, part: &str) -> Option<String> {
    let (begin, end) = (mark(name, "begin"), mark(name, "end"));
    let (before, rest) = text.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}\n{}\n{end}{after}", part.trim_end()))
}

/// Today, and the machine.
pub fn machine(threads: usize) -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let date = chrono::DateTime::from_timestamp(now.as_secs() as i64, 0).unwrap_or_default();
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or(std::env::consts::ARCH, |(_, model)| model);
    format!("{}, {model}, {threads} threads", date.format("%Y-%m-%d"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_between_marks_is_replaced() {
        let text = "head\n<!-- x: begin -->\nold\n<!-- x: end -->\ntail\n";
        let new = replaced(text, "x", "new\n").unwrap();
        assert_eq!(new, "head\n<!-- x: begin -->\nnew\n<!-- x: end -->\ntail\n");
        assert_eq!(replaced(&new, "x", "new").unwrap(), new);
        assert_eq!(replaced(text, "y", "new"), None);
    }
}
