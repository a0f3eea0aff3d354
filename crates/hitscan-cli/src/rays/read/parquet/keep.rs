//! Columns that are carried over: what the output needs of them.

use std::sync::Arc;

use parquet::basic::{LogicalType, TimeUnit, Type as Physical};
use parquet::schema::types::{ColumnDescriptor, Type};

use super::column::{Slice, Values};
use super::meaning::{Meaning, bytes, hex};
use crate::rays::cell::{Kept, KeptField, Kind, Stored, Texts};
use crate::rays::format::Format;

/// How the values of a column are carried over.
#[derive(Clone, Copy, Debug)]
pub struct Carrier {
    meaning: Meaning,
    form: Form,
}

/// What becomes of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Bool,
    /// A whole number, of units of time too.
    Int,
    /// The bits of a whole number, for a column of the same type.
    Bits,
    Float,
    /// The number whose shortest digits are those of the single precision.
    ShortFloat,
    Words,
    /// A number in words, because no type of ours holds all of its digits.
    Digits,
    /// The digits of bytes, for a column of the same type.
    Hex,
}

impl Carrier {
    /// How a column gets into an output of this format, and what it is there.
    pub fn new(column: &ColumnDescriptor, output: Format) -> (Carrier, KeptField) {
        use Meaning::{Bool, Bytes, Date, Decimal, Float, Half, Signed, Text, Time, Timestamp, Unsigned};
        let meaning = Meaning::of(column);
        let physical = column.physical_type();
        let whole = matches!(physical, Physical::INT32 | Physical::INT64 | Physical::INT96);
        let form = match (output, meaning) {
            (_, Bool) => Form::Bool,
            (Format::Parquet, Float | Half) => Form::Float,
            (Format::Parquet, Text) => Form::Words,
            (Format::Parquet, _) if whole => Form::Bits,
            (Format::Parquet, _) => Form::Hex,
            (Format::Npy, Signed | Unsigned | Date | Time(_) | Timestamp { .. }) => Form::Int,
            (Format::Npy, Float | Half | Decimal(_)) => Form::Float,
            (_, Signed) => Form::Int,
            (_, Float | Half) if physical == Physical::DOUBLE => Form::Float,
            (_, Float | Half) => Form::ShortFloat,
            (_, Unsigned | Decimal(_)) => Form::Digits,
            (_, Date | Time(_) | Timestamp { .. } | Text | Bytes) => Form::Words,
            (_, Meaning::Uuid | Meaning::Binary) => Form::Words,
        };
        let kind = match form {
            Form::Bool => Kind::Bool,
            Form::Int | Form::Bits => Kind::Int,
            Form::Float | Form::ShortFloat => Kind::Float,
            Form::Words | Form::Digits | Form::Hex => Kind::Text,
        };
        let kind_stored = (output == Format::Parquet).then(|| stored(column)).flatten();
        let stored = kind_stored.map(|kind| Stored { kind, hex: form == Form::Hex });
        (Carrier { meaning, form }, KeptField { name: column.name().to_owned(), kind, width: None, stored })
    }

    /// No values yet of the column.
    pub fn no_values(self, field: &KeptField) -> Kept {
        if self.form == Form::Digits { Kept::Json(Texts::default()) } else { Kept::new(field.kind) }
    }

    /// Appends the value of a row; the error reads `is WHAT; WHAT WAS EXPECTED`, and the row then has none.
    pub fn push(self, slice: &Slice, row: usize, kept: &mut Kept) -> Result<(), String> {
        let there = !slice.missing(row);
        match kept {
            Kept::Bool(flags) => flags.push(match &slice.values {
                Values::Bool(values) => there.then(|| values[row]),
                _ => None,
            }),
            Kept::Int(numbers) => {
                let number = there.then(|| self.meaning.integer(slice, row)).flatten();
                // The bits of a number beyond 63 of them are a negative one.
                let beyond = self.form == Form::Int && self.meaning == Meaning::Unsigned;
                let number = number.filter(|&number| !(beyond && number < 0));
                numbers.push(number);
                if there && number.is_none() {
                    return Err(match self.meaning {
                        Meaning::Unsigned => "is above 2^63; whole numbers are kept up to there".into(),
                        _ => "is beyond the years 1677 to 2262; times are kept in nanoseconds".into(),
                    });
                }
            }
            Kept::Float(numbers) => {
                let number = self.meaning.number(slice, row).map(|number| match self.form {
                    Form::ShortFloat => shortest(number),
                    _ => number,
                });
                numbers.push(number);
            }
            Kept::Text(texts) | Kept::Untyped(texts) | Kept::Json(texts) => {
                if !there {
                    texts.push_missing();
                    return Ok(());
                }
                let words = match self.form {
                    Form::Hex => Some(hex(bytes(slice, row))),
                    _ => self.meaning.words(slice, row),
                };
                let Some(words) = words else {
                    texts.push_missing();
                    return Err(match self.meaning {
                        Meaning::Decimal(_) => {
                            "has more than 38 digits; decimals are kept up to there".into()
                        }
                        _ => "is not UTF-8; text is kept as UTF-8".into(),
                    });
                };
                texts.push(&words);
            }
        }
        Ok(())
    }
}

/// The number of double precision whose shortest digits are those of this one of single precision: `0.1`, and not
/// `0.10000000149011612`.
fn shortest(number: f64) -> f64 {
    (number as f32).to_string().parse().unwrap_or(number)
}

/// The type of the column in an output. Times of old writers get today's type.
fn stored(column: &ColumnDescriptor) -> Option<Arc<Type>> {
    if column.physical_type() != Physical::INT96 {
        return Some(column.self_type_ptr());
    }
    let timestamp = Type::primitive_type_builder(column.name(), Physical::INT64)
        .with_repetition(column.self_type().get_basic_info().repetition())
        .with_logical_type(Some(LogicalType::timestamp(false, TimeUnit::NANOS)));
    timestamp.build().ok().map(Arc::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_precision_keeps_its_digits() {
        for number in [0.1f32, -3.402_823_5e38, 1e-45, 16_777_216.0] {
            let short = shortest(f64::from(number));
            assert_eq!((short as f32).to_bits(), number.to_bits());
            assert_eq!(short.to_string(), number.to_string());
        }
        assert!(shortest(f64::NAN).is_nan());
        assert_eq!(shortest(f64::NEG_INFINITY), f64::NEG_INFINITY);
    }
}
