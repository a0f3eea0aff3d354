//! What is asked of a workload, and how.

use crate::rays::Workload;

/// How many hits [`Query::First`] wants.
pub const FIRST: usize = 8;

/// Which question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// The first hit.
    Closest,
    /// Whether there is one.
    Occluded,
    /// All of them.
    AllHits,
    /// The first [`FIRST`].
    First,
}

impl Query {
    /// As the tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Query::Closest => "closest",
            Query::Occluded => "occluded",
            Query::AllHits => "all hits",
            Query::First => "first 8",
        }
    }
}

/// Rays that one call gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// One.
    Single,
    /// At most so many.
    Batch(usize),
}

/// A question and the calls that it is asked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Which question.
    pub query: Query,
    /// By which calls.
    pub calls: Calls,
}

/// The batches of the tables: those that suit a frame, those in between, those that suit a machine.
const SMALL: usize = 1 << 10;
const USUAL: usize = 1 << 16;
const LARGE: usize = 1 << 20;

impl Form {
    /// Such as `closest, single` and `occluded, batch of 64 k`.
    pub fn name(self) -> String {
        let calls = match self.calls {
            Calls::Single => "single".to_owned(),
            Calls::Batch(LARGE) => "batch of 1 M".to_owned(),
            Calls::Batch(size) => format!("batch of {} k", size >> 10),
        };
        format!("{}, {calls}", self.query.name())
    }

    /// Whether each call gets one ray.
    pub fn is_single(self) -> bool {
        self.calls == Calls::Single
    }

    /// Whether it stands for all batches in the summary.
    pub fn is_usual_batch(self) -> bool {
        self.calls == Calls::Batch(USUAL)
    }

    /// How many of so many rays one call gets.
    pub fn batch_size(self, rays: usize) -> usize {
        match self.calls {
            Calls::Single => rays.max(1),
            Calls::Batch(size) => size,
        }
    }

    /// The side of the square of rays that it needs: a batch of a million needs a million.
    pub fn side(self, side: u32) -> u32 {
        if self.calls == Calls::Batch(LARGE) { side.max(1 << 10) } else { side }
    }
}

/// The forms of a workload. What differs by the size of a batch alone is asked of three workloads, one of each kind.
pub fn forms(workload: Workload, quick: bool) -> Vec<Form> {
    let mut queries = vec![Query::Closest];
    if matches!(workload, Workload::Shadow | Workload::Segments | Workload::Miss) {
        queries.push(Query::Occluded);
    }
    if matches!(workload, Workload::Segments | Workload::Columns) {
        queries.extend([Query::AllHits, Query::First]);
    }
    let mut all = Vec::new();
    for query in queries {
        let mut form = |calls| all.push(Form { query, calls });
        form(Calls::Single);
        form(Calls::Batch(USUAL));
        let sizes = match query {
            Query::Closest => matches!(workload, Workload::PrimaryTiles | Workload::Bounce(2)),
            Query::Occluded => workload == Workload::Shadow,
            Query::AllHits | Query::First => false,
        };
        if sizes && !quick {
            form(Calls::Batch(SMALL));
            form(Calls::Batch(LARGE));
        }
    }
    all
}
