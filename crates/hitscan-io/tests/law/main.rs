//! The law on whole scenes: every file of `../shared/scenes`, which is skipped where it is absent, and the built-in
//! scenes, as worlds of placed meshes.
//!
//! The comparisons are those of the core's own tests of the law. Each test says how many rays it traced; a debug
//! build traces fewer, and the long form more, which the environment variable `HITSCAN_LONG` chooses: 100 million from
//! inside closed meshes. `HITSCAN_SEED` replays another run.

#[path = "../../../hitscan/tests/law/compare.rs"]
mod compare;
#[path = "../../../hitscan/tests/law/crossings.rs"]
mod crossings;

mod from_inside;
mod same_bits;
mod subject;

/// Whether the long forms are wanted.
fn is_long() -> bool {
    std::env::var_os("HITSCAN_LONG").is_some()
}
