//! Stated counts of hits: a fast wrong answer is no answer. `--count` prints them anew.

use hitscan_bench::forms::Query;

/// Rows of `scene;workload;side;query;hits`, the last being the number of rays that hit, or of hits where a query
/// gives lists.
const STATED: &str = include_str!("counts.csv");

/// A row without its count.
pub fn key(scene: &str, workload: &str, side: u32, query: Query) -> String {
    format!("{scene};{workload};{side};{};", query.name())
}

/// What is stated for a row; `None` where nothing is.
pub fn stated(key: &str) -> Option<u64> {
    STATED.lines().find_map(|line| line.strip_prefix(key)).and_then(|count| count.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_complete_and_unique() {
        let mut keys = std::collections::BTreeSet::new();
        for line in STATED.lines() {
            let (key, count) = line.rsplit_once(';').expect("a row has a count");
            assert!(count.parse::<u64>().is_ok(), "{line}");
            assert_eq!(key.matches(';').count(), 3, "{line}");
            assert!(keys.insert(key), "{key} is stated twice");
            assert_eq!(stated(&format!("{key};")), count.parse().ok());
        }
    }

    #[test]
    fn occlusion_is_a_closest_hit() {
        for line in STATED.lines().filter(|line| line.contains(";occluded;")) {
            let (key, count) = line.rsplit_once(';').expect("a row has a count");
            // A million rays are asked for occlusion alone.
            if let Some(closest) = stated(&format!("{};", key.replace(";occluded", ";closest"))) {
                assert_eq!(Ok(closest), count.parse(), "{key}");
            }
        }
    }
}
