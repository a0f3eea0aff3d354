//! One question, asked of ours and of those who answer it too: compared, then measured.

use hitscan_bench::forms::{Calls, Form, Query};
use hitscan_bench::measure::Run;
use hitscan_bench::peers::per_ray::PerRay;
use hitscan_bench::peers::{Rival, Team};

use crate::options::Options;

/// One question a call.
pub const SINGLE: Form = Form { query: Query::Closest, calls: Calls::Single };
/// The usual batch.
pub const BATCH: Form = Form { query: Query::Closest, calls: Calls::Batch(1 << 16) };

/// Depths count as the same within this share of them, and of the size of what is asked: peers answer in `f32`.
const DEPTH: f64 = 1e-4;
const SIZE: f64 = 1e-5;
/// Most questions in a hundred whose answers may differ without the rival's being wrong: those that graze.
const MOST: usize = 2;

/// What the answers are.
pub enum Answers {
    /// `t`, infinity for a miss; for each question how much of its `t` the size of what is asked would be.
    Depths(Vec<f64>),
    /// How many were found.
    Counts,
}

/// Whether what a question moves touches something at this `t`, by somebody who does not sweep: of two answers that differ, the
/// later is wrong where it does at the earlier one, and the earlier is where it does not.
pub type Touches<'a> = Box<dyn Fn(usize, f64) -> bool + 'a>;

/// A question of many, ours first.
pub struct Contest<'a> {
    pub what: String,
    pub team: &'a Team,
    pub answers: Answers,
    pub touches: Option<Touches<'a>>,
    pub rivals: Vec<Rival<'a>>,
}

/// One who answers a question a call: a depth, or a count.
pub fn single<'a, Q: Send + Sync + 'a>(
    name: &'static str,
    asked: Vec<Q>,
    ask: impl Fn(&Q) -> f64 + Send + Sync + 'a,
) -> Rival<'a> {
    Rival { name, session: PerRay::boxed(asked, SINGLE, ask) }
}

/// What came out.
pub struct Row {
    pub what: String,
    pub threads: usize,
    pub asked: usize,
    /// Ours first.
    pub rivals: Vec<Measured>,
}

/// One rival's part of a row.
pub struct Measured {
    pub name: &'static str,
    /// Thousand questions a second.
    pub rate: f64,
    /// Our rate over its: the median of the rounds, the lowest, the highest.
    pub ratio: [f64; 3],
    pub agreement: Agreement,
}

/// Whether a rival answers as we do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// Questions that hit; of counts their sum.
    pub hits: u64,
    /// Questions with another answer than ours.
    pub differ: usize,
    /// How many of them where ours is wrong, and where its is; none where nobody can tell.
    pub wrong: [usize; 2],
    /// Of questions that both hit: the mean of our `t`, and of its. Of counts the means of all.
    pub means: [f64; 2],
}

/// The order of work, and what came out so far.
pub struct Bench<'a> {
    pub options: &'a Options,
    pub rows: Vec<Row>,
}

impl Bench<'_> {
    /// Compares and measures, where the row is wanted.
    pub fn hold(&mut self, mut contest: Contest<'_>) {
        if !contest.what.contains(&self.options.row) {
            return;
        }
        let answers: Vec<Vec<f64>> = contest
            .rivals
            .iter_mut()
            .map(|rival| {
                rival.session.reset();
                rival.session.run();
                rival.session.answers()
            })
            .collect();
        let mut runs: Vec<&mut dyn Run> =
            contest.rivals.iter_mut().map(|rival| &mut *rival.session as &mut dyn Run).collect();
        let timings = contest.team.rounds(&mut runs, &self.options.plan());
        let measured =
            contest.rivals.iter().zip(timings).zip(&answers).map(|((rival, timing), its)| Measured {
                name: rival.name,
                rate: its.len() as f64 / 1e3 / timing.seconds,
                ratio: timing.ratio,
                agreement: Agreement::of(&contest.answers, contest.touches.as_deref(), &answers[0], its),
            });
        let rivals = measured.collect();
        let row = Row { what: contest.what, threads: contest.team.threads, asked: answers[0].len(), rivals };
        eprintln!("{}", row.line());
        self.rows.push(row);
    }
}

impl Row {
    pub fn ours(&self) -> &Measured {
        &self.rivals[0]
    }

