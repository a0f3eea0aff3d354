//! What the binaries here share: scenes by name, rays on them made by code, the same bits everywhere, and the tables and
//! documents that show what came out.

pub mod document;
pub mod markdown;
pub mod rays;
pub mod scenes;
