//! What Rust refuses, as Python exceptions.

use std::fmt::Display;
use std::io;
use std::path::Path;

use hitscan::MeshError;
use hitscan::saved::{OpenError, SaveError};
use hitscan_io::ReadError;
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyOSError};
use pyo3::prelude::*;

mod python {
    // `HitscanError(message, argument, row)`, which Python defines.
    pyo3::import_exception!(hitscan.errors, HitscanError);
}

/// An argument that was refused, and which of its rows, if it was one.
pub fn refused(argument: &str, row: Option<usize>, why: impl Display) -> PyErr {
    let place = row.map_or(String::new(), |row| format!(" row {row}"));
    python::HitscanError::new_err((format!("{argument}{place}: {why}"), argument.to_owned(), row))
}

/// What ended because its watch said so, though nothing was raised: the interpreter is on its way out.
pub fn interrupted() -> PyErr {
    PyKeyboardInterrupt::new_err(())
}

/// Why a mesh was not built.
pub fn of_mesh(error: MeshError) -> PyErr {
    match error {
        MeshError::NonFinite { vertex, .. } | MeshError::TooFar { vertex, .. } => {
            refused("vertices", Some(vertex), error)
        }
        MeshError::IndexOutOfRange { triangle, .. } => refused("faces", Some(triangle), error),
        MeshError::TooManyTriangles { .. } => refused("faces", None, error),
        MeshError::MaterialCount { .. } => refused("materials", None, error),
        MeshError::Memory { .. } => PyMemoryError::new_err(error.to_string()),
        MeshError::Cancelled => interrupted(),
        error => refused("mesh", None, error),
    }
}

/// What the system said about a file, as the kind of `OSError` that stands for it.
pub fn of_io(path: &Path, error: &io::Error) -> PyErr {
    let reason = error.to_string();
    let reason = reason.split(" (os error").next().unwrap_or_default().to_owned();
    match error.raw_os_error() {
        // Python chooses the kind by the number.
        Some(number) if cfg!(windows) => PyOSError::new_err((0, reason, path.to_path_buf(), number)),
        Some(number) => PyOSError::new_err((number, reason, path.to_path_buf())),
        // The kind alone, which PyO3 knows.
        None => PyErr::from(io::Error::new(error.kind(), format!("{}: {error}", path.display()))),
    }
}

/// Why a scene was not read.
pub fn of_reading(error: ReadError) -> PyErr {
    match error {
        ReadError::Io { path, source, .. } => of_io(&path, &source),
        ReadError::Memory { .. } => PyMemoryError::new_err(error.to_string()),
        ReadError::Cancelled { .. } => interrupted(),
        error => python::HitscanError::new_err((error.to_string(), "path", None::<usize>)),
    }
}

/// Why a saved scene was not opened.
pub fn of_opening(path: &Path, error: OpenError) -> PyErr {
    of_reading(ReadError::of_saved(path, error))
}

/// Why a scene was not saved.
pub fn of_saving(path: &Path, error: SaveError) -> PyErr {
    match error {
        SaveError::Io(error) => of_io(path, &error),
        error => refused("path", None, error),
    }
}
