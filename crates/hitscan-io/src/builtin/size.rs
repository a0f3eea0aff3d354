//! The `SIZE` of a built-in scene: about how many triangles it has.

/// Fewest and most triangles that can be asked for.
const RANGE: std::ops::RangeInclusive<f64> = 20.0..=30e6;

/// A number of triangles within [`RANGE`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Size(pub usize);

impl Size {
    /// Digits with an optional decimal part, and an optional `k` or `M` in either case.
    pub fn parse(text: &str) -> Option<Size> {
        let (digits, unit) = match text.as_bytes().last()? {
            b'k' | b'K' => (&text[..text.len() - 1], 1e3),
            b'm' | b'M' => (&text[..text.len() - 1], 1e6),
            _ => (text, 1.0),
        };
        // A number as `f64` reads it could also be a word or have an exponent.
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let triangles = digits.parse::<f64>().ok().filter(|_| plain)? * unit;
        RANGE.contains(&triangles).then_some(Size(triangles as usize))
    }

    /// What a size is, for an error about the scene `name`.
    pub fn expected(name: &str) -> String {
        format!(
            "a size is a number of triangles from {} to {}M, as in {name}:5000, {name}:250k, {name}:1.5M",
            RANGE.start(),
            RANGE.end() / 1e6
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_units() {
        for (text, triangles) in
            [("20", 20), ("5000", 5000), ("250k", 250_000), ("1.5M", 1_500_000), ("30m", 30_000_000)]
        {
            assert_eq!(Size::parse(text), Some(Size(triangles)), "{text}");
        }
        for text in ["", "k", ".", "19", "31M", "+50", "1e3", "inf", "5 k", "1.2.3"] {
            assert_eq!(Size::parse(text), None, "{text}");
        }
    }
}
