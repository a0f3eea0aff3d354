//! The header of a ray file, and its rows as rays.

use std::fmt;

use csv::ByteRecord;
use hitscan::{Ray, RayError};

/// Columns that every ray file has, in the order in which a ray is made of them.
const NEEDED: [&str; 6] = ["ox", "oy", "oz", "dx", "dy", "dz"];

/// Which field of a row is what.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    needed: [usize; 6],
    t_min: Option<usize>,
    t_max: Option<usize>,
    /// Fields that are carried over to the answer.
    kept: Vec<usize>,
    fields: usize,
}

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
    /// A field is not a number, or not one that a ray can have.
    Number {
        /// The column's name.
        column: &'static str,
        /// The field as the file has it.
        text: String,
    },
    /// The numbers make no ray.
    Ray(RayError),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Fields { found, expected } => write!(f, "{found} fields; the header names {expected}"),
            Flaw::Number { column, text } if text.is_empty() => {
                write!(f, "{column} is empty; a ray needs finite numbers")
            }
            Flaw::Number { column, text } => write!(f, "{column} is {text}; a ray needs finite numbers"),
            Flaw::Ray(RayError::ZeroDirection) => {
                write!(f, "dx, dy and dz are 0; a ray needs a direction of any length but zero")
            }
            Flaw::Ray(RayError::EmptyRange { t_min, t_max }) => {
                write!(f, "t_min is {t_min} and t_max is {t_max}; a ray needs t_min <= t_max")
            }
            Flaw::Ray(error) => error.fmt(f),
        }
    }
}

impl Layout {
    /// Finds the columns by name. The error reads `WHAT; WHAT WAS EXPECTED`.
    pub fn new(header: &ByteRecord, keep: &[String]) -> Result<Layout, String> {
        let names: Vec<String> =
            header.iter().map(|name| String::from_utf8_lossy(name.trim_ascii()).into_owned()).collect();
        let find = |wanted: &str| -> Result<Option<usize>, String> {
            let mut found = names.iter().enumerate().filter(|(_, name)| *name == wanted).map(|(at, _)| at);
            match (found.next(), found.next()) {
                (at, None) => Ok(at),
                _ => Err(format!("two columns are named '{wanted}'; a ray file needs each name once")),
            }
        };
        let mut needed = [0; 6];
        for (slot, wanted) in needed.iter_mut().zip(NEEDED) {
            *slot = find(wanted)?.ok_or_else(|| {
                let all = NEEDED.join(",");
                format!("there is no column '{wanted}'; a ray file begins with the names of its columns, {all} among them")
            })?;
        }
        let mut kept = Vec::new();
        for name in keep {
            let at = find(name.trim())?.ok_or_else(|| {
                format!("there is no column '{name}'; --keep needs names of columns in this file")
            })?;
            kept.push(at);
        }
        Ok(Layout { needed, t_min: find("t_min")?, t_max: find("t_max")?, kept, fields: names.len() })
    }

    /// The ray of a row.
    pub fn ray(&self, row: &ByteRecord) -> Result<Ray, Flaw> {
        if row.len() != self.fields {
            return Err(Flaw::Fields { found: row.len(), expected: self.fields });
        }
        let mut numbers = [0.0; 6];
        for ((number, &at), column) in numbers.iter_mut().zip(&self.needed).zip(NEEDED) {
            *number = parse(&row[at])
                .filter(|number: &f64| number.is_finite())
                .ok_or_else(|| Flaw::Number { column, text: shown(&row[at]) })?;
        }
        let [ox, oy, oz, dx, dy, dz] = numbers;
        let ray = Ray::new([ox, oy, oz], [dx, dy, dz]).map_err(Flaw::Ray)?;
        if self.t_min.is_none() && self.t_max.is_none() {
            return Ok(ray);
        }
        let limit = |at: Option<usize>, column, default| match at {
            Some(at) => parse(&row[at])
                .filter(|number| !number.is_nan())
                .ok_or_else(|| Flaw::Number { column, text: shown(&row[at]) }),
            None => Ok(default),
        };
        let (t_min, t_max) = (limit(self.t_min, "t_min", 0.0)?, limit(self.t_max, "t_max", f64::INFINITY)?);
        ray.with_range(t_min, t_max).map_err(Flaw::Ray)
    }

