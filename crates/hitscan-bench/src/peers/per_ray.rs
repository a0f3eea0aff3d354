//! A session of a peer that answers one ray a call.

use rayon::prelude::*;

use super::{Session, Team};
use crate::forms::Form;
use crate::measure::Run;

/// Rays that one task answers.
pub const TASK: usize = 256;

/// The rays in the peer's own form, and what it says about one: `t`, or for occlusion 0; infinity for a miss.
pub struct PerRay<'a, R, F> {
    rays: Vec<R>,
    ask: F,
    form: Form,
    team: &'a Team,
    answers: Vec<f64>,
}

impl<'a, R: Sync + 'a, F: Fn(&R) -> f64 + Sync + 'a> PerRay<'a, R, F> {
    /// `ask` answers one of `rays`.
    pub fn boxed(rays: Vec<R>, form: Form, team: &'a Team, ask: F) -> Box<dyn Session + 'a> {
        let answers = vec![0.0; rays.len()];
        Box::new(PerRay { rays, ask, form, team, answers })
    }
}

impl<R: Sync, F: Fn(&R) -> f64 + Sync> Run for PerRay<'_, R, F> {
    fn run(&mut self) {
        let size = self.form.batch_size(self.rays.len());
        let ask = |(ray, answer): (&R, &mut f64)| *answer = (self.ask)(ray);
        for (rays, answers) in self.rays.chunks(size).zip(self.answers.chunks_mut(size)) {
            if self.team.threads == 1 {
                rays.iter().zip(answers).for_each(ask);
            } else {
                let tasks = rays.par_iter().zip(answers.par_iter_mut()).with_min_len(TASK);
                self.team.pool.install(|| tasks.for_each(ask));
            }
        }
    }
}

impl<R: Sync, F: Fn(&R) -> f64 + Sync> Session for PerRay<'_, R, F> {
    fn answers(&self) -> Vec<f64> {
        self.answers.clone()
    }
}
