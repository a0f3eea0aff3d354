//! Batches that can be interrupted: what is kept beside an output until it is complete, and how it is gone on from.
//!
//! `FILE.partial` is the output so far, `FILE.partial.state` says how much of it counts and which part of the input
//! made it. All formats are written forwards, so what stands behind that length is cut off and made again. Both
//! files go when the output gets its name.

pub mod job;
pub mod mark;
pub mod partial;
mod saver;
pub mod state;
