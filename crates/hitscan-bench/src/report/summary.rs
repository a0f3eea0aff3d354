//! The bars: what has to be reached against Embree's best mode of a form, as means over the scenes.

use crate::rows::{Row, Rows, geometric_mean};
use hitscan_bench::forms::Query;
use hitscan_bench::peers::embree::FAST;

/// One bar, and where each scene stands.
pub struct Line {
    pub name: &'static str,
    /// What has to be reached.
    pub bar: f64,
    pub reach: Option<f64>,
    /// Whether less is better.
    pub less: bool,
    /// Scenes in their order; none where nothing was measured.
    pub scenes: Vec<(&'static str, f64)>,
}

impl Line {
    /// The geometric mean over the scenes.
    pub fn mean(&self) -> Option<f64> {
        geometric_mean(self.scenes.iter().map(|(_, value)| *value))
    }

    /// The worst scene and its value.
    pub fn worst(&self) -> Option<(&'static str, f64)> {
        let order = |a: &f64, b: &f64| if self.less { b.total_cmp(a) } else { a.total_cmp(b) };
        self.scenes.iter().copied().min_by(|(_, a), (_, b)| order(a, b))
    }
}

/// Whether a row belongs to a bar.
type Chosen = fn(&Row) -> bool;

/// Bars against Embree: what is reached, what is aimed at, which rows.
const AGAINST_EMBREE: [(&str, f64, f64, Chosen); 5] = [
    ("single call, closest, incoherent", 1.3, 1.5, |row| {
        row.form.query == Query::Closest && row.form.is_single() && row.workload.is_incoherent()
    }),
    ("single call, occluded", 1.3, 1.6, |row| row.form.query == Query::Occluded && row.form.is_single()),
    ("batch, closest, incoherent", 1.8, 2.5, |row| {
        row.form.query == Query::Closest && is_batch(row) && row.workload.is_incoherent()
    }),
    ("batch, closest, coherent", 1.2, 1.6, |row| {
        row.form.query == Query::Closest && is_batch(row) && row.workload.is_primary()
    }),
    ("all hits", 1.5, 3.0, |row| row.form.query == Query::AllHits && is_batch(row)),
];

/// The batches that stand for all, on one thread.
fn is_batch(row: &Row) -> bool {
    row.form.is_usual_batch() && row.threads == 1
}

/// All bars, in the order of the table.
pub fn lines(rows: &Rows, scenes: &[&'static str]) -> Vec<Line> {
    let per_scene = |value: &dyn Fn(&'static str) -> Option<f64>| {
        scenes.iter().filter_map(|&scene| Some((scene, value(scene)?))).collect::<Vec<_>>()
    };
    let mut lines = Vec::new();
    for (name, bar, reach, chosen) in AGAINST_EMBREE {
        let of_scene = |scene| {
            let rows = rows.queries.iter().filter(|row| row.scene == scene && chosen(row));
            geometric_mean(rows.filter_map(|row| Some(row.embree()?.ratio[0])))
        };
        lines.push(Line { name, bar, reach: Some(reach), less: false, scenes: per_scene(&of_scene) });
    }
    let most = rows.builds.iter().map(|row| row.threads).max().unwrap_or(1);
    let build = |scene| rows.builds.iter().find(|row| row.scene == scene && row.threads == most);
    lines.push(Line {
        name: "build, all cores",
        bar: 1.0,
        reach: Some(1.5),
        less: false,
        scenes: per_scene(&|scene| Some(build(scene)?.rival(FAST)?.ratio[0])),
    });
    lines.push(Line {
        name: "bytes a triangle",
        bar: 1.0,
        reach: Some(0.6),
        less: true,
        scenes: per_scene(&|scene| Some(build(scene)?.ours().bytes? / build(scene)?.rival(FAST)?.bytes?)),
    });
    lines.push(Line {
        name: "all threads over one, batches",
        bar: 1.9,
        reach: None,
        less: false,
        scenes: per_scene(&|scene| scaling(rows, scene)),
    });
    let parry = |scene| {
        let rows = rows.queries.iter().filter(|row| row.scene == scene);
        rows.filter_map(|row| Some(row.rival("parry3d")?.ratio[0])).min_by(f64::total_cmp)
    };
    lines.push(Line {
        name: "parry3d, the lowest row",
        bar: 4.0,
        reach: None,
        less: false,
        scenes: per_scene(&parry),
    });
    lines.retain(|line| !line.scenes.is_empty());
    lines
}

/// Our rate on all threads over that on one, as a mean over the batches that stand for all.
fn scaling(rows: &Rows, scene: &str) -> Option<f64> {
    let usual = |row: &&Row| row.scene == scene && row.form.is_usual_batch();
    let pairs = rows.queries.iter().filter(usual).filter(|row| row.threads == 1).filter_map(|one| {
        let all = rows
            .queries
            .iter()
            .filter(usual)
            .find(|all| all.threads > 1 && all.workload == one.workload && all.form == one.form)?;
        Some(all.ours().rate / one.ours().rate)
    });
    geometric_mean(pairs)
}

#[cfg(test)]
mod tests {
    use hitscan_bench::rays::Workload;

    use super::*;
    use crate::report::{csv, plot, table};
    use crate::rows::{BuildMeasured, BuildRow, Measured};
    use hitscan_bench::forms::{Calls, Form};

    /// A row in which ours has a rate of 10.
    fn row(scene: &'static str, workload: Workload, calls: Calls, rivals: &[(&'static str, f64)]) -> Row {
        let form = Form { query: Query::Closest, calls };
        let rivals = [("hitscan", 10.0)].iter().chain(rivals).map(|&(name, rate)| {
            let ratio = 10.0 / rate;
            Measured { name, rate, ratio: [ratio, ratio, ratio], hits: 3, differ: 0 }
        });
        Row { scene, workload, form, threads: 1, rays: 4, rivals: rivals.collect() }
    }

