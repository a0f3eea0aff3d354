//! Why a row is no ray, in the words of its file.

use std::fmt;

use hitscan::RayError;

use super::cell::Kind;
use super::subject::Subject;
use crate::number::{counted, exact};

/// Why a row is no ray.
#[derive(Clone, Debug, PartialEq)]
pub enum Flaw {
    /// It has more or fewer fields than the header.
    Fields {
        /// How many it has.
        found: usize,
        /// How many the header names.
        expected: usize,
    },
    /// A coordinate is not a number, or not one that a ray or a point can have.
    Number {
        /// Whose coordinate.
        of: Subject,
        /// The column's name.
        column: &'static str,
        /// The field as the file has it.
        text: String,
    },
    /// `t_min` or `t_max` is not a number.
    Limit {
        /// The column's name.
        column: &'static str,
        /// The field as the file has it.
        text: String,
    },
    /// A value that is carried over does not fit its column.
    Kept {
        /// The column's name.
        column: String,
        /// The field as the file has it.
        text: String,
        /// What the column holds.
        kind: Kind,
    },
    /// The row is not what the format says.
    Syntax(String),
    /// A coordinate of a point is too large.
    Far {
        /// The column's name.
        column: &'static str,
        /// The number.
        value: f64,
    },
    /// The numbers make no ray.
    Ray(RayError),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Fields { found, expected } => {
                write!(f, "{}; the header names {expected}", counted(*found, "field"))
            }
            Flaw::Number { of, column, text } => {
                write!(f, "{column} is {}; {} needs finite numbers", shown(text), of.one())
            }
            Flaw::Far { column, value } => {
                write!(f, "{column} is {value:e}; a point needs coordinates of at most 2^100")
            }
            Flaw::Limit { column, text } => {
                write!(f, "{column} is {}; expected a number, -inf or inf", shown(text))
            }
            Flaw::Kept { column, text, kind } => {
                let kind = match kind {
                    Kind::Int => "whole numbers",
                    Kind::Float => "numbers",
                    Kind::Bool => "true and false",
                    Kind::Text => "text",
                };
                write!(f, "{column} is {}; the column held {kind} so far", shown(text))
            }
            Flaw::Syntax(text) => f.write_str(text),
            Flaw::Ray(RayError::ZeroDirection) => {
                write!(f, "dx, dy and dz are 0; a ray needs a direction of any length but zero")
            }
            Flaw::Ray(RayError::EmptyRange { t_min, t_max }) => {
                write!(
                    f,
                    "t_min is {} and t_max is {}; a ray needs t_min <= t_max",
                    exact(*t_min),
                    exact(*t_max)
                )
            }
            Flaw::Ray(error) => error.fmt(f),
        }
    }
}

/// A field for a message: numbers as they are, other text in quotes, cut where it is long.
pub fn shown(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() {
        return "empty".to_owned();
    }
    let cut: String = text.chars().take(40).collect();
    let cut = if cut.len() < text.len() { cut + "..." } else { cut };
    let plain = matches!(
        cut.to_ascii_lowercase().trim_start_matches(['+', '-']),
        "nan" | "inf" | "infinity" | "null" | "missing"
    );
    if plain || cut.parse::<f64>().is_ok() { cut } else { format!("'{cut}'") }
}
