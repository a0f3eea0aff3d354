//! The bars: what has to be reached against Embree's best mode of a form, as means over the scenes.

use crate::forms::Query;
use crate::peers::embree::FAST;
use crate::rows::{Row, Rows, geometric_mean};

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
