//! A session of a peer that answers one ray a call.

use rayon::prelude::*;

use super::{Session, is_alone};
use crate::forms::Form;
use crate::measure::Run;

/// Rays that one task answers.
pub const TASK: usize = 256;

/// The rays in the peer's own form, and what it says about one: `t`, or for occlusion 0; infinity for a miss.
pub struct PerRay<R, F> {
    rays: Vec<R>,
    ask: F,
    form: Form,
    answers: Vec<f64>,
}

impl<'a, R: Send + Sync + 'a, F: Fn(&R) -> f64 + Send + Sync + 'a> PerRay<R, F> {
    /// `ask` answers one of `rays`.
    pub fn boxed(rays: Vec<R>, form: Form, ask: F) -> Box<dyn Session + 'a> {
        let answers = vec![0.0; rays.len()];
        Box::new(PerRay { rays, ask, form, answers })
    }
}

impl<R: Send + Sync, F: Fn(&R) -> f64 + Send + Sync> Run for PerRay<R, F> {
    fn run(&mut self) {
        let size = self.form.batch_size(self.rays.len());
        let ask = |(ray, answer): (&R, &mut f64)| *answer = (self.ask)(ray);
        for (rays, answers) in self.rays.chunks(size).zip(self.answers.chunks_mut(size)) {
            if is_alone() {
                rays.iter().zip(answers).for_each(ask);
            } else {
                rays.par_iter().zip(answers.par_iter_mut()).with_min_len(TASK).for_each(ask);
            }
        }
    }
}

impl<R: Send + Sync, F: Fn(&R) -> f64 + Send + Sync> Session for PerRay<R, F> {
    fn answers(&self) -> Vec<f64> {
        self.answers.clone()
    }
}