    fn rows() -> Rows {
        let single = |scene, workload, rate| {
            row(scene, workload, Calls::Single, &[("Embree", rate), ("parry3d", 2.0)])
        };
        let build =
            |name, rate, bytes| BuildMeasured { name, rate, ratio: [1.0 / rate; 3], bytes: Some(bytes) };
        Rows {
            queries: vec![
                single("a.glb", Workload::Bounce(1), 20.0),
                single("a.glb", Workload::Segments, 5.0),
                single("b.glb", Workload::Bounce(1), 2.5),
                single("b.glb", Workload::PrimaryLines, 1.0),
                row(
                    "b.glb",
                    Workload::PrimaryTiles,
                    Calls::Batch(1 << 16),
                    &[("Embree", 5.0), ("Embree 16 coherent", 40.0), ("Embree robust", 4.0)],
                ),
            ],
            builds: vec![BuildRow {
                scene: "a.glb",
                threads: 1,
                triangles: 9,
                rivals: vec![build("hitscan", 1.0, 60.0), build("Embree", 2.0, 80.0)],
            }],
        }
    }

    #[test]
    fn bars_are_means_over_scenes_against_the_best_mode() {
        let lines = lines(&rows(), &["a.glb", "b.glb"]);
        let line = |name: &str| lines.iter().find(|line| line.name.starts_with(name)).unwrap();
        let single = line("single call, closest");
        assert_eq!(single.scenes.len(), 2);
        assert!((single.scenes[0].1 - 1.0).abs() < 1e-12 && (single.scenes[1].1 - 4.0).abs() < 1e-12);
        assert!((single.mean().unwrap() - 2.0).abs() < 1e-12);
        assert_eq!(single.worst().unwrap().0, "a.glb");
        assert_eq!(line("batch, closest, coherent").scenes, [("b.glb", 0.25)]);
        assert_eq!(line("build").scenes, [("a.glb", 0.5)]);
        assert_eq!(line("bytes").scenes, [("a.glb", 0.75)]);
        assert_eq!(line("parry3d").worst(), Some(("a.glb", 5.0)));
        assert!(!lines.iter().any(|line| line.name == "all hits"), "nothing was measured for it");
    }

    #[test]
    fn everything_is_written() {
        let (rows, scenes) = (rows(), ["a.glb", "b.glb"]);
        let lines = lines(&rows, &scenes);
        assert_eq!(csv::text(&rows).lines().count(), 1 + 4 * 3 + 4 + 2);
        assert!(table::summary(&lines, &scenes).contains("| 0.25 b "));
        let all = table::queries(&rows);
        assert!(all.contains("16 coherent | 0.25 (0.25 to 0.25)"), "{all}");
        assert!(table::builds(&rows).contains("0.50 (0.50 to 0.50)"));
        let svg = plot::svg("title", &lines, &scenes);
        let bars = lines.iter().filter(|line| !line.less).map(|line| line.scenes.len()).sum::<usize>();
        // The ground, the legend, the bars.
        assert_eq!(svg.matches("<rect").count(), 1 + scenes.len() + bars);
    }
}
