//! Formats of ray files and of answers, by name and by extension.

use std::path::Path;

/// How rows are laid out in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A header, then one row a line.
    Csv,
    /// One array of objects.
    Json,
    /// One object a line.
    JsonLines,
    /// NumPy's own: one array with a field for each column.
    Npy,
    /// Apache Parquet.
    Parquet,
}

impl Format {
    /// All of them, in the order of messages.
    pub const ALL: [Format; 5] = [Format::Csv, Format::JsonLines, Format::Json, Format::Npy, Format::Parquet];

    /// Its name in options and messages, which is also its extension.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Json => "json",
            Format::JsonLines => "jsonl",
            Format::Npy => "npy",
            Format::Parquet => "parquet",
        }
    }

    /// The format that a file's name tells.
    pub fn of_file(name: &str) -> Option<Format> {
        let extension = Path::new(name).extension()?;
        Format::ALL.into_iter().find(|format| extension.eq_ignore_ascii_case(format.name()))
    }

    /// The format of this name among some.
    pub fn named(text: &str, known: &[Format]) -> Result<Format, String> {
        known.iter().copied().find(|format| format.name() == text).ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|format| format.name()).collect();
            format!("'{text}' is not a format; expected {}", listed(&names))
        })
    }
}

/// `a, b or c`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_tell_their_format() {
        assert_eq!(Format::of_file("a/b.CSV"), Some(Format::Csv));
        assert_eq!(Format::of_file("rays.parquet"), Some(Format::Parquet));
        assert_eq!((Format::of_file("table"), Format::of_file("x.table")), (None, None));
        let known = [Format::Csv, Format::Npy];
        assert_eq!(Format::named("npy", &known), Ok(Format::Npy));
        assert_eq!(Format::named("xls", &known), Err("'xls' is not a format; expected csv or npy".into()));
    }
}
