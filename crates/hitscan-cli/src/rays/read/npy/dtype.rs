//! The types of NumPy: where the fields of a row stand, and their values.

use std::borrow::Cow;

use half::f16;

use super::header::LONGEST_ROW;
use super::literal::Literal;
use crate::rays::cell::{Kept, Kind};

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scalar {
    Bool,
    Int,
    Uint,
    Float,
    /// Characters of one byte.
    Bytes,
    /// Characters of four bytes.
    Unicode,
    /// Anything else of a known size.
    Other,
}

/// A type of values of one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    scalar: Scalar,
    /// Whether the highest byte comes first.
    big: bool,
    /// Bytes.
    pub size: usize,
    /// As NumPy writes it.
    pub name: String,
}

/// A field of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Bytes of the row before it.
    pub offset: usize,
    /// What it holds.
    pub dtype: Type,
}

/// The fields of a row one after the other, and its size; padding has fields without names. The error reads
/// `WHAT; WHAT WAS EXPECTED`.
pub fn fields(descr: &[Literal]) -> Result<(Vec<Field>, usize), String> {
    let (mut fields, mut offset) = (Vec::new(), 0usize);
    for item in descr {
        let Literal::Tuple(parts) = item else { return Err(not_understood(item)) };
        let (name, inner, shape) = match parts.as_slice() {
            [name, inner] => (name, inner, None),
            [name, inner, Literal::Tuple(shape)] => (name, inner, Some(shape)),
            _ => return Err(not_understood(item)),
        };
        let name = match name {
            Literal::Text(name) => name,
            // A title, then the name.
            Literal::Tuple(both) => match both.as_slice() {
                [Literal::Text(_), Literal::Text(name)] => name,
                _ => return Err(not_understood(item)),
            },
            _ => return Err(not_understood(item)),
        };
        let mut dtype = Type::of(inner)?;
        for length in shape.into_iter().flatten() {
            dtype = dtype.times(length).ok_or_else(|| not_understood(item))?;
        }
        let size = dtype.size;
        fields.push(Field { name: name.clone(), offset, dtype });
        offset = offset.checked_add(size).ok_or_else(|| not_understood(item))?;
    }
    Ok((fields, offset))
}

fn not_understood(found: &Literal) -> String {
    let shown: String = format!("{found:?}").chars().take(60).collect();
    format!("the header has {shown} where a field is due; expected fields as NumPy writes them")
}

impl Type {
    /// What a descriptor describes.
    pub fn of(descr: &Literal) -> Result<Type, String> {
        let other = |size, name: &str| Type { scalar: Scalar::Other, big: false, size, name: name.into() };
        match descr {
            Literal::Text(name) => Type::named(name).ok_or_else(|| {
                format!("the type '{name}' is not read; expected numbers, bool or fixed text")
            }),
            Literal::List(inner) => Ok(other(fields(inner)?.1, "a structure")),
            Literal::Tuple(both) => match both.as_slice() {
                [inner, Literal::Tuple(shape)] => {
                    let inner = Type::of(inner)?;
                    let all = shape.iter().try_fold(inner, |dtype, length| dtype.times(length));
                    all.ok_or_else(|| not_understood(descr))
                }
                _ => Err(not_understood(descr)),
            },
            _ => Err(not_understood(descr)),
        }
    }

    fn named(name: &str) -> Option<Type> {
        let big = name.starts_with('>');
        let plain = name.strip_prefix(['<', '>', '|', '='])?;
        let mut chars = plain.chars();
        let letter = chars.next()?;
        let number = chars.as_str().split('[').next().unwrap_or_default();
        let number: usize = number.parse().ok()?;
        let (scalar, size) = match (letter, number) {
            ('b', 1) => (Scalar::Bool, 1),
            ('i', 1 | 2 | 4 | 8) => (Scalar::Int, number),
            ('u', 1 | 2 | 4 | 8) => (Scalar::Uint, number),
            ('f', 2 | 4 | 8) => (Scalar::Float, number),
            ('S', _) => (Scalar::Bytes, number),
            ('U', _) => (Scalar::Unicode, number.checked_mul(4)?),
            ('f', 12 | 16) | ('c', 8 | 16 | 24 | 32) | ('m' | 'M', 8) | ('V', _) => (Scalar::Other, number),
            _ => return None,
        };
        if size > LONGEST_ROW {
            return None;
        }
        Some(Type { scalar, big, size, name: name.into() })
    }

