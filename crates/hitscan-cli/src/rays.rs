//! Files of rays: blocks of whole records, rows as rays, hits as rows.

pub mod blocks;
pub mod columns;
pub mod layout;
pub mod write;
