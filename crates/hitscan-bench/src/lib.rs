//! What the binaries here share: scenes by name, and rays on them made by code, the same bits everywhere.

pub mod rays;
pub mod scenes;
