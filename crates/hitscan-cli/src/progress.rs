//! A bar on standard error while a batch runs, on a terminal only.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Progress through an input.
#[derive(Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar for an input of this size, a counter where that is unknown, nothing where it is not wanted.
    pub fn new(total: Option<u64>, quiet: bool) -> Progress {
        if quiet || !stderr().is_terminal() {
            return Progress(ProgressBar::hidden());
        }
        let (bar, template) = match total {
            Some(total) => (ProgressBar::new(total), "{bar:40} {percent:>3} %  {msg}  {eta} left"),
            None => (ProgressBar::no_length(), "{spinner} {msg}"),
        };
        bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        // The templates are ours, so they parse; the default look is no loss.
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        Progress(bar)
    }

    /// So much further, and in words.
    pub fn advance(&self, size: u64, words: String) {
        self.0.inc(size);
        self.0.set_message(words);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
