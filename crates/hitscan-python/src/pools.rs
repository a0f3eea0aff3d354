//! Threads, kept from question to question.
//!
//! A batch is answered by workers, each a pool of one thread: the library shares a batch out among the threads of the
//! pool that it is asked in, and here the rows are shared out already. What the library alone can share out, such as a
//! build, is done in one pool of as many threads.
//!
//! Pools are kept within bounds, so that who asked once for a thousand threads, or in a hundred threads at once, does not
//! keep them for good.
//!
//! Pools are lent: who has one has it alone, so two threads of Python that ask at once do not wait for each other. They
//! are lent and given back only with the interpreter's lock held, which `fork` holds too, so the list is never caught
//! half-way; and a child, which has none of its parent's threads, begins with an empty one.

use std::collections::HashMap;
use std::mem;
use std::process;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Most threads that may be asked for.
const MOST: usize = 1024;

/// Most idle threads that are kept for each processor, in workers, and as many again in teams.
const KEPT: usize = 2;

/// Pools that nobody uses, by how many threads they have.
struct Idle {
    /// Whose threads they are.
    process: u32,
    pools: HashMap<usize, Vec<ThreadPool>>,
}

static IDLE: Mutex<Option<Idle>> = Mutex::new(None);

/// Does something with the pools of this process.
fn with_idle<R>(act: impl FnOnce(&mut HashMap<usize, Vec<ThreadPool>>) -> R) -> R {
    let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    let process = process::id();
    if idle.as_ref().is_none_or(|idle| idle.process != process) {
        // Those of a parent have no threads here: nobody would end when told to.
        mem::forget(idle.replace(Idle { process, pools: HashMap::new() }));
    }
    match &mut *idle {
        Some(idle) => act(&mut idle.pools),
        None => act(&mut HashMap::new()),
    }
}

/// Pools of one size, until they are given back.
pub struct Lent {
    size: usize,
    pools: Vec<ThreadPool>,
}

impl Lent {
    /// So many workers of one thread each.
    pub fn workers(_: Python<'_>, count: usize) -> PyResult<Lent> {
        Lent::new(1, count)
    }

    /// One pool of so many threads.
    pub fn team(_: Python<'_>, threads: usize) -> PyResult<Lent> {
        Lent::new(threads, 1)
    }

    fn new(size: usize, count: usize) -> PyResult<Lent> {
        let mut pools = with_idle(|idle| {
            let kept = idle.entry(size).or_default();
            kept.split_off(kept.len().saturating_sub(count))
        });
        while pools.len() < count {
            let builder = ThreadPoolBuilder::new().num_threads(size).thread_name(|_| "hitscan".to_owned());
            let pool = builder.build().map_err(|error| {
                PyRuntimeError::new_err(format!("the system has no more threads: {error}"))
            })?;
            pools.push(pool);
        }
        Ok(Lent { size, pools })
    }

    /// The pools.
    pub fn pools(&self) -> &[ThreadPool] {
        &self.pools
    }

    /// Gives them back.
    pub fn give_back(self, _: Python<'_>) {
        let most = KEPT * all();
        with_idle(|idle| {
            if self.size == 1 {
                let kept = idle.entry(1).or_default();
                let room = most.saturating_sub(kept.len());
                kept.extend(self.pools.into_iter().take(room));
                return;
            }
            let in_teams: usize =
                idle.iter().filter(|&(&size, _)| size > 1).map(|(size, pools)| size * pools.len()).sum();
            if in_teams + self.size > most {
                // Sizes that nobody asks for any more would stay otherwise.
                idle.retain(|&size, _| size == 1);
            }
            if self.size <= most {
                idle.entry(self.size).or_default().extend(self.pools);
            }
        });
    }
}

/// One for each processor.
fn all() -> usize {
    // The system takes longer to say it than a small batch takes.
    static ALL: OnceLock<usize> = OnceLock::new();
    *ALL.get_or_init(|| thread::available_parallelism().map_or(1, |all| all.get().min(MOST)))
}

/// How many threads `threads=` asks for; `None` is one for each processor.
pub fn count(threads: Option<i64>) -> PyResult<usize> {
    let Some(threads) = threads else { return Ok(all()) };
    match usize::try_from(threads) {
        Ok(count @ 1..=MOST) => Ok(count),
        _ => {
            Err(PyValueError::new_err(format!("threads is {threads}; expected 1 to {MOST}, or None for all")))
        }
    }
}
