//! Worlds: shapes beside meshes, names, moves, intervals and the past, against plain lists.

mod allocations;
mod explain;
mod history;
mod intervals;
mod moves;
mod readers;
mod shapes;
mod skins;
mod stops;
mod support;
