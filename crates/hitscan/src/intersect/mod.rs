//! Pure geometry, one pair a file.

pub(crate) mod ray_triangle;
