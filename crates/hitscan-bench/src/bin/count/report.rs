//! Tables and CSV of what was counted.

use std::fmt::Write as _;

use hitscan::bvh::Stats;
use hitscan_bench::markdown;

use crate::totals::{Query, Totals};

/// A tree.
pub struct Tree {
    pub scene: &'static str,
    pub stats: Stats,
}

/// One question of some rays.
pub struct Row {
    pub scene: &'static str,
    pub load: String,
    pub query: Query,
    pub totals: Totals,
}

/// What the trees are, before any ray.
pub fn trees(trees: &[Tree]) -> String {
    let header = [
        "tree",
        "triangles",
        "nodes",
        "children a node, of 8",
        "leaves",
        "triangles a leaf",
        "depth",
        "SAH cost",
        "bytes a triangle",
    ];
    let mut table = vec![header.map(str::to_owned).to_vec()];
    for Tree { scene, stats } in trees {
        // Everything but the root is somebody's child.
        let children = (stats.nodes + stats.leaves).saturating_sub(1);
        table.push(vec![
            (*scene).to_owned(),
            stats.triangles.to_string(),
            stats.nodes.to_string(),
            mean(children as u64, stats.nodes as u64),
            stats.leaves.to_string(),
            mean(stats.triangles as u64, stats.leaves as u64),
            stats.depth.to_string(),
            format!("{:.2}", stats.sah_cost),
            format!("{:.1}", stats.bytes_per_triangle()),
        ]);
    }
    markdown::table(&table)
}

/// Means over rays, but *boxes met* over nodes; a column of instances where there are any.
pub fn counts(rows: &[Row]) -> String {
    let placed = rows.iter().any(|row| row.totals.instances > 0);
    let mut header = vec!["scene", "rays", "question", "hits"];
    header.extend(placed.then_some("instances"));
    header.extend(["nodes", "boxes met a node", "leaves", "tests", "pops"]);
    let mut table = vec![header.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    for Row { scene, load, query, totals } in rows {
        let a_ray = |total| mean(total, totals.rays);
        let mut row = vec![(*scene).to_owned(), load.clone(), query.name().to_owned(), a_ray(totals.hits)];
        row.extend(placed.then(|| a_ray(totals.instances)));
        row.extend([a_ray(totals.nodes), mean(totals.children, totals.nodes)]);
        row.extend([totals.leaves, totals.tests, totals.pops].map(a_ray));
        table.push(row);
    }
    markdown::table(&table)
}

fn mean(total: u64, count: u64) -> String {
    if count == 0 { "-".to_owned() } else { format!("{:.2}", total as f64 / count as f64) }
}

/// Sums, a line a row.
pub fn csv(rows: &[Row]) -> String {
    let mut text = "scene,rays,question,count,hits,instances,nodes,children,leaves,tests,pops\n".to_owned();
    for Row { scene, load, query, totals } in rows {
        let Totals { rays, hits, instances, nodes, children, leaves, tests, pops } = totals;
        let name = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let _ = writeln!(
            text,
            "{},{},{},{rays},{hits},{instances},{nodes},{children},{leaves},{tests},{pops}",
            name(scene),
            name(load),
            query.name()
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_a_ray_and_sums_are_whole() {
        let totals =
            Totals { rays: 4, hits: 3, nodes: 10, children: 25, leaves: 6, tests: 2, pops: 7, instances: 0 };
        let row = Row { scene: "a.glb", load: "primary, tiles".to_owned(), query: Query::AllHits, totals };
        let table = counts(std::slice::from_ref(&row));
        let cells: Vec<&str> = table.lines().nth(2).unwrap().split('|').map(str::trim).collect();
        let expected =
            ["", "a.glb", "primary, tiles", "all hits", "0.75", "2.50", "2.50", "1.50", "0.50", "1.75", ""];
        assert_eq!(cells, expected);
        assert_eq!(
            csv(&[row]).lines().nth(1),
            Some("\"a.glb\",\"primary, tiles\",all hits,4,3,0,10,25,6,2,7")
        );
        assert_eq!(mean(1, 0), "-");
    }
}