    /// Whether no answer of ours is shown to be wrong, and hardly one of anybody differs from ours and is not.
    pub fn agrees(&self) -> bool {
        self.rivals.iter().all(|rival| {
            let Agreement { differ, wrong: [ours, its], .. } = rival.agreement;
            ours == 0 && 100 * (differ - its) <= MOST * self.asked
        })
    }

    /// Progress.
    fn line(&self) -> String {
        let rates: Vec<String> = self
            .rivals
            .iter()
            .map(|rival| {
                let Agreement { hits, differ, wrong: [ours, its], .. } = rival.agreement;
                format!(
                    "{} {:.1} ({hits} hits, {differ} differ, {ours} and {its} wrong)",
                    rival.name, rival.rate
                )
            })
            .collect();
        let verdict = if self.agrees() { "" } else { "; these do not agree" };
        format!("{}, {} threads, thousand a second: {}{verdict}", self.what, self.threads, rates.join(", "))
    }
}

impl Agreement {
    fn of(
        answers: &Answers,
        touches: Option<&dyn Fn(usize, f64) -> bool>,
        ours: &[f64],
        its: &[f64],
    ) -> Agreement {
        let pairs: Vec<(f64, f64)> = ours.iter().copied().zip(its.iter().copied()).collect();
        let differs = |i: usize, (a, b): (f64, f64)| match answers {
            // Two misses are equal, and their difference is no number.
            Answers::Depths(sizes) => a != b && (a - b).abs() > DEPTH * a.min(b).abs() + SIZE * sizes[i],
            Answers::Counts => a != b,
        };
        let counts = matches!(answers, Answers::Counts);
        let hits = if counts {
            its.iter().sum::<f64>() as u64
        } else {
            its.iter().filter(|t| t.is_finite()).count() as u64
        };
        let (mut differ, mut wrong) = (0, [0; 2]);
        for (i, &pair) in pairs.iter().enumerate().filter(|&(i, &pair)| differs(i, pair)) {
            differ += 1;
            if let Some(touches) = touches {
                let ours_is_first = pair.0 < pair.1;
                let first_is_right = touches(i, pair.0.min(pair.1));
                wrong[usize::from(ours_is_first == first_is_right)] += 1;
            }
        }
        let both: Vec<_> = pairs.iter().filter(|(a, b)| a.is_finite() && b.is_finite()).collect();
        let mean =
            |of: fn(&(f64, f64)) -> f64| both.iter().map(|pair| of(pair)).sum::<f64>() / both.len() as f64;
        Agreement { hits, differ, wrong, means: [mean(|pair| pair.0), mean(|pair| pair.1)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MISS: f64 = f64::INFINITY;

    fn depths(touches: Option<&dyn Fn(usize, f64) -> bool>, ours: f64, its: f64) -> Agreement {
        Agreement::of(&Answers::Depths(vec![10.0]), touches, &[ours], &[its])
    }

    #[test]
    fn depths_agree_within_rounding() {
        let near = depths(None, 0.5, 0.5001);
        assert_eq!(near, Agreement { hits: 1, differ: 0, wrong: [0; 2], means: [0.5, 0.5001] });
        let far = [(0.5, 0.501), (0.5, MISS), (MISS, 0.5)];
        assert_eq!(far.map(|(ours, its)| depths(None, ours, its).differ), [1; 3]);
        assert_eq!((depths(None, MISS, MISS).differ, depths(None, MISS, MISS).hits), (0, 0));
    }

    #[test]
    fn who_is_wrong_is_told_at_the_earlier_answer() {
        let wrong = |touches: bool, ours: f64, its: f64| depths(Some(&|_, _| touches), ours, its).wrong;
        assert_eq!([wrong(true, 0.5, MISS), wrong(true, 0.7, 0.5)], [[0, 1], [1, 0]]);
        assert_eq!([wrong(false, 0.5, MISS), wrong(false, 0.7, 0.5)], [[1, 0], [0, 1]]);
    }

    #[test]
    fn counts_agree_or_not() {
        let agreement = Agreement::of(&Answers::Counts, None, &[3.0, 0.0], &[3.0, 1.0]);
        assert_eq!(agreement, Agreement { hits: 4, differ: 1, wrong: [0; 2], means: [1.5, 2.0] });
    }
}