    /// Appends the fields that are carried over, each behind a comma. A row that is too short has empty ones.
    pub fn keep(&self, row: &ByteRecord, out: &mut Vec<u8>) {
        for &at in &self.kept {
            out.push(b',');
            append_field(row.get(at).unwrap_or_default(), out);
        }
    }

    /// How many fields are carried over.
    pub fn kept(&self) -> usize {
        self.kept.len()
    }
}

/// Appends a field, in quotes where it needs them.
pub fn append_field(field: &[u8], out: &mut Vec<u8>) {
    if memchr::memchr3(b',', b'"', b'\n', field).is_none() && !field.contains(&b'\r') {
        out.extend_from_slice(field);
        return;
    }
    out.push(b'"');
    for &byte in field {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

fn parse(field: &[u8]) -> Option<f64> {
    std::str::from_utf8(field.trim_ascii()).ok()?.parse().ok()
}

/// A field for a message, cut where it is long.
fn shown(field: &[u8]) -> String {
    let text = String::from_utf8_lossy(field.trim_ascii());
    let cut: String = text.chars().take(40).collect();
    let cut = if cut.len() < text.len() { cut + "..." } else { cut };
    let number =
        matches!(cut.to_ascii_lowercase().trim_start_matches(['+', '-']), "nan" | "inf" | "infinity");
    if number || cut.is_empty() || cut.parse::<f64>().is_ok() { cut } else { format!("'{cut}'") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(header: &[&str]) -> Layout {
        Layout::new(&ByteRecord::from(header.to_vec()), &[]).unwrap()
    }

    #[test]
    fn columns_are_found_by_name() {
        let layout = layout(&["id", "dz", "dy", "dx", " ox", "oy ", "oz", "t_max"]);
        let ray =
            layout.ray(&ByteRecord::from(vec!["a", "-1", "0", "0.5", " 1", "2", "3e1", "inf"])).unwrap();
        assert_eq!((ray.origin().to_array(), ray.dir().to_array()), ([1.0, 2.0, 30.0], [0.5, 0.0, -1.0]));
        assert_eq!((ray.t_min(), ray.t_max()), (0.0, f64::INFINITY));
    }

    #[test]
    fn flaws_name_the_column() {
        let layout = layout(&["ox", "oy", "oz", "dx", "dy", "dz", "t_min", "t_max"]);
        for (row, message) in [
            ("0,0,0,0,nan,1,0,1", "dy is nan; a ray needs finite numbers"),
            ("0,-INF,0,0,0,1,0,1", "oy is -INF; a ray needs finite numbers"),
            ("0,,0,0,0,1,0,1", "oy is empty; a ray needs finite numbers"),
            ("0,0,one,0,0,1,0,1", "oz is 'one'; a ray needs finite numbers"),
            ("0,0,0,0,0,-0.0,0,1", "dx, dy and dz are 0; a ray needs a direction of any length but zero"),
            ("0,0,0,0,0,1,3,2", "t_min is 3 and t_max is 2; a ray needs t_min <= t_max"),
            ("0,0,0,0,0,1,0,nan", "t_max is nan; a ray needs finite numbers"),
            ("0,0,0", "3 fields; the header names 8"),
        ] {
            let row = ByteRecord::from(row.split(',').collect::<Vec<_>>());
            assert_eq!(layout.ray(&row).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn headers_are_refused() {
        let header = |names: &str| ByteRecord::from(names.split(',').collect::<Vec<_>>());
        assert!(
            Layout::new(&header("ox,oy,oz,dx,dy"), &[]).unwrap_err().starts_with("there is no column 'dz'")
        );
        assert!(Layout::new(&header("ox,oy,oz,dx,dy,dz,ox"), &[]).unwrap_err().starts_with("two columns"));
        assert!(Layout::new(&header("ox,oy,oz,dx,dy,dz"), &["id".into()]).unwrap_err().contains("--keep"));
    }
}
