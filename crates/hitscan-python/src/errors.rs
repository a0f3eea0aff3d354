//! What Rust refuses, as Python exceptions.

use std::ffi::OsString;
use std::fmt::Display;
use std::io;
use std::path::Path;

use hitscan::MeshError;
use hitscan::saved::{OpenError, SaveError};
use hitscan_io::ReadError;
use pyo3::exceptions::{
    PyKeyboardInterrupt, PyMemoryError, PyOSError, PyOverflowError, PyTypeError, PyValueError,
};
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

/// The same kind of error, with a message that names the argument. What a program of Python raised stays as it is.
pub fn named(error: &PyErr, py: Python<'_>, message: &str) -> PyErr {
    if error.is_instance_of::<PyTypeError>(py) {
        PyTypeError::new_err(message.to_owned())
    } else if error.is_instance_of::<PyValueError>(py) || error.is_instance_of::<PyOverflowError>(py) {
        PyValueError::new_err(message.to_owned())
    } else {
        error.clone_ref(py)
    }
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

/// Numbers of C that are the same everywhere: `EIO`, `EISDIR`, `EINVAL`.
const IO: i32 = 5;
const IS_FOLDER: i32 = 21;
const INVALID: i32 = 22;

/// What the system said about a file, as Python's own `open` says it: Python chooses the kind of `OSError` by the number.
pub fn of_io(path: &Path, error: &io::Error) -> PyErr {
    let text = error.to_string();
    let (reason, rest) = text.split_once(" (os error ").unwrap_or((&text, ""));
    // Where the number is in the text alone, it is of a file beside, which becomes this one once it is written.
    let digits = rest.split(')').next().unwrap_or_default();
    let (reason, path) = (reason.to_owned(), path.as_os_str().to_owned());
    match error.raw_os_error().or_else(|| digits.parse().ok()) {
        Some(number) if cfg!(windows) => PyOSError::new_err((0, reason, path, number)),
        Some(number) => PyOSError::new_err((number, reason, path)),
        None => match error.kind() {
            io::ErrorKind::IsADirectory => of_folder(path),
            io::ErrorKind::InvalidInput => PyOSError::new_err((INVALID, reason, path)),
            _ => PyOSError::new_err((IO, reason, path)),
        },
    }
}

/// What is a folder where a file was expected.
fn of_folder(path: OsString) -> PyErr {
    PyOSError::new_err((IS_FOLDER, "Is a directory", path))
}

/// Why a scene was not read.
pub fn of_reading(error: ReadError) -> PyErr {
    match error {
        ReadError::Io { path, source, .. } => of_io(&path, &source),
        ReadError::Memory { .. } => PyMemoryError::new_err(error.to_string()),
        ReadError::Cancelled { .. } => interrupted(),
        error => python::HitscanError::new_err((for_python(error).to_string(), "path", None::<usize>)),
    }
}

/// What the reader tells users of the command to do, and users of `load`. Longer ones go first.
const REMEDIES: [(&str, &str); 5] = [
    ("--cell METRES", "cell=METRES"),
    ("--cell", "cell="),
    ("--relief LO,HI", "relief=(LO, HI)"),
    ("--relief", "relief="),
    ("install with --features fbx, or convert", "convert"),
];

/// The same error, with options that Python has. Names of files stay as they are.
fn for_python(mut error: ReadError) -> ReadError {
    if let ReadError::Invalid { expected: text, .. } | ReadError::NotBuiltIn { remedy: text, .. } = &mut error
    {
        for (command, python) in REMEDIES {
            *text = text.replace(command, python);
        }
    }
    error
}

/// Why a saved scene was not opened.
pub fn of_opening(path: &Path, error: OpenError) -> PyErr {
    match error {
        // Some systems say no more than that it cannot be mapped.
        OpenError::Io(_) if path.is_dir() => of_folder(path.into()),
        error => of_reading(ReadError::of_saved(path, error)),
    }
}

/// Why a scene was not saved.
pub fn of_saving(path: &Path, error: SaveError) -> PyErr {
    match error {
        SaveError::Io(_) if path.is_dir() => of_folder(path.into()),
        SaveError::Io(error) => of_io(path, &error),
        error => refused("path", None, error),
    }
}
