//! Tables in Markdown, whose columns are padded so that they are read in a terminal as well.

use std::fmt::Write as _;

/// Rows of cells; the first is the heading.
pub fn table(rows: &[Vec<String>]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0).max(3);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(text, "| {cell:width$} ");
        }
        text.push_str("|\n");
        if number == 0 {
            for &width in &widths {
                let _ = write!(text, "|{}", "-".repeat(width + 2));
            }
            text.push_str("|\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_padded() {
        let rows = [["a", "form"], ["long", "b"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table(&rows), "| a    | form |\n|------|------|\n| long | b    |\n");
    }
}
