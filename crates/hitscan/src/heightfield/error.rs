//! Why a heightfield was refused.

use thiserror::Error;

use super::MAX_SIDE;

/// Why a [`Heightfield`](super::Heightfield) was refused: which value, and what was expected.
///
/// ```
/// use hitscan::heightfield::{Heightfield, HeightfieldError};
/// let error = Heightfield::builder(3, 2).build_f32([0.0; 5]).unwrap_err();
/// assert_eq!(error, HeightfieldError::SampleCount { samples: 5, columns: 3, rows: 2 });
/// assert_eq!(error.to_string(), "5 samples for 3 columns and 2 rows; a heightfield of that size needs 6");
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum HeightfieldError {
    /// No cell between the samples.
    #[error("{columns} x {rows} samples; a heightfield needs at least 2 columns and 2 rows")]
    TooFew {
        /// Samples along a row.
        columns: usize,
        /// Rows of samples.
        rows: usize,
    },
    /// More samples along an axis than a heightfield addresses, or more triangles than 32 bits count.
    #[error(
        "{columns} x {rows} samples; a heightfield has at most {} along an axis, and 2^31 - 1 cells",
        MAX_SIDE
    )]
    TooMany {
        /// Samples along a row.
        columns: usize,
        /// Rows of samples.
        rows: usize,
    },
    /// Another number of samples than columns and rows say.
    #[error("{samples} samples for {columns} columns and {rows} rows; a heightfield of that size needs {}", .columns.saturating_mul(*.rows))]
    SampleCount {
        /// How many were given.
        samples: usize,
        /// Samples along a row.
        columns: usize,
        /// Rows of samples.
        rows: usize,
    },
    /// Another number of marks for holes than there are cells.
    #[error("{marks} marks of holes for {cells} cells; each cell needs one")]
    HoleCount {
        /// How many were given.
        marks: usize,
        /// How many cells there are: one less than samples, along each axis.
        cells: usize,
    },
    /// A distance between neighbouring columns or rows that is NaN, not above zero or beyond 2^100.
    #[error("the spacing of {what} is {value:?}; a heightfield needs one above 0 and at most 2^100")]
    Spacing {
        /// `columns` or `rows`.
        what: &'static str,
        /// The value given.
        value: f64,
    },
    /// The first or the last column or row stands at a coordinate that is NaN, infinite or beyond 2^100.
    #[error("{what} {index} stands at {value:?}; a heightfield needs finite coordinates of at most 2^100")]
    TooFar {
        /// `column` or `row`.
        what: &'static str,
        /// Which of them, from 0.
        index: usize,
        /// Where it stands.
        value: f64,
    },
    /// Two neighbours round to the same `f32` coordinate, so that the cells between them would have no width.
    #[error(
        "{what} {index} stands at {value:?} in f32, where {what} {} stands; a heightfield needs a spacing that f32 can tell apart there",
        .index.saturating_sub(1)
    )]
    Coincident {
        /// `column` or `row`.
        what: &'static str,
        /// The second of the two, from 0.
        index: usize,
        /// Where both stand.
        value: f32,
    },
    /// An offset or a scale of `u16` samples that is NaN or infinite.
    #[error("the {what} of heights is {value:?}; a heightfield needs a finite one")]
    Scale {
        /// `offset` or `scale`.
        what: &'static str,
        /// The value given.
        value: f64,
    },
    /// A height that is infinite or beyond 2^100.
    #[error(
        "column {column}, row {row}: the height is {value:?}; a heightfield needs heights of at most 2^100"
    )]
    Height {
        /// From 0.
        column: usize,
        /// From 0.
        row: usize,
        /// The height, in `f32`.
        value: f32,
    },
}
