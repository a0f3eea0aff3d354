//! Worlds: shapes beside meshes, names, moves, intervals and the past, against plain lists.

mod allocations;
mod bodies;
mod explain;
mod heights;
mod history;
mod intervals;
mod limits;
mod marks;
mod moves;
mod picks;
mod readers;
mod selections;
mod shapes;
mod shown;
mod skins;
mod skips;
mod stops;
mod stretched;
mod support;
mod sweeps;
mod volumes;
