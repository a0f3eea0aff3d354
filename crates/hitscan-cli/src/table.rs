//! Aligned tables for people.

use std::fmt;

/// Columns of text, padded to one width: text to the left, numbers to the right.
#[derive(Debug)]
pub struct Table {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Align {
    Left,
    Right,
}

impl Table {
    /// A table with these column names. A name that begins with `>` stands for a column of numbers, which is
    /// aligned to the right.
    pub fn new<S: AsRef<str>>(columns: impl IntoIterator<Item = S>) -> Table {
        let columns = columns.into_iter().map(|name| match name.as_ref().strip_prefix('>') {
            Some(name) => (name.to_owned(), Align::Right),
            None => (name.as_ref().to_owned(), Align::Left),
        });
        Table { columns: columns.collect(), rows: Vec::new() }
    }

    /// Appends a row; cells that are missing stay empty, cells beyond the columns are left out.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let mut row: Vec<String> = cells.into_iter().map(|cell| printable(&cell.into())).collect();
        row.resize(self.columns.len(), String::new());
        self.rows.push(row);
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().map(|row| row[column].as_str());
        cells.chain([self.columns[column].0.as_str()]).map(|cell| cell.chars().count()).max().unwrap_or(0)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths: Vec<usize> = (0..self.columns.len()).map(|column| self.width(column)).collect();
        let names: Vec<String> = self.columns.iter().map(|(name, _)| name.clone()).collect();
        let rule: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
        for row in [&names, &rule].into_iter().chain(&self.rows) {
            let mut line = String::new();
            for ((cell, &width), (_, align)) in row.iter().zip(&widths).zip(&self.columns) {
                match align {
                    Align::Left => line += &format!("{cell:<width$}  "),
                    Align::Right => line += &format!("{cell:>width$}  "),
                }
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// Names come from files: what would move the cursor or break the line is shown escaped.
pub fn printable(text: &str) -> String {
    let show = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(show).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_control_characters_escaped() {
        let mut table = Table::new([">#", "object", ">t"]);
        table.row(["1", "a\nb", "1.5"]);
        table.row(["12", "wall"]);
        assert_eq!(table.to_string(), " #  object    t\n--  ------  ---\n 1  a\\nb    1.5\n12  wall\n");
    }
}
