//! Why a file was not read: where, what, and what was expected, in one line.
//!
//! Variants follow who has to act: the system, the author of the file, the exporter that wrote it, the user.

use std::io;
use std::path::{Path, PathBuf};

use hitscan::saved::OpenError;
use hitscan::{CameraError, CutoutError, MeshError, SkinError, TransformError};
use thiserror::Error;

/// Why a scene or a camera was not read. The text is one line, `WHERE: WHAT; WHAT WAS EXPECTED`, and WHERE
/// starts with the path as the caller gave it.
///
/// ```
/// use hitscan_io::{Options, ReadError};
/// let error = hitscan_io::read("pane.obj", b"v 0 0 0\nv 1 0 zero\n".to_vec(), &Options::new()).unwrap_err();
/// assert!(matches!(error, ReadError::Syntax { line: 2, .. }), "{error}");
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The system could not open or read a file.
    #[error("{}: {}; {expected}", .path.display(), reason(.source))]
    Io {
        /// The file: the one given, or one that it names.
        path: PathBuf,
        /// What should have been there.
        expected: String,
        /// What the system said.
        source: io::Error,
    },
    /// A line of a text file is not what the format says.
    #[error("{}:{line}: {found}; {expected}", .path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: u64,
        /// What is there.
        found: String,
        /// What should be there.
        expected: String,
    },
    /// A file contradicts its format or itself, at a place without a line number.
    #[error("{}: {found}; {expected}", .path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is there, by name and number.
        found: String,
        /// What should be there.
        expected: String,
    },
    /// A file is sound, and uses something that this crate does not read.
    #[error("{}: {feature} is not read; {remedy}", .path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// The feature's name in its specification.
        feature: String,
        /// How to get a file without it.
        remedy: String,
    },
    /// A format whose reader is a feature of this crate that is off.
    #[error("{}: {format} is not built in; {remedy}", .path.display())]
    NotBuiltIn {
        /// The file.
        path: PathBuf,
        /// The format's name.
        format: &'static str,
        /// Which feature it needs, and what to do without.
        remedy: String,
    },
    /// The reading was ended by a [`Cancel`](hitscan::Cancel).
    #[error("{}: cancelled before all was read", .path.display())]
    Cancelled {
        /// The file.
        path: PathBuf,
    },
    /// More memory would be needed than may be used.
    #[error("{}: {what} up to {needs} bytes of memory; the limit is {budget}", .path.display())]
    Memory {
        /// The file.
        path: PathBuf,
        /// What needs it.
        what: &'static str,
        /// How much.
        needs: u64,
        /// The limit that was given.
        budget: u64,
    },
    /// A file asks for more than a file of its size can be meant to hold.
    #[error("{}: {found} {what}; the limit is {limit}", .path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// What there is too much of, and where, if it is in one part of the file.
        what: String,
        /// How many.
        found: u64,
        /// How many are read.
        limit: u64,
    },
    /// A file without a triangle that has an area.
    #[error(
        "{}: {}; a scene needs a triangle with an area",
        .path.display(), census(*.triangles, *.repeated_corner, *.zero_area)
    )]
    NothingToHit {
        /// The file.
        path: PathBuf,
        /// All triangles, summed over nodes.
        triangles: usize,
        /// Those with two corners at one position.
        repeated_corner: usize,
        /// Those with three distinct corners on a line.
        zero_area: usize,
    },
    /// The name's extension belongs to no format that is read.
    #[error("{}: {}; the formats are {}", .path.display(), unknown(.path), crate::open::known_extensions())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// The triangles of a mesh were refused.
    #[error("{}: mesh {mesh}: {source}", .path.display())]
    Mesh {
        /// The file.
        path: PathBuf,
        /// The mesh's name, in quotes.
        mesh: String,
        /// Which element, and why.
        source: MeshError,
    },
    /// The mask of a material was refused.
    #[error("{}: {material}: {source}", .path.display())]
    Cutout {
        /// The file.
        path: PathBuf,
        /// The material's number, and name in quotes.
        material: String,
        /// What is wrong with it.
        source: CutoutError,
    },
    /// A skin was refused.
    #[error("{}: {skin}: {source}", .path.display())]
    Skin {
        /// The file.
        path: PathBuf,
        /// The skin's number, and name in quotes.
        skin: String,
        /// Which element, and why.
        source: SkinError,
    },
    /// A node puts its mesh where it cannot be hit.
    #[error("{}: {node}: {source}", .path.display())]
    Placement {
        /// The file.
        path: PathBuf,
        /// The node's number, and name in quotes.
        node: String,
        /// Which entry, and why.
        source: TransformError,
    },
    /// The numbers of a camera make none.
    #[error("{}: {}{source}", .path.display(), prefix(.camera))]
    Camera {
        /// The file.
        path: PathBuf,
        /// The camera's number, and name in quotes; `None` in a file that is one camera.
        camera: Option<String>,
        /// Which number, and why.
        source: CameraError,
    },
    /// A saved scene was refused.
    #[error("{}: {source}", .path.display())]
    Saved {
        /// The file.
        path: PathBuf,
        /// Which section, and why.
        source: OpenError,
    },
    /// No scene of this name or size is built in.
    #[error("builtin:{name}: {found}; {expected}")]
    Builtin {
        /// What stood after `builtin:`.
        name: String,
        /// What is wrong with it.
        found: String,
        /// The names or sizes that exist.
        expected: String,
    },
}

impl ReadError {
    pub(crate) fn invalid(path: &Path, found: impl Into<String>, expected: impl Into<String>) -> ReadError {
        ReadError::Invalid { path: path.into(), found: found.into(), expected: expected.into() }
    }

    pub(crate) fn io(path: &Path, expected: impl Into<String>, source: io::Error) -> ReadError {
        ReadError::Io { path: path.into(), expected: expected.into(), source }
    }

    pub(crate) fn syntax(
        path: &Path,
        line: u64,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> ReadError {
        ReadError::Syntax { path: path.into(), line, found: found.into(), expected: expected.into() }
    }
}

/// A name or token from a file, in quotes, escaped and cut so that it fits on one line.
pub(crate) fn quoted(text: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = String::from_utf8_lossy(&text[..text.len().min(4 * LONGEST + 4)]);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}", format!("{}...", &text[..end])),
        None => format!("{text:?}"),
    }
}

fn reason(source: &io::Error) -> String {
    match source.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::IsADirectory => "is a directory".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => system_words(source),
    }
}

/// The system's words without Rust's "(os error 13)". The command tells its outputs' errors by them.
#[doc(hidden)]
pub fn system_words(error: &io::Error) -> String {
    let text = error.to_string();
    let mut chars = text.split(" (os error").next().unwrap_or_default().chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

fn census(triangles: usize, repeated_corner: usize, zero_area: usize) -> String {
    match triangles {
        0 => "no triangles".to_owned(),
        1 => format!(
            "the only triangle has {}",
            if zero_area == 1 { "zero area" } else { "two equal corners" }
        ),
        _ => format!(
            "all {triangles} triangles are degenerate ({repeated_corner} with two equal corners, {zero_area} of zero area)"
        ),
    }
}

fn prefix(camera: &Option<String>) -> String {
    camera.as_ref().map_or(String::new(), |camera| format!("{camera}: "))
}

fn unknown(path: &Path) -> String {
    match path.extension() {
        Some(extension) => format!("no reader for .{}", extension.display()),
        None => "no extension that says the format".to_owned(),
    }
}
