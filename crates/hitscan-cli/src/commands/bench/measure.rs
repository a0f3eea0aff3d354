//! Algorithms of one kind of question, timed in turn and compared with the truth.

use std::hint::black_box;
use std::time::Instant;

use rayon::prelude::*;
use serde::Serialize;

use super::inputs::{Kind, Rng};

/// Tests in a group, one bit of an answer each.
pub const LANES: usize = 16;

/// Groups of each kind.
pub const GROUPS: usize = 1024;

/// Groups that are timed: few enough for a core's own cache, too many for a branch predictor to learn by heart.
const TIMED: usize = 256;

/// Rounds of which the best counts.
const ROUNDS: usize = 24;

/// The answers to a group of tests: bit `i` is set where test `i` is a hit.
pub type Hits = u16;

/// The answers of a test to all of a group.
#[inline(always)]
pub fn each(mut hits: impl FnMut(usize) -> bool) -> Hits {
    (0..LANES).fold(0, |all, lane| all | Hits::from(hits(lane)) << lane)
}

/// The same, where each test waits for the answer of the one before, as in a program that asks and then decides.
#[inline(always)]
pub fn alone(mut hits: impl FnMut(usize) -> bool) -> Hits {
    let (mut all, zero) = (0, black_box(0));
    let mut wait = 0;
    for lane in 0..LANES {
        let hit = hits(lane + wait);
        all |= Hits::from(hit) << lane;
        wait = black_box(usize::from(hit)) & zero;
    }
    all
}

/// The same, `N` in a row that do not wait for each other.
#[inline(always)]
pub fn in_rows<const N: usize>(mut hits: impl FnMut(usize) -> bool) -> Hits {
    (0..LANES / N).fold(0, |all, row| {
        let of_row = (0..N).fold(0, |all, lane| all | Hits::from(hits(row * N + lane)) << lane);
        all | black_box(of_row) << (row * N)
    })
}

/// The forms of a test that takes one shape: `|group, i| hit` is the test of its number `i`.
macro_rules! one_by_one {
    (|$group:ident, $i:ident| $hit:expr) => {
        [
            Some(|$group| $crate::commands::bench::measure::alone(|$i| $hit)),
            Some(|$group| $crate::commands::bench::measure::in_rows::<8>(|$i| $hit)),
            Some(|$group| $crate::commands::bench::measure::in_rows::<16>(|$i| $hit)),
        ]
    };
}
pub(super) use one_by_one;

/// One test at a time, 8 and 16 at a time, where there is such a form.
pub type Forms<G> = [Option<fn(&G) -> Hits>; 3];

/// An algorithm, as it answers a group: one test at a time, 8 and 16 at a time.
pub struct Algorithm<G> {
    pub pair: &'static str,
    pub name: &'static str,
    pub forms: Forms<G>,
    pub truth: fn(&G) -> Hits,
}

/// A row of the table.
#[derive(Debug, Serialize)]
pub struct Row {
    pub pair: &'static str,
    pub algorithm: &'static str,
    pub ns: Option<f64>,
    pub ns_of_8: Option<f64>,
    pub ns_of_16: Option<f64>,
    /// Random, edges, grazing, slivers, far; null where the pair has no such inputs.
    pub wrong_per_million: [Option<f64>; 5],
}

/// Groups of each kind; no groups where the question has no such inputs. Each group has a seed of its own, so that they are
/// the same on any number of threads.
pub fn groups<G: Send>(seed: u64, make: impl Fn(Kind, &mut Rng) -> Option<G> + Sync) -> [Vec<G>; 5] {
    Kind::ALL.map(|kind| {
        let numbered = (0..GROUPS as u64).into_par_iter();
        let group = |index: u64| make(kind, &mut Rng::new(seed << 40 ^ (kind as u64) << 32 ^ index));
        numbered.filter_map(group).collect()
    })
}

/// Times all algorithms, round by round, and counts their wrong answers.
pub fn rows<G: Sync>(algorithms: &[Algorithm<G>], groups: &[Vec<G>; 5]) -> Vec<Row> {
    let timed = &groups[0][..TIMED.min(groups[0].len())];
    let mut best = vec![[f64::INFINITY; 3]; algorithms.len()];
    for _ in 0..ROUNDS {
        for (algorithm, best) in algorithms.iter().zip(&mut best) {
            for (form, best) in algorithm.forms.iter().zip(best) {
                if let Some(form) = form {
                    *best = best.min(nanoseconds(timed, *form));
                }
            }
        }
    }
    let row = |(algorithm, best): (&Algorithm<G>, [f64; 3])| {
        let [ns, ns_of_8, ns_of_16] = best.map(|ns| Some(ns).filter(|ns| ns.is_finite()));
        let wrong_per_million = groups.each_ref().map(|groups| wrong(algorithm, groups));
        Row { pair: algorithm.pair, algorithm: algorithm.name, ns, ns_of_8, ns_of_16, wrong_per_million }
    };
    algorithms.iter().zip(best).map(row).collect()
}

/// Of one pass over all groups, for each test.
fn nanoseconds<G>(groups: &[G], form: fn(&G) -> Hits) -> f64 {
    let began = Instant::now();
    for group in groups {
        black_box(form(black_box(group)));
    }
    began.elapsed().as_secs_f64() * 1e9 / (groups.len() * LANES) as f64
}

/// Wrong answers in a million.
fn wrong<G: Sync>(algorithm: &Algorithm<G>, groups: &[G]) -> Option<f64> {
    let form = algorithm.forms.iter().flatten().next()?;
    let differs = |group: &G| (form(group) ^ (algorithm.truth)(group)).count_ones() as usize;
    let count: usize = groups.par_iter().map(differs).sum();
    (!groups.is_empty()).then(|| count as f64 * 1e6 / (groups.len() * LANES) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_answers_are_counted_and_missing_forms_left_out() {
        let algorithm = Algorithm::<Hits> {
            pair: "a",
            name: "b",
            forms: [None, Some(|group| *group), None],
            truth: |group| group & 0xff,
        };
        let groups = [vec![0x0100, 0x00ff], vec![], vec![0x3000], vec![0], vec![]];
        let rows = rows(&[algorithm], &groups);
        assert_eq!(rows[0].wrong_per_million, [Some(31250.0), None, Some(125_000.0), Some(0.0), None]);
        assert!(rows[0].ns.is_none() && rows[0].ns_of_8.is_some() && rows[0].ns_of_16.is_none());
        let third_and_last = |lane| lane == 2 || lane == 15;
        let forms = [each(third_and_last), alone(third_and_last), in_rows::<8>(third_and_last)];
        assert_eq!(forms, [0x8004; 3]);
    }
}
