//! What text that is carried over stands for, where the output needs values of one kind in each column.

use crate::rays::cell::{Kept, Kind};

/// Rows that are looked at to see what they hold.
pub const ENOUGH: usize = 10_000;

/// What the values of a column have in common.
pub struct Kinds {
    fits: Vec<Kind>,
    /// Whether there was any value.
    valued: bool,
    /// Whether any was digits around an `e`.
    names: bool,
    /// Whether any had what only numbers have.
    measures: bool,
}

impl Kinds {
    /// Of no value yet.
    pub fn new() -> Kinds {
        Kinds { fits: vec![Kind::Int, Kind::Float, Kind::Bool], valued: false, names: false, measures: false }
    }

    /// Takes a value into account; blanks are none.
    pub fn see(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.valued = true;
            self.names |= is_name(text.trim());
            self.measures |= text.contains(['.', '-']);
            self.fits.retain(|&kind| push(&mut Kept::new(kind), text));
        }
    }

    /// The narrowest kind that loses nothing.
    pub fn narrowest(&self) -> Kind {
        self.fits.first().copied().filter(|_| self.valued).unwrap_or(Kind::Text)
    }

    /// The same where values do not say whether they are text. `12e3` is a number beside `0.5`, and beside `4811907` the
    /// beginning of a hash.
    pub fn guessed(&self) -> Kind {
        match self.narrowest() {
            Kind::Float if self.names && !self.measures => Kind::Text,
            kind => kind,
        }
    }
}

/// Appends a field to a column, as missing where it is empty or does not fit; false where it does not fit.
pub fn push(values: &mut Kept, text: &str) -> bool {
    let word = text.trim();
    match values {
        Kept::Text(texts) | Kept::Untyped(texts) | Kept::Json(texts) => {
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

/// Whether a word is digits, an `e` and digits.
fn is_name(word: &str) -> bool {
    let are_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    word.split_once(['e', 'E']).is_some_and(|(before, behind)| are_digits(before) && are_digits(behind))
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

    #[test]
    fn digits_around_an_e_may_be_a_name() {
        let kind = |values: &[&str]| {
            let mut kinds = Kinds::new();
            values.iter().for_each(|value| kinds.see(value));
            [kinds.guessed(), kinds.narrowest()]
        };
        assert_eq!(kind(&["12e3", "4811907", "7e10"]), [Kind::Text, Kind::Float]);
        assert_eq!(kind(&["12e3", "", "0.5"]), [Kind::Float; 2]);
        assert_eq!(kind(&["1e300", "nan", "-0.5"]), [Kind::Float; 2]);
        assert_eq!((kind(&["1e-3", "2"]), kind(&["1", "2"])), ([Kind::Float; 2], [Kind::Int; 2]));
    }
}
