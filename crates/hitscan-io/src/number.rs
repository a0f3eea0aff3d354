//! Decimal text to `f64`, correctly rounded: a quick way for the short numbers that files are made of, and the
//! standard library's for the rest.
//!
//! The quick way is Clinger's (How to read floating point numbers accurately, PLDI 1990): up to 2^53 the digits are
//! exact as `f64`, up to 10^22 so is the power of ten, and their product or quotient is rounded once. The library reads
//! such numbers the same way; what is saved is finding their end first, and a second look at each digit.

const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// Digits that always fit in a `u64`.
const MOST_DIGITS: usize = 19;

/// What a whole word says, as [`f64`]'s `FromStr` reads it: with `nan` and `inf`, which callers refuse.
pub(crate) fn parse(word: &[u8]) -> Option<f64> {
    match short_decimal(word) {
        Some((value, length)) if length == word.len() => Some(value),
        _ => str::from_utf8(word).ok()?.parse().ok(),
    }
}

/// The number at the beginning of a text, and its length, where it ends with the text or before white space and is
/// short enough for the quick way; `None` says nothing about others.
#[inline]
pub(crate) fn short_decimal(text: &[u8]) -> Option<(f64, usize)> {
    let negative = text.first() == Some(&b'-');
    let mut at = usize::from(negative || text.first() == Some(&b'+'));
    let first = at;
    let mut digits = 0u64;
    at = append_digits(text, at, &mut digits);
    let mut count = at - first;
    let mut exponent = 0;
    if text.get(at) == Some(&b'.') {
        let point = at + 1;
        at = append_digits(text, point, &mut digits);
        count += at - point;
        exponent = point.wrapping_sub(at) as isize;
    }
    if count == 0 || count > MOST_DIGITS {
        return None;
    }
    if let Some(b'e' | b'E') = text.get(at) {
        let (written, end) = exponent_at(text, at + 1)?;
        exponent += written;
        at = end;
    }
    let ends = text.get(at).is_none_or(|&byte| crate::text::is_space(byte));
    let power = *POWERS.get(exponent.unsigned_abs()).filter(|_| ends && digits <= 1 << 53)?;
    let size = digits as f64;
    let size = if exponent < 0 { size / power } else { size * power };
    Some((if negative { -size } else { size }, at))
}

/// Appends the digits from `at` on, modulo 2^64; gives the place after them.
#[inline]
fn append_digits(text: &[u8], mut at: usize, digits: &mut u64) -> usize {
    while let Some(digit) = text.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
        *digits = digits.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    at
}

/// A sign or none and up to [`MOST_DIGITS`] - 1 digits, and the place after them.
#[inline]
fn exponent_at(text: &[u8], at: usize) -> Option<(isize, usize)> {
    let negative = text.get(at) == Some(&b'-');
    let first = at + usize::from(negative || text.get(at) == Some(&b'+'));
    let mut digits = 0;
    let end = append_digits(text, first, &mut digits);
    if end == first || end - first >= MOST_DIGITS {
        return None;
    }
    let value = isize::try_from(digits).ok()?;
    Some((if negative { -value } else { value }, end))
}

/// A whole number of up to 18 digits, with or without a sign.
pub(crate) fn integer(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let mut value = 0;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + i64::from(digit - b'0');
    }
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::{parse, short_decimal};

    fn bits(word: &str) -> Option<u64> {
        parse(word.as_bytes()).map(f64::to_bits)
    }

    #[test]
    fn every_form_has_the_bits_of_the_standard_library() {
        let mut state = 7u64;
        let mut random = |end: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) % end
        };
        let mut short = 0;
        for _ in 0..300_000 {
            let mut word = ["", "-", "+"][random(3) as usize].to_owned();
            let mut append = |word: &mut String, most| {
                for _ in 0..random(most) {
                    word.push(char::from(b'0' + random(10) as u8));
                }
            };
            append(&mut word, 12);
            if word.len().is_multiple_of(2) {
                word.push('.');
                append(&mut word, 14);
            }
            if word.len().is_multiple_of(3) {
                word.push_str(["e", "E-", "e+"][word.len() % 9 / 3]);
                append(&mut word, 4);
            }
            short += u32::from(short_decimal(word.as_bytes()).is_some());
            assert_eq!(bits(&word), word.parse().ok().map(f64::to_bits), "{word:?}");
        }
        assert!(short > 100_000, "{short} went the quick way");
    }

    #[test]
    fn edges_of_the_quick_way() {
        for word in [
            "9007199254740992",
            "9007199254740993",
            "9007199254740993.0",
            "1e22",
            "1e23",
            "1e-22",
            "1e-23",
            "9223372036854775807",
            "18446744073709551616",
            "0.3",
            "-0",
            "-0.0",
            "5e-324",
            "1e309",
            "-1e-400",
            "1e99999999999999999999",
            "0000000000000000000001.5",
            "nan",
            "inf",
            "-infinity",
            "",
            "-",
            ".",
            "1.e",
            "e5",
            "1e",
            "1e+",
            "0x10",
            "1_0",
            "1,5",
            "1.5.2",
            "--1",
            "1 ",
            " 1",
            "٣",
        ] {
            let expected = word.parse::<f64>().ok().map(f64::to_bits);
            assert_eq!(bits(word), expected, "{word:?}");
        }
    }
}
