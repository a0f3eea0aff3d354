//! The table.

use hitscan_bench::markdown;

use crate::tally::{Faults, Row};

/// Meshes down, engines across.
pub fn table(rows: &[Row]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let engines: Vec<&str> = first.faults.iter().map(|faults| faults.engine).collect();
    let heading = ["mesh", "sizes and places", "rays", "from inside"].map(str::to_owned);
    let of = |engine: &&str| format!("{engine}: misses, wrong sums");
    let mut lines = vec![heading.into_iter().chain(engines.iter().map(of)).collect::<Vec<String>>()];
    for row in rows {
        let mut line =
            vec![row.name.clone(), row.cases.to_string(), row.rays.to_string(), row.sure.to_string()];
        line.extend(engines.iter().map(|engine| cell(row.faults.iter().find(|f| f.engine == *engine))));
        lines.push(line);
    }
    markdown::table(&lines)
}

/// Such as `3, 5`.
fn cell(faults: Option<&Faults>) -> String {
    match faults {
        None => "-".to_owned(),
        Some(Faults { misses, sums: None, .. }) => format!("{misses}, -"),
        Some(Faults { misses, sums: Some(sums), .. }) => format!("{misses}, {sums}"),
    }
}

/// Progress.
pub fn line(row: &Row) -> String {
    let faults: Vec<String> =
        row.faults.iter().map(|faults| format!("{} {}", faults.engine, cell(Some(faults)))).collect();
    format!("{}, {} rays; misses and wrong sums: {}", row.name, row.rays, faults.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_not_asked_has_no_number() {
        let faults = |engine, misses, sums| Faults { engine, misses, sums };
        let row = |name: &str, faults| Row { name: name.to_owned(), cases: 2, rays: 9, sure: 4, faults };
        let rows = [
            row("ball", vec![faults("a", 0, Some(0)), faults("b", 1, Some(2))]),
            row("wall", vec![faults("a", 3, None)]),
        ];
        let text = table(&rows);
        let lines: Vec<Vec<&str>> =
            text.lines().map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect();
        assert_eq!(lines[0][4..], ["a: misses, wrong sums", "b: misses, wrong sums"]);
        assert_eq!(lines[2], ["ball", "2", "9", "4", "0, 0", "1, 2"]);
        assert_eq!(lines[3], ["wall", "2", "9", "4", "3, -", "-"]);
    }
}
