//! The tables of what was measured.

use hitscan_bench::markdown;

use super::summary::Line;
use crate::rows::{Row, Rows};
use hitscan_bench::peers::embree::{FAST, ROBUST};

/// A number that was not measured.
const NONE: &str = "-";

/// The bars.
pub fn summary(lines: &[Line], scenes: &[&'static str]) -> String {
    let mut table = vec![["form", "bar", "reach for"].map(str::to_owned).to_vec()];
    table[0].extend(scenes.iter().map(|scene| short(scene)));
    table[0].extend(["mean", "worst scene"].map(str::to_owned));
    for line in lines {
        let most = if line.less { "at most " } else { "" };
        let mut row = vec![line.name.to_owned(), format!("{most}{:.1}", line.bar)];
        row.push(line.reach.map_or(NONE.to_owned(), |reach| format!("{reach:.1}")));
        for scene in scenes {
            let value = line.scenes.iter().find(|(name, _)| name == scene);
            row.push(value.map_or(NONE.to_owned(), |(_, value)| format!("{value:.2}")));
        }
        row.push(line.mean().map_or(NONE.to_owned(), |mean| format!("{mean:.2}")));
        row.push(line.worst().map_or(NONE.to_owned(), |(name, value)| format!("{value:.2} {}", short(name))));
        table.push(row);
    }
    markdown::table(&table)
}

/// All rows of queries.
pub fn queries(rows: &Rows) -> String {
    let header = [
        "scene",
        "workload, form",
        "threads",
        "hits",
        "hitscan",
        "Embree's best",
        "mode",
        "ratio (range)",
        "to robust",
        "to parry3d",
        "to obvhs",
        "to bvh",
        "differ: default, robust",
    ];
    let mut table = vec![header.map(str::to_owned).to_vec()];
    for row in &rows.queries {
        let ratio = |name: &str| row.rival(name).map_or(NONE.to_owned(), |r| format!("{:.2}", r.ratio[0]));
        let best = row.embree();
        let range = |[ratio, low, high]: [f64; 3]| format!("{ratio:.2} ({low:.2} to {high:.2})");
        table.push(vec![
            short(row.scene),
            row.name(),
            row.threads.to_string(),
            row.ours().hits.to_string(),
            format!("{:.2}", row.ours().rate),
            best.map_or(NONE.to_owned(), |best| format!("{:.2}", best.rate)),
            best.map_or(NONE, |best| best.name.strip_prefix("Embree ").unwrap_or("single")).to_owned(),
            best.map_or(NONE.to_owned(), |best| range(best.ratio)),
            ratio(ROBUST),
            ratio("parry3d"),
            ratio("obvhs"),
            ratio("bvh"),
            differences(row),
        ]);
    }
    markdown::table(&table)
}

/// Rays that Embree answers otherwise, by its default or recording scene and by its robust one.
fn differences(row: &Row) -> String {
    let default = row.rival(FAST).or(row.embree()).map(|rival| rival.differ.to_string());
    let robust = row.rival(ROBUST).map(|rival| rival.differ.to_string());
    [default, robust].map(|count| count.unwrap_or(NONE.to_owned())).join(", ")
}

/// All builds; nothing where there are none.
pub fn builds(rows: &Rows) -> String {
    if rows.builds.is_empty() {
        return String::new();
    }
    let header = [
        "scene",
        "triangles",
        "threads",
        "hitscan",
        "Embree",
        "ratio (range)",
        "parry3d",
        "obvhs",
        "bvh",
        "bytes a triangle: hitscan",
        "Embree",
        "obvhs",
    ];
    let mut table = vec![header.map(str::to_owned).to_vec()];
    for row in &rows.builds {
        let rate = |name: &str| row.rival(name).map_or(NONE.to_owned(), |r| format!("{:.2}", r.rate));
        let bytes = |name: &str| {
            row.rival(name).and_then(|r| r.bytes).map_or(NONE.to_owned(), |bytes| format!("{bytes:.0}"))
        };
        let ratio = row.rival(FAST).map_or(NONE.to_owned(), |rival| {
            let [ratio, low, high] = rival.ratio;
            format!("{ratio:.2} ({low:.2} to {high:.2})")
        });
        table.push(vec![
            short(row.scene),
            row.triangles.to_string(),
            row.threads.to_string(),
            rate("hitscan"),
            rate(FAST),
            ratio,
            rate("parry3d"),
            rate("obvhs"),
            rate("bvh"),
            bytes("hitscan"),
            bytes(FAST),
            bytes("obvhs"),
        ]);
    }
    markdown::table(&table)
}

/// A scene's name without what it is made from.
pub fn short(scene: &str) -> String {
    let name = scene.trim_start_matches("builtin:");
    name.split(['.', ':']).next().unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_are_short() {
        assert_eq!([short("kitchen.glb"), short("builtin:terrain:1M")], ["kitchen", "terrain"]);
    }
}
