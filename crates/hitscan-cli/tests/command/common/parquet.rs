//! Parquet files of any columns, made by the library that reads them.

use std::sync::Arc;

use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DoubleType, FixedLenByteArray, FixedLenByteArrayType, FloatType,
    Int32Type, Int64Type, Int96, Int96Type,
};
use parquet::file::properties::WriterPropertiesBuilder;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

/// The values of a column; a file's schema says how they are stored.
#[derive(Clone)]
pub enum Data {
    Bool(Vec<Option<bool>>),
    Int32(Vec<Option<i32>>),
    Int64(Vec<Option<i64>>),
    Int96(Vec<Option<Int96>>),
    Float(Vec<Option<f32>>),
    Double(Vec<Option<f64>>),
    Bytes(Vec<Option<Vec<u8>>>),
    Fixed(Vec<Option<Vec<u8>>>),
    /// Of INT32, and no row has any.
    Nothing,
}

/// All values of a column, and a part of them with its levels.
macro_rules! write_column {
    ($writer:expr, $kind:ty, $values:expr, $rows:expr, $optional:expr, $convert:expr) => {{
        let rows = &$values[$rows];
        let there: Vec<_> = rows.iter().flatten().cloned().map($convert).collect();
        let levels: Vec<i16> = rows.iter().map(|value| i16::from(value.is_some())).collect();
        $writer.typed::<$kind>().write_batch(&there, $optional.then_some(&levels[..]), None).unwrap();
    }};
}

/// A Parquet file of these columns with row groups of so many rows.
pub fn file(
    schema: &str,
    columns: &[Data],
    rows: usize,
    group: usize,
    options: WriterPropertiesBuilder,
) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(&format!("message rays {{ {schema} }}")).unwrap());
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(options.build())).unwrap();
    let optional: Vec<bool> = file.schema_descr().columns().iter().map(|c| c.max_def_level() > 0).collect();
    for start in (0..rows).step_by(group) {
        let range = start..rows.min(start + group);
        let mut writer = file.next_row_group().unwrap();
        for (at, column) in columns.iter().enumerate() {
            let optional = optional[at];
            let mut writer = writer.next_column().unwrap().unwrap();
            let rows = range.clone();
            match column {
                Data::Bool(values) => write_column!(writer, BoolType, values, rows, optional, |v| v),
                Data::Int32(values) => write_column!(writer, Int32Type, values, rows, optional, |v| v),
                Data::Int64(values) => write_column!(writer, Int64Type, values, rows, optional, |v| v),
                Data::Int96(values) => write_column!(writer, Int96Type, values, rows, optional, |v| v),
                Data::Float(values) => write_column!(writer, FloatType, values, rows, optional, |v| v),
                Data::Double(values) => write_column!(writer, DoubleType, values, rows, optional, |v| v),
                Data::Bytes(values) => {
                    write_column!(writer, ByteArrayType, values, rows, optional, ByteArray::from);
                }
                Data::Fixed(values) => {
                    let fixed = |bytes| FixedLenByteArray::from(ByteArray::from(bytes));
                    write_column!(writer, FixedLenByteArrayType, values, rows, optional, fixed);
                }
                Data::Nothing => {
                    let levels = vec![0; rows.len()];
                    writer.typed::<Int32Type>().write_batch(&[], Some(&levels), Some(&levels)).unwrap();
                }
            }
            writer.close().unwrap();
        }
        writer.close().unwrap();
    }
    file.into_inner().unwrap()
}
