//! What was measured.

use hitscan_bench::rays::Workload;

use hitscan_bench::forms::Form;

/// A form of a workload on a scene.
pub struct Row {
    pub scene: &'static str,
    pub workload: Workload,
    pub form: Form,
    pub threads: usize,
    pub rays: usize,
    /// Ours first.
    pub rivals: Vec<Measured>,
}

/// One rival's part of a row.
pub struct Measured {
    pub name: &'static str,
    /// Million rays a second.
    pub rate: f64,
    /// Our rate over its: the median of the rounds, the lowest, the highest.
    pub ratio: [f64; 3],
    /// Rays that hit, or hits where a query gives lists.
    pub hits: u64,
    /// Rays whose answer is another than ours.
    pub differ: usize,
}

/// Builds of a scene.
pub struct BuildRow {
    pub scene: &'static str,
    pub threads: usize,
    pub triangles: usize,
    /// Ours first.
    pub rivals: Vec<BuildMeasured>,
}

/// One rival's build.
pub struct BuildMeasured {
    pub name: &'static str,
    /// Million triangles a second.
    pub rate: f64,
    /// Our rate over its.
    pub ratio: [f64; 3],
    /// Bytes a triangle, vertices and indices included.
    pub bytes: Option<f64>,
}

/// Everything of one run.
#[derive(Default)]
pub struct Rows {
    pub queries: Vec<Row>,
    pub builds: Vec<BuildRow>,
}

impl Row {
    /// Such as `bounce 2, closest, single`.
    pub fn name(&self) -> String {
        format!("{}, {}", self.workload.name(), self.form.name())
    }

    pub fn ours(&self) -> &Measured {
        &self.rivals[0]
    }

    pub fn rival(&self, name: &str) -> Option<&Measured> {
        self.rivals.iter().find(|rival| rival.name == name)
    }

    /// The fastest of Embree's modes.
    pub fn embree(&self) -> Option<&Measured> {
        let modes = self.rivals.iter().filter(|rival| rival.name.starts_with("Embree"));
        modes.max_by(|a, b| a.rate.total_cmp(&b.rate))
    }
}

impl BuildRow {
    pub fn ours(&self) -> &BuildMeasured {
        &self.rivals[0]
    }

    pub fn rival(&self, name: &str) -> Option<&BuildMeasured> {
        self.rivals.iter().find(|rival| rival.name == name)
    }
}

/// The geometric mean; `None` of nothing.
pub fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let logs: Vec<f64> = values.map(f64::ln).collect();
    (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
}
