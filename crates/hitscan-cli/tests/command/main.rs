//! The command as a user runs it: one program, since each test program takes seconds to link.

mod answers;
mod bad_input;
mod batch;
mod bench;
mod common;
mod cutouts;
mod explain;
// With signals; where the command is not optimised, minutes would go by.
#[cfg(all(unix, not(debug_assertions)))]
mod faults;
mod height;
mod inside;
mod intervals;
mod jsonl;
#[cfg(target_os = "linux")] // the peak is read from /proc
mod memory;
mod npy;
mod parquet;
// With signals; where the command is not optimised, minutes would go by.
#[cfg(all(unix, not(debug_assertions)))]
mod resume;
mod saved;
mod schemas;
mod shell;
mod sight;
mod three_files;
mod usage;
mod viewshed;
