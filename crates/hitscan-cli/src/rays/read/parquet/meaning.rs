//! What the values of a column mean: its numbers, and its words for a file of text.

use std::borrow::Cow;
use std::ops::Range;

use chrono::{DateTime, Days, NaiveDate, NaiveTime};
use half::f16;
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use parquet::schema::types::ColumnDescriptor;

use super::column::{Slice, Values};

/// Decimal places that any decimal of a known writer has at most.
const MOST_PLACES: u32 = 76;

/// What the values of a column mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Yes or no.
    Bool,
    /// Whole numbers.
    Signed,
    /// Whole numbers from 0.
    Unsigned,
    /// Whole numbers of so many decimal places.
    Decimal(u32),
    /// Numbers of single or double precision.
    Float,
    /// Numbers of half precision.
    Half,
    /// Days since 1970.
    Date,
    /// Time since midnight, so many units to a second.
    Time(i64),
    /// Time since 1970.
    Timestamp {
        /// Units to a second.
        units: i64,
        /// Whether it is counted in UTC, or by a clock at an unknown place.
        utc: bool,
    },
    /// Text.
    Text,
    /// An identifier of 16 bytes.
    Uuid,
    /// Bytes that may be text.
    Bytes,
    /// Bytes that are none.
    Binary,
}

impl Meaning {
    /// What a column that is not nested says of itself.
    pub fn of(column: &ColumnDescriptor) -> Meaning {
        use ConvertedType as Old;
        let decimal = || match u32::try_from(column.type_scale()) {
            Ok(scale @ 0..=MOST_PLACES) => Meaning::Decimal(scale),
            _ => Meaning::Binary,
        };
        let logical = match column.logical_type_ref() {
            Some(LogicalType::String | LogicalType::Enum | LogicalType::Json) => Some(Meaning::Text),
            Some(LogicalType::Decimal(_)) => Some(decimal()),
            Some(LogicalType::Date) => Some(Meaning::Date),
            Some(LogicalType::Time(time)) => Some(Meaning::Time(units(&time.unit))),
            Some(LogicalType::Timestamp(time)) => {
                Some(Meaning::Timestamp { units: units(&time.unit), utc: time.is_adjusted_to_u_t_c })
            }
            Some(LogicalType::Integer(integer)) if !integer.is_signed => Some(Meaning::Unsigned),
            Some(LogicalType::Uuid) => Some(Meaning::Uuid),
            Some(LogicalType::Float16) => Some(Meaning::Half),
            Some(LogicalType::Integer(_)) => Some(Meaning::Signed),
            Some(LogicalType::Unknown) | None => None,
            Some(_) => Some(Meaning::Binary),
        };
        let old = || match column.converted_type() {
            Old::UTF8 | Old::ENUM | Old::JSON => Some(Meaning::Text),
            Old::DECIMAL => Some(decimal()),
            Old::DATE => Some(Meaning::Date),
            Old::TIME_MILLIS => Some(Meaning::Time(1_000)),
            Old::TIME_MICROS => Some(Meaning::Time(1_000_000)),
            Old::TIMESTAMP_MILLIS => Some(Meaning::Timestamp { units: 1_000, utc: true }),
            Old::TIMESTAMP_MICROS => Some(Meaning::Timestamp { units: 1_000_000, utc: true }),
            Old::UINT_8 | Old::UINT_16 | Old::UINT_32 | Old::UINT_64 => Some(Meaning::Unsigned),
            Old::BSON | Old::INTERVAL => Some(Meaning::Binary),
            _ => None,
        };
        logical.or_else(old).unwrap_or_else(|| match column.physical_type() {
            Physical::BOOLEAN => Meaning::Bool,
            Physical::INT32 | Physical::INT64 => Meaning::Signed,
            // Nothing else was ever stored so.
            Physical::INT96 => Meaning::Timestamp { units: 1_000_000_000, utc: false },
            Physical::FLOAT | Physical::DOUBLE => Meaning::Float,
            Physical::BYTE_ARRAY => Meaning::Bytes,
            Physical::FIXED_LEN_BYTE_ARRAY => Meaning::Binary,
        })
    }

    /// Whether its values are numbers that can make a ray.
    pub fn is_number(self) -> bool {
        use Meaning::{Decimal, Float, Half, Signed, Unsigned};
        matches!(self, Signed | Unsigned | Decimal(_) | Float | Half)
    }

