//! Rounds in which rivals take turns, and the medians of what they needed.

use std::time::{Duration, Instant};

/// Something that takes time, in whichever threads.
pub trait Run: Send {
    /// Makes everything ready for the next run, and frees what the last one gave; not measured.
    fn reset(&mut self) {}

    /// What is measured.
    fn run(&mut self);
}

/// How long to measure.
#[derive(Clone, Copy)]
pub struct Plan {
    /// Rounds; an odd number has a median.
    pub rounds: usize,
    /// A rival runs again and again until a round of it has taken so long.
    pub least: Duration,
    /// A rival whose rounds have taken so long sits out the others.
    pub most: Duration,
    /// Rounds that such a rival takes part in all the same.
    pub fewest: usize,
    /// Whether everybody runs once before.
    pub warm_up: bool,
}

/// Of one rival.
pub struct Timing {
    /// Seconds a run, the median of its rounds.
    pub seconds: f64,
    /// Its seconds over those of the first rival in the same round: the median, the lowest, the highest.
    pub ratio: [f64; 3],
}

/// Measures all rivals, whose order turns around with every round, so that who runs after whom is shared out evenly.
pub fn rounds(runs: &mut [&mut dyn Run], plan: &Plan) -> Vec<Timing> {
    let mut seconds: Vec<Vec<Option<f64>>> = vec![Vec::new(); runs.len()];
    let mut spent = vec![Duration::ZERO; runs.len()];
    if plan.warm_up {
        for run in runs.iter_mut() {
            run.reset();
            run.run();
        }
    }
    for round in 0..plan.rounds {
        for place in 0..runs.len() {
            let i = if round % 2 == 0 { place } else { runs.len() - 1 - place };
            let tired = i > 0 && round >= plan.fewest && spent[i] > plan.most;
            seconds[i].push((!tired).then(|| one_round(runs[i], plan.least, &mut spent[i])));
        }
    }
    let first = seconds[0].clone();
    seconds
        .iter()
        .map(|own| {
            let ratios = own.iter().zip(&first).filter_map(|(own, first)| Some((*own)? / (*first)?));
            let ratios = sorted(ratios.collect());
            let all = sorted(own.iter().flatten().copied().collect());
            Timing { seconds: middle(&all), ratio: [middle(&ratios), ratios[0], ratios[ratios.len() - 1]] }
        })
        .collect()
}

/// Seconds a run.
fn one_round(run: &mut dyn Run, least: Duration, spent: &mut Duration) -> f64 {
    let (mut total, mut count) = (Duration::ZERO, 0u32);
    while count == 0 || total < least {
        run.reset();
        let start = Instant::now();
        run.run();
        total += start.elapsed();
        count += 1;
    }
    *spent += total;
    total.as_secs_f64() / f64::from(count)
}

fn sorted(mut list: Vec<f64>) -> Vec<f64> {
    list.sort_by(f64::total_cmp);
    list
}

fn middle(sorted: &[f64]) -> f64 {
    let half = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[half] } else { (sorted[half - 1] + sorted[half]) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Notes who runs.
    struct Noted<'a>(char, &'a std::sync::Mutex<String>);

    impl Run for Noted<'_> {
        fn run(&mut self) {
            self.1.lock().unwrap().push(self.0);
        }
    }

    #[test]
    fn rivals_alternate() {
        let log = std::sync::Mutex::new(String::new());
        let (mut a, mut b) = (Noted('a', &log), Noted('b', &log));
        let plan = Plan { rounds: 3, least: Duration::ZERO, most: Duration::MAX, fewest: 1, warm_up: false };
        let timings = rounds(&mut [&mut a, &mut b], &plan);
        assert_eq!(*log.lock().unwrap(), "abbaab");
        assert_eq!(timings[0].ratio, [1.0; 3]);
    }

    #[test]
    fn medians() {
        assert_eq!(middle(&[1.0, 2.0, 9.0]), 2.0);
        assert_eq!(middle(&[1.0, 2.0, 4.0, 9.0]), 3.0);
    }
}
