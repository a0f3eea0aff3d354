//! The tables.

use hitscan_bench::markdown;

use crate::contest::{Agreement, Row};
use crate::terrain::Memory;

/// A line for each rival of each row.
pub fn table(rows: &[Row]) -> String {
    let heading = [
        "question",
        "threads",
        "asked",
        "peer",
        "hits: ours, its",
        "differ (wrong: ours, its)",
        "mean: ours, its",
        "hitscan",
        "peer",
        "ratio (range)",
    ];
    let mut lines = vec![heading.map(str::to_owned).to_vec()];
    for row in rows {
        let ours = row.ours();
        for rival in &row.rivals[1..] {
            let [middle, low, high] = rival.ratio;
            let [our_mean, its_mean] = rival.agreement.means;
            lines.push(vec![
                row.what.clone(),
                row.threads.to_string(),
                row.asked.to_string(),
                rival.name.to_owned(),
                format!("{}, {}", ours.agreement.hits, rival.agreement.hits),
                differ(&rival.agreement),
                format!("{our_mean:.5}, {its_mean:.5}"),
                format!("{:.1}", ours.rate),
                format!("{:.1}", rival.rate),
                format!("{middle:.2} ({low:.2} to {high:.2})"),
            ]);
        }
    }
    markdown::table(&lines)
}

/// Such as `3 (0, 2)`.
fn differ(agreement: &Agreement) -> String {
    match (agreement.differ, agreement.wrong) {
        (differ, [0, 0]) => differ.to_string(),
        (differ, [ours, its]) => format!("{differ} ({ours}, {its})"),
    }
}

/// What a sample of terrain weighs.
pub fn memory(terrains: &[Memory]) -> String {
    let heading = ["bytes a sample", "hitscan, u16", "hitscan, f32", "parry3d"];
    let mut lines = vec![heading.map(str::to_owned).to_vec()];
    lines.extend(terrains.iter().map(|terrain| {
        let Memory { side, u16, f32, parry } = terrain;
        let weights = [u16, f32, parry].map(|bytes| format!("{bytes:.2}"));
        std::iter::once(format!("{side} x {side}")).chain(weights).collect()
    }));
    markdown::table(&lines)
}
