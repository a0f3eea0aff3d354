//! All numbers, a line for each rival of each row.

use std::fmt::Write as _;

use crate::rows::Rows;

const HEADER: &str =
    "scene,workload,form,threads,rays,rival,per_second,ratio,ratio_low,ratio_high,hits,differ,bytes\n";

pub fn text(rows: &Rows) -> String {
    let mut text = HEADER.to_owned();
    for row in &rows.queries {
        for rival in &row.rivals {
            let [ratio, low, high] = rival.ratio;
            let _ = writeln!(
                text,
                "{},\"{}\",\"{}\",{},{},{},{},{ratio},{low},{high},{},{},",
                row.scene,
                row.workload.name(),
                row.form.name(),
                row.threads,
                row.rays,
                rival.name,
                rival.rate * 1e6,
                rival.hits,
                rival.differ
            );
        }
    }
    for row in &rows.builds {
        for rival in &row.rivals {
            let [ratio, low, high] = rival.ratio;
            let bytes = rival.bytes.map(|bytes| bytes.to_string()).unwrap_or_default();
            let _ = writeln!(
                text,
                "{},,build,{},{},{},{},{ratio},{low},{high},,,{bytes}",
                row.scene,
                row.threads,
                row.triangles,
                rival.name,
                rival.rate * 1e6
            );
        }
    }
    text
}
