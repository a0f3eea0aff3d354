//! What the rows of a file are: rays, or points.
//!
//! Points share all that readers and batches do with rays, by being the origin of one; where it goes is nobody's business.

use hitscan::{Ray, RayError};

use super::flaw::Flaw;

/// What the rows of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Rays.
    Rays,
    /// Points, each as a ray that begins there.
    Points,
}

impl Subject {
    /// Columns that every such file has, in the order in which a row is made of them.
    pub fn needed(self) -> &'static [&'static str] {
        match self {
            Subject::Rays => &["ox", "oy", "oz", "dx", "dy", "dz"],
            Subject::Points => &["x", "y", "z"],
        }
    }

    /// The same in words.
    pub fn fields(self) -> &'static str {
        match self {
            Subject::Rays => "ox, oy, oz, dx, dy and dz",
            Subject::Points => "x, y and z",
        }
    }

    /// Columns that may be there beside them.
    pub fn limits(self) -> &'static [&'static str] {
        match self {
            Subject::Rays => &["t_min", "t_max"],
            Subject::Points => &[],
        }
    }

    /// What a row is.
    pub fn one(self) -> &'static str {
        match self {
            Subject::Rays => "a ray",
            Subject::Points => "a point",
        }
    }

    /// Many of them.
    pub fn many(self) -> &'static str {
        match self {
            Subject::Rays => "rays",
            Subject::Points => "points",
        }
    }

    /// What the file is.
    pub fn file(self) -> &'static str {
        match self {
            Subject::Rays => "a ray file",
            Subject::Points => "a file of points",
        }
    }

    /// The ray of finite numbers in the order of [`Subject::needed`]; a point leaves the last three open.
    #[inline]
    pub fn ray(self, [ox, oy, oz, dx, dy, dz]: [f64; 6]) -> Result<Ray, Flaw> {
        match self {
            Subject::Rays => Ray::new([ox, oy, oz], [dx, dy, dz]).map_err(Flaw::Ray),
            Subject::Points => Ray::new([ox, oy, oz], [1.0, 0.0, 0.0]).map_err(far),
        }
    }
}

/// Why a point is none: the only reason, since its numbers are finite.
fn far(error: RayError) -> Flaw {
    match error {
        RayError::OriginTooFar { field, value } => {
            let named = Subject::Points.needed().iter().find(|name| field.ends_with(**name));
            Flaw::Far { column: named.unwrap_or(&field), value }
        }
        other => Flaw::Ray(other),
    }
}
