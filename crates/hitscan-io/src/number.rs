//! Numbers in text. Decimals are read by `fast-float2`: correctly rounded as `std` has them, in two thirds of the time.

/// What a whole word says, as [`f64`]'s `FromStr` reads it: with `nan` and `inf`, which callers refuse.
pub(crate) fn parse(word: &[u8]) -> Option<f64> {
    fast_float2::parse(word).ok()
}

/// The number at the beginning of a text, and its length, where it ends with the text or before white space.
#[inline]
pub(crate) fn leading(text: &[u8]) -> Option<(f64, usize)> {
    let (value, length) = fast_float2::parse_partial(text).ok()?;
    text.get(length).is_none_or(|&byte| crate::text::is_space(byte)).then_some((value, length))
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
    use super::{leading, parse};

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
        let mut numbers = 0;
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
            let expected = word.parse().ok().map(f64::to_bits);
            assert_eq!(bits(&word), expected, "{word:?}");
            let found =
                leading(format!("{word} 1").as_bytes()).map(|(number, length)| (number.to_bits(), length));
            assert_eq!(found, expected.map(|bits| (bits, word.len())), "{word:?} before a blank");
            numbers += u32::from(expected.is_some());
        }
        assert!(numbers > 100_000, "{numbers} were numbers");
    }

    #[test]
    fn edges() {
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
