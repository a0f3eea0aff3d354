//! Errors of rays that the options of a command line describe: components are called `x`, `y` and `z` there.

use hitscan::glam::DVec3;
use hitscan::{Ray, RayError};

use crate::args::Vector;
use crate::failure::Failure;
use crate::number::{digits, given};

/// The ray of `--from` and one of `--to` and `--dir`; `expected` is told where both are missing.
pub fn ray(from: DVec3, to: Option<Vector>, dir: Option<Vector>, expected: &str) -> Result<Ray, Failure> {
    let (ray, option) = match (to, dir) {
        (Some(to), _) => (Ray::between(from, to.0), "--to"),
        (None, Some(dir)) => (Ray::new(from, dir.0), "--dir"),
        (None, None) => return Err(Failure::usage("--to", format_args!("it is missing; {expected}"))),
    };
    ray.map_err(|error| failure(error, option))
}

/// The ray of these options in words, as it was typed: its end may be rounded where the ray computes it.
pub fn told(from: DVec3, to: Option<Vector>, dir: Option<Vector>) -> String {
    let aim = match (to, dir) {
        (Some(to), _) => format!(" to {}", given(to.0)),
        (None, Some(dir)) => format!(" along {}", given(dir.0)),
        (None, None) => String::new(),
    };
    format!("from {}{aim}", given(from))
}

/// What is wrong with the ray of `--from` and `end`, which is `--to` or `--dir`.
pub fn failure(error: RayError, end: &str) -> Failure {
    let (field, what) = match error {
        RayError::NonFinite { field, value } => {
            (field, format!("is {}; a ray needs finite numbers", digits(value)))
        }
        RayError::OriginTooFar { field, value } => {
            (field, format!("is {value:e}; a point needs coordinates of at most 2^100"))
        }
        other => return Failure::new(end, other),
    };
    // `dx` is the x of the direction, `bx` that of the end.
    let (whose, component) = field.split_at(1);
    Failure::new(if whose == "o" { "--from" } else { end }, format_args!("{component} {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_have_the_names_of_the_command_line() {
        let (nan, one, inf) = ([0.0, f64::NAN, 0.0], [1.0; 3], [0.0, 0.0, f64::NEG_INFINITY]);
        for (ray, end, expected) in [
            (Ray::new(nan, one), "--dir", "--from: y is nan; a ray needs finite numbers"),
            (Ray::new(one, nan), "--dir", "--dir: y is nan; a ray needs finite numbers"),
            (Ray::between(one, inf), "--to", "--to: z is -inf; a ray needs finite numbers"),
            (
                Ray::between([1e31; 3], one),
                "--to",
                "--from: x is 1e31; a point needs coordinates of at most 2^100",
            ),
            (
                Ray::new(one, [0.0; 3]),
                "--dir",
                "--dir: the direction is zero; a ray needs a direction of any length but zero",
            ),
        ] {
            let Failure::Failed(message) = failure(ray.unwrap_err(), end) else { panic!("{expected}") };
            assert_eq!(message, expected);
        }
    }
}