    /// What such a column holds, for messages.
    pub fn noun(self) -> &'static str {
        match self {
            Meaning::Bool => "true and false",
            Meaning::Date => "dates",
            Meaning::Time(_) | Meaning::Timestamp { .. } => "times",
            Meaning::Text => "text",
            Meaning::Uuid => "identifiers",
            Meaning::Bytes | Meaning::Binary => "bytes",
            _ => "numbers",
        }
    }

    /// The number of a row, the nearest there is.
    pub fn number(self, slice: &Slice, row: usize) -> Option<f64> {
        if slice.missing(row) {
            return None;
        }
        let number = match (&slice.values, self) {
            (Values::Double(values), _) => values[row],
            (Values::Float(values), _) => f64::from(values[row]),
            (Values::Int32(values), Meaning::Unsigned) => f64::from(values[row].cast_unsigned()),
            (Values::Int64(values), Meaning::Unsigned) => values[row].cast_unsigned() as f64,
            (Values::Int64(values), Meaning::Signed) => values[row] as f64,
            (Values::Int32(values), Meaning::Signed) => f64::from(values[row]),
            (Values::Fixed(values), Meaning::Half) => half(values[row].data()),
            (_, Meaning::Decimal(scale)) => decimal_number(unscaled(slice, row)?, scale),
            _ => return None,
        };
        Some(number)
    }

    /// The numbers of some rows; NaN where there is none.
    pub fn numbers(self, slice: &Slice, rows: Range<usize>) -> Cow<'_, [f64]> {
        match &slice.values {
            Values::Double(values) if slice.is_full() => Cow::Borrowed(&values[rows]),
            Values::Float(values) if slice.is_full() => {
                values[rows].iter().map(|&number| f64::from(number)).collect()
            }
            _ => rows.map(|row| self.number(slice, row).unwrap_or(f64::NAN)).collect(),
        }
    }

    /// A row's whole number, as it is stored: of days, or of units of time, too.
    pub fn integer(self, slice: &Slice, row: usize) -> Option<i64> {
        match &slice.values {
            Values::Int32(values) if self == Meaning::Unsigned => {
                Some(i64::from(values[row].cast_unsigned()))
            }
            Values::Int32(values) => Some(i64::from(values[row])),
            Values::Int64(values) => Some(values[row]),
            // Nanoseconds from 1677 to 2262.
            Values::Int96(values) => {
                (values[row].to_seconds().abs() < i64::MAX / 1_000_000_000).then(|| values[row].to_nanos())
            }
            _ => None,
        }
    }

    /// A row in words; `None` where they are no text.
    pub fn words(self, slice: &Slice, row: usize) -> Option<String> {
        let stored = || self.integer(slice, row);
        match self {
            Meaning::Unsigned => match &slice.values {
                Values::Int64(values) => Some(values[row].cast_unsigned().to_string()),
                _ => stored().map(|number| number.to_string()),
            },
            Meaning::Decimal(scale) => unscaled(slice, row).map(|number| decimal_words(number, scale)),
            Meaning::Date => stored().map(|days| date(days).unwrap_or_else(|| days.to_string())),
            Meaning::Time(units) => {
                stored().map(|count| time(count, units).unwrap_or_else(|| count.to_string()))
            }
            Meaning::Timestamp { units, utc } => {
                stored().map(|count| timestamp(count, units, utc).unwrap_or_else(|| count.to_string()))
            }
            Meaning::Text | Meaning::Bytes => String::from_utf8(bytes(slice, row).to_vec()).ok(),
            Meaning::Uuid => Some(uuid(&hex(bytes(slice, row)))),
            Meaning::Binary => Some(hex(bytes(slice, row))),
            Meaning::Bool => match &slice.values {
                Values::Bool(values) => Some(values[row].to_string()),
                _ => None,
            },
            Meaning::Signed => stored().map(|number| number.to_string()),
            // As all files of text write it.
            Meaning::Float | Meaning::Half => {
                let number = self.number(slice, row);
                number.map(|number| if number.is_nan() { "nan".to_owned() } else { number.to_string() })
            }
        }
    }
}

/// The bytes of a row; none where it has something else.
pub fn bytes(slice: &Slice, row: usize) -> &[u8] {
    match &slice.values {
        Values::Bytes(values) => values[row].data(),
        Values::Fixed(values) => values[row].data(),
        _ => &[],
    }
}

/// Two digits a byte.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn units(unit: &TimeUnit) -> i64 {
    match unit {
        TimeUnit::MILLIS => 1_000,
        TimeUnit::MICROS => 1_000_000,
        TimeUnit::NANOS => 1_000_000_000,
    }
}

/// Half precision from its two bytes.
fn half(bytes: &[u8]) -> f64 {
    <[u8; 2]>::try_from(bytes).map_or(f64::NAN, |bytes| f16::from_le_bytes(bytes).to_f64())
}

