//! Saved scenes: the same answers after the way through a file, and nothing but an error from any other file.

mod damage;
mod disk;
mod hostile;
mod mapped;
mod round_trip;
mod support;
