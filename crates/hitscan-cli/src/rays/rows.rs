//! Decoded rows of a ray file.

use hitscan::Ray;

use super::cell::Kept;
use super::flaw::Flaw;

/// Some rows, one after the other, and which of them are rays.
#[derive(Debug, Default)]
pub struct Rows {
    rays: Vec<Ray>,
    valid: Vec<bool>,
    /// The columns that are carried over, with a value for each row.
    pub kept: Vec<Kept>,
    /// The first row that is no ray, and its line, or its row, counted from 0 within these.
    pub flaw: Option<(u64, Flaw)>,
    /// Lines of the file that these rows took, or rows where it has no lines.
    pub span: u64,
}

impl Rows {
    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.rays.clear();
        self.valid.clear();
        self.kept.iter_mut().for_each(Kept::clear);
        self.flaw = None;
        self.span = 0;
    }

    /// Appends a row, which is a ray or has a flaw; false where it is the last one because of its flaw and `stop`.
    #[inline]
    pub fn push(&mut self, ray: Result<Ray, Flaw>, at: u64, stop: bool) -> bool {
        self.valid.push(ray.is_ok());
        match ray {
            Ok(ray) => {
                self.rays.push(ray);
                true
            }
            Err(flaw) => {
                self.flaw.get_or_insert((at, flaw));
                !stop
            }
        }
    }

    /// How many rows there are, rays or not.
    pub fn len(&self) -> usize {
        self.valid.len()
    }

    /// How many of them are no rays.
    pub fn invalid(&self) -> usize {
        self.valid.len() - self.rays.len()
    }

    /// The rows that are rays, without the others.
    pub fn rays(&self) -> &[Ray] {
        &self.rays
    }

    /// Whether each row is a ray.
    pub fn valid(&self) -> &[bool] {
        &self.valid
    }
}