/// The whole number of a decimal, in up to 128 bits.
fn unscaled(slice: &Slice, row: usize) -> Option<i128> {
    match &slice.values {
        Values::Int32(values) => Some(i128::from(values[row])),
        Values::Int64(values) => Some(i128::from(values[row])),
        Values::Bytes(_) | Values::Fixed(_) => {
            let bytes = bytes(slice, row);
            let sign = if bytes.first()? & 0x80 == 0 { 0 } else { 0xff };
            let digits = &bytes[bytes.len().saturating_sub(16)..];
            let mut whole = [sign; 16];
            whole[16 - digits.len()..].copy_from_slice(digits);
            let number = i128::from_be_bytes(whole);
            let rest = &bytes[..bytes.len() - digits.len()];
            let fits = rest.iter().all(|&byte| byte == sign) && (number < 0) == (sign == 0xff);
            fits.then_some(number)
        }
        _ => None,
    }
}

/// The number nearest to a decimal.
fn decimal_number(whole: i128, scale: u32) -> f64 {
    // Both are exact here, so their quotient is rounded once.
    if whole.unsigned_abs() <= 1 << 53 && scale <= 22 {
        return whole as f64 / 10f64.powi(scale as i32);
    }
    format!("{whole}e-{scale}").parse().unwrap_or(f64::NAN)
}

fn decimal_words(whole: i128, scale: u32) -> String {
    let scale = scale as usize;
    let digits = format!("{:0>width$}", whole.unsigned_abs(), width = scale + 1);
    let (front, places) = digits.split_at(digits.len() - scale);
    let sign = if whole < 0 { "-" } else { "" };
    if places.is_empty() { format!("{sign}{front}") } else { format!("{sign}{front}.{places}") }
}

fn uuid(hex: &str) -> String {
    let part = |range| hex.get(range).unwrap_or_default();
    [part(0..8), part(8..12), part(12..16), part(16..20), part(20..hex.len().max(20))].join("-")
}

/// `2026-11-21`; `None` beyond the years that a calendar has.
fn date(days: i64) -> Option<String> {
    let count = Days::new(days.unsigned_abs());
    let date = if days < 0 {
        NaiveDate::default().checked_sub_days(count)
    } else {
        NaiveDate::default().checked_add_days(count)
    };
    date.map(|date| format!("{date:?}"))
}

/// `11:45:27.250`; `None` beyond a day.
fn time(count: i64, units: i64) -> Option<String> {
    let seconds = u32::try_from(count.div_euclid(units)).ok()?;
    let nanos = u32::try_from(count.rem_euclid(units) * (1_000_000_000 / units)).ok()?;
    NaiveTime::from_num_seconds_from_midnight_opt(seconds, nanos).map(|time| format!("{time:?}"))
}

/// `2026-11-21T11:45:27.250`, with a `Z` behind it in UTC.
fn timestamp(count: i64, units: i64, utc: bool) -> Option<String> {
    let nanos = u32::try_from(count.rem_euclid(units) * (1_000_000_000 / units)).ok()?;
    let time = DateTime::from_timestamp(count.div_euclid(units), nanos)?;
    Some(format!("{:?}{}", time.naive_utc(), if utc { "Z" } else { "" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_rounded_once() {
        assert_eq!(decimal_number(1, 1).to_bits(), 0.1f64.to_bits());
        assert_eq!(decimal_number(-271_059, 5).to_bits(), (-2.71059f64).to_bits());
        assert_eq!(decimal_number(i128::MAX, 30), 170_141_183.460_469_25);
        for (whole, scale, words) in
            [(5, 1, "0.5"), (-5, 3, "-0.005"), (120, 0, "120"), (-12_345, 2, "-123.45")]
        {
            assert_eq!(decimal_words(whole, scale), words);
        }
    }

    #[test]
    fn times_are_written_as_iso_8601() {
        assert_eq!(date(20_778).as_deref(), Some("2026-11-21"));
        assert_eq!((date(-1).as_deref(), date(i64::MAX)), (Some("1969-12-31"), None));
        assert_eq!(time(42_327_250, 1_000).as_deref(), Some("11:45:27.250"));
        assert_eq!((time(86_400, 1), time(-1, 1_000)), (None, None));
        assert_eq!(timestamp(-1, 1_000_000, true).as_deref(), Some("1969-12-31T23:59:59.999999Z"));
        assert_eq!(timestamp(1_763_725_527, 1, false).as_deref(), Some("2025-11-21T11:45:27"));
        assert_eq!(timestamp(i64::MAX, 1_000, true), None);
    }

    #[test]
    fn identifiers_have_their_dashes() {
        let bytes: Vec<u8> = (0..16).collect();
        assert_eq!(uuid(&hex(&bytes)), "00010203-0405-0607-0809-0a0b0c0d0e0f");
    }
}
