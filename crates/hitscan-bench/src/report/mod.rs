//! What a run leaves: a table for the terminal, one for the documents, a picture, a file of all numbers.

pub mod csv;
pub mod curves;
pub mod plot;
pub mod summary;
mod svg;
pub mod table;
