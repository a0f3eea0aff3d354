//! What the binaries here share: scenes by name, rays on them made by code, the same bits everywhere, the rivals and the
//! rounds that they are measured in, and the tables and documents that show what came out.

pub mod document;
pub mod forms;
pub mod markdown;
pub mod measure;
pub mod peers;
pub mod program;
pub mod rays;
pub mod scenes;
