//! Values of one column of a row group, a slice of rows at a time.

use parquet::basic::Type as Physical;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType, FixedLenByteArray, Int96};
use parquet::errors::Result;
use parquet::schema::types::ColumnDescriptor;

/// A column of the row group that is being read.
pub struct Column {
    reader: ColumnReader,
    /// The level of a value that is there; 0 where every row has one.
    defined: i16,
}

/// The values of consecutive rows.
#[derive(Debug)]
pub struct Slice {
    /// One for each row; of no meaning where there is none.
    pub values: Values,
    /// Whether a row has no value; `None` where every row has one.
    missing: Option<Vec<bool>>,
}

/// Values as Parquet stores them.
#[derive(Debug)]
pub enum Values {
    /// Yes or no.
    Bool(Vec<bool>),
    /// 32 bits, whatever they count.
    Int32(Vec<i32>),
    /// 64 bits, whatever they count.
    Int64(Vec<i64>),
    /// Times of old writers.
    Int96(Vec<Int96>),
    /// Single precision.
    Float(Vec<f32>),
    /// Double precision.
    Double(Vec<f64>),
    /// Bytes of any number.
    Bytes(Vec<ByteArray>),
    /// Bytes, the same number in each row.
    Fixed(Vec<FixedLenByteArray>),
}

impl Column {
    /// A column that is not nested.
    pub fn new(reader: ColumnReader, descriptor: &ColumnDescriptor) -> Column {
        Column { reader, defined: descriptor.max_def_level() }
    }

    /// The next rows; a slice with fewer than asked for is the last one.
    pub fn read(&mut self, rows: usize) -> Result<Slice> {
        let mut levels = Vec::new();
        let (levels, defined) = (&mut levels, self.defined);
        let values = match &mut self.reader {
            ColumnReader::BoolColumnReader(reader) => Values::Bool(records(reader, rows, defined, levels)?),
            ColumnReader::Int32ColumnReader(reader) => Values::Int32(records(reader, rows, defined, levels)?),
            ColumnReader::Int64ColumnReader(reader) => Values::Int64(records(reader, rows, defined, levels)?),
            ColumnReader::Int96ColumnReader(reader) => Values::Int96(records(reader, rows, defined, levels)?),
            ColumnReader::FloatColumnReader(reader) => Values::Float(records(reader, rows, defined, levels)?),
            ColumnReader::DoubleColumnReader(reader) => {
                Values::Double(records(reader, rows, defined, levels)?)
            }
            ColumnReader::ByteArrayColumnReader(reader) => {
                Values::Bytes(records(reader, rows, defined, levels)?)
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                Values::Fixed(records(reader, rows, defined, levels)?)
            }
        };
        let missing = levels.iter().any(|&level| level < defined);
        let missing = missing.then(|| levels.iter().map(|&level| level < defined).collect());
        Ok(Slice { values, missing })
    }

    /// Leaves out the next rows; how many there were.
    pub fn skip(&mut self, rows: usize) -> Result<usize> {
        match &mut self.reader {
            ColumnReader::BoolColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::Int32ColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::Int64ColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::Int96ColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::FloatColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::DoubleColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::ByteArrayColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::FixedLenByteArrayColumnReader(reader) => reader.skip_records(rows),
        }
    }
}

/// A value for each of the next rows, and their levels where some may have none.
fn records<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    defined: i16,
    levels: &mut Vec<i16>,
) -> Result<Vec<T::T>> {
    let mut values = Vec::with_capacity(rows);
    let buffer = if defined > 0 { Some(&mut *levels) } else { None };
    let (read, mut next, _) = reader.read_records(rows, buffer, None, &mut values)?;
    if next < read {
        // The values stand together, without the rows that have none. From the last one on, each moves to its row.
        values.resize_with(read, T::T::default);
        for row in (0..read).rev() {
            if next == 0 {
                break;
            }
            if levels.get(row).is_some_and(|&level| level == defined) {
                next -= 1;
                values.swap(row, next);
            }
        }
    }
    Ok(values)
}

impl Slice {
    /// Bytes of its values, where they may be of any length.
    pub fn bytes(&self) -> usize {
        // What stands in a row without a value has no length.
        let there = || (0..self.rows()).filter(|&row| !self.missing(row));
        match &self.values {
            Values::Bytes(values) => there().map(|row| values[row].len()).sum(),
            Values::Fixed(values) => there().map(|row| values[row].len()).sum(),
            _ => 0,
        }
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        match &self.values {
            Values::Bool(values) => values.len(),
            Values::Int32(values) => values.len(),
            Values::Int64(values) => values.len(),
            Values::Int96(values) => values.len(),
            Values::Float(values) => values.len(),
            Values::Double(values) => values.len(),
            Values::Bytes(values) => values.len(),
            Values::Fixed(values) => values.len(),
        }
    }

    /// Whether every row has a value.
    pub fn is_full(&self) -> bool {
        self.missing.is_none()
    }

    /// Whether a row has no value.
    pub fn missing(&self, row: usize) -> bool {
        self.missing.as_ref().is_some_and(|missing| missing[row])
    }
}

/// Parquet's own word for a type that it stores.
pub fn physical(kind: Physical) -> &'static str {
    match kind {
        Physical::BOOLEAN => "BOOLEAN",
        Physical::INT32 => "INT32",
        Physical::INT64 => "INT64",
        Physical::INT96 => "INT96",
        Physical::FLOAT => "FLOAT",
        Physical::DOUBLE => "DOUBLE",
        Physical::BYTE_ARRAY => "BYTE_ARRAY",
        Physical::FIXED_LEN_BYTE_ARRAY => "FIXED_LEN_BYTE_ARRAY",
    }
}
