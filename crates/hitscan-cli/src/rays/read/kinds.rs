//! What text that is carried over stands for, where the output needs values of one kind in each column.

use crate::rays::cell::{Kept, Kind};

/// Rows that are looked at to see what they hold.
pub const ENOUGH: usize = 10_000;

/// What the values of a column have in common.
pub struct Kinds {
    fits: Vec<Kind>,
    /// Whether there was any value.
    valued: bool,
}

impl Kinds {
    /// Of no value yet.
    pub fn new() -> Kinds {
        Kinds { fits: vec![Kind::Int, Kind::Float, Kind::Bool], valued: false }
    }

    /// Takes a value into account; blanks are none.
    pub fn see(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.valued = true;
            self.fits.retain(|&kind| push(&mut Kept::new(kind), text));
        }
    }

    /// The narrowest kind that loses nothing.
    pub fn narrowest(&self) -> Kind {
        self.fits.first().copied().filter(|_| self.valued).unwrap_or(Kind::Text)
    }
}

/// Appends a field to a column, as missing where it is empty or does not fit; false where it does not fit.
pub fn push(values: &mut Kept, text: &str) -> bool {
    let word = text.trim();
    match values {
        Kept::Text(texts) | Kept::Json(texts) => {
            texts.push(text);
            true
        }
        Kept::Int(numbers) => {
            let number = word.parse().ok().filter(|_| !is_code(word));
            numbers.push(number);
            number.is_some() || word.is_empty()
        }
        Kept::Float(numbers) => {
            // A whole number that `f64` would round is no measurement.
            let rounds = || word.parse::<i128>().is_ok_and(|whole| whole.abs() > 1 << 53);
            let number = word.parse().ok().filter(|_| !is_code(word) && !rounds());
            numbers.push(number);
            number.is_some() || word.is_empty()
        }
        Kept::Bool(flags) => {
            let flag = match word {
                "true" | "True" | "TRUE" => Some(true),
                "false" | "False" | "FALSE" => Some(false),
                _ => None,
            };
            flags.push(flag);
            flag.is_some() || word.is_empty()
        }
    }
}

/// Whether digits are a name rather than a number: `007`, `+49`.
fn is_code(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word).as_bytes();
    matches!(digits, [b'0', b'0'..=b'9', ..] | [b'+', ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_lose_nothing() {
        let kind = |values: &[&str]| {
            let mut kinds = Kinds::new();
            values.iter().for_each(|value| kinds.see(value));
            kinds.narrowest()
        };
        assert_eq!(kind(&["1", "-20", ""]), Kind::Int);
        assert_eq!(kind(&["1", "2.5"]), Kind::Float);
        assert_eq!(kind(&["007", "1"]), Kind::Text);
        assert_eq!((kind(&["true", "false"]), kind(&["true", "1"])), (Kind::Bool, Kind::Text));
        assert_eq!((kind(&[" "]), kind(&[])), (Kind::Text, Kind::Text));
        assert_eq!(kind(&["9223372036854775808"]), Kind::Text, "beyond 64 bits");
        assert_eq!(kind(&["1e300", "nan", "-0.5"]), Kind::Float);
        assert_eq!((kind(&["\"1\""]), kind(&["[1]"])), (Kind::Text, Kind::Text));
    }
}
