//! Answers that are lists: any number of rows for each question, in columns that grow.
//!
//! Tasks end in any order, and their rows are appended in that of the questions. What waits for its turn is little; the
//! columns grow where they are, and become NumPy's as they are, so that nothing is held twice.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use hitscan::prefer_large_pages;
use numpy::PyArray;
use pyo3::Borrowed;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answers::{Answer, Field, Precision, Table};
use crate::batch::Task;

/// The lists of some questions.
struct Part {
    /// How many rows each question has.
    counts: Vec<usize>,
    rows: Table,
}

/// The columns that are asked for.
#[derive(Clone)]
pub struct Wanted {
    columns: Vec<(String, Field)>,
    precision: Precision,
}

impl<'py> FromPyObject<'_, 'py> for Wanted {
    type Error = PyErr;
    /// Of their names, and of how many bytes their numbers have.
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Wanted> {
        let (names, precision): (Vec<String>, Precision) = object.extract()?;
        let named = |name: String| Field::named(&name).map(|field| (name, field));
        Ok(Wanted { columns: names.into_iter().map(named).collect::<PyResult<_>>()?, precision })
    }
}

impl Wanted {
    /// Whether records know all of it.
    pub fn are_recorded(&self) -> bool {
        self.columns.iter().all(|(_, field)| field.is_recorded())
    }

    fn table(&self) -> Table {
        Table::new(self.columns.iter().map(|&(_, field)| field), self.precision)
    }
}

/// The lists of all questions.
pub struct Lists {
    wanted: Wanted,
    growing: Mutex<Growing>,
}

struct Growing {
    /// How many tasks are in.
    tasks: usize,
    /// Tasks that ended before their turn.
    waiting: BTreeMap<usize, Part>,
    /// How many questions there are in all.
    questions: usize,
    offsets: Vec<i64>,
    rows: Table,
}

/// What a thread uses again from task to task.
#[derive(Default)]
pub struct Scratch {
    spare: Option<Part>,
}

impl Lists {
    /// For so many questions: as many as there is room for, though what repeats a few rows may ask any number.
    pub fn new(wanted: &Wanted, questions: usize) -> PyResult<Lists> {
        let mut offsets = Vec::new();
        if offsets.try_reserve_exact(questions.saturating_add(1)).is_err() {
            let message = format!("{questions} lists need more memory than there is; ask fewer at a time");
            return Err(PyMemoryError::new_err(message));
        }
        prefer_large_pages(&mut offsets);
        offsets.push(0);
        let rows = wanted.table();
        let growing = Growing { tasks: 0, waiting: BTreeMap::new(), questions, offsets, rows };
        Ok(Lists { wanted: wanted.clone(), growing: Mutex::new(growing) })
    }

    /// Takes the lists of a task: how many rows each of its sound questions has, and all of them one after the other.
    pub fn put<Q, A: Answer>(
        &self,
        task: &Task<Q>,
        counts: impl Iterator<Item = usize>,
        answers: &[A],
        scratch: &mut Scratch,
    ) {
        let new = || Part { counts: Vec::new(), rows: self.wanted.table() };
        let mut part = scratch.spare.take().unwrap_or_else(new);
        part.counts.clear();
        part.counts.extend(counts);
        task.spread(&mut part.counts, &0);
        part.rows.hold(answers);
        let mut growing = self.growing.lock().unwrap_or_else(PoisonError::into_inner);
        if growing.tasks == task.number {
            growing.append(&part);
            scratch.spare = Some(part);
        } else {
            growing.waiting.insert(task.number, part);
        }
    }

    /// The arrays: offsets first, then the columns by name.
    pub fn into_arrays(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let growing = self.growing.into_inner().unwrap_or_else(PoisonError::into_inner);
        let arrays = PyDict::new(py);
        arrays.set_item("offsets", PyArray::from_vec(py, growing.offsets))?;
        for ((name, _), array) in self.wanted.columns.iter().zip(growing.rows.into_arrays(py)?) {
            arrays.set_item(name, array)?;
        }
        Ok(arrays)
    }
}

impl Growing {
    /// Appends the part whose turn it is, and those that waited for it.
    fn append(&mut self, part: &Part) {
        self.append_one(part);
        while let Some(part) = self.waiting.remove(&self.tasks) {
            self.append_one(&part);
        }
    }

    fn append_one(&mut self, part: &Part) {
        self.tasks += 1;
        let mut end = self.offsets.last().copied().unwrap_or_default();
        for &count in &part.counts {
            end += count as i64;
            self.offsets.push(end);
        }
        self.rows.append(&part.rows, [self.offsets.len() - 1, self.questions]);
    }
}
