//! Waiting for work: the thread that asked sleeps without the interpreter's lock, and wakes now and then to look
//! whether Ctrl-C was pressed and to tell how far the work is.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use hitscan::{Cancel, Watch};
use pyo3::prelude::*;
use rayon::ThreadPool;

use crate::pools::Lent;

/// How often it wakes.
const NOW_AND_THEN: Duration = Duration::from_millis(20);

/// Work under way: how far it is, and whether it is to end.
#[derive(Default)]
pub struct Work {
    pub cancel: Cancel,
    /// How much is done.
    done: AtomicUsize,
    /// And of how much, where the work itself finds that out.
    total: AtomicUsize,
}

impl Work {
    /// So much more is done.
    pub fn advance(&self, by: usize) {
        self.done.fetch_add(by, Ordering::Relaxed);
    }

    /// Does something that the library watches.
    pub fn watched<R>(&self, act: impl FnOnce(Watch<'_>) -> R) -> R {
        let tell = |progress: hitscan::Progress| {
            self.done.fetch_max(progress.done, Ordering::Relaxed);
            self.total.store(progress.total, Ordering::Relaxed);
        };
        act(Watch::new().cancel(&self.cancel).progress(&tell))
    }

    /// Runs `act` on each of the pools, and waits until all have done it. `progress` is called with what is done and
    /// with the total, 0 where that is not known.
    ///
    /// # Errors
    /// What a signal's handler or `progress` raised; the work was cancelled then.
    pub fn run(
        &self,
        py: Python<'_>,
        lent: Lent,
        progress: Option<&Py<PyAny>>,
        act: impl Fn() + Sync,
    ) -> PyResult<()> {
        let left = Left { count: Mutex::new(lent.pools().len()), none: Condvar::new() };
        let ended = py.detach(|| {
            let mut raised = Ok(());
            let one = || {
                let _guard = One(&left);
                act();
            };
            on_each(lent.pools(), &one, &mut || raised = self.wait(&left, progress));
            raised
        });
        lent.give_back(py);
        ended?;
        self.told(py, progress)
    }

    /// Tells how far it is, if anybody wants to know.
    ///
    /// # Errors
    /// What `progress` raised.
    pub fn told(&self, py: Python<'_>, progress: Option<&Py<PyAny>>) -> PyResult<()> {
        progress.map_or(Ok(()), |progress| {
            let [done, total] = [&self.done, &self.total].map(|count| count.load(Ordering::Relaxed));
            progress.call1(py, (done, total)).map(drop)
        })
    }

    /// Waits until nothing is left, also once something was raised.
    fn wait(&self, left: &Left, progress: Option<&Py<PyAny>>) -> PyResult<()> {
        let mut raised = Ok(());
        while !left.wait() {
            if raised.is_ok() {
                raised = Python::attach(|py| {
                    py.check_signals()?;
                    self.told(py, progress)
                });
            }
            if raised.is_err() {
                self.cancel.cancel();
            }
        }
        raised
    }
}

/// How many of the pools are not done.
struct Left {
    count: Mutex<usize>,
    none: Condvar,
}

impl Left {
    /// Waits for a while; whether none is left.
    fn wait(&self) -> bool {
        let count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.none.wait_timeout_while(count, NOW_AND_THEN, |count| *count > 0);
        *waited.unwrap_or_else(PoisonError::into_inner).0 == 0
    }
}

/// One of the pools at work; dropped when it is done, also by a panic.
struct One<'a>(&'a Left);

impl Drop for One<'_> {
    fn drop(&mut self) {
        let Left { count, none } = self.0;
        *count.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        none.notify_one();
    }
}

/// Starts `act` on each of the pools, then does `meanwhile` here; returns when all is done.
fn on_each(pools: &[ThreadPool], act: &(dyn Fn() + Sync), meanwhile: &mut dyn FnMut()) {
    match pools.split_first() {
        None => meanwhile(),
        Some((pool, rest)) => pool.in_place_scope(|scope| {
            scope.spawn(|_| act());
            on_each(rest, act, meanwhile);
        }),
    }
}
