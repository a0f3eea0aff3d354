//! Files of rays and files of answers: rows in, rays asked, rows out, in blocks that fit in memory.
//!
//! A [`read::Source`] gives chunks of rows as its file holds them; any thread decodes a part of a chunk into
//! [`rows::Rows`]. A [`write::Encode`] turns the answers of some rows into a batch on any thread; a [`write::Sink`]
//! takes the batches in the order of the file.

pub mod answers;
pub mod cell;
pub mod columns;
pub mod fields;
pub mod flaw;
pub mod format;
pub mod points;
pub mod read;
pub mod rows;
pub mod subject;
pub mod write;
