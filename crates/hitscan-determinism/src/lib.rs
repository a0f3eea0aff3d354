//! Ten million fixed rays over built-in scenes, and a hash of every answer's bits.
//!
//! The law says that an answer depends on the scene and the ray and on nothing else. Here are the scenes ([`parts`]) and
//! the rays, made by code that gives the same bits on every platform; the ways to come to the answers ([`Path`]): each
//! instruction set, build preset and history of a tree, one ray a call or batches, on as many threads as the caller has;
//! and what comes out, a [`Report`] with a hash that has to be the same for all of them. The repository keeps it
//! ([`stored`]), and the tests and the program `determinism` demand it.
//!
//! ```
//! use hitscan_determinism::{Path, report, stored};
//! let report = report(10_000, &Path::default());
//! assert_eq!(report.rays(), 10_000);
//! assert_eq!(Some(report.to_string().as_str()), stored::of(10_000));
//! ```

mod digest;
pub mod parts;
mod path;
mod report;
pub mod stored;
mod subject;

pub use path::{Calls, Path, Tree};
pub use report::{Report, Row, report};
