//! One question asked of many rows: who answers which, and what becomes of bad ones.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use pyo3::Borrowed;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::refused;
use crate::pools::{self, Lent};
use crate::wait::Work;

/// Rows that make questions.
pub trait Questions: Sync {
    /// One that can be asked.
    type Question;
    /// What rows are read into, where they are not asked as they lie.
    type Memory: Default;

    /// How many rows there are.
    fn count(&self) -> usize;
    /// The question of each of some rows, in their order; `None` of a bad one.
    fn read(&self, rows: Range<usize>, memory: &mut Self::Memory, take: impl FnMut(Option<Self::Question>));
    /// Why a row makes no question. Apart from [`Questions::read`], which is quicker without reasons to carry.
    fn flaw(&self, row: usize) -> Option<Flaw>;
}

/// Why a row makes no question.
pub struct Flaw {
    /// Which argument is to blame.
    pub argument: &'static str,
    /// Which of its rows.
    pub row: usize,
    pub why: String,
}

/// How a batch is run, as Python says it.
pub struct How {
    pub threads: Option<i64>,
    /// Called with how many rows are done, and a total that says nothing here.
    pub progress: Option<Py<PyAny>>,
    /// Whether a bad row ends the batch.
    pub strict: bool,
}

impl<'py> FromPyObject<'_, 'py> for How {
    type Error = PyErr;
    /// Of threads, whom to tell, and `raise` or `miss`.
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<How> {
        let (threads, progress, invalid): (Option<i64>, Option<Py<PyAny>>, String) = object.extract()?;
        let strict = match invalid.as_str() {
            "raise" => true,
            "miss" => false,
            _ => {
                let message = format!("invalid is {invalid:?}; expected 'raise' or 'miss'");
                return Err(PyValueError::new_err(message));
            }
        };
        Ok(How { threads, progress, strict })
    }
}

/// Where answers go: one part for each row.
pub trait Split: Send {
    /// The part of the first rows, which are taken off.
    fn split(&mut self, rows: usize) -> Self;
}

/// Where nothing goes by rows.
impl Split for () {
    fn split(&mut self, _: usize) {}
}

/// The questions of some rows.
pub struct Task<Q> {
    /// How many tasks come before it.
    pub number: usize,
    /// The first of its rows.
    first: usize,
    /// Of the sound rows, in order.
    pub questions: Vec<Q>,
    /// Which rows of the task are bad, in order.
    bad: Vec<usize>,
}

impl<Q> Task<Q> {
    /// Takes the questions of some rows in place of what it had.
    fn take<A: Questions<Question = Q>>(
        &mut self,
        questions: &A,
        rows: Range<usize>,
        memory: &mut A::Memory,
    ) {
        self.questions.clear();
        self.bad.clear();
        let mut place = 0;
        questions.read(rows, memory, |question| {
            match question {
                Some(question) => self.questions.push(question),
                None => self.bad.push(place),
            }
            place += 1;
        });
    }

    /// How many rows there are, sound and bad.
    pub fn rows(&self) -> usize {
        self.questions.len() + self.bad.len()
    }

    /// The row of a question, counted over all tasks.
    pub fn row(&self, question: usize) -> usize {
        let mut place = question;
        for &bad in &self.bad {
            place += usize::from(bad <= place);
        }
        self.first + place
    }

    /// Puts what a bad row gets between the answers for the sound ones.
    pub fn spread<A: Clone>(&self, answers: &mut Vec<A>, miss: &A) {
        let (mut sound, mut bad) = (answers.len(), self.bad.len());
        if bad == 0 {
            return;
        }
        answers.resize(sound + bad, miss.clone());
        for place in (0..answers.len()).rev() {
            if bad > 0 && self.bad[bad - 1] == place {
                bad -= 1;
                answers[place] = miss.clone();
            } else {
                sound -= 1;
                answers.swap(place, sound);
            }
        }
    }
}

/// Most rows of a task: as many as the library asks together.
pub const MOST: usize = 1024;
/// So few are answered where they are asked: a hand-over takes longer. Whoever answers may not share them out then, which
/// the library does with batches, but asks one by one.
pub const FEW: usize = 64;
/// Of how many parts of the largest task the smallest is one: enough to outweigh the hand-over.
const PARTS: usize = 4;
/// And never more.
const LEAST: usize = 256;

/// Asks: `answer` is called for each task, by any of the threads, with memory of its own that it finds as it left it.
/// How many rows were bad.
///
/// # Errors
/// The first bad row, if `how` is strict; what a signal raised.
pub fn run<Q: Questions, O: Split, M: Default>(
    py: Python<'_>,
    how: &How,
    questions: &Q,
    most: usize,
    out: O,
    answer: impl Fn(&Task<Q::Question>, O, &mut M) + Sync,
) -> PyResult<usize> {
    let count = questions.count();
    let threads = pools::count(how.threads)?;
    let size = count.div_ceil(4 * threads).clamp(most.div_ceil(PARTS).min(LEAST), most);
    let work = Work::default();
    let hand_out = Mutex::new((0, out));
    let next = || {
        let mut rest = hand_out.lock().unwrap_or_else(PoisonError::into_inner);
        let first = rest.0;
        let rows = first..(first + size).min(count);
        rest.0 = rows.end;
        (!rows.is_empty()).then(|| (rows.clone(), rest.1.split(rows.len())))
    };
    let flaw: Mutex<Option<(usize, Flaw)>> = Mutex::new(None);
    let invalid = AtomicUsize::new(0);
    let act = || {
        let (mut read, mut memory) = (Q::Memory::default(), M::default());
        let mut task = Task { number: 0, first: 0, questions: Vec::with_capacity(size), bad: Vec::new() };
        while !work.cancel.is_cancelled()
            && let Some((rows, out)) = next()
        {
            (task.number, task.first) = (rows.start / size, rows.start);
            task.take(questions, rows.clone(), &mut read);
            if how.strict
                && let Some(place) = task.bad.first()
            {
                // Tasks are handed out in order, so those with earlier rows have looked at them or are about to.
                let row = rows.start + place;
                let mut first = flaw.lock().unwrap_or_else(PoisonError::into_inner);
                if first.as_ref().is_none_or(|&(known, _)| row < known) {
                    *first = questions.flaw(row).map(|why| (row, why));
                }
                work.cancel.cancel();
                return;
            }
            answer(&task, out, &mut memory);
            invalid.fetch_add(task.bad.len(), Ordering::Relaxed);
            work.advance(rows.len());
        }
    };
    // Of questions that are slow to answer, a task has no more than a few.
    if count <= FEW && most > FEW {
        py.detach(act);
        work.told(py, how.progress.as_ref())?;
    } else {
        let lent = Lent::workers(py, threads.min(count.div_ceil(size)))?;
        work.run(py, lent, how.progress.as_ref(), act)?;
    }
    match flaw.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, Flaw { argument, row, why })) => Err(refused(argument, Some(row), why)),
        None => Ok(invalid.into_inner()),
    }
}
