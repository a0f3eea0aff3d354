//! One value of a row, and the columns that are carried over from the ray file.

use std::borrow::Cow;

use parquet::schema::types::TypePtr;

/// What kind of values a column has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers.
    Int,
    /// Numbers.
    Float,
    /// Yes or no.
    Bool,
    /// Text.
    Text,
}

/// One value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// A whole number.
    Int(i64),
    /// A number, perhaps infinite.
    Float(f64),
    /// Yes or no.
    Bool(bool),
    /// Text.
    Text(&'a str),
    /// A field of a file without types, perhaps a number.
    Untyped(&'a str),
    /// A value as JSON writes it.
    Json(&'a str),
    /// Nothing: empty, null or NaN, as the format has it.
    Missing,
}

/// A column that is carried over.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptField {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// The characters of its longest text, or 1, where the file's own types say so; then no row is without a value.
    pub width: Option<usize>,
    /// How a Parquet file stores it, where another one will.
    pub stored: Option<Stored>,
}

/// How a Parquet file stores a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// Its name, its type and whether a row may have no value.
    pub kind: TypePtr,
    /// Whether its values are carried over as text with two hexadecimal digits a byte, because they are no text.
    pub hex: bool,
}

/// The values of one carried-over column.
#[derive(Clone, Debug)]
pub enum Kept {
    /// Whole numbers.
    Int(Vec<Option<i64>>),
    /// Numbers.
    Float(Vec<Option<f64>>),
    /// Yes or no.
    Bool(Vec<Option<bool>>),
    /// Text, empty where a row had none and its format cannot tell.
    Text(Texts),
    /// Fields of a file without types.
    Untyped(Texts),
    /// Values as JSON writes them.
    Json(Texts),
}

/// Many short texts in one piece of memory.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    text: String,
    ends: Vec<usize>,
    /// Rows that have none, in order.
    missing: Vec<usize>,
}

impl Texts {
    /// Appends one.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
    }

    /// Appends none.
    pub fn push_missing(&mut self) {
        self.missing.push(self.ends.len());
        self.ends.push(self.text.len());
    }

    fn get(&self, row: usize) -> Option<&str> {
        if self.missing.binary_search(&row).is_ok() {
            return None;
        }
        let start = if row == 0 { 0 } else { *self.ends.get(row - 1)? };
        self.text.get(start..*self.ends.get(row)?)
    }

    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.missing.clear();
    }
}

impl Kept {
    /// No values yet.
    pub fn new(kind: Kind) -> Kept {
        match kind {
            Kind::Int => Kept::Int(Vec::new()),
            Kind::Float => Kept::Float(Vec::new()),
            Kind::Bool => Kept::Bool(Vec::new()),
            Kind::Text => Kept::Text(Texts::default()),
        }
    }

    /// The value of a row; missing where there is none.
    pub fn cell(&self, row: usize) -> Cell<'_> {
        let cell = match self {
            Kept::Int(values) => values.get(row).copied().flatten().map(Cell::Int),
            Kept::Float(values) => values.get(row).copied().flatten().map(Cell::Float),
            Kept::Bool(values) => values.get(row).copied().flatten().map(Cell::Bool),
            Kept::Text(texts) => texts.get(row).map(Cell::Text),
            Kept::Untyped(texts) => texts.get(row).map(Cell::Untyped),
            Kept::Json(texts) => texts.get(row).map(Cell::Json),
        };
        cell.unwrap_or(Cell::Missing)
    }

    /// Forgets all values.
    pub fn clear(&mut self) {
        match self {
            Kept::Int(values) => values.clear(),
            Kept::Float(values) => values.clear(),
            Kept::Bool(values) => values.clear(),
            Kept::Text(texts) | Kept::Untyped(texts) | Kept::Json(texts) => texts.clear(),
        }
    }
}

/// A value of JSON as text: strings without quotes, null as nothing, and all else as it is written, as is a string
/// that is no Unicode.
pub fn text_of_json(value: &str) -> Cow<'_, str> {
    match value {
        "null" => Cow::Borrowed(""),
        _ if !value.starts_with('"') => Cow::Borrowed(value),
        _ => serde_json::from_str(value).map_or(Cow::Borrowed(value), Cow::Owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_by_row() {
        let mut kept = Kept::new(Kind::Text);
        if let Kept::Text(texts) = &mut kept {
            ["a", "", "ü, \"b\""].iter().for_each(|text| texts.push(text));
        }
        let cells: Vec<Cell<'_>> = (0..4).map(|row| kept.cell(row)).collect();
        assert_eq!(cells, [Cell::Text("a"), Cell::Text(""), Cell::Text("ü, \"b\""), Cell::Missing]);
        kept.clear();
        assert_eq!(kept.cell(0), Cell::Missing);
        assert_eq!(Kept::Int(vec![Some(7), None]).cell(1), Cell::Missing);
    }

    #[test]
    fn json_as_text() {
        for (value, text) in [
            ("null", ""),
            ("-1.50", "-1.50"),
            (r#""a \"b\"\n\u00fc""#, "a \"b\"\nü"),
            (r#"{"a": null}"#, r#"{"a": null}"#),
            (r#""\ud800""#, r#""\ud800""#),
        ] {
            assert_eq!(text_of_json(value), text);
        }
    }
}
