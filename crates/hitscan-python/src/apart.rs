//! Arrays of one call that lie in the same memory.
//!
//! Whether an array is a view of another is told by what Python says that it is a view of, and two arrays that were made over
//! one buffer say different things. So what is written is also held against the rest by addresses.

use std::ops::Range;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Where an array lies.
pub struct Span {
    /// What it is called in messages.
    pub name: String,
    pub bytes: Range<usize>,
}

impl Span {
    /// That of some numbers.
    pub fn of<T>(name: impl Into<String>, first: *const T, count: usize) -> Span {
        let start = first.addr();
        Span { name: name.into(), bytes: start..start + count * size_of::<T>() }
    }

    fn overlaps(&self, other: &Span) -> bool {
        self.bytes.start < other.bytes.end && other.bytes.start < self.bytes.end
    }
}

/// Refuses what is to be written where something else is read or written.
///
/// # Errors
/// Both arrays, by name.
pub fn check(span: &Span, others: &[Span]) -> PyResult<()> {
    match others.iter().find(|other| span.overlaps(other)) {
        Some(other) => {
            let (name, other) = (&span.name, &other.name);
            let message = format!("{name} lies in the memory of {other}; expected an array of its own");
            Err(PyValueError::new_err(message))
        }
        None => Ok(()),
    }
}
