//! The law, tried on hostile input: every query on every path gives the bits that brute force gives.
//!
//! One file a theme. Seeds are printed where a test fails; `HITSCAN_SEED` replays another one.

#[cfg(feature = "rayon")]
mod batches;
mod borders;
mod bytes;
mod columns;
mod compare;
// Only what is optimised is compiled as it will run.
#[cfg(all(target_arch = "x86_64", target_os = "linux", not(debug_assertions)))]
mod compiled;
mod crossings;
mod cutouts;
mod degenerate;
mod far_shooters;
mod grid;
mod group_instances;
mod groups;
mod heightfield;
mod heightfield_surface;
mod instances;
mod joined;
mod laws;
mod oracle_outline;
mod oracle_random;
mod presets;
mod refit;
mod support;
mod watertight;