    /// So many of them, which nothing reads.
    fn times(self, length: &Literal) -> Option<Type> {
        let Literal::Whole(length) = length else { return None };
        let size = usize::try_from(*length).ok()?.checked_mul(self.size)?;
        Some(Type { scalar: Scalar::Other, size, name: "an array".into(), big: false })
    }

    /// Whether values are numbers that a ray can have.
    pub fn is_number(&self) -> bool {
        matches!(self.scalar, Scalar::Int | Scalar::Uint | Scalar::Float)
    }

    /// What a column of such values holds where it is carried over.
    pub fn kind(&self) -> Option<Kind> {
        match self.scalar {
            Scalar::Bool => Some(Kind::Bool),
            Scalar::Int | Scalar::Uint => Some(Kind::Int),
            Scalar::Float => Some(Kind::Float),
            Scalar::Bytes | Scalar::Unicode => Some(Kind::Text),
            Scalar::Other => None,
        }
    }

    /// The characters of the longest text; 1 of other values.
    pub fn width(&self) -> usize {
        match self.scalar {
            Scalar::Bytes => self.size.max(1),
            Scalar::Unicode => (self.size / 4).max(1),
            _ => 1,
        }
    }

    /// A number, the nearest one where `f64` has not that many digits.
    pub fn number(&self, bytes: &[u8]) -> f64 {
        let word = self.word(bytes);
        match (self.scalar, self.size) {
            (Scalar::Float, 8) => f64::from_bits(word),
            (Scalar::Float, 4) => f64::from(f32::from_bits(word as u32)),
            (Scalar::Float, _) => f16::from_bits(word as u16).to_f64(),
            (Scalar::Int, size) => signed(word, size) as f64,
            _ => word as f64,
        }
    }

    /// Appends a value to its column; the error of one that does not fit reads `WHAT; WHAT WAS EXPECTED`.
    pub fn keep(&self, bytes: &[u8], values: &mut Kept) -> Result<(), String> {
        match values {
            Kept::Bool(flags) => flags.push(Some(bytes.iter().any(|&byte| byte != 0))),
            Kept::Float(numbers) => numbers.push(Some(self.number(bytes))),
            Kept::Int(numbers) => {
                let word = self.word(bytes);
                let signed = if self.scalar == Scalar::Int {
                    Some(signed(word, self.size))
                } else {
                    word.try_into().ok()
                };
                numbers.push(signed);
                let fits = signed.map(|_| ());
                return fits.ok_or_else(|| format!("is {word}; --keep needs whole numbers below 2^63"));
            }
            Kept::Text(texts) | Kept::Untyped(texts) | Kept::Json(texts) => {
                let (text, is_whole) = self.text(bytes);
                texts.push(&text);
                if !is_whole {
                    let code = if self.scalar == Scalar::Bytes { "UTF-8" } else { "Unicode" };
                    return Err(format!("is not {code}; text is kept as UTF-8"));
                }
            }
        }
        Ok(())
    }

    /// Text without the zeros that fill it up, and whether that is all of it: what is no character becomes U+FFFD.
    fn text<'b>(&self, bytes: &'b [u8]) -> (Cow<'b, str>, bool) {
        if self.scalar == Scalar::Bytes {
            let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
            let text = String::from_utf8_lossy(&bytes[..end]);
            let is_whole = matches!(text, Cow::Borrowed(_));
            return (text, is_whole);
        }
        let (words, _) = bytes.as_chunks::<4>();
        let code =
            |word: &[u8; 4]| if self.big { u32::from_be_bytes(*word) } else { u32::from_le_bytes(*word) };
        let end = words.iter().rposition(|word| *word != [0; 4]).map_or(0, |last| last + 1);
        let chars = words[..end].iter().map(|word| char::from_u32(code(word)));
        let is_whole = chars.clone().all(|char| char.is_some());
        (Cow::Owned(chars.map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()), is_whole)
    }

    fn word(&self, bytes: &[u8]) -> u64 {
        if let Ok(bytes) = <[u8; 8]>::try_from(bytes) {
            return if self.big { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) };
        }
        let join = |word: u64, byte: &u8| word << 8 | u64::from(*byte);
        if self.big { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) }
    }
}

