//! The `SIZE` of a built-in scene: about how many triangles it has.

use std::ops::RangeInclusive;

/// Fewest and most triangles that can be asked for of a scene, where its shape does not need more.
pub(super) const ANY: RangeInclusive<usize> = 20..=MOST;

/// Most triangles of any built-in scene.
pub(super) const MOST: usize = 30_000_000;

/// The number of triangles that a size says: digits with an optional decimal part, and an optional `k` or `M` in
/// either case. `None` for anything else, and for a number out of range.
pub(super) fn parse(text: &str, range: &RangeInclusive<usize>) -> Option<usize> {
    let (digits, unit) = match text.as_bytes().last()? {
        b'k' | b'K' => (&text[..text.len() - 1], 1e3),
        b'm' | b'M' => (&text[..text.len() - 1], 1e6),
        _ => (text, 1.0),
    };
    // A number as `f64` reads it could also be a word or have an exponent.
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let triangles = digits.parse::<f64>().ok().filter(|_| plain)? * unit;
    let within = (*range.start() as f64..=*range.end() as f64).contains(&triangles);
    within.then_some(triangles as usize)
}

/// What a size is, for an error about the scene `name`.
pub(super) fn expected(name: &str, range: &RangeInclusive<usize>) -> String {
    let [fewest, most] = [*range.start(), *range.end()].map(short);
    let example = if *range.start() <= 5000 { "5000" } else { "100k" };
    format!(
        "a size is a number of triangles from {fewest} to {most}, as in {name}:{example}, {name}:250k, {name}:1.5M"
    )
}

/// A round number as a size is written.
fn short(triangles: usize) -> String {
    match triangles {
        n if n % 1_000_000 == 0 => format!("{}M", n / 1_000_000),
        n if n % 1000 == 0 => format!("{}k", n / 1000),
        n => n.to_string(),
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
            assert_eq!(parse(text, &ANY), Some(triangles), "{text}");
        }
        for text in ["", "k", ".", "19", "31M", "+50", "1e3", "inf", "5 k", "1.2.3"] {
            assert_eq!(parse(text, &ANY), None, "{text}");
        }
        assert_eq!(parse("30k", &(40_000..=MOST)), None);
    }

    #[test]
    fn ranges_are_told_as_sizes_are_written() {
        assert_eq!([20, 40_000, 30_000_000].map(short), ["20", "40k", "30M"]);
    }
}