fn signed(word: u64, size: usize) -> i64 {
    let unused = 64 - 8 * size as u32;
    (word << unused) as i64 >> unused
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rays::cell::Cell;

    fn dtype(name: &str) -> Type {
        Type::of(&Literal::Text(name.into())).unwrap()
    }

    #[test]
    fn numbers_of_all_types() {
        for (name, bytes, number) in [
            ("<f8", &1.5f64.to_le_bytes()[..], 1.5),
            (">f8", &(-0.1f64).to_be_bytes(), -0.1),
            (">f4", &0.1f32.to_be_bytes(), f64::from(0.1f32)),
            ("|i1", &[0xff], -1.0),
            ("|u1", &[0xff], 255.0),
            (">i2", &[0xff, 0xfe], -2.0),
            ("<u4", &[1, 0, 0, 0x80], 2_147_483_649.0),
            ("<i8", &i64::MIN.to_le_bytes(), i64::MIN as f64),
            ("<f2", &[0x00, 0x3c], 1.0),
            ("<f2", &[0x01, 0x80], -(2f64.powi(-24))),
            (">f2", &[0x7b, 0xff], 65504.0),
            ("<f2", &[0x00, 0xfc], f64::NEG_INFINITY),
        ] {
            assert_eq!(dtype(name).number(bytes).to_bits(), number.to_bits(), "{name}");
        }
        assert!(dtype("<f2").number(&[0x00, 0x7e]).is_nan());
    }

    #[test]
    fn texts_end_before_their_filling() {
        let mut kept = Kept::new(Kind::Text);
        dtype("|S4").keep(b"a\0b\0", &mut kept).unwrap();
        let no_text = |code: &str| Err(format!("is not {code}; text is kept as UTF-8"));
        assert_eq!(dtype("|S2").keep(&[0xff, 0], &mut kept), no_text("UTF-8"));
        dtype(">U2").keep(&[0, 0, 0, 0xfc, 0, 0, 0, 0], &mut kept).unwrap();
        assert_eq!(dtype("<U1").keep(&[0, 0xd8, 0, 0], &mut kept), no_text("Unicode"));
        dtype("|S0").keep(b"", &mut kept).unwrap();
        let texts: Vec<_> = (0..5)
            .map(|row| match kept.cell(row) {
                Cell::Text(text) => text.to_owned(),
                cell => panic!("{cell:?}"),
            })
            .collect();
        assert_eq!(texts, ["a\0b", "\u{fffd}", "ü", "\u{fffd}", ""]);
    }

    #[test]
    fn fields_follow_each_other() {
        let descr = "[('a', '|b1'), ('', '|V7'), (('title', 'b'), '>f8'), ('c', '<f4', (3, 2)), \
            ('d', [('x', '<i2'), ('y', '<U3')]), ('e', ('<i4', (2,))), ('t', '<M8[25s]')]";
        let Ok(Literal::List(list)) = Literal::parse(descr) else { panic!("it is a list") };
        let (fields, size) = fields(&list).unwrap();
        let places: Vec<_> = fields.iter().map(|field| (field.name.as_str(), field.offset)).collect();
        assert_eq!(places, [("a", 0), ("", 1), ("b", 8), ("c", 16), ("d", 40), ("e", 54), ("t", 62)]);
        assert_eq!(size, 70);
    }

    #[test]
    fn what_is_no_type_is_refused() {
        for descr in [
            "'|O'",
            "'f8'",
            "'<f3'",
            "'<i16'",
            "'<U9999999999999999999'",
            "'<U4611686018427387904'",
            "'|S3074457345618258603'",
            "3",
        ] {
            assert!(Type::of(&Literal::parse(descr).unwrap()).is_err(), "{descr}");
        }
        let huge = "[('a', '|V9223372036854775807'), ('b', '|V9223372036854775807'), ('c', '<f8')]";
        let Ok(Literal::List(list)) = Literal::parse(huge) else { panic!("it is a list") };
        assert!(fields(&list).is_err());
    }
}
